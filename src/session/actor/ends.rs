//! Exits of the program and the adapter; each is reported once and cleaned up.

use std::time::Duration;

use tokio::time::Instant;

use super::Actor;
use super::current_stop::CurrentStop;
use super::done::Done;
use super::waits::{WaitKind, Waiter};
use crate::dap::{Gone, request};
use crate::process::{self, ExitStatus, StderrTail, signal_name};
use crate::session::error::{Code, Details, SessionError};
use crate::session::ids::{EventSeq, StateName};
use crate::session::queries::RunEnd;
use crate::session::report::Exit;
use crate::session::startup::Method;
use crate::session::state::{Ended, Input, State};
use crate::session::view::Event;

/// Time for the program's end to be known after its adapter's, so that both are reported as one.
const GRACE: Duration = Duration::from_millis(200);
/// An adapter that owes an answer and gives none for so long is hung: longer than its own 5.6, 10.5 and 15 s (vendor-notes.md).
const HUNG: Duration = Duration::from_secs(20);
/// One that gave up on a request and does not answer the next within this time is still at it.
const DEAF: Duration = Duration::from_secs(2);

impl Actor {
    pub(super) fn end_deadlines(&self) -> impl Iterator<Item = Instant> {
        let complete = self.program.end.complete_at();
        // once the program has ended, its adapter's end adds nothing
        let link = self.link.as_ref().filter(|_| !self.program.end.is_known());
        let gone = link.and_then(|link| link.exited).map(|(_, at)| at + GRACE);
        let closed = link.filter(|link| link.exited.is_none()).and_then(|link| link.closed).map(|at| at + GRACE * 3);
        let hung = link.and_then(|link| Some(link.owed()?.due + patience_with(link)));
        let live = !self.is_ended();
        [complete, gone, closed, hung, self.program.watchdog, self.pauses.deadline()]
            .into_iter()
            .flatten()
            .filter(move |_| live)
    }

    /// What is due by the clock.
    pub(super) fn on_time(&mut self) {
        if self.is_ended() {
            return;
        }
        let now = Instant::now();
        if self.program.end.complete_at().is_some_and(|at| now >= at) {
            return self.end_by_program(self.program.end.status());
        }
        self.check_watchdog();
        self.check_quiet();
        let Some(link) = &self.link else { return };
        if let Some((status, at)) = link.exited {
            if now >= at + GRACE && !self.program.end.is_known() {
                self.lose_adapter(Some(status), None)
            }
        } else if link.closed.is_some_and(|at| now >= at + GRACE * 3) {
            self.lose_adapter(None, Some("closed its output but did not exit".into()))
        } else if let Some(owed) = link.owed().filter(|owed| now >= owed.due + patience_with(link)) {
            let fault = match &link.gave_up_on {
                Some(_) => "stopped responding after an evaluation timed out".into(),
                None => format!(
                    "is not responding: no response to `{}` for {} s",
                    owed.command,
                    (now - owed.asked).as_secs()
                ),
            };
            self.lose_adapter(None, Some(fault))
        }
    }

    pub(super) fn on_program_exited(&mut self, status: Option<ExitStatus>) {
        if self.is_ended() {
            return;
        }
        self.program.end.reaped(status, Instant::now());
        let link = self.link.as_ref().filter(|_| self.adapter_breakpoints.plan().counts_hits());
        if let Some(link) = link {
            // what it counted comes before any answer
            let answered = link.client.request::<request::Threads>(());
            self.program.end.count();
            self.job(async move {
                drop(answered.await);
                Done::Counted
            });
        }
    }

    /// `exited` or `terminated`: the truth only where the adapter started the program, or attached to it.
    pub(super) fn on_adapter_says_ended(&mut self) {
        let method = self.link.as_ref().map(|link| link.method);
        if method != Some(Method::Held) && !self.is_ended() {
            self.program.end.announced(Instant::now());
        }
    }

