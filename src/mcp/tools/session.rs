//! Sessions: launch, attach, disconnect, restart, state.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use super::places::{BreakpointItem, ExceptionArgs, specs};
use crate::answers::report::{HealthReport, LimitEntry, SessionsReport, StateReport};
use crate::config::Tier;
use crate::mcp::tool::MOST_ARGUMENT_BYTES;
use crate::mcp::tool::delivery::{DeliveredReport, Delivery, Owner};
use crate::mcp::tool::{Call, DESTROY, DESTROY_AGAIN, READ, Row, Shared, Tool};
use crate::session::{AttachSpec, AttachTarget, BuildMode, LaunchSpec, SNAPSHOT_BYTES, SessionError, StateName};

pub(super) fn tools() -> Vec<Tool> {
    let opens = Shared { timeout: true, report: true, ..Shared::default() };
    let session = Shared { session: true, ..Shared::default() };
    vec![
        Tool::new(Row("debug_launch", "Launch Process", Tier::Core, DESTROY), LAUNCH, launch).shares(opens),
        Tool::new(Row("debug_attach", "Attach to Process", Tier::Core, DESTROY), ATTACH, attach).shares(opens),
        Tool::new(
            Row("debug_disconnect", "Disconnect Debug Session", Tier::Core, DESTROY_AGAIN),
            DISCONNECT,
            disconnect,
        )
        .shares(session),
        Tool::new(Row("debug_state", "Get Debug State", Tier::Core, READ), STATE, state).shares(session),
        Tool::new(Row("debug_restart", "Restart Debug Session", Tier::Default, DESTROY), RESTART, restart)
            .shares(Shared { session: true, ..opens }),
        Tool::new(Row("debug_sessions", "List Debug Sessions", Tier::Extra, READ), SESSIONS, sessions)
            .shares(Shared::default()),
        Tool::new(Row("debug_health_check", "Debug Health Check", Tier::Extra, READ), HEALTH, health)
            .shares(Shared::default()),
    ]
}

const LAUNCH: &str = "Builds and starts a .NET program under the debugger and waits for its first stop. Breakpoints already set \
apply; `breakpoints` adds more. If nothing can stop the program, returns after 2 s. Returns a stop report: outcome (stopped, exited, still_running), \
session_id, pid, root, reason, seq, thread_id, breakpoints, location, locals, stack, output. Example: \
{\"outcome\":\"stopped\",\"session_id\":\"s1\",\"reason\":\"breakpoint\",\"seq\":16,\"location\":{\"file\":\"Program.cs\",\"line\":24},\"locals\":[…]}";

