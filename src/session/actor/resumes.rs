//! Making the program go: continue, step, run to, pause; and what the adapter says to it.

use std::time::Duration;

use super::Actor;
use super::inputs::Done;
use super::waits::{DEFAULT, WaitKind, Waiter};
use crate::dap::{self, DapError, request};
use crate::session::breakpoints::Role;
use crate::session::breakpoints::table::Surroundings;
use crate::session::command::Waiting;
use crate::session::context::adapter_words;
use crate::session::error::{Code, SessionError};
use crate::session::ids::{StateName, ThreadId};
use crate::session::inspect::ReadError;
use crate::session::spec::{BreakpointSpec, Place, Resume, StepMode, WaitFor};
use crate::session::state::{Input, State, Stopped};
use crate::session::stopping::StepUnderWay;
use crate::session::view::Event;

/// debug_pause's default.
const PAUSE: Duration = Duration::from_secs(5);

impl Actor {
    pub(super) fn resume(&mut self, what: Resume, waiting: Waiting) {
        let kind = match what {
            Resume::Continue => WaitKind::Continue,
            Resume::Step { .. } => WaitKind::Step,
            Resume::RunTo { .. } => WaitKind::RunTo,
        };
        match &self.state {
            State::Ended(_) => return drop(waiting.answer.send(Err(self.not_stopped("debug_continue")))),
            State::Running { .. } | State::Starting { .. } if kind == WaitKind::Continue => {
                return self.wait(WaitFor::default(), waiting, kind);
            }
            State::Running { .. } | State::Starting { .. } => {
                let what = if kind == WaitKind::Step { "debug_step" } else { "debug_run_to" };
                return drop(waiting.answer.send(Err(self.already_running(what))));
            }
            State::Stopped(_) => {}
        }
        if self.has_untold_stop() {
            // the client believes that it runs: it hears of the stop first
            let mut waiter = Waiter::new(waiting, kind, self.told.stop, Some(DEFAULT));
            waiter.note = Some("this stop came after the last wait had ended; nothing was resumed".into());
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
        let baseline = self.log.last();
        self.waiters.push(Waiter::new(waiting, kind, baseline, Some(DEFAULT)));
    }

    fn step(&mut self, mode: StepMode, count: u32, thread: Option<ThreadId>, waiting: Waiting) {
        let Some(stopped) = self.published.as_ref().map(|published| published.completed.clone()) else { return };
        let thread = thread.unwrap_or(stopped.thread);
        if stopped.exception.as_ref().is_some_and(|exception| exception.unhandled) {
            let told = SessionError::new(
                Code::AdapterError,
                "the program is about to end of an unhandled exception and cannot step",
                "debug_continue lets it end; evaluate and variables_get still work",
            );
            return drop(waiting.answer.send(Err(told.in_state(StateName::Stopped))));
        }
        self.expect_outcome(waiting, WaitKind::Step);
        self.step = Some(StepUnderWay {
            mode,
            thread,
            remaining: count.saturating_sub(1),
            origin: stopped.origin.filter(|_| thread == stopped.thread),
            returning: false,
        });
        self.step_on(mode, thread);
    }

    fn run_to(&mut self, place: Place, waiting: Waiting) {
        let spec = BreakpointSpec {
            place,
            condition: None,
            hit_condition: None,
            temporary: true,
            enabled: true,
            log: None,
            max_hits: None,
        };
        let base = self.settings.base();
        let around = Surroundings { sources: &self.sources, modules: Some(&self.modules), base: &base };
        let added = self.table.add(spec, Role::RunTo, &around);
        let fault = added.and_then(|_| match self.table.entries.last() {
            Some(entry)
                if matches!(
                    entry.why,
                    Some(crate::session::report::Why::NoCode | crate::session::report::Why::FileUnknown)
                ) =>
            {
                let message = entry.message.clone().unwrap_or_else(|| "no code there".into());
                Err(SessionError::argument("line", message, "name a line with code of a file of the program"))
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
        self.send_resume(
            |link, thread| {
                let sent = link.client.request::<request::Continue>(dap::ContinueArguments {
                    thread_id: thread.0,
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
            &super::inputs::Link,
            ThreadId,
        ) -> std::pin::Pin<Box<dyn Future<Output = Result<(), DapError>> + Send>>,
        thread: Option<ThreadId>,
    ) {
        let State::Stopped(stop) = &self.state else { return };
        let stop = stop.clone();
        let told = self.published.is_some();
        let at = if told {
            self.note_event(Event { type_name: "continued", stream: "execution", thread, ..Event::default() })
        } else {
            self.log.last()
        };
        self.apply(Input::Resumed { at });
        self.published = None;
        self.context = None;
        let Some(link) = &self.link else { return };
        let answer = send(link, stop.thread);
        self.job(async move { Done::Resumed(stop, answer.await) });
    }

    pub(super) fn on_resume_answered(&mut self, stop: Stopped, result: Result<(), DapError>) {
        let Err(error) = result else { return };
        // an outcome that came first wins over the failed response
        if !matches!(self.state, State::Running { .. }) || error.is_gone() {
            return;
        }
        self.step = None;
        let hint = if stop.reason == dap::StopReason::Pause {
            "a thread inside framework or native code cannot step: debug_run_to a line, or debug_continue"
        } else {
            "debug_continue, or debug_state to see where it is"
        };
        let told = SessionError::new(Code::AdapterError, error.to_string(), hint).in_state(StateName::Stopped);
        for waiter in std::mem::take(&mut self.waiters) {
            if matches!(waiter.kind, WaitKind::Step | WaitKind::Continue | WaitKind::RunTo) {
                waiter.answer(Err(told.clone()));
            } else {
                self.waiters.push(waiter);
            }
        }
        let epoch = stop.epoch;
        let told_until = self.told.stop;
        self.apply(Input::ResumeRefused(stop));
        // read anew: the refused resume may have run something; the client knows the stop already
        self.complete(epoch);
        self.told.stop = told_until;
    }

    pub(super) fn pause(&mut self, thread: Option<ThreadId>, waiting: Waiting) {
        match &self.state {
            State::Ended(_) => return drop(waiting.answer.send(Err(self.not_running()))),
            State::Stopped(_) => {
                // at a stop it answers that stop
                let baseline = crate::session::ids::EventSeq(0);
                return self.waiters.push(Waiter::new(waiting, WaitKind::Pause, baseline, Some(PAUSE)));
            }
            State::Starting { .. } => {
                let told = SessionError::new(
                    Code::NotRunning,
                    format!("the program cannot be paused: {}", self.running_words()),
                    "wait for debug_launch to answer, or debug_disconnect",
                );
                return drop(waiting.answer.send(Err(told.in_state(StateName::Starting))));
            }
            State::Running { .. } => {}
        }
        let baseline = self.log.last();
        self.waiters.push(Waiter::new(waiting, WaitKind::Pause, baseline, Some(PAUSE)));
        if !self.pausing {
            self.pausing = true;
            self.send_pause(thread);
        }
    }

    /// Pauses a real thread: adapters refuse 0 and unknown ones (measured.md 9).
    pub(super) fn send_pause(&mut self, wanted: Option<ThreadId>) {
        let Some(link) = &self.link else { return };
        let client = link.client.clone();
        let main = self.program.pid.map(i64::from);
        let last = self.told_frame.thread.map(|thread| thread.0);
        self.job(async move {
            let threads = match client.request::<request::Threads>(()).await {
                Ok(answer) => answer.threads,
                Err(error) => return Done::Paused(Err(adapter_words(&ReadError::from(error)))),
            };
            let known = |id: i64| threads.iter().any(|thread| thread.id == id);
            if let Some(wanted) = wanted.filter(|wanted| !known(wanted.0)) {
                let told = SessionError::new(
                    Code::InvalidThread,
                    format!("there is no thread {wanted}"),
                    "leave thread_id out, or take one of debug_query_events {stream: \"threads\"}",
                );
                return Done::Paused(Err(told.in_state(StateName::Running)));
            }
            let mut order: Vec<i64> =
                [wanted.map(|wanted| wanted.0), last, main].into_iter().flatten().filter(|id| known(*id)).collect();
            order.extend(threads.iter().map(|thread| thread.id));
            let mut refusal = None;
            for id in order.into_iter().take(8) {
                match client.request::<request::Pause>(dap::ThreadArguments { thread_id: id }).await {
                    Ok(_) => return Done::Paused(Ok(())),
                    Err(error @ DapError::Refused { .. }) => refusal = Some(error),
                    Err(error) => return Done::Paused(Err(adapter_words(&ReadError::from(error)))),
                }
            }
            match refusal {
                Some(error) => Done::Paused(Err(adapter_words(&ReadError::from(error)))),
                None => Done::Paused(Err(SessionError::new(
                    Code::AdapterError,
                    "the program has no managed thread yet",
                    "try again in a moment",
                )
                .in_state(StateName::Running))),
            }
        });
    }

    pub(super) fn on_pause_answered(&mut self, result: Result<(), SessionError>) {
        let Err(error) = result else { return };
        self.pausing = false;
        self.quiet = false;
        for waiter in std::mem::take(&mut self.waiters) {
            if waiter.kind == WaitKind::Pause {
                waiter.answer(Err(error.clone()));
            } else {
                self.waiters.push(waiter);
            }
        }
    }

    pub(super) fn not_stopped(&self, tool: &str) -> SessionError {
        let hint = match &self.state {
            State::Ended(_) => "debug_restart, or debug_launch".to_owned(),
            State::Starting { .. } => "wait for debug_launch to answer".to_owned(),
            _ => format!("debug_pause, or breakpoint_wait {{since: {}}}", self.log.last()),
        };
        SessionError::new(Code::NotStopped, format!("{tool} needs a stopped program; {}", self.running_words()), hint)
            .in_state(self.state.name())
    }

    fn already_running(&self, tool: &str) -> SessionError {
        SessionError::new(
            Code::AlreadyRunning,
            format!("{tool} needs a stopped program; {}", self.running_words()),
            format!("debug_pause, or breakpoint_wait {{since: {}}}", self.log.last()),
        )
        .in_state(self.state.name())
    }

    pub(super) fn not_running(&self) -> SessionError {
        SessionError::new(
            Code::NotRunning,
            format!("the program does not run any more: {}", self.running_words()),
            "debug_restart, or debug_launch",
        )
        .in_state(self.state.name())
    }
}
