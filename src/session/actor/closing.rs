//! Ends that are asked for: a disconnect, a restart, the server's own. What runs is ended in the order of its start.
//!
//! The race to remember: a restart may come while the last run is still torn down; it begins when that is through.

use std::time::Duration;

use super::Actor;
use super::done::Done;
use super::thrown;
use super::waits::{WaitKind, Waiter};
use crate::dap::{self, Gone};
use crate::process;
use crate::session::command::{Answer, Waiting};
use crate::session::error::{Code, SessionError};
use crate::session::ids::{EventSeq, StateName};
use crate::session::report::{Exit, Report};
use crate::session::spec::BuildMode;
use crate::session::startup::Method;
use crate::session::state::{Ended, Input, State};
use crate::session::teardown::{self, LetGo, Teardown};
use crate::session::view::Event;

impl Actor {
    /// Ends what still runs, in the order that its start method requires (see `teardown`).
    pub(super) fn tear_down(&mut self, let_go: bool) {
        self.start.cut_short();
        let Some(link) = &mut self.link else {
            // the start was cut short: dropping its job kills what it had started
            self.program.held = None;
            return;
        };
        let leaving = Teardown {
            method: link.method,
            client: link.client.clone(),
            adapter: link.adapter.take(),
            claim: link.claim.take(),
            program: self.program.held.clone(),
            pid: self.program.pid,
            let_go,
            // the adapter's word alone would not do: it says so too when it lost touch
            ended: self.program.end.is_known() && self.program.pid.is_none_or(|pid| !process::alive(pid)),
            plan: self.adapter_breakpoints.plan().clone(),
        };
        // its adapter goes with what only it knows
        let thrown = link.capabilities.supports_clr_exceptions.then(|| thrown::ask(&link.client));
        self.job(async move {
            let thrown = match thrown {
                Some(asked) => asked.await,
                None => None,
            };
            let let_go = teardown::run(leaving).await;
            Done::TornDown(thrown, let_go)
        });
        self.ending.begin();
    }

    pub(super) fn on_torn_down(&mut self, thrown: Option<Box<dap::ThrownExceptions>>, let_go: Option<LetGo>) {
        if let Some(held) = self.program.held.as_ref().filter(|held| held.child.try_exit().is_some()) {
            held.end_keeping();
        }
        if let Some(link) = &self.link
            && let Some(tap) = &link.tap
        {
            tap.flush(Duration::from_millis(500));
        }
        let restart = self.ending.finish(let_go);
        self.keep_thrown(thrown);
        if let Some(link) = &self.link {
            // an adapter that lives on answers nobody any more
            link.client.fail_all(Gone::new("the session is over"));
        }
        if let Some((build, waiting)) = restart {
            if let Some(link) = &self.link {
                link.client.fail_all(Gone::new("the program was restarted"));
            }
            self.begin_again(build, waiting);
        }
    }

    fn begin_again(&mut self, build: Option<BuildMode>, waiting: Waiting) {
        self.output.begin_run();
        self.begin(build, waiting, true);
    }

    /// Without a word, for a start that is tried again.
    pub(super) fn end_processes_now(&mut self) {
        self.tear_down(false);
        self.ending.wait_no_longer();
    }

    pub(super) fn disconnect(&mut self, terminate: Option<bool>, answer: Answer<Report>) {
        let waiting = Waiting { include: Default::default(), wait: Default::default(), answer, is_unheard: false };
        if self.is_ended() {
            // idempotent: a session that is over is disconnected
            self.apply(Input::Dismissed);
            self.call_off_restart();
            return self.waiters.push(Waiter::new(waiting, WaitKind::Disconnect, EventSeq(0), None));
        }
        let method = self.link.as_ref().map(|link| link.method);
        let attached =
            method == Some(Method::Attached) || matches!(self.purpose, crate::session::spec::Purpose::Attach(_));
        let let_go = !terminate.unwrap_or(!attached);
        if let_go && matches!(self.machine.state(), State::Starting { .. }) && !attached {
            let refusal = SessionError::new(
                Code::NotRunning,
                "cannot detach while the program is starting: it is suspended, and only the debugger can resume it",
                "omit terminate: debug_disconnect then kills the program; or wait for debug_launch to return",
            );
            return drop(waiting.answer.send(Err(refusal.in_state(StateName::Starting))));
        }
        if let_go && matches!(method, Some(Method::Adapter)) {
            let refusal = SessionError::new(
                Code::UnsupportedByAdapter,
                "the adapter launched this program itself and cannot detach from it",
                "omit terminate: debug_disconnect then kills the program",
            );
            return drop(waiting.answer.send(Err(refusal)));
        }
        // every wait ends with `disconnected`, this call's answer among them
        self.waiters.push(Waiter::new(waiting, WaitKind::Disconnect, EventSeq(0), None));
        self.end_disconnected();
        self.tear_down(let_go);
    }

