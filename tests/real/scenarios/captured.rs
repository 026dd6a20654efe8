//! Variables that lambdas capture in async methods and iterators: they live in closures, and the machine keeps a copy of what it was given.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, assert_has};

scenarios! {
    captured_variables_of_machines_are_those_of_the_closures;
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
