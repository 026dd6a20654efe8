//! How often a breakpoint was hit, its condition being true: as counted here, where a stop is judged, and by an adapter that decides hit
//! conditions itself.
//!
//! The race to remember: a stop may be on its way while the adapter is asked to count, or to stop counting. Each hit is counted by one
//! of the two: a stop says whether the adapter counted its hit, and the adapter is sent how many were counted here.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::dap::{Capabilities, HitCount, HitCounter};

/// Of the counters that adapters are given: a number is never used again.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Whether an adapter decides hit conditions as we do: it counts in the counters that it is given, and names every breakpoint that stops.
pub fn are_counted_by(adapter: &Capabilities) -> bool {
    adapter.supports_clr_hit_counts
}

/// Counted where a stop is judged, which is beside the actor; all clones are one.
#[derive(Debug, Clone)]
pub struct Hits(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    counter: u64,
    here: AtomicU64,
    there: AtomicU64,
}

impl Default for Hits {
    fn default() -> Self {
        let counter = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        Self(Arc::new(Counts { counter, here: AtomicU64::default(), there: AtomicU64::default() }))
    }
}

impl Hits {
    pub fn total(&self) -> u64 {
        self.0.here.load(Ordering::Relaxed) + self.0.there.load(Ordering::Relaxed)
    }

    /// One more that nobody else counted; its number.
    pub fn count(&self) -> u64 {
        self.0.here.fetch_add(1, Ordering::Relaxed);
        self.total()
    }

    /// Where the adapter is to count.
    pub fn counter(&self) -> HitCounter {
        HitCounter { counter: self.0.counter, before: self.0.here.load(Ordering::Relaxed) }
    }

    /// Whether a count is of these hits.
    pub fn is_counted_in(&self, count: &HitCount) -> bool {
        count.counter == self.0.counter
    }

    /// What the adapter counted so far. Whether that is more than was known.
    pub fn were_counted(&self, count: &HitCount) -> bool {
        self.is_counted_in(count) && self.0.there.fetch_max(count.hits, Ordering::Relaxed) < count.hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_counted_by_both_add_up() {
        let (hits, others) = (Hits::default(), Hits::default());
        assert_eq!((hits.count(), hits.clone().count()), (1, 2));
        let HitCounter { counter, before } = hits.counter();
        assert_eq!(before, 2);
        let count = HitCount { counter, hits: 5 };
        assert!(hits.were_counted(&count) && !hits.were_counted(&count) && !others.were_counted(&count));
        assert_eq!((hits.count(), hits.total(), others.total()), (8, 8, 0));
        assert_eq!(hits.counter(), HitCounter { counter, before: 3 });
    }
}
