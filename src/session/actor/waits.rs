//! Who waits for what, and when a wait is over: an outcome, a deadline, the caller's end.

use std::time::Duration;

use tokio::time::Instant;

use super::Actor;
use crate::session::command::{Answer, Waiting};
use crate::session::error::SessionError;
use crate::session::ids::{BreakpointId, EventSeq, ThreadId};
use crate::session::report::{Content, Outcome, Receipt, Report, Variable};
use crate::session::spec::{Include, WaitFor};
use crate::session::state::{Input, State};
use crate::session::stopping::{Compared, Completed};

pub(super) const NOT_AWAITED: &str =
    "a step out of an async method ends where its result is awaited, but no user code awaited it";
const STEP_LOST: &str = "the step did not end: the adapter lost track of it when another breakpoint was hit during an await, and its method did not resume";

/// The tools' default.
pub(super) const DEFAULT: Duration = Duration::from_secs(30);

/// How long a wait that is over waits for a stop that is being read.
pub(super) const READING: Duration = Duration::from_secs(3);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitKind {
    /// launch, attach.
    Open,
    Restart,
    Continue,
    Step,
    RunTo,
    Pause,
    Wait,
    /// Only how it ended is reported.
    Disconnect,
}

impl WaitKind {
    /// Its clock starts when the program does.
    pub(super) fn opens(self) -> bool {
        matches!(self, Self::Open | Self::Restart)
    }
}

pub(super) struct Waiter {
    pub kind: WaitKind,
    pub include: Include,
    /// Outcomes after it count.
    pub baseline: EventSeq,
    pub breakpoint: Option<BreakpointId>,
    pub began: Instant,
    pub timeout: Option<Duration>,
    /// `None` until the clock runs.
    pub deadline: Option<Instant>,
    pub note: Option<String>,
    is_unheard: bool,
    answer: Answer<Report>,
}

impl Waiter {
    /// The program ended before its step did.
    pub(super) fn lost_step(&mut self) {
        self.note = Some(STEP_LOST.into());
    }

    /// The same: nobody took what the step was to end with.
    pub(super) fn awaits_nobody(&mut self) {
        self.note = Some(NOT_AWAITED.into());
    }

    pub(super) fn new(waiting: Waiting, kind: WaitKind, baseline: EventSeq, default: Option<Duration>) -> Self {
        let began = Instant::now();
        let timeout = waiting.wait.timeout.or(default);
        Self {
            kind,
            include: waiting.include,
            baseline,
            breakpoint: None,
            began,
            timeout: waiting.wait.timeout,
            deadline: if kind.opens() { None } else { timeout.map(|timeout| began + timeout) },
            note: None,
            is_unheard: waiting.is_unheard,
            answer: waiting.answer,
        }
    }

    /// Ready when nobody waits any more.
    pub(super) fn poll_called_off(&mut self, context: &mut std::task::Context<'_>) -> std::task::Poll<()> {
        self.answer.poll_closed(context)
    }

    pub(super) fn begin_waiting(&mut self, default: Duration) {
        self.deadline = Some(Instant::now() + self.timeout.unwrap_or(default));
    }

    pub(super) fn answer(self, result: Result<Report, SessionError>) {
        drop(self.answer.send(result));
    }

    /// The same wait for another start.
    pub(super) fn into_waiting(self) -> Waiting {
        let wait = crate::session::reply::Wait { timeout: self.timeout, phase: None };
        Waiting { include: self.include, wait, answer: self.answer, is_unheard: self.is_unheard }
    }
}

/// A stop that is reported.
#[derive(Debug, Clone)]
pub(super) struct Published {
    pub seq: EventSeq,
    pub at: Instant,
    pub completed: Completed,
    /// With the last stop in this call.
    pub compared: Compared,
    pub note: Option<String>,
}

/// What the client last saw: a step there reports only what changed.
#[derive(Debug, Clone, Default)]
pub(super) struct ReportedFrame {
    pub thread: Option<ThreadId>,
    pub frame: Option<crate::session::stopping::FrameKey>,
    /// Watches that failed, and why in short.
    pub failed_watches: Vec<(String, String)>,
}

/// A watch that has no value, and why, without the names that there are.
pub(super) fn failed_watch(watch: &Variable) -> Option<(String, String)> {
    let Content::Error(words) = &watch.content else { return None };
    let short = words.split("; ").next().unwrap_or(words);
    Some((watch.name.clone(), short.to_owned()))
}

