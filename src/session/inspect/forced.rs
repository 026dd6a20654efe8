//! References below which the adapter runs getters: it was made to evaluate an expression that calls, and lists what came of it, and
//! everything under that, as generously. Whoever must not run code asks here before a listing.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Of one stop: all clones are one set. References are never used twice in a stop.
#[derive(Debug, Clone, Default)]
pub struct ForcedReferences(Arc<Mutex<HashSet<i64>>>);

impl ForcedReferences {
    /// Notes the value of a forced evaluation. 0, which has nothing to list, is not kept.
    pub fn add(&self, reference: i64) {
        if reference != 0 {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(reference);
        }
    }

    /// Notes what was listed below `parent`.
    pub fn inherit(&self, parent: i64, children: impl Iterator<Item = i64>) {
        if self.has(parent) {
            children.for_each(|child| self.add(child));
        }
    }

    /// Whether a listing of this reference runs getters.
    pub fn has(&self, reference: i64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&reference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_below_a_forced_value_is_forced_too() {
        let forced = ForcedReferences::default();
        forced.add(7);
        forced.inherit(7, [8, 0].into_iter());
        forced.inherit(3, [4].into_iter());
        assert_eq!([7, 8, 0, 3, 4].map(|reference| forced.has(reference)), [true, true, false, false, false]);
    }
}
