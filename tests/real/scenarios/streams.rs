//! Stops in iterators, and steps that leave async ones.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, assert_has};

scenarios! {
    a_step_out_of_an_element_that_is_ready_ends_where_it_is_awaited, "builtin";
    an_interface_of_the_framework_is_not_said_to_lack_symbols, "builtin";
    a_step_out_of_an_async_iterator_ends_in_its_caller_or_says_how_to_get_there;
    a_line_before_the_finally_of_an_iterator_is_bound_or_said_to_be_passed_over;
}

/// `steps` from a marker to another.
fn leads(bench: &Bench, from: &str, steps: &[&str], to: &str) {
    let mut client = bench.client();
    let line = |marker| bench.line_in("Steps", "Streams.cs", marker);
    let breakpoints = json!([{"file": "Streams.cs", "line": line(from)}]);
    client.ok("debug_launch", bench.launch("Steps", &["streams"], json!({"breakpoints": breakpoints})));
    client.ok("breakpoint_remove", json!({"all": true}));
    let stops: Vec<_> = steps.iter().map(|mode| client.ok("debug_step", json!({"mode": mode}))).collect();
    let stop = stops.last().unwrap();
    assert_eq!(stop["location"]["line"], json!(line(to)), "{from} {steps:?}: {stop}");
    assert_has(stop, json!({"outcome": "stopped", "reason": "step"}));
}

fn a_step_out_of_an_element_that_is_ready_ends_where_it_is_awaited(bench: &Bench) {
    for (from, steps, to) in [
        ("element", ["out"].as_slice(), "await-ready"),
        ("yield-ready", &["out"], "await-ready"),
        ("yield-ready", &["over"], "await-ready"),
        ("yield-ready", &["in"], "await-ready"),
        ("break-ready", &["out"], "await-ready"),
        ("break-ready", &["over", "over", "over"], "await-ready"),
        // it has to wait, and has the element later
        ("before-late", &["out", "over", "over", "over"], "late"),
        // the consumer disposes of it
        ("left", &["out"], "await-late"),
    ] {
        leads(bench, from, steps, to);
    }
}

fn an_interface_of_the_framework_is_not_said_to_lack_symbols(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Streams.cs", "line": bench.line_in("Steps", "Streams.cs", "yield-ready")}]);
    client.ok("debug_launch", bench.launch("Steps", &["streams"], json!({"breakpoints": breakpoints})));
    client.ok("breakpoint_remove", json!({"all": true}));
    for _ in 0..4 {
        let stop = client.ok("debug_step", json!({"mode": "in"}));
        assert_has(&stop, json!({"outcome": "stopped", "note": null}));
    }
}

fn a_step_out_of_an_async_iterator_ends_in_its_caller_or_says_how_to_get_there(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| bench.line_in("Steps", "Streams.cs", marker);
    let breakpoints = json!([{"file": "Streams.cs", "line": line("element")}]);
    client.ok("debug_launch", bench.launch("Steps", &["streams"], json!({"breakpoints": breakpoints})));
    if bench.adapter() == "builtin" {
        let stop = client.ok("debug_step", json!({"mode": "out"}));
        assert_has(&stop, json!({"reason": "step", "location": {"line": line("await-ready")}}));
        return;
    }
    let error = client.error("adapter_error", "debug_step", json!({"mode": "out"}));
    let words = error["message"].as_str().unwrap();
    assert!(words.starts_with("this adapter cannot step out of this async method here: "), "{error}");
    let caller = format!("its caller Streams.Begin (Streams.cs:{})", line("await-ready"));
    let hint = error["hint"].as_str().unwrap();
    assert!(hint.starts_with("debug_run_to") && hint.contains(&caller), "{error}");
    client.ok("breakpoint_remove", json!({"all": true}));
    let there = client.ok("debug_run_to", json!({"file": "Streams.cs", "line": line("ready")}));
    assert_has(&there, json!({"reason": "run_to", "location": {"line": line("ready")}}));
}

fn a_line_before_the_finally_of_an_iterator_is_bound_or_said_to_be_passed_over(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Streams.cs", marker);
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Streams.cs", "line": line("closed")}]);
    let stop = client.ok("debug_launch", bench.launch("Steps", &["closed"], json!({"breakpoints": breakpoints})));
    let breakpoint = &stop["breakpoints"][0];
    if bench.adapter() != "dncdbg" {
        assert_has(&stop, json!({"location": {"line": line("closed"), "function": "Streams.Closed"}}));
        assert_has(breakpoint, json!({"line": line("closed"), "requested_line": null, "message": null}));
        return;
    }
    let (asked, bound) = (line("closed"), line("disposed") - 1);
    let message = format!(
        "line {asked} has code, but this adapter binds it to line {bound} and does not stop at line {asked}: stop before it, then step"
    );
    assert_has(breakpoint, json!({"line": bound, "requested_line": asked, "message": message}));
}
