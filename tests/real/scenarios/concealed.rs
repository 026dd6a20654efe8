//! What is not what its first look says: members that a derived class hides, fields of threads in shared code, boxed keys.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client};

scenarios! {
    members_are_those_of_the_object_whatever_its_variable_is_declared_as, "builtin";
    a_field_of_a_thread_is_that_of_its_own_instance, "builtin";
    a_boxed_key_is_shown_as_what_is_in_the_box, "builtin";
    what_a_conversion_made_is_assigned_though_it_looks_the_same, "builtin";
    many_texts_are_joined_in_no_time, "builtin";
    a_sequence_is_handed_to_the_program_within_the_time, "builtin";
    what_answers_call_a_place_can_be_assigned, "builtin";
    a_tuple_shows_its_parts_however_it_was_read, "builtin";
    elements_have_the_indices_that_the_array_has, "builtin";
    objects_are_found_by_what_is_computed_without_the_program, "builtin";
    a_variable_of_another_scope_is_no_earlier_value, "builtin";
    an_exception_shows_no_variable_that_has_no_value_yet, "builtin";
}

fn stopped(bench: &Bench) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Concealed", "main")}]);
    let stop = client.ok("debug_launch", bench.launch("Concealed", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    client
}

fn evaluated(client: &mut Client, rows: &[(&str, &str)]) {
    for (expression, value) in rows {
        let answer = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(answer["value"], *value, "{expression}: {answer}");
    }
}

fn value<'v>(view: &'v Value, name: &str) -> &'v Value {
    let rows = view["variables"].as_array().or(view["elements"].as_array()).unwrap_or_else(|| panic!("{view}"));
    &rows.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("{name}: {view}"))["value"]
}

fn members_are_those_of_the_object_whatever_its_variable_is_declared_as(bench: &Bench) {
    let mut client = stopped(bench);
    for path in ["hidden", "derived"] {
        for tool in ["variables_get", "object_inspect"] {
            let listed = client.ok(tool, json!({"path": path}));
            for (name, expected) in [
                ("X", "10L"),
                ("X (Base)", "1"),
                ("Pair", "20L"),
                ("Pair (Base)", "2L"),
                ("Method", "40L"),
                ("Generic", "50L"),
                ("Virtual", "5L"),
                ("Auto", "7"),
                ("Doubled", "21"),
                ("Doubled (Base)", "2"),
            ] {
                assert_eq!(value(&listed, name), expected, "{tool} {path}: {listed}");
            }
        }
    }
    // one that changes something is not called
    client.ok("variables_get", json!({"path": "asking"}));
    evaluated(&mut client, &[("Asked.Count", "0")]);
    let frame = client.ok("variables_get", json!({}));
    assert_eq!(value(&frame, "hidden"), value(&frame, "derived"));
    assert!(value(&frame, "hidden").as_str().unwrap().contains("Pair=20L"), "{frame}");
    // C# means the members of the declared type
    evaluated(&mut client, &[("hidden.X", "1"), ("hidden.Pair", "2L"), ("hidden.Method()", "3"), ("derived.X", "10L")]);
}

fn a_field_of_a_thread_is_that_of_its_own_instance(bench: &Bench) {
    let mut client = stopped(bench);
    evaluated(
        &mut client,
        &[
            ("Own<int>.Number", "4"),
            ("Own<string>.Number", "5"),
            ("Own<string>.Number + 1", "6"),
            ("Own<string>.Text", "\"own\""),
            ("Own<string>.Text.Length", "3"),
            ("Own<string>.Both.Item2", "\"both\""),
            ("Own<(int, string)>.Number", "6"),
            ("Own<Base>.Number", "0"),
            ("Own<Base>.Text", "null"),
            ("Own<Base>.Shared", "7"),
        ],
    );
    client.error("not_assignable", "variable_set", json!({"path": "Own<string>.Number", "value": "9"}));
}

fn a_boxed_key_is_shown_as_what_is_in_the_box(bench: &Bench) {
    let mut client = stopped(bench);
    let listed = client.ok("variables_get", json!({"path": "table"}));
    assert_eq!(value(&listed, "[1]"), "\"a\"", "{listed}");
    let listed = client.ok("object_inspect", json!({"path": "keyed"}));
    for (name, expected) in [("[2.5]", "\"double\""), ("['c']", "\"char\""), ("[3L]", "\"long\"")] {
        assert_eq!(value(&listed, name), expected, "{listed}");
    }
    let frame = client.ok("variables_get", json!({}));
    assert_eq!(value(&frame, "table"), "[[1]=\"a\"]", "{frame}");
    assert_eq!(value(&frame, "keyed"), "[[2.5]=\"double\", ['c']=\"char\", [3L]=\"long\", [3.5]=int[](2)]", "{frame}");
}

fn what_a_conversion_made_is_assigned_though_it_looks_the_same(bench: &Bench) {
    let mut client = stopped(bench);
    for number in ["6", "7"] {
        let call = json!({"path": "amount", "value": number, "allow_side_effects": true});
        let set = client.ok("variable_set", call);
        assert_eq!(set["value"], format!("{{Units={number}L}}"), "{set}");
    }
}