    fn end_by_program(&mut self, status: Option<ExitStatus>) {
        if matches!(self.machine.state(), State::Starting { .. }) {
            let (words, hint) = match status {
                Some(status) => (
                    format!("the program exited before it could be debugged: {status}"),
                    "check its output, or run it in a shell",
                ),
                None => ("the program exited while the debugger was attaching".into(), "start it again"),
            };
            return self.start_failed(SessionError::new(Code::LaunchFailed, words, hint));
        }
        if let (Some(status), Some(tap)) = (status, self.link.as_ref().and_then(|link| link.tap.as_ref())) {
            tap.program_exit(recorded(status));
        }
        let own = self.link.as_ref().map(|link| link.method);
        let code = match own {
            // both adapters say 0 for an attached process, whatever it was (vendor-notes.md)
            Some(Method::Attached) => None,
            _ => self.program.exit_code.and_then(|code| i32::try_from(code).ok()),
        };
        let (exit_code, signal) = match status {
            Some(ExitStatus::Code(code)) => (Some(code), None),
            Some(ExitStatus::Signal(signal)) => (None, Some(signal_name(signal).to_owned())),
            None => (code, None),
        };
        let died_of = self.last_exception.take().filter(|exception| exception.unhandled && exit_code != Some(0));
        let seq = self.note_event(Event {
            type_name: "exited",
            stream: "execution",
            reason: signal.clone(),
            exit_code,
            ..Event::default()
        });
        let exit = Exit { seq, exit_code, signal, exception: died_of };
        self.end(Ended { exit, ..Ended::default() });
    }

    /// The adapter is gone, and how is reported in a moment.
    pub(super) fn is_dying(&self) -> bool {
        !self.is_ended()
            && !self.program.end.is_known()
            && self.link.as_ref().is_some_and(|link| link.exited.is_some() || link.closed.is_some())
    }

    pub(super) fn on_adapter_closed(&mut self) {
        if let Some(link) = &mut self.link {
            link.closed.get_or_insert(Instant::now());
            if link.last_asked.is_empty() {
                link.last_asked = link.client.in_flight();
            }
            if link.method == Method::Replay {
                link.client.fail_all(Gone::new("the recording has ended"));
            }
        }
    }

    /// waitpid speaks: every pending request is answered at once, the story a moment later.
    pub(super) fn on_adapter_exited(&mut self, status: ExitStatus) {
        let Some(link) = &mut self.link else { return };
        if link.last_asked.is_empty() {
            link.last_asked = link.client.in_flight();
        }
        link.exited = Some((status, Instant::now()));
        link.client.fail_all(Gone::new(status.to_string()));
        if let Some(tap) = &link.tap {
            tap.exit(recorded(status));
        }
    }

    /// The adapter is gone or deaf while it was needed.
    fn lose_adapter(&mut self, status: Option<ExitStatus>, fault: Option<String>) {
        let Some(link) = &self.link else { return };
        let name = link.profile.name.clone();
        let method = link.method;
        let asked = link
            .gave_up_on
            .as_ref()
            .or_else(|| link.last_asked.first())
            .cloned()
            .or_else(|| link.client.in_flight().into_iter().next());
        let stderr = link.stderr.as_ref().map(StderrTail::tail).filter(|tail| !tail.trim().is_empty());
        let how = match (&fault, status) {
            (Some(fault), _) => format!("{name} {fault}"),
            (None, Some(ExitStatus::Signal(signal))) => format!("{name} was killed by {}", signal_name(signal)),
            (None, Some(ExitStatus::Code(code))) => format!("{name} exited with code {code}"),
            (None, None) => format!("{name} has exited"),
        };
        let doing = match &asked {
            Some(("evaluate", text)) if !text.is_empty() => format!(" while evaluating {text}"),
            Some((command, text)) if !text.is_empty() => format!(" during {command} {text}"),
            Some((command, _)) => format!(" during {command}"),
            None => String::new(),
        };
        let is_suspended = self.program.pid.is_some_and(process::is_suspended);
        let suspended = match is_suspended {
            true => ": the program is suspended (by a signal, or a native debugger), and answers nothing",
            false => "",
        };
        // one that ends by itself may have detached before
        let is_killed = matches!(status, Some(ExitStatus::Signal(_)));
        if method == Method::Attached
            && is_killed
            && !self.program.end.is_known()
            && let Some(claim) = self.link.as_mut().and_then(|link| link.claim.take())
        {
            claim.forfeit();
        }
        let program = match method {
            _ if self.program.end.is_known() => "; the program exited too",
            Method::Attached if is_killed => {
                "; the program stands still, or will when the runtime has something to report, and no debugger can attach to it again"
            }
            Method::Attached => "; the program may be frozen, and attaching to it again may fail",
            Method::Replay => "",
            _ => "; the program was killed",
        };
        let hint = match (&asked, method) {
            (_, Method::Attached) => {
                // 0 would name a whole group of processes
                let end =
                    self.program.pid.filter(|pid| *pid > 0).map(|pid| format!("end it with `kill -9 {pid}` and "));
                format!("{}start it again", end.unwrap_or_default())
            }
            (Some(("evaluate", _)), _) if !is_suspended => "debug_launch; do not evaluate that expression again".into(),
            _ => "debug_restart, or debug_launch".to_owned(),
        };
        let (exit_code, signal) = match status {
            Some(ExitStatus::Code(code)) => (Some(code), None),
            Some(ExitStatus::Signal(signal)) => (None, Some(signal_name(signal).to_owned())),
            None => (None, None),
        };
        let error = SessionError::new(Code::AdapterLost, format!("{how}{doing}{suspended}{program}"), hint)
            .in_state(StateName::NotAttached)
            .with(Details::AdapterLost {
                request: asked.map(|(command, text)| format!("{command} {text}").trim().to_owned()),
                exit_code,
                signal,
                stderr,
                output: self.output.report(self.delivered.upto().output),
            });
        if matches!(self.machine.state(), State::Starting { .. }) {
            return self.start_failed(error);
        }
        let seq = self.note_event(Event {
            type_name: "adapter_lost",
            stream: "execution",
            text: Some(error.message.clone()),
            ..Event::default()
        });
        let ended = Ended { exit: Exit { seq, ..Exit::default() }, disconnected: false, lost: Some(Box::new(error)) };
        self.end(ended);
    }

