//! What both sides say about themselves.

use serde::{Deserialize, Serialize};

/// `initialize`. netcoredbg and dncdbg ignore all of it: lines and columns always count from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct InitializeArguments {
    /// Who we are.
    #[serde(rename = "clientID", skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_name: Option<String>,
    /// `coreclr`.
    #[serde(rename = "adapterID")]
    pub adapter_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    pub lines_start_at1: bool,
    pub columns_start_at1: bool,
    /// `path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports_variable_type: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports_variable_paging: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports_run_in_terminal_request: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports_memory_references: Option<bool>,
    /// Not of the protocol: the client shows values itself. What it gets is all that memory has of them, and nothing runs for that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub clr_raw_values: bool,
}

/// What an adapter can do; absent means no. Only what our client asks or our adapter announces.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Capabilities {
    pub supports_configuration_done_request: bool,
    pub supports_function_breakpoints: bool,
    pub supports_conditional_breakpoints: bool,
    pub supports_hit_conditional_breakpoints: bool,
    pub supports_log_points: bool,
    pub supports_evaluate_for_hovers: bool,
    pub supports_set_variable: bool,
    pub supports_set_expression: bool,
    pub supports_exception_info_request: bool,
    pub supports_exception_filter_options: bool,
    pub supports_terminate_request: bool,
    pub support_terminate_debuggee: bool,
    pub supports_cancel_request: bool,
    pub supports_modules_request: bool,
    pub supports_goto_targets_request: bool,
    pub supports_step_in_targets_request: bool,
    pub supports_completions_request: bool,
    pub supports_loaded_sources_request: bool,
    pub supports_delayed_stack_trace_loading: bool,
    pub supports_breakpoint_locations_request: bool,
    pub supports_read_memory_request: bool,
    pub supports_value_formatting_options: bool,
    pub supports_clipboard_context: bool,
    /// Not of the protocol: `continue` reads `keepStep`, and the end of a step names the breakpoints there in `hitBreakpointIds`.
    pub supports_keep_step: bool,
    /// Not of the protocol: `evaluate`, conditions and log messages take all of C#'s expressions, and errors are the compiler's.
    #[serde(rename = "supportsCSharpExpressions")]
    pub supports_csharp_expressions: bool,
    /// Not of the protocol: `clrHeapStatistics`, `clrHeapFind`, `clrHeapRoots`, `clrHeapReferences` and `clrHeapObject`.
    pub supports_clr_heap: bool,
    /// Not of the protocol: the end of a step has `clrReturned`.
    pub supports_clr_returned: bool,
    /// Not of the protocol: `clrExceptions`.
    pub supports_clr_exceptions: bool,
    /// Not of the protocol: `clrWaits`.
    pub supports_clr_waits: bool,
    /// Not of the protocol: `breakpoint` events carry `clrCondition` ([`ConditionCounts`](super::ConditionCounts)) for each condition that
    /// the adapter evaluates: at most five a second while the program runs, and always before it is reported as stopped or ended.
    pub supports_clr_condition_counts: bool,
    /// Not of the protocol: breakpoints take `clrHits` ([`HitCounter`](super::HitCounter)), a `clrHits` event tells what they counted, as
    /// often as `clrCondition` and always before the program is reported as stopped or ended and before a request is answered, and `stopped`
    /// has in `clrHits` those of the hits that it is reported for. `hitBreakpointIds` names every breakpoint that stops, and no other.
    pub supports_clr_hit_counts: bool,
    /// Not of the protocol: breakpoints take `clrTrace` ([`Trace`](super::Trace)), and `clrTraces` events bring what was read: while the
    /// program runs in at most a twentieth of a second, and always before any other event and any answer.
    pub supports_clr_traces: bool,
    /// netcoredbg: `all` and `user-unhandled`, in any order.
    pub exception_breakpoint_filters: Vec<ExceptionBreakpointsFilter>,
}

/// A kind of exception to stop at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionBreakpointsFilter {
    /// The id, as `setExceptionBreakpoints` wants it.
    pub filter: String,
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<bool>,
    /// netcoredbg takes conditions without saying so.
    pub supports_condition: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition_description: Option<String>,
}
