//! A step in that goes on instruction by instruction.
//!
//! The runtime compares where the next method begins with the range that it steps over, though the range is of another method: from a
//! method's first statement it takes the begin of what the framework calls next, such as the next lambda of a query, for that range and
//! passes over it. Without a range it stops there.

use super::{Position, position};
use crate::frames::Thread;
use crate::target::{Kind, Step};

/// Instructions that one step walks, at about a millisecond each; a first statement that is longer is stepped over as a range.
const MOST: u32 = 300;

impl Step {
    /// Whether the step is to walk from where the thread is: it goes in from the first statement of the method that it began in.
    pub(super) fn walks(&mut self, thread: &Thread<'_>, kind: Kind) -> bool {
        let is_asked = kind == Kind::Into && self.into.is_none() && self.walked < MOST;
        let is_there = || thread.top().is_ok_and(|top| position(top.data()).is_some_and(|at| self.is_in_first(at)));
        let walks = is_asked && is_there();
        self.walked += u32::from(walks);
        walks
    }

    fn is_in_first(&self, at: Position<'_>) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.is_first_statement_at(at))
    }
}
