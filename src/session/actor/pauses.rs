//! The pauses under way: one that a client requests, and a hidden one of ours during which breakpoints change.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::time::Instant;

use crate::session::ids::ThreadId;
use crate::session::stopping::Onward;

/// One request at a time serves both: the next stop answers the client, and lets the edits be made.
#[derive(Default)]
pub(super) struct Pauses {
    /// A client wants the next stop reported, whatever it is.
    wanted: bool,
    /// The thread that the latest debug_pause named.
    thread: Option<ThreadId>,
    /// Our request that is not answered; set to true it is not sent any more.
    asked: Option<Arc<AtomicBool>>,
    hidden: HiddenPause,
}

/// A pause of ours, for an edit that must not happen while the program runs, or for a look at all threads.
#[derive(Default)]
enum HiddenPause {
    #[default]
    No,
    /// Asked for; the edits and looks wait.
    Wanted { until: Instant },
    /// Stopped; when the edits and looks are done it goes on like this.
    Here { onward: Box<Onward>, since: Instant },
}

impl Pauses {
    /// A client's next debug_pause means this thread.
    pub(super) fn name(&mut self, thread: Option<ThreadId>) {
        self.thread = thread;
    }

    /// A client wants the next stop reported.
    pub(super) fn want(&mut self) {
        self.wanted = true;
    }

    /// The client learns of a stop, or that there is none.
    pub(super) fn give_up(&mut self) {
        self.wanted = false;
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.wanted
    }

    pub(super) fn thread(&self) -> Option<ThreadId> {
        self.thread
    }

    /// Somebody waits for the program to stop.
    pub(super) fn is_on(&self) -> bool {
        self.wanted || self.is_hidden()
    }

    /// The right to send a request, which is called off by the flag; `None` while one is not answered.
    pub(super) fn ask(&mut self) -> Option<Arc<AtomicBool>> {
        if self.asked.is_some() {
            return None;
        }
        let called_off = Arc::new(AtomicBool::new(false));
        self.asked = Some(called_off.clone());
        Some(called_off)
    }

    /// A request was sent and is not answered.
    pub(super) fn is_unanswered(&self) -> bool {
        self.asked.is_some()
    }

    /// That request was answered. One that was called off may be answered after the next was asked.
    pub(super) fn answered(&mut self, asked: &Arc<AtomicBool>) {
        self.asked.take_if(|current| Arc::ptr_eq(current, asked));
    }

    /// The program stopped, or is about to be resumed: a pause that was not sent yet is not sent any more.
    pub(super) fn call_off(&mut self) {
        if let Some(called_off) = self.asked.take() {
            called_off.store(true, Ordering::Relaxed);
        }
    }

    /// A stop is reported, or there is no program: nothing waits for a pause.
    pub(super) fn end(&mut self) {
        self.call_off();
        self.wanted = false;
        self.hidden = HiddenPause::No;
    }

    /// A pause of ours is under way, which has to come by then. `false`: it was already.
    pub(super) fn hide(&mut self, until: Instant) -> bool {
        let is_new = !self.is_hidden();
        if is_new {
            self.hidden = HiddenPause::Wanted { until };
        }
        is_new
    }

    /// A pause of ours is under way, or here.
    pub(super) fn is_hidden(&self) -> bool {
        !matches!(self.hidden, HiddenPause::No)
    }

    /// The program stands for a pause of ours.
    pub(super) fn is_here(&self) -> bool {
        matches!(self.hidden, HiddenPause::Here { .. })
    }

    /// When it stopped for it.
    pub(super) fn since(&self) -> Option<Instant> {
        match self.hidden {
            HiddenPause::Here { since, .. } => Some(since),
            _ => None,
        }
    }

    /// When a pause of ours has to have come.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.hidden {
            HiddenPause::Wanted { until } => Some(until),
            _ => None,
        }
    }

    /// A stop that nobody is to hear of. One that was waited for keeps it; else it is left `onward` at once.
    pub(super) fn arrive(&mut self, onward: Onward, now: Instant) -> Option<Onward> {
        if !matches!(self.hidden, HiddenPause::Wanted { .. }) {
            return Some(onward);
        }
        self.call_off();
        self.hidden = HiddenPause::Here { onward: Box::new(onward), since: now };
        None
    }

    /// The edits and looks are done: how the program goes on.
    pub(super) fn leave(&mut self) -> Option<Onward> {
        match std::mem::take(&mut self.hidden) {
            HiddenPause::Here { onward, .. } => Some(*onward),
            other => {
                self.hidden = other;
                None
            }
        }
    }

    /// A pause of ours will not come. `false`: none was waited for. The request stays if a client wants its stop.
    pub(super) fn give_up_hidden(&mut self) -> bool {
        if self.deadline().is_none() {
            return false;
        }
        self.hidden = HiddenPause::No;
        if !self.wanted {
            self.call_off();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_called_off(asked: &AtomicBool) -> bool {
        asked.load(Ordering::Relaxed)
    }

    #[test]
    fn one_request_at_a_time_and_an_old_answer_is_not_the_new_ones() {
        let mut pauses = Pauses::default();
        let first = pauses.ask().unwrap();
        assert!(pauses.ask().is_none());
        pauses.call_off();
        let second = pauses.ask().unwrap();
        assert_eq!((is_called_off(&first), is_called_off(&second)), (true, false));
        pauses.answered(&first);
        assert!(pauses.ask().is_none(), "the second is not answered");
        pauses.answered(&second);
        assert!(pauses.ask().is_some());
    }

    #[test]
    fn a_hidden_stop_stays_only_where_it_was_waited_for() {
        let now = Instant::now();
        let mut pauses = Pauses::default();
        assert!(matches!(pauses.arrive(Onward::Continue, now), Some(Onward::Continue)));
        assert!(pauses.hide(now) && !pauses.hide(now));
        let asked = pauses.ask().unwrap();
        assert!(pauses.leave().is_none() && pauses.deadline() == Some(now), "it is not here yet");
        assert!(pauses.arrive(Onward::StepOn, now).is_none());
        assert!(is_called_off(&asked), "another stop than the pause came first");
        assert_eq!((pauses.is_here(), pauses.since(), pauses.deadline()), (true, Some(now), None));
        assert!(matches!(pauses.leave(), Some(Onward::StepOn)));
        assert!(!pauses.is_on() && pauses.leave().is_none());
    }

    #[test]
    fn what_a_client_waits_for_outlives_a_hidden_pause_that_fails() {
        let mut pauses = Pauses::default();
        assert!(!pauses.give_up_hidden(), "none was waited for");
        for wanted in [false, true] {
            pauses.hide(Instant::now());
            let asked = pauses.ask().unwrap();
            if wanted {
                pauses.want();
            }
            assert!(pauses.give_up_hidden());
            assert_eq!((is_called_off(&asked), pauses.is_on()), (!wanted, wanted));
            pauses.end();
            assert!(is_called_off(&asked) && !pauses.is_on());
        }
    }
}
