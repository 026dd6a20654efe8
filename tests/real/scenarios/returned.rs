//! What calls returned, compared with what the program computes from it.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    a_step_over_shows_what_its_calls_returned_or_nothing;
    a_returned_object_can_be_looked_at, "builtin";
    each_kind_of_value_is_reported_right_or_not_at_all, "builtin";
    a_step_out_shows_what_the_method_returned, "builtin";
    a_call_within_a_call_is_reported_for_its_own_activation, "builtin";
    what_is_awaited_is_reported_as_its_result, "builtin";
    a_call_that_throws_returns_nothing, "builtin";
    a_stop_within_the_step_costs_no_value, "builtin";
    an_iterator_that_is_left_returned_nothing_that_was_written, "builtin";
    a_struct_is_reported_as_the_variable_that_takes_it, "builtin";
    a_struct_that_cannot_be_read_is_reported_as_that, "builtin";
    a_call_that_a_statement_passes_by_is_not_named, "builtin";
    a_step_out_into_a_statement_tells_its_calls_apart, "builtin";
    a_step_out_of_a_catch_block_shows_what_the_method_returned, "builtin";
    a_step_in_shows_what_the_properties_returned_that_it_passed, "builtin";
}

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Returns.cs", "line": bench.line_in("Steps", "Returns.cs", marker)}]);
    client.ok("debug_launch", bench.launch("Steps", &["returns"], json!({"breakpoints": breakpoints})));
    client.ok("breakpoint_remove", json!({"all": true}));
    client
}

/// Function and value of each.
fn returned(stop: &Value) -> Vec<(String, String)> {
    let text = |it: &Value, field: &str| it[field].as_str().unwrap_or_default().to_owned();
    stop["returned"].as_array().into_iter().flatten().map(|it| (text(it, "name"), text(it, "value"))).collect()
}

