//! When what changes with every hit is reported: not with every hit.

use std::time::{Duration, Instant};

/// When the last report was made, and whether there is more to report by now.
#[derive(Debug)]
pub struct Reports {
    /// No more often while the program runs.
    every: Duration,
    last: Option<Instant>,
    is_due: bool,
}

impl Reports {
    pub fn every(every: Duration) -> Self {
        Self { every, last: None, is_due: false }
    }

    /// There is something to report.
    pub fn note(&mut self) {
        self.is_due = true;
    }

    /// All is reported.
    pub fn done(&mut self) {
        (self.last, self.is_due) = (Some(Instant::now()), false);
    }

    /// How long to wait for the next report, if there is something to report.
    pub fn due_in(&self) -> Option<Duration> {
        let wait = self.last.map_or(Duration::ZERO, |last| self.every.saturating_sub(last.elapsed()));
        self.is_due.then_some(wait)
    }
}
