//! The event log, and the stops of a session as they were.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use crate::answers::report::{Event, EventsReport, SnapshotDiffReport, SnapshotReport, StatePathReport, StreamsReport};
use crate::config::Tier;
use crate::history::{self, Calls};
use crate::mcp::tool::{Call, READ, Row, Shared, Tool};
use crate::session::{EventSeq, EventsQuery, SessionError, StreamView};

/// The streams of an event log. The session rejects any other name.
pub(super) const STREAMS: &[&str] =
    &["execution", "output", "exceptions", "threads", "modules", "breakpoints", "tracepoints", "commands"];

/// The stream that no session has: the calls of tools, of all clients.
const CALLS: &str = "commands";

/// The stream of what debuggers are told; what the program writes is no event.
const OUTPUT: &str = "output";

/// The stream that also reports what was thrown without a stop.
const EXCEPTIONS: &str = "exceptions";

const SHARED: Shared = Shared { session: true, timeout: false, report: false, format: true };

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(Row("debug_query_events", "Query Debug Events", Tier::Default, READ), QUERY, query)
            .shares(SHARED)
            .pages("page with since_seq and limit"),
        Tool::new(Row("debug_list_streams", "List Debug Streams", Tier::Extra, READ), LIST, list).shares(SHARED),
        Tool::new(Row("debug_get_snapshot", "Get Debug Snapshot", Tier::Extra, READ), SNAPSHOT, snapshot)
            .shares(SHARED)
            .pages("pass one scope, such as locals"),
        Tool::new(Row("debug_get_state_path", "Get State Path Value", Tier::Extra, READ), STATE_PATH, state_path)
            .shares(SHARED),
        Tool::new(Row("debug_diff_snapshots", "Diff Debug Snapshots", Tier::Extra, READ), DIFF, diff)
            .shares(SHARED)
            .pages("lower max_depth or max_changes"),
    ]
}

const QUERY: &str = "Returns past events of the session, oldest first: events (seq, ms, type, reason, thread_id, at, text), has_more, \
latest_seq. To continue, pass the last seq as since_seq. With backend builtin, stream exceptions also counts every throw, even without a stop, by type, location and handler \
(thrown, thrown_count).";

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
        return Ok(commands(&call.calls, since, limit, args.event_type.as_deref()));
    }
    let (is_of_exceptions, limit) = (args.stream.as_deref() == Some(EXCEPTIONS), args.limit as usize);
    let is_of_output = args.stream.as_deref() == Some(OUTPUT);
    let query = EventsQuery {
        stream: args.stream,
        since: EventSeq(args.since_seq.unwrap_or_default()),
        limit: args.limit as usize,
        event_type: args.event_type,
    };
    let session = call.session()?;
    let mut report = EventsReport::from(session.events(query).await?);
    if is_of_exceptions {
        report.add_thrown(session.thrown().await?, limit);
    }
    if is_of_output {
        report.note =
            Some("process_read_output returns what the program wrote; these are messages of its debug adapter".into());
    }
    Ok(report)
}

const LIST: &str = "Lists the streams of debug_query_events and the snapshots: how many events are kept of each, oldest_seq, latest_seq.";

#[derive(Debug, Deserialize, JsonSchema)]
struct NoArgs {}

async fn list(call: Call, _: NoArgs) -> Result<StreamsReport, SessionError> {
    let latest = EventSeq(call.calls.last());
    let (count, oldest) = call.calls.read(|kept| {
        let mut kept = kept.peekable();
        let oldest = kept.peek().map_or(0, |call| call.seq);
        (kept.count(), EventSeq(oldest))
    });
    let calls = StreamView { name: CALLS, count, oldest, latest };
    Ok(StreamsReport::new(call.session()?.streams().await?, calls))
}

const SNAPSHOT: &str = "Returns a stop (by default the latest) as it was reported: reason, location, locals, stack, watches, exception. Each stop \
makes a snapshot, so reading one does not touch the program. `seq` is that of a stop report.";

#[derive(Debug, Deserialize, JsonSchema)]
struct SnapshotArgs {
    seq: Option<u64>,
    /// location, exception, locals, watches, stack, or an entry of one of these, e.g. locals.order.
    #[schemars(length(min = 1))]
    scope: Option<String>,
}

async fn snapshot(call: Call, args: SnapshotArgs) -> Result<SnapshotReport, SessionError> {
    let seq = args.seq.map(EventSeq);
    let view = call.session()?.snapshots(vec![seq]).await?;
    SnapshotReport::new(&view, args.scope.as_deref(), seq.is_none())
}

