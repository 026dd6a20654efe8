//! All sessions of a server: made, named, found, ended together.

use std::path::PathBuf;

use super::error::{Code, SessionError};
use super::handle::SessionHandle;
use super::ids::BreakpointId;
use super::reply::{Reply, Wait};
use super::report::{Breakpoint, ExceptionRule, Report, StateView};
use super::spec::{AttachSpec, BreakpointSpec, BuildMode, Include, LaunchSpec};
use super::view::SessionView;

/// What the configuration says to sessions.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// `auto`, `netcoredbg`, `dncdbg`, `external`, `replay:FILE`.
    pub backend: String,
    /// `--netcoredbg`/`NETCOREDBG_PATH`, `--dncdbg`/`DNCDBG_PATH`.
    pub netcoredbg: Option<PathBuf>,
    pub dncdbg: Option<PathBuf>,
    /// The command line of `--backend external`.
    pub external: Vec<String>,
    /// DAP traffic goes there.
    pub record: Option<PathBuf>,
    /// Relative paths before a root is known are taken against this, else our working directory.
    pub client_root: Option<PathBuf>,
    /// Forces `allow_side_effects=false`.
    pub read_only: bool,
}

/// Cheap to clone; all clones are one registry.
#[derive(Clone)]
pub struct Registry {
    settings: std::sync::Arc<Settings>,
}

fn later<T>() -> Reply<T> {
    Reply::ready(Err(SessionError::new(Code::InternalError, "not there yet", "")))
}

impl Registry {
    pub fn new(settings: Settings) -> Self {
        Self { settings: std::sync::Arc::new(settings) }
    }
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
    /// Starts a program in a session of its own. The session is registered before this returns.
    pub fn launch(&self, _spec: LaunchSpec, _include: Include, _wait: Wait) -> Reply<Report> {
        later()
    }
    pub fn attach(&self, _spec: AttachSpec, _include: Include, _wait: Wait) -> Reply<Report> {
        later()
    }
    /// `session`: the id a caller gave; without one the only live session, else the newest.
    pub fn restart(
        &self,
        _session: Option<&str>,
        _build: Option<BuildMode>,
        _include: Include,
        _wait: Wait,
    ) -> Reply<Report> {
        later()
    }
    /// The session that `id` means: the only live one, else the newest, when `None`.
    pub fn session(&self, _id: Option<&str>) -> Result<SessionHandle, SessionError> {
        Err(SessionError::new(Code::NoSession, "no session", "debug_launch or debug_attach"))
    }
    /// debug_state: works without any session (`not_attached`). Counts as telling the current stop.
    pub fn state(&self, _id: Option<&str>) -> Result<StateView, SessionError> {
        Err(SessionError::new(Code::NoSession, "no session", "debug_launch or debug_attach"))
    }
    /// Newest last.
    pub fn sessions(&self) -> Vec<SessionView> {
        Vec::new()
    }
    /// Breakpoints work with no session too: those wait for the next launch or attach.
    pub fn set_breakpoint(&self, _session: Option<&str>, _spec: BreakpointSpec) -> Reply<Breakpoint> {
        later()
    }
    pub fn enable_breakpoint(&self, _session: Option<&str>, _id: BreakpointId, _enabled: bool) -> Reply<Breakpoint> {
        later()
    }
    /// `None` = all. Answers the ids removed.
    pub fn remove_breakpoints(&self, _session: Option<&str>, _id: Option<BreakpointId>) -> Reply<Vec<BreakpointId>> {
        later()
    }
    /// `file`: only those of it.
    pub fn list_breakpoints(
        &self,
        _session: Option<&str>,
        _file: Option<String>,
    ) -> Reply<(Vec<Breakpoint>, Option<ExceptionRule>)> {
        later()
    }
    pub fn set_exceptions(&self, _session: Option<&str>, _rule: ExceptionRule) -> Reply<ExceptionRule> {
        later()
    }
    /// Ends every session; resolves when nothing of ours runs any more (bounded: about 5 s).
    pub async fn shutdown(&self) {}
}
