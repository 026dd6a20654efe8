//! The stop report: what launch, attach, continue, step, pause, run_to, wait, restart and disconnect answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Breakpoint, Exception, ExceptionRuleReport, Frame, Location, Variable, absent, each, some_count, some_text,
};
use crate::session;

/// The state of the program after a call that resumed it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StopReport {
    #[schemars(extend("enum" = ["stopped", "exited", "still_running", "disconnected"]))]
    pub outcome: String,
    #[serde(skip_serializing_if = "absent")]
    pub session_id: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub pid: Option<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub root: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub process_name: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub runtime_version: Option<String>,
    /// The URL on which the program reports that it listens.
    #[serde(skip_serializing_if = "absent")]
    pub ready: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub exit_code: Option<i32>,
    #[serde(skip_serializing_if = "absent")]
    pub signal: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub seq: Option<u64>,
    /// Instead of `seq` while the program runs: a later wait continues from here.
    #[serde(skip_serializing_if = "absent")]
    pub since: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub elapsed_ms: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub thread_id: Option<i64>,
    #[serde(skip_serializing_if = "absent")]
    pub thread_name: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub breakpoints: Vec<Breakpoint>,
    #[serde(skip_serializing_if = "absent")]
    pub exceptions: Option<ExceptionRuleReport>,
    #[serde(skip_serializing_if = "absent")]
    pub exception: Option<Exception>,
    #[serde(skip_serializing_if = "absent")]
    pub location: Option<Location>,
    #[serde(default, skip_serializing_if = "absent")]
    pub breakpoint_ids: Vec<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub hit_count: Option<u64>,
    /// One for each of `breakpoint_ids`, where they differ.
    #[serde(default, skip_serializing_if = "absent")]
    pub hit_counts: Vec<u64>,
    #[serde(default, skip_serializing_if = "absent")]
    pub locals: Vec<Variable>,
    #[serde(skip_serializing_if = "absent")]
    pub more_locals: Option<usize>,
    #[serde(default, skip_serializing_if = "absent")]
    pub changed: Vec<Variable>,
    #[serde(skip_serializing_if = "absent")]
    pub unchanged: Option<usize>,
    /// What calls of the step returned, in order; `name` is the function.
    #[serde(default, skip_serializing_if = "absent")]
    pub returned: Vec<Variable>,
    /// Later calls returned, too.
    #[serde(default, skip_serializing_if = "absent")]
    pub more_returned: bool,
    #[serde(default, skip_serializing_if = "absent")]
    pub watches: Vec<Variable>,
    #[serde(default, skip_serializing_if = "absent")]
    pub stack: Vec<Frame>,
    #[serde(skip_serializing_if = "absent")]
    pub external_frames: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub more_frames: Option<usize>,
    /// Async methods that await what was resumed, each the one before it.
    #[serde(default, skip_serializing_if = "absent")]
    pub awaited_by: Vec<Frame>,
    #[serde(skip_serializing_if = "absent")]
    pub more_awaiting: Option<usize>,
    #[serde(default, skip_serializing_if = "absent")]
    pub tracepoints: Vec<TraceLine>,
    #[serde(skip_serializing_if = "absent")]
    pub more_tracepoints: Option<usize>,
    /// The call that has the lines before `tracepoints`.
    #[serde(skip_serializing_if = "absent")]
    pub earlier_tracepoints: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub output: Option<Output>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

/// One line that a tracepoint wrote.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceLine {
    pub id: u32,
    /// Absent: the thread that stopped.
    #[serde(skip_serializing_if = "absent")]
    pub thread_id: Option<i64>,
    pub text: String,
}

/// The end of the program's output since the last report; `omitted_bytes` start at `cursor`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    #[serde(skip_serializing_if = "absent")]
    pub omitted_bytes: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub cursor: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub stdout: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub stderr: Option<String>,
}

impl Output {
    /// `None` when there was none.
    pub fn of(tail: session::OutputTail) -> Option<Self> {
        let omitted_bytes = some_count(tail.omitted_bytes);
        let output = Self {
            omitted_bytes,
            cursor: tail.cursor.filter(|_| omitted_bytes.is_some()),
            stdout: some_text(tail.stdout),
            stderr: some_text(tail.stderr),
        };
        (output != Self::default()).then_some(output)
    }
}

