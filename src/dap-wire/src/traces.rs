//! Tracepoints whose values an adapter reads without a stop: an extension of adapters with `supportsClrTraces`.

use serde::{Deserialize, Serialize};

/// What is to be read at each hit that counts, instead of a stop. The hit stops all the same where a value is not one that a single line
/// says all of (a number, a character, an enum, a text, null), where an expression fails or would run code of the program, and where
/// `most` is reached.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Trace {
    /// Its client's number for it, which is never used for other expressions.
    pub trace: u64,
    /// C#, evaluated in the innermost frame; nothing runs, and nothing is written.
    pub expressions: Vec<String>,
    /// So many hits of that number may be read without a stop, in all. Absent: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<u64>,
}

/// `clrTraces` event: hits that were read since the event before, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TracesEvent {
    pub hits: Vec<TracedHit>,
}

/// A hit that did not stop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TracedHit {
    /// The number of its [`Trace`].
    pub trace: u64,
    pub thread_id: i64,
    /// How long before the event it was, in microseconds.
    pub age: u64,
    /// Of the expressions, in their order.
    pub values: Vec<TracedValue>,
}

/// A value as `evaluate` answers, with its expression: without it nobody who sees the traffic knows what it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TracedValue {
    pub expression: String,
    pub value: String,
    #[serde(rename = "type")]
    pub type_name: String,
}
