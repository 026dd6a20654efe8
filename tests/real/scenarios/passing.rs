//! What a step meets on its way and must not end at: passes of breakpoints that do not stop, in other invocations, threads and callees.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::client::Client;
use crate::real::{Bench, assert_has};

scenarios! {
    a_step_in_names_what_it_passed_and_what_it_may_have;
    a_step_stays_in_its_invocation_while_others_pass;
    a_step_goes_on_while_another_thread_passes;
    a_step_over_an_await_passes_what_its_callee_passes;
    no_hit_is_lost_to_an_evaluation, "builtin";
    a_step_out_of_an_async_main_leads_into_no_callee, "builtin";
    a_step_that_ends_on_a_condition_that_is_false_is_no_hit;
    a_step_out_of_a_call_in_an_expression_body_ends_in_a_caller;
    a_step_passes_async_methods_that_an_exception_leaves, "builtin";
    several_threads_in_generic_code_hit_as_often_as_they_pass;
}

/// Breakpoints at a line that none of the passes stops at.
fn set_each<'a>(bench: &'a Bench, marker: &str, condition: &str) -> impl Iterator<Item = (&'static str, Value)> + 'a {
    let place = json!({"file": "Crowd.cs", "line": line(bench, marker)});
    let with = move |tool: &'static str, name: &str, value: &str| {
        let mut arguments = place.clone();
        arguments[name] = json!(value);
        (tool, arguments)
    };
    [
        with("tracepoint_set", "message", "n={n}"),
        with("breakpoint_set", "hit_condition", "1000"),
        with("breakpoint_set", "condition", condition),
    ]
    .into_iter()
}

fn line(bench: &Bench, marker: &str) -> u64 {
    bench.line_in("Steps", "Crowd.cs", marker)
}

fn launched(bench: &Bench, how: &str, file: &str, line: u64, condition: &str) -> Client {
    let mut client = bench.client();
    let mut breakpoint = json!({"file": file, "line": line, "temporary": true});
    if !condition.is_empty() {
        breakpoint["condition"] = json!(condition);
    }
    client.ok("debug_launch", bench.launch("Steps", &["crowd", how], json!({"breakpoints": [breakpoint]})));
    client
}

fn a_step_stays_in_its_invocation_while_others_pass(bench: &Bench) {
    for (tool, arguments) in set_each(bench, "begun", "n == 77") {
        let mut client = launched(bench, "invocations", "Crowd.cs", line(bench, "suspended"), "n == 4");
        client.ok(tool, arguments.clone());
        for marker in ["resumed", "returned"] {
            let stop = client.ok("debug_step", json!({"mode": "over"}));
            assert_has(&stop, json!({"reason": "step", "location": {"line": line(bench, marker)}}));
            assert_eq!(client.ok("evaluate", json!({"expression": "n"}))["value"], "4", "{arguments}");
        }
    }
}

fn a_step_goes_on_while_another_thread_passes(bench: &Bench) {
    let first = line(bench, "turn");
    for (tool, arguments) in set_each(bench, "add", "n == 77") {
        let mut client = launched(bench, "threads", "Crowd.cs", first, "");
        client.ok(tool, arguments);
        for next in 1..=4 {
            let stop = client.ok("debug_step", json!({"mode": "over"}));
            assert_has(&stop, json!({"reason": "step", "location": {"line": first + next}, "thread_id": null}));
        }
    }
}

fn a_step_over_an_await_passes_what_its_callee_passes(bench: &Bench) {
    for (tool, arguments) in set_each(bench, "add", "n == 77") {
        let mut client = launched(bench, "callee", "Crowd.cs", line(bench, "over"), "");
        client.ok(tool, arguments);
        let stop = client.ok("debug_step", json!({"mode": "over"}));
        assert_has(&stop, json!({"reason": "step", "location": {"line": line(bench, "behind")}}));
    }
}

