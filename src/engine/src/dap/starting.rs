//! `launch`, `attach`, `configurationDone`; `disconnect`, `terminate`, and the program's end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dap_wire::DisconnectArguments;
use serde_json::json;

use super::input::Input;
use super::options::{AttachArguments, LaunchArguments};
use super::output::read_stream;
use super::server::{Answer, Server, State, refused};
use crate::com::{HResult, system};
use crate::start::{self, ProgramSpec, StartError};
use crate::target::{Notice, Options, StopError, Target, interrupting};

/// What is to be started once the client has configured all.
#[derive(Debug, Default)]
pub struct Start {
    how: Option<How>,
    is_configured: bool,
}

#[derive(Debug)]
enum How {
    Launch(ProgramSpec, Options),
    Attach(u32, Options),
}

impl How {
    fn options(&self) -> Options {
        match self {
            Self::Launch(_, options) | Self::Attach(_, options) => options.clone(),
        }
    }
}

fn failed(error: &StartError) -> String {
    refused(&error.to_string(), error.code())
}

impl Server {
    pub(super) fn launch(&mut self, arguments: LaunchArguments) -> Answer {
        self.refuse_second()?;
        self.view = arguments.view();
        self.start.how = Some(How::Launch(arguments.spec(), arguments.options()));
        self.begin()
    }

    pub(super) fn attach(&mut self, arguments: AttachArguments) -> Answer {
        self.refuse_second()?;
        let pid = arguments.process_id.number().ok_or("processId is not a number")?;
        self.view = arguments.view().unwrap_or(self.view);
        let before = self.start.how.as_ref().map(How::options);
        self.start.how = Some(How::Attach(pid, arguments.options(before)));
        self.begin()
    }

    /// One program for each adapter.
    fn refuse_second(&self) -> Result<(), String> {
        let pid = self.debugging.as_ref().map(|debugging| debugging.target.pid);
        match pid {
            Some(pid) => Err(format!("this adapter debugs process {pid}: start another adapter for another program")),
            None => Ok(()),
        }
    }

    pub(super) fn configuration_done(&mut self) -> Answer {
        self.start.is_configured = true;
        self.begin()
    }

    /// Once both have come, in either order.
    fn begin(&mut self) -> Answer {
        if !self.start.is_configured || self.debugging.is_some() {
            return Ok(None);
        }
        let Some(how) = self.start.how.take() else { return Ok(None) };
        let (breakpoints, filters) = (self.breakpoints.take(), self.filters.take());
        let sender = self.sender.clone();
        let options = how.options();
        self.sources.map = options.sources.clone();
        let make = move |pid: u32| -> Arc<Target> {
            let notify = Box::new(move |notice: Notice| drop(sender.send(Input::Notice(notice))));
            Target::new(pid, options, breakpoints.unwrap_or_default(), filters.unwrap_or_default(), notify)
        };
        let (started, is_launch) = match &how {
            How::Launch(spec, _) => (start::launch(spec, make), true),
            How::Attach(pid, _) => (start::attach(*pid, make), false),
        };
        let mut debugging = started.map_err(|error| failed(&error))?;
        let pid = debugging.target.pid;
        let mut name = system::process_name(pid).unwrap_or_default();
        if let Some(program) = &mut debugging.program {
            name.clone_from(&program.name);
            self.watch(program);
        } else {
            let sender = self.sender.clone();
            debugging.watch_end(move |code| drop(sender.send(Input::ProgramEnded(code))));
        }
        self.debugging = Some(debugging);
        self.state = State::Running;
        if !is_launch && start::runs_code(pid) {
            self.settle();
        }
        self.event(
            "process",
            Some(json!({
                "name": name,
                "systemProcessId": pid,
                "isLocalProcess": true,
                "startMethod": if is_launch { "launch" } else { "attach" },
                "pointerSize": usize::BITS,
            })),
        );
        Ok(None)
    }

    /// After an attach the runtime reports what is loaded, then which threads there are: breakpoints can be bound from then on. Before that
    /// it has to stop them all.
    fn settle(&mut self) {
        const LIMIT: Duration = Duration::from_secs(5);
        let Some(pid) = self.debugging.as_ref().map(|debugging| debugging.target.pid) else { return };
        interrupting(pid, || self.await_threads(LIMIT));
    }

    fn await_threads(&mut self, limit: Duration) {
        let began = Instant::now();
        while !self.has_threads && self.take_within(limit.saturating_sub(began.elapsed())) {}
    }