    pub(super) fn restart(&mut self, build: Option<BuildMode>, waiting: Waiting) {
        if matches!(self.purpose, crate::session::spec::Purpose::Attach(_)) {
            let refusal = SessionError::new(
                Code::UnsupportedByAdapter,
                "clrbridge attached to this program and cannot restart it",
                "debug_launch it, or restart it yourself and debug_attach",
            );
            return drop(waiting.answer.send(Err(refusal)));
        }
        if let State::Ended(ended) = self.machine.state()
            && let Some(error) = ended.lost.as_ref().filter(|_| !self.start.came_to_be())
        {
            // it was asked for while the first start was under way
            return drop(waiting.answer.send(Err((**error).clone())));
        }
        if self.ending.server_ends() || self.commands.is_closed() {
            // whoever started it called that off meanwhile
            return drop(waiting.answer.send(Err(self.not_running())));
        }
        if self.is_ended() && !self.ending.is_under_way() {
            return self.begin_again(build, waiting);
        }
        if !self.is_ended() {
            self.end_disconnected();
            self.serve_waiters();
            self.tear_down(false);
        }
        self.ending.restart_after(build, waiting);
        if !self.ending.is_under_way() {
            self.on_torn_down(None, None);
        }
    }

    /// Answers a restart that waits for the end of the last run: it is over.
    fn call_off_restart(&mut self) {
        if let Some(waiting) = self.ending.call_off_restart() {
            self.waiters.push(Waiter::new(waiting, WaitKind::Restart, EventSeq(0), None));
        }
    }

    /// A start whose caller does not want it any more leaves nothing: no program, no session, and an attached program runs on.
    pub(super) fn call_off_start(&mut self) {
        if !self.start.came_to_be() {
            self.directory.forget(&self.id);
        }
        self.end_unheard();
    }

    /// The server ends.
    pub(super) fn shut_down(&mut self) {
        self.ending.end_server();
        if let Some(held) = &self.program.held {
            // also a program that was let go: it lives until we end
            held.child.kill_group();
        }
        self.end_unheard();
    }

    /// Ends a session that lives: a program of ours with it, an attached one goes on.
    pub(super) fn end_unheard(&mut self) {
        self.call_off_restart();
        if !self.is_ended() {
            self.end_disconnected();
            self.tear_down(matches!(self.purpose, crate::session::spec::Purpose::Attach(_)));
        }
    }

    fn end_disconnected(&mut self) {
        let seq = self.note_event(Event { type_name: "disconnected", stream: "execution", ..Event::default() });
        let exit = Exit { seq, ..Exit::default() };
        self.apply(Input::Ended(Box::new(Ended { exit, disconnected: true, lost: None })));
    }

    /// Whether a program that was let go needs us: without us its output goes nowhere, and our [`Held`] takes it along.
    ///
    /// [`Held`]: crate::process::Held
    pub(super) fn program_lives(&self) -> bool {
        self.program.held.as_ref().is_some_and(|held| held.child.try_exit().is_none())
    }

    /// Whether nothing of this session is left to do; `handles`: somebody may still ask for something. Who has asked is answered.
    pub(super) fn is_over(&self, handles: bool) -> bool {
        let is_asked = !self.queue.is_empty() || !self.waiters.is_empty();
        !self.ending.is_under_way() && (self.ending.server_ends() || !handles && !is_asked && !self.program_lives())
    }
}
