//! Whether a step that ended on the line of a breakpoint passed its instruction.
//!
//! Where a step ends on the very instruction of a breakpoint, both adapters report the step alone and drop the hit (netcoredbg,
//! stepper_simple.cpp, `stepForcedIgnoreBP`; dncdbg has the same code), so such a hit is counted here. But a step also ends on later
//! statements of that line, and in the middle of the statement where a callee returned or an await resumed: those pass nothing.
//! Frames have no IL offset in DAP; the position of the statement and the path of the step show it.

use crate::session::inspect::frames::Stack;
use crate::session::inspect::stack_frame::StackFrame;
use crate::session::inspect::{Invocation, Reader};
use crate::session::modules::{Modules, Statement};
use crate::session::spec::StepMode;

/// The statement that a frame is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    pub raw_name: String,
    pub path: Option<String>,
    pub line: u32,
    /// 0 where the adapter does not say it.
    pub column: u32,
}

impl Position {
    pub(crate) fn of(frame: &StackFrame) -> Self {
        Self { raw_name: frame.raw_name.clone(), path: frame.path.clone(), line: frame.line, column: frame.column }
    }

    /// It is code with symbols.
    pub(crate) fn has_line(&self) -> bool {
        self.path.is_some() && self.line > 0
    }
}

/// Where a step began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Frames from the bottom of the stack up to this one.
    pub depth: usize,
    pub here: Position,
    /// Nearest first.
    pub callers: Vec<Position>,
    /// Its method may be `async`, whether its invocation can be identified or not.
    pub is_async: bool,
    /// Of an `async` method.
    pub invocation: Option<Invocation>,
    /// It is in the middle of its statement, behind a call.
    pub is_behind_call: bool,
}

impl Origin {
    pub(crate) fn of(stack: &Stack) -> Option<Self> {
        let is_async = stack.frames.first()?.may_be_async();
        let mut frames = stack.frames.iter().map(Position::of);
        let here = frames.next()?;
        let callers = frames.collect();
        Some(Self { depth: stack.depth(), here, is_async, invocation: None, is_behind_call: false, callers })
    }

    /// The top of the stack, with what distinguishes its invocation from others.
    pub(crate) async fn read(reader: &Reader, stack: &Stack) -> Option<Self> {
        let origin = Self::of(stack)?;
        Some(Self { invocation: Invocation::of(reader, stack.frames.first()?).await, ..origin })
    }

    /// Whether a step from here to there came back to a caller, in the middle of the statement that called.
    pub(super) fn returns_to(&self, to: &Self) -> bool {
        self.at_depth(to.depth).is_some_and(|caller| *caller == to.here)
    }

    /// Whether a step from here to there may have stayed in the frame.
    pub(super) fn may_lead(&self, to: &Self, modules: &Modules) -> bool {
        let (from, here) = (&self.here, &to.here);
        let path = from.path.as_deref().unwrap_or_default();
        let leads = modules.may_lead(path, (from.line, from.column), (here.line, here.column));
        self.depth == to.depth && from.raw_name == here.raw_name && leads
    }

    /// Itself and its callers.
    pub(super) fn all(&self) -> impl Iterator<Item = &Position> {
        std::iter::once(&self.here).chain(&self.callers)
    }

    /// The caller that had this depth.
    pub(super) fn at_depth(&self, depth: usize) -> Option<&Position> {
        let above = self.depth.checked_sub(depth)?.checked_sub(1)?;
        self.callers.get(above)
    }
}

/// A step that ended.
pub(crate) struct Landing<'a> {
    pub mode: StepMode,
    pub origin: Option<&'a Origin>,
    /// Of the origin; `None`: no symbols.
    pub left: Option<Statement>,
    pub depth: usize,
    pub here: &'a Position,
    pub at: Option<Statement>,
    /// It is in the state machine of an async method.
    pub is_async: bool,
}

