//! What the waiting tools return: a stop, an exit, or that the program is still running. Plain data; `mcp` gives it its two renderings.

mod breakpoints;

use std::time::Duration;

use super::ids::{BreakpointId, EventSeq, SessionId, StateName, ThreadId};
pub use breakpoints::{Breakpoint, ExceptionMode, ExceptionRule, RuleSet, Why};

/// The answer of launch, attach, continue, step, pause, run_to, wait, restart.
#[derive(Debug, Clone)]
pub struct Report {
    pub outcome: Outcome,
    /// There when the answer opens a session, or several live.
    pub session_id: Option<SessionId>,
    /// There when the answer opens or restarts a session.
    pub pid: Option<u32>,
    /// Common folder of the user's documents, there when the answer opens a session.
    pub root: Option<String>,
    /// There when the answer is an attach's.
    pub process: Option<AttachedProcess>,
    pub elapsed: Duration,
    /// What launch, attach and restart have to say of breakpoints.
    pub breakpoints: Vec<Breakpoint>,
    /// The rule for exceptions that the answer's session took from the workspace.
    pub exceptions: Option<ExceptionRule>,
    /// The thread of the stop, which is also that of a tracepoint's line that does not say another.
    pub stopped_on: Option<ThreadId>,
    pub tracepoints: Vec<TraceLine>,
    /// Lines before the 20 of `tracepoints`.
    pub more_tracepoints: usize,
    /// The event log has them after this position; there when some were left out.
    pub tracepoints_since: Option<EventSeq>,
    pub output: OutputTail,
    pub note: Option<String>,
    /// Hand back with `SessionHandle::not_delivered` when this report never reached the client.
    pub receipt: Receipt,
}

impl Report {
    /// A disconnect that found no session.
    pub(crate) fn nothing_to_end() -> Self {
        Self {
            outcome: Outcome::Disconnected { seq: EventSeq::default() },
            session_id: None,
            pid: None,
            root: None,
            process: None,
            elapsed: Duration::ZERO,
            breakpoints: Vec::new(),
            exceptions: None,
            stopped_on: None,
            tracepoints: Vec::new(),
            more_tracepoints: 0,
            tracepoints_since: None,
            output: OutputTail::default(),
            note: Some("there was no session".into()),
            receipt: Receipt::default(),
        }
    }
}

/// The process that a session attached to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachedProcess {
    /// The entry assembly's name, else the executable's.
    pub name: String,
    /// `10.0.12`; `None` where the runtime's path does not have it (self-contained programs).
    pub runtime_version: Option<String>,
}

/// What was reported up to before a report, so that an undelivered one can be taken back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Receipt {
    pub stop: EventSeq,
    pub output: u64,
    pub trace: u64,
}

#[derive(Debug, Clone)]
pub enum Outcome {
    Stopped(Box<Stop>),
    Exited(Exit),
    StillRunning { since: EventSeq, ready: Option<String> },
    Disconnected { seq: EventSeq },
}

/// A stop, completed.
#[derive(Debug, Clone)]
pub struct Stop {
    pub reason: StopReason,
    pub seq: EventSeq,
    /// `None` in the report of a step on the same thread as before.
    pub thread: Option<(ThreadId, Option<String>)>,
    /// The first user frame; `function` is `None` where a step stayed in the same frame. `None`: no user frame.
    pub location: Option<Location>,
    pub breakpoint_ids: Vec<BreakpointId>,
    /// Of each of them, this hit included.
    pub hit_counts: Vec<u64>,
    pub exception: Option<Exception>,
    pub values: StopValues,
    pub watches: Vec<Variable>,
    /// What the calls of the step returned, under their functions, in their order.
    pub returned: Vec<Variable>,
    /// Later calls returned, too.
    pub has_more_returned: bool,
    pub stack: Vec<Frame>,
    pub external_frames: usize,
    pub more_frames: usize,
    /// The user's async methods that wait for what was resumed, each for the one before it.
    pub awaited_by: Vec<Frame>,
    /// Of them beyond those.
    pub more_awaiting: usize,
}

impl Stop {
    /// File and line of a frame below the first one; `None`: it has no source, or is not listed.
    pub(crate) fn place_below(&self, number: usize) -> Option<(&str, u32)> {
        let frame = self.stack.iter().find(|frame| frame.frame == Some(number))?;
        let (file, line) = frame.at.rsplit_once(':')?;
        Some((file, line.parse().ok()?))
    }
}

#[derive(Debug, Clone)]
pub enum StopValues {
    /// A new frame: all of its locals, and how many more there are.
    Locals(Vec<Variable>, usize),
    /// The same frame after a step: what changed, the number of those that did not, and of those that were not compared.
    Changed(Vec<Variable>, usize, usize),
    /// Not asked for.
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    Breakpoint,
    FunctionBreakpoint,
    Step,
    Pause,
    Exception,
    EntryPoint,
    RunTo,
    DebuggerBreak,
}

impl StopReason {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Breakpoint => "breakpoint",
            Self::FunctionBreakpoint => "function_breakpoint",
            Self::Step => "step",
            Self::Pause => "pause",
            Self::Exception => "exception",
            Self::EntryPoint => "entry_point",
            Self::RunTo => "run_to",
            Self::DebuggerBreak => "debugger_break",
        }
    }
}

