//! From what a caller wants to debug to an adapter that is connected and configured.
//!
//! Three jobs, each a future that the actor polls beside everything else: [`prepare()`] (find, build, check), [`open()`]
//! (start the processes), [`configure()`] (the DAP handshake, ending with the release of a held program).
//! The race to remember: events, even a stop, may come before `configurationDone` is answered.

mod configure;
mod failure;
mod open;
mod prepare;

pub(crate) use configure::{Configuration, Configured, Failed, Planned, configure};
pub(crate) use failure::{backend_error, dotnet_error};
pub(crate) use open::{Opened, claim_own, open};
pub(crate) use prepare::{Prepared, Request, prepare};

/// Who starts the program, and so who knows its output and exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// We, held before its first managed instruction; the adapter attaches.
    Held,
    /// The adapter's own `launch`.
    Adapter,
    /// Somebody else, long ago.
    Attached,
    /// Nobody: a recording stands in for adapter and program.
    Replay,
}

impl Method {
    /// `debug_state`'s `started_by`.
    pub(crate) fn started_by(self) -> Option<&'static str> {
        match self {
            Self::Held => None,
            Self::Adapter | Self::Replay => Some("adapter"),
            Self::Attached => Some("other"),
        }
    }
}
