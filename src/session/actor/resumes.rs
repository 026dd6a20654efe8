//! Resuming the program: continue, step, run to; and the adapter's answers.

use super::Actor;
use super::done::{Done, ResumedFrom};
use super::input_wait::InputWait;
use super::waits::{DEFAULT, Published, WaitKind, Waiter};
use crate::dap::{self, DapError, request};
use crate::session::breakpoints::place::Surroundings;
use crate::session::breakpoints::{Role, Stepping};
use crate::session::command::Waiting;
use crate::session::error::{Code, SessionError};
use crate::session::ids::{StateName, ThreadId};
use crate::session::spec::{BreakpointSpec, Place, Purpose, Resume, StepMode, WaitFor};
use crate::session::state::{Input, State};
use crate::session::stopped::Stopped;
use crate::session::stopping::{Position, StepUnderWay};
use crate::session::view::Event;

/// Where an `async` method that no adapter steps out of comes back to.
const AWAITED: &str = "debug_run_to a line of the method that awaits it: after the `await`, or in the body of its `await foreach`; code_find_usages finds it";

impl Actor {
    pub(super) fn resume(&mut self, what: Resume, waiting: Waiting) {
        let kind = match what {
            Resume::Continue => WaitKind::Continue,
            Resume::Step { .. } => WaitKind::Step,
            Resume::RunTo { .. } => WaitKind::RunTo,
        };
        let tool = match kind {
            WaitKind::Step => "debug_step",
            WaitKind::RunTo => "debug_run_to",
            _ => "debug_continue",
        };
        match self.machine.state() {
            State::Ended(_) => return drop(waiting.answer.send(Err(self.not_stopped(tool)))),
            State::Running { .. } | State::Starting { .. } if kind == WaitKind::Continue => {
                return self.wait(WaitFor::default(), waiting, kind);
            }
            State::Running { .. } | State::Starting { .. } => {
                return drop(waiting.answer.send(Err(self.already_running(tool))));
            }
            State::Stopped(_) => {}
        }
        if self.has_unreported_stop() && !waiting.is_unheard {
            // the client believes that it runs: it hears of the stop first
            let mut waiter = Waiter::new(waiting, kind, self.delivered.upto().stop, Some(DEFAULT));
            waiter.note = Some("this stop came after the last wait ended; nothing was resumed".into());
            return self.waiters.push(waiter);
        }
        match what {
            Resume::Continue => {
                self.expect_outcome(waiting, kind);
                self.step = None;
                self.go_on();
            }
            Resume::Step { mode, count, thread } => self.step(mode, count, thread, waiting),
            Resume::RunTo { place } => self.run_to(place, waiting),
        }
    }

    /// Registers the wait before anything is sent.
    fn expect_outcome(&mut self, waiting: Waiting, kind: WaitKind) {
        self.apply(Input::Taken);
        let baseline = self.log.last();
        self.waiters.push(Waiter::new(waiting, kind, baseline, Some(DEFAULT)));
    }

    fn step(&mut self, mode: StepMode, count: u32, thread: Option<ThreadId>, waiting: Waiting) {
        let Some(stopped) = self.stop.published().map(|published| published.completed.clone()) else { return };
        let thread = thread.unwrap_or(stopped.thread);
        if stopped.exception.as_ref().is_some_and(|exception| exception.unhandled) {
            let refusal = SessionError::new(
                Code::AdapterError,
                "the program is about to terminate with an unhandled exception and cannot be stepped",
                "debug_continue ends it; evaluate and variables_get still work",
            );
            return drop(waiting.answer.send(Err(refusal.in_state(StateName::Stopped))));
        }
        self.expect_outcome(waiting, WaitKind::Step);
        let inside = stopped.location.as_ref().is_some_and(|location| location.frame > 0);
        // an exception leaves the method by a handler, which is on no such line: who can step from where it was thrown does
        let keeps = self.link.as_ref().is_some_and(|link| link.capabilities.supports_keep_step);
        let throws = stopped.exception.is_some() && keeps;
        if inside && !throws && thread == stopped.thread && self.step_to_user_code(thread) {
            return;
        }
        let step = StepUnderWay {
            mode,
            thread,
            remaining: count.saturating_sub(1),
            origin: stopped.origin.filter(|_| thread == stopped.thread),
            returning: false,
            strayed: false,
            outward: 0,
        };
        if self.step_within_initialization(&step) {
            return;
        }
        self.prepare_step(&step);
        self.after_edit(move |actor| {
            actor.step = Some(step);
            actor.step_on(mode, thread);
        });
    }