fn no_hit_is_lost_to_an_evaluation(bench: &Bench) {
    let mut client = bench.client();
    // the message runs code of the program at each hit, and the threads arrive together
    let message = json!({"file": "Crowd.cs", "line": line(bench, "rush"), "message": "{Name(n)}"});
    client.ok("tracepoint_set", message);
    let end = client.ok("debug_launch", bench.launch("Steps", &["crowd", "together"], json!({})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    let list = client.ok("breakpoint_list", json!({}));
    assert_has(&list["breakpoints"][0], json!({"hits": 80}));
}

fn a_step_out_of_an_async_main_leads_into_no_callee(bench: &Bench) {
    for marker in ["crowd", "passed"] {
        let mut client = launched(bench, "callee", "Program.cs", bench.line("Steps", marker), "");
        let end = client.ok("debug_step", json!({"mode": "out"}));
        assert_has(&end, json!({"outcome": "exited", "exit_code": 4}));
    }
}

fn a_step_that_ends_on_a_condition_that_is_false_is_no_hit(bench: &Bench) {
    let mut client = launched(bench, "callee", "Crowd.cs", line(bench, "over"), "");
    let behind = line(bench, "behind");
    client.ok("breakpoint_set", json!({"file": "Crowd.cs", "line": behind, "condition": "first == 77"}));
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert_has(&stop, json!({"reason": "step", "location": {"line": behind}, "breakpoint_ids": null}));
}

fn a_step_out_of_a_call_in_an_expression_body_ends_in_a_caller(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Bodies.cs", marker);
    for (marker, mode) in [("inner", "out"), ("inner-end", "over")] {
        let mut client = bench.client();
        let breakpoints = json!([{"file": "Bodies.cs", "line": line(marker)}]);
        client.ok("debug_launch", bench.launch("Steps", &["bodies"], json!({"breakpoints": breakpoints})));
        let stop = client.ok("debug_step", json!({"mode": mode}));
        assert_has(&stop, json!({"reason": "step", "note": null}));
        assert_has(&stop, json!({"location": {"function": "Bodies.Twice", "line": line("body")}}));
        let stop = client.ok("debug_step", json!({"mode": "out"}));
        assert_has(&stop, json!({"reason": "step", "note": null, "location": {"function": "Bodies.Begin"}}));
    }
}

fn a_step_passes_async_methods_that_an_exception_leaves(bench: &Bench) {
    let line = |marker| bench.line("Within", marker);
    for mode in ["over", "out"] {
        let mut client = bench.client();
        let breakpoints: Vec<Value> =
            ["throws", "refuses"].map(|marker| json!({"file": "Program.cs", "line": line(marker)})).into();
        client.ok("debug_launch", bench.launch("Within", &["steps"], json!({"breakpoints": breakpoints})));
        let ends_at = |client: &mut Client, line: u64| {
            let stop = client.ok("debug_step", json!({"mode": mode}));
            assert_has(&stop, json!({"outcome": "stopped", "reason": "step", "location": {"line": line}}));
        };
        let goes_on_to = |client: &mut Client, line: u64| {
            let stop = client.ok("debug_continue", json!({}));
            assert_has(&stop, json!({"reason": "breakpoint", "location": {"line": line}}));
        };
        ends_at(&mut client, line("catch-of-steps"));
        goes_on_to(&mut client, line("throws"));
        // the compiler keeps the exception until the `finally` has run
        ends_at(&mut client, line("in-finally") - 1);
        goes_on_to(&mut client, line("refuses"));
        if mode == "over" {
            // the condition, then what it is for
            ends_at(&mut client, line("refuses"));
        }
        // what the method disposes of is awaited before
        ends_at(&mut client, line("catch-behind-using"));
    }
}

fn a_step_in_names_what_it_passed_and_what_it_may_have(bench: &Bench) {
    let behind = |names: &str, first: &str| {
        json!(format!(
            "step in does not enter properties and operators ({names}): to stop in one, set a function breakpoint, such as {first}"
        ))
    };
    // what returned a value has run, which others do not report
    let chosen = match bench.adapter() {
        "builtin" => "Chest.get_IsLarge, Chest.get_Half; Chest.get_Size may have run",
        _ => "Chest.get_IsLarge; Chest.get_Half, Chest.get_Size may have run",
    };
    for (marker, names, first) in [
        ("chosen", chosen, "Chest.get_IsLarge"),
        ("interface", "Chest.get_Size", "Chest.get_Size"),
        ("skipped", "Chest.get_IsLarge; Chest.get_Half may have run", "Chest.get_IsLarge"),
    ] {
        let mut client = bench.client();
        let breakpoints = json!([{"file": "Chosen.cs", "line": bench.line_in("Steps", "Chosen.cs", marker)}]);
        client.ok("debug_launch", bench.launch("Steps", &["chosen"], json!({"breakpoints": breakpoints})));
        let stop = client.ok("debug_step", json!({"mode": "in"}));
        assert_eq!(stop["note"], behind(names, first), "{stop}");
    }
}

fn several_threads_in_generic_code_hit_as_often_as_they_pass(bench: &Bench) {
    let mut client = bench.client();
    client.ok("tracepoint_set", json!({"file": "Crowd.cs", "line": line(bench, "typed"), "message": "passed"}));
    let end = client.ok("debug_launch", bench.launch("Steps", &["crowd", "typed"], json!({})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    let list = client.ok("breakpoint_list", json!({}));
    assert_has(&list["breakpoints"][0], json!({"hits": 480}));
}
