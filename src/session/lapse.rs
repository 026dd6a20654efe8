//! A stop that a silent client left standing: the program went on by itself, and this is what is still known of that stop.
//!
//! Only a program that was attached to does so: others depend on it. The race to remember: a call may come in the very moment; it
//! finds the program running, so every answer that needs a stop says what happened.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

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

/// A stop that is over without anyone having asked for it.
#[derive(Debug, Clone)]
pub(crate) struct Lapsed {
    stop: Completed,
    after: Duration,
    /// A report has said so.
    pub told: bool,
}

impl Lapsed {
    pub(crate) fn new(stop: Completed, after: Duration) -> Self {
        Self { stop, after, told: false }
    }

    /// `it stopped at Program.cs:46 (breakpoint) and went on by itself: no call came for 60 s (max_stop_s)`
    pub(crate) fn words(&self) -> String {
        let place = self.stop.location.as_ref().map(|location| format!(" at {}:{}", location.file, location.line));
        let (reason, after) = (self.stop.reason.as_str(), self.after.as_secs());
        format!(
            "it stopped{} ({reason}) and was resumed: no call for {after} s (max_stop_s)",
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
            locals: Vec::new(),
        });
        let frames: Vec<Frame> = top.into_iter().chain(stop.stack.iter().cloned()).collect();
        let shown = frames.len().min(query.max_frames);
        Some(StackView {
            thread: (stop.thread, stop.thread_name.clone()),
            more_frames: stop.more_frames + frames.len() - shown,
            frames: frames.into_iter().take(shown).collect(),
            external_frames: stop.external_frames,
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
