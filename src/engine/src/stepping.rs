//! Steps: over a statement, into a call, out of a method; on to the next line of the *source*, also across an `await`.
//!
//! The runtime steps over ranges of IL on one thread. What makes a step of the source of that is decided here, on the callback thread:
//! code without a line is passed, properties and operators are left again, and at an `await` that suspends the step waits where the
//! method resumes, on whichever thread.
//!
//! A step over the end of a method that the framework called ends where code with a source runs next, as in Visual Studio: a lambda of
//! `Select` is called for the next element, and the step ends at its beginning; behind the last one it ends in who called the framework.
//!
//! A step ends when it completes, or when the client resumes in another way. A stop for another reason leaves it active: a stop that
//! turns out to be none (the pass of a tracepoint) must not cost the place that the step has got to.

mod awaiting;
mod calls;
mod invocation;
mod origin;
mod returns;
mod structs;
mod waits;
mod walk;
mod watched;

use std::sync::Arc;

use clr_metadata::MethodId;
use clr_metadata::il::{Region, RegionKind};

use crate::com::{self, HResult, Interface as _, StepRange};
use crate::exceptions::compilers_handler;
use crate::frames::{Frame, Thread};
use crate::stopped::{FrameData, Stopped};
use crate::target::{Cause, Invocation, Kind, Returns, Step, Target, Wait};
use awaiting::Leaving;
pub use calls::calls_at;
pub use origin::Origin;
use origin::Position;
pub use returns::{OF_STRUCT, UNREADABLE, returned};
pub use waits::passed;

/// CorDebugIntercept: a step stops in static constructors.
const INTERCEPT_CLASS_INIT: u32 = 1;

/// What is to be done after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    GoOn,
    Stop,
}

/// Prepares a step; it begins when the program goes on. A step into may be `only` for the call at that IL offset.
///
/// # Errors
/// The thread has no managed code, there is no such call, or the runtime refused.
pub fn begin(stopped: &Stopped, thread: u32, kind: Kind, only: Option<u32>) -> com::Result<()> {
    let target = stopped.target();
    cancel(target);
    let thread = stopped.thread(thread)?;
    let into = match only {
        Some(offset) => Some(calls::into(target, thread.top()?.data(), offset).ok_or(HResult::INVALID_ARGUMENT)?),
        None => None,
    };
    let behind = stopped.returned.last().and_then(|returned| returned.behind);
    let mut step = Step {
        thread: thread.id,
        kind,
        stepper: None,
        waits: Vec::new(),
        within: None,
        origin: thread.top().ok().and_then(|top| position(top.data()).map(Origin::of)),
        into,
        leaving: false,
        unsourced: false,
        arrived: false,
        walked: 0,
        returns: Returns { behind, ..Returns::default() },
    };
    step.start(stopped, &thread, kind)?;
    if kind == Kind::Out && step.within.is_some() && step.waits.is_empty() && !has_user_caller(&thread) {
        // its thread would go on with what has nothing to do with it
        step.end(target);
        return Err(HResult(0x8000_4005));
    }
    *target.step() = Some(step);
    Ok(())
}

/// There is no step any more.
pub fn cancel(target: &Target) {
    let step = target.step().take();
    if let Some(step) = step {
        step.end(target);
    }
}

/// What is to be reported before the program continues, once the runtime has reported everything.
pub fn next_stop(target: &Target) -> Option<(u32, Cause)> {
    if target.has_more_to_report() {
        return None;
    }
    target.next_held().or_else(|| {
        let thread = target.step().as_ref().filter(|step| step.arrived)?.thread;
        ends_at(target, thread).then_some((thread, Cause::Step(Vec::new())))
    })
}

/// Whether a hit waits for the runtime to report also that a step is complete there, which it does right after.
pub fn may_end_at(target: &Target, thread: u32) -> bool {
    target.step().as_ref().is_some_and(|step| step.thread == thread && !step.arrived) && target.has_more_to_report()
}

/// Whether a step on that thread is complete; it is over then.
pub fn ends_at(target: &Target, thread: u32) -> bool {
    let ends = target.step().as_ref().is_some_and(|step| step.arrived && step.thread == thread);
    if ends {
        if let Some(step) = target.step().as_mut() {
            let (found, is_cut) = step.returns.finish();
            target.set_returned(found, is_cut);
        }
        cancel(target);
    }
    ends
}

/// The stepper is done.
pub fn complete(target: &Arc<Target>, thread: &com::Thread, stepper: &com::Stepper) -> Verdict {
    let mut current = target.step();
    let Some(step) = current.as_mut().filter(|step| step.stepper.as_ref().is_some_and(|own| own.is(stepper))) else {
        return Verdict::GoOn;
    };
    step.stepper = None;
    let stopped = Stopped::new(target.clone());
    let is_on_its_way = thread.id().and_then(|id| stopped.thread(id)).is_ok_and(|thread| match thread.top() {
        // whoever takes the method's result goes on, not what its thread does next
        Ok(_) if step.has_left(&stopped, &thread) => true,
        Ok(top) if step.is_passed_on(&stopped, &top) => step.start(&stopped, &thread, step.again()).is_ok(),
        Ok(top) => step.next(target, top.data()).is_some_and(|kind| {
            let is_armed = step.arm(target, &thread, kind).is_ok();
            if step.leaving && top.data().is_static_constructor() {
                step.watch_begun(target, &thread);
            }
            is_armed
        }),
        Err(_) => false,
    });
    step.arrived = !is_on_its_way;
    if is_on_its_way { Verdict::GoOn } else { Verdict::Stop }
}

