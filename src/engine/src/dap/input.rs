//! What the adapter's one thread receives: from the client, the runtime and the program's streams.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::target::Notice;

/// A request as it came.
#[derive(Debug, Deserialize)]
pub struct Request {
    pub seq: i64,
    pub command: String,
    pub arguments: Option<Box<RawValue>>,
}

/// What the thread may receive.
pub enum Input {
    Request(Request),
    /// The client is gone.
    RequestsEnded,
    Notice(Notice),
    Output(Text),
    /// A stream of the program's ended.
    OutputEnded,
    /// The process that we started ended with this code.
    ProgramEnded(Option<i32>),
}

/// Text of the program or ours.
pub struct Text {
    pub category: &'static str,
    pub text: String,
}
