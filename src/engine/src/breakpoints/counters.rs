//! Counters of hits that a client names: they outlive the breakpoints that name them, so no edit loses what was counted.

use std::collections::BTreeMap;

use dap_wire::HitCount;

#[derive(Debug, Default)]
pub struct Counters(BTreeMap<u64, Counter>);

#[derive(Debug, Default)]
struct Counter {
    hits: u64,
    /// The client is about to be given the count.
    is_announced: bool,
}

impl Counters {
    /// Hits of one so far.
    pub fn hits(&self, counter: u64) -> u64 {
        self.0.get(&counter).map_or(0, |it| it.hits)
    }

    /// One hit more. How many there are now, and whether that has to be announced.
    pub fn count(&mut self, counter: u64) -> (u64, bool) {
        let counter = self.0.entry(counter).or_default();
        counter.hits += 1;
        (counter.hits, !std::mem::replace(&mut counter.is_announced, true))
    }

    /// What the client has not been given yet.
    pub fn take_news(&mut self) -> Vec<HitCount> {
        let is_news = |(_, counter): &(&u64, &mut Counter)| counter.is_announced;
        let news = self.0.iter_mut().filter(is_news);
        news.map(|(number, counter)| {
            counter.is_announced = false;
            HitCount { counter: *number, hits: counter.hits }
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_goes_on_where_it_was_and_is_announced_once_until_it_was_given() {
        let mut counters = Counters::default();
        assert_eq!([counters.count(7), counters.count(7), counters.count(9)], [(1, true), (2, false), (1, true)]);
        let count = |counter, hits| HitCount { counter, hits };
        assert_eq!(counters.take_news(), [count(7, 2), count(9, 1)]);
        assert_eq!(counters.take_news(), []);
        assert_eq!(counters.count(7), (3, true));
        assert_eq!((counters.take_news(), counters.hits(7), counters.hits(8)), (vec![count(7, 3)], 3, 0));
    }
}
