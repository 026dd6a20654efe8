//! Variables that lambdas capture in async methods and iterators: they live in closures, and the machine keeps a copy of what it was given.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, assert_has};

scenarios! {
    captured_variables_of_machines_are_those_of_the_closures;
    variables_of_catch_clauses_that_wait_are_those_of_the_clause;
}

fn captured_variables_of_machines_are_those_of_the_closures(bench: &Bench) {
    let stops = [
        ("parameter", vec![("text", "\"b!\"")]),
        ("iterator", vec![("number", "15")]),
        ("first", vec![("item", "\"a\"")]),
        ("second", vec![("item", "\"b\"")]),
        ("lambda", vec![("number", "2"), ("outer", "8")]),
    ];
    let mut client = bench.client();
    let breakpoints: Vec<_> =
        stops.iter().map(|(marker, _)| json!({"file": "Program.cs", "line": bench.line("Captured", marker)})).collect();
    let mut stop = client.ok("debug_launch", bench.launch("Captured", &[], json!({"breakpoints": breakpoints})));
    for (marker, variables) in &stops {
        assert_has(&stop, json!({"outcome": "stopped", "location": {"line": bench.line("Captured", marker)}}));
        if *marker == "second" && bench.adapter() != "builtin" {
            // adapters list nothing beside a closure whose scope is over
            client.error("adapter_error", "variables_get", json!({}));
            stop = client.ok("debug_continue", json!({}));
            continue;
        }
        let listed = client.ok("variables_get", json!({}));
        for (name, value) in variables {
            // adapters read what a parameter was at the call
            if matches!(*name, "text" | "number") && bench.adapter() != "builtin" {
                let error = client.error("evaluation_failed", "evaluate", json!({"expression": name}));
                assert!(error["message"].as_str().unwrap().contains("a lambda captures this parameter"), "{error}");
                assert!(listed.to_string().contains("a lambda captures this parameter"), "{listed}");
                continue;
            }
            let shown: Vec<_> =
                listed["variables"].as_array().unwrap().iter().filter(|it| it["name"] == *name).collect();
            assert_eq!(shown.len(), 1, "{marker}: {listed}");
            assert_eq!(shown[0]["value"], *value, "{marker}: {listed}");
            assert_has(&client.ok("evaluate", json!({"expression": name})), json!({"value": value}));
            let (name, value) = (*name, *value);
            let condition = format!("{name} == {value}");
            assert_has(&client.ok("evaluate", json!({"expression": condition})), json!({"value": "true"}));
        }
        stop = client.ok("debug_continue", json!({}));
    }
    assert_has(&stop, json!({"outcome": "exited", "exit_code": 0}));
}

fn variables_of_catch_clauses_that_wait_are_those_of_the_clause(bench: &Bench) {
    let stops = [
        ("tried", vec![("kept", "null")]),
        ("plain", vec![("e.Message", "\"a\""), ("kept", "null")]),
        ("tried", vec![]),
        ("filtered", vec![("e.Message", "\"f\""), ("length", "1"), ("kept", "\"f\"")]),
        ("tried", vec![]),
        ("last", vec![("e.Message", "\"t\""), ("message", "\"t\"")]),
        ("behind", vec![("e is TimeoutException", "true"), ("message", "\"t\"")]),
    ];
    let markers = ["tried", "plain", "filtered", "last", "behind"];
    let breakpoints = markers.map(|marker| json!({"file": "Program.cs", "line": bench.line("Captured", marker)}));
    let mut client = bench.client();
    let mut stop = client.ok("debug_launch", bench.launch("Captured", &[], json!({"breakpoints": breakpoints})));
    let is_engine = bench.adapter() == "builtin";
    for (marker, expected) in &stops {
        assert_has(&stop, json!({"outcome": "stopped", "location": {"line": bench.line("Captured", marker)}}));
        let listed = client.ok("variables_get", json!({}));
        for name in ["e", "length", "message", "kept"] {
            let is_expected = expected.iter().any(|(expression, _)| expression.split(['.', ' ']).next() == Some(name));
            let count = listed["variables"].as_array().unwrap().iter().filter(|it| it["name"] == name).count();
            // adapters take any `e` for that of the clause
            let is_listed = name == "kept" || is_expected && (is_engine || name != "e");
            assert_eq!(count, usize::from(is_listed), "{marker} {name}: {listed}");
            if !is_listed {
                client.error("evaluation_failed", "evaluate", json!({"expression": name}));
            }
        }
        for (expression, value) in expected {
            if !is_engine && expression.starts_with('e') {
                let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
                assert!(error["message"].as_str().unwrap().contains("another `catch` clause"), "{error}");
                continue;
            }
            assert_has(&client.ok("evaluate", json!({"expression": expression})), json!({"value": value}));
        }
        stop = client.ok("debug_continue", json!({}));
    }
    let output = client.ok("process_read_output", json!({})).to_string();
    assert!(output.contains("t t") && output.contains("again t"), "{output}");
}
