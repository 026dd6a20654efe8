//! What an adapter may read at the hits of a tracepoint without a stop: under which number, and how often.
//!
//! The race to remember: hits may be read while the breakpoint changes. A message has its number for good, and what was read for an
//! older one is a line of that one.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::dap;

/// Of the messages that adapters are given: a number is never used again.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Hits in a row that had to stop: then the adapter only loses time with the next ones.
const FUTILE: u32 = 16;

#[derive(Debug, Clone)]
pub struct Tracing {
    number: u64,
    /// Hits that were read.
    read: u64,
    /// Hits that may be read in all, where the lines are limited.
    most: Option<u64>,
    /// Hits in a row that had to stop.
    stops: u32,
}

impl Tracing {
    /// Of a new message, of which there may be so many lines.
    pub fn new(max_lines: Option<u64>) -> Self {
        let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        Self { number, read: 0, most: max_lines.map(|most| most.saturating_sub(1)), stops: 0 }
    }

    pub fn number(&self) -> u64 {
        self.number
    }

    /// What the adapter is asked to read; `None`: nothing, as it could not.
    pub fn wanted(&self, expressions: Vec<String>) -> Option<dap::Trace> {
        (self.stops < FUTILE).then_some(dap::Trace { trace: self.number, expressions, most: self.most })
    }

    /// The adapter read a hit.
    pub fn was_read(&mut self) {
        self.read += 1;
        self.stops = 0;
    }

    /// A hit stopped that the adapter was asked to read.
    pub fn had_to_stop(&mut self) {
        if self.most.is_none_or(|most| self.read < most) {
            self.stops = self.stops.saturating_add(1);
        }
    }

    /// So many lines of so many are written. The last one is left to a stop, which ends the tracepoint there; not each line that is written
    /// elsewhere, or hit that writes none, is worth a change.
    pub fn limit(&mut self, lines: u64, max_lines: Option<u64>) {
        let fits = max_lines.map(|most| self.read + most.saturating_sub(lines + 1));
        let is_used_up = self.most.is_some_and(|most| self.read >= most);
        if is_used_up || fits < self.most {
            self.most = fits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most(tracing: &Tracing) -> Option<u64> {
        tracing.wanted(Vec::new()).unwrap().most
    }

    #[test]
    fn the_last_line_is_left_to_a_stop_whoever_wrote_those_before() {
        let mut tracing = Tracing::new(Some(5));
        assert_eq!(most(&tracing), Some(4));
        for lines in 1..=2 {
            tracing.was_read();
            tracing.limit(lines, Some(5));
            assert_eq!(most(&tracing), Some(4), "nothing to change");
        }
        tracing.limit(3, Some(5));
        assert_eq!(most(&tracing), Some(3), "one was written at a stop");
        tracing.was_read();
        // it wrote nothing, as it was the same again
        tracing.limit(3, Some(5));
        assert_eq!(most(&tracing), Some(4), "as many as were allowed are used up");
        assert_eq!(most(&Tracing::new(Some(1))), Some(0));
        assert_eq!(most(&Tracing::new(None)), None);
        let mut endless = Tracing::new(None);
        endless.was_read();
        endless.limit(1, None);
        assert_eq!(most(&endless), None);
    }

    #[test]
    fn an_adapter_that_never_can_is_not_asked_any_more() {
        let mut tracing = Tracing::new(None);
        for _ in 0..FUTILE - 1 {
            tracing.had_to_stop();
        }
        tracing.was_read();
        for _ in 0..FUTILE {
            assert!(tracing.wanted(Vec::new()).is_some());
            tracing.had_to_stop();
        }
        assert_eq!(tracing.wanted(Vec::new()), None);
        let mut full = Tracing::new(Some(1));
        (0..FUTILE).for_each(|_| full.had_to_stop());
        assert!(full.wanted(Vec::new()).is_some(), "it could have read them");
    }

    #[test]
    fn no_two_messages_have_one_number() {
        assert_ne!(Tracing::new(None).number(), Tracing::new(None).number());
    }
}
