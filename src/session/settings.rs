//! The settings that sessions use.

use std::path::PathBuf;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::backend::AdapterSettings;
use crate::redaction::Redaction;
use crate::roots::Roots;
use crate::transport::Connection;
use crate::transport::replay::ReplayEnd;

/// Of all sessions of a server.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub adapter: AdapterSettings,
    /// DAP traffic goes there.
    pub record: Option<PathBuf>,
    /// Relative paths before a root is known are taken against this, else our working directory.
    pub client_root: Option<PathBuf>,
    /// Bytes of a program's output beyond memory, in a temporary file; `None` = 256 MiB.
    pub max_output: Option<u64>,
    /// No sessions: nothing is built, run or debugged.
    pub read_only: bool,
    /// Below which sources may be shown; sessions add their programs'.
    pub roots: Roots,
    /// What no answer shows.
    pub redaction: Redaction,
    /// Plays adapter and program within this process, in the place of `backend`.
    pub player: Option<Player>,
}

/// An adapter within this process: it is given its end of a connection and plays until it is over.
#[derive(Clone)]
pub struct Player {
    /// Whose behavior it has (`netcoredbg`, `dncdbg`).
    pub adapter: String,
    pub play: Arc<dyn Fn(Connection) -> BoxFuture<'static, ReplayEnd> + Send + Sync>,
}

impl std::fmt::Debug for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player").field("adapter", &self.adapter).finish_non_exhaustive()
    }
}

impl Settings {
    /// What relative paths are taken against before a root is known.
    pub fn base(&self) -> PathBuf {
        self.client_root.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from("/"))
    }
}
