//! The line that a tracepoint wrote last, for those that log changes alone.

use std::sync::{Arc, Mutex, PoisonError};

/// Kept where a stop is judged, which is beside the actor; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct LastLog(Arc<Mutex<Option<String>>>);

impl LastLog {
    /// Whether a line differs from the one before, which it replaces.
    pub fn is_change(&self, text: &str) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_change = last.as_deref() != Some(text);
        if is_change {
            *last = Some(text.to_owned());
        }
        is_change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_change_unless_it_is_the_one_before() {
        let last = LastLog::default();
        let changes = ["a", "a", "b", "b", "a"].map(|text| last.clone().is_change(text));
        assert_eq!(changes, [true, false, true, false, true]);
    }
}
