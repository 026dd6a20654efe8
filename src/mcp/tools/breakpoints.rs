//! Breakpoints, tracepoints, exceptions; waiting for a hit.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use super::places::{ExceptionArgs, MOST_LINE, PATIENCE, place};
use super::yes;
use crate::answers::report::{Breakpoint, BreakpointListReport, ExceptionsReport, ExplainReport, RemovedReport};
use crate::config::Tier;
use crate::mcp::tool::delivery::{DeliveredReport, Delivery, Owner};
use crate::mcp::tool::{ACT, ACT_AGAIN, Call, DESTROY, READ, READ_ONCE, Row, Shared, Tool};
use crate::session::{BreakpointId, BreakpointSpec, EventSeq, SessionError, WaitFor};

pub(super) fn tools() -> Vec<Tool> {
    let session = Shared { session: true, ..Shared::default() };
    let waits = Shared { session: true, timeout: true, report: true, format: false };
    vec![
        Tool::new(Row("breakpoint_set", "Set Breakpoint", Tier::Core, ACT), SET, set).shares(session),
        Tool::new(Row("breakpoint_list", "List Breakpoints", Tier::Default, READ), LIST, list)
            .shares(session)
            .pages("narrow with file"),
        Tool::new(Row("breakpoint_enable", "Enable/Disable Breakpoint", Tier::Default, ACT_AGAIN), ENABLE, enable)
            .shares(session),
        Tool::new(Row("breakpoint_remove", "Remove Breakpoint", Tier::Core, DESTROY), REMOVE, remove).shares(session),
        Tool::new(Row("breakpoint_wait", "Wait for Breakpoint Hit", Tier::Default, READ_ONCE), WAIT, wait)
            .shares(waits),
        Tool::new(
            Row("breakpoint_set_exception", "Set Exception Breakpoint", Tier::Core, ACT),
            EXCEPTIONS,
            set_exceptions,
        )
        .shares(session),
        Tool::new(Row("tracepoint_set", "Set Tracepoint", Tier::Default, ACT), TRACE, trace).shares(session),
        Tool::new(Row("breakpoint_explain", "Explain Breakpoint", Tier::Default, READ), EXPLAIN, explain)
            .shares(session),
    ]
}

const SET: &str = "Sets a breakpoint at a line of a file (by `line`, or more robustly by `text`) or at a `function`: \
`Type.Method`, as C# or the CLR writes it (if several match: method_count, places). Works before launch and while the \
program runs; stays set for every session until removed. Returns id, verified, file, line (where it bound), source; \
if unverified: why, message, nearest; pending: may bind later. Example: \
{\"id\":1,\"verified\":true,\"file\":\"Program.cs\",\"line\":24,\"source\":\"Total += line.Total;\"}";

#[derive(Debug, Deserialize, JsonSchema)]
struct SetArgs {
    #[schemars(length(min = 1))]
    file: Option<String>,
    #[schemars(range(min = 1, max = MOST_LINE))]
    line: Option<u32>,
    /// Part of the line; with `line`, the match nearest to it.
    #[schemars(length(min = 1))]
    text: Option<String>,
    #[schemars(length(min = 1))]
    function: Option<String>,
    condition: Option<String>,
    /// 3, ==3, >=3 or %3.
    hit_condition: Option<String>,
    #[serde(default)]
    temporary: bool,
    #[serde(default = "yes")]
    enabled: bool,
    /// Let the condition run code that may change state.
    #[serde(default)]
    allow_side_effects: bool,
}

async fn set(call: Call, args: SetArgs) -> Result<Breakpoint, SessionError> {
    let spec = BreakpointSpec {
        condition: said(args.condition),
        hit_condition: said(args.hit_condition),
        temporary: args.temporary,
        enabled: args.enabled,
        allow_side_effects: args.allow_side_effects,
        ..BreakpointSpec::at(place("", args.file, args.line, args.text, args.function)?)
    };
    call.registry.set_breakpoint(call.session_id.as_deref(), spec).await.map(Into::into)
}