/// Whether a frame further out on the stack is code of the user.
fn has_user_caller(thread: &Thread<'_>) -> bool {
    thread.stack().is_ok_and(|stack| stack.iter().skip(1).any(|frame| frame.location().is_some()))
}

impl Step {
    fn end(mut self, target: &Target) {
        self.settle(target);
        self.returns.disarm();
    }

    /// Neither steps nor waits any more.
    fn settle(&mut self, target: &Target) {
        if let Some(stepper) = self.stepper.take() {
            let _ = stepper.deactivate();
        }
        for wait in self.waits.drain(..) {
            target.breakpoints().unmark(wait.mark());
        }
    }

    /// From where the thread is.
    fn start(&mut self, stopped: &Stopped, thread: &Thread<'_>, kind: Kind) -> com::Result<()> {
        let target = stopped.target();
        self.settle(target);
        (self.thread, self.kind, self.within) = (thread.id, kind, None);
        let Ok(top) = thread.top() else { return self.arm(target, thread, kind) };
        self.within = Invocation::of(stopped, &top);
        let leaving = self.within.as_ref().map(|_| awaiting::ask(stopped, thread, &top));
        if let Some(Leaving::Returns(asked)) = leaving {
            self.watch_return(target, asked, false);
            if kind == Kind::Out {
                return Ok(());
            }
        } else if let Some(Leaving::HandsOver(asked)) = leaving {
            self.watch_return(target, asked, true);
        } else if let Some(Leaving::Resumes(consumer)) = leaving {
            self.watch_element(target, &consumer);
            if kind == Kind::Out {
                return Ok(());
            }
        } else if let (Some(Leaving::NotYet), Kind::Out) = (leaving, kind)
            && !has_user_caller(thread)
        {
            // it goes on in other threads' hands; its own thread would only lead into what it calls
            self.watch_awaits(target, top.data(), |_| true);
            return Ok(());
        }
        if kind != Kind::Out {
            self.watch_nearest_awaits(target, top.data());
        }
        self.arm(target, thread, kind)
    }

    /// Whether the async method whose result is waited for is left.
    fn has_left(&mut self, stopped: &Stopped, thread: &Thread<'_>) -> bool {
        let (Some(within), true) = (&self.within, self.waits.iter().any(Wait::is_for_return)) else { return false };
        let is_here = |frame: &Frame<'_>| within.is_at(stopped, frame);
        if thread.top().is_ok_and(|top| is_here(&top)) || thread.stack().is_ok_and(|stack| stack.iter().any(is_here)) {
            return false;
        }
        let mut handed_over = self.waits.iter().filter_map(Wait::iterator);
        if handed_over.any(|iterator| awaiting::has_handed_over(stopped, iterator)) {
            // its caller has it: nobody waits
            self.settle(stopped.target());
            return false;
        }
        true
    }

    fn arm(&mut self, target: &Target, thread: &Thread<'_>, kind: Kind) -> com::Result<()> {
        let top = thread.top();
        let stepper = match &top {
            Ok(top) => top.data().il.create_stepper()?,
            // in native code: out of it
            Err(_) => thread.com.create_stepper()?,
        };
        // without it, a step is sent out of all that a static constructor runs
        stepper.set_intercept_mask(INTERCEPT_CLASS_INIT)?;
        stepper.set_unmapped_stop_mask(0)?;
        stepper.cast::<com::Stepper2>()?.set_just_my_code(true)?;
        let range = top.as_ref().ok().and_then(|top| range_at(top.data()));
        let has_begun = self.walked > 0;
        match (kind, range) {
            (Kind::Out, _) => stepper.step_out()?,
            _ if self.walks(thread, kind) => {
                stepper.step(true)?;
                self.stepper = Some(stepper);
                if !has_begun {
                    self.watch_returns(target, thread, kind, range);
                }
                return Ok(());
            }
            (_, Some(range)) => stepper.step_range(kind == Kind::Into, &[part_of(thread, range)])?,
            (_, None) => stepper.step(kind == Kind::Into)?,
        };
        self.stepper = Some(stepper);
        self.watch_returns(target, thread, kind, range);
        if let (Some(range), true) = (range, kind != Kind::Out) {
            self.watch_next_call(target, thread, range);
        }
        Ok(())
    }

