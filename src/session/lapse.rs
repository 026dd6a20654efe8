//! A stop that a silent client left standing: the program went on by itself, and this is what is still known of that stop.
//!
//! Only a program that was attached to does so: others depend on it. Until a call comes, its later stops are passed at once: a
//! breakpoint in hot code would hold it again and again. The race to remember: a call may come in the very moment; it
//! finds the program running, so every answer that needs a stop says what happened.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::ids::EventSeq;
use super::report::Frame;
use super::spec::{Scope, StackQuery, VariablesQuery};
use super::stopping::Completed;
use super::view::{StackView, VariablesView};

/// The calls of all clients, as far as they keep a stop standing.
#[derive(Debug, Clone)]
pub(crate) struct Calls(Arc<Mutex<Counted>>);

#[derive(Debug)]
struct Counted {
    in_progress: usize,
    last: Instant,
}

/// One call; it lasts until this is dropped.
#[derive(Debug)]
pub struct CallInProgress(Calls);

impl Calls {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Counted { in_progress: 0, last: Instant::now() })))
    }

    pub(crate) fn begin(&self) -> CallInProgress {
        self.counted().in_progress += 1;
        CallInProgress(self.clone())
    }

    /// Since when there was no call. `None`: one is in progress.
    pub(crate) fn silent_since(&self) -> Option<Instant> {
        let counted = self.counted();
        (counted.in_progress == 0).then_some(counted.last)
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CallInProgress {
    fn drop(&mut self) {
        let mut counted = self.0.counted();
        counted.in_progress -= 1;
        counted.last = Instant::now();
    }
}

/// A stop that is over without anyone having asked for it, and those after it.
#[derive(Debug, Clone)]
pub struct Lapsed {
    stop: Completed,
    after: Duration,
    /// When it was left.
    at: Instant,
    first: EventSeq,
    last: EventSeq,
    /// Later stops, which were passed at once.
    passed: u64,
    /// An answer has said so.
    is_reported: bool,
}

impl Lapsed {
    pub(crate) fn new(stop: Completed, seq: EventSeq, after: Duration, at: Instant) -> Self {
        Self { stop, after, at, first: seq, last: seq, passed: 0, is_reported: false }
    }

    /// The same behind one that no answer has reported yet.
    #[must_use]
    pub(crate) fn behind(self, earlier: Option<Self>) -> Self {
        match earlier.filter(|earlier| !earlier.is_reported) {
            Some(earlier) => Self { first: earlier.first, passed: earlier.passed + 1, ..self },
            None => self,
        }
    }

    /// No call came since: `silent_since` is the end of the last one.
    pub(crate) fn is_silent(&self, silent_since: Option<Instant>) -> bool {
        silent_since.is_some_and(|since| since <= self.at)
    }

    /// A stop was passed; answers the one before it, where that was passed too.
    pub(crate) fn pass(&mut self, seq: EventSeq) -> Option<EventSeq> {
        let before = std::mem::replace(&mut self.last, seq);
        self.passed += 1;
        self.is_reported = false;
        (self.passed > 1).then_some(before)
    }

    pub(crate) fn mark_reported(&mut self, reported: bool) {
        self.is_reported = reported;
    }

    pub(crate) fn is_reported(&self) -> bool {
        self.is_reported
    }

    /// `the program stopped at Program.cs:46 (breakpoint, seq 11) and was resumed because no call came for 60 s (max_stop_s); after that
    /// it was resumed immediately at 159 more stops (the last at seq 325)`
    pub(crate) fn words(&self) -> String {
        let place = self.stop.location.as_ref().map(|location| format!(" at {}:{}", location.file, location.line));
        let (reason, after) = (self.stop.reason.as_str(), self.after.as_secs());
        let (first, last) = (self.first, self.last);
        let passed = match self.passed {
            0 => String::new(),
            1 => format!("; after that it was resumed immediately at 1 more stop (seq {last})"),
            more => format!("; after that it was resumed immediately at {more} more stops (the last at seq {last})"),
        };
        format!(
            "the program stopped{} ({reason}, seq {first}) and was resumed because no call came for {after} s (max_stop_s){passed}",
            place.unwrap_or_default()
        )
    }

    /// The stack as far as the report of that stop had it. `None`: more is asked for.
    pub(crate) fn stack(&self, query: &StackQuery) -> Option<StackView> {
        let stop = &self.stop;
        if query.start_frame > 0 || query.thread.is_some_and(|thread| thread != stop.thread) {
            return None;
        }
        let top = stop.location.as_ref().map(|location| Frame {
            frame: Some(location.frame),
            function: location.function.clone().unwrap_or_default(),
            kind: location.kind.clone(),
            at: format!("{}:{}", location.file, location.line),
            source: location.source.clone(),
            resumes: false,
            others_await: 0,
            locals: Vec::new(),
        });
        let frames: Vec<Frame> = top.into_iter().chain(stop.stack.iter().cloned()).collect();
        let shown = frames.len().min(query.max_frames);
        Some(StackView {
            thread: (stop.thread, stop.thread_name.clone()),
            more_frames: stop.more_frames + frames.len() - shown,
            frames: frames.into_iter().take(shown).collect(),
            external_frames: stop.external_frames,
            awaited_by: stop.awaited_by.clone(),
            more_awaiting: stop.more_awaiting,
            note: Some(self.words()),
        })
    }

    /// The locals that the report of that stop had. `None`: more is asked for.
    pub(crate) fn variables(&self, query: &VariablesQuery) -> Option<VariablesView> {
        let stop = &self.stop;
        let here = stop.location.as_ref().map(|location| location.frame);
        let elsewhere = query.at.thread.is_some_and(|thread| thread != stop.thread)
            || query.at.frame.is_some_and(|frame| Some(frame) != here);
        if elsewhere || query.path.is_some() || query.scope != Scope::All {
            return None;
        }
        let filter = query.filter.as_deref().map(regex::Regex::new).transpose().ok()?;
        let variables = stop.locals.iter().filter(|local| filter.as_ref().is_none_or(|it| it.is_match(&local.name)));
        Some(VariablesView {
            variables: variables.cloned().collect(),
            hidden: stop.more_locals as u64,
            note: Some(self.words()),
            ..VariablesView::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::ids::ThreadId;
    use crate::session::report::StopReason;

    fn lapsed(seq: u64, at: Instant) -> Lapsed {
        let stop = Completed {
            reason: StopReason::Breakpoint,
            thread: ThreadId(1),
            thread_name: None,
            location: None,
            breakpoint_ids: vec![1],
            hit_counts: vec![1],
            exception: None,
            exception_hung: false,
            locals: Vec::new(),
            more_locals: 0,
            watches: Vec::new(),
            returned: Vec::new(),
            has_more_returned: false,
            stack: Vec::new(),
            external_frames: 0,
            more_frames: 0,
            awaited_by: Vec::new(),
            more_awaiting: 0,
            uncounted: None,
            moment: None,
            edited: None,
            origin: None,
            cut_short: None,
            is_trace: false,
            unread: None,
            step_note: None,
            passed: None,
        };
        Lapsed::new(stop, EventSeq(seq), Duration::from_secs(60), at)
    }

    #[test]
    fn stops_are_passed_while_no_call_came_since_the_first_was_left() {
        let at = Instant::now();
        let second = Duration::from_secs(1);
        let stop = lapsed(7, at);
        for (silent_since, silent) in [(Some(at - second), true), (None, false), (Some(at + second), false)] {
            assert_eq!(stop.is_silent(silent_since), silent, "{silent_since:?}");
        }
    }

    #[test]
    fn stops_that_were_passed_are_counted_until_an_answer_reports_them() {
        let at = Instant::now();
        let mut stop = lapsed(7, at);
        assert!(!stop.words().contains("more stop"), "{}", stop.words());
        assert_eq!([8, 12, 15].map(|seq| stop.pass(EventSeq(seq))), [None, Some(EventSeq(8)), Some(EventSeq(12))]);
        assert!(
            stop.words().ends_with("; after that it was resumed immediately at 3 more stops (the last at seq 15)"),
            "{}",
            stop.words()
        );
        // a call about another session came between
        let again = lapsed(21, at).behind(Some(stop.clone()));
        assert!(
            again.words().ends_with("; after that it was resumed immediately at 4 more stops (the last at seq 21)"),
            "{}",
            again.words()
        );
        stop.mark_reported(true);
        assert!(!lapsed(21, at).behind(Some(stop)).words().contains("more stop"));
    }

    #[tokio::test(start_paused = true)]
    async fn silence_begins_with_the_end_of_the_last_call() {
        let calls = Calls::new();
        let (first, second) = (calls.begin(), calls.begin());
        tokio::time::advance(Duration::from_secs(5)).await;
        drop(first);
        assert_eq!(calls.silent_since(), None);
        tokio::time::advance(Duration::from_secs(5)).await;
        drop(second);
        assert_eq!(calls.silent_since(), Some(Instant::now()));
    }
}