/// How a program ended; both absent when nobody knows.
#[derive(Debug, Clone, Default)]
pub struct Exit {
    pub seq: EventSeq,
    pub exit_code: Option<i32>,
    /// `SIGKILL`.
    pub signal: Option<String>,
    pub exception: Option<Exception>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// Relative to the root where it lies under it, with `/`.
    pub file: String,
    pub line: u32,
    /// Only where the statement is not the first of its line.
    pub column: Option<u32>,
    pub function: Option<String>,
    pub kind: Option<String>,
    /// The line's text, trimmed, at most 120 characters.
    pub source: Option<String>,
    /// Index of the frame; 0 is omitted.
    pub frame: usize,
    /// The framework call that the thread is in.
    pub inside: Option<String>,
}

/// How often one session came to a breakpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHits {
    pub session: SessionId,
    pub hits: u64,
    /// How it ended.
    pub over: Option<StateName>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its number in the stack of the thread.
    pub frame: Option<usize>,
    pub function: String,
    pub kind: Option<String>,
    /// `file:line`; empty for a frame without source (`include_external`).
    pub at: String,
    pub source: Option<String>,
    /// It only completed what the frame above awaited.
    pub resumes: bool,
    /// So many more async methods await what this one awaits.
    pub others_await: usize,
    /// exception_get_context only.
    pub locals: Vec<Variable>,
}

/// A value of the program, in C# notation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    /// Short; left out where the literal shows it.
    pub type_name: Option<String>,
    pub content: Content,
    /// Elements of a collection.
    pub count: Option<u64>,
    /// Characters of the whole string, where it was cut.
    pub length: Option<u64>,
    pub was: Option<String>,
    /// Only where parent + name is not the path.
    pub path: Option<String>,
    pub is_static: bool,
    pub unassigned: bool,
    /// Of the first elements of a collection, more than a preview shows: a change there is seen by it; never reported itself.
    pub digest: u64,
    /// Of the object, where the adapter says it; never reported itself.
    pub identity: Option<u64>,
    /// Members, or elements under their names, that were read for the preview, also those that do not fit into it. Snapshots keep them;
    /// never reported with the value.
    pub parts: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Value(String),
    Error(String),
    /// The path of the object that this is.
    Cycle(String),
    Members(Vec<Variable>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Value(String::new())
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exception {
    /// Full name.
    pub type_name: String,
    /// `None`: it was not read, and one of the members says why.
    pub message: Option<String>,
    pub unhandled: bool,
    /// `file:line`.
    pub at: Option<String>,
    pub members: Vec<Variable>,
    pub inner: Vec<Exception>,
}

/// A line of a source file, 1-based, its text trimmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLine {
    pub line: u32,
    pub source: String,
}

/// The end of the program's output since the last report. Whole lines, without ANSI colors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputTail {
    pub stdout: String,
    pub stderr: String,
    /// Bytes before what is shown that no report has shown; they start at `cursor`.
    pub omitted_bytes: u64,
    pub cursor: Option<u64>,
    /// Of a page, where the program was restarted: which run wrote it, from 1.
    pub run: Option<usize>,
    /// Why some of it is lost for good, or what comes next.
    pub note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceLine {
    pub id: BreakpointId,
    /// Of the event log.
    pub seq: EventSeq,
    /// The thread that passed it.
    pub thread: ThreadId,
    pub text: String,
}

/// debug_state's answer.
#[derive(Debug, Clone)]
pub struct StateView {
    pub state: StateName,
    /// Why a session that was there is not attached any more.
    pub why: Option<String>,
    /// Stops that went on because no call came, until an answer says so.
    pub lapse: Option<String>,
    pub session_id: Option<SessionId>,
    pub program: Option<String>,
    pub backend: Option<String>,
    /// `adapter` or `other`; `None`: held by us.
    pub started_by: Option<&'static str>,
    pub root: Option<String>,
    /// `building`, `launching`, `attaching`, `binding`.
    pub phase: Option<&'static str>,
    pub pid: Option<u32>,
    pub seq: Option<EventSeq>,
    pub running_since: Option<std::time::Instant>,
    pub breakpoint_count: usize,
    pub unverified: usize,
    pub thread_id: Option<ThreadId>,
    pub reason: Option<StopReason>,
    pub location: Option<Location>,
    pub exit_code: Option<i32>,
    pub signal: Option<String>,
    /// Bytes of output so far.
    pub output: u64,
    /// What happened that nobody asked for.
    pub note: Option<String>,
}

impl StateView {
    /// A state with nothing else known.
    pub fn of(state: StateName) -> Self {
        Self {
            state,
            why: None,
            lapse: None,
            session_id: None,
            program: None,
            backend: None,
            started_by: None,
            root: None,
            phase: None,
            pid: None,
            seq: None,
            running_since: None,
            breakpoint_count: 0,
            unverified: 0,
            thread_id: None,
            reason: None,
            location: None,
            exit_code: None,
            signal: None,
            output: 0,
            note: None,
        }
    }
}
