//! Expressions of a tracepoint that have no value: said once in full, and counted from then on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::session::counted::counted;

/// Different failures that are remembered.
const FAULTS: usize = 20;
/// Lines in a row, from the first, of which no expression had a value: then the tracepoint is given up.
const HOPELESS: u64 = 20;

/// Counted where a stop is judged, which is beside the actor; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct LogFaults(Arc<Mutex<Faults>>);

#[derive(Debug, Default)]
struct Faults {
    each: Vec<Fault>,
    /// Lines with expressions.
    lines: u64,
    /// Lines that would only have said again what failed.
    left_out: u64,
    /// Some expression of some line had a value.
    worked: bool,
}

#[derive(Debug)]
struct Fault {
    expression: String,
    words: String,
    count: u64,
    reported: u64,
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
                    faults.each.push(Fault { expression, words: said, count: 1, reported: 1 });
                }
                (format!("!{words}"), true)
            }
        }
    }

    /// A line with expressions was evaluated.
    pub fn judged(&self, has_value: bool) {
        let mut faults = self.lock();
        faults.worked |= has_value;
        faults.lines += 1;
    }

    /// A line is not written: each of its expressions failed as before.
    pub fn leave_out(&self) {
        self.lock().left_out += 1;
    }

    /// No expression ever had a value, and it was tried often enough.
    pub fn is_hopeless(&self) -> bool {
        let faults = self.lock();
        !faults.worked && faults.lines >= HOPELESS
    }

    /// What failed since it was reported last, with the counts.
    pub fn unreported(&self) -> Option<String> {
        let faults = self.lock();
        let new = faults.each.iter().filter(|fault| fault.count > fault.reported);
        let reported: Vec<String> = new
            .map(|fault| format!("{{{}}} failed {}: {}", fault.expression, counted(fault.count, "time"), fault.words))
            .collect();
        let end = match !faults.worked && faults.lines >= HOPELESS {
            true => "; no expression could be evaluated, so it was disabled (breakpoint_enable re-enables it)",
            false => "",
        };
        let left_out = match faults.left_out {
            0 => String::new(),
            lines => format!("; {} without any value left out", counted(lines, "line")),
        };
        (!reported.is_empty()).then(|| format!("{}{left_out}{end}", reported.join("; ")))
    }

    pub fn mark_reported(&self) {
        self.lock().each.iter_mut().for_each(|fault| fault.reported = fault.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_said_in_full_once_and_counted_from_then_on() {
        let faults = LogFaults::default();
        assert_eq!(faults.failed("nope", "no such name"), ("!no such name".into(), true));
        assert_eq!(faults.unreported(), None, "the line says it");
        for _ in 0..479 {
            assert_eq!(faults.failed("nope", "no such name"), ("!failed".into(), false));
        }
        assert_eq!(faults.unreported().as_deref(), Some("{nope} failed 480 times: no such name"));
        faults.mark_reported();
        assert_eq!(faults.unreported(), None);
    }

    #[test]
    fn a_tracepoint_is_hopeless_when_it_never_worked() {
        let (faults, works) = (LogFaults::default(), LogFaults::default());
        works.judged(true);
        for _ in 0..20 {
            assert!(!faults.is_hopeless());
            let (_, is_new) = faults.failed("nope", "no such name");
            faults.judged(false);
            if !is_new {
                faults.leave_out();
            }
            works.judged(false);
        }
        assert!(faults.is_hopeless() && !works.is_hopeless());
        assert!(faults.unreported().unwrap().starts_with(
            "{nope} failed 20 times: no such name; 19 lines without any value left out; no expression could"
        ));
    }
}
