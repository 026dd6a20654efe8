//! What becomes of each callback: cheap decisions are made right here, on the runtime's thread, with the program standing still;
//! only real stops go to the thread that answers requests.

mod hits;
mod passing;

use std::sync::Arc;

pub use hits::{Decision, settle};

use crate::breakpoints::{is_breakpoint, renew};
use crate::com::callback::{Event, Handler};
use crate::com::{self, ExceptionStage, Interface as _};
use crate::exceptions::{self, Caught, Site, Thrown};
use crate::modules::Module;
use crate::stepping::{self, Verdict};
use crate::stopped::{FrameData, Stopped};
use crate::target::{Cause, Fired, Left, Notice, Target};

pub struct Callbacks(pub Arc<Target>);

impl Handler for Callbacks {
    fn on(&self, event: Event) {
        let _undisturbed = self.0.undisturbed();
        // it may have waited for the end of the debugging
        if !self.0.is_finished() && self.decide(event) == Verdict::GoOn && !self.arrives() {
            self.0.go_on();
        }
    }
}

impl Callbacks {
    fn decide(&self, event: Event) -> Verdict {
        let target = &self.0;
        if target.is_let_go() && !matches!(event, Event::ExitProcess | Event::Error(_)) {
            return Verdict::GoOn;
        }
        if let Event::Breakpoint(thread, hit) = &event
            && self.is_alone_at_operand(thread) == Ok(true)
            && let Err(error) = renew(hit)
        {
            target.notify(Notice::Said { text: format!("A breakpoint was lost: {error}.\n"), is_error: true });
        }
        match event {
            Event::CreateProcess(process) => target.set_process(process),
            Event::LoadModule(module) => self.load(module),
            Event::UnloadModule(module) => {
                if let Some(module) = target.modules.remove(&module) {
                    let changed = target.breakpoints().unbind(module.id);
                    target.notify(Notice::ModuleUnloaded(module));
                    changed.into_iter().for_each(|id| target.notify(Notice::BreakpointChanged(id)));
                }
            }
            Event::CreateThread(thread) => {
                if let Ok(id) = thread.id() {
                    target.notify(Notice::ThreadStarted(id));
                }
            }
            Event::ExitThread(thread) => {
                if let Ok(id) = thread.id() {
                    target.notify(Notice::ThreadExited(id));
                }
            }
            Event::Breakpoint(thread, hit) if !target.is_calling_on(&thread) => return self.hit(&thread, &hit),
            Event::Step(thread, stepper, _reason) => return self.stepped(&thread, &stepper),
            Event::Break(thread) if !target.is_calling_on(&thread) => return self.broken(&thread),
            Event::Exception(thread, frame, offset, stage) if !target.is_calling_on(&thread) => {
                self.count(&thread, frame.as_ref(), offset, stage);
                return self.thrown(&thread, (frame.as_ref(), offset), stage);
            }
            Event::EvalComplete(eval) => {
                target.notify(Notice::CallEnded { eval, threw: false });
                return Verdict::Stop;
            }
            Event::EvalException(eval) => {
                target.notify(Notice::CallEnded { eval, threw: true });
                return Verdict::Stop;
            }
            Event::ExitProcess => {
                target.notify(Notice::Exited);
                return Verdict::Stop;
            }
            Event::Error(error) => {
                target.notify(Notice::Failed(error));
                return Verdict::Stop;
            }
            Event::Log(message) => target.notify(Notice::Logged(message)),
            Event::Breakpoint(..) | Event::Break(_) | Event::Exception(..) | Event::Other => {}
        }
        Verdict::GoOn
    }

    /// Whether a breakpoint that a thread has hit is to be set again: no other thread stands at a breakpoint, which may be the same one in
    /// the code of other type arguments.
    fn is_alone_at_operand(&self, thread: &com::Thread) -> com::Result<bool> {
        let (id, process) = (thread.id()?, self.0.process()?);
        let address = process.registers(id)?.instruction_pointer;
        if !self.0.breakpoints().operands.may_be_relative(self.0.pid, address) {
            return Ok(false);
        }
        let stands_at_one = |other: &com::Thread| {
            let other = other.id().ok().filter(|other| *other != id);
            let at = other.and_then(|other| process.registers(other).ok());
            at.is_some_and(|at| is_breakpoint(self.0.pid, at.instruction_pointer))
        };
        Ok(!process.threads()?.rest::<com::Thread>().iter().any(stands_at_one))
    }

