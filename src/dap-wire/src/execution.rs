//! Running, stopping, ending, and the program's output meanwhile.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{HitCount, Source, Variable};

/// Requests about one thread: `pause`, `exceptionInfo`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ThreadArguments {
    pub thread_id: i64,
}

/// `continue`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ContinueArguments {
    pub thread_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_thread: Option<bool>,
    /// Not of the protocol: the step that the stop came into goes on to its own end. For adapters that have
    /// [`supports_keep_step`](super::Capabilities::supports_keep_step).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_step: Option<bool>,
}

/// `continue` answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ContinueResponse {
    /// Absent means yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_threads_continued: Option<bool>,
}

/// `next`, `stepIn`, `stepOut`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StepArguments {
    pub thread_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_thread: Option<bool>,
    /// `stepIn` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granularity: Option<String>,
}

/// `stopped` event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoppedEvent {
    pub reason: StopReason,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preserve_focus_hint: Option<bool>,
    /// netcoredbg: only for exceptions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(default)]
    pub all_threads_stopped: bool,
    /// dncdbg only.
    #[serde(default)]
    pub hit_breakpoint_ids: Vec<i64>,
    /// Not of the protocol: the counters of the breakpoints in `hit_breakpoint_ids`, where the adapter counted the hit. For adapters that
    /// have [`supports_clr_hit_counts`](super::Capabilities::supports_clr_hit_counts).
    #[serde(default, rename = "clrHits", skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<HitCount>,
    /// Not of the protocol: what the calls of the step that ended returned, in their order. For adapters that have
    /// [`supports_clr_returned`](super::Capabilities::supports_clr_returned).
    #[serde(default, rename = "clrReturned", skip_serializing_if = "Vec::is_empty")]
    pub returned: Vec<ReturnedValue>,
    /// Not of the protocol: calls after those of `returned` returned, too.
    #[serde(default, rename = "clrMoreReturned")]
    pub has_more_returned: bool,
}

/// What a call returned.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReturnedValue {
    /// As a frame of it is named; `await` is before the name of what was awaited.
    pub function: String,
    /// Its `evaluateName`, if it has one, is valid until the program goes on.
    #[serde(flatten)]
    pub value: Variable,
}

/// Why a program stopped. netcoredbg calls function breakpoints `breakpoint` and `Debugger.Break()` `pause`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    #[serde(rename = "step")]
    Step,
    #[serde(rename = "breakpoint")]
    Breakpoint,
    #[serde(rename = "exception")]
    Exception,
    #[serde(rename = "pause")]
    Pause,
    #[serde(rename = "entry")]
    Entry,
    #[serde(rename = "goto")]
    Goto,
    #[serde(rename = "function breakpoint")]
    FunctionBreakpoint,
    #[serde(rename = "data breakpoint")]
    DataBreakpoint,
    #[serde(rename = "instruction breakpoint")]
    InstructionBreakpoint,
    #[serde(untagged)]
    Other(String),
}

impl StopReason {
    /// One word, as answers and events show it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Step => "step",
            Self::Breakpoint => "breakpoint",
            Self::Exception => "exception",
            Self::Pause => "pause",
            Self::Entry => "entry",
            Self::Goto => "goto",
            Self::FunctionBreakpoint => "function_breakpoint",
            Self::DataBreakpoint => "data_breakpoint",
            Self::InstructionBreakpoint => "instruction_breakpoint",
            Self::Other(other) => other,
        }
    }
}

/// `continued` event.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContinuedEvent {
    /// netcoredbg leaves out 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_threads_continued: Option<bool>,
}

/// `process` event.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProcessEvent {
    /// netcoredbg: `argv[0]`, for example `dotnet`.
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_process_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_local_process: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_method: Option<String>,
    /// Bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer_size: Option<i64>,
}

/// `output` event.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutputEvent {
    /// Absent means console.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<OutputCategory>,
    pub output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables_reference: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
    /// The adapter's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Box<RawValue>>,
}

/// Whose text it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OutputCategory {
    /// The adapter's; netcoredbg also `Debug.WriteLine`.
    Console,
    Important,
    Stdout,
    Stderr,
    Telemetry,
    #[serde(untagged)]
    Other(String),
}

/// `disconnect`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DisconnectArguments {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restart: Option<bool>,
    /// The default is true after launch and false after attach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminate_debuggee: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspend_debuggee: Option<bool>,
}

/// `cancel`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CancelArguments {
    /// The `seq` of the request that nobody waits for any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<i64>,
}

/// `stepInTargets`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StepInTargetsArguments {
    pub frame_id: i64,
}

/// The calls of the statement, in the order in which they run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepInTargetsResponse {
    pub targets: Vec<StepInTarget>,
}

/// A call that `stepIn` may be asked for by its id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepInTarget {
    pub id: i64,
    pub label: String,
}

/// Why nothing can be resumed, whatever the method: an evaluation runs on (our own engine).
pub const STILL_EVALUATING: &str = "an evaluation that could not be aborted is still running in the program";
/// The same of a program that is gone.
pub const HAS_ENDED: &str = "the program has ended";
