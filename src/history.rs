//! The latest calls of tools: who called what, with which arguments, what came of it and how long it took. One for all connections and
//! sessions of a server; bounded by number and by bytes, the oldest go first.
//!
//! Debuggers of debuggers ask for it as the stream `commands` of debug_query_events; the dashboard shows and exports it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

/// Calls kept, and bytes of their arguments.
const KEPT: usize = 5_000;
const KEPT_BYTES: usize = 2 * 1024 * 1024;
/// Bytes of the arguments of one call.
const ARGUMENTS: usize = 16 * 1024;

/// What came of a call that has no code of an error.
pub const OK: &str = "ok";
pub const CANCELLED: &str = "cancelled";

/// A call that has ended.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// In the order of their ends, from 1.
    pub seq: u64,
    /// Since the server began.
    pub began: Duration,
    pub took: Duration,
    pub tool: String,
    /// JSON, unless [`Call::is_cut`].
    pub arguments: String,
    /// The arguments were too long to keep: what is there is their beginning.
    pub is_cut: bool,
    /// Who called, where it said so.
    pub client: Option<String>,
    /// [`OK`], [`CANCELLED`], or the code of the failure.
    pub outcome: String,
}

/// Cheap to clone; all clones are one log.
#[derive(Debug, Clone)]
pub struct Calls(Arc<Mutex<Log>>);

#[derive(Debug)]
struct Log {
    began: Instant,
    last: u64,
    ended: VecDeque<Call>,
    bytes: usize,
    /// All that ended: well, with an error, by being cancelled.
    totals: [u64; 3],
}

/// A call that goes on. Dropped before [`CallUnderWay::ended`], it was cancelled.
#[derive(Debug)]
pub struct CallUnderWay {
    calls: Calls,
    call: Call,
    began: Instant,
}

impl Default for Calls {
    fn default() -> Self {
        let (began, ended) = (Instant::now(), VecDeque::new());
        Self(Arc::new(Mutex::new(Log { began, last: 0, ended, bytes: 0, totals: [0; 3] })))
    }
}

impl Calls {
    pub fn begin(&self, client: Option<&str>, tool: &str, arguments: &Map<String, Value>) -> CallUnderWay {
        let mut arguments = serde_json::to_string(arguments).unwrap_or_default();
        let is_cut = arguments.len() > ARGUMENTS;
        if is_cut {
            let end = arguments.floor_char_boundary(ARGUMENTS);
            arguments.truncate(end);
        }
        let call = Call {
            began: self.log().began.elapsed(),
            tool: tool.into(),
            arguments,
            is_cut,
            client: client.map(str::to_owned),
            ..Call::default()
        };
        CallUnderWay { calls: self.clone(), call, began: Instant::now() }
    }

    /// Reads those that are kept, oldest first.
    pub fn read<T>(&self, look: impl FnOnce(&mut dyn DoubleEndedIterator<Item = &Call>) -> T) -> T {
        look(&mut self.log().ended.iter())
    }

    /// From when [`Call::began`] counts.
    pub fn began(&self) -> Instant {
        self.log().began
    }

    /// The number of the latest; 0 before the first.
    pub fn last(&self) -> u64 {
        self.log().last
    }

    /// How many ended so far, by outcome.
    pub fn totals(&self) -> [(&'static str, u64); 3] {
        let [ok, error, cancelled] = self.log().totals;
        [(OK, ok), ("error", error), (CANCELLED, cancelled)]
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallUnderWay {
    /// `outcome`: [`OK`], or the code of the failure.
    pub fn ended(mut self, outcome: &str) {
        self.call.outcome = outcome.to_owned();
    }
}

impl Drop for CallUnderWay {
    fn drop(&mut self) {
        let mut call = std::mem::take(&mut self.call);
        if call.outcome.is_empty() {
            call.outcome = CANCELLED.into();
        }
        call.took = self.began.elapsed();
        self.calls.log().add(call);
    }
}

impl Log {
    fn add(&mut self, mut call: Call) {
        let [ok, error, cancelled] = &mut self.totals;
        *match call.outcome.as_str() {
            OK => ok,
            CANCELLED => cancelled,
            _ => error,
        } += 1;
        self.last += 1;
        call.seq = self.last;
        self.bytes += call.arguments.len();
        self.ended.push_back(call);
        while self.ended.len() > KEPT || self.bytes > KEPT_BYTES {
            let Some(oldest) = self.ended.pop_front() else { break };
            self.bytes -= oldest.arguments.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    fn all(calls: &Calls) -> Vec<Call> {
        calls.read(|calls| calls.cloned().collect())
    }

    #[test]
    fn calls_are_kept_with_outcome_and_arguments_that_are_cut_when_they_are_long() {
        let calls = Calls::default();
        calls.begin(Some("a client"), "evaluate", &object(json!({"expression": "é".repeat(20_000)}))).ended(OK);
        drop(calls.begin(None, "debug_continue", &object(json!({}))));
        calls.begin(None, "debug_step", &object(json!({"mode": "over"}))).ended("not_stopped");
        let [first, second, third] = &all(&calls)[..] else { panic!("{calls:?}") };
        assert_eq!((first.tool.as_str(), first.outcome.as_str()), ("evaluate", OK));
        assert_eq!(first.client.as_deref(), Some("a client"));
        assert!(first.is_cut && first.arguments.len() <= ARGUMENTS);
        assert_eq!((second.seq, second.outcome.as_str(), second.arguments.as_str()), (2, CANCELLED, "{}"));
        assert_eq!((third.outcome.as_str(), third.is_cut), ("not_stopped", false));
        assert_eq!(calls.totals(), [(OK, 1), ("error", 1), (CANCELLED, 1)]);
    }

    #[test]
    fn the_oldest_go_first_by_number_and_by_bytes() {
        let calls = Calls::default();
        for _ in 0..KEPT + 3 {
            calls.begin(None, "debug_state", &Map::new()).ended(OK);
        }
        assert_eq!((all(&calls)[0].seq, calls.last()), (4, KEPT as u64 + 3));
        let long = object(json!({"x": "x".repeat(ARGUMENTS)}));
        for _ in 0..200 {
            calls.begin(None, "evaluate", &long).ended(OK);
        }
        let kept = all(&calls);
        let bytes: usize = kept.iter().map(|call| call.arguments.len()).sum();
        assert!(bytes <= KEPT_BYTES && kept.len() < 200, "{bytes} bytes of {}", kept.len());
        assert_eq!(calls.log().bytes, bytes);
    }
}