#[derive(Debug, Deserialize, JsonSchema)]
struct LaunchArgs {
    /// A dll, executable, .csproj, project folder or .cs file.
    #[schemars(length(min = 1))]
    program: String,
    #[serde(default)]
    args: Vec<String>,
    cwd: Option<String>,
    /// null unsets a variable.
    #[serde(default)]
    env: BTreeMap<String, Option<String>>,
    #[serde(default)]
    stop_at_entry: bool,
    launch_profile: Option<String>,
    build: Option<Build>,
    configuration: Option<String>,
    #[schemars(extend("default" = true))]
    just_my_code: Option<bool>,
    #[serde(default)]
    breakpoints: Vec<BreakpointItem>,
    exceptions: Option<ExceptionArgs>,
    /// closed: the program sees end of file; pipe: process_write_input writes to it.
    #[serde(default)]
    stdin: Stdin,
    backend: Option<String>,
    /// Regex; a matching output line also ends the wait (default: `Now listening on: URL`; "" = none).
    ready_when: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Build {
    Auto,
    Always,
    Never,
}

impl From<Build> for BuildMode {
    fn from(build: Build) -> Self {
        match build {
            Build::Auto => Self::Auto,
            Build::Always => Self::Always,
            Build::Never => Self::Never,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Stdin {
    #[default]
    Closed,
    Pipe,
}

async fn launch(call: Call, args: LaunchArgs) -> Result<DeliveredReport, SessionError> {
    let spec = LaunchSpec {
        program: args.program,
        args: args.args,
        cwd: args.cwd,
        env: args.env.into_iter().collect(),
        stop_at_entry: args.stop_at_entry,
        launch_profile: args.launch_profile,
        build: args.build.map(BuildMode::from).unwrap_or_default(),
        configuration: args.configuration,
        just_my_code: args.just_my_code,
        breakpoints: specs(args.breakpoints)?,
        exceptions: args.exceptions.map(Into::into),
        stdin_pipe: args.stdin == Stdin::Pipe,
        backend: args.backend,
        ready_when: args.ready_when,
    };
    let reply = call.registry.launch(spec, call.include, call.wait(None));
    Delivery::of(Owner::Registry(call.registry, None), reply).await
}

const ATTACH: &str = "Attaches to a running .NET process, by pid or process_name, and returns once attached; a timeout_ms \
above 0 waits for the first stop. The process keeps running when the session ends.";

#[derive(Debug, Deserialize, JsonSchema)]
struct AttachArgs {
    #[schemars(range(min = 1))]
    pid: Option<u32>,
    #[schemars(length(min = 1))]
    process_name: Option<String>,
    #[schemars(extend("default" = true))]
    just_my_code: Option<bool>,
    #[serde(default)]
    breakpoints: Vec<BreakpointItem>,
    exceptions: Option<ExceptionArgs>,
    /// Seconds without a call after which a stopped process is resumed; until the next call, it is then resumed immediately at every later stop. 0 = never.
    #[serde(default = "sixty")]
    max_stop_s: u32,
}

fn sixty() -> u32 {
    60
}

async fn attach(call: Call, args: AttachArgs) -> Result<DeliveredReport, SessionError> {
    const TAKES: &str = "pass either `pid` or `process_name`";
    let target = match (args.pid, args.process_name) {
        (Some(pid), None) => AttachTarget::Pid(pid),
        (None, Some(name)) => AttachTarget::Name(name),
        (Some(_), Some(_)) => {
            return Err(SessionError::argument("process_name", "`pid` and `process_name` cannot be combined", TAKES));
        }
        (None, None) => return Err(SessionError::argument("pid", "debug_attach needs `pid` or `process_name`", TAKES)),
    };
    let spec = AttachSpec {
        target,
        just_my_code: args.just_my_code,
        breakpoints: specs(args.breakpoints)?,
        exceptions: args.exceptions.map(Into::into),
        backend: None,
        max_stop: Some(Duration::from_secs(args.max_stop_s.into())).filter(|limit| !limit.is_zero()),
    };
    let reply = call.registry.attach(spec, call.include, call.wait(Some(Duration::ZERO)));
    Delivery::of(Owner::Registry(call.registry, None), reply).await
}

const DISCONNECT: &str = "Ends the debug session in any state. Kills a launched program, detaches from an attached one; `terminate` \
overrides that. Without a session it does nothing. Breakpoints are kept. Returns outcome and seq: \
{\"outcome\":\"disconnected\",\"seq\":34}";

#[derive(Debug, Deserialize, JsonSchema)]
struct DisconnectArgs {
    terminate: Option<bool>,
}

async fn disconnect(call: Call, args: DisconnectArgs) -> Result<DeliveredReport, SessionError> {
    let reply = call.registry.disconnect(call.session_id.as_deref(), args.terminate);
    Delivery::of(Owner::Registry(call.registry, call.session_id), reply).await
}

const STATE: &str = "Returns the state of the session: state (not_attached, starting, running, stopped, exited), pid, seq, \
location, root, breakpoint counts; after a disconnect or the loss of the adapter: not_attached, and why. Works without a \
session. Call it after losing context.";

#[derive(Debug, Deserialize, JsonSchema)]
struct NoArgs {}

async fn state(call: Call, _: NoArgs) -> Result<StateReport, SessionError> {
    call.registry.state(call.session_id.as_deref()).map(Into::into)
}

const RESTART: &str = "Terminates the program and launches it again with the same settings, rebuilt if sources changed; breakpoints follow \
their text. Returns a stop report, like debug_launch.";

#[derive(Debug, Deserialize, JsonSchema)]
struct RestartArgs {
    build: Option<Build>,
}

async fn restart(call: Call, args: RestartArgs) -> Result<DeliveredReport, SessionError> {
    let wait = call.wait(None);
    let reply = call.registry.restart(call.session_id.as_deref(), args.build.map(Into::into), call.include, wait);
    Delivery::of(Owner::Registry(call.registry, call.session_id), reply).await
}

const SESSIONS: &str = "Lists all sessions, newest last: session_id, state, program, pid.";

async fn sessions(call: Call, _: NoArgs) -> Result<SessionsReport, SessionError> {
    Ok(call.registry.sessions().into())
}

/// What this process has in memory (Linux).
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

const HEALTH: &str = "Returns the health of the server: version, uptime, memory, sessions, debug adapters found, streams of debug_query_events, limits.";

async fn health(call: Call, _: NoArgs) -> Result<HealthReport, SessionError> {
    let sessions = call.registry.sessions();
    let has_ended = |state| matches!(state, StateName::Exited | StateName::NotAttached);
    let ended = sessions.iter().filter(|session| has_ended(session.state)).count();
    let limit = |name: &str, limit: u64| LimitEntry { name: name.into(), limit };
    Ok(HealthReport {
        version: env!("CARGO_PKG_VERSION").into(),
        uptime_s: call.calls.began().elapsed().as_secs(),
        memory_bytes: resident_bytes(),
        backends: (call.backends)().await,
        live_sessions: sessions.len() - ended,
        ended_sessions: (ended > 0).then_some(ended),
        streams: super::telemetry::STREAMS.iter().map(|&stream| stream.into()).collect(),
        limits: vec![
            limit("timeout_ms", 600_000),
            limit("max_chars", 200_000),
            limit("argument_bytes", MOST_ARGUMENT_BYTES as u64),
            limit("snapshot_bytes_per_session", SNAPSHOT_BYTES as u64),
        ],
    })
}
