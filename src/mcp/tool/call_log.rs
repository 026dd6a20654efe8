//! The latest calls of tools: who called what, with which arguments, what came of it and how long it took. Debuggers of debuggers
//! ask for it as the stream `commands` of debug_query_events. Bounded; one for all connections and sessions.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rmcp::model::JsonObject;

use crate::answers::report::{Event, EventsReport};

/// Calls kept.
const KEPT: usize = 500;
/// Characters of the arguments kept.
const ARGUMENTS: usize = 200;

/// Cheap to clone; all clones are one log.
#[derive(Debug, Clone)]
pub(in crate::mcp) struct CallLog(Arc<Mutex<Calls>>);

#[derive(Debug)]
struct Calls {
    began: Instant,
    last: u64,
    ended: VecDeque<Event>,
    /// All that ended: well, with an error, by being cancelled.
    totals: [u64; 3],
}

/// A call that goes on. Dropped before [`CallUnderWay::ended`], it was cancelled.
#[derive(Debug)]
pub(in crate::mcp) struct CallUnderWay {
    log: CallLog,
    call: Event,
    began: Instant,
}

impl CallLog {
    pub(in crate::mcp) fn new() -> Self {
        Self(Arc::new(Mutex::new(Calls { began: Instant::now(), last: 0, ended: VecDeque::new(), totals: [0; 3] })))
    }

    pub(in crate::mcp) fn begin(&self, client: Option<&str>, tool: &str, arguments: &JsonObject) -> CallUnderWay {
        let call = Event {
            ms: milliseconds(self.calls().began),
            type_name: tool.into(),
            text: Some(abbreviated(arguments)).filter(|text| text != "{}"),
            client: client.map(str::to_owned),
            ..Event::default()
        };
        CallUnderWay { log: self.clone(), call, began: Instant::now() }
    }

    /// Calls after `since` in the order of their ends, at most `limit`.
    pub(in crate::mcp) fn query(&self, since: u64, limit: usize, tool: Option<&str>) -> EventsReport {
        let calls = self.calls();
        let mut found = calls
            .ended
            .iter()
            .filter(|call| call.seq > since)
            .filter(|call| tool.is_none_or(|tool| call.type_name == tool));
        let events: Vec<Event> = found.by_ref().take(limit).cloned().collect();
        let oldest = calls.ended.front().map_or(1, |call| call.seq);
        EventsReport {
            events,
            latest_seq: calls.last,
            oldest_seq: Some(oldest).filter(|seq| *seq > 1),
            has_more: found.next().is_some(),
        }
    }

    /// How many ended so far, by outcome.
    pub(in crate::mcp) fn totals(&self) -> [(&'static str, u64); 3] {
        let [ok, error, cancelled] = self.calls().totals;
        [("ok", ok), ("error", error), ("cancelled", cancelled)]
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallUnderWay {
    /// `outcome`: `ok`, or the code of the failure.
    pub(in crate::mcp) fn ended(mut self, outcome: &str) {
        self.call.reason = Some(outcome.to_owned());
    }
}

impl Drop for CallUnderWay {
    fn drop(&mut self) {
        let mut call = std::mem::take(&mut self.call);
        let outcome = call.reason.get_or_insert_with(|| "cancelled".into()).clone();
        call.took_ms = Some(milliseconds(self.began));
        let mut calls = self.log.calls();
        calls.last += 1;
        let [ok, error, cancelled] = &mut calls.totals;
        *match outcome.as_str() {
            "ok" => ok,
            "cancelled" => cancelled,
            _ => error,
        } += 1;
        call.seq = calls.last;
        calls.ended.push_back(call);
        if calls.ended.len() > KEPT {
            calls.ended.pop_front();
        }
    }
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// JSON that ends with `…` where it was cut.
fn abbreviated(arguments: &JsonObject) -> String {
    let text = serde_json::to_string(arguments).unwrap_or_default();
    match text.char_indices().nth(ARGUMENTS) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: serde_json::Value) -> JsonObject {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn calls_are_told_with_outcome_and_arguments_that_are_cut() {
        let log = CallLog::new();
        log.begin(Some("a client"), "evaluate", &object(json!({"expression": "x".repeat(1000)}))).ended("ok");
        drop(log.begin(None, "debug_continue", &object(json!({}))));
        let told = log.query(0, 10, None);
        let [first, second] = told.events.as_slice() else { panic!("{told:?}") };
        assert_eq!((first.type_name.as_str(), first.reason.as_deref()), ("evaluate", Some("ok")));
        assert_eq!(first.client.as_deref(), Some("a client"));
        assert_eq!(first.text.as_deref().unwrap().chars().count(), ARGUMENTS + 1);
        assert_eq!((second.seq, second.reason.as_deref(), &second.text), (2, Some("cancelled"), &None));
        assert!(log.query(0, 1, None).has_more);
        assert_eq!(log.query(0, 9, Some("debug_continue")).events.len(), 1);
    }

    #[test]
    fn the_oldest_go_first() {
        let log = CallLog::new();
        for _ in 0..KEPT + 3 {
            log.begin(None, "debug_state", &JsonObject::new()).ended("ok");
        }
        let told = log.query(0, 1, None);
        assert_eq!((told.oldest_seq, told.latest_seq), (Some(4), KEPT as u64 + 3));
    }
}
