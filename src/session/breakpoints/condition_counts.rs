//! Results of a condition: how often it was evaluated, and the values of its operands when it was false.
//!
//! Most adapters that evaluate a condition themselves report only the hits for which it was true. To distinguish "never true" from "never
//! evaluated", the condition of a breakpoint that is explained is evaluated here for a while.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::dap;
use crate::session::expression::outside_strings;
use crate::session::report::Variable;

/// Evaluations after which an adapter has its condition back: they say enough, and each is a stop.
pub const ENOUGH: u64 = 100;
/// Operands that are read.
const OPERANDS: usize = 4;
/// In hot code the operands are not read at each evaluation.
const VALUES_AGE: Duration = Duration::from_millis(250);

/// Counted where a stop is judged, which is beside the actor; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct ConditionCounts(Arc<Mutex<Counts>>);

#[derive(Debug, Clone, Default)]
pub struct Counts {
    pub evaluations: u64,
    /// Those of them that were not the adapter's.
    pub here: u64,
    /// Those that gave false.
    falses: u64,
    /// The adapter evaluated it too, and does not report how often.
    is_partial: bool,
    /// Operands of one of the latest evaluations that gave false.
    pub values: Vec<Variable>,
    read: Option<Instant>,
    /// Hits that were judged here, and the time that they took.
    judged: u32,
    spent: Duration,
}

impl Counts {
    /// Of one hit.
    pub fn cost(&self) -> Option<Duration> {
        self.spent.checked_div(self.judged)
    }
}

impl ConditionCounts {
    fn lock(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn counts(&self) -> Counts {
        self.lock().clone()
    }

    /// One evaluation more.
    pub fn count(&self) {
        let mut counts = self.lock();
        counts.evaluations += 1;
        counts.here += 1;
    }

    /// The evaluation gave false.
    pub fn was_false(&self) {
        self.lock().falses += 1;
    }

    /// The adapter evaluated it, and says how often.
    pub fn add(&self, counted: &dap::ConditionCounts) {
        let mut counts = self.lock();
        counts.evaluations += counted.evaluations;
        counts.falses += counted.falses;
    }

    /// What is counted from now on is not all.
    pub fn is_partial(&self) {
        self.lock().is_partial = true;
    }

    /// How often the condition was false, where all of that is known.
    pub fn falses(&self) -> Option<u64> {
        let counts = self.lock();
        (!counts.is_partial && counts.falses > 0).then_some(counts.falses)
    }

    /// A hit was judged here, from the adapter's event to the verdict.
    pub fn took(&self, time: Duration) {
        let mut counts = self.lock();
        counts.judged = counts.judged.saturating_add(1);
        counts.spent += time;
    }

    /// Whether the operands should be read now.
    pub fn wants_values(&self) -> bool {
        self.lock().read.is_none_or(|read| read.elapsed() > VALUES_AGE)
    }

    pub fn keep(&self, values: Vec<Variable>) {
        let mut counts = self.lock();
        counts.values = values;
        counts.read = Some(Instant::now());
    }
}

/// Names and paths that a condition reads: `order.Total > 3 && i == 1` has `order.Total` and `i`. Calls are left out.
pub fn operands(condition: &str) -> Vec<String> {
    const WORDS: [&str; 9] = ["true", "false", "null", "is", "as", "not", "and", "or", "new"];
    let code: Vec<char> = outside_strings(condition).chars().collect();
    let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(c) = code.get(at) {
        if !is_part(c) {
            at += 1;
            continue;
        }
        let word: String = code.iter().skip(at).take_while(|c| is_part(c)).collect();
        at += word.chars().count();
        let is_call = code.iter().skip(at).find(|c| !c.is_whitespace()).is_some_and(|c| matches!(c, '(' | '['));
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_') && !word.ends_with('.');
        if is_name && !is_call && !WORDS.contains(&word.as_str()) && !found.contains(&word) {
            found.push(word);
        }
    }
    found.truncate(OPERANDS);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_the_names_that_a_condition_reads() {
        for (condition, expected) in [
            ("i == 3", vec!["i"]),
            ("order.Total > 10m && i == 1 || i == 2", vec!["order.Total", "i"]),
            ("name == \"Ada = x\" && !flag", vec!["name", "flag"]),
            ("x == null && y is true", vec!["x", "y"]),
            ("Math.Max(a, b) > 1.5", vec!["a", "b"]),
            ("list[2] == 'c'", vec![]),
            ("a + b + c + d + e", vec!["a", "b", "c", "d"]),
            ("", vec![]),
        ] {
            assert_eq!(operands(condition), expected, "{condition}");
        }
    }
}