const STATE_PATH: &str = "Reads one value from the latest stop's snapshot, without touching the program: its value, or the members of a scope or an object. \
Goes only as deep as stop reports show; variables_get reads deeper.";

#[derive(Debug, Deserialize, JsonSchema)]
struct StatePathArgs {
    /// e.g. location.line, locals.order.Total, locals.lines.0, exception.message, stack.1
    #[schemars(length(min = 1))]
    path: String,
}

async fn state_path(call: Call, args: StatePathArgs) -> Result<StatePathReport, SessionError> {
    let view = call.session()?.snapshots(vec![None]).await?;
    StatePathReport::new(&view, &args.path)
}

const DIFF: &str = "Compares any two stops, without touching the program: changed (name, which is the path; value; was), added, removed, \
total_changes, truncated. Covers what stop reports show. The seqs are those of stop reports.";

#[derive(Debug, Deserialize, JsonSchema)]
struct DiffArgs {
    base_seq: u64,
    target_seq: u64,
    /// Maximum depth of a path.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    max_depth: u32,
    #[serde(default = "five_hundred")]
    #[schemars(range(min = 1, max = 2000))]
    max_changes: u32,
}

fn ten() -> u32 {
    10
}

fn five_hundred() -> u32 {
    500
}

async fn diff(call: Call, args: DiffArgs) -> Result<SnapshotDiffReport, SessionError> {
    let wanted = [args.base_seq, args.target_seq].map(|seq| Some(EventSeq(seq)));
    let view = call.session()?.snapshots(wanted.to_vec()).await?;
    SnapshotDiffReport::new(&view, args.max_depth as usize, args.max_changes as usize)
}

/// Characters of a call's arguments.
const ARGUMENTS: usize = 200;

/// Calls after `since` in the order of their ends, at most `limit`.
fn commands(calls: &Calls, since: u64, limit: usize, tool: Option<&str>) -> EventsReport {
    let latest_seq = calls.last();
    calls.read(|kept| {
        let mut kept = kept.peekable();
        let oldest = kept.peek().map_or(1, |call| call.seq);
        let mut found = kept.filter(|call| call.seq > since).filter(|call| tool.is_none_or(|tool| call.tool == tool));
        let events = found.by_ref().take(limit).map(event).collect();
        EventsReport {
            events,
            latest_seq,
            oldest_seq: Some(oldest).filter(|seq| *seq > 1),
            has_more: found.next().is_some(),
            ..EventsReport::default()
        }
    })
}

/// The latest calls, oldest first.
pub(in crate::mcp) fn latest_calls(calls: &Calls, count: usize) -> EventsReport {
    commands(calls, calls.last().saturating_sub(count as u64), count, None)
}

fn event(call: &history::Call) -> Event {
    let milliseconds = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let arguments = match call.arguments.char_indices().nth(ARGUMENTS) {
        Some((cut, _)) => format!("{}…", call.arguments.get(..cut).unwrap_or_default()),
        None => call.arguments.clone(),
    };
    Event {
        seq: call.seq,
        ms: milliseconds(call.began),
        type_name: call.tool.clone(),
        text: Some(arguments).filter(|text| text != "{}"),
        client: call.client.clone(),
        reason: Some(call.outcome.clone()),
        took_ms: Some(milliseconds(call.took)),
        ..Event::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn calls_are_known_by_pages_with_arguments_that_are_cut() {
        let calls = Calls::default();
        let long = json!({"expression": "x".repeat(1000)});
        calls.begin(Some("a client"), "evaluate", long.as_object().unwrap()).ended(history::OK);
        drop(calls.begin(None, "debug_continue", json!({}).as_object().unwrap()));
        let page = commands(&calls, 0, 10, None);
        let [first, second] = page.events.as_slice() else { panic!("{page:?}") };
        assert_eq!((first.type_name.as_str(), first.reason.as_deref()), ("evaluate", Some("ok")));
        assert_eq!(first.client.as_deref(), Some("a client"));
        assert_eq!(first.text.as_deref().unwrap().chars().count(), ARGUMENTS + 1);
        assert_eq!((second.seq, second.reason.as_deref(), &second.text), (2, Some("cancelled"), &None));
        assert!(commands(&calls, 0, 1, None).has_more);
        assert_eq!(commands(&calls, 0, 9, Some("debug_continue")).events.len(), 1);
        assert_eq!(page.latest_seq, 2);
    }
}
