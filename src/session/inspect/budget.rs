//! The time that one reading call may take. A [`Reader`](super::Reader) carries it: once it is spent nothing more is asked of the
//! adapter, so a loop over a thousand elements ends by itself, and what was read until then is the answer.
//!
//! An adapter answers one request after the other, and every request that was sent is answered: a thousand sent side by side
//! before the time was over would keep the call waiting, and the adapter busy, long after it. So few are open at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// What a call gets unless it names a `timeout_ms` of its own.
const USUAL: Duration = Duration::from_secs(2);
/// Requests of one call that are open at a time: enough that the adapter never waits for us.
const OPEN: usize = 4;

/// Cheap to clone. The default never ends: a stop report has its own limit.
#[derive(Debug, Clone, Default)]
pub struct Budget(Option<Limit>);

#[derive(Debug, Clone)]
struct Limit {
    deadline: Instant,
    time: Duration,
    open: Arc<Semaphore>,
}

/// Leave to send one request; held until it is answered.
#[derive(Debug)]
pub struct Turn<'a>(#[expect(dead_code, reason = "held for its drop")] Option<SemaphorePermit<'a>>);

impl Budget {
    /// Begins now.
    pub fn of(limit: Option<Duration>) -> Self {
        let time = limit.unwrap_or(USUAL);
        Self(Some(Limit { deadline: Instant::now() + time, time, open: Arc::new(Semaphore::new(OPEN)) }))
    }

    pub fn is_spent(&self) -> bool {
        self.0.as_ref().is_some_and(|limit| Instant::now() >= limit.deadline)
    }

    /// What is left of it; `None` of one that never ends.
    pub fn left(&self) -> Option<Duration> {
        self.0.as_ref().map(|limit| limit.deadline.saturating_duration_since(Instant::now()))
    }

    /// How many more there is time for where so `many` took so long: at least one.
    pub fn room(&self, many: u64, took: Duration) -> u64 {
        match self.left() {
            Some(left) if !took.is_zero() => {
                let room = u128::from(many) * left.as_micros() / took.as_micros().max(1);
                u64::try_from(room).unwrap_or(u64::MAX).max(1)
            }
            _ => u64::MAX,
        }
    }

    /// When it ends.
    pub fn deadline(&self) -> Option<Instant> {
        self.0.as_ref().map(|limit| limit.deadline)
    }

    /// Waits until a request may be sent; `None` if the time is over by then. Whoever holds a turn must not wait for another one.
    pub async fn turn(&self) -> Option<Turn<'_>> {
        let permit = match &self.0 {
            Some(limit) => limit.open.acquire().await.ok(),
            None => None,
        };
        if self.is_spent() {
            // the others need not wake one after the other
            self.0.iter().for_each(|limit| limit.open.close());
            return None;
        }
        Some(Turn(permit))
    }

    /// `2 s`, `150 ms`; of one that never ends nothing.
    pub fn shown(&self) -> String {
        match self.0.as_ref().map(|limit| limit.time.as_millis()) {
            Some(millis) if millis % 1_000 == 0 => format!("{} s", millis / 1_000),
            Some(millis) => format!("{millis} ms"),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn few_requests_are_open_at_a_time_and_none_is_sent_late() {
        let budget = Budget::of(None);
        let mut turns = Vec::new();
        for _ in 0..OPEN {
            turns.push(budget.turn().now_or_never().flatten().unwrap());
        }
        assert!(budget.turn().now_or_never().is_none());
        turns.pop();
        assert!(budget.turn().now_or_never().flatten().is_some());
        tokio::time::advance(USUAL).await;
        assert!(budget.turn().await.is_none());
        drop(turns);
        assert!(budget.turn().await.is_none());
        assert!(Budget::default().turn().await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_budget_ends_with_its_time_and_the_default_never() {
        let (usual, short) = (Budget::of(None), Budget::of(Some(Duration::from_millis(150))));
        tokio::time::advance(Duration::from_millis(150)).await;
        assert!(short.is_spent() && !usual.is_spent());
        tokio::time::advance(Duration::from_secs(2)).await;
        assert!(usual.is_spent() && !Budget::default().is_spent());
        assert_eq!((usual.shown(), short.shown()), ("2 s".into(), "150 ms".into()));
        assert_eq!((usual.left(), Budget::default().left()), (Some(Duration::ZERO), None));
    }

    #[tokio::test(start_paused = true)]
    async fn a_step_is_as_long_as_there_is_time_for() {
        let budget = Budget::of(None);
        assert_eq!(budget.room(1_000, Duration::ZERO), u64::MAX);
        tokio::time::advance(Duration::from_millis(500)).await;
        assert_eq!(budget.room(1_000, Duration::from_millis(500)), 3_000);
        tokio::time::advance(USUAL).await;
        assert_eq!(budget.room(1_000, Duration::from_millis(500)), 1);
        assert_eq!(Budget::default().room(1, USUAL), u64::MAX);
    }
}
