//! The program as a process: its state, output, input, modules, events; and the server's own health.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Location, absent, each, some_count, some_text};
use crate::session;

/// debug_state.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StateReport {
    #[serde(skip_serializing_if = "absent")]
    pub session_id: Option<String>,
    #[schemars(extend("enum" = ["not_attached", "starting", "running", "stopped", "exited"]))]
    pub state: String,
    #[serde(skip_serializing_if = "absent")]
    pub why: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub seq: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub pid: Option<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub program: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub backend: Option<String>,
    /// Omitted if the program was started suspended by us.
    #[serde(skip_serializing_if = "absent")]
    pub started_by: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub root: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub phase: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub running_ms: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub exit_code: Option<i32>,
    #[serde(skip_serializing_if = "absent")]
    pub signal: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub thread_id: Option<i64>,
    #[serde(skip_serializing_if = "absent")]
    pub location: Option<Location>,
    #[serde(skip_serializing_if = "absent")]
    pub breakpoint_count: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub unverified: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

/// process_read_output; `cursor` is the next `since`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutputReport {
    #[serde(skip_serializing_if = "absent")]
    pub stdout: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub stderr: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub omitted_bytes: Option<u64>,
    pub cursor: u64,
    /// Which run wrote it, after a debug_restart.
    #[serde(skip_serializing_if = "absent")]
    pub run: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

/// process_write_input: bytes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InputReport {
    pub written: usize,
    #[serde(default, skip_serializing_if = "absent")]
    pub closed: bool,
}

/// modules_list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModulesReport {
    #[serde(default, skip_serializing_if = "absent")]
    pub modules: Vec<ModuleEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub system_omitted: Option<usize>,
}

/// A loaded module.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModuleEntry {
    pub name: String,
    pub symbols: bool,
    pub path: String,
}

/// debug_query_events.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventsReport {
    #[serde(default, skip_serializing_if = "absent")]
    pub events: Vec<Event>,
    pub latest_seq: u64,
    #[serde(skip_serializing_if = "absent")]
    pub oldest_seq: Option<u64>,
    #[serde(default, skip_serializing_if = "absent")]
    pub has_more: bool,
    /// Stream `exceptions`: all that were thrown and caught, without a stop too; the most frequent first.
    #[serde(default, skip_serializing_if = "absent")]
    pub thrown: Vec<ThrownEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub thrown_count: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

/// Throws of one type at one place, caught by one handler.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThrownEntry {
    #[serde(rename = "type")]
    pub type_name: String,
    pub count: u64,
    #[serde(default, skip_serializing_if = "absent")]
    pub messages: Vec<MessageEntry>,
    /// Throws with other messages.
    #[serde(skip_serializing_if = "absent")]
    pub other_messages: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub at: Option<String>,
    /// The function called there that threw it.
    #[serde(skip_serializing_if = "absent")]
    pub thrown_in: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub caught_in: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub caught_at: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub unhandled: bool,
}

/// A message, and how often it was thrown if others were too.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MessageEntry {
    pub text: String,
    #[serde(skip_serializing_if = "absent")]
    pub times: Option<u64>,
}

impl EventsReport {
    /// Adds what was thrown, at most `limit` groups of it.
    pub fn add_thrown(&mut self, view: session::ThrownView, limit: usize) {
        if !view.is_counted {
            self.note = Some(
                "this adapter reports only exceptions that stop the program; debug_launch with backend: builtin counts all".into(),
            );
            return;
        }
        let more = view.groups.len().saturating_sub(limit) as u64;
        let (dropped_groups, dropped) = view.dropped;
        let unlisted = [
            (more > 0).then(|| format!("{more} less frequent groups are not listed; raise limit")),
            (dropped > 0).then(|| format!("{dropped} throws in {dropped_groups} rare groups were dropped")),
        ];
        let unlisted: Vec<String> = unlisted.into_iter().flatten().collect();
        self.note = (!unlisted.is_empty()).then(|| unlisted.join("; "));
        self.thrown_count = view.total;
        self.thrown = view.groups.into_iter().take(limit).map(Into::into).collect();
    }
}

impl From<session::ThrownGroup> for ThrownEntry {
    fn from(group: session::ThrownGroup) -> Self {
        let place = |place: Option<session::CodePlace>| place.map(|it| (it.function, it.at)).unzip();
        let ((function, at), (caught_in, caught_at)) = (place(group.thrown), place(group.caught));
        let is_one = group.messages.len() == 1 && group.other_messages == 0;
        let message = |(text, count)| MessageEntry { text, times: Some(count).filter(|_| !is_one) };
        Self {
            type_name: group.type_name,
            count: group.count,
            messages: group.messages.into_iter().map(message).collect(),
            other_messages: some_count(group.other_messages),
            function,
            at: at.flatten(),
            thrown_in: group.within,
            caught_in,
            caught_at: caught_at.flatten(),
            unhandled: group.unhandled,
        }
    }
}