fn values(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn a_step_over_shows_what_its_calls_returned_or_nothing(bench: &Bench) {
    let mut client = at(bench, "nested");
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert_has(&stop, json!({"reason": "step", "location": {"line": bench.line_in("Steps", "Returns.cs", "text")}}));
    if bench.adapter() != "builtin" {
        assert_eq!(stop["returned"], json!(null), "{stop}");
        return;
    }
    let expected = values(&[("Returns.One", "1"), ("Returns.One", "2"), ("Returns.Add", "5")]);
    assert_eq!(returned(&stop), expected, "{stop}");
    let sum = client.ok("evaluate", json!({"expressions": ["$returned1 + $returned3", "$returned", "$returned4"]}));
    assert_has(&sum, json!({"results": [{"value": "6"}, {"value": "5"}, {}]}));
    assert!(sum["results"][2]["error"].as_str().unwrap().contains("$returned4"), "{sum}");
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    let expected = values(&[("Returns.Upper", "\"AB \""), ("String.Trim", "\"AB\"")]);
    assert_eq!(returned(&stop), expected, "{stop}");
}

fn a_returned_object_can_be_looked_at(bench: &Bench) {
    let mut client = at(bench, "object");
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert_has(&stop, json!({"returned": [{"name": "Returns.Make", "type": "Dog", "path": "$returned1"}]}));
    let same = client.ok("evaluate", json!({"expressions": ["$returned1 == dog", "$returned.Name()"]}));
    assert_has(&same, json!({"results": [{"value": "true"}, {"value": "\"dog\""}]}));
    client.ok("variables_get", json!({"path": "$returned1"}));
    // it belongs to that step
    client.ok("debug_step", json!({"mode": "over"}));
    client.error("evaluation_failed", "evaluate", json!({"expression": "$returned1"}));
}

fn each_kind_of_value_is_reported_right_or_not_at_all(bench: &Bench) {
    let mut client = at(bench, "kinds");
    let mut all = Vec::new();
    for _ in 0..11 {
        let stop = client.ok("debug_step", json!({"mode": "over"}));
        all.extend(returned(&stop));
    }
    let expected = [
        ("Returns.Truth", "true"),
        ("Returns.Letter", "'x'"),
        ("Returns.Big", "18446744073709551615UL"),
        ("Returns.Half", "0.5"),
        ("Returns.Third", "0.25f"),
        ("Returns.Paint", "Green"),
        ("Returns.None", "null"),
        // of structs the runtime does not say where they return to
        ("Returns.Two", ""),
        ("Returns.Price", ""),
        ("Returns.Numbers", "[1, 2, 3]"),
        ("Returns.Maybe", ""),
    ];
    assert_eq!(all, values(&expected));
}

fn a_step_out_shows_what_the_method_returned(bench: &Bench) {
    for (marker, name, value) in [
        ("add", "Returns.Add", "5"),
        ("dog", "Dog.Name", "\"dog\""),
        ("slow-return", "await Returns.Slow", "6"),
        ("fib-inner", "Returns.Fib", "987"),
    ] {
        let mut client = at(bench, marker);
        let stop = client.ok("debug_step", json!({"mode": "out"}));
        assert_has(&stop, json!({"reason": "step"}));
        assert_eq!(returned(&stop), values(&[(name, value)]), "{marker}: {stop}");
    }
}

fn a_call_within_a_call_is_reported_for_its_own_activation(bench: &Bench) {
    let mut client = at(bench, "times");
    let inner = client.ok("debug_step", json!({"mode": "over"}));
    assert_eq!(returned(&inner), values(&[("Returns.Fact", "24")]), "{inner}");
    let outer = client.ok("debug_step", json!({"mode": "out"}));
    assert_eq!(returned(&outer), values(&[("Returns.Fact", "120")]), "{outer}");
    // thousands of activations return to the same place before this one
    let mut client = at(bench, "fib");
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert_eq!(returned(&stop), values(&[("Returns.Fib", "987")]), "{stop}");
}

fn what_is_awaited_is_reported_as_its_result(bench: &Bench) {
    let mut client = at(bench, "await");
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert_eq!(returned(&stop), values(&[("await Returns.Later", "4"), ("Returns.One", "7")]), "{stop}");
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert_eq!(returned(&stop), values(&[("await Returns.Slow", "6")]), "{stop}");
}

fn a_call_that_throws_returns_nothing(bench: &Bench) {
    let mut client = at(bench, "throws");
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert!(stop["location"]["source"].as_str().unwrap().starts_with("catch"), "{stop}");
    assert_eq!(returned(&stop), values(&[("Returns.One", "1")]), "{stop}");
}

fn a_stop_within_the_step_costs_no_value(bench: &Bench) {
    let mut client = at(bench, "nested");
    // its condition is computed within the step, at each call that it is for
    let condition =
        json!({"file": "Returns.cs", "line": bench.line_in("Steps", "Returns.cs", "one"), "condition": "n == 100"});
    client.ok("breakpoint_set", condition);
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    let expected = values(&[("Returns.One", "1"), ("Returns.One", "2"), ("Returns.Add", "5")]);
    assert_eq!(returned(&stop), expected, "{stop}");
}

/// Its code is in methods of the compiler's, which return whether there is another element.
fn an_iterator_that_is_left_returned_nothing_that_was_written(bench: &Bench) {
    for marker in ["yield", "yield-async"] {
        let mut client = bench.client();
        let breakpoints = json!([{"file": "Program.cs", "line": bench.line("AsyncFlow", marker)}]);
        client.ok("debug_launch", bench.launch("AsyncFlow", &[], json!({"breakpoints": breakpoints})));
        let stop = client.ok("debug_step", json!({"mode": "out"}));
        assert_has(&stop, json!({"location": {"function": "Program.Main"}}));
        assert_eq!(returned(&stop), [], "{marker}: {stop}");
    }
}

fn a_struct_is_reported_as_the_variable_that_takes_it(bench: &Bench) {
    let mut client = at(bench, "structs");
    for (function, variable) in [
        ("Two", "pair"),
        ("Wide", "wide"),
        ("Floats", "floats"),
        ("Part", "mixed"),
        ("Named", "named"),
        ("Held", "held"),
        ("Nested", "nested"),
        ("Tuple", "tuple"),
        ("Price", "price"),
        ("Maybe", "maybe"),
        ("Nothing", "none"),
        ("MaybePrice", "more"),
        ("When", "when"),
        ("Id", "id"),
    ] {
        let stop = client.ok("debug_step", json!({"mode": "over"}));
        let value = client.ok("evaluate", json!({"expression": variable}))["value"].clone();
        assert!(value.as_str().is_some_and(|value| !value.contains('…')), "{value}");
        assert_eq!(returned(&stop), values(&[(&format!("Returns.{function}"), value.as_str().unwrap())]), "{stop}");
        let is_null = value == "null";
        let same = client.call("evaluate", json!({"expression": format!("$returned.Equals({variable})")}));
        assert!(is_null || same.value["value"] == "true", "{variable}: {same:?}");
    }
    // out of the method: before its caller has stored it
    let mut client = at(bench, "copied-return");
    let stop = client.ok("debug_step", json!({"mode": "out"}));
    assert_eq!(returned(&stop), values(&[("Returns.Copied", "{Left=1L, Right=2L}")]), "{stop}");
}

fn a_struct_that_cannot_be_read_is_reported_as_that(bench: &Bench) {
    let mut client = at(bench, "passed");
    // the reason once
    let why =
        "not readable: the runtime hands out this struct only from a local variable that the statement stores it in";
    for expected in [vec![("Returns.Two", why), ("Returns.Maybe", "not readable")], vec![], vec![("Returns.Two", why)]]
    {
        let stop = client.ok("debug_step", json!({"mode": "over"}));
        let said: Vec<_> = stop["returned"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|it| (it["name"].as_str().unwrap(), it["error"].as_str().unwrap().trim_start_matches("error: ")))
            .collect();
        assert_eq!(said, expected, "{stop}");
    }
}

fn a_call_that_a_statement_passes_by_is_not_named(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Branches.cs", marker);
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Branches.cs", "line": line("either")}]);
    client.ok("debug_launch", bench.launch("Steps", &["branches"], json!({"breakpoints": breakpoints})));
    for (marker, expected) in [
        ("big", vec!["Branches.One"]),
        ("text", vec![]),
        ("maybe", vec!["Branches.Text", "Branches.Text"]),
        ("all", vec!["Branches.Perhaps"]),
        ("if", vec![]),
        // nothing leads past it, though the statement has branches
        ("end", vec!["Branches.Make"]),
    ] {
        let stop = client.ok("debug_step", json!({"mode": "over"}));
        // the statement behind an `if` is on its line
        let is_within = marker == "end" && stop["location"]["line"] != line(marker);
        assert!(is_within || stop["location"]["line"] == line(marker), "{marker}: {stop}");
        let names: Vec<_> = returned(&stop).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, expected, "{marker}: {stop}");
    }
}

