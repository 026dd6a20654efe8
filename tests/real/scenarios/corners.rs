//! Corners that any client of our own adapter reaches, asked of it without a server before it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::scenarios;
use crate::adapter::Adapter;
use crate::real::Bench;

scenarios! {
    a_static_of_a_type_with_a_finalizer_is_read_without_an_object_that_is_finalized, "builtin";
    a_hoisted_local_hides_the_parameter_that_its_object_captured, "builtin";
    constants_of_every_type_are_known, "builtin";
    a_static_of_a_type_parameter_is_assigned, "builtin";
    a_break_at_a_line_that_was_seen_stops_no_second_time, "builtin";
    a_break_in_a_loop_stops_each_time, "builtin";
    a_breakpoint_that_is_refused_leaves_the_others, "builtin";
    a_program_is_found_below_its_folder_and_a_missing_folder_is_named, "builtin";
    a_disconnect_reports_the_exit, "builtin";
    a_block_that_disposes_ends_once, "builtin";
    a_step_into_stays_in_the_accessor_that_it_began_in, "builtin";
    a_step_into_passes_over_what_is_marked, "builtin";
    a_step_into_an_await_enters_the_method, "builtin";
    a_step_into_what_steps_pass_over_ends_once, "builtin";
    what_is_not_user_code_does_not_catch_for_the_user, "builtin";
    a_line_between_statements_of_a_lambda_means_its_next_one, "builtin";
    a_source_is_known_by_a_path_with_dots, "builtin";
}

fn file(bench: &Bench) -> PathBuf {
    bench.fixture("Corners").join("Program.cs")
}

fn line(bench: &Bench, marker: &str) -> u64 {
    bench.line("Corners", marker)
}

/// At the first stop, with breakpoints at these markers.
fn at(bench: &Bench, mode: &str, markers: &[&str], more: Value) -> (Adapter, Value) {
    let mut adapter = Adapter::start(bench.adapter_command());
    let lines: Vec<Value> = markers.iter().map(|marker| json!({"line": line(bench, marker)})).collect();
    adapter.launch(&program(bench), &[mode], &[(&file(bench), json!(lines))], more);
    let stop = adapter.event("stopped");
    (adapter, stop)
}

fn program(bench: &Bench) -> PathBuf {
    bench.built("Corners", "Corners.dll")
}

/// Where a thread is after a request that lets it go on, and why it stopped.
#[track_caller]
fn after(adapter: &mut Adapter, command: &str, stop: &Value) -> (u64, String) {
    adapter.ok(command, json!({"threadId": stop["threadId"]}));
    let stop = adapter.event("stopped");
    let line = adapter.top(&stop)["line"].as_u64().unwrap();
    (line, stop["reason"].as_str().unwrap().to_owned())
}

#[track_caller]
fn value(adapter: &mut Adapter, stop: &Value, expression: &str) -> String {
    let frame = adapter.top(stop)["id"].clone();
    let answer = adapter.ok("evaluate", json!({"expression": expression, "frameId": frame}));
    answer["result"].as_str().unwrap().to_owned()
}

fn a_static_of_a_type_with_a_finalizer_is_read_without_an_object_that_is_finalized(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "finalizer", &["finalizer", "behind-finalizer"], json!({}));
    assert_eq!(value(&mut adapter, &stop, "Guarded.Count"), "5");
    let (now, _) = after(&mut adapter, "continue", &stop);
    assert_eq!(now, line(bench, "behind-finalizer"));
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_hoisted_local_hides_the_parameter_that_its_object_captured(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "captured", &["captured"], json!({}));
    assert_eq!(value(&mut adapter, &stop, "text"), "\"local\"");
    assert_eq!(value(&mut adapter, &stop, "number"), "1");
    assert_eq!(adapter.finish(&stop), 0);
}

