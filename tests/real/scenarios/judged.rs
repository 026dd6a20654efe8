//! What an adapter's evaluator does not know is answered all the same, or refused for the true reason.

use serde_json::{Value, json};

use super::scenarios;
use crate::bench::Bench;

scenarios! {
    conditions_that_the_adapter_refuses_stop_where_they_hold;
    a_condition_that_nobody_can_evaluate_says_so_once;
    a_condition_that_throws_stops_and_says_what;
}

/// Stopped where the condition holds, for the values of `i`.
fn stops(bench: &Bench, breakpoint: Value) -> Vec<u64> {
    let mut client = bench.client();
    let mut stop = client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": [breakpoint]})));
    let mut found = Vec::new();
    while stop["outcome"] == "stopped" {
        assert_eq!(stop["note"], Value::Null, "{stop}");
        let value = client.ok("evaluate", json!({"expression": "i"}))["value"].as_str().unwrap().to_owned();
        found.push(value.parse().unwrap());
        stop = client.ok("debug_continue", json!({}));
    }
    found
}

fn looped(bench: &Bench, more: Value) -> Value {
    let mut breakpoint = json!({"file": "Program.cs", "line": bench.line("Judged", "looped")});
    breakpoint.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    breakpoint
}

fn conditions_that_the_adapter_refuses_stop_where_they_hold(bench: &Bench) {
    for (condition, expected) in [
        ("other.IsDouble", vec![58]),
        ("product.MinOrder > 50", vec![59, 60]),
        ("product.MinOrder.HasValue && product.MinOrder.Value == 50", vec![58]),
        ("Math.Max(i, 58) == i", vec![58, 59, 60]),
        ("product.Ask() && i == 57", vec![57]),
    ] {
        assert_eq!(stops(bench, looped(bench, json!({"condition": condition}))), expected, "{condition}");
    }
    let second = json!({"condition": "product.MinOrder > 48", "hit_condition": "2"});
    assert_eq!(stops(bench, looped(bench, second)), [58]);
}

fn a_condition_that_throws_stops_and_says_what(bench: &Bench) {
    let mut client = bench.client();
    let broken = looped(bench, json!({"condition": "int.Parse(product.Name) == i"}));
    let stop = client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": [broken]})));
    let words = "the condition of breakpoint 1 could not be evaluated: System.FormatException: ";
    assert!(stop["note"].as_str().unwrap_or_default().starts_with(words), "{stop}");
}

fn a_condition_that_nobody_can_evaluate_says_so_once(bench: &Bench) {
    let mut client = bench.client();
    let broken = looped(bench, json!({"condition": "product.Nothing > 50"}));
    let stop = client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": [broken]})));
    let words = "the condition of breakpoint 1 could not be evaluated: Product has no member `Nothing`";
    assert!(stop["note"].as_str().unwrap_or_default().starts_with(words), "{stop}");
    let again = client.ok("debug_continue", json!({}));
    assert_eq!(again["note"], "the condition of breakpoint 1 could not be evaluated again");
}
