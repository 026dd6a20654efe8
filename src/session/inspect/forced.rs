//! What the adapter was made to run at a stop. It lists what came of a forced expression, and everything under that, by running
//! getters: whoever must not run code asks here before a listing. And a path through a getter that ran may go through it again:
//! such an adapter loads nothing behind a getter otherwise, not even a field of the struct that it returned.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Of one stop: all clones are one record. References are never used twice in a stop.
#[derive(Debug, Clone, Default)]
pub struct Forced(Arc<Mutex<Record>>);

#[derive(Debug, Default)]
struct Record {
    references: HashSet<i64>,
    /// Of a frame, by the adapter's id.
    paths: HashSet<(i64, String)>,
    /// Calls that were made for the evaluation that is being shown, and must not be made again for that.
    runs: HashSet<(i64, String)>,
    /// An evaluation that did not return and could not be aborted.
    stuck: Option<String>,
}

impl Forced {
    /// Notes what came of a forced evaluation of `path`. A bare name runs nothing; 0 has nothing to list.
    pub fn add(&self, frame: i64, path: &str, reference: i64) {
        let mut record = self.record();
        if reference != 0 {
            record.references.insert(reference);
        }
        if path.contains(['.', '(', '[']) {
            record.paths.insert((frame, path.to_owned()));
        }
    }

    /// Notes a call that may have changed something: nothing reads on from it by making it again.
    pub fn note_run(&self, frame: i64, call: &str) {
        self.record().runs.insert((frame, call.to_owned()));
    }

    /// Notes that a call changes nothing after all.
    pub fn note_pure(&self, frame: i64, call: &str) {
        self.record().runs.retain(|(of, run)| (*of, run.as_str()) != (frame, call));
    }

    /// A new evaluation may make them.
    pub fn forget_runs(&self) {
        self.record().runs.clear();
    }

    /// Whether an expression would make such a call again.
    pub fn is_run(&self, frame: i64, expression: &str) -> bool {
        self.record().runs.iter().any(|(of, call)| *of == frame && expression.contains(call.as_str()))
    }

    /// Notes an evaluation that ended with these words, if it did not end in the program.
    pub fn note_end(&self, expression: &str, words: &str) {
        if could_not_be_aborted(words) {
            self.record().stuck.get_or_insert_with(|| expression.to_owned());
        }
    }

    /// Why nothing can be read at this stop any more, and what to do: `Wait() still runs …`.
    pub fn stuck(&self) -> Option<String> {
        let expression = self.record().stuck.clone()?;
        Some(format!(
            "{expression} is still running in the program and could not be aborted: values cannot be read before debug_continue"
        ))
    }

    /// Notes what was listed below `parent`, by path and reference.
    pub fn inherit<'a>(&self, frame: i64, parent: i64, children: impl Iterator<Item = (&'a str, i64)>) {
        if self.has(parent) {
            children.for_each(|(path, child)| self.add(frame, path, child));
        }
    }

    /// Whether a listing of this reference runs getters.
    pub fn has(&self, reference: i64) -> bool {
        self.record().references.contains(&reference)
    }

    /// Whether `path` is that of a part of something that a call gave: to load it runs only what ran before.
    pub fn is_behind(&self, frame: i64, path: &str) -> bool {
        let record = self.record();
        let mut ends = path.match_indices(['.', '[']).map(|(at, _)| at);
        ends.any(|at| path.get(..at).is_some_and(|part| record.paths.contains(&(frame, part.to_owned()))))
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the adapter says that the code it called goes on running (netcoredbg and dncdbg, then our own).
pub fn could_not_be_aborted(words: &str) -> bool {
    words.contains("inconsistent state") || words.contains("cannot be aborted")
}

/// The method that our own engine says no runtime call can interrupt.
pub fn uninterruptible(words: &str) -> Option<&str> {
    let (_, rest) = words.split_once("the runtime cannot interrupt ")?;
    rest.split_once(", in which").map(|(method, _)| method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_below_a_forced_value_is_forced_too() {
        let forced = Forced::default();
        forced.add(1, "order", 7);
        forced.inherit(1, 7, [("order.Fee", 8), ("order.Id", 0)].into_iter());
        forced.inherit(1, 3, [("other.Fee", 4)].into_iter());
        assert_eq!([7, 8, 0, 3, 4].map(|reference| forced.has(reference)), [true, true, false, false, false]);
        let behind = |frame, path| forced.is_behind(frame, path);
        assert!(behind(1, "order.Fee._value") && behind(1, "order.Fee.At._ticks"), "what the getter gave");
        assert!(!behind(1, "order.Fee") && !behind(1, "order._fee"), "a getter that nobody ran");
        assert!(!behind(2, "order.Fee._value") && !behind(1, "other.Fee._value"));
    }
}
