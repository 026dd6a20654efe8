//! How far a breakpoint has come while the program runs: what was judged, what held, what one hit costs.

use super::entry::{Entry, Role};
use crate::session::counted::counted;

impl Entry {
    /// One sentence for who waits for it; `None` where every hit stops. `by_adapter`: the adapter judges its condition alone,
    /// and does not count that.
    pub fn progress(&self, by_adapter: bool) -> Option<String> {
        if !self.spec.enabled || self.role != Role::User {
            return None;
        }
        let hits = self.hits.total();
        let counts = self.condition_counts.counts();
        let cost = counts.cost().map(|cost| format!(", {:.1} ms each", cost.as_secs_f64() * 1e3)).unwrap_or_default();
        let what = self.what();
        let id = self.id;
        match (&self.spec.condition, &self.spec.hit_condition) {
            (Some(_), _) if by_adapter => Some(format!(
                "{what} {id}: condition true {}; the adapter evaluates it and does not report how often it was false",
                counted(hits, "time")
            )),
            (Some(_), _) if counts.evaluations > 0 => {
                let (all, held) = (counted(counts.evaluations, "time"), counted(hits, "time"));
                Some(format!("{what} {id}: condition evaluated {all}, true {held}{cost}"))
            }
            (None, Some(condition)) if hits > 0 => {
                Some(format!("{what} {id}: {} so far{cost}; hit_condition {condition}", counted(hits, "hit")))
            }
            _ => None,
        }
    }
}
