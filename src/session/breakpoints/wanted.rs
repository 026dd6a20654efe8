//! A breakpoint as the workspace wants it of every session.

use super::entry::{Entry, Target};
use crate::session::ids::{BreakpointId, SessionId};
use crate::session::spec::{BreakpointSpec, Place};

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

    /// Whether one of them may be in a lambda of their line, and the other around it.
    fn is_another_piece(&self, placed: &Entry) -> bool {
        let piece = |spec: &BreakpointSpec| match &spec.place {
            Place::Source { text, .. } => text.as_deref().map(|text| text.trim().to_owned()),
            Place::Function(_) => None,
        };
        self.text.as_deref().is_some_and(|line| line.contains("=>")) && piece(&self.spec) != piece(&placed.spec)
    }

    pub(crate) fn is_at(&self, placed: &Entry) -> bool {
        match (&self.target, &placed.target) {
            (Target::Source { path: mine, line, .. }, Target::Source { path: other, line: wanted, .. }) => {
                let (mine, other) = (self.file.as_ref().unwrap_or(mine), placed.file.as_ref().unwrap_or(other));
                mine == other && line == wanted && !self.is_another_piece(placed)
            }
            (Target::Function(mine), Target::Function(other)) => mine == other,
            (Target::Unplaced { given: mine, line }, Target::Unplaced { given: other, line: wanted }) => {
                mine == other && line == wanted
            }
            _ => false,
        }
    }
}
