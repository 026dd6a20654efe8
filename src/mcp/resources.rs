//! What clients can read without a tool: `debug://…`, as JSON of the answers that tools give, and sources as text.
//!
//! Reading counts as no call and as no report of a stop, and never pauses a running program.

mod uncut;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use percent_encoding::percent_decode_str;
use rmcp::model::{JsonObject, Resource};
use serde_json::Value;

use super::call::Dispatch;
use super::tool::Answer;
use super::tools::telemetry::latest_calls;
use crate::answers::report::{
    BreakpointListReport, ModulesReport, OutputReport, SessionsReport, SnapshotReport, StateReport, ThreadsReport,
};
use crate::answers::tool_error::ToolError;
use crate::config::ServerOptions;
use crate::history::Calls;
use crate::session::{
    Code, EventSeq, OutputQuery, Registry, SessionError, SessionHandle, SourceQuery, StateName, StateView, StopEntry,
};

pub(super) const SCHEME: &str = "debug://";
const JSON: &str = "application/json";
const CSHARP: &str = "text/x-csharp";

/// Lines of `debug://output`, and calls of `debug://commands`.
const LATEST: u32 = 200;
/// Snapshots that are listed, the latest.
const LISTED: usize = 50;

/// A resource, or a template of some.
pub(super) struct Described {
    /// Behind the scheme.
    pub path: String,
    pub name: String,
    pub description: String,
    pub mime_type: &'static str,
}

/// What was read.
pub(super) struct Contents {
    pub text: String,
    pub mime_type: &'static str,
}

/// The resources of every server: those without a number mean the session that calls without session_id mean.
const FIXED: &[(&str, &str, &str)] = &[
    ("session/current", "state", "State of the debug session"),
    ("sessions", "sessions", "All debug sessions, newest last"),
    ("stack", "stack", "User frames of the latest stop"),
    ("locals", "locals", "Local variables of the latest stop"),
    ("breakpoints", "breakpoints", "Breakpoints and tracepoints, with hits"),
    ("threads", "threads", "Threads of the stopped program"),
    ("modules", "modules", "Loaded modules"),
    ("output", "output", "The last 200 lines of the program's output"),
    ("commands", "commands", "The last 200 tool calls"),
];

pub(super) const TEMPLATES: &[(&str, &str, &str, &str)] = &[
    ("session/{id}", "session", "State of a debug session", JSON),
    ("snapshot/{seq}", "snapshot", "A stop as it was reported", JSON),
    ("source/{+path}", "source", "A source file of the program or inside a root", CSHARP),
    (
        "output/lines{?stream,since,max_lines,search,tail,session_id}",
        "output lines",
        "The program's output, as process_read_output reads it",
        JSON,
    ),
    (
        "variables{?path,thread_id,frame,scope,depth,start,count,filter,session_id}",
        "variables",
        "Variables of the stopped program, as variables_get reads them",
        JSON,
    ),
];

pub(super) async fn listed(registry: &Registry) -> Vec<Described> {
    let fixed = FIXED.iter().map(|(path, name, description)| Described {
        path: (*path).to_owned(),
        name: (*name).to_owned(),
        description: (*description).to_owned(),
        mime_type: JSON,
    });
    let stops = stops(registry).await;
    let snapshots = stops.iter().rev().take(LISTED).map(|stop| Described {
        path: format!("snapshot/{}", stop.seq),
        name: format!("snapshot {}", stop.seq),
        description: match &stop.at {
            Some(at) => format!("Stop {}: {} at {at}", stop.seq, stop.reason.as_str()),
            None => format!("Stop {}: {}", stop.seq, stop.reason.as_str()),
        },
        mime_type: JSON,
    });
    fixed.chain(snapshots).collect()
}

