//! Expressions of a tracepoint that have no value: said once in full, and counted from then on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Different failures that are remembered.
const FAULTS: usize = 20;

/// Counted where a stop is judged, which is beside the actor; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct LogFaults(Arc<Mutex<Faults>>);

#[derive(Debug, Default)]
struct Faults {
    each: Vec<Fault>,
}

#[derive(Debug)]
struct Fault {
    expression: String,
    words: String,
    count: u64,
    told: u64,
}

impl LogFaults {
    fn lock(&self) -> MutexGuard<'_, Faults> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An expression failed. Answers what stands in the line for it, and whether these words are new.
    pub fn failed(&self, expression: &str, words: &str) -> (String, bool) {
        let mut faults = self.lock();
        match faults.each.iter_mut().find(|fault| fault.expression == expression && fault.words == words) {
            Some(fault) => {
                fault.count += 1;
                ("!failed".into(), false)
            }
            None => {
                let (expression, said) = (expression.to_owned(), words.to_owned());
                if faults.each.len() < FAULTS {
                    faults.each.push(Fault { expression, words: said, count: 1, told: 1 });
                }
                (format!("!{words}"), true)
            }
        }
    }

    /// What failed since it was told last, with the counts.
    pub fn untold(&self) -> Option<String> {
        let faults = self.lock();
        let new = faults.each.iter().filter(|fault| fault.count > fault.told);
        let told: Vec<String> = new
            .map(|fault| format!("{{{}}} failed {} times: {}", fault.expression, fault.count, fault.words))
            .collect();
        (!told.is_empty()).then(|| told.join("; "))
    }

    pub fn mark_told(&self) {
        self.lock().each.iter_mut().for_each(|fault| fault.told = fault.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_said_in_full_once_and_counted_from_then_on() {
        let faults = LogFaults::default();
        assert_eq!(faults.failed("nope", "no such name"), ("!no such name".into(), true));
        assert_eq!(faults.untold(), None, "the line says it");
        for _ in 0..479 {
            assert_eq!(faults.failed("nope", "no such name"), ("!failed".into(), false));
        }
        assert_eq!(faults.untold().as_deref(), Some("{nope} failed 480 times: no such name"));
        faults.mark_told();
        assert_eq!(faults.untold(), None);
    }
}
