//! The table of tools: one group a file, one function a tool. A tool is added in its group; nothing else knows its name.

mod breakpoints;
mod code;
mod execution;
mod heap;
mod inspection;
mod io;
pub(super) mod metadata;
mod navigation;
mod places;
mod session;
mod targets;
pub(super) mod telemetry;
#[cfg(test)]
pub(super) mod trial;

use std::fmt::Write as _;
use std::sync::OnceLock;

use super::nearest;
use super::tool::Tool;
use crate::config::{Set, Tier};

/// Every tool, in the order in which they are listed.
pub fn all() -> &'static [Tool] {
    static TOOLS: OnceLock<Vec<Tool>> = OnceLock::new();
    TOOLS.get_or_init(|| {
        let groups = [
            (Set::Session, session::tools()),
            (Set::Session, targets::tools()),
            (Set::Execution, execution::tools()),
            (Set::Breakpoints, breakpoints::tools()),
            (Set::Inspection, inspection::tools()),
            (Set::Io, io::tools()),
            (Set::Metadata, metadata::tools()),
            (Set::Heap, heap::tools()),
            (Set::Code, code::tools()),
            (Set::Code, navigation::tools()),
            (Set::Telemetry, telemetry::tools()),
            #[cfg(test)]
            (Set::Code, trial::tools()),
        ];
        groups.into_iter().flat_map(|(set, tools)| tools.into_iter().map(move |tool| tool.in_set(set))).collect()
    })
}

/// What other .NET debugger servers call their tools, and what is meant here.
const ALIASES: &[(&str, &str)] = &[
    ("debug_set_breakpoint", "breakpoint_set"),
    ("set_breakpoint", "breakpoint_set"),
    ("debug_remove_breakpoint", "breakpoint_remove"),
    ("remove_breakpoint", "breakpoint_remove"),
    ("list_breakpoints", "breakpoint_list"),
    ("set_exception_breakpoint", "breakpoint_set_exception"),
    ("debug_step_over", "debug_step"),
    ("debug_step_into", "debug_step"),
    ("debug_step_out", "debug_step"),
    ("step_over", "debug_step"),
    ("step_into", "debug_step"),
    ("step_out", "debug_step"),
    ("debug_variables", "variables_get"),
    ("get_variables", "variables_get"),
    ("expand_variable", "variables_get"),
    ("set_variable", "variable_set"),
    ("debug_evaluate", "evaluate"),
    ("debug_stacktrace", "stacktrace_get"),
    ("get_stack_trace", "stacktrace_get"),
    ("select_stack_frame", "frame_select"),
    ("list_threads", "threads_list"),
    ("debug_status", "debug_state"),
    ("get_debug_session_status", "debug_state"),
    ("list_debug_sessions", "debug_sessions"),
    ("start_debug_session", "debug_launch"),
    ("run_configuration", "debug_launch"),
    ("list_run_configurations", "project_list"),
    ("stop_debug_session", "debug_disconnect"),
    ("resume", "debug_continue"),
    ("pause", "debug_pause"),
    ("run_to_line", "debug_run_to"),
    ("add_watch", "watch_set"),
    ("remove_watch", "watch_set"),
    ("get_source_context", "source_get"),
];

/// The tool that a wrong name means: an alias's, else the nearest of `names`.
pub(super) fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let meant = ALIASES.iter().find(|(alias, _)| *alias == wrong).map(|(_, name)| *name);
    names.clone().find(|name| Some(*name) == meant).or_else(|| nearest::nearest(wrong, names))
}

/// The table for the README: a row a tool, grouped by set.
pub fn markdown_table() -> String {
    let mut table = String::from("| tool | title | set | listed | kind | parameters |\n|---|---|---|---|---|---|\n");
    for tool in all() {
        let listed = match tool.tier {
            Tier::Core => "core",
            Tier::Default => "default",
            Tier::Extra => "all",
        };
        let kind = match (tool.hints.read_only, tool.hints.destructive) {
            (true, _) => "read-only",
            (false, true) => "destructive",
            (false, false) => "changes state",
        };
        let parameters: Vec<String> = tool
            .parameters()
            .into_iter()
            .map(|(name, required)| if required { format!("{name}*") } else { name })
            .collect();
        let _ = writeln!(
            table,
            "| {} | {} | {} | {listed} | {kind} | {} |",
            tool.name,
            tool.title,
            tool.set.as_str(),
            parameters.join(", ")
        );
    }
    table
}

/// `serde`'s default for flags that are on.
fn yes() -> bool {
    true
}
