//! What is passed, called on and returned by reference, and static members that are reached through a type parameter.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, Client};

scenarios! {
    an_extension_gets_a_reference_to_what_it_is_called_on, "builtin";
    what_is_only_read_may_be_passed_with_ref, "builtin";
    a_method_is_called_on_a_copy_of_what_is_read_only, "builtin";
    static_members_are_reached_through_a_type_parameter, "builtin";
    ranges_are_shown_as_they_are_written;
    a_constant_becomes_what_it_is_computed_with, "builtin";
    what_a_call_returns_by_reference_is_not_assigned, "builtin";
    a_struct_that_a_call_returned_by_reference_outlives_the_next_call, "builtin";
    spans_are_shown_by_all_their_elements, "builtin";
    a_field_that_is_a_reference_is_what_it_refers_to, "builtin";
}

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Referred", marker)}]);
    client.ok("debug_launch", bench.launch("Referred", &[], json!({"breakpoints": breakpoints})));
    client
}

/// What expressions give, or words of why they are refused.
fn are(client: &mut Client, expected: &[(&str, &str)]) {
    let wrong: Vec<String> = expected
        .iter()
        .filter_map(|(expression, expected)| {
            let answer = client.call("evaluate", json!({"expression": expression, "allow_side_effects": true})).value;
            let found = answer["value"].as_str().or(answer["message"].as_str()).unwrap_or_default();
            let is_right = found == *expected || answer["value"].is_null() && found.contains(expected);
            (!is_right).then(|| format!("{expression}\n  expected {expected}\n  found    {answer}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn an_extension_gets_a_reference_to_what_it_is_called_on(bench: &Bench) {
    let mut client = at(bench, "referred");
    let expected = [
        ("number.Halve()", "10"),
        ("number", "10"),
        ("holder.Number.Halve() + holder.Number", "8"),
        ("array[^1].Halve()", "4"),
        ("array[2]", "4"),
        ("meter.Advance(4)", "5"),
        ("meter.Value", "5"),
        ("5.Twice() + number.Twice()", "30"),
    ];
    are(&mut client, &expected);
    let refused = [
        ("5.Halve()", "error CS1510: A ref or out value must be an assignable variable"),
        ("(number + 1).Halve()", "error CS1510"),
        ("holder.Property.Halve()", "error CS0206"),
        ("5L.Halve()", "error CS1929"),
    ];
    are(&mut client, &refused);
}

fn what_is_only_read_may_be_passed_with_ref(bench: &Bench) {
    let mut client = at(bench, "referred");
    let expected = [
        ("Volatile.Read(ref number)", "20"),
        ("Read(ref number)", "20"),
        ("Read(ref array[1])", "6"),
        ("Read(ref holder.Reference)", "6"),
        ("Read(in holder.Number)", "8"),
    ];
    are(&mut client, &expected);
}

fn a_method_is_called_on_a_copy_of_what_is_read_only(bench: &Bench) {
    let mut client = at(bench, "referred");
    are(&mut client, &[("byIn.Next()", "2"), ("byIn.Next()", "2"), ("byIn.Count", "1"), ("byIn.Peek()", "1")]);
    are(&mut client, &[("byRef.Next()", "2"), ("byRef.Next()", "3"), ("byRef.Count", "3")]);
    let mut client = at(bench, "readonly");
    are(&mut client, &[("this.Next()", "2"), ("Next()", "2"), ("Count", "1")]);
}

fn static_members_are_reached_through_a_type_parameter(bench: &Bench) {
    let mut client = at(bench, "referred");
    let expected = [
        ("TNumber.Zero", "0"),
        ("TNumber.One + x", "4"),
        ("TNumber.AdditiveIdentity", "0"),
        ("TNumber.Radix", "2"),
        ("TNumber.IsZero(x)", "false"),
        ("TNumber.Max(x, TNumber.One)", "3"),
        ("TNumber.CreateChecked(5L)", "5"),
        ("TShape.Corners", "4"),
        ("TShape.Draw(3)", "\"###\""),
        ("TShape.Kind", "\"shape with 4\""),
    ];
    are(&mut client, &expected);
    are(&mut client, &[("int.Zero", "error CS0117: 'int' does not contain a definition for 'Zero'")]);
}

fn ranges_are_shown_as_they_are_written(bench: &Bench) {
    let mut client = at(bench, "referred");
    let expected = [
        ("1..^2", "1..^2"),
        ("^start", "^2"),
        ("start..last", "2..9"),
        ("(start..last).Start", "2"),
        ("(start..last).End.Value", "9"),
        ("(^start).IsFromEnd", "true"),
        ("(^start).GetOffset(10)", "8"),
        ("(1..^2).Equals(1..^2)", "true"),
        ("nameof(List<>)", "\"List\""),
    ];
    are(&mut client, &expected);
}

fn a_constant_becomes_what_it_is_computed_with(bench: &Bench) {
    let mut client = at(bench, "referred");
    let expected = [
        ("(1..^2).GetOffsetAndLength(10).Length", "7"),
        ("(1..^2).Equals(new Range(1, ^2))", "true"),
        ("many - 1", "6"),
        ("many > 0 && many * 1L == 7", "true"),
        ("UInt128.One - 1", "0"),
        ("many - start", "error CS0019"),
    ];
    are(&mut client, &expected);
}

fn what_a_call_returns_by_reference_is_not_assigned(bench: &Bench) {
    let mut client = at(bench, "referred");
    let words = "assigning through a reference that a call returns is not supported here";
    let assignments = ["Element(array, 1) = 8", "span[1] = 77", "holder.Reference = 5", "holder.Reference++"];
    are(&mut client, &assignments.map(|it| (it, words)));
    are(&mut client, &[("span[1]", "6"), ("holder.Reference", "6"), ("Element(array, 1)", "6")]);
}

fn a_struct_that_a_call_returned_by_reference_outlives_the_next_call(bench: &Bench) {
    let mut client = at(bench, "referred");
    let expected = [
        ("new[] { counters[0], counters[1] }.Sum(it => it.Count)", "3"),
        (
            "new { first = counters[0], text = letters.ToString(), last = counters[1] }",
            "{first={Count=1}, text=\"etters\", last={Count=2}}",
        ),
        (
            "counters[0].Count = counters[1].Peek()",
            "what the call returned by reference may have moved when other code ran",
        ),
        ("counters[0].Count = 5", "5"),
        ("counted[0].Count", "5"),
        ("counters[1].Count += 2", "4"),
        ("counted[1]", "{Count=4}"),
    ];
    are(&mut client, &expected);
}

fn spans_are_shown_by_all_their_elements(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Referred", "referred")}]);
    let stop = client.ok("debug_launch", bench.launch("Referred", &[], json!({"breakpoints": breakpoints})));
    for (name, expected) in [("span", "[4, 6, 8]"), ("counters", "[{Count=1}, {Count=2}]"), ("letters", "\"etters\"")] {
        let local = stop["locals"].as_array().and_then(|locals| locals.iter().find(|local| local["name"] == name));
        assert_eq!(local.map(|local| &local["value"]), Some(&json!(expected)), "{stop}");
    }
    let read = client.ok("variables_get", json!({"path": "span", "start": 1}));
    assert_eq!(read["elements"], json!(["6", "8"]), "{read}");
    assert!(read.get("note").is_none(), "{read}");
}

fn a_field_that_is_a_reference_is_what_it_refers_to(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Fields.cs", "line": bench.line_in("Referred", "Fields.cs", "fields")}]);
    client.ok("debug_launch", bench.launch("Referred", &[], json!({"breakpoints": breakpoints})));
    are(
        &mut client,
        &[
            ("pair.One == 4", "true"),
            ("pair.One + 1", "5"),
            ("-pair.One", "-4"),
            ("(long)pair.One", "4L"),
            ("pair.One is > 3 and < 5", "true"),
            ("Math.Max(pair.One, 2)", "4"),
            ("pair.Text ?? \"none\"", "\"q\""),
            ("pair.Text == text", "true"),
            ("places.One.X * 2", "6"),
            ("pair.One = 7", "7"),
            ("number", "7"),
            ("pair.One += 2", "9"),
            ("places.One.X = 8", "8"),
            ("point.X", "8"),
            ("pair.Text = \"z\"", "\"z\""),
            ("text + number", "\"z9\""),
        ],
    );
}