    /// An adapter that keeps no step ends one over an `await` at any breakpoint that any thread passes, also where the condition is
    /// false, and no stop follows (netcoredbg and dncdbg, `AsyncStepper::ManagedCallbackBreakpoint`; read and tried on 2026-11-22).
    /// Conditions are judged here meanwhile: then each pass is known, and the step is made to its end all the same.
    pub(super) fn prepare_step(&mut self, step: &StepUnderWay) {
        let is_lost = self.link.as_ref().is_some_and(|link| !link.capabilities.supports_keep_step);
        let may_wait = step.suspended().is_some_and(|invocation| invocation.awaits);
        if is_lost && may_wait && self.adapter_breakpoints.judges_conditions() {
            self.adapter_breakpoints.withhold_conditions();
        }
    }

    /// A thread that waits inside the framework cannot step (0x80004005 from both adapters, vendor-notes.md): it runs until
    /// it is back in the user's method, or in that method's caller. `false`: no symbols to do it with.
    fn step_to_user_code(&mut self, thread: ThreadId) -> bool {
        let Some(published) = self.stop.published() else { return false };
        let done = &published.completed;
        let Some(location) = &done.location else { return false };
        let depth = done.origin.as_ref().map_or(usize::MAX, |origin| origin.depth.saturating_sub(location.frame));
        let caller = done.stack.first().and_then(|frame| frame.at.rsplit_once(':'));
        let caller = caller.and_then(|(file, line)| Some((file.to_owned(), line.parse::<u32>().ok()?)));
        let here = (location.file.clone(), location.line);
        let base = self.settings.base();
        let document = |(file, line): (String, u32)| {
            let path = self.sources.absolute(&file, &base).display().to_string();
            (self.modules.match_document(&path, &file).unwrap_or(path), line)
        };
        let left: Vec<_> = [Some(here), caller].into_iter().flatten().map(document).collect();
        if !self.add_step_ends(&left, &Stepping::Thread { id: thread, depth }, false) {
            return false;
        }
        self.step = None;
        self.after_edit(|actor| actor.go_on());
        true
    }

    /// Out of a method that a static constructor called: no step of an adapter that keeps none comes back there. `false`: it is no such
    /// step, or there are no symbols to make it with.
    fn step_within_initialization(&mut self, step: &StepUnderWay) -> bool {
        let keeps = self.link.as_ref().is_some_and(|link| link.capabilities.supports_keep_step);
        let Some(origin) = step.origin.as_ref().filter(|origin| !keeps && origin.is_in_initialization()) else {
            return false;
        };
        let here = &origin.here;
        let statement = here.path.as_deref().and_then(|path| self.modules.statement(path, here.line, here.column));
        if step.mode != StepMode::Out && !statement.is_some_and(|statement| statement.is_last) {
            return false;
        }
        let Some((above, caller)) = origin.callers.iter().enumerate().find(|(_, at)| at.has_line()) else {
            return false;
        };
        let depth = origin.depth.saturating_sub(above + 1);
        let left = caller.path.clone().map(|path| (path, caller.line));
        if !self.add_step_ends(left.as_slice(), &Stepping::Thread { id: step.thread, depth }, false) {
            return false;
        }
        self.step = None;
        self.after_edit(|actor| actor.go_on());
        true
    }

