//! Pausing the program: for a client, or unseen, for edits and looks.
//!
//! The race to remember: a pause may cross a stop that is already on its way. An adapter does not report a pause of a stopped program
//! (vendor-notes.md), so that other stop answers it; and a pause that was not sent by then must not be sent after the next
//! resume.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use super::Actor;
use super::done::Done;
use super::waits::{WaitKind, Waiter};
use crate::dap::{self, Client, DapError, request};
use crate::session::command::{Command, Waiting};
use crate::session::context::adapter_words;
use crate::session::disarm;
use crate::session::error::{Code, SessionError};
use crate::session::ids::{EventSeq, StateName, ThreadId};
use crate::session::inspect::ReadError;
use crate::session::startup::Method;
use crate::session::state::State;

/// debug_pause's default, and the patience of our own.
const PAUSE: Duration = Duration::from_secs(5);

impl Actor {
    pub(super) fn pause(&mut self, thread: Option<ThreadId>, waiting: Waiting) {
        self.pauses.name(thread);
        // at a stop it answers that stop
        let mut baseline = EventSeq(0);
        match self.machine.state() {
            State::Ended(_) => return drop(waiting.answer.send(Err(self.not_running()))),
            State::Starting { .. } => {
                let refusal = SessionError::new(
                    Code::NotRunning,
                    format!("the program cannot be paused: {}", self.running_words()),
                    "wait for debug_launch or debug_attach to return, or debug_disconnect",
                );
                return drop(waiting.answer.send(Err(refusal.in_state(StateName::Starting))));
            }
            State::Stopped(_) if self.stop.published().is_some() => {}
            // a stop that is being judged is reported, whatever it is
            State::Stopped(_) => self.pauses.want(),
            State::Running { .. } => {
                baseline = self.log.last();
                self.pauses.want();
                self.send_pause(thread);
            }
        }
        self.waiters.push(Waiter::new(waiting, WaitKind::Pause, baseline, Some(PAUSE)));
    }

    /// One pause at a time. Where the adapter judges conditions the next hit is made to stop instead: a pause that meets a
    /// hit while another is judged leaves the program stopped for good, since the adapter then goes on once and was stopped
    /// twice (netcoredbg, callbacksqueue.cpp; 25 of 50 runs of up to three edits in hot code, both adapters, 2026-11-21).
    fn send_pause(&mut self, wanted: Option<ThreadId>) {
        if self.adapter_breakpoints.judges_conditions() {
            self.adapter_breakpoints.withhold_conditions();
            let judge = self.link.as_ref().and_then(|link| Some(link.adapter.as_ref()?.pid));
            return self.after_edit(move |actor| actor.ask_pause(wanted, judge));
        }
        self.ask_pause(wanted, None);
    }

    /// Pauses a real thread: adapters refuse 0 and unknown ones (vendor-notes.md). Not before `judge`, a process, has nothing
    /// to do, and not if the program stops until then.
    fn ask_pause(&mut self, wanted: Option<ThreadId>, judge: Option<u32>) {
        // who wanted it may have given up meanwhile
        if !matches!(self.machine.state(), State::Running { .. }) || !self.pauses.is_on() {
            return;
        }
        let Some(link) = &self.link else { return };
        let Some(called_off) = self.pauses.ask() else { return };
        let client = link.client.clone();
        let main = self.program.pid.map(i64::from);
        let last = self.delivered.frame().thread.map(|thread| thread.0);
        self.job(async move {
            if let Some(judge) = judge {
                let limit = Instant::now() + PAUSE / 2;
                while disarm::is_busy(judge).await && Instant::now() < limit && !called_off.load(Ordering::Relaxed) {}
            }
            let result = ask(client, wanted.map(|wanted| wanted.0), last, main, &called_off).await;
            Done::Paused(called_off, result)
        });
    }

    pub(super) fn on_pause_answered(&mut self, asked: &Arc<AtomicBool>, result: Result<(), SessionError>) {
        self.pauses.answered(asked);
        let Err(error) = result else { return };
        if !matches!(self.machine.state(), State::Running { .. }) {
            return;
        }
        self.pauses.give_up();
        self.give_up_quiet(&error);
        for waiter in std::mem::take(&mut self.waiters) {
            if waiter.kind == WaitKind::Pause {
                waiter.answer(Err(error.clone()));
            } else {
                self.waiters.push(waiter);
            }
        }
    }

