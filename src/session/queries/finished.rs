//! What of several expressions has a value when a later one does not return.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::session::report::{Content, Variable};
use crate::session::view::EvaluateView;

/// Filled while they are evaluated one by one.
#[derive(Default)]
pub(super) struct Finished {
    values: Mutex<Vec<Variable>>,
    is_given_up: AtomicBool,
}

impl Finished {
    pub fn push(&self, value: Variable) {
        self.values().push(value);
    }

    pub fn take(&self) -> Vec<Variable> {
        std::mem::take(&mut self.values())
    }

    fn values(&self) -> MutexGuard<'_, Vec<Variable>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nobody waits for the rest: it is not evaluated.
    pub fn is_given_up(&self) -> bool {
        self.is_given_up.load(Ordering::Relaxed)
    }

    /// The answer without the one that is still running, and without what stands behind it.
    pub fn give_up(&self, expressions: &[String], limit: Duration) -> EvaluateView {
        self.is_given_up.store(true, Ordering::Relaxed);
        let mut values = self.take();
        let mut left = expressions.iter().skip(values.len());
        let error = |name: &String, words: String| Variable {
            name: name.clone(),
            content: Content::Error(words),
            ..Variable::default()
        };
        if let Some(running) = left.next() {
            values.push(error(running, still_running("it", limit)));
            values.extend(left.map(|name| error(name, format!("not evaluated: `{running}` did not return"))));
        }
        EvaluateView::Several(values)
    }
}

/// What to say of one that did not return within its limit.
pub(super) fn still_running(what: &str, limit: Duration) -> String {
    format!("{what} did not return in {} ms and is still running; later calls wait for it", limit.as_millis())
}
