//! Steps in what a static constructor runs.
//!
//! netcoredbg and dncdbg make steppers that the runtime sends out of a class's initialization (an intercept mask without
//! `INTERCEPT_CLASS_INIT`; read and tried on .NET 10, 2026-11-26): a step that leaves a method which the constructor called ends behind the
//! constructor, or where its code runs next. So such a step is made with breakpoints. What remains is a step into a
//! constructor that nobody wrote: it is left again, and the rest of the initialization with it.

use super::verdict::StopVerdict;
use super::{Origin, Position, StopInput};
use crate::session::inspect::frames::Stack;
use crate::session::report::StopReason;
use crate::session::spec::StepMode;

impl Origin {
    /// A step that leaves this method has to come back to what a static constructor runs.
    pub(crate) fn is_in_initialization(&self) -> bool {
        self.callers.iter().any(Position::is_static_constructor)
    }
}

impl Position {
    fn is_static_constructor(&self) -> bool {
        self.has_line() && self.raw_name.contains("..cctor")
    }
}

/// What a report says where a step left a static constructor that goes on.
pub(super) fn left_behind(question: &StopInput, verdict: &StopVerdict, stack: &Stack) -> Option<String> {
    let reader = &question.context.reader;
    let step = question.step.as_ref().filter(|_| verdict.reason == StopReason::Step && !stack.is_trace)?;
    let origin = step.origin.as_ref().filter(|_| !reader.capabilities.supports_keep_step)?;
    let mut frames = std::iter::once(&origin.here).chain(&origin.callers);
    let above = frames.clone().position(Position::is_static_constructor)?;
    let constructor = frames.nth(above)?;
    let is_last = |at: &Position| {
        reader.modules.statement(at.path.as_deref()?, at.line, at.column).map(|statement| statement.is_last)
    };
    let may_leave = above == 0 && (step.mode == StepMode::Out || is_last(constructor) != Some(false));
    if may_leave || stack.depth() + above >= origin.depth {
        return None;
    }
    let function = reader.modules.describe_frame(&constructor.raw_name, None).function;
    Some(format!("the rest of {function} has run: this adapter's steps do not come back to a static constructor"))
}