/// Those of the session that is meant without an id; none without a session.
pub(super) async fn stops(registry: &Registry) -> Vec<StopEntry> {
    match registry.session(None) {
        Ok(session) => session.stops().await.unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

/// Where a call's answer would be read whole, if it is cut.
pub(super) struct Whole {
    dispatch: Dispatch,
    tool: &'static str,
    /// Where the arguments make the address.
    path: Option<String>,
}

impl Whole {
    pub(super) fn of(dispatch: &Dispatch, tool: &'static str, arguments: &JsonObject) -> Self {
        let here = dispatch.registry().session(None).ok();
        let path = here.and_then(|here| uncut::path(tool, arguments, &here.id().0));
        Self { dispatch: dispatch.clone(), tool, path }
    }

    pub(super) fn options(&self) -> &ServerOptions {
        self.dispatch.options()
    }

    /// `None`: it was not cut, or has pages of its own.
    pub(super) fn link(&self, answer: &Value) -> Option<Resource> {
        answer.get("truncated").filter(|cut| **cut == Value::Bool(true))?;
        if self.options().read_only || answer.get("code").is_some() {
            return None;
        }
        let path = self.path.clone().or_else(|| self.fixed(answer))?;
        let name = path.split('?').next().unwrap_or_default().replace('/', " ");
        Some(
            Resource::new(format!("{SCHEME}{path}"), name).with_description("The full content of the truncated answer"),
        )
    }

    /// What is kept or listed, of the session that is meant without an id.
    fn fixed(&self, answer: &Value) -> Option<String> {
        let here = self.dispatch.registry().session(None).ok()?;
        let named = answer.get("session_id").and_then(Value::as_str);
        if named.is_some_and(|id| id != here.id().0) {
            return None;
        }
        Some(match (self.tool, answer.get("seq").and_then(Value::as_u64)) {
            ("breakpoint_list", _) => "breakpoints".to_owned(),
            ("modules_list", _) => "modules".to_owned(),
            ("threads_list", _) => "threads".to_owned(),
            ("debug_sessions", _) => "sessions".to_owned(),
            ("source_get", _) => format!("source/{}", answer.get("file").and_then(Value::as_str)?),
            (_, Some(seq)) if answer.get("outcome").and_then(Value::as_str) == Some("stopped") => {
                format!("snapshot/{seq}")
            }
            _ => return None,
        })
    }
}

/// # Errors
/// As the tools; for what is no resource of ours `path_not_found`.
pub(super) async fn read(dispatch: &Dispatch, uri: &str) -> Result<Contents, ToolError> {
    let path = uri.strip_prefix(SCHEME).ok_or_else(|| unknown(uri))?;
    let (registry, calls) = (dispatch.registry(), dispatch.calls());
    let here = || registry.session(None);
    let answer = match path {
        "session/current" => Answer::of(&StateReport::from(peek(registry))),
        "sessions" => Answer::of(&SessionsReport::from(registry.sessions())),
        "stack" | "locals" => snapshot(&here()?, None, Some(path)).await?,
        "breakpoints" => Answer::of(&BreakpointListReport::from(registry.list_breakpoints(None, None).await?)),
        "threads" => Answer::of(&ThreadsReport::from(stopped(here()?)?.threads(Vec::new()).await?)),
        "modules" => Answer::of(&ModulesReport::from(here()?.modules(false, None).await?)),
        "output" => Answer::of(&OutputReport::from(here()?.read_output(latest_output()).await?)),
        "commands" => Answer::of(&latest_calls(calls, LATEST as usize)),
        other => match other.split_once('/') {
            _ if let Some(asked) = uncut::asked(other) => uncut::read(dispatch, asked).await?,
            Some(("session", id)) => Answer::of(&StateReport::from(registry.session(Some(id))?.peek())),
            Some(("snapshot", seq)) => {
                let seq = seq.parse().map_err(|_| unknown(uri))?;
                snapshot(&here()?, Some(EventSeq(seq)), None).await?
            }
            Some(("source", file)) if !file.is_empty() => {
                return Ok(source(&here()?, &percent_decode_str(file).decode_utf8_lossy()).await?);
            }
            _ => return Err(unknown(uri).into()),
        },
    };
    Ok(Contents { text: answer.json.to_string(), mime_type: JSON })
}

fn unknown(uri: &str) -> SessionError {
    let known: Vec<String> = FIXED.iter().map(|(path, ..)| format!("{SCHEME}{path}")).collect();
    SessionError::new(Code::PathNotFound, format!("no resource {uri}"), format!("known: {}", known.join(", ")))
}

fn peek(registry: &Registry) -> StateView {
    registry.session(None).map_or_else(|_| StateView::of(StateName::NotAttached), |session| session.peek())
}

/// A running program is not paused for a look.
fn stopped(session: SessionHandle) -> Result<SessionHandle, SessionError> {
    match session.peek().state {
        StateName::Stopped => Ok(session),
        state => Err(SessionError::new(
            Code::NotStopped,
            format!("the program is not stopped (state: {})", state.as_str()),
            "threads_list also works while it runs",
        )
        .in_state(state)),
    }
}

async fn snapshot(session: &SessionHandle, seq: Option<EventSeq>, scope: Option<&str>) -> Result<Answer, SessionError> {
    let view = session.snapshots(vec![seq]).await?;
    Ok(Answer::of(&SnapshotReport::new(&view, scope, seq.is_none())?))
}

fn latest_output() -> OutputQuery {
    OutputQuery { stdout: true, stderr: true, tail: Some(LATEST as usize), ..OutputQuery::default() }
}

async fn source(session: &SessionHandle, file: &str) -> Result<Contents, SessionError> {
    let query = SourceQuery { file: Some(file.to_owned()), line: Some(1), context: u32::MAX };
    let view = session.source(query).await?;
    Ok(Contents { text: view.lines.join("\n"), mime_type: CSHARP })
}

/// Another number when the resource may read differently. `None`: there is no such resource.
pub(super) fn fingerprint(registry: &Registry, calls: &Calls, uri: &str) -> Option<u64> {
    let path = uri.strip_prefix(SCHEME)?;
    let mut hasher = DefaultHasher::new();
    let mut add = |view: &StateView| {
        (view.state.as_str(), view.seq, view.breakpoint_count, view.unverified, &view.note).hash(&mut hasher);
        view.session_id.hash(&mut hasher);
    };
    match path {
        "session/current" | "stack" | "locals" | "threads" | "modules" => add(&peek(registry)),
        "output" => {
            let view = peek(registry);
            add(&view);
            view.output.hash(&mut hasher);
        }
        "sessions" => registry.handles().iter().for_each(|session| add(&session.peek())),
        "breakpoints" => {
            registry.handles().iter().for_each(|session| add(&session.peek()));
            registry.breakpoints_revision().hash(&mut hasher);
        }
        "commands" => calls.last().hash(&mut hasher),
        other if uncut::asked(other).is_some() => {
            let view = peek(registry);
            add(&view);
            view.output.hash(&mut hasher);
        }
        other => match other.split_once('/')? {
            ("session", id) => registry.session(Some(id)).ok().iter().for_each(|session| add(&session.peek())),
            ("snapshot", seq) => drop(seq.parse::<u64>().ok()?),
            ("source", file) if !file.is_empty() => {}
            _ => return None,
        },
    }
    Some(hasher.finish())
}