/// Models send "" for arguments they omit.
fn said(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

const LIST: &str = "Lists all breakpoints and tracepoints with hits and state, and the exception breakpoints. For an ended session: its hit counts, and which \
breakpoints were never hit.";

#[derive(Debug, Deserialize, JsonSchema)]
struct ListArgs {
    file: Option<String>,
}

async fn list(call: Call, args: ListArgs) -> Result<BreakpointListReport, SessionError> {
    call.registry.list_breakpoints(call.session_id.as_deref(), said(args.file)).await.map(Into::into)
}

const ENABLE: &str = "Enables or disables a breakpoint or tracepoint; its hit count is kept.";

#[derive(Debug, Deserialize, JsonSchema)]
struct EnableArgs {
    #[schemars(range(min = 1))]
    id: u32,
    enabled: bool,
}

async fn enable(call: Call, args: EnableArgs) -> Result<Breakpoint, SessionError> {
    let id = BreakpointId(args.id);
    call.registry.enable_breakpoint(call.session_id.as_deref(), id, args.enabled).await.map(Into::into)
}

const REMOVE: &str = "Removes the breakpoint or tracepoint `id`, or `all` of them (with session_id: all those limited to it). The rule for exceptions stays.";

#[derive(Debug, Deserialize, JsonSchema)]
struct RemoveArgs {
    #[schemars(range(min = 1))]
    id: Option<u32>,
    #[serde(default)]
    all: bool,
}

async fn remove(call: Call, args: RemoveArgs) -> Result<RemovedReport, SessionError> {
    const TAKES: &str = "pass `id`, or `all`: true";
    let id = match (args.id, args.all) {
        (Some(id), false) => Some(BreakpointId(id)),
        (None, true) => None,
        (Some(_), true) => return Err(SessionError::argument("all", "`id` and `all` cannot be combined", TAKES)),
        (None, false) => return Err(SessionError::argument("id", "breakpoint_remove needs `id` or `all`", TAKES)),
    };
    let session = call.session_id.as_deref();
    let removed = call.registry.remove_breakpoints(session, id).await?;
    let staying = if id.is_none() { call.registry.exception_rule(session) } else { None };
    Ok(RemovedReport::new(removed, staying))
}

const WAIT: &str = "Waits for the next stop without resuming; a stop after `since` that already happened is returned at once. Any stop ends the wait; \
with breakpoint_id, a note says if it is at another place. Needs a session. Returns a stop report. Example: \
{\"outcome\":\"stopped\",\"reason\":\"breakpoint\",\"seq\":57,\"location\":{\"file\":\"Invoice.cs\",\"line\":33},\"breakpoint_ids\":[2]}";

#[derive(Debug, Deserialize, JsonSchema)]
struct WaitArgs {
    #[schemars(range(min = 1))]
    breakpoint_id: Option<u32>,
    /// `seq` or `since` of an earlier answer.
    since: Option<u64>,
}

async fn wait(call: Call, args: WaitArgs) -> Result<DeliveredReport, SessionError> {
    let what = WaitFor { breakpoint: args.breakpoint_id.map(BreakpointId), since: args.since.map(EventSeq) };
    let handle = call.session()?;
    let reply = handle.wait(what, call.include, call.wait(PATIENCE));
    Delivery::of(Owner::Session(handle), reply).await
}

const EXCEPTIONS: &str = "Sets which exceptions stop the program, in every session; replaces the previous rule. thrown: first chance; \
user_unhandled: not caught in user code; unhandled: not caught at all; never: no stop. In every mode except never, any unhandled \
exception stops the program. `!Type` in types excludes one.";

async fn set_exceptions(call: Call, args: ExceptionArgs) -> Result<ExceptionsReport, SessionError> {
    call.registry.set_exceptions(call.session_id.as_deref(), args.into()).await.map(Into::into)
}

const TRACE: &str = "Logs `message` each time a line is about to run, without stopping: {expr} is evaluated before the line \
runs, {{ is a literal brace, a backslash is text. The next stop report returns the messages (`tracepoints`).";

#[derive(Debug, Deserialize, JsonSchema)]
struct TraceArgs {
    #[schemars(length(min = 1))]
    file: String,
    #[schemars(range(min = 1, max = MOST_LINE))]
    line: Option<u32>,
    #[schemars(length(min = 1))]
    text: Option<String>,
    #[schemars(length(min = 1))]
    message: String,
    condition: Option<String>,
    hit_condition: Option<String>,
    /// Stop logging after this many messages.
    #[schemars(range(min = 1))]
    max_hits: Option<u64>,
    /// Log only messages that differ from the previous one.
    #[serde(default)]
    only_changes: bool,
    /// Let the expressions run code that may change state.
    #[serde(default)]
    allow_side_effects: bool,
}

async fn trace(call: Call, args: TraceArgs) -> Result<Breakpoint, SessionError> {
    let spec = BreakpointSpec {
        condition: said(args.condition),
        hit_condition: said(args.hit_condition),
        log: Some(args.message),
        max_hits: args.max_hits,
        only_changes: args.only_changes,
        allow_side_effects: args.allow_side_effects,
        ..BreakpointSpec::at(place("", Some(args.file), args.line, args.text, None)?)
    };
    call.registry.set_breakpoint(call.session_id.as_deref(), spec).await.map(Into::into)
}

const EXPLAIN: &str = "Explains why a breakpoint or tracepoint is not hit: `verdict` (one of 17, absent if nothing is \
wrong), the evidence, and the next call (`hint`). Works in every state.";

#[derive(Debug, Deserialize, JsonSchema)]
struct ExplainArgs {
    #[schemars(range(min = 1))]
    id: u32,
}

async fn explain(call: Call, args: ExplainArgs) -> Result<ExplainReport, SessionError> {
    let id = BreakpointId(args.id);
    call.registry.explain_breakpoint(call.session_id.as_deref(), id).await.map(Into::into)
}