impl Landing<'_> {
    /// Whether it is at the instruction of a breakpoint on its line.
    pub(crate) fn is_pass(&self) -> bool {
        self.at.is_none_or(|at| at.takes_breakpoints) && self.is_at_start()
    }

    /// Whether it is at the first instruction of its method: where a breakpoint on the method is.
    pub(crate) fn is_entry(&self) -> bool {
        self.at.is_none_or(|at| at.is_first) && !self.is_same_frame() && self.is_at_start()
    }

    /// At the start of a statement, and not in the middle of one.
    fn is_at_start(&self) -> bool {
        let Some(origin) = self.origin else { return self.mode != StepMode::Out };
        if self.is_same_frame() {
            // without symbols: another statement of the line where it began looks the same as that one
            return self.at.is_some() || origin.here.line != self.here.line;
        }
        if let Some(caller) = origin.at_depth(self.depth).filter(|caller| caller.raw_name == self.here.raw_name) {
            // the statement of the call is resumed behind it; any other, a handler, is begun
            return (caller.line, caller.column) != (self.here.line, self.here.column);
        }
        if self.is_async && self.mode != StepMode::Out && origin.here.raw_name == self.here.raw_name && !self.has_left()
        {
            // over an await of its own, to the next statement
            return (origin.here.line, origin.here.column) != (self.here.line, self.here.column);
        }
        // another method is entered at its first statement; an async one is also resumed after an await, which no call does
        match self.at {
            Some(at) => at.is_first && (self.mode == StepMode::In || !self.is_async),
            None => self.mode == StepMode::In && !self.is_async,
        }
    }

    fn is_same_frame(&self) -> bool {
        let same = |origin: &Origin| origin.depth == self.depth && origin.here.raw_name == self.here.raw_name;
        self.mode != StepMode::Out && self.origin.is_some_and(same) && !self.has_left()
    }

    /// It began at the end of its method.
    fn has_left(&self) -> bool {
        self.left.is_some_and(|left| left.is_last) && !self.at.is_some_and(|at| at.is_last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(raw_name: &str, line: u32, column: u32) -> Position {
        Position { raw_name: raw_name.into(), path: Some("/a.cs".into()), line, column }
    }

    /// `Callee` at line 20, called by `Main` at 10:9.
    fn in_callee(depth: usize) -> Origin {
        Origin {
            depth,
            here: position("Callee", 20, 5),
            callers: vec![position("Main", 10, 9), position("Top", 1, 1)],
            is_async: false,
            invocation: None,
            is_behind_call: false,
        }
    }

    const PLAIN: Statement = Statement { takes_breakpoints: true, is_first: false, is_last: false };
    const LATER: Statement = Statement { takes_breakpoints: false, ..PLAIN };
    const FIRST: Statement = Statement { is_first: true, ..PLAIN };
    const LAST: Statement = Statement { is_last: true, ..PLAIN };

    fn passes(mode: StepMode, left: Statement, depth: usize, here: &Position, at: Statement, is_async: bool) -> bool {
        let origin = in_callee(3);
        Landing { mode, origin: Some(&origin), left: Some(left), depth, here, at: Some(at), is_async }.is_pass()
    }

    #[test]
    fn only_the_statement_that_has_the_breakpoint_is_passed() {
        use StepMode::{In, Out, Over};
        let same = position("Callee", 20, 5);
        assert!(passes(Over, PLAIN, 3, &same, PLAIN, false), "a loop came round");
        assert!(!passes(Over, PLAIN, 3, &same, LATER, false), "another statement of the line");
        assert!(!passes(In, PLAIN, 3, &same, LATER, false));
        let call = position("Main", 10, 9);
        assert!(!passes(Over, LAST, 2, &call, PLAIN, false), "back in the middle of the call's statement");
        assert!(!passes(Out, PLAIN, 2, &call, PLAIN, false));
        assert!(passes(Over, PLAIN, 2, &position("Main", 14, 9), PLAIN, false), "a handler of the caller");
        let other = position("Other", 30, 5);
        assert!(passes(In, PLAIN, 4, &other, FIRST, false), "called");
        assert!(passes(In, PLAIN, 4, &other, FIRST, true));
        assert!(!passes(In, LAST, 4, &other, PLAIN, true), "an await resumed");
        assert!(!passes(Out, PLAIN, 9, &other, PLAIN, true));
        assert!(!passes(Over, LAST, 9, &other, FIRST, true), "`=> await F()` resumed");
        assert!(passes(Over, LAST, 4, &other, FIRST, false), "the framework calls the next one");
        assert!(!passes(Over, LAST, 3, &same, PLAIN, true), "the awaiting call of an async recursion");
        let next = position("Callee", 21, 5);
        assert!(passes(Over, PLAIN, 9, &next, PLAIN, true), "over an await, on another thread");
        assert!(!passes(Over, PLAIN, 9, &same, PLAIN, true), "an await that resumes in the middle of its statement");
        assert!(!passes(Out, PLAIN, 9, &next, PLAIN, true));
    }

    #[test]
    fn a_function_is_entered_at_its_first_statement_only() {
        let origin = in_callee(3);
        let enters = |mode, depth, name, at| {
            let here = position(name, 30, 5);
            Landing {
                mode,
                origin: Some(&origin),
                left: Some(PLAIN),
                depth,
                here: &here,
                at: Some(at),
                is_async: false,
            }
            .is_entry()
        };
        assert!(enters(StepMode::In, 4, "Other", FIRST));
        assert!(!enters(StepMode::In, 4, "Other", PLAIN));
        assert!(!enters(StepMode::Over, 3, "Callee", FIRST), "a loop at the top of a method enters nothing");
    }

    #[test]
    fn without_symbols_a_step_within_the_line_passes_nothing() {
        let origin = in_callee(3);
        let landing = |mode, line, name, depth| {
            let here = position(name, line, 0);
            Landing { mode, origin: Some(&origin), left: None, depth, here: &here, at: None, is_async: false }.is_pass()
        };
        assert!(!landing(StepMode::Over, 20, "Callee", 3));
        assert!(landing(StepMode::Over, 21, "Callee", 3));
        assert!(landing(StepMode::In, 30, "Other", 4));
        assert!(!landing(StepMode::Over, 30, "Other", 4));
    }
}