    /// Whether an exception that left what the step was in has come to a handler of the compiler's in another async method. The step
    /// goes on with that method, which the exception may leave too: no line of it need follow.
    fn is_passed_on(&self, stopped: &Stopped, top: &Frame<'_>) -> bool {
        let at = top.data();
        handler_of_compiler(at).is_some_and(|handler| handler.handler_start == at.offset)
            && self.within.as_ref().is_none_or(|within| !within.is_at(stopped, top))
    }

    /// How it goes on in a method that is no end of it.
    fn again(&self) -> Kind {
        if self.kind == Kind::Out { Kind::Over } else { self.kind }
    }

    /// The step goes on where it is now; `None`: it is where a step ends.
    fn next(&mut self, target: &Target, at: &FrameData) -> Option<Kind> {
        let again = self.again();
        if self.leaving {
            self.leaving = false;
            return Some(again);
        }
        let Some(symbols) = at.module.symbols().filter(|_| !at.module.is_framework) else {
            return Some(Kind::Out);
        };
        let points = symbols.sequence_points(at.method);
        // what has no line is passed anyway, on the way to what was called
        let leaves = match self.into.as_mut().filter(|_| !points.is_empty()) {
            Some(into) => into.leaves(at),
            None => {
                let is_asked = target.options.filter_steps && is_filtered(at);
                // but not over one that the step began in or returned to
                let is_passed = is_asked || at.is_static_constructor();
                self.kind == Kind::Into
                    && is_passed
                    && !self.is_at_origin(at, |origin, at| origin.is_around(at) || origin.has_caller_at(at))
            }
        };
        if leaves {
            self.leaving = true;
            return Some(Kind::Out);
        }
        let is_back = std::mem::take(&mut self.unsourced) && !points.iter().any(|point| point.il_offset == at.offset);
        if is_back && !points.is_empty() {
            // in the midst of the statement that called it
            return Some(again);
        }
        if self.kind != Kind::Out && self.is_at_origin(at, Origin::goes_on_at) {
            return Some(again);
        }
        self.unsourced = points.is_empty() && self.kind == Kind::Into;
        match points.iter().rfind(|point| point.il_offset <= at.offset) {
            Some(point) if !point.is_hidden => None,
            // An awaited method returns into the compiler's code of the statement that awaits: it counts as that statement's.
            Some(_)
                if self.kind == Kind::Out
                    && handler_of_compiler(at).is_none()
                    && symbols.point_at(at.method, at.offset).is_some() =>
            {
                None
            }
            // the compiler's own code within a method of the user
            Some(_) => Some(again),
            None if points.is_empty() => Some(if self.kind == Kind::Into { Kind::Into } else { Kind::Out }),
            None => Some(again),
        }
    }

    fn is_at_origin(&self, at: &FrameData, is_there: fn(&Origin, Position<'_>) -> bool) -> bool {
        self.origin.as_ref().zip(position(at)).is_some_and(|(origin, at)| is_there(origin, at))
    }
}

/// The `catch` around a place in an async method, if the compiler wrote it.
fn handler_of_compiler(at: &FrameData) -> Option<Region> {
    let handler = compilers_handler(&at.module, at.method, at.offset);
    handler.filter(|handler| matches!(handler.kind, RegionKind::Catch(_)))
}

fn position(at: &FrameData) -> Option<Position<'_>> {
    let stack_end = at.il.cast::<com::NativeFrame>().and_then(|frame| frame.stack_end()).ok()?;
    Some(Position { module: &at.module, method: at.method, offset: at.offset, is_exact: at.is_exact, stack_end })
}

/// The IL of the statement at a place.
fn range_at(at: &FrameData) -> Option<StepRange> {
    let points = at.module.symbols()?.sequence_points(at.method);
    let index = points.iter().rposition(|point| point.il_offset <= at.offset)?;
    let start = points.get(index)?.il_offset;
    let end = points.get(index + 1).map_or(u32::MAX, |next| next.il_offset);
    Some(StepRange { start, end })
}

/// What is stepped over at once of a statement. The runtime takes the begin of whatever method is called next, such as the next handler
/// of an event, for the range that it steps over if that is the begin of a method: so what returns is a range of its own.
fn part_of(thread: &Thread<'_>, statement: StepRange) -> StepRange {
    let part = || {
        let top = thread.top().ok()?;
        let at = top.data();
        let end = watched::end_of_void(at, statement).filter(|_| statement.start == 0)?;
        let (start, end) = if at.offset < end { (statement.start, end) } else { (end, statement.end) };
        Some(StepRange { start, end })
    };
    part().unwrap_or(statement)
}

/// Properties and operators.
fn is_filtered(at: &FrameData) -> bool {
    const SPECIAL_NAME: u32 = 0x800;
    let Some(assembly) = at.module.assembly() else { return false };
    let method: MethodId = at.method;
    let view = assembly.method(method);
    let name = view.name();
    let is_named = ["get_", "set_", "op_"].iter().any(|prefix| name.starts_with(prefix));
    view.flags() & SPECIAL_NAME != 0 && is_named
}
