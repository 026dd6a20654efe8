//! When what changes with every hit is reported: not with every hit.

use std::time::{Duration, Instant};

/// No more often while the program runs.
const EVERY: Duration = Duration::from_millis(200);

/// When the last report was made, and whether there is more to report by now.
#[derive(Debug, Default)]
pub struct Reports {
    last: Option<Instant>,
    is_due: bool,
}

impl Reports {
    /// There is something to report.
    pub fn note(&mut self) {
        self.is_due = true;
    }

    /// All is reported.
    pub fn done(&mut self) {
        *self = Self { last: Some(Instant::now()), is_due: false };
    }

    /// How long to wait for the next report, if there is something to report.
    pub fn due_in(&self) -> Option<Duration> {
        let wait = self.last.map_or(Duration::ZERO, |last| EVERY.saturating_sub(last.elapsed()));
        self.is_due.then_some(wait)
    }
}
