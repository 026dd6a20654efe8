//! What callers ask of a session. Plain data, already checked for shape.

use std::time::Duration;

use super::ids::{BreakpointId, EventSeq, ThreadId};
use super::report::ExceptionRule;
pub use crate::dotnet::BuildMode;

/// A new program.
#[derive(Debug, Clone, Default)]
pub struct LaunchSpec {
    /// A dll, apphost, project, folder or `.cs` file.
    pub program: String,
    pub args: Vec<String>,
    pub cwd: Option<String>,
    /// `None` removes the variable.
    pub env: Vec<(String, Option<String>)>,
    pub stop_at_entry: bool,
    pub launch_profile: Option<String>,
    pub build: BuildMode,
    pub configuration: Option<String>,
    /// `None` = true.
    pub just_my_code: Option<bool>,
    pub breakpoints: Vec<BreakpointSpec>,
    pub exceptions: Option<ExceptionRule>,
    /// The program's stdin is a pipe that process_write_input feeds; else it is closed.
    pub stdin_pipe: bool,
    /// Overrides the configured backend.
    pub backend: Option<String>,
    /// Regular expression for the line that says "ready"; `Some("")` = none; `None` = `Now listening on: URL`.
    pub ready_when: Option<String>,
}

/// A program that runs already.
#[derive(Debug, Clone)]
pub struct AttachSpec {
    pub target: AttachTarget,
    /// `None` = true.
    pub just_my_code: Option<bool>,
    pub breakpoints: Vec<BreakpointSpec>,
    pub exceptions: Option<ExceptionRule>,
    pub backend: Option<String>,
    /// How long a stop may stand while no call comes; `None` = for ever.
    pub max_stop: Option<Duration>,
}

#[derive(Debug, Clone)]
pub enum AttachTarget {
    Pid(u32),
    Name(String),
}

/// Where a breakpoint is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// `line` and `text`: at least one is there.
    Source {
        file: String,
        line: Option<u32>,
        text: Option<String>,
    },
    Function(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakpointSpec {
    pub place: Place,
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
    pub temporary: bool,
    pub enabled: bool,
    /// A tracepoint's message.
    pub log: Option<String>,
    pub max_hits: Option<u64>,
    /// A tracepoint writes a line only where it is not the one it wrote last.
    pub only_changes: bool,
    /// Its condition and the expressions of its message may run what may change something.
    pub allow_side_effects: bool,
}

impl BreakpointSpec {
    /// Enabled, and stops at every hit.
    pub fn at(place: Place) -> Self {
        Self {
            place,
            condition: None,
            hit_condition: None,
            temporary: false,
            enabled: true,
            log: None,
            max_hits: None,
            only_changes: false,
            allow_side_effects: false,
        }
    }
}

#[derive(Debug, Clone)]
pub enum Resume {
    /// `thread` is accepted for symmetry; all threads run.
    Continue,
    Step {
        mode: StepMode,
        count: u32,
        thread: Option<ThreadId>,
    },
    RunTo {
        place: Place,
    },
}

/// What somebody does who is no client: it answers at once, and nothing in its answer counts as reported.
#[derive(Debug, Clone)]
pub enum Steer {
    Resume(Resume),
    Pause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepMode {
    Over,
    In,
    Out,
}

/// breakpoint_wait.
#[derive(Debug, Clone, Default)]
pub struct WaitFor {
    pub breakpoint: Option<BreakpointId>,
    pub since: Option<EventSeq>,
}

/// Which parts of a stop report are wanted; all by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Include {
    pub stack: bool,
    pub locals: bool,
    pub output: bool,
    pub watches: bool,
    /// Named by the caller: a step then reports stack and locals in full.
    pub explicit: bool,
}

impl Default for Include {
    fn default() -> Self {
        Self { stack: true, locals: true, output: true, watches: true, explicit: false }
    }
}

/// A frame: the selected (or located) one of the stopped thread unless named.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FrameRef {
    pub thread: Option<ThreadId>,
    pub frame: Option<usize>,
}

#[derive(Debug, Clone)]
pub struct VariablesQuery {
    pub at: FrameRef,
    pub scope: Scope,
    /// Expands this instead of listing the frame.
    pub path: Option<String>,
    pub depth: u32,
    pub start: u64,
    pub count: Option<u64>,
    /// Regular expression on names.
    pub filter: Option<String>,
    /// Time for reading, unless the usual 2 s.
    pub timeout: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    #[default]
    All,
    Locals,
    Arguments,
    This,
}

