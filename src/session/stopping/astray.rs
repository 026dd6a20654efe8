//! Whether a step over or out ended where one may end: in its own frame, or in a caller.
//!
//! An adapter that comes out in the middle of its caller's last statement finds no statement there to stop at, goes on, and ends in
//! whatever is called next: a method that never was on the stack (netcoredbg, seen on 2026-11-23).

use super::{Origin, Position, StepUnderWay, StopInput};
use crate::session::inspect::frames::{DEPTH, Stack};
use crate::session::inspect::stack_frame::StackFrame;
use crate::session::spec::StepMode;

/// Steps out that are made to come back; one statement may call many methods.
const TRIES: u8 = 8;

/// What a report says where none of them came back.
pub(super) const NOTE: &str = "this is not a caller of the method that the step left: the adapter found no statement to stop at in its callers, and this ran next";

/// A step that ended in a frame that is neither its own nor a caller's.
pub(super) struct Astray {
    /// A frame where it may end is below.
    has_way_back: bool,
}

impl Astray {
    /// `None` also where that is unknown.
    pub(super) fn find(question: &StopInput, step: &StepUnderWay, stack: &Stack) -> Option<Self> {
        let reader = &question.context.reader;
        let origin = step.origin.as_ref().filter(|origin| origin.here.has_line() && !origin.is_async)?;
        // one that keeps steps ends them right
        if step.mode == StepMode::In || stack.is_trace || reader.capabilities.supports_keep_step {
            return None;
        }
        let total = stack.total?;
        // a stack that is not read to its bottom has no depth
        if !reader.quirks.total_frames && total.max(origin.depth) >= DEPTH {
            return None;
        }
        let depth = |frame: &StackFrame| total.saturating_sub(frame.index);
        let is_below = |frame: &StackFrame| {
            let at_depth = match depth(frame) == origin.depth {
                true => Some(&origin.here).filter(|_| step.mode == StepMode::Over),
                false => origin.at_depth(depth(frame)),
            };
            at_depth.is_some_and(|known| known.raw_name == frame.raw_name)
        };
        let here = stack.frames.first().filter(|here| here.leads)?;
        let is_own = depth(here) == origin.depth;
        let modules = &reader.modules;
        if is_below(here) && (!is_own || origin.may_lead(&Origin::of(stack)?, modules)) {
            return None;
        }
        // a handler runs on top of what threw, and an async caller goes on wherever it likes
        let is_known = || origin.all().any(|known| known.raw_name == here.raw_name);
        let path = here.path.as_deref().unwrap_or_default();
        let is_elsewhere = || here.may_be_async() || modules.is_in_handler(path, (here.line, here.column));
        if is_known() && is_elsewhere() {
            return None;
        }
        // what the framework calls in turn is nobody's callee but its own: the next of them is the next code to see
        let is_framework = |known: &&Position| !known.has_line();
        let between = origin.callers.iter().take_while(is_framework).count();
        let caller = origin.depth.checked_sub(between + 1).filter(|depth| *depth > 0)?;
        let stays = |frame: &StackFrame| (caller + 1..origin.depth).contains(&depth(frame)) && is_below(frame);
        if stack.frames.iter().any(stays) {
            return None;
        }
        let has_way_back = stack.frames.iter().skip(1).any(|frame| frame.leads && is_below(frame));
        // the same method with none of its callers: an async one went on, whose kind is not known without metadata
        let is_resumed = !has_way_back && here.raw_name == origin.here.raw_name;
        (!is_resumed).then_some(Self { has_way_back })
    }

    /// The step out that may come back.
    pub(super) fn way_back(&self, step: &StepUnderWay) -> Option<StepUnderWay> {
        let goes = self.has_way_back && step.outward < TRIES;
        goes.then(|| StepUnderWay { outward: step.outward + 1, returning: false, ..step.clone() })
    }
}