    /// The lines where a step ends that no adapter can make. `false`: no symbols to find them with.
    pub(super) fn end_at_lines(&mut self, step: &StepUnderWay, stepping: &Stepping) -> bool {
        if self.runs_to_step_end() {
            return true;
        }
        let Some(origin) = &step.origin else { return false };
        // an invocation that is to be left goes on with whom nobody knows: the adapter is asked again at its last line
        let caller_counts = matches!(stepping, Stepping::Thread { .. });
        let in_method = !caller_counts || step.mode != StepMode::Out;
        let caller = origin.callers.iter().find(|at| at.has_line()).filter(|_| caller_counts);
        let left = Some(&origin.here).filter(|_| in_method).into_iter().chain(caller);
        let left: Vec<_> = left.filter_map(|at| Some((at.path.clone()?, at.line))).collect();
        let only_last = !caller_counts && step.mode == StepMode::Out;
        self.add_step_ends(&left, stepping, only_last)
    }

    /// Whether lines are set where a step ends.
    pub(super) fn runs_to_step_end(&self) -> bool {
        self.table.entries.iter().any(|entry| entry.role == Role::StepEnd)
    }

    /// Breakpoints on the lines of the methods around `left`, or the last of each, but not on these themselves: back on the same
    /// line is no step.
    fn add_step_ends(&mut self, left: &[(String, u32)], stepping: &Stepping, only_last: bool) -> bool {
        let lines_behind = |(path, line): &(String, u32)| {
            let mut lines = self.modules.lines_of_method(path, *line);
            if only_last {
                lines.drain(..lines.len().saturating_sub(1));
            }
            lines.into_iter().filter(|end| end != line).map(|end| (path.clone(), end)).collect::<Vec<_>>()
        };
        let ends: Vec<_> = left.iter().flat_map(lines_behind).collect();
        let base = self.settings.base();
        let around = Surroundings { sources: &self.sources, modules: Some(&self.modules), base: &base };
        let before = self.table.entries.len();
        for (file, line) in ends {
            let place = Place::Source { file, line: Some(line), text: None };
            if self
                .table
                .add(BreakpointSpec { temporary: true, ..BreakpointSpec::at(place) }, Role::StepEnd, &around)
                .is_ok()
                && let Some(entry) = self.table.entries.last_mut()
            {
                entry.stepping = Some(stepping.clone());
            }
        }
        self.table.entries.len() > before
    }

    fn run_to(&mut self, place: Place, waiting: Waiting) {
        let spec = BreakpointSpec { temporary: true, ..BreakpointSpec::at(place) };
        let base = self.settings.base();
        let known = self.known_modules().cloned();
        let around = Surroundings { sources: &self.sources, modules: known.as_ref(), base: &base };
        let added = self.table.add(spec, Role::RunTo, &around);
        let fault = added.and_then(|_| match self.table.entries.last() {
            Some(entry)
                if matches!(
                    entry.why,
                    Some(crate::session::report::Why::NoCode | crate::session::report::Why::FileUnknown)
                ) =>
            {
                let message = entry.message.clone().unwrap_or_else(|| "there is no code at that line".into());
                Err(SessionError::argument("line", message, "choose a line with code in a source file of the program"))
            }
            _ => Ok(()),
        });
        if let Err(error) = fault {
            self.table.entries.retain(|entry| entry.role != Role::RunTo);
            return drop(waiting.answer.send(Err(error)));
        }
        self.expect_outcome(waiting, WaitKind::RunTo);
        self.step = None;
        self.after_edit(|actor| actor.go_on());
    }

    /// Continues; the waits are registered already.
    pub(super) fn go_on(&mut self) {
        self.continue_with(None);
    }

    /// Continues a step that the adapter has kept.
    pub(super) fn go_on_with_step(&mut self) {
        self.continue_with(Some(true));
    }