fn constants_of_every_type_are_known(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "constants", &["constants"], json!({}));
    for (expression, expected) in [
        ("Price", "-12.50"),
        ("Price * 2", "-25.00"),
        ("Nothing", "null"),
        ("NoArray", "null"),
        ("NoResource == null", "true"),
        ("Day == DayOfWeek.Friday", "true"),
        ("Day", "Friday"),
    ] {
        assert_eq!(value(&mut adapter, &stop, expression), expected, "{expression}");
    }
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_static_of_a_type_parameter_is_assigned(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "generic", &["generic"], json!({}));
    let frame = adapter.top(&stop)["id"].clone();
    let set = json!({"expression": "Box<int>.Last", "value": "77", "frameId": frame});
    assert_eq!(adapter.ok("setExpression", set)["value"], "77");
    assert_eq!(value(&mut adapter, &stop, "Box<int>.Last = 78"), "78");
    assert_eq!(value(&mut adapter, &stop, "Box<int>.Last"), "78");
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_break_at_a_line_that_was_seen_stops_no_second_time(bench: &Bench) {
    for (command, reason) in [("continue", "breakpoint"), ("next", "step")] {
        let (mut adapter, stop) = at(bench, "break", &["break", "behind-break"], json!({}));
        let (now, why) = after(&mut adapter, command, &stop);
        assert_eq!(now, line(bench, "behind-break"), "{command}");
        assert!(why == "breakpoint" || why == reason, "{command}: {why}");
        assert_eq!(adapter.finish(&stop), 0);
    }
}

fn a_break_in_a_loop_stops_each_time(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "loop", &[], json!({}));
    assert_eq!(stop["reason"], "pause");
    for _ in 0..2 {
        assert_eq!(after(&mut adapter, "continue", &stop), (line(bench, "break-in-loop"), "pause".into()));
    }
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_breakpoint_that_is_refused_leaves_the_others(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "blocks", &["dispose-call"], json!({}));
    let source = json!({"path": file(bench)});
    let lines = json!([{"line": line(bench, "in-use")}, {"line": line(bench, "disposed"), "hitCondition": "abc()"}]);
    let set = adapter.ok("setBreakpoints", json!({"source": source, "breakpoints": lines}));
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    assert_eq!(set["breakpoints"][1]["verified"], false, "{set}");
    assert!(
        set["breakpoints"][1]["message"].as_str().unwrap().contains("'abc()' is not a valid hitCondition"),
        "{set}"
    );
    let functions = json!([{"name": "Plain", "hitCondition": "x"}, {"name": "Plain"}]);
    let set = adapter.ok("setFunctionBreakpoints", json!({"breakpoints": functions}));
    assert_eq!(set["breakpoints"][0]["verified"], false, "{set}");
    let scopes = adapter.top(&stop)["id"].clone();
    let scopes = adapter.ok("scopes", json!({"frameId": scopes}));
    let reference = scopes["scopes"][0]["variablesReference"].clone();
    let listed = adapter.ok("variables", json!({"variablesReference": reference, "filter": ""}));
    assert!(listed.to_string().contains("shelf"), "{listed}");
    assert_eq!(after(&mut adapter, "continue", &stop).0, line(bench, "in-use"));
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_program_is_found_below_its_folder_and_a_missing_folder_is_named(bench: &Bench) {
    let folder = program(bench).parent().unwrap().to_owned();
    let markers = json!([{"line": line(bench, "generic")}]);
    for (program, cwd) in [(program(bench), PathBuf::new()), ("Corners.dll".into(), folder)] {
        let mut adapter = Adapter::start(bench.adapter_command());
        adapter.launch(&program, &["generic"], &[(&file(bench), markers.clone())], json!({"cwd": cwd}));
        let stop = adapter.event("stopped");
        assert_eq!(adapter.finish(&stop), 0);
    }
    let mut adapter = Adapter::start(bench.adapter_command());
    let missing = Path::new("/no/such/folder");
    adapter.ok("launch", json!({"program": program(bench), "cwd": missing}));
    let words = adapter.refusal("configurationDone", json!({}));
    assert!(words.contains("the working folder /no/such/folder does not exist"), "{words}");
}

fn a_disconnect_reports_the_exit(bench: &Bench) {
    let (mut adapter, _) = at(bench, "held", &["held"], json!({}));
    adapter.ok("disconnect", json!({"terminateDebuggee": true}));
    let names: Vec<String> =
        adapter.arrived().iter().map(|it| it["event"].as_str().unwrap_or_default().to_owned()).collect();
    let exited = names.iter().position(|name| name == "exited").expect("no exit");
    let terminated = names.iter().position(|name| name == "terminated").expect("no end");
    assert!(exited < terminated, "{names:?}");
}

