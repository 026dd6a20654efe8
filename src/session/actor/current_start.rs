//! The start under way, or the one that the program came from, and what the call that opened the session brought.

use tokio_util::sync::CancellationToken;

use crate::session::ids::BreakpointId;
use crate::session::workspace::SetBreakpoint;

/// A job belongs to one start: of an earlier one it is answered by nobody, and it ends when its start is cut short.
#[derive(Default)]
pub(super) struct CurrentStart {
    number: u32,
    over: CancellationToken,
    /// Breakpoints that came with the call that opened this session.
    given: Vec<SetBreakpoint>,
    gave_rule: bool,
    came_to_be: bool,
}

impl CurrentStart {
    /// Another start: jobs of the last one are distinguished by their number.
    pub(super) fn begin_next(&mut self) {
        self.number += 1;
        self.over = CancellationToken::new();
    }

    /// Counts starts.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// Cancelled by [`Self::cut_short`]: what it builds or starts goes with it.
    pub(super) fn over(&self) -> CancellationToken {
        self.over.clone()
    }

    pub(super) fn cut_short(&self) {
        self.over.cancel();
    }

    /// A breakpoint came with the call that opened this session.
    pub(super) fn gave(&mut self, set: SetBreakpoint) {
        self.given.push(set);
    }

    pub(super) fn has_given(&self, id: BreakpointId) -> bool {
        self.given.iter().any(|given| given.id == id)
    }

    /// Whether an exception rule came with it too.
    pub(super) fn set_gave_rule(&mut self, gave_rule: bool) {
        self.gave_rule = gave_rule;
    }

    pub(super) fn gave_rule(&self) -> bool {
        self.gave_rule
    }

    /// The program runs under the debugger.
    pub(super) fn went_through(&mut self) {
        self.came_to_be = true;
    }

    /// This start, or one before it, went through.
    pub(super) fn came_to_be(&self) -> bool {
        self.came_to_be
    }

    /// What the call that opened this session changed of a breakpoint: of several on one line the last one holds.
    pub(super) fn replaced_by(&self, id: BreakpointId) -> Option<String> {
        let replaced = self.given.iter().filter(|given| given.id == id && given.replaced);
        let notes: Vec<&str> = replaced.filter_map(|given| given.note.as_deref()).collect();
        (!notes.is_empty()).then(|| notes.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_start_outlives_the_end_of_the_last() {
        let mut start = CurrentStart::default();
        start.begin_next();
        let first = (start.number(), start.over());
        start.cut_short();
        start.begin_next();
        assert!(first.1.is_cancelled() && !start.over().is_cancelled());
        assert_ne!(first.0, start.number());
    }

    #[test]
    fn what_was_given_and_what_went_through_outlives_a_restart() {
        let set = |id, note: Option<&str>, replaced| SetBreakpoint {
            id: BreakpointId(id),
            note: note.map(str::to_owned),
            replaced,
        };
        let mut start = CurrentStart::default();
        start.gave(set(1, Some("was if a"), true));
        start.gave(set(1, Some("was if b"), true));
        start.gave(set(2, Some("breakpoint 3 also stops there"), false));
        start.set_gave_rule(true);
        start.went_through();
        start.begin_next();
        assert!(start.came_to_be() && start.gave_rule());
        assert!(start.has_given(BreakpointId(2)) && !start.has_given(BreakpointId(3)));
        assert_eq!(start.replaced_by(BreakpointId(1)).as_deref(), Some("was if a\nwas if b"));
        assert_eq!(start.replaced_by(BreakpointId(2)), None, "nothing of it was replaced");
    }
}
