//! Variables that lambdas capture in async methods and iterators: they live in closures, and the machine keeps a copy of what it was given.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, assert_has};

scenarios! {
    captured_variables_of_machines_are_those_of_the_closures;
    variables_of_catch_clauses_that_wait_are_those_of_the_clause;
    local_functions_are_called_with_what_they_capture, "builtin";
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

fn local_functions_are_called_with_what_they_capture(bench: &Bench) {
    let stops: [(&str, &[(&str, &str)]); 12] = [
        (
            "struct",
            &[
                ("Add(5)", "15"),
                ("Both(3)", "15"),
                ("Mine()", "\"bt710\""),
                ("Over(1)", "false"),
                ("Over(1, 20)", "true"),
                ("Sum(1)", "11"),
                ("Sum(1, 2, 3)", "16"),
                ("new[] { 1, 2 }.Select(Add).Sum()", "23"),
                ("new[] { 1, 2 }.Count(it => Over(it, 9))", "1"),
                ("nameof(Add)", "\"Add\""),
            ],
        ),
        ("bumped", &[("Add(5)", "16")]),
        (
            "object",
            &[
                ("IsBig(3)", "true"),
                ("list.Where(IsBig).Single()", "3"),
                ("Twice()", "12"),
                ("Next(1)", "2"),
                ("big(1)", "false"),
            ],
        ),
        ("within", &[("Inner()", "13"), ("IsBig(2)", "false"), ("Twice()", "12")]),
        ("waiting", &[("Plus(5)", "9"), ("Far()", "104"), ("now()", "4")]),
        ("nested", &[("Deep()", "30")]),
        ("iterated", &[("Plus(4)", "10")]),
        ("open", &[("Length(2)", "7")]),
        ("generic", &[("Within(1)", "\"uv1Int32String\""), ("Within<long>(1)", "\"uv1Int64String\"")]),
        ("each", &[("Each(1).Sum()", "6"), ("Each(2).ToArray()", "[2, 3]"), ("Each(0).Count(it => it > 1)", "2")]),
        ("number", &[("Held()", "2")]),
        ("text", &[("Held()", "\"x!\"")]),
    ];
    let mut client = bench.client();
    let place =
        |marker: &str| json!({"file": "Functions.cs", "line": bench.line_in("Captured", "Functions.cs", marker)});
    let breakpoints: Vec<_> = stops.iter().map(|(marker, _)| place(marker)).collect();
    let mut stop = client.ok("debug_launch", bench.launch("Captured", &[], json!({"breakpoints": breakpoints})));
    for (marker, expressions) in stops {
        assert_has(&stop, json!({"outcome": "stopped", "location": {"line": place(marker)["line"]}}));
        client.gives(expressions);
        if marker == "struct" {
            for (expression, value) in [("Bump()", "11"), ("Hit()", "1")] {
                client.error("side_effects", "evaluate", json!({"expression": expression}));
                let allowed = json!({"expression": expression, "allow_side_effects": true});
                assert_has(&client.ok("evaluate", allowed), json!({"value": value}));
            }
            for (expression, words) in [
                (
                    "Add()",
                    "CS7036: There is no argument given that corresponds to the required parameter 'by' of 'Add(int)'",
                ),
                ("Add(\"a\")", "CS1503: Argument 1: cannot convert from 'string' to 'int'"),
                ("Add", "CS0428: Cannot convert method group 'Add'"),
                ("Add(1, 2)", "CS1501: No overload for method 'Add' takes 2 arguments"),
            ] {
                let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
                assert!(error["message"].as_str().unwrap().contains(words), "{error}");
            }
            client.gives(&[("total", "11"), ("_hits", "1")]);
        }
        if marker == "within" {
            let line = &place(marker)["line"];
            client.ok(
                "breakpoint_set",
                json!({"file": "Functions.cs", "line": line, "condition": "Inner() > 13 && IsBig(it)"}),
            );
            assert_has(&client.ok("debug_continue", json!({})), json!({"location": {"line": line}}));
            client.gives(&[("it", "3"), ("Inner()", "15")]);
        }
        stop = client.ok("debug_continue", json!({}));
    }
    assert_has(&stop, json!({"outcome": "exited", "exit_code": 0}));
}
