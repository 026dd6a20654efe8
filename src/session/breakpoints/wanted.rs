//! A breakpoint as the workspace wants it of every session.

use super::target::Target;
use crate::session::ids::{BreakpointId, SessionId};
use crate::session::spec::BreakpointSpec;

/// A breakpoint or tracepoint, apart from what any session makes of it.
#[derive(Debug, Clone)]
pub struct WantedBreakpoint {
    pub id: BreakpointId,
    pub spec: BreakpointSpec,
    pub target: Target,
    /// The file here, where a build gave it another path.
    pub file: Option<String>,
    /// The trimmed text of the line: the line moves with it.
    pub text: Option<String>,
    /// A program was built from its file: it belongs there, and to no namesake elsewhere.
    pub at_home: bool,
    /// Only this session takes it.
    pub only: Option<SessionId>,
    /// Changes with every change of `spec`.
    pub version: u32,
}

impl WantedBreakpoint {
    pub(crate) fn is_tracepoint(&self) -> bool {
        self.spec.log.is_some()
    }
}