/// Of a statement whose other calls return structs, and returned before.
fn a_step_out_into_a_statement_tells_its_calls_apart(bench: &Bench) {
    for (statement, method, name) in
        [("argument", "label", "Returns.Label"), ("innermost", "copied-return", "Returns.Copied")]
    {
        let mut client = at(bench, statement);
        let line = bench.line_in("Steps", "Returns.cs", method);
        client.ok("breakpoint_set", json!({"file": "Returns.cs", "line": line}));
        client.ok("debug_continue", json!({}));
        client.ok("breakpoint_remove", json!({"all": true}));
        let stop = client.ok("debug_step", json!({"mode": "out"}));
        let line = bench.line_in("Steps", "Returns.cs", statement);
        assert_has(&stop, json!({"location": {"line": line}, "returned": [{"name": name}]}));
        assert_eq!(stop["returned"].as_array().unwrap().len(), 1, "{stop}");
        if name == "Returns.Label" {
            assert_has(&stop, json!({"returned": [{"value": "\"1\""}]}));
        }
        let stop = client.ok("debug_step", json!({"mode": "over"}));
        assert_has(&stop, json!({"location": {"line": line + 1}}));
        assert_eq!(returned(&stop), [], "{stop}");
    }
}

/// The methods that the exception left have not returned, though they are on the stack.
fn a_step_out_of_a_catch_block_shows_what_the_method_returned(bench: &Bench) {
    let mut client = at(bench, "catch");
    let stop = client.ok("debug_step", json!({"mode": "out"}));
    assert_has(&stop, json!({"reason": "step", "location": {"line": bench.line_in("Steps", "Returns.cs", "caught")}}));
    assert_eq!(returned(&stop), values(&[("Returns.Caught", "9")]), "{stop}");
}

fn a_step_in_shows_what_the_properties_returned_that_it_passed(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Passing.cs", marker);
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Passing.cs", "line": line("accessors")}]);
    client.ok("debug_launch", bench.launch("Steps", &["passing"], json!({"breakpoints": breakpoints})));
    let stop = client.ok("debug_step", json!({"mode": "in"}));
    assert_has(&stop, json!({"reason": "step", "location": {"line": line("again")}}));
    let expected = [("Amount.get_Value", "1"), ("Amount.get_Item", "3"), ("Amount.op_Addition", "{Value=3}")];
    assert_eq!(returned(&stop), values(&[expected[0], expected[1], expected[2], ("Amount.get_Value", "3")]), "{stop}");
    let note = "step in does not enter properties and operators (Amount.get_Value, Amount.get_Item, Amount.op_Addition): to stop in one, set a function breakpoint, such as Amount.get_Value";
    assert_has(&stop, json!({"note": note}));
    let stop = client.ok("debug_step", json!({"mode": "in"}));
    assert_eq!(returned(&stop), values(&[("Amount.get_Value", "1")]), "{stop}");
    // said once of a line
    client.ok("debug_run_to", json!({"file": "Passing.cs", "line": line("again")}));
    assert_has(&client.ok("debug_step", json!({"mode": "in"})), json!({"note": null}));
    // a step over names only what is written as a call
    client.ok("debug_run_to", json!({"file": "Passing.cs", "line": line("accessors")}));
    assert_eq!(client.ok("debug_step", json!({"mode": "over"}))["returned"], json!(null));
}
