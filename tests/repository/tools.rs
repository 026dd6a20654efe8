//! The table of tools, as a contract: names, titles, annotations, sets, parameters and which of them are required, and the order in which
//! they are listed. Types and texts of parameters are in the listing, which is compared with the schemas.

use std::collections::BTreeSet;

use clrbridge::config::{Set, Tier, Toolsets};
use clrbridge::mcp::tool::Tool;
use clrbridge::mcp::tools;

/// name | title | RO D I | set, c = core, x = only with all | own parameters, `*` = required | shared parameters
const TABLE: &str = "
debug_launch | Launch Process | - D - | session c | program* args cwd env stop_at_entry launch_profile build configuration just_my_code breakpoints exceptions stdin backend ready_when | timeout_ms include max_chars
debug_attach | Attach to Process | - D - | session c | pid process_name just_my_code breakpoints exceptions max_stop_s | timeout_ms include max_chars
debug_disconnect | Disconnect Debug Session | - D I | session c | terminate | session_id
debug_state | Get Debug State | RO - I | session c | | session_id
debug_restart | Restart Debug Session | - D - | session | build | timeout_ms session_id include max_chars
debug_sessions | List Debug Sessions | RO - I | session x | |
debug_health_check | Debug Health Check | RO - I | session x | |
process_list | List .NET Processes | RO - I | session | name_filter |
project_list | List Debug Targets | RO - I | session x | path |
debug_continue | Continue Execution | - - - | execution c | thread_id | timeout_ms session_id include max_chars
debug_step | Step Through Code | - - - | execution c | mode* count thread_id | timeout_ms session_id include max_chars
debug_pause | Pause Execution | - - I | execution c | thread_id | timeout_ms session_id include max_chars
debug_run_to | Run to Line | - - - | execution | file* line text | timeout_ms session_id include max_chars
breakpoint_set | Set Breakpoint | - - - | breakpoints c | file line text function condition hit_condition temporary enabled allow_side_effects | session_id
breakpoint_list | List Breakpoints | RO - I | breakpoints | file | session_id
breakpoint_enable | Enable/Disable Breakpoint | - - I | breakpoints | id* enabled* | session_id
breakpoint_remove | Remove Breakpoint | - D - | breakpoints c | id all | session_id
breakpoint_wait | Wait for Breakpoint Hit | RO - - | breakpoints | breakpoint_id since | timeout_ms session_id include max_chars
breakpoint_set_exception | Set Exception Breakpoint | - - - | breakpoints c | types mode include_subtypes | session_id
tracepoint_set | Set Tracepoint | - - - | breakpoints | file* line text message* condition hit_condition max_hits only_changes allow_side_effects | session_id
breakpoint_explain | Explain Breakpoint | RO - I | breakpoints | id* | session_id
threads_list | List Threads | RO - I | inspection | expressions | session_id
stacktrace_get | Get Stack Trace | RO - I | inspection c | thread_id start_frame max_frames include_external | session_id
variables_get | Get Variables | RO - I | inspection c | thread_id frame scope path depth start count filter | timeout_ms session_id
variable_set | Set Variable | - D I | inspection | path* value* thread_id frame allow_side_effects | session_id
evaluate | Evaluate Expression | RO - - | inspection c | expression expressions thread_id frame allow_side_effects | timeout_ms session_id
object_inspect | Inspect Object | RO - I | inspection | path* depth max_members thread_id frame | timeout_ms session_id
exception_get_context | Get Exception Context | RO - I | inspection c | max_frames include_variables_for_frames max_inner_exceptions | session_id
source_get | Get Source Context | RO - I | inspection x | file line context function module assembly start | session_id
watch_set | Set Watches | - - I | inspection x | expressions* | session_id
frame_select | Select Stack Frame | - - I | inspection x | thread_id frame | session_id
process_read_output | Read Process Output | RO - - | io c | stream since max_lines search tail | session_id
process_write_input | Write Process Input | - D - | io | data* close_after | session_id
modules_list | List Modules | RO - I | metadata | include_system name_filter | session_id
modules_search | Search Modules | RO - I | metadata | pattern* kind module assembly max_results | session_id
types_get | Get Types | RO - I | metadata | module assembly namespace kind visibility continuation_token max_results | session_id
members_get | Get Type Members | RO - I | metadata | type* module assembly include_inherited kinds visibility static instance | session_id
layout_get | Get Memory Layout | RO - I | metadata x | type* module assembly | session_id
heap_stats | Get Heap Statistics | RO - - | heap x | name_filter top since | timeout_ms session_id
heap_find | Find Heap Objects | RO - - | heap x | type* where group_by max_results thread_id frame | timeout_ms session_id
gc_roots | Find GC Roots | RO - - | heap x | path type max_chains thread_id frame | timeout_ms session_id
references_get | Get Object References | RO - - | heap x | path* direction max_results thread_id frame | timeout_ms session_id
memory_read | Read Memory | RO - I | heap x | address path size format thread_id frame | session_id
code_load | Load Workspace | - - I | code | path* |
code_get_diagnostics | Get Diagnostics | - - I | code | project min_severity max_results |
code_goto_definition | Go to Definition | RO - I | code | name file line column |
code_find_usages | Find Usages | RO - I | code | name file line column kind max_results start |
code_find_assignments | Find Assignments | RO - I | code | name file line column max_results start |
debug_query_events | Query Debug Events | RO - I | telemetry | stream since_seq limit event_type | session_id response_format
debug_list_streams | List Debug Streams | RO - I | telemetry x | | session_id response_format
debug_get_snapshot | Get Debug Snapshot | RO - I | telemetry x | seq scope | session_id response_format
debug_get_state_path | Get State Path Value | RO - I | telemetry x | path* | session_id response_format
debug_diff_snapshots | Diff Debug Snapshots | RO - I | telemetry x | base_seq* target_seq* max_depth max_changes | session_id response_format
";