impl Actor {
    /// breakpoint_wait, debug_continue of a running program.
    pub(super) fn wait(&mut self, what: WaitFor, waiting: Waiting, kind: WaitKind) {
        if let State::Ended(_) = self.machine.state() {
            // an end that nobody has heard of is an outcome, a known one an error
            if self.delivered.upto().stop >= self.end_seq() && what.since.is_none() {
                drop(waiting.answer.send(Err(self.not_running())));
                return;
            }
        }
        let baseline = match (what.since, self.stop.published()) {
            // a position of another session, or of no session, hides nothing
            (Some(since), _) => since.min(self.log.last()),
            // nobody will resume it: a wait at a stop is answered by that stop
            (None, Some(published)) => EventSeq(self.delivered.upto().stop.0.min(published.seq.0.saturating_sub(1))),
            (None, None) => self.delivered.upto().stop,
        };
        let at_known_stop = what.since.is_none()
            && self.stop.published().is_some_and(|published| published.seq <= self.delivered.upto().stop);
        let mut waiter = Waiter::new(waiting, kind, baseline, Some(DEFAULT));
        waiter.breakpoint = what.breakpoint;
        if at_known_stop {
            waiter.note = Some("the program was already stopped here".into());
        }
        self.waiters.push(waiter);
    }

    /// Answers every wait that is over.
    pub(super) fn serve_waiters(&mut self) {
        let before = self.delivered.upto();
        let mut served = Vec::new();
        let mut left = Vec::new();
        let mut calls_off = false;
        for waiter in std::mem::take(&mut self.waiters) {
            if waiter.answer.is_closed() {
                // whoever called off the start knows no session
                calls_off |= waiter.kind == WaitKind::Open && !self.is_ended();
                if !self.is_ended() && !waiter.is_unheard {
                    self.delivered.wait_called_off();
                }
                continue;
            }
            match self.outcome_for(&waiter) {
                Some(Ok(outcome)) => served.push((waiter, Ok(outcome))),
                Some(Err(error)) => served.push((waiter, Err(error))),
                None => left.push(waiter),
            }
        }
        self.waiters = left;
        if calls_off {
            self.call_off_start();
        }
        for (waiter, outcome) in served {
            let result = outcome.map(|outcome| self.report(&waiter, outcome, before));
            let delivered = result.as_ref().ok().map(|report| {
                let ends = matches!(report.outcome, Outcome::Exited(_) | Outcome::Disconnected { .. });
                self.delivered_by(report, waiter.include.output || ends)
            });
            let unheard = waiter.is_unheard;
            if waiter.answer.send(result).is_ok() {
                if let Some((receipt, frame)) = delivered.filter(|_| !unheard) {
                    self.mark_reported(receipt, frame);
                }
            } else if !unheard {
                self.delivered.wait_called_off();
            }
        }
    }

    /// The outcome of a wait, if it has one now. The present is tested first, so nothing that came before is lost.
    fn outcome_for(&self, waiter: &Waiter) -> Option<Result<WaitOutcome, SessionError>> {
        if let State::Ended(ended) = self.machine.state() {
            if let Some(lost) = &ended.lost {
                return Some(Err((**lost).clone()));
            }
            if ended.disconnected {
                // reported when it is true: nothing of it runs, or holds on to the program, any more
                return (!self.ending.is_under_way()).then_some(Ok(WaitOutcome::Disconnected(ended.exit.seq)));
            }
            return Some(Ok(WaitOutcome::Exited));
        }
        if self.is_dying() {
            return None;
        }
        if let Some(published) = self.stop.published()
            && published.seq > waiter.baseline
        {
            return Some(Ok(WaitOutcome::Stopped));
        }
        let over = waiter.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let has_news = self.ready.unreported().is_some() || self.program.input.is_unreported();
        let ready = has_news && waiter.deadline.is_some();
        let running = !matches!(self.machine.state(), State::Starting { .. });
        // a stop that is being read is reported in a moment: better late than `still_running`
        let completing = matches!(self.machine.state(), State::Stopped(_))
            && self.stop.published().is_none()
            && !self.pauses.is_hidden();
        let late = waiter.deadline.is_some_and(|deadline| Instant::now() >= deadline + READING);
        (running && (over || ready) && (!completing || late)).then_some(Ok(WaitOutcome::StillRunning))
    }

