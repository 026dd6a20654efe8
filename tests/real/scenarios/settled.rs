//! What the stopped program has settled, and what an expression makes for itself: both are answered without side effects.

use serde_json::{Value, json};

use super::scenarios;
use crate::bench::Bench;
use crate::client::Client;
use crate::real::assert_has;

scenarios! {
    the_exception_of_a_task_is_the_one_around_those_that_it_holds, "builtin";
    what_a_generic_type_has_initialized_is_not_run_again, "builtin";
    a_nullable_enum_keeps_its_question_mark, "builtin";
    specifiers_stand_behind_paths_too, "builtin";
    variables_are_listed_as_they_are_declared, "builtin";
    what_an_expression_made_it_may_change, "builtin";
    what_was_there_before_is_not_changed, "builtin";
}

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Settled.cs", "line": bench.line_in("Meant", "Settled.cs", marker)}]);
    let stop = client.ok("debug_launch", bench.launch("Meant", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    client
}

fn answers(client: &mut Client, expected: &[(&str, &str)]) {
    for (expression, value) in expected {
        let found = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(found["value"], *value, "{expression}: {found}");
    }
}

fn refused(client: &mut Client, expressions: &[&str]) {
    for expression in expressions {
        client.error("side_effects", "evaluate", json!({"expression": expression}));
    }
}

fn the_exception_of_a_task_is_the_one_around_those_that_it_holds(bench: &Bench) {
    let mut client = at(bench, "settled");
    let shown = client.ok("variables_get", json!({"path": "both"}));
    let listed = shown["variables"].as_array().unwrap().iter().find(|it| it["name"] == "Exception").unwrap();
    assert_eq!(listed["value"], "AggregateException(2) [InvalidTimeZoneException \"a\", …]", "{shown}");
    let one = client.ok("evaluate", json!({"expression": "one.Exception"}));
    assert_has(&one, json!({"type": "AggregateException"}));
    answers(
        &mut client,
        &[
            ("one.Exception.Message", "\"One or more errors occurred. (one)\""),
            ("one.Exception.InnerException.Message", "\"one\""),
            ("one.Exception.InnerExceptions.Count", "1"),
            ("both.Exception.InnerExceptions.Count", "2"),
            ("both.Exception.InnerExceptions[1].Message", "\"b\""),
            ("both.Exception.Message", "\"One or more errors occurred. (a) (b)\""),
            ("both.Exception.Flatten().InnerExceptions.Count", "2"),
            ("both.Exception is AggregateException { InnerExceptions.Count: 2 }", "true"),
            ("done.Exception", "null"),
            ("done.Exception?.Message ?? \"none\"", "\"none\""),
        ],
    );
    let path = client.ok("variables_get", json!({"path": "one.Exception"}));
    assert_has(&path, json!({"type": "AggregateException"}));
}

fn what_a_generic_type_has_initialized_is_not_run_again(bench: &Bench) {
    let mut client = at(bench, "settled");
    answers(
        &mut client,
        &[("PerType<int>.Pair()", "\"four40\""), ("PerType<int>.s_pair", "(Number: 4, Text: \"four\")")],
    );
    refused(&mut client, &["PerType<long>.Pair()", "PerType<long>.s_pair"]);
}

fn a_nullable_enum_keeps_its_question_mark(bench: &Bench) {
    let mut client = at(bench, "settled");
    for path in ["level", "graded.Level", "graded.None"] {
        let found = client.ok("variables_get", json!({"path": path}));
        assert_eq!(found["variables"][0]["type"], "Level?", "{path}: {found}");
        assert_has(&client.ok("evaluate", json!({"expression": path})), json!({"type": "Level?"}));
    }
}

fn specifiers_stand_behind_paths_too(bench: &Bench) {
    let mut client = at(bench, "settled");
    let number = client.ok("variables_get", json!({"path": "counted._items[0],h"}));
    assert_eq!(number["variables"][0]["value"], "0x00000003", "{number}");
    let numbers = client.ok("object_inspect", json!({"path": "counted._items,h"}));
    assert_eq!(numbers["elements"], json!(["0x00000003", "0x00000001", "0x00000002"]), "{numbers}");
    let results = client.ok("variables_get", json!({"path": "counted._items.Where(it => it > 1),results"}));
    assert_has(&results, json!({"count": 2}));
    let raw = client.ok("variables_get", json!({"path": "shared,raw"}));
    let names: Vec<&str> = raw["variables"].as_array().unwrap().iter().filter_map(|it| it["name"].as_str()).collect();
    assert!(names.contains(&"_count") && names.contains(&"_buckets"), "{raw}");
    let error = client.error("evaluation_failed", "variables_get", json!({"path": "shared,what"}));
    assert!(error["message"].as_str().unwrap().contains("`what` is not a format specifier"), "{error}");
}

fn variables_are_listed_as_they_are_declared(bench: &Bench) {
    for (marker, expected) in [
        ("declared", "given, first, captured, third, later, sum, i, plain, inner, after, more"),
        ("within", "given, captured, later, own"),
        ("declared-later", "given, first, captured, third, later, sum"),
    ] {
        let mut client = at(bench, marker);
        let listed = client.ok("variables_get", json!({}));
        let names = listed["variables"].as_array().unwrap().iter().filter_map(|it| it["name"].as_str());
        assert_eq!(names.collect::<Vec<_>>().join(", "), expected, "{marker}: {listed}");
    }
}

fn what_an_expression_made_it_may_change(bench: &Bench) {
    let mut client = at(bench, "settled");
    answers(
        &mut client,
        &[
            ("new Table { [\"a\"] = 1L }[\"a\"]", "1L"),
            ("new Table { { \"a\", 2 } }[\"a\"]", "2"),
            ("string.Join(\",\", concurrent.Keys)", "\"a\""),
            ("string.Join(\",\", objects.Keys)", "\"1,2\""),
            ("string.Join(\",\", objects.Values)", "\"2,two\""),
            ("concurrent.Values.Sum()", "1"),
            ("concurrent.Select(it => it.Key).First()", "\"a\""),
            ("string.Join(\",\", counted.Words())", "\"a,b\""),
            ("handler.Equals(handler)", "true"),
            ("handler.GetHashCode() == handler.GetHashCode()", "true"),
            ("counted.At(1)", "1"),
            ("counted.ReadInPlace()", "1"),
            // on this way the span stays over the stack
            ("counted.OverwrittenLater(true)", "8"),
            ("counted._items[0]", "3"),
            ("counted.Digits(123)", "\"123\""),
            ("counted.Formatted(45)", "\"45\""),
            ("counted.Written().Trim()", "\"x3\""),
            ("new System.Globalization.CultureInfo(\"\").Name", "\"\""),
            ("System.Globalization.CultureInfo.GetCultureInfo(\"\").Name", "\"\""),
        ],
    );
    let text = client.ok("evaluate", json!({"expression": "handler.ToString()"}));
    assert!(text["value"].as_str().unwrap().starts_with("\"Handler { Name = h, Do = System.Func"), "{text}");
}

fn what_was_there_before_is_not_changed(bench: &Bench) {
    let mut client = at(bench, "settled");
    refused(
        &mut client,
        &[
            "new View(shared) { [\"a\"] = 1 }[\"a\"]",
            "counted.Overwritten()",
            "counted.OverwrittenLater(false)",
            "counted.OverwrittenElsewhere()",
            "counted.OverwrittenInPlace()",
            "counted.OverwrittenByReference()",
            "counted.WrittenTo(builder)",
            "string.Join(\",\", loud)",
            "counted.ThroughItsType(counted)",
            "counted.Appended(builder)",
            "counted.Grown(grown)",
            "string.Intern(builder.ToString())",
            "counted.At(-1)",
        ],
    );
    let unchanged: Value = client.ok(
        "evaluate",
        json!({"expressions": ["shared.Count", "builder.Length", "counted._items[0]", "counted.Steps", "grown.Count"]}),
    );
    let values: Vec<&str> =
        unchanged["results"].as_array().unwrap().iter().filter_map(|it| it["value"].as_str()).collect();
    assert_eq!(values, ["0", "0", "3", "0", "1"], "{unchanged}");
}
