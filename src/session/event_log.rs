//! Everything that happened to a session, numbered by us, bounded.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::ids::EventSeq;
use super::spec::EventsQuery;
use super::view::{Event, EventsView, StreamView};

/// Events kept.
const KEPT: usize = 5_000;

/// The streams of the surface.
pub const STREAMS: [&str; 8] =
    ["execution", "output", "exceptions", "threads", "modules", "breakpoints", "tracepoints", "commands"];

const THROWN: &str = "exception";

#[derive(Debug)]
pub struct EventLog {
    began: Instant,
    last: EventSeq,
    events: VecDeque<Event>,
}

impl Default for EventLog {
    fn default() -> Self {
        Self { began: Instant::now(), last: EventSeq(0), events: VecDeque::new() }
    }
}

impl EventLog {
    /// From when the times of events count.
    pub fn began(&self) -> Instant {
        self.began
    }

    /// The latest number given.
    pub fn last(&self) -> EventSeq {
        self.last
    }

    /// Numbers and keeps an event.
    pub fn push(&mut self, event: Event) -> EventSeq {
        self.push_late(event, Duration::ZERO)
    }

    /// The same of an event that happened some time ago, though not before the one that is the latest.
    pub fn push_late(&mut self, event: Event, age: Duration) -> EventSeq {
        self.last = EventSeq(self.last.0 + 1);
        let since = self.began.elapsed().saturating_sub(age);
        let before = self.events.back().map_or(0, |event| event.ms);
        let ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX).max(before);
        self.events.push_back(Event { seq: self.last, ms, ..event });
        if self.events.len() > KEPT {
            self.events.pop_front();
        }
        self.last
    }

    /// The same of a stop. If it is for an exception, the exception has an event of its own right before it.
    pub fn push_stop(&mut self, stop: Event, throws: bool) -> EventSeq {
        if throws {
            self.push(Event { type_name: THROWN, stream: "exceptions", thread: stop.thread, ..Event::default() });
        }
        self.push(stop)
    }

    /// Completes the event of the exception that a stop is for; `false`: it has none.
    pub fn amend_exception(&mut self, stop: EventSeq, change: impl FnOnce(&mut Event)) -> bool {
        let event = self.events.iter_mut().rev().find(|event| is_exception_of(event, stop));
        event.map(change).is_some()
    }

    /// Takes the event of the exception that a stop is for out again.
    pub fn retract_exception(&mut self, stop: EventSeq) {
        if let Some(at) = self.events.iter().rposition(|event| is_exception_of(event, stop)) {
            self.events.remove(at);
        }
    }

    /// Completes an event that was kept a moment ago.
    pub fn amend(&mut self, seq: EventSeq, change: impl FnOnce(&mut Event)) {
        if let Some(event) = self.events.iter_mut().rev().find(|event| event.seq == seq) {
            change(event);
        }
    }

    /// Takes a stop out that turned out to be nobody's, with its exception; their numbers stay used.
    pub fn retract(&mut self, seq: EventSeq) {
        self.retract_exception(seq);
        if let Some(at) = self.events.iter().rposition(|event| event.seq == seq) {
            self.events.remove(at);
        }
    }

    /// Those of a stream, oldest first.
    pub fn of<'a>(&'a self, stream: &'a str) -> impl DoubleEndedIterator<Item = &'a Event> {
        self.events.iter().filter(move |event| event.stream == stream)
    }

    /// The last ones of a stream, oldest first.
    pub fn last_of(&self, stream: &str, count: usize) -> Vec<Event> {
        let mut last: Vec<Event> = self.of(stream).rev().take(count).cloned().collect();
        last.reverse();
        last
    }

    /// What is kept of each stream of a session.
    pub fn streams(&self) -> Vec<StreamView> {
        let mut streams: Vec<StreamView> =
            STREAMS.map(|name| StreamView { name, ..StreamView::default() }).into_iter().collect();
        for event in &self.events {
            if let Some(stream) = streams.iter_mut().find(|stream| stream.name == event.stream) {
                stream.count += 1;
                stream.latest = event.seq;
                stream.oldest = if stream.count == 1 { event.seq } else { stream.oldest };
            }
        }
        streams
    }

    /// Events after `since`, ascending, at most `limit`.
    pub fn query(&self, query: &EventsQuery) -> EventsView {
        let mut found = self
            .events
            .iter()
            .filter(|event| event.seq > query.since)
            .filter(|event| query.stream.as_deref().is_none_or(|stream| event.stream == stream))
            .filter(|event| query.event_type.as_deref().is_none_or(|wanted| event.type_name == wanted));
        let events: Vec<Event> = found.by_ref().take(query.limit).cloned().collect();
        let has_more = found.next().is_some();
        let oldest = self.events.front().map_or(EventSeq(1), |event| event.seq);
        EventsView { events, latest: self.last, oldest, has_more }
    }
}

/// Nothing comes between an exception and its stop.
fn is_exception_of(event: &Event, stop: EventSeq) -> bool {
    event.type_name == THROWN && event.seq.0 + 1 == stop.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_comes_right_before_its_stop_and_goes_with_it() {
        let mut log = EventLog::default();
        let stop =
            |log: &mut EventLog, throws| log.push_stop(Event { type_name: "stopped", ..Event::default() }, throws);
        let (thrown, other) = (stop(&mut log, true), stop(&mut log, false));
        assert!(log.amend_exception(thrown, |event| event.text = Some("no".into())));
        assert!(!log.amend_exception(other, |_| {}));
        let order: Vec<(u64, &str)> = log.events.iter().map(|event| (event.seq.0, event.type_name)).collect();
        assert_eq!(order, [(1, "exception"), (2, "stopped"), (3, "stopped")]);
        assert_eq!(log.of("exceptions").next().and_then(|event| event.text.as_deref()), Some("no"));
        log.retract(thrown);
        assert_eq!(log.events.iter().map(|event| event.seq.0).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn pages_follow_each_other_without_a_gap() {
        let mut log = EventLog::default();
        for _ in 0..7 {
            log.push(Event { type_name: "stopped", stream: "execution", ..Event::default() });
        }
        let query = |since| EventsQuery {
            stream: Some("execution".into()),
            since: EventSeq(since),
            limit: 3,
            event_type: None,
        };
        let first = log.query(&query(0));
        assert_eq!(first.events.iter().map(|event| event.seq.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(first.has_more);
        let last = log.query(&query(6));
        assert_eq!((last.events.len(), last.has_more, last.latest), (1, false, EventSeq(7)));
    }

    #[test]
    fn what_is_known_late_has_its_time_but_never_one_before_the_latest() {
        let began = Instant::now().checked_sub(Duration::from_secs(10)).unwrap();
        let mut log = EventLog { began, ..EventLog::default() };
        for age in [4, 6, 1] {
            log.push_late(Event::default(), Duration::from_secs(age));
        }
        let seconds: Vec<u64> = log.events.iter().map(|event| event.ms / 1000).collect();
        assert_eq!(seconds, [6, 6, 9]);
    }

    #[test]
    fn the_log_is_bounded_and_says_where_it_begins() {
        let mut log = EventLog::default();
        for _ in 0..KEPT + 10 {
            log.push(Event::default());
        }
        let all = log.query(&EventsQuery { stream: None, since: EventSeq(0), limit: 1, event_type: None });
        assert_eq!(all.oldest, EventSeq(11));
    }
}
