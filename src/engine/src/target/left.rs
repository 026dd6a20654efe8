//! Where the program stood when the client let it go on.

use clr_metadata::MethodId;

use crate::frames::{Frame, Thread};

/// A statement that a thread stopped at. What it calls to stop the program stops it no second time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    pub thread: u32,
    module: u32,
    method: MethodId,
    il_offset: u32,
}

impl Left {
    /// Of a thread that stands at a statement itself.
    pub fn of(thread: &Thread<'_>) -> Option<Self> {
        Self::at(thread, &thread.top().ok()?)
    }

    /// Of a thread that a call of the statement stops.
    pub fn below(thread: &Thread<'_>) -> Option<Self> {
        thread.stack().ok()?.iter().find_map(|frame| Self::at(thread, frame))
    }

    fn at(thread: &Thread<'_>, frame: &Frame<'_>) -> Option<Self> {
        let (location, at) = (frame.location()?, frame.data());
        Some(Self { thread: thread.id, module: at.module.id, method: at.method, il_offset: location.point.il_offset })
    }
}