fn a_block_that_disposes_ends_once(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "blocks", &["in-use"], json!({}));
    assert_eq!(after(&mut adapter, "next", &stop).0, line(bench, "disposed"));
    assert_eq!(after(&mut adapter, "next", &stop).0, line(bench, "dispose-call"));
    assert_eq!(after(&mut adapter, "next", &stop).0, line(bench, "behind-dispose"));
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_step_into_stays_in_the_accessor_that_it_began_in(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "blocks", &["setter"], json!({}));
    assert_eq!(after(&mut adapter, "stepIn", &stop).0, line(bench, "setter-next"));
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_step_into_passes_over_what_is_marked(bench: &Bench) {
    for just_my_code in [true, false] {
        let more = json!({"justMyCode": just_my_code, "enableStepFiltering": false});
        let (mut adapter, stop) = at(bench, "walls", &["through"], more);
        assert_eq!(after(&mut adapter, "stepIn", &stop).0, line(bench, "hidden"), "{just_my_code}");
        assert_eq!(after(&mut adapter, "stepIn", &stop).0, line(bench, "behind-walls"), "{just_my_code}");
        assert_eq!(adapter.finish(&stop), 0);
    }
}

fn a_step_into_an_await_enters_the_method(bench: &Bench) {
    for just_my_code in [true, false] {
        let more = json!({"justMyCode": just_my_code});
        let (mut adapter, stop) = at(bench, "waits", &["await-plain"], more);
        assert_eq!(after(&mut adapter, "stepIn", &stop).0, line(bench, "plain"), "{just_my_code}");
        assert_eq!(adapter.finish(&stop), 0);
    }
}

fn a_step_into_what_steps_pass_over_ends_once(bench: &Bench) {
    let (mut adapter, mut stop) = at(bench, "passes", &["await-marked"], json!({}));
    for next in ["await-got", "await-later", "now", "behind-now"] {
        adapter.ok("stepIn", json!({"threadId": stop["threadId"]}));
        // an await goes on where it likes
        stop = adapter.event("stopped");
        assert_eq!(adapter.top(&stop)["line"], line(bench, next), "{next}");
    }
    assert_eq!(adapter.finish(&stop), 0);
}

fn what_is_not_user_code_does_not_catch_for_the_user(bench: &Bench) {
    let mut adapter = Adapter::start(bench.adapter_command());
    adapter.ok("setExceptionBreakpoints", json!({"filters": ["user-unhandled"]}));
    let behind = json!([{"line": line(bench, "behind-outside")}]);
    adapter.launch(&program(bench), &["outside"], &[(&file(bench), behind)], json!({}));
    let stop = adapter.event("stopped");
    assert_eq!(stop["reason"], "exception", "{stop}");
    assert_eq!(adapter.top(&stop)["line"], line(bench, "throws"));
    assert_eq!(after(&mut adapter, "continue", &stop).0, line(bench, "behind-outside"));
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_line_between_statements_of_a_lambda_means_its_next_one(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "lambda", &["for-each"], json!({}));
    let source = json!({"path": file(bench)});
    let within = json!([{"line": line(bench, "within-lambda")}]);
    let set = adapter.ok("setBreakpoints", json!({"source": source, "breakpoints": within}));
    assert_eq!(set["breakpoints"][0]["line"], line(bench, "in-lambda"), "{set}");
    for _ in ["a", "b"] {
        assert_eq!(after(&mut adapter, "continue", &stop).0, line(bench, "in-lambda"));
    }
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_source_is_known_by_a_path_with_dots(bench: &Bench) {
    let folder = bench.fixture("Corners");
    for path in ["../Program.cs".into(), "./Corners/bin/../Program.cs".into(), folder.join("bin/../Program.cs")] {
        let mut adapter = Adapter::start(bench.adapter_command());
        let lines = json!([{"line": line(bench, "generic")}]);
        adapter.launch(&program(bench), &["generic"], &[(&path, lines)], json!({}));
        let stop = adapter.event("stopped");
        assert_eq!(adapter.top(&stop)["line"], line(bench, "generic"), "{}", path.display());
        assert_eq!(adapter.finish(&stop), 0);
    }
}