    /// Whether a change of the adapter's breakpoints has to wait for a pause of ours: both adapters crash when it comes
    /// while a condition is evaluated in hot code (vendor-notes.md, dangers, no. 13). Asks for that pause.
    pub(super) fn must_be_quiet(&mut self) -> bool {
        self.adapter_breakpoints.judges_conditions() && self.must_pause_unseen()
    }

    /// Whether a running program may be paused for a look at it.
    pub(super) fn takes_snapshots(&self) -> bool {
        let is_replay = self.link.as_ref().is_some_and(|link| link.method == Method::Replay);
        !self.settings.read_only && !is_replay
    }

    /// Whether the command whose turn it is is done under such a pause.
    fn next_needs_quiet(&self) -> bool {
        let needs = |next: &Command| next.edits_breakpoints() || next.takes_snapshot() && self.takes_snapshots();
        self.queue.front().is_some_and(needs)
    }

    /// Whether the program runs, so that a pause of ours has to come first. Asks for that pause.
    pub(super) fn must_pause_unseen(&mut self) -> bool {
        if !matches!(self.machine.state(), State::Running { .. }) {
            return false;
        }
        if self.pauses.hide(Instant::now() + PAUSE) {
            self.send_pause(None);
        }
        true
    }

    /// Edits and looks that came meanwhile are done: the program goes on as it would have.
    pub(super) fn end_quiet(&mut self) {
        if self.next_needs_quiet() || self.adapter_breakpoints.is_syncing() || self.stop.is_read() {
            return;
        }
        if let Some(onward) = self.pauses.leave() {
            self.go_onward(onward);
        }
    }

    pub(super) fn check_quiet(&mut self) {
        if self.pauses.deadline().is_some_and(|until| Instant::now() >= until) {
            let error = SessionError::new(Code::AdapterError, "the program did not pause within 5 s", "debug_pause");
            self.give_up_quiet(&error);
        }
    }

    /// The edits that wait for it cannot be made.
    fn give_up_quiet(&mut self, error: &SessionError) {
        if !self.pauses.give_up_hidden() {
            return;
        }
        while self.next_needs_quiet() {
            if self.queue.front().is_some_and(Command::takes_snapshot) {
                if let Some(look) = self.queue.pop_front() {
                    look.fail(error.clone().in_state(StateName::Running));
                }
                continue;
            }
            let refusal = SessionError::new(
                Code::AdapterError,
                format!(
                    "cannot change breakpoints while conditions are being evaluated in the running program, and pausing failed: {}",
                    error.message
                ),
                "debug_pause, repeat this call, then debug_continue",
            );
            if let Some(edit) = self.queue.pop_front() {
                edit.fail(refusal.in_state(StateName::Running));
            }
        }
    }
}

async fn ask(
    client: Client,
    wanted: Option<i64>,
    last: Option<i64>,
    main: Option<i64>,
    called_off: &AtomicBool,
) -> Result<(), SessionError> {
    if called_off.load(Ordering::Relaxed) {
        return Ok(());
    }
    let words = |error: DapError| adapter_words(&ReadError::from(error));
    let threads = client.request::<request::Threads>(()).await.map_err(words)?.threads;
    let known = |id: &i64| threads.iter().any(|thread| thread.id == *id);
    if let Some(wanted) = wanted.filter(|wanted| !known(wanted)) {
        return Err(SessionError::new(
            Code::InvalidThread,
            format!("no thread {wanted}"),
            "omit thread_id, or use one from debug_query_events {stream: \"threads\"}",
        )
        .in_state(StateName::Running));
    }
    let mut order: Vec<i64> = [wanted, last, main].into_iter().flatten().filter(known).collect();
    order.extend(threads.iter().map(|thread| thread.id));
    let mut refusal = None;
    for id in order.into_iter().take(8) {
        if called_off.load(Ordering::Relaxed) {
            return Ok(());
        }
        match client.request::<request::Pause>(dap::ThreadArguments { thread_id: id }).await {
            Ok(_) => return Ok(()),
            Err(error @ DapError::Refused { .. }) => refusal = Some(error),
            Err(error) => return Err(words(error)),
        }
    }
    Err(refusal.map_or_else(
        || {
            SessionError::new(Code::AdapterError, "the program has no managed thread yet", "try again in a moment")
                .in_state(StateName::Running)
        },
        words,
    ))
}