    fn continue_with(&mut self, keep_step: Option<bool>) {
        self.send_resume(
            move |link, thread| {
                let sent = link.client.request::<request::Continue>(dap::ContinueArguments {
                    thread_id: thread.0,
                    keep_step,
                    ..dap::ContinueArguments::default()
                });
                Box::pin(async move { sent.await.map(|_| ()) })
            },
            None,
        );
    }

    pub(super) fn step_on(&mut self, mode: StepMode, thread: ThreadId) {
        self.send_resume(
            move |link, _| {
                let arguments = dap::StepArguments { thread_id: thread.0, ..dap::StepArguments::default() };
                match mode {
                    StepMode::Over => {
                        let sent = link.client.request::<request::Next>(arguments);
                        Box::pin(async move { sent.await.map(|_| ()) })
                    }
                    StepMode::In => {
                        let sent = link.client.request::<request::StepIn>(arguments);
                        Box::pin(async move { sent.await.map(|_| ()) })
                    }
                    StepMode::Out => {
                        let sent = link.client.request::<request::StepOut>(arguments);
                        Box::pin(async move { sent.await.map(|_| ()) })
                    }
                }
            },
            Some(thread),
        );
    }

    /// State first, bytes second, with no await in between: a stop that precedes the response is not lost.
    fn send_resume(
        &mut self,
        send: impl FnOnce(
            &super::link::Link,
            ThreadId,
        ) -> std::pin::Pin<Box<dyn Future<Output = Result<(), DapError>> + Send>>,
        thread: Option<ThreadId>,
    ) {
        let State::Stopped(stop) = self.machine.state() else { return };
        let stop = stop.clone();
        let is_reported = self.stop.published().is_some();
        if is_reported {
            self.note_event(Event { type_name: "continued", stream: "execution", thread, ..Event::default() });
        }
        self.apply(Input::Resumed { unheard: !is_reported });
        self.pauses.call_off();
        self.resumes += 1;
        self.program.input = InputWait::default();
        let (published, context) = self.stop.leave();
        let from = ResumedFrom { stop, number: self.resumes, published, context };
        let Some(link) = &self.link else { return };
        let answer = send(link, from.stop.thread);
        self.job(async move { Done::Resumed(Box::new(from), answer.await) });
    }

    pub(super) fn on_resume_answered(&mut self, from: ResumedFrom, result: Result<(), DapError>) {
        let Err(error) = result else { return };
        // an outcome that came first wins over the failed response
        let overtaken = !matches!(self.machine.state(), State::Running { .. }) || from.number != self.resumes;
        if overtaken || error.is_gone() {
            return;
        }
        let step = self.step.take();
        self.forget_run_to();
        self.after_edit(|_| {});
        let Some(published) = from.published else {
            // its report says where it ended
            self.step = step.filter(|step| step.outward > 0);
            return self.report_refused(from.stop);
        };
        let hint = match from.stop.reason {
            dap::StopReason::Pause => {
                "a thread in framework or native code cannot be stepped: debug_run_to a line, or debug_continue"
            }
            dap::StopReason::Exception => {
                "some adapters cannot step from an exception stop: debug_run_to a line of the catch block, or debug_continue"
            }
            _ => "debug_continue, or debug_state to see where it is",
        };
        let is_of_thread = matches!(from.stop.reason, dap::StopReason::Pause | dap::StopReason::Exception);
        let (message, hint) = match &step {
            Some(step) if step.leaves_to_nobody() => {
                (format!("no caller of this async method is on its thread's stack: {error}"), AWAITED.to_owned())
            }
            // no method is to blame
            Some(step)
                if step.is_in_async() && !is_of_program(&error) && (step.mode == StepMode::Out || !is_of_thread) =>
            {
                let message = match step.mode {
                    StepMode::Out => format!("this adapter cannot step out of this async method here: {error}"),
                    // at the end of one (netcoredbg, dncdbg)
                    _ => format!("this adapter cannot step from here, in an async method: {error}"),
                };
                let to_caller = step.async_caller().map(|caller| self.run_to_caller(caller, step.mode));
                (message, to_caller.unwrap_or_else(|| AWAITED.to_owned()))
            }
            Some(_) => (error.to_string(), hint.to_owned()),
            None => (error.to_string(), hint.to_owned()),
        };
        let refusal = SessionError::new(Code::AdapterError, message, hint).in_state(StateName::Stopped);
        for waiter in std::mem::take(&mut self.waiters) {
            if matches!(waiter.kind, WaitKind::Step | WaitKind::Continue | WaitKind::RunTo) {
                waiter.answer(Err(refusal.clone()));
            } else {
                self.waiters.push(waiter);
            }
        }
        // the client knows this stop, and it stands as it was reported
        self.apply(Input::ResumeRefused(from.stop));
        self.stop.stand_again(Published { at: tokio::time::Instant::now(), ..published }, from.context);
        self.pauses.give_up();
    }