    /// `Debugger.Break()`; at a statement that the client has just seen it goes on.
    fn broken(&self, thread: &com::Thread) -> Verdict {
        let stopped = Stopped::new(self.0.clone());
        let place = thread.id().and_then(|id| stopped.thread(id)).ok().and_then(|thread| Left::below(&thread));
        match place.is_some_and(|place| self.0.takes_left(&place)) {
            true => Verdict::GoOn,
            false => self.stop(thread, Cause::Break),
        }
    }

    /// A step under way outlives it: how the client goes on from here decides.
    fn stop(&self, thread: &com::Thread, cause: Cause) -> Verdict {
        let Ok(id) = thread.id() else { return Verdict::GoOn };
        let is_hit = matches!(cause, Cause::Breakpoint(_) | Cause::Undecided { .. });
        if self.0.is_calling() || is_hit && stepping::may_end_at(&self.0, id) {
            if self.0.is_calling() {
                let _ = thread.set_debug_state(1);
            }
            self.0.hold(id, cause);
            return Verdict::GoOn;
        }
        self.0.notify(Notice::Stopped { thread: id, cause });
        Verdict::Stop
    }

    /// A module's code can be changed only now, before any of it is compiled.
    fn load(&self, module: com::Module) {
        let target = &self.0;
        let module = target.modules.add(module, &target.options.not_mine);
        let is_user = module.is_user();
        // steps end in the code that is mine to the runtime: with justMyCode off, in all that has a source
        let is_stepped = if target.options.just_my_code { is_user } else { module.has_source() };
        if let Ok(settings) = module.com.cast::<com::Module2>() {
            if is_user {
                // refused for what was loaded before an attach
                let _ = settings.set_jit_flags(com::JIT_DISABLE_OPTIMIZATION);
            }
            let _ = settings.set_my_code(is_stepped);
        }
        if is_stepped {
            passing::pass_over(&module, &target.options);
        }
        target.notify(Notice::ModuleLoaded(module.clone()));
        if target.options.stop_at_entry && is_user {
            self.mark_entry(&module);
        }
        let changed = target.breakpoints().bind(&module, &target.modules);
        changed.into_iter().for_each(|id| target.notify(Notice::BreakpointChanged(id)));
    }

    fn mark_entry(&self, module: &Arc<Module>) {
        let mut breakpoints = self.0.breakpoints();
        if breakpoints.entry.is_some() {
            return;
        }
        let Some(assembly) = module.assembly() else { return };
        let Some(entry) = assembly.entry_point() else { return };
        let code = assembly.method(entry).code_method();
        let points = module.symbols().map(|symbols| symbols.sequence_points(code)).unwrap_or_default();
        let offset = points.iter().find(|point| !point.is_hidden).map_or(0, |point| point.il_offset);
        breakpoints.entry = breakpoints.mark(module, code, offset).ok();
    }

    fn hit(&self, thread: &com::Thread, hit: &com::FunctionBreakpoint) -> Verdict {
        let target = &self.0;
        if stepping::returned(target, thread, hit) {
            return Verdict::GoOn;
        }
        stepping::passed(target, thread, hit);
        let (ids, is_entry) = {
            let mut breakpoints = target.breakpoints();
            let is_entry = breakpoints.entry.clone().is_some_and(|mark| breakpoints.is_at(&mark, hit));
            if is_entry && let Some(mark) = breakpoints.entry.take() {
                breakpoints.unmark(&mark);
            }
            (breakpoints.at(hit), is_entry)
        };
        let (mut fired, mut open) = (Vec::new(), Vec::new());
        if !ids.is_empty() {
            let mut stopped = Stopped::new(target.clone());
            let thread = thread.id().unwrap_or(0);
            for id in ids {
                match settle(&mut stopped, thread, id, None) {
                    Decision::Stop(counted) => fired.push(Fired { id, counted }),
                    Decision::Pass => {}
                    Decision::NeedsCall => open.push(id),
                }
            }
        }
        match (fired.is_empty(), open.is_empty()) {
            (_, true) if is_entry => self.stop(thread, Cause::Entry(fired)),
            (true, true) => Verdict::GoOn,
            (false, true) => self.stop(thread, Cause::Breakpoint(fired)),
            (_, false) => self.stop(thread, Cause::Undecided { fired, open, is_entry }),
        }
    }