const LISTING: &str = include_str!("../../src/mcp/tool/listing.tsv");

fn hints(tool: &Tool) -> String {
    let word = |on: bool, word: &'static str| if on { word } else { "-" };
    let hints = tool.hints;
    [word(hints.read_only, "RO"), word(hints.destructive, "D"), word(hints.idempotent, "I")].join(" ")
}

fn place(tool: &Tool) -> String {
    match tool.tier {
        Tier::Core => format!("{} c", tool.set.as_str()),
        Tier::Default => tool.set.as_str().to_owned(),
        Tier::Extra => format!("{} x", tool.set.as_str()),
    }
}

fn parameters(tool: &Tool) -> String {
    let name = |(name, required): (String, bool)| if required { format!("{name}*") } else { name };
    tool.parameters().into_iter().map(name).collect::<Vec<_>>().join(" ")
}

/// A tool as a row of the table.
fn row(tool: &Tool) -> String {
    let parts = [tool.name, tool.title, &hints(tool), &place(tool), &parameters(tool)];
    parts.join(" | ")
}

#[test]
fn the_tools_are_those_of_the_table_in_its_order() {
    // The bar before the shared parameters is for the reader.
    let expected = TABLE.trim().lines().map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 6, "{line}");
        [cells[0], cells[1], cells[2], cells[3], format!("{} {}", cells[4], cells[5]).trim()].join(" | ")
    });
    let (expected, got): (Vec<String>, Vec<String>) = (expected.collect(), tools::all().iter().map(row).collect());
    let differ: Vec<String> = expected
        .iter()
        .zip(&got)
        .filter(|(expected, got)| expected != got)
        .map(|(expected, got)| format!("expected {expected}\ngot      {got}"))
        .collect();
    assert!(differ.is_empty(), "\n{}", differ.join("\n"));
    assert_eq!(got.len(), expected.len(), "a tool without a row, or a row without a tool");
}

/// The schemas are served from a text, so that a start need not make them.
#[test]
fn the_listed_schemas_are_those_of_the_types() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mcp/tool/listing.tsv");
    let right = clrbridge::mcp::listing_text(tools::all());
    if std::env::var_os("UPDATE").is_some() {
        return std::fs::write(path, right).unwrap();
    }
    let differ: Vec<&str> = right.lines().filter(|line| !LISTING.lines().any(|kept| kept == *line)).collect();
    assert!(differ.is_empty(), "UPDATE=1 cargo test --test repository, for {}", differ.join("\n"));
    assert_eq!(LISTING.lines().count(), right.lines().count(), "a tool went");
}

#[test]
fn names_are_unique_snake_case_and_descriptions_are_short() {
    let mut names = BTreeSet::new();
    for tool in tools::all() {
        assert!(names.insert(tool.name), "{} is there twice", tool.name);
        let parameters = tool.parameters();
        for name in parameters.iter().map(|(name, _)| name.as_str()).chain([tool.name]) {
            let snake = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            assert!(snake && !name.starts_with('_') && !name.contains("__"), "{}: {name} is not snake_case", tool.name);
        }
        let length = tool.description.len();
        assert!((40..=520).contains(&length), "{}: description of {length} bytes", tool.name);
        assert!(!tool.description.contains("  "), "{}: blanks in the description", tool.name);
    }
}

#[test]
fn tools_that_agents_use_most_show_an_example_that_is_json() {
    for name in [
        "debug_launch",
        "breakpoint_set",
        "breakpoint_wait",
        "debug_continue",
        "debug_step",
        "variables_get",
        "evaluate",
        "stacktrace_get",
        "exception_get_context",
        "debug_disconnect",
    ] {
        let tool = tools::all().iter().find(|tool| tool.name == name).unwrap();
        let example = tool.description.split_once('{').map(|(_, rest)| format!("{{{rest}")).unwrap();
        let example = example.replace("[…]", "[]");
        let parsed: Result<serde_json::Value, _> = serde_json::from_str(&example);
        assert!(parsed.is_ok(), "{name}: {example}");
    }
}

#[test]
fn selections_bring_the_right_number_of_tools() {
    let count = |list: &str, read_only: bool| {
        let toolsets: Toolsets = list.parse().unwrap();
        tools::all().iter().filter(|tool| tool.is_listed(&toolsets, read_only)).count()
    };
    // core has 16 and default 40 when every tool of the surface is there.
    assert_eq!(count("core", false), 15);
    assert_eq!(count("default", false), 37);
    assert_eq!(count("all", false), 53);
    assert_eq!(count("inspection", false), 10);
    assert_eq!(count("all", true), 11, "tools that need neither a session nor a build");
    for set in Set::ALL {
        assert_eq!(count(set.as_str(), false), tools::all().iter().filter(|tool| tool.set == *set).count());
    }
}