    /// What a report makes known.
    fn delivered_by(&self, report: &Report, output: bool) -> (Receipt, Option<ReportedFrame>) {
        let stop = match &report.outcome {
            Outcome::Stopped(stop) => stop.seq,
            Outcome::Exited(exit) => exit.seq,
            Outcome::Disconnected { seq } => *seq,
            Outcome::StillRunning { .. } => self.delivered.upto().stop,
        };
        let frame = match (&report.outcome, self.stop.published()) {
            (Outcome::Stopped(stop), Some(published)) => Some(ReportedFrame {
                thread: Some(published.completed.thread),
                frame: published.completed.moment.clone().map(|moment| moment.key),
                failed_watches: stop.watches.iter().filter_map(failed_watch).collect(),
            }),
            _ => None,
        };
        let output = if output { self.output.end() } else { self.delivered.upto().output };
        (Receipt { stop: stop.max(self.delivered.upto().stop), output, trace: self.traces.count() }, frame)
    }

    fn mark_reported(&mut self, receipt: Receipt, frame: Option<ReportedFrame>) {
        if frame.is_some() {
            let edited = self.edited_file().map(str::to_owned);
            self.delivered.mark_edited(edited);
        }
        self.delivered.mark(receipt, frame);
        self.output.trouble_is_reported();
        self.condition_notes.clear();
        self.apply(Input::LapseReported(true));
        self.table.entries.iter().for_each(|entry| entry.faults.mark_reported());
        self.ready.mark_reported();
        self.program.input.mark_reported();
    }

    /// A report never reached its client.
    pub(super) fn not_delivered(&mut self, receipt: Receipt) {
        self.delivered.take_back(receipt);
        self.ready.take_back();
        self.program.input.take_back();
        self.apply(Input::LapseReported(false));
    }

    /// The current stop was reported to nobody.
    pub(super) fn has_unreported_stop(&self) -> bool {
        match (self.machine.state(), self.stop.published()) {
            (State::Stopped(_), Some(published)) => published.seq > self.delivered.upto().stop,
            (State::Stopped(_), None) => !self.pauses.is_hidden(),
            _ => false,
        }
    }
}

/// Which outcome a report is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitOutcome {
    Stopped,
    Exited,
    StillRunning,
    Disconnected(EventSeq),
}

impl WaitOutcome {
    /// Nothing comes after it.
    pub(super) fn ends(self) -> bool {
        matches!(self, Self::Exited | Self::Disconnected(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::reply::Wait;
    use tokio::sync::oneshot;

    fn waiting(timeout: Option<Duration>) -> (Waiting, oneshot::Receiver<Result<Report, SessionError>>) {
        let (answer, receiver) = oneshot::channel();
        let wait = Wait { timeout, phase: None };
        (Waiting { include: Include::default(), wait, answer, is_unheard: false }, receiver)
    }

    #[test]
    fn the_clock_of_a_start_begins_with_the_program_and_all_others_with_the_call() {
        let second = Duration::from_secs(1);
        for (kind, opens) in [(WaitKind::Open, true), (WaitKind::Restart, true), (WaitKind::Step, false)] {
            let (waiting, _receiver) = waiting(Some(second));
            let mut waiter = Waiter::new(waiting, kind, EventSeq(4), Some(DEFAULT));
            assert_eq!(waiter.deadline, (!opens).then_some(waiter.began + second), "{kind:?}");
            waiter.begin_waiting(DEFAULT);
            assert!(waiter.deadline.is_some_and(|deadline| deadline >= waiter.began + second));
        }
    }

    #[test]
    fn a_wait_has_the_default_where_nothing_is_asked_for_and_none_where_it_has_no_end() {
        let (first, _receiver) = waiting(None);
        let waiter = Waiter::new(first, WaitKind::Continue, EventSeq(0), Some(DEFAULT));
        assert_eq!(waiter.deadline, Some(waiter.began + DEFAULT));
        let (second, _receiver) = waiting(None);
        assert_eq!(Waiter::new(second, WaitKind::Disconnect, EventSeq(0), None).deadline, None);
    }

    #[test]
    fn a_wait_is_called_off_when_its_caller_is_gone() {
        let (waiting, receiver) = waiting(None);
        let mut waiter = Waiter::new(waiting, WaitKind::Wait, EventSeq(0), None);
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(waiter.poll_called_off(&mut context).is_pending());
        drop(receiver);
        assert!(waiter.poll_called_off(&mut context).is_ready());
    }
}
