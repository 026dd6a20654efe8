//! Steps: over a statement, into a call, out of a method; on to the next line of the *source*, also across an `await`.
//!
//! The runtime steps over ranges of IL on one thread. What makes a step of the source of that is decided here, on the callback thread:
//! code without a line is passed, properties and operators are left again, and at an `await` that suspends the step waits where the
//! method resumes, on whichever thread.

mod awaiting;

use std::sync::Arc;

use clr_metadata::{AwaitPoint, MethodId};

use crate::breakpoints::Mark;
use crate::com::{self, Interface as _, StepRange};
use crate::frames::FrameData;
use crate::modules::Module;
use crate::stopped::{Stopped, Thread};
use crate::target::Target;
use crate::values::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Into,
    Over,
    Out,
}

/// A step under way.
pub struct Step {
    thread: u32,
    kind: Kind,
    stepper: Option<com::Stepper>,
    /// Where an `await` suspends or resumes.
    waits: Vec<Wait>,
    /// It leaves a method that steps pass over; then it goes on.
    leaving: bool,
    /// It is complete, but the runtime has more to tell first: a breakpoint at the same place has a say.
    pub arrived: bool,
}

enum Wait {
    /// The thread gets to where the method suspends itself.
    Suspend { mark: Mark, point: AwaitPoint, module: Arc<Module> },
    /// Any thread resumes the method; the handle is its state machine, where that is an object.
    Resume { mark: Mark, machine: Option<com::ReferenceValue> },
    /// The result of the method's task is taken.
    Return { mark: Mark, task: Option<com::ReferenceValue> },
}

impl Wait {
    fn mark(&self) -> &Mark {
        match self {
            Self::Suspend { mark, .. } | Self::Resume { mark, .. } | Self::Return { mark, .. } => mark,
        }
    }
}

/// What is to be done after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    GoOn,
    Stop,
}

/// Prepares a step; it begins when the program goes on.
///
/// # Errors
/// The thread has no managed code, or the runtime refused.
pub fn begin(stopped: &Stopped, thread: u32, kind: Kind) -> com::Result<()> {
    let target = stopped.target();
    cancel(target);
    let thread = stopped.thread(thread)?;
    let mut step = Step { thread: thread.id, kind, stepper: None, waits: Vec::new(), leaving: false, arrived: false };
    step.arm(target, &thread, kind)?;
    if let Ok(top) = thread.top() {
        if kind != Kind::Out {
            step.watch_await(target, top.data());
        }
        if let Some(asked) = awaiting::ask(stopped, &top)
            && let Ok(mark) = target.breakpoints().mark(&asked.module, asked.method, 0)
        {
            step.waits.push(Wait::Return { mark, task: asked.task });
        }
    }
    *target.step() = Some(step);
    Ok(())
}

/// Whatever stops the program ends the step.
pub fn cancel(target: &Target) {
    let step = target.step().take();
    if let Some(step) = step {
        step.end(target);
    }
}

/// The stepper is done.
pub fn complete(target: &Arc<Target>, thread: &com::Thread, stepper: &com::Stepper) -> Verdict {
    let mut current = target.step();
    let Some(step) = current.as_mut().filter(|step| step.stepper.as_ref().is_some_and(|own| own.is(stepper))) else {
        return Verdict::GoOn;
    };
    let stopped = Stopped::new(target.clone());
    let Ok(thread) = thread.id().and_then(|id| stopped.thread(id)) else { return Verdict::Stop };
    step.stepper = None;
    let Ok(top) = thread.top() else { return Verdict::Stop };
    let again = match step.next(target, top.data()) {
        None => return Verdict::Stop,
        Some(kind) => kind,
    };
    match step.arm(target, &thread, again) {
        Ok(()) => Verdict::GoOn,
        Err(_) => Verdict::Stop,
    }
}

/// A place was hit that may be one that the step waits for.
pub fn passed(target: &Arc<Target>, thread: &com::Thread, hit: &com::FunctionBreakpoint) {
    if let Some(step) = target.step().as_mut() {
        step.pass(target, thread, hit);
    }
}

/// A handle to the object that a method runs on; a struct has none.
fn kept(value: &Value<'_>) -> Option<com::ReferenceValue> {
    value.target().ok()??.com().cast::<com::HeapValue2>().ok()?.create_handle(1).ok()
}

fn is_same(machine: Option<&com::ReferenceValue>, this: Option<&Value<'_>>) -> bool {
    let (Some(machine), Some(this)) = (machine, this) else { return true };
    machine.dereference().and_then(|object| object.address()).ok() == this.address()
}

impl Step {
    pub fn thread(&self) -> u32 {
        self.thread
    }