/// A line of the event log; `ms` since the session began.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    pub seq: u64,
    pub ms: u64,
    #[serde(rename = "type")]
    pub type_name: String,
    #[serde(skip_serializing_if = "absent")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub thread_id: Option<i64>,
    #[serde(skip_serializing_if = "absent")]
    pub breakpoint_id: Option<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub at: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub exit_code: Option<i32>,
    /// Of a call (stream `commands`).
    #[serde(skip_serializing_if = "absent")]
    pub client: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub took_ms: Option<u64>,
}

/// debug_sessions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionsReport {
    pub sessions: Vec<SessionEntry>,
}

/// A session in a list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionEntry {
    pub session_id: String,
    #[serde(skip_serializing_if = "absent")]
    pub state: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub program: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub pid: Option<u32>,
}

/// debug_health_check.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HealthReport {
    pub version: String,
    /// Seconds since the server started.
    pub uptime_s: u64,
    /// What it takes now, where the system reports it.
    #[serde(default, skip_serializing_if = "absent")]
    pub memory_bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "absent")]
    pub backends: Vec<BackendEntry>,
    pub live_sessions: usize,
    #[serde(default, skip_serializing_if = "absent")]
    pub ended_sessions: Option<usize>,
    #[serde(default, skip_serializing_if = "absent")]
    pub streams: Vec<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub limits: Vec<LimitEntry>,
}

/// A debug adapter that was looked for and found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BackendEntry {
    pub name: String,
    pub path: String,
    #[serde(skip_serializing_if = "absent")]
    pub version: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub problem: Option<String>,
}

/// A limit of the server. `limit`, not `max`: that is a value of the program in object_inspect, so a string.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LimitEntry {
    pub name: String,
    pub limit: u64,
}

impl From<session::StateView> for StateReport {
    fn from(view: session::StateView) -> Self {
        Self {
            session_id: view.session_id.map(|id| id.0),
            state: view.state.as_str().into(),
            why: view.why,
            seq: view.seq.map(|seq| seq.0),
            pid: view.pid,
            program: view.program,
            backend: view.backend,
            started_by: view.started_by.map(String::from),
            root: view.root,
            phase: view.phase.map(String::from),
            running_ms: view.running_since.map(|since| u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)),
            reason: view.reason.map(|reason| reason.as_str().into()),
            exit_code: view.exit_code,
            signal: view.signal,
            thread_id: view.thread_id.map(|id| id.0),
            location: view.location.map(Location::from),
            breakpoint_count: some_count(view.breakpoint_count),
            unverified: some_count(view.unverified),
            note: view.note,
        }
    }
}

impl From<session::OutputView> for OutputReport {
    fn from(view: session::OutputView) -> Self {
        Self {
            stdout: some_text(view.0.stdout),
            stderr: some_text(view.0.stderr),
            omitted_bytes: some_count(view.0.omitted_bytes),
            cursor: view.0.cursor.unwrap_or_default(),
            run: view.0.run,
            note: view.0.note,
        }
    }
}

impl From<session::InputView> for InputReport {
    fn from(view: session::InputView) -> Self {
        Self { written: view.written, closed: view.closed }
    }
}

impl From<session::ModulesView> for ModulesReport {
    fn from(view: session::ModulesView) -> Self {
        Self { modules: each(view.modules), system_omitted: some_count(view.system_omitted) }
    }
}

impl From<session::Module> for ModuleEntry {
    fn from(module: session::Module) -> Self {
        Self { name: module.name, symbols: module.symbols, path: module.path }
    }
}

impl From<session::EventsView> for EventsReport {
    fn from(view: session::EventsView) -> Self {
        Self {
            events: each(view.events),
            latest_seq: view.latest.0,
            oldest_seq: Some(view.oldest.0).filter(|seq| *seq > 1),
            has_more: view.has_more,
            ..Self::default()
        }
    }
}

impl From<session::Event> for Event {
    fn from(event: session::Event) -> Self {
        Self {
            seq: event.seq.0,
            ms: event.ms,
            type_name: event.type_name.into(),
            reason: event.reason,
            thread_id: event.thread.map(|id| id.0),
            breakpoint_id: event.breakpoint,
            at: event.at,
            text: event.text.and_then(some_text),
            exit_code: event.exit_code,
            client: None,
            took_ms: None,
        }
    }
}

impl From<Vec<session::SessionView>> for SessionsReport {
    fn from(sessions: Vec<session::SessionView>) -> Self {
        Self { sessions: each(sessions) }
    }
}

impl From<session::SessionView> for SessionEntry {
    fn from(view: session::SessionView) -> Self {
        Self { session_id: view.id.0, state: Some(view.state.as_str().into()), program: view.program, pid: view.pid }
    }
}