#[derive(Debug, Clone)]
pub struct ObjectQuery {
    pub at: FrameRef,
    pub path: String,
    pub depth: u32,
    pub max_members: Option<u64>,
    /// Time for reading, unless the usual 2 s.
    pub timeout: Option<Duration>,
}

/// heap_stats.
#[derive(Debug, Clone)]
pub struct HeapStatsQuery {
    /// Regex on type names.
    pub name: Option<String>,
    /// Types of the answer.
    pub top: usize,
    /// Of an earlier answer: what has changed since.
    pub since: Option<String>,
    pub timeout: Option<Duration>,
}

/// heap_find.
#[derive(Debug, Clone)]
pub struct HeapFindQuery {
    pub at: FrameRef,
    pub type_name: String,
    /// Over `it`.
    pub condition: Option<String>,
    /// The same, for groups of objects instead of objects.
    pub group_by: Option<String>,
    pub max_results: usize,
    pub timeout: Option<Duration>,
}

/// gc_roots.
#[derive(Debug, Clone)]
pub struct GcRootsQuery {
    pub at: FrameRef,
    pub of: Rooted,
    pub max_chains: usize,
    pub timeout: Option<Duration>,
}

/// What is asked about.
#[derive(Debug, Clone)]
pub enum Rooted {
    /// The object that a path gives.
    Path(String),
    /// All objects of a type.
    Type(String),
}

/// references_get.
#[derive(Debug, Clone)]
pub struct ReferencesQuery {
    pub at: FrameRef,
    pub path: String,
    /// What the object refers to, not what refers to it.
    pub outbound: bool,
    pub max_results: usize,
    pub timeout: Option<Duration>,
}

/// memory_read.
#[derive(Debug, Clone)]
pub struct MemoryQuery {
    pub at: FrameRef,
    pub from: MemoryStart,
    /// Bytes.
    pub size: u64,
}

/// Where memory is read from.
#[derive(Debug, Clone)]
pub enum MemoryStart {
    Address(u64),
    /// The object that a path gives.
    Path(String),
}

#[derive(Debug, Clone)]
pub struct EvaluateQuery {
    pub at: FrameRef,
    pub expressions: Vec<String>,
    /// One `expression` was asked for: a failure fails the call.
    pub single: bool,
    pub timeout: Option<Duration>,
    pub allow_side_effects: bool,
}

/// What is assigned to what, both as C#.
#[derive(Debug, Clone)]
pub struct SetQuery {
    pub at: FrameRef,
    pub path: String,
    pub value: String,
    pub allow_side_effects: bool,
}

#[derive(Debug, Clone)]
pub struct StackQuery {
    pub thread: Option<ThreadId>,
    pub start_frame: usize,
    pub max_frames: usize,
    pub include_external: bool,
}

#[derive(Debug, Clone, Default)]
pub struct ExceptionQuery {
    pub max_frames: Option<usize>,
    pub include_variables_for_frames: usize,
    pub max_inner_exceptions: Option<usize>,
}

#[derive(Debug, Clone)]
pub struct SourceQuery {
    pub file: Option<String>,
    pub line: Option<u32>,
    pub context: u32,
}

#[derive(Debug, Clone, Default)]
pub struct OutputQuery {
    pub stdout: bool,
    pub stderr: bool,
    pub since: Option<u64>,
    pub max_lines: Option<usize>,
    /// Regular expression on lines.
    pub search: Option<String>,
    /// The last lines instead of the first.
    pub tail: Option<usize>,
}

/// What an onlooker wants to see of a session beside its state.
#[derive(Debug, Clone)]
pub struct LookQuery {
    /// The stop to look at; `None`: the present.
    pub at: Option<EventSeq>,
    /// The stop and the number of the frame whose source is wanted; ignored at any other stop, and where it has no source.
    pub frame: Option<(EventSeq, usize)>,
    /// Lines of source on each side of the current one.
    pub context: u32,
    /// The last lines of output, of both streams.
    pub output_lines: usize,
    /// Only those that contain this.
    pub search: Option<String>,
    /// The last events of execution.
    pub events: usize,
}

#[derive(Debug, Clone)]
pub struct EventsQuery {
    pub stream: Option<String>,
    pub since: EventSeq,
    pub limit: usize,
    pub event_type: Option<String>,
}

/// What a session is for.
#[derive(Debug, Clone)]
pub(crate) enum Purpose {
    Launch(Box<LaunchSpec>),
    Attach(Box<AttachSpec>),
}
