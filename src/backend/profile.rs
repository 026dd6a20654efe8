//! One adapter, ready to be started: its command, what it is, how it behaves.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use super::quirks::Quirks;

/// How to start an adapter over stdio.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    /// Absolute, except for a replay, which starts nothing.
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// Added to our own environment.
    pub env: Vec<(OsString, OsString)>,
}

/// Why it is this adapter, for `doctor`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// `--backend` names it.
    Asked,
    /// This setting says where it is.
    Set(String),
    /// Nothing else is set, and it needs nothing but .NET.
    NeedsNothing,
    /// Nothing is set, and it was found.
    Found,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked => write!(f, "--backend names it"),
            Self::Set(setting) => write!(f, "{setting} is set"),
            Self::NeedsNothing => write!(f, "no adapter is configured; the built-in engine is used"),
            Self::Found => write!(f, "no adapter is configured; this one was found"),
        }
    }
}

/// An adapter as the session sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// For messages and logs; never asked in a condition.
    pub name: String,
    pub command: Command,
    /// As it reports it: `3.1.2-1`.
    pub version: Option<String>,
    pub quirks: Quirks,
    /// A recording stands in for the adapter: its file.
    pub recording: Option<PathBuf>,
}
