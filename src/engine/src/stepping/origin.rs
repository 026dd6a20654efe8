//! Where a step began: what is still that place is not the end of the step.

use clr_metadata::{MethodId, SequencePoint};

use crate::com::{self, Interface as _};
use crate::stopped::FrameData;

/// The statement in an activation of a method.
#[derive(Debug)]
pub struct Origin {
    module: u32,
    method: MethodId,
    /// See [`com::NativeFrame::stack_end`].
    stack_end: u64,
    statement: Option<SequencePoint>,
}

impl Origin {
    pub fn of(at: &FrameData) -> Option<Self> {
        Some(Self { module: at.module.id, method: at.method, stack_end: stack_end(at)?, statement: statement(at) })
    }

    /// Whether a place is in the activation.
    pub fn is_around(&self, at: &FrameData) -> bool {
        (self.module, self.method) == (at.module.id, at.method) && stack_end(at) == Some(self.stack_end)
    }

    /// Whether a place is in the midst of the statement, behind a call that the step did not stop in, or behind it at code of the same
    /// place in the source: the end of a block that disposes of something is two statements.
    pub fn goes_on_at(&self, at: &FrameData) -> bool {
        let (Some(own), Some(here)) = (&self.statement, statement(at)) else { return false };
        let span = |point: &SequencePoint| (point.document, point.line, point.column, point.end_line, point.end_column);
        let is_within = own.il_offset == here.il_offset && at.offset > here.il_offset;
        let is_again = here.il_offset > own.il_offset && span(own) == span(&here);
        (is_within || is_again) && self.is_around(at)
    }
}

fn stack_end(at: &FrameData) -> Option<u64> {
    at.il.cast::<com::NativeFrame>().and_then(|frame| frame.stack_end()).ok()
}

fn statement(at: &FrameData) -> Option<SequencePoint> {
    let points = at.module.symbols()?.sequence_points(at.method);
    points.into_iter().rfind(|point| point.il_offset <= at.offset).filter(|point| !point.is_hidden)
}
