//! What this adapter can do.

use dap_wire::{Capabilities, ExceptionBreakpointsFilter};
use serde_json::Value;

use crate::exception_filters;

/// Of the answer to `initialize`.
pub fn body() -> Value {
    let filter = |filter: &str, label: &str, description: &str| ExceptionBreakpointsFilter {
        filter: filter.into(),
        label: label.into(),
        description: Some(description.into()),
        supports_condition: true,
        condition_description: Some(exception_filters::SYNTAX.into()),
        ..ExceptionBreakpointsFilter::default()
    };
    let capabilities = Capabilities {
        supports_configuration_done_request: true,
        supports_function_breakpoints: true,
        supports_conditional_breakpoints: true,
        supports_hit_conditional_breakpoints: true,
        supports_log_points: true,
        supports_evaluate_for_hovers: true,
        supports_set_variable: true,
        supports_set_expression: true,
        supports_exception_info_request: true,
        supports_exception_filter_options: true,
        supports_terminate_request: true,
        support_terminate_debuggee: true,
        supports_cancel_request: true,
        supports_modules_request: true,
        supports_goto_targets_request: true,
        supports_step_in_targets_request: true,
        supports_completions_request: true,
        supports_loaded_sources_request: true,
        supports_read_memory_request: true,
        supports_value_formatting_options: true,
        supports_clipboard_context: true,
        supports_delayed_stack_trace_loading: true,
        supports_breakpoint_locations_request: true,
        supports_keep_step: true,
        supports_csharp_expressions: true,
        supports_clr_heap: true,
        supports_clr_returned: true,
        supports_clr_exceptions: true,
        supports_clr_waits: true,
        supports_clr_condition_counts: true,
        supports_clr_hit_counts: true,
        supports_clr_traces: true,
        exception_breakpoint_filters: vec![
            filter(exception_filters::ALL, "all exceptions", "stops where an exception is thrown"),
            filter(
                exception_filters::USER_UNHANDLED,
                "user-unhandled exceptions",
                "stops if user code does not catch it",
            ),
        ],
    };
    serde_json::to_value(capabilities).unwrap_or(Value::Null)
}