    /// Reads what the program writes, and waits for its end.
    fn watch(&mut self, program: &mut start::Program) {
        if let Some(stream) = program.stdout.take() {
            self.open_streams += 1;
            read_stream("stdout", stream, self.sender.clone());
        }
        if let Some(stream) = program.stderr.take() {
            self.open_streams += 1;
            read_stream("stderr", stream, self.sender.clone());
        }
        if let Some(end) = program.end.take() {
            let sender = self.sender.clone();
            std::thread::spawn(move || sender.send(Input::ProgramEnded(end.exit_code())));
        }
    }

    pub(super) fn disconnect(&mut self, arguments: &DisconnectArguments) -> Answer {
        self.let_go(arguments.terminate_debuggee);
        Ok(None)
    }

    pub(super) fn terminate(&mut self) -> Answer {
        let Some(debugging) = &self.debugging else {
            return Err(refused("no program is being debugged", HResult(0x8000_4005)));
        };
        debugging.kill();
        Ok(None)
    }

    /// Ends a program that we started, unless the client asks otherwise; lets another one run.
    pub(super) fn let_go(&mut self, terminate: Option<bool>) {
        self.tell_judged();
        let state = std::mem::replace(&mut self.state, State::Ended);
        let Some(debugging) = &self.debugging else { return };
        if matches!(state, State::Ended) {
            return;
        }
        let is_ours = debugging.program.is_some();
        let is_killed = terminate.unwrap_or(is_ours);
        if is_killed {
            debugging.kill();
        } else {
            // what was stopped for a client is let go with it
            drop(state);
            // a runtime that is stuck answers nothing; one that has ended refuses, and needs no detaching
            if debugging.target.stuck_in().is_none() {
                self.detach();
            }
        }
        if is_killed && is_ours {
            self.await_exit();
        }
        if !self.is_end_reported {
            self.is_end_reported = true;
            if let (true, Some(code)) = (is_killed && is_ours, self.exit_code) {
                self.event("exited", Some(json!({ "exitCode": code })));
            }
            self.event("terminated", None);
        }
    }

    /// Now, or when the client is gone ([`Self::detach_at_last`]) if the program cannot be stopped for it yet.
    fn detach(&mut self) {
        const TRIES: usize = 3;
        let Some(debugging) = &self.debugging else { return };
        let (state, turn) =
            if debugging.is_suspended() { ("is suspended", "continues") } else { ("does not stop", "does") };
        let is_tried_in_vain = || debugging.detach() == Err(StopError::Uninterruptible);
        self.owes_detach = debugging.is_suspended() || (0..TRIES).all(|_| is_tried_in_vain());
        if self.owes_detach {
            let text = format!("process {} {state}: it is let go when it {turn}, or ends\n", debugging.target.pid);
            self.event("output", Some(json!({ "category": "console", "output": text })));
        }
    }

    /// Stays until a program is let go that could not be before: without us it would stand for ever.
    pub(super) fn detach_at_last(&mut self) {
        while self.owes_detach && !self.has_exited {
            while self.take_within(Duration::ZERO) {}
            let Some(debugging) = &self.debugging else { return };
            self.owes_detach = debugging.detach() == Err(StopError::Uninterruptible);
        }
    }

    /// A killed program ends at once; one that waits for a disk may take longer than a client does.
    fn await_exit(&mut self) {
        const LIMIT: Duration = Duration::from_secs(2);
        let began = Instant::now();
        while !self.has_exited && self.take_within(LIMIT.saturating_sub(began.elapsed())) {}
    }

    /// The runtime says that the program has ended.
    pub(super) fn exited(&mut self) {
        self.state = State::Ended;
        if let Some(debugging) = &self.debugging {
            debugging.finish();
            if debugging.program.is_none() {
                if !self.shows_raw {
                    // which brings its exit code
                    self.await_exit();
                }
                self.has_exited = true;
            }
        }
        self.report_end();
    }

    /// When the program is gone and all of its output is reported.
    pub(super) fn report_end(&mut self) {
        let is_ours = self.debugging.as_ref().is_some_and(|debugging| debugging.program.is_some());
        // where it is known, an editor also gets that of a program which it attached to
        let tells_code = is_ours || !self.shows_raw;
        if !self.has_exited || self.open_streams > 0 || self.is_end_reported {
            return;
        }
        self.is_end_reported = true;
        self.state = State::Ended;
        self.tell_judged();
        if let (true, Some(code)) = (tells_code, self.exit_code) {
            self.event("exited", Some(json!({ "exitCode": code })));
        }
        self.event("terminated", None);
    }
}