fn many_texts_are_joined_in_no_time(bench: &Bench) {
    let mut client = stopped(bench);
    evaluated(
        &mut client,
        &[
            ("string.Concat(Enumerable.Repeat(\"ab\", 500000)).Length", "1000000"),
            ("string.Join(\", \", Enumerable.Range(1, 3).Select(it => it * it))", "\"1, 4, 9\""),
        ],
    );
}

fn a_sequence_is_handed_to_the_program_within_the_time(bench: &Bench) {
    let mut client = stopped(bench);
    let texts = "Enumerable.Range(0, 500000).Select(it => \"n\" + it).ToArray()";
    let call = json!({
        "expression": format!("System.Array.LastIndexOf({texts}, \"no\")"),
        "allow_side_effects": true,
        "timeout_ms": 1000,
    });
    let reply = client.call("evaluate", call);
    assert!(reply.failed, "{}", reply.value);
    let error = reply.value.to_string();
    assert!(error.contains("timed out") || error.contains("took too long"), "{error}");
    evaluated(&mut client, &[("amount.Units", "6L"), ("hidden.Method()", "3")]);
}

fn what_answers_call_a_place_can_be_assigned(bench: &Bench) {
    let mut client = stopped(bench);
    for (path, value) in [
        ("((Derived)hidden).X", None),
        ("((Base)hidden).X", Some("11")),
        ("((int[])keyed[3.5])[1]", Some("12")),
        ("Own<int>.Number", Some("13")),
        ("Own<int>.Shared", Some("14")),
    ] {
        let call = json!({"path": path, "value": value.unwrap_or("1")});
        match value {
            Some(value) => assert_eq!(client.ok("variable_set", call)["value"], value, "{path}"),
            None => _ = client.error("not_assignable", "variable_set", call),
        }
    }
    client.error("invalid_path", "variable_set", json!({"path": "hidden.Method()", "value": "1"}));
}

fn a_tuple_shows_its_parts_however_it_was_read(bench: &Bench) {
    let mut client = stopped(bench);
    let listed = client.ok("variables_get", json!({"path": "tuples"}));
    assert_eq!(value(&listed, "[\"k\"]"), "(1, List<string>(1))", "{listed}");
    evaluated(
        &mut client,
        &[
            ("tuples[\"k\"]", "(1, List<string>(1))"),
            ("(tuples[\"k\"].Item2, 1)", "(List<string>(1), 1)"),
            ("tuples.Values.First()", "(1, List<string>(1))"),
        ],
    );
}

fn elements_have_the_indices_that_the_array_has(bench: &Bench) {
    let mut client = stopped(bench);
    for tool in ["variables_get", "object_inspect"] {
        let cube = client.ok(tool, json!({"path": "cube"}));
        assert_eq!((&cube["type"], &cube["count"]), (&json!("int[2, 2, 2]"), &json!(8)), "{cube}");
        assert_eq!((value(&cube, "[0, 1, 1]"), value(&cube, "[1, 0, 0]")), (&json!("3"), &json!("4")), "{cube}");
        let low = client.ok(tool, json!({"path": "low"}));
        assert_eq!((&low["type"], value(&low, "[6]")), (&json!("int[5..6]"), &json!("0")), "{low}");
    }
}

fn objects_are_found_by_what_is_computed_without_the_program(bench: &Bench) {
    let mut client = stopped(bench);
    for (type_, condition) in [
        ("Concealed.Amount", "it.Units.CompareTo(5L) > 0 && Math.Max(it.Units, 3L) == 6L"),
        ("Concealed.Amount", "ReferenceEquals(it, amount)"),
        ("System.String", "it.StartsWith(\"ow\") && it.EndsWith(\"wn\") && it.Length == 3"),
        ("System.String", "it.ToUpper() == \"OWN\""),
    ] {
        let found = client.ok("heap_find", json!({"type": type_, "where": condition}));
        assert!(found["matched"].as_u64().unwrap() >= 1, "{condition}: {found}");
    }
}

fn an_exception_shows_no_variable_that_has_no_value_yet(bench: &Bench) {
    let mut client = bench.client();
    let exceptions = json!({"types": ["*"]});
    let stop = client.ok("debug_launch", bench.launch("Concealed", &["throw"], json!({"exceptions": exceptions})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    let context = client.ok("exception_get_context", json!({"include_variables_for_frames": 1}));
    let locals: Vec<_> =
        context["frames"][0]["locals"].as_array().unwrap().iter().map(|local| local["name"].clone()).collect();
    assert_eq!(locals, ["number"], "{context}");
}

fn a_variable_of_another_scope_is_no_earlier_value(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints: Vec<Value> = ["first-scope", "second-scope"]
        .map(|marker| json!({"file": "Program.cs", "line": bench.line("Concealed", marker)}))
        .into();
    let arguments = bench.launch("Concealed", &["scopes", "twice"], json!({"breakpoints": breakpoints}));
    assert_eq!(client.ok("debug_launch", arguments)["outcome"], "stopped");
    for _ in 0..6 {
        let stop = client.ok("debug_step", json!({"mode": "over"}));
        assert!(!stop.to_string().contains("\"was\":\"1\""), "{stop}");
        if stop["location"]["line"] == bench.line("Concealed", "second-scope") {
            assert_eq!(stop["changed"][0]["value"], "2", "{stop}");
            return;
        }
    }
    panic!("the second scope was not reached");
}
