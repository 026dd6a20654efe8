//! Enums in generic types, generic methods that share their line, slices of a type's own, and what a step or a timeout is said to be of.

use serde_json::{Value, json};

use super::scenarios;
use crate::bench::Bench;
use crate::client::Client;
use crate::real::assert_has;

scenarios! {
    an_enum_in_a_generic_type_has_its_arguments, "builtin";
    a_slice_is_what_the_type_gives_for_a_range, "builtin";
    generic_machines_behind_other_code_on_their_line_are_hit, "builtin";
    what_a_lambda_returned_has_its_name, "builtin";
    what_did_not_return_is_named_and_the_rest_is_given, "builtin";
    of_members_with_one_number_the_one_that_dotnet_prints_is_shown, "builtin";
}

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Nested.cs", "line": bench.line_in("Meant", "Nested.cs", marker)}]);
    let stop = client.ok("debug_launch", bench.launch("Meant", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    client
}

fn check(client: &mut Client, rows: &[(&str, &str)]) {
    for (expression, expected) in rows {
        let value = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(value["value"], *expected, "{expression}: {value}");
    }
}

fn an_enum_in_a_generic_type_has_its_arguments(bench: &Bench) {
    let mut client = at(bench, "nested");
    check(
        &mut client,
        &[
            ("box is Outer<int>.Kind", "true"),
            ("boxed is Outer<int>.Kind", "true"),
            ("box is Outer<string>.Kind", "false"),
            ("kind is > (Outer<int>.Kind)4", "true"),
            ("kind switch { (Outer<int>.Kind)5 => \"five\", _ => \"other\" }", "\"five\""),
            ("kind is Outer<int>.Kind.Fifth", "true"),
            ("box is Outer<int>.Kind.Fifth", "true"),
            ("box is Outer<int>.Kind.First", "false"),
            ("maybe is Outer<int>.Kind it ? (int)it : 0", "5"),
            ("mixed.Count(x => x is Outer<int>.Kind)", "1"),
            ("mixed.OfType<Outer<string>.Kind>().Count()", "1"),
            ("mixed is [1, Outer<int>.Kind.Fifth, _, _]", "true"),
            ("(kind, 1) is (Outer<int>.Kind.Fifth, 1)", "true"),
            ("Outer<int>.Is(kind)", "true"),
            ("object.Equals(box, kind)", "true"),
        ],
    );
    client.ok(
        "breakpoint_set",
        json!({"file": "Nested.cs", "line": bench.line_in("Meant", "Nested.cs", "nested-own"), "condition": "box is Kind"}),
    );
    let stop = client.ok("debug_continue", json!({}));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint"}));
    check(
        &mut client,
        &[("own is Kind.Fifth", "true"), ("box is Outer<string>.Kind", "true"), ("box is Outer<int>.Kind", "false")],
    );
}

fn a_slice_is_what_the_type_gives_for_a_range(bench: &Bench) {
    let mut client = at(bench, "nested");
    check(
        &mut client,
        &[
            ("sliced is [_, .. var part, _] ? part.Length : 0", "103"),
            ("sliced is [_, .. { From: 1, Count: 3 }, _]", "true"),
            ("mixed is [1, .. var rest] ? rest.Length : 0", "3"),
        ],
    );
}

fn generic_machines_behind_other_code_on_their_line_are_hit(bench: &Bench) {
    let mut client = at(bench, "nested");
    for function in ["Outer.Each", "Outer.Later", "Beside.Later"] {
        client.ok("breakpoint_set", json!({"function": function}));
        let stop = client.ok("debug_continue", json!({}));
        assert_eq!(stop["outcome"], "stopped", "{function}: {stop}");
        assert_eq!(stop["location"]["function"], function, "{stop}");
    }
}

fn what_a_lambda_returned_has_its_name(bench: &Bench) {
    let mut client = at(bench, "nested-sum");
    client.ok("debug_step", json!({"mode": "in"}));
    let stop = client.ok("debug_step", json!({"mode": "in"}));
    assert_has(&stop, json!({"returned": [{"name": "lambda Nested.Sum", "value": "4"}]}));
}

fn what_did_not_return_is_named_and_the_rest_is_given(bench: &Bench) {
    let mut client = at(bench, "nested");
    let expressions = ["year", "Nested.Hang()", "side"];
    let asked = json!({"expressions": expressions, "allow_side_effects": true, "timeout_ms": 1000});
    let answer = client.ok("evaluate", asked);
    let results: &[Value] = answer["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    let [year, hung, side] = results else { panic!("{answer}") };
    assert_eq!(year["value"], "New", "{answer}");
    assert!(hung["error"].as_str().is_some_and(|words| words.contains("did not return")), "{answer}");
    assert!(
        side["value"] == "Near" || side["error"].as_str().is_some_and(|words| words.contains("not evaluated")),
        "{answer}"
    );
}

fn of_members_with_one_number_the_one_that_dotnet_prints_is_shown(bench: &Bench) {
    let mut client = at(bench, "nested");
    for name in ["year", "side"] {
        let shown = client.ok("evaluate", json!({"expression": name}))["value"].clone();
        let printed =
            client.ok("evaluate", json!({"expression": format!("{name}.ToString()"), "allow_side_effects": true}));
        assert_eq!(printed["value"], shown.to_string(), "{printed}");
    }
}
