//! The event log.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use crate::answers::report::EventsReport;
use crate::config::Tier;
use crate::mcp::tool::{Call, READ, Row, Shared, Tool};
use crate::session::{EventSeq, EventsQuery, SessionError};

/// The streams of an event log. The session rejects any other name.
pub(super) const STREAMS: &[&str] =
    &["execution", "output", "exceptions", "threads", "modules", "breakpoints", "tracepoints", "commands"];

/// The stream that no session has: the calls of tools, of all clients.
const CALLS: &str = "commands";

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(Row("debug_query_events", "Query Debug Events", Tier::Default, READ), QUERY, query)
            .shares(Shared { session: true, format: true, ..Shared::default() })
            .pages("page with since_seq and limit"),
    ]
}

const QUERY: &str = "Past events of the session, oldest first: events (seq, ms, type, reason, thread_id, at, text), has_more, \
latest_seq. Continue with since_seq = the last seq.";

#[derive(Debug, Deserialize, JsonSchema)]
struct QueryArgs {
    /// execution, output, exceptions, threads, modules, breakpoints, tracepoints or commands (tool calls, numbered separately).
    stream: Option<String>,
    since_seq: Option<u64>,
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 200))]
    limit: u32,
    event_type: Option<String>,
}

fn fifty() -> u32 {
    50
}

async fn query(call: Call, args: QueryArgs) -> Result<EventsReport, SessionError> {
    if args.stream.as_deref() == Some(CALLS) {
        let (since, limit) = (args.since_seq.unwrap_or_default(), args.limit as usize);
        return Ok(call.calls.query(since, limit, args.event_type.as_deref()));
    }
    let query = EventsQuery {
        stream: args.stream,
        since: EventSeq(args.since_seq.unwrap_or_default()),
        limit: args.limit as usize,
        event_type: args.event_type,
    };
    call.session()?.events(query).await.map(Into::into)
}
