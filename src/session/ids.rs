//! Numbers and names that must not be mixed up.

use std::fmt;

/// A session's name, minted by us: `s1`, `s2`, …
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(pub String);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Position in a session's event log, from 1 upwards. Ours: the adapter's `seq` is ignored (a string in netcoredbg <= 3.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct EventSeq(pub u64);

impl fmt::Display for EventSeq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An operating system's thread id, as DAP's `threadId` carries it for CoreCLR adapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub i64);

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Our own number of a breakpoint or tracepoint; adapters' ids change and are never shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BreakpointId(pub u32);

impl fmt::Display for BreakpointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Counts the stops of a session; a reference from an older stop is stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct StopEpoch(pub u64);

/// A session's state where it is reported in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StateName {
    /// There is none yet, or it was disconnected or lost: what became of the program is not known here.
    NotAttached,
    Starting,
    Running,
    Stopped,
    /// The program has ended by itself.
    Exited,
}

impl StateName {
    /// The stable word of the tool surface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotAttached => "not_attached",
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Exited => "exited",
        }
    }

    /// A program is, or is about to be, under the debugger.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Starting | Self::Running | Self::Stopped)
    }
}
