//! A limit on how often: a bucket that fills steadily and from which each request takes one.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// At most `burst` at once, and `per_second` in the long run.
#[derive(Debug)]
pub(super) struct Rate {
    burst: f64,
    per_second: f64,
    state: Mutex<(f64, Instant)>,
}

impl Rate {
    pub(super) fn new(burst: u32, per_second: u32) -> Self {
        let (burst, per_second) = (f64::from(burst), f64::from(per_second));
        Self { burst, per_second, state: Mutex::new((burst, Instant::now())) }
    }

    /// Takes one, if there is one.
    pub(super) fn admits(&self, now: Instant) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (level, at) = *state;
        let filled = (level + now.saturating_duration_since(at).as_secs_f64() * self.per_second).min(self.burst);
        let is_admitted = filled >= 1.0;
        *state = (if is_admitted { filled - 1.0 } else { filled }, now.max(at));
        is_admitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_burst_is_admitted_and_then_as_many_as_the_bucket_fills() {
        let rate = Rate::new(3, 2);
        let began = Instant::now();
        let admitted = |after: u64| rate.admits(began + Duration::from_millis(after));
        assert_eq!([0, 0, 0, 0].map(admitted), [true, true, true, false]);
        assert_eq!([499, 500, 501, 400, 2_500].map(admitted), [false, true, false, false, true]);
    }
}
