//! Hits of tracepoints that were read instead of a stop: kept until the client is given them.

use std::collections::BTreeMap;
use std::time::Instant;

use dap_wire::{Trace, TracedHit};

/// Hits, and bytes of their values, that wait for a client: more of them have to stop, or one that reads slowly would never see the end.
const MOST_HITS: usize = 4_096;
const MOST_BYTES: usize = 4 << 20;

#[derive(Debug, Default)]
pub struct Traces {
    waiting: Vec<(Instant, TracedHit)>,
    bytes: usize,
    /// The client is about to be given them.
    is_announced: bool,
    /// How many were read, by the numbers of traces: they outlive the breakpoints that name them.
    read: BTreeMap<u64, u64>,
}

impl Traces {
    /// Whether one more may be read without a stop.
    pub fn takes(&self, trace: &Trace) -> bool {
        let read = self.read.get(&trace.trace).copied().unwrap_or(0);
        trace.most.is_none_or(|most| read < most) && self.waiting.len() < MOST_HITS && self.bytes < MOST_BYTES
    }

    /// One was read. Whether that has to be announced.
    pub fn push(&mut self, hit: TracedHit) -> bool {
        *self.read.entry(hit.trace).or_default() += 1;
        self.bytes += hit
            .values
            .iter()
            .map(|value| value.expression.len() + value.value.len() + value.type_name.len())
            .sum::<usize>();
        self.waiting.push((Instant::now(), hit));
        !std::mem::replace(&mut self.is_announced, true)
    }

    /// What the client has not been given yet, oldest first.
    pub fn take(&mut self) -> Vec<TracedHit> {
        (self.bytes, self.is_announced) = (0, false);
        let now = Instant::now();
        let age = |at: Instant| u64::try_from(now.saturating_duration_since(at).as_micros()).unwrap_or(u64::MAX);
        std::mem::take(&mut self.waiting).into_iter().map(|(at, hit)| TracedHit { age: age(at), ..hit }).collect()
    }
}

#[cfg(test)]
mod tests {
    use dap_wire::TracedValue;

    use super::*;

    fn hit(trace: u64, length: usize) -> TracedHit {
        let value = TracedValue { value: "x".repeat(length), ..TracedValue::default() };
        TracedHit { trace, thread_id: 1, age: 0, values: vec![value] }
    }

    #[test]
    fn no_more_are_read_than_there_may_be_whoever_takes_them() {
        let (mut traces, trace) = (Traces::default(), Trace { trace: 7, most: Some(2), ..Trace::default() });
        assert_eq!([traces.push(hit(7, 1)), traces.push(hit(8, 1))], [true, false], "announced once");
        assert!(traces.takes(&trace));
        assert_eq!(traces.take().iter().map(|hit| hit.trace).collect::<Vec<_>>(), [7, 8]);
        assert!(traces.push(hit(7, 1)) && !traces.takes(&trace));
        traces.take();
        assert!(!traces.takes(&trace));
        assert!(traces.takes(&Trace { most: Some(3), ..trace }));
    }

    #[test]
    fn a_client_that_reads_slowly_holds_the_program_up() {
        let (mut traces, any) = (Traces::default(), Trace { trace: 7, ..Trace::default() });
        for _ in 0..MOST_HITS {
            assert!(traces.takes(&any));
            traces.push(hit(7, 1));
        }
        assert!(!traces.takes(&any));
        assert_eq!(traces.take().len(), MOST_HITS);
        assert!(traces.takes(&any));
        traces.push(hit(7, MOST_BYTES));
        assert!(!traces.takes(&any));
        traces.take();
        assert!(traces.takes(&any));
    }
}
