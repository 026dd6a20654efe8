//! Numbers of what a stop report does not list: frames, and variables.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, assert_has};

scenarios! {
    frames_of_methods_that_are_over_are_not_external, "builtin";
    a_step_compares_more_variables_than_a_report_shows, "builtin";
    a_stack_that_overflowed_has_at_least_so_many_frames, "builtin";
}

fn frames_of_methods_that_are_over_are_not_external(bench: &Bench) {
    let mut client = bench.client();
    let line = bench.line_in("Steps", "Chain.cs", "link");
    let breakpoints = json!([{"file": "Chain.cs", "line": line, "condition": "n == 3"}]);
    let stop = client.ok("debug_launch", bench.launch("Steps", &["chain"], json!({"breakpoints": breakpoints})));
    let all = client.ok("stacktrace_get", json!({"include_external": true, "max_frames": 100}));
    let is_own = |frame: &&Value| frame["function"].as_str().unwrap().starts_with("Chain.");
    let frames = all["frames"].as_array().unwrap();
    let own = frames.iter().filter(is_own).count();
    assert!(own > 1, "{all}");
    assert_eq!(stop["external_frames"], frames.len() - own, "{stop}");
    let stack = client.ok("stacktrace_get", json!({}));
    assert_eq!(stack["external_frames"], frames.len() - own, "{stack}");
    let note = stack["note"].as_str().unwrap();
    assert!(note.contains(&format!("{} frames of user code not listed", own - 1)), "{note}");
}

fn a_step_compares_more_variables_than_a_report_shows(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Many.cs", "line": bench.line_in("Steps", "Many.cs", "first")}]);
    let stop = client.ok("debug_launch", bench.launch("Steps", &["many"], json!({"breakpoints": breakpoints})));
    assert_eq!((stop["locals"].as_array().unwrap().len(), &stop["more_locals"]), (20, &json!(4)), "{stop}");
    for name in ["n0", "n23"] {
        let stop = client.ok("debug_step", json!({"mode": "over"}));
        let changed = json!([{"name": name, "value": "1", "was": "0"}]);
        assert_has(&stop, json!({"reason": "step", "changed": changed, "unchanged": 23, "more_locals": null}));
    }
}

fn a_stack_that_overflowed_has_at_least_so_many_frames(bench: &Bench) {
    let mut client = bench.client();
    let stop = client.ok("debug_launch", bench.launch("Recursion", &["-1"], json!({"timeout_ms": 120_000})));
    assert_has(&stop, json!({"outcome": "stopped", "exception": {"type": "System.StackOverflowException"}}));
    for report in [stop, client.ok("stacktrace_get", json!({})), client.ok("exception_get_context", json!({}))] {
        let note = report["note"].as_str().unwrap_or_else(|| panic!("{report}"));
        assert!(note.contains("more_frames is a lower bound: the stack has more than 100000 frames"), "{note}");
    }
}