    fn stepped(&self, thread: &com::Thread, stepper: &com::Stepper) -> Verdict {
        // its exit is reported when the runtime has reported everything, and no call is under way
        if stepping::complete(&self.0, thread, stepper) == Verdict::Stop && self.0.is_calling() {
            let _ = thread.set_debug_state(1);
        }
        Verdict::GoOn
    }

    /// What waited for the runtime to report everything about this moment stops now: the end of a step, a hit where one may end.
    fn arrives(&self) -> bool {
        if self.0.is_calling() || self.0.is_let_go() {
            return false;
        }
        let Some((thread, cause)) = stepping::next_stop(&self.0) else { return false };
        self.0.notify(Notice::Stopped { thread, cause });
        true
    }

    /// Whether or not anything stops for it.
    fn count(&self, thread: &com::Thread, frame: Option<&com::Frame>, offset: u32, stage: ExceptionStage) {
        let target = &self.0;
        let Ok(id) = thread.id() else { return };
        let site = || {
            let function = frame?.cast::<com::ILFrame>().ok()?.function().ok()?;
            let module = target.modules.of(&function.module().ok()?)?;
            let native = frame?.cast::<com::NativeFrame>().ok();
            let at_call = native.and_then(|native| target.throws().offset_in(target.pid, &native));
            let offset = at_call.unwrap_or(offset);
            Some(Site { module: module.id, method: function.token().ok()?, offset })
        };
        match stage {
            ExceptionStage::FirstChance => {
                let read = target.exception_types().read(&Stopped::new(target.clone()), thread);
                let (type_name, message) = read.unwrap_or_else(|| ("?".into(), None));
                let site = site();
                target.throws().begin(id, type_name, message, site);
            }
            ExceptionStage::UserFirstChance => {
                let site = site();
                target.throws().reach_user(id, site);
            }
            ExceptionStage::HandlerFound => {
                let catcher = exceptions::catcher(&Stopped::new(target.clone()), id, frame, offset);
                let site = |at: FrameData| Site { module: at.module.id, method: at.method.token().0, offset };
                target.throws().end(id, catcher.map(site).map_or(Caught::Elsewhere, Caught::At));
            }
            ExceptionStage::Unhandled => target.throws().end(id, Caught::Unhandled),
        }
    }

    fn thrown(&self, thread: &com::Thread, at: (Option<&com::Frame>, u32), stage: ExceptionStage) -> Verdict {
        let target = &self.0;
        let Ok(id) = thread.id() else { return Verdict::GoOn };
        if stage == ExceptionStage::UserFirstChance && !target.options.just_my_code {
            // no code is the user's more than other
            return Verdict::GoOn;
        }
        let mut filters = target.filters();
        if filters.is_idle() && stage != ExceptionStage::Unhandled {
            return Verdict::GoOn;
        }
        let stopped = Stopped::new(target.clone());
        let thrower = stopped.thread(id).ok();
        let exception = thrower.as_ref().and_then(|thread| thread.exception());
        let thrown = Thrown::new(exception.as_ref());
        let is_caught = || exceptions::is_caught_by_user(&stopped, id, at);
        if !filters.stop(id, stage, &thrown, is_caught, || exceptions::leaves_initializer(&stopped, id)) {
            return Verdict::GoOn;
        }
        // where it stops already then, nobody of the user's catches it
        let stage = if stage == ExceptionStage::UserFirstChance { ExceptionStage::HandlerFound } else { stage };
        // after an `await` it is rethrown: it is reported only once
        let is_known = stage == ExceptionStage::HandlerFound
            && thrown.object().is_some_and(|object| {
                let handle = || object.com().cast::<com::HeapValue2>().and_then(|it| it.create_handle(com::WEAK)).ok();
                object.address().is_some_and(|address| filters.reports_again(address, handle))
            });
        drop(filters);
        if is_known {
            return Verdict::GoOn;
        }
        self.stop(thread, Cause::Exception(stage))
    }
}