    /// A job of this session panicked: everything that waits is answered, everything that runs is ended.
    pub(super) fn on_panicked(&mut self) {
        if self.is_ended() {
            self.ending.wait_no_longer();
            return;
        }
        let seq = self.note_event(Event { type_name: "internal_error", stream: "execution", ..Event::default() });
        let error = SessionError::new(
            Code::InternalError,
            "a bug in clrbridge ended this session",
            "debug the program again, and please report what you were doing",
        );
        let exit = Exit { seq, ..Exit::default() };
        self.end(Ended { exit, disconnected: false, lost: Some(Box::new(error)) });
    }

    /// The program's and the adapter's last words, where a start failed.
    pub(super) fn with_last_words(&self, mut error: SessionError) -> SessionError {
        let output = self.output.report(0);
        if output.stderr.is_empty() && output.stdout.is_empty()
            || !matches!(error.code, Code::LaunchFailed | Code::AdapterLost | Code::AttachFailed)
        {
            return error;
        }
        match error.details.as_deref_mut() {
            Some(Details::AdapterLost { output: reported_output, .. }) => *reported_output = output,
            Some(_) => {}
            None => {
                error.details = Some(Box::new(Details::AdapterLost {
                    request: None,
                    exit_code: None,
                    signal: None,
                    stderr: None,
                    output,
                }));
            }
        }
        error
    }

    /// It ended by itself; what still runs of it is ended.
    pub(super) fn end(&mut self, ended: Ended) {
        self.apply(Input::Ended(Box::new(ended)));
        // a program that was attached to is not ours to kill, whatever became of its adapter
        let attached = self.link.as_ref().is_some_and(|link| link.method == Method::Attached);
        self.tear_down(attached);
    }

    /// What belonged to the program that is gone. Whoever waits for something of it is answered.
    pub(super) fn forget_run(&mut self) {
        self.sources.end_run();
        self.stop = CurrentStop::default();
        let runs_to_step_end = self.runs_to_step_end();
        if let Some(step) = self.step.take() {
            let waiters = self.waiters.iter_mut().filter(|waiter| waiter.kind == WaitKind::Step);
            if runs_to_step_end {
                waiters.for_each(Waiter::lost_step);
            } else if step.leaves_to_nobody() {
                waiters.for_each(Waiter::awaits_nobody);
            }
        }
        self.pauses.end();
        self.adapter_breakpoints.filters_taken();
        let story = match self.machine.state() {
            State::Ended(ended) => ended.lost.as_deref().cloned(),
            _ => None,
        };
        let how = story.is_none().then(|| match self.is_stack_overflow() {
            true => format!("{} (stack overflow)", self.running_words()),
            false => self.running_words(),
        });
        self.lost.send_replace(Some(RunEnd { error: story.unwrap_or_else(|| self.not_running()), how }));
        self.end_edits();
    }

    /// The runtime's last words of it, which ends the program by SIGABRT.
    fn is_stack_overflow(&self) -> bool {
        let last = self.output.report(self.delivered.upto().output);
        last.stderr.lines().any(|line| line == "Stack overflow.")
    }

    pub(super) fn end_seq(&self) -> EventSeq {
        match self.machine.state() {
            State::Ended(ended) => ended.exit.seq,
            _ => EventSeq(u64::MAX),
        }
    }
}

/// How long it may owe an answer.
fn patience_with(link: &super::link::Link) -> Duration {
    if link.gave_up_on.is_some() { DEAF } else { HUNG }
}

/// As recordings report an end: a negative code is a signal.
fn recorded(status: ExitStatus) -> i32 {
    match status {
        ExitStatus::Code(code) => code,
        ExitStatus::Signal(signal) => -signal,
    }
}