impl From<session::TraceLine> for TraceLine {
    fn from(line: session::TraceLine) -> Self {
        Self { id: line.id.0, thread_id: Some(line.thread.0), text: line.text }
    }
}

impl From<session::Report> for StopReport {
    fn from(report: session::Report) -> Self {
        let elapsed = u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX);
        let stopped_on = report.stopped_on.map(|thread| thread.0);
        let mut wire = match report.outcome {
            session::Outcome::Stopped(stop) => stopped(*stop),
            session::Outcome::Exited(exit) => exited(exit),
            session::Outcome::StillRunning { since, ready } => {
                Self { outcome: "still_running".into(), since: Some(since.0), ready, ..Self::default() }
            }
            session::Outcome::Disconnected { seq } => {
                Self { outcome: "disconnected".into(), seq: Some(seq.0).filter(|seq| *seq > 0), ..Self::default() }
            }
        };
        wire.elapsed_ms = Some(elapsed).filter(|ms| *ms >= 1_000 || wire.since.is_some());
        wire.session_id = report.session_id.map(|id| id.0);
        wire.pid = report.pid;
        wire.root = report.root;
        if let Some(process) = report.process {
            wire.process_name = Some(process.name);
            wire.runtime_version = process.runtime_version;
        }
        wire.breakpoints = each(report.breakpoints);
        wire.exceptions = report.exceptions.map(Into::into);
        wire.tracepoints = each(report.tracepoints);
        for line in wire.tracepoints.iter_mut().filter(|line| line.thread_id == stopped_on) {
            line.thread_id = None;
        }
        wire.more_tracepoints = some_count(report.more_tracepoints);
        wire.earlier_tracepoints = report
            .tracepoints_since
            .map(|since| format!("debug_query_events {{\"stream\":\"tracepoints\",\"since_seq\":{since}}}"));
        wire.output = Output::of(report.output);
        wire.note = report.note;
        wire
    }
}

pub(super) fn stopped(stop: session::Stop) -> StopReport {
    let (thread_id, thread_name) = match stop.thread {
        Some((id, name)) => (Some(id.0), name.and_then(some_text)),
        None => (None, None),
    };
    let is_one_count = stop.hit_counts.windows(2).all(|two| two.first() == two.last());
    let mut wire = StopReport {
        outcome: "stopped".into(),
        reason: Some(stop.reason.as_str().into()),
        seq: Some(stop.seq.0),
        thread_id,
        thread_name,
        exception: stop.exception.map(Exception::from),
        location: stop.location.map(Location::from),
        breakpoint_ids: stop.breakpoint_ids.into_iter().map(|id| id.0).collect(),
        hit_count: stop.hit_counts.first().copied().filter(|hits| is_one_count && *hits > 1),
        hit_counts: if is_one_count { Vec::new() } else { stop.hit_counts },
        watches: each(stop.watches),
        returned: each(stop.returned),
        more_returned: stop.has_more_returned,
        stack: each(stop.stack),
        external_frames: some_count(stop.external_frames),
        more_frames: some_count(stop.more_frames),
        awaited_by: each(stop.awaited_by),
        more_awaiting: some_count(stop.more_awaiting),
        ..StopReport::default()
    };
    match stop.values {
        session::StopValues::Locals(locals, more) => {
            wire.locals = each(locals);
            wire.more_locals = some_count(more);
        }
        // nothing changed: say nothing, not even the count, unless something was not compared
        session::StopValues::Changed(changed, unchanged, more) => {
            wire.unchanged = some_count(unchanged).filter(|_| !changed.is_empty());
            wire.changed = each(changed);
            wire.more_locals = some_count(more);
        }
        session::StopValues::None => {}
    }
    wire
}

fn exited(exit: session::Exit) -> StopReport {
    StopReport {
        outcome: "exited".into(),
        exit_code: exit.exit_code,
        signal: exit.signal,
        seq: Some(exit.seq.0),
        exception: exit.exception.map(Exception::from),
        ..StopReport::default()
    }
}
