//! Breakpoints asked for and breakpoints as they are.

use serde::{Deserialize, Serialize};

use super::{MayRun, Source, Trace};

/// `setBreakpoints`: all breakpoints of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SetBreakpointsArguments {
    pub source: Source,
    /// Required by netcoredbg even when empty.
    pub breakpoints: Vec<SourceBreakpoint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_modified: Option<bool>,
}

/// A breakpoint wanted at a line, counted from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceBreakpoint {
    pub line: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Ignored by netcoredbg.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_condition: Option<String>,
    /// Ignored by netcoredbg.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_message: Option<String>,
    /// What its expressions may run: an extension of adapters with `supportsCSharpExpressions`. Without it, anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_run: Option<MayRun>,
    /// Where its hits are counted: an extension of adapters with `supportsClrHitCounts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clr_hits: Option<HitCounter>,
    /// What is read at its hits instead of a stop: an extension of adapters with `supportsClrTraces`. Ignored beside a `logMessage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clr_trace: Option<Trace>,
}

/// `setFunctionBreakpoints`: all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SetFunctionBreakpointsArguments {
    pub breakpoints: Vec<FunctionBreakpoint>,
}

/// A breakpoint wanted at the start of a function.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FunctionBreakpoint {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_condition: Option<String>,
    /// As of a line's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_run: Option<MayRun>,
    /// As of a line's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clr_hits: Option<HitCounter>,
    /// As of a line's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clr_trace: Option<Trace>,
}

/// `setExceptionBreakpoints`: all filters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SetExceptionBreakpointsArguments {
    pub filters: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter_options: Option<Vec<ExceptionFilterOptions>>,
}

/// A filter with a condition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionFilterOptions {
    pub filter_id: String,
    /// netcoredbg: exception types, separated by blanks; `!` in front means all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
}

/// The breakpoints in the order asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetBreakpointsResponse {
    pub breakpoints: Vec<Breakpoint>,
}

/// Empty from netcoredbg and dncdbg.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SetExceptionBreakpointsResponse {
    pub breakpoints: Vec<Breakpoint>,
}

/// A breakpoint as the adapter has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Breakpoint {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// False while pending: no code is loaded for it yet.
    pub verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Where it really is, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<i64>,
    /// Of adapters with `supportsClrConditionCounts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clr_condition: Option<ConditionCounts>,
}

/// How the message begins of a breakpoint whose line optimized code has dropped.
pub const NO_PLACE: &str = "the compiled code has no place for this line";

/// Evaluations of breakpoints' conditions at one place, since there is a breakpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConditionCounts {
    /// As it was given; what was counted since the event before is of it.
    pub condition: String,
    /// All of them, with those that failed.
    pub evaluations: u64,
    /// Those that gave false.
    #[serde(rename = "false")]
    pub falses: u64,
}

/// A counter of hits. All breakpoints that name the same one share it, and it outlives them: it begins at 0 when it is first named, and
/// what was counted is not lost when the breakpoints change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HitCounter {
    /// Its client's number for it.
    pub counter: u64,
    /// Hits that its client counted itself; `hitCondition` is decided by the sum of both.
    pub before: u64,
}

/// How far a counter is: hits whose condition was true. One whose condition failed is not among them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HitCount {
    pub counter: u64,
    /// Since the counter was first named, without its client's own.
    pub hits: u64,
}

/// `clrHits` event of adapters with `supportsClrHitCounts`: the counters that changed since the event before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HitsEvent {
    pub counts: Vec<HitCount>,
}

/// `breakpoint` event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BreakpointEvent {
    pub reason: BreakpointReason,
    pub breakpoint: Breakpoint,
}

/// What happened to a breakpoint; netcoredbg only says `changed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BreakpointReason {
    Changed,
    New,
    Removed,
    #[serde(untagged)]
    Other(String),
}