    /// How to get to the caller of an `async` method, or of an iterator, that no adapter steps out of.
    fn run_to_caller(&self, caller: &Position, mode: StepMode) -> String {
        let function = self.modules.describe_frame(&caller.raw_name, None).function;
        let file = self.sources.relative(caller.path.as_deref().unwrap_or_default());
        let to_caller = format!(
            "debug_run_to a line of its caller {function} ({file}:{}): after the `await`, or in the body of its `await foreach`",
            caller.line
        );
        match mode {
            StepMode::Out => format!("{to_caller}; debug_step over stays in this method"),
            _ => format!("{to_caller}; or debug_run_to another line of this method"),
        }
    }

    /// A stop that nobody was to hear of cannot be left: it is reported after all.
    fn report_refused(&mut self, stop: Stopped) {
        let (reason, thread) = (stop.reason.clone(), stop.thread);
        let seq = self.note_event(Event {
            type_name: "stopped",
            stream: "execution",
            reason: Some(reason.as_str().to_owned()),
            thread: Some(thread),
            ..Event::default()
        });
        let epoch = stop.epoch;
        self.apply(Input::ResumeRefused(Stopped { seq, ..stop }));
        self.complete_as(epoch, Some(crate::session::stopping::reported(&reason)));
    }

    pub(super) fn not_stopped(&self, tool: &str) -> SessionError {
        let hint = match self.machine.state() {
            State::Ended(_) => self.start_again().to_owned(),
            State::Starting { .. } => "wait for debug_launch or debug_attach to return".to_owned(),
            _ => format!("debug_pause, or breakpoint_wait {{since: {}}}", self.log.last()),
        };
        SessionError::new(Code::NotStopped, format!("{tool} needs a stopped program; {}", self.running_words()), hint)
            .in_state(self.machine.state().name())
    }

    fn already_running(&self, tool: &str) -> SessionError {
        SessionError::new(
            Code::AlreadyRunning,
            format!("{tool} needs a stopped program; {}", self.running_words()),
            format!("debug_pause, or breakpoint_wait {{since: {}}}", self.log.last()),
        )
        .in_state(self.machine.state().name())
    }

    pub(super) fn not_running(&self) -> SessionError {
        let words = self.running_words();
        let message = match self.machine.state() {
            // it may run
            State::Ended(ended) if ended.disconnected => words,
            _ => format!("the program is not running: {words}"),
        };
        SessionError::new(Code::NotRunning, message, self.start_again()).in_state(self.machine.state().name())
    }

    /// What starts a program that has ended.
    fn start_again(&self) -> &'static str {
        match self.purpose {
            Purpose::Attach(_) => "debug_attach when the program runs again, or debug_launch",
            _ => "debug_restart, or debug_launch",
        }
    }
}

/// Whether a step was refused because the program does not stand still, or is gone.
fn is_of_program(error: &impl std::fmt::Display) -> bool {
    let words = error.to_string();
    [dap::types::STILL_EVALUATING, dap::types::HAS_ENDED].iter().any(|it| words.contains(it))
}
