//! Steps in short methods that code without a source calls again and again.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    a_step_over_in_what_the_framework_calls_ends_at_its_next_call, "builtin";
    a_step_over_in_a_lambda_passes_the_calls_further_in, "builtin";
    a_step_in_ends_in_the_lambda_that_the_framework_calls_next, "builtin";
}

/// Stopped at a marker, without breakpoints.
fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Again.cs", "line": bench.line_in("Steps", "Again.cs", marker)}]);
    client.ok("debug_launch", bench.launch("Steps", &["again"], json!({"breakpoints": breakpoints})));
    client.ok("breakpoint_remove", json!({"all": true}));
    client
}

fn a_step_over_in_what_the_framework_calls_ends_at_its_next_call(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Again.cs", marker);
    for (marker, mode, behind) in [
        ("plain", "over", line("select")),
        ("plain", "in", line("select")),
        ("called", "over", line("called") - 1),
        ("add", "over", line("each")),
    ] {
        let mut client = at(bench, marker);
        for number in ["2", "3"] {
            let stop = client.ok("debug_step", json!({"mode": mode}));
            assert_has(&stop, json!({"outcome": "stopped", "reason": "step", "location": {"line": line(marker)}}));
            assert_has(&client.ok("evaluate", json!({"expression": "n"})), json!({"value": number}));
        }
        let stop = client.ok("debug_step", json!({"mode": mode}));
        assert_has(&stop, json!({"reason": "step", "location": {"function": "Again.Begin", "line": behind}}));
    }
}

/// It calls itself by way of what calls it.
fn a_step_over_in_a_lambda_passes_the_calls_further_in(bench: &Bench) {
    let mut client = at(bench, "inner");
    assert_has(&client.ok("evaluate", json!({"expression": "one"})), json!({"value": "3"}));
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    let line = bench.line_in("Steps", "Again.cs", "range");
    assert_has(&stop, json!({"reason": "step", "location": {"function": "Again.Sum", "line": line}}));
    assert_has(&client.ok("evaluate", json!({"expression": "n"})), json!({"value": "3"}));
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

/// Whichever it is: its code begins where that of the lambda before it does.
fn a_step_in_ends_in_the_lambda_that_the_framework_calls_next(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Chained.cs", marker);
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Chained.cs", "line": line("sum")}]);
    client.ok("debug_launch", bench.launch("Steps", &["chained"], json!({"breakpoints": breakpoints})));
    let mut seen = vec![];
    while seen.len() < 60 {
        let stop = client.ok("debug_step", json!({"mode": "in"}));
        assert_has(&stop, json!({"outcome": "stopped", "reason": "step"}));
        if stop["location"]["function"] == "Program.Main" {
            break;
        }
        let at = stop["location"]["line"].as_u64().unwrap();
        if seen.last() != Some(&at) {
            seen.push(at);
        }
    }
    let lambdas = ["where", "select", "filter", "project", "key", "value", "twice", "nested"].map(line);
    seen.retain(|line| lambdas.contains(line));
    let wanted = [
        "where", "select", "where", "select", "filter", "project", "filter", "project", "key", "value", "twice",
        "value", "key", "value", "twice", "value", "nested",
    ];
    assert_eq!(seen, wanted.map(line));
}