    fn end(mut self, target: &Target) {
        self.settle(target);
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

    /// From here, on whichever thread this is.
    fn go_on(&mut self, target: &Target, thread: &Thread<'_>, kind: Kind) {
        self.settle(target);
        self.thread = thread.id;
        self.kind = kind;
        let _ = self.arm(target, thread, kind);
    }

    fn pass(&mut self, target: &Arc<Target>, thread: &com::Thread, hit: &com::FunctionBreakpoint) -> Option<()> {
        let at: Vec<usize> = {
            let breakpoints = target.breakpoints();
            let is_here = |wait: &Wait| breakpoints.is_at(wait.mark(), hit);
            self.waits.iter().enumerate().filter(|(_, wait)| is_here(wait)).map(|(at, _)| at).collect()
        };
        if at.is_empty() {
            return None;
        }
        let stopped = Stopped::new(target.clone());
        let thread = thread.id().and_then(|id| stopped.thread(id)).ok()?;
        let this = thread.top().and_then(|top| top.this()).ok().map(|this| stopped.value(this));
        for at in at {
            match self.waits.get(at)? {
                Wait::Suspend { point, module, .. } if thread.id == self.thread => {
                    let (point, module) = (*point, module.clone());
                    let machine = this.as_ref().and_then(kept);
                    let mark = target.breakpoints().mark(&module, point.resume_method, point.resume_offset).ok()?;
                    self.settle(target);
                    self.waits.push(Wait::Resume { mark, machine });
                    return Some(());
                }
                Wait::Resume { machine, .. } if is_same(machine.as_ref(), this.as_ref()) => {
                    self.go_on(target, &thread, Kind::Over);
                    return Some(());
                }
                Wait::Return { task, .. } if is_same(task.as_ref(), this.as_ref()) => {
                    self.go_on(target, &thread, Kind::Out);
                    return Some(());
                }
                _ => {}
            }
        }
        None
    }

    fn arm(&mut self, target: &Target, thread: &Thread<'_>, kind: Kind) -> com::Result<()> {
        let top = thread.top();
        let stepper = match &top {
            Ok(top) => top.data().il.create_stepper()?,
            // in native code: out of it
            Err(_) => thread.com.create_stepper()?,
        };
        stepper.set_intercept_mask(0)?;
        stepper.set_unmapped_stop_mask(0)?;
        if target.options.just_my_code {
            stepper.cast::<com::Stepper2>()?.set_just_my_code(true)?;
        }
        let range = top.ok().and_then(|top| range_at(top.data()));
        match (kind, range) {
            (Kind::Out, _) => stepper.step_out()?,
            (_, Some(range)) => stepper.step_range(kind == Kind::Into, &[range])?,
            (_, None) => stepper.step(kind == Kind::Into)?,
        };
        self.stepper = Some(stepper);
        Ok(())
    }

    /// The step goes on where it is now; `None`: it is where a step ends.
    fn next(&mut self, target: &Target, at: &FrameData) -> Option<Kind> {
        let again = if self.kind == Kind::Out { Kind::Over } else { self.kind };
        if self.leaving {
            self.leaving = false;
            return Some(again);
        }
        let Some(symbols) = at.module.symbols().filter(|_| !at.module.is_framework) else {
            return Some(Kind::Out);
        };
        if target.options.filter_steps && self.kind == Kind::Into && is_filtered(at) {
            self.leaving = true;
            return Some(Kind::Out);
        }
        let points = symbols.sequence_points(at.method);
        match points.iter().rfind(|point| point.il_offset <= at.offset) {
            Some(point) if !point.is_hidden => None,
            // An awaited method returns into the compiler's code of the statement that awaits: it counts as that statement's.
            Some(_) if self.kind == Kind::Out && symbols.point_at(at.method, at.offset).is_some() => None,
            // the compiler's own code within a method of the user
            Some(_) => Some(again),
            None if points.is_empty() => Some(if self.kind == Kind::Into { Kind::Into } else { Kind::Out }),
            None => Some(again),
        }
    }

    /// Marks where the nearest `await` behind this place suspends.
    fn watch_await(&mut self, target: &Target, at: &FrameData) {
        let awaits = at.module.symbols().and_then(|symbols| symbols.async_info(at.method));
        let awaits = awaits.map(|info| info.awaits).unwrap_or_default();
        let nearest =
            awaits.into_iter().filter(|point| point.yield_offset >= at.offset).min_by_key(|it| it.yield_offset);
        if let Some(point) = nearest
            && let Ok(mark) = target.breakpoints().mark(&at.module, at.method, point.yield_offset)
        {
            self.waits.push(Wait::Suspend { mark, point, module: at.module.clone() });
        }
    }
}

/// The IL of the statement at a place.
fn range_at(at: &FrameData) -> Option<StepRange> {
    let points = at.module.symbols()?.sequence_points(at.method);
    let index = points.iter().rposition(|point| point.il_offset <= at.offset)?;
    let start = points.get(index)?.il_offset;
    let end = points.get(index + 1).map_or(u32::MAX, |next| next.il_offset);
    Some(StepRange { start, end })
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
