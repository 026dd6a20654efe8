//! A pass over a breakpoint's place counts once, and exactly when its instruction is passed.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::client::Client;
use crate::real::{Bench, assert_has};

scenarios! {
    statements_that_share_a_line_are_one_hit_a_pass;
    a_tracepoint_logs_each_pass_once_under_steps;
    a_step_back_into_a_statement_is_no_hit_of_its_line;
    an_await_that_resumes_is_no_hit_of_its_line;
    a_step_over_an_await_passes_the_next_line;
    a_step_into_a_function_with_a_breakpoint_is_its_hit;
}

fn launched(bench: &Bench, markers: &[&str]) -> Client {
    let mut client = bench.client();
    let list: Vec<Value> = markers.iter().map(|marker| breakpoint(bench, marker)).collect();
    client.ok("debug_launch", bench.launch("Steps", &[], json!({"breakpoints": list})));
    client
}

fn breakpoint(bench: &Bench, marker: &str) -> Value {
    json!({"file": "Program.cs", "line": bench.line("Steps", marker)})
}

fn step(client: &mut Client, mode: &str) -> Value {
    client.ok("debug_step", json!({"mode": mode}))
}

fn hits(client: &mut Client, id: u32) -> Value {
    let list = client.ok("breakpoint_list", json!({}));
    let one = list["breakpoints"].as_array().unwrap().iter().find(|one| one["id"] == id).cloned();
    one.unwrap_or_else(|| panic!("no breakpoint {id} in {list}"))["hits"].clone()
}

fn statements_that_share_a_line_are_one_hit_a_pass(bench: &Bench) {
    let mut client = launched(bench, &["first"]);
    let mut second = breakpoint(bench, "tick");
    second["hit_condition"] = json!("==2");
    client.ok("breakpoint_set", second);
    client.ok("breakpoint_remove", json!({"id": 1}));
    for _ in 0..3 {
        // to `c =`, to `if`, to `Write`
        assert_has(&step(&mut client, "over"), json!({"reason": "step", "breakpoint_ids": null}));
    }
    assert_eq!(hits(&mut client, 2), 1);
    let stop = client.ok("debug_continue", json!({}));
    assert_has(&stop, json!({"reason": "breakpoint", "breakpoint_ids": [2], "hit_count": 2}));
    assert_eq!(client.ok("evaluate", json!({"expression": "i"}))["value"], "1");
}

fn a_tracepoint_logs_each_pass_once_under_steps(bench: &Bench) {
    let mut client = launched(bench, &["first"]);
    let mut trace = breakpoint(bench, "tick");
    trace["message"] = json!("i={i}");
    client.ok("tracepoint_set", trace);
    client.ok("breakpoint_remove", json!({"id": 1}));
    step(&mut client, "over");
    let on_line = step(&mut client, "over");
    assert_has(&on_line, json!({"reason": "step", "tracepoints": [{"id": 2, "text": "i=0"}]}));
    let same_line = step(&mut client, "over");
    assert_has(&same_line, json!({"reason": "step", "location": {"line": bench.line("Steps", "tick")}}));
    assert_has(&same_line, json!({"tracepoints": null}));
}

fn a_step_back_into_a_statement_is_no_hit_of_its_line(bench: &Bench) {
    for mode in ["out", "over"] {
        let mut client = launched(bench, &["two"]);
        client.ok("breakpoint_set", breakpoint(bench, "call"));
        let mut back = step(&mut client, mode);
        while back["location"]["line"] != bench.line("Steps", "call") {
            back = step(&mut client, mode);
        }
        assert_has(&back, json!({"reason": "step", "breakpoint_ids": null}));
        assert_eq!(hits(&mut client, 2), Value::Null, "{mode}");
        client.ok("breakpoint_remove", json!({"id": 1}));
        let next = client.ok("debug_continue", json!({}));
        assert_has(&next, json!({"reason": "breakpoint", "breakpoint_ids": [2], "hit_count": null}));
    }
}

fn an_await_that_resumes_is_no_hit_of_its_line(bench: &Bench) {
    for mode in ["out", "over"] {
        let mut client = launched(bench, &["one"]);
        client.ok("breakpoint_remove", json!({"id": 1}));
        client.ok("breakpoint_set", breakpoint(bench, "await"));
        let mut back = step(&mut client, mode);
        if mode == "over" {
            // the closing brace first
            back = step(&mut client, mode);
        }
        let line = bench.line("Steps", "await");
        assert_has(&back, json!({"reason": "step", "location": {"line": line}, "breakpoint_ids": null}));
        assert_eq!(hits(&mut client, 2), Value::Null, "{mode}");
        let next = client.ok("debug_continue", json!({}));
        assert_has(&next, json!({"reason": "breakpoint", "breakpoint_ids": [2], "hit_count": null}));
        assert_eq!(client.ok("evaluate", json!({"expression": "i"}))["value"], "1");
    }
}

fn a_step_over_an_await_passes_the_next_line(bench: &Bench) {
    let mut client = launched(bench, &["await", "call"]);
    assert_has(&step(&mut client, "over"), json!({"reason": "breakpoint", "breakpoint_ids": [2], "note": null}));
    let again = client.ok("debug_continue", json!({}));
    assert_has(&again, json!({"reason": "breakpoint", "breakpoint_ids": [1], "hit_count": 2}));
}

fn a_step_into_a_function_with_a_breakpoint_is_its_hit(bench: &Bench) {
    let mut client = launched(bench, &["main"]);
    client.ok("breakpoint_set", json!({"function": "Program.Ticks"}));
    let inside = step(&mut client, "in");
    assert_has(&inside, json!({"reason": "function_breakpoint", "breakpoint_ids": [2], "hit_count": null}));
    let next = step(&mut client, "over");
    assert_has(&next, json!({"reason": "step", "breakpoint_ids": null}));
    assert_eq!(hits(&mut client, 2), 1);
}
