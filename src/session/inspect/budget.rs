//! The time that one reading call may take. A [`Reader`](super::Reader) carries it: once it is spent nothing more is asked of the
//! adapter, so a loop over a thousand elements ends by itself, and what was read until then is the answer.

use std::time::Duration;

use tokio::time::Instant;

/// What a call gets unless it names a `timeout_ms` of its own.
const USUAL: Duration = Duration::from_secs(2);

/// Cheap to copy. The default never ends: a stop report has its own limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget(Option<(Instant, Duration)>);

impl Budget {
    /// Begins now.
    pub fn of(limit: Option<Duration>) -> Self {
        let limit = limit.unwrap_or(USUAL);
        Self(Some((Instant::now() + limit, limit)))
    }

    pub fn is_spent(&self) -> bool {
        self.0.is_some_and(|(deadline, _)| Instant::now() >= deadline)
    }

    /// When it ends.
    pub fn deadline(&self) -> Option<Instant> {
        self.0.map(|(deadline, _)| deadline)
    }

    /// `2 s`, `150 ms`; of one that never ends nothing.
    pub fn told(&self) -> String {
        match self.0.map(|(_, limit)| limit.as_millis()) {
            Some(millis) if millis % 1_000 == 0 => format!("{} s", millis / 1_000),
            Some(millis) => format!("{millis} ms"),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_budget_ends_with_its_time_and_the_default_never() {
        let (usual, short) = (Budget::of(None), Budget::of(Some(Duration::from_millis(150))));
        tokio::time::advance(Duration::from_millis(150)).await;
        assert!(short.is_spent() && !usual.is_spent());
        tokio::time::advance(Duration::from_secs(2)).await;
        assert!(usual.is_spent() && !Budget::default().is_spent());
        assert_eq!((usual.told(), short.told()), ("2 s".into(), "150 ms".into()));
    }
}
