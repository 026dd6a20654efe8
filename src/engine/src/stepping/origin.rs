//! Where a step began: what is still that place is not the end of the step.

use clr_metadata::{MethodId, SequencePoint};

use crate::modules::Module;

/// Where a thread stands.
#[derive(Clone, Copy)]
pub struct Position<'a> {
    pub module: &'a Module,
    pub method: MethodId,
    /// In IL.
    pub offset: u32,
    /// See [`crate::stopped::FrameData::is_exact`].
    pub is_exact: bool,
    /// See [`crate::com::NativeFrame::stack_end`].
    pub stack_end: u64,
}

impl Position<'_> {
    fn statement(&self) -> Option<SequencePoint> {
        let points = self.module.symbols()?.sequence_points(self.method);
        points.into_iter().rfind(|point| point.il_offset <= self.offset).filter(|point| !point.is_hidden)
    }
}

/// The statement in an activation of a method.
#[derive(Debug)]
pub struct Origin {
    module: u32,
    method: MethodId,
    stack_end: u64,
    statement: Option<SequencePoint>,
}

impl Origin {
    pub fn of(at: Position<'_>) -> Self {
        Self { module: at.module.id, method: at.method, stack_end: at.stack_end, statement: at.statement() }
    }

    /// Whether a place is in the activation.
    pub fn is_around(&self, at: Position<'_>) -> bool {
        (self.module, self.method, self.stack_end) == (at.module.id, at.method, at.stack_end)
    }

    /// Whether a place is in a method under way that called the activation, perhaps through others.
    pub fn has_caller_at(&self, at: Position<'_>) -> bool {
        at.offset > 0 && at.stack_end > self.stack_end
    }

    /// Whether a place is in the statement, which is the first of its method.
    pub fn is_first_statement_at(&self, at: Position<'_>) -> bool {
        let is_first = |point: &SequencePoint| point.il_offset == 0;
        self.statement.as_ref().is_some_and(is_first)
            && at.statement().is_some_and(|here| is_first(&here))
            && self.is_around(at)
    }

    /// Whether a place is in the midst of the statement, behind a call that the step did not stop in, or behind it at code of the same
    /// place in the source: the end of a block that disposes of something is two statements.
    pub fn goes_on_at(&self, at: Position<'_>) -> bool {
        let (Some(own), Some(here)) = (&self.statement, at.statement()) else { return false };
        let span = |point: &SequencePoint| (point.document, point.line, point.column, point.end_line, point.end_column);
        // behind a call that nothing but its own arguments comes before, the offset is still the statement's
        let is_under_way = at.offset > here.il_offset || !at.is_exact;
        let is_within = own.il_offset == here.il_offset && is_under_way;
        let is_again = here.il_offset > own.il_offset && span(own) == span(&here);
        (is_within || is_again) && self.is_around(at)
    }
}
