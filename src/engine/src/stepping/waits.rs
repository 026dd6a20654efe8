//! The places at which a step waits for an async method: where it suspends, where it resumes, where its result is taken.

use std::sync::Arc;

use clr_metadata::AwaitPoint;

use super::awaiting::{Consumer, Return, is_combination};
use super::invocation::{behind_call, identity, is_same, runs_on};
use super::position;
use crate::com::{self, StepRange};
use crate::frames::{Frame, Thread};
use crate::stopped::{FrameData, Stopped};
use crate::target::{Kind, Step, Target, Wait};

/// Calls of a method by other threads and further in that a step bears, at about a millisecond each.
const BORNE: u32 = 200;

/// A place was hit that may be one that the step waits for.
pub fn passed(target: &Arc<Target>, thread: &com::Thread, hit: &com::FunctionBreakpoint) {
    if let Some(step) = target.step().as_mut() {
        step.pass(target, thread, hit);
    }
}

impl Step {
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
        if let [at] = at[..]
            && let Some(Wait::Again { stack_end, .. }) = self.waits.get(at)
        {
            let is_next = thread.id == self.thread && position(thread.top().ok()?.data())?.stack_end >= *stack_end;
            return self.is_called(target, at, is_next);
        }
        let this = thread.top().and_then(|top| top.this()).ok().map(|this| stopped.value(this));
        let own = self.within.as_ref().and_then(|within| within.machine.as_ref());
        for at in at {
            match self.waits.get(at)? {
                Wait::Suspend { point, module, .. } if thread.id == self.thread && runs_on(own, this.as_ref()) => {
                    let (point, module) = (*point, module.clone());
                    let machine = this.as_ref().and_then(identity);
                    let mark = target.breakpoints().mark(&module, point.resume_method, point.resume_offset).ok()?;
                    let method = thread.top().ok()?.data().method;
                    let behind = behind_call(&module, method, point.yield_offset).filter(|_| machine.is_none());
                    self.settle(target);
                    self.waits.push(Wait::Resume { mark, machine });
                    let behind = behind.and_then(|offset| target.breakpoints().mark(&module, method, offset).ok());
                    self.waits.extend(behind.map(|mark| Wait::Suspended { mark }));
                    return Some(());
                }
                Wait::Suspended { .. } if thread.id == self.thread => {
                    self.learn(target, this.as_ref().and_then(identity));
                    return Some(());
                }
                Wait::Resume { machine, .. } => {
                    let is_ours = match machine {
                        None if self.is_suspending() => {
                            // it is still within the call that suspends it
                            let within = self.within.as_ref()?;
                            let suspending = stopped.thread(self.thread).ok()?;
                            let machine = within.on_stack_of(&stopped, &suspending);
                            machine.is_some() && runs_on(machine.as_ref(), this.as_ref())
                        }
                        machine => runs_on(machine.as_ref(), this.as_ref()),
                    };
                    if is_ours {
                        let kind = if self.kind == Kind::Out { Kind::Out } else { Kind::Over };
                        return self.start(&stopped, &thread, kind).ok();
                    }
                }
                Wait::Element { machine, .. } if runs_on(machine.as_ref(), this.as_ref()) => {
                    self.settle(target);
                    (self.thread, self.arrived) = (thread.id, true);
                    return Some(());
                }
                Wait::Return { tasks, .. }
                    if tasks.is_empty()
                        || tasks.iter().any(|task| is_same(Some(task), this.as_ref()))
                        || tasks.len() == 1 && this.as_ref().is_some_and(is_combination) =>
                {
                    return self.start(&stopped, &thread, Kind::Out).ok();
                }
                _ => {}
            }
        }
        None
    }

    /// The method that a [`Wait::Again`] is for; `is_next`: it is the call that the step ends at.
    fn is_called(&mut self, target: &Target, at: usize, is_next: bool) -> Option<()> {
        if is_next {
            self.settle(target);
            self.arrived = true;
            return Some(());
        }
        let Wait::Again { mark, borne, .. } = self.waits.get_mut(at)? else { return None };
        *borne = borne.saturating_sub(1);
        if *borne == 0 {
            target.breakpoints().unmark(mark);
            self.waits.remove(at);
        }
        Some(())
    }

    /// Where code that nobody reads calls the method once more, the runtime takes the begin of that call for the range that it steps over
    /// if that is the method's first statement: the end of the step is waited for there.
    pub(super) fn watch_next_call(&mut self, target: &Target, thread: &Thread<'_>, range: StepRange) -> Option<()> {
        let top = thread.top().ok()?;
        let at = top.data();
        let stack_end = position(at)?.stack_end;
        // the step has come to a caller, whose statement may call the method too
        let left =
            self.waits.extract_if(.., |wait| matches!(wait, Wait::Again { stack_end: own, .. } if *own < stack_end));
        left.for_each(|wait| target.breakpoints().unmark(wait.mark()));
        let is_first = range.start == 0 && !self.waits.iter().any(|wait| matches!(wait, Wait::Again { .. }));
        let is_called_by_user =
            || thread.caller().is_ok_and(|it| it.data().module.is_users(it.data().method) && it.location().is_some());
        if !is_first || is_called_by_user() {
            return None;
        }
        let mark = target.breakpoints().mark(&at.module, at.method, 0).ok()?;
        self.waits.push(Wait::Again { mark, stack_end, borne: BORNE });
        Some(())
    }

    /// A static constructor that the step leaves may run before an async method begins, and a step out of it passes what begins that: the
    /// code of the method is waited for.
    pub(super) fn watch_begun(&mut self, target: &Target, thread: &Thread<'_>) -> Option<()> {
        let stack = thread.stack().ok()?;
        let begun = stack.iter().skip(1).map(Frame::data).find(|at| !at.module.is_framework)?;
        let symbols = begun.module.symbols()?;
        let code = symbols.move_next_of(begun.method)?;
        let start = symbols.sequence_points(code).iter().find(|point| !point.is_hidden)?.il_offset;
        let mark = target.breakpoints().mark(&begun.module, code, start).ok()?;
        self.waits.push(Wait::Again { mark, stack_end: 0, borne: BORNE });
        Some(())
    }

    fn is_suspending(&self) -> bool {
        self.waits.iter().any(|wait| matches!(wait, Wait::Suspended { .. }))
    }

    /// The method is suspended, and known by its task.
    fn learn(&mut self, target: &Target, known: Option<com::ReferenceValue>) {
        for wait in &mut self.waits {
            if let Wait::Resume { machine, .. } = wait {
                machine.clone_from(&known);
            }
        }
        self.waits.retain(|wait| {
            let is_over = matches!(wait, Wait::Suspended { .. });
            if is_over {
                target.breakpoints().unmark(wait.mark());
            }
            !is_over
        });
    }

    pub(super) fn watch_return(&mut self, target: &Target, asked: Return, is_called: bool) {
        if let Ok(mark) = target.breakpoints().mark(&asked.module, asked.method, 0) {
            self.waits.push(Wait::Return { mark, tasks: asked.tasks, is_called });
        }
    }

    pub(super) fn watch_element(&mut self, target: &Target, consumer: &Consumer) {
        for point in &consumer.awaits {
            let mark = target.breakpoints().mark(&consumer.module, point.resume_method, point.resume_offset);
            self.waits.extend(mark.map(|mark| Wait::Element { mark, machine: consumer.machine.clone() }));
        }
    }

    /// Those of the statement at a place, and the first behind it: what a statement disposes of is awaited at its end.
    pub(super) fn watch_nearest_awaits(&mut self, target: &Target, at: &FrameData) {
        let awaits = awaits(at);
        let nearest = awaits.iter().map(|it| it.yield_offset).filter(|&offset| offset >= at.offset).min();
        let points = at.module.symbols().map(|symbols| symbols.sequence_points(at.method)).unwrap_or_default();
        let visible = || points.iter().filter(|point| !point.is_hidden).map(|point| point.il_offset);
        let start = visible().rfind(|&start| start <= at.offset).unwrap_or(0);
        let end = visible().find(|&start| start > at.offset).unwrap_or(u32::MAX);
        self.watch_awaits(target, at, |offset| Some(offset) == nearest || (start..end).contains(&offset));
    }

    /// Marks where awaits of a method suspend it.
    pub(super) fn watch_awaits(&mut self, target: &Target, at: &FrameData, is_meant: impl Fn(u32) -> bool) {
        for point in awaits(at).into_iter().filter(|point| is_meant(point.yield_offset)) {
            if let Ok(mark) = target.breakpoints().mark(&at.module, at.method, point.yield_offset) {
                self.waits.push(Wait::Suspend { mark, point, module: at.module.clone() });
            }
        }
    }
}

fn awaits(at: &FrameData) -> Vec<AwaitPoint> {
    let info = at.module.symbols().and_then(|symbols| symbols.async_info(at.method));
    info.map(|info| info.awaits).unwrap_or_default()
}
