//! Resuming, stepping and pausing the program.

use std::time::Duration;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use super::places::{MOST_LINE, PATIENCE, place, thread_id};
use crate::config::Tier;
use crate::mcp::tool::delivery::{DeliveredReport, Delivery, Owner};
use crate::mcp::tool::{ACT, ACT_AGAIN, Call, Row, Shared, Tool};
use crate::session::{Resume, SessionError, StepMode};

pub(super) fn tools() -> Vec<Tool> {
    let shared = Shared { session: true, timeout: true, report: true, format: false };
    vec![
        Tool::new(Row("debug_continue", "Continue Execution", Tier::Core, ACT), CONTINUE, go).shares(shared),
        Tool::new(Row("debug_step", "Step Through Code", Tier::Core, ACT), STEP, step).shares(shared),
        Tool::new(Row("debug_pause", "Pause Execution", Tier::Core, ACT_AGAIN), PAUSE, pause).shares(shared),
        Tool::new(Row("debug_run_to", "Run to Line", Tier::Default, ACT), RUN_TO, run_to).shares(shared),
    ]
}

const CONTINUE: &str = "Resumes a stopped program until its next stop or exit; if it is running, only waits. Returns a stop \
report: outcome, reason, seq, thread_id, location, breakpoint_ids, locals, stack, tracepoints, output; still_running with \
`since` after timeout_ms. Example: {\"outcome\":\"exited\",\"exit_code\":7,\"seq\":58,\"output\":{\"stdout\":\"done\\n\"}}";

#[derive(Debug, Deserialize, JsonSchema)]
struct ContinueArgs {
    #[schemars(range(min = 1))]
    #[serde(rename = "thread_id")]
    _thread_id: Option<u32>,
}

async fn go(call: Call, _: ContinueArgs) -> Result<DeliveredReport, SessionError> {
    let handle = call.session()?;
    let reply = handle.resume(Resume::Continue, call.include, call.wait(PATIENCE));
    Delivery::of(Owner::Session(handle), reply).await
}

const STEP: &str = "Steps a stopped program. Returns a stop report; in the same frame, only the changes: seq, \
location, `changed` (with `was`), `unchanged` (a count). Any other stop ends the step. Example: \
{\"outcome\":\"stopped\",\"reason\":\"step\",\"seq\":52,\"location\":{\"file\":\"Program.cs\",\"line\":61},\"changed\":[{\"name\":\"cut\",\"value\":\"3.75m\",\"was\":\"0m\"}],\"unchanged\":2}";

#[derive(Debug, Deserialize, JsonSchema)]
struct StepArgs {
    mode: Mode,
    #[serde(default = "once")]
    #[schemars(range(min = 1, max = 1_000))]
    count: u32,
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
}

fn once() -> u32 {
    1
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Over,
    In,
    Out,
}

async fn step(call: Call, args: StepArgs) -> Result<DeliveredReport, SessionError> {
    let mode = match args.mode {
        Mode::Over => StepMode::Over,
        Mode::In => StepMode::In,
        Mode::Out => StepMode::Out,
    };
    let what = Resume::Step { mode, count: args.count, thread: thread_id(args.thread_id) };
    let handle = call.session()?;
    let reply = handle.resume(what, call.include, call.wait(PATIENCE));
    Delivery::of(Owner::Session(handle), reply).await
}

const PAUSE: &str = "Pauses a running program and returns a stop report; `location` is the first user frame. If it is already \
stopped, returns that stop.";

#[derive(Debug, Deserialize, JsonSchema)]
struct PauseArgs {
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
}

async fn pause(call: Call, args: PauseArgs) -> Result<DeliveredReport, SessionError> {
    let handle = call.session()?;
    let wait = call.wait(Some(Duration::from_secs(5)));
    let reply = handle.pause(thread_id(args.thread_id), call.include, wait);
    Delivery::of(Owner::Session(handle), reply).await
}

const RUN_TO: &str =
    "Resumes a stopped program until it reaches a line (other stops end the run too). Returns a stop report.";

#[derive(Debug, Deserialize, JsonSchema)]
struct RunToArgs {
    #[schemars(length(min = 1))]
    file: String,
    #[schemars(range(min = 1, max = MOST_LINE))]
    line: Option<u32>,
    /// Part of the line; with `line`, the match nearest to it.
    #[schemars(length(min = 1))]
    text: Option<String>,
}

async fn run_to(call: Call, args: RunToArgs) -> Result<DeliveredReport, SessionError> {
    let what = Resume::RunTo { place: place("", Some(args.file), args.line, args.text, None)? };
    let handle = call.session()?;
    let reply = handle.resume(what, call.include, call.wait(PATIENCE));
    Delivery::of(Owner::Session(handle), reply).await
}
