//! What code sees of itself: its base, the bounds of its type parameters, the fields that each thread has, pointers.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    base_is_the_base_class, "builtin";
    type_parameters_have_the_members_of_their_bounds, "builtin";
    fields_of_a_thread_that_did_not_use_them_have_default_values, "builtin";
    fields_of_a_thread_that_did_not_use_them_cost_no_session;
    an_object_is_of_its_type_whatever_it_is_shown_as;
    elements_of_inline_arrays_are_read_or_refused_in_plain_words;
    inline_arrays_are_listed_as_arrays_as_far_as_they_can_be_read;
    references_name_the_element_of_an_inline_array, "builtin";
    an_anonymous_object_is_assigned_to_another_variable_of_its_type, "builtin";
    unsafe_code_is_refused_in_plain_words;
    an_optional_argument_of_null_is_passed_or_refused_in_plain_words;
    of_a_record_the_argument_that_is_missing_is_named, "builtin";
}

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Derived", marker)}]);
    let stop = client.ok("debug_launch", bench.launch("Derived", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    client
}

fn evaluated(client: &mut Client, rows: &[(&str, &str)]) {
    for (expression, value) in rows {
        let answer = client.ok("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        assert_eq!(answer["value"], *value, "{expression}: {answer}");
    }
}

fn refused(client: &mut Client, expression: &str) -> String {
    let call = json!({"expression": expression, "allow_side_effects": true});
    let error = client.error("evaluation_failed", "evaluate", call);
    error["message"].as_str().unwrap().to_owned()
}

fn base_is_the_base_class(bench: &Bench) {
    let mut client = at(bench, "root");
    let message = refused(&mut client, "base.Asked(1)");
    assert!(message.contains("CS0117: 'object' does not contain a definition for 'Asked'"), "{message}");
    let mut client = at(bench, "override");
    // `Kept` of the object itself adds one
    evaluated(&mut client, &[("base.Own", "5"), ("base.Kept", "3"), ("Kept", "4")]);
    // the runtime would call those of the object's own type
    for (expression, named) in [
        ("base.Named", "base.Named"),
        ("base.Asked(1)", "base.Asked"),
        ("base[1]", "base.this[]"),
        ("base.Kept = 9", "base.Kept"),
    ] {
        let message = refused(&mut client, expression);
        assert!(message.contains(&format!("`{named}` is virtual")), "{expression}: {message}");
    }
    evaluated(&mut client, &[("base.Kept", "3")]);
}

fn type_parameters_have_the_members_of_their_bounds(bench: &Bench) {
    let mut client = at(bench, "bounded");
    let rows = [("one.Scaled(2)", "42"), ("one.Factor", "21"), ("all[1].Scaled(1)", "21"), ("new T().Factor", "21")];
    evaluated(&mut client, &rows);
    let message = refused(&mut client, "one.Nothing");
    assert!(message.contains("CS1061"), "{message}");
    // in the second call a struct
    assert_eq!(client.ok("debug_continue", json!({}))["outcome"], "stopped");
    evaluated(&mut client, &[("one.Scaled(2)", "42"), ("one.Factor", "21")]);
}

fn fields_of_a_thread_that_did_not_use_them_have_default_values(bench: &Bench) {
    let mut client = at(bench, "main");
    evaluated(&mut client, &[("Counted", "6")]);
    let mut client = at(bench, "thread");
    for (expression, value) in
        [("Counted", "0"), ("Program.Counted + 1", "1"), ("Said", "null"), ("Said == null", "true")]
    {
        let answer = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(answer["value"], value, "{expression}: {answer}");
    }
    evaluated(&mut client, &[("When.Ticks", "0L"), ("When == default", "true")]);
}

/// In code that is in no namespace some adapters die of a static field that they cannot read.
fn fields_of_a_thread_that_did_not_use_them_cost_no_session(bench: &Bench) {
    let mut client = bench.client();
    let line = bench.line_in("Derived", "Outside.cs", "outside");
    let breakpoints = json!([{"file": "Outside.cs", "line": line}]);
    client.ok("debug_launch", bench.launch("Derived", &[], json!({"breakpoints": breakpoints})));
    if bench.adapter() == "builtin" {
        evaluated(&mut client, &[("s_unused", "null"), ("Outside.s_unused", "null")]);
    } else {
        refused(&mut client, "s_unused");
        refused(&mut client, "Outside.s_unused");
    }
    assert_eq!(client.ok("evaluate", json!({"expression": "used"}))["value"], "\"used\"");
}

fn an_object_is_of_its_type_whatever_it_is_shown_as(bench: &Bench) {
    let mut client = at(bench, "main");
    evaluated(
        &mut client,
        &[
            ("byValue is ShownByValue", "true"),
            ("byBase is ShownByBase", "true"),
            ("((ShownByValue)byValue).Inside.Number", "0"),
            ("all.Count(it => it is ShownByBase)", "1"),
            ("byValue switch { ShownByBase => 1, ShownByValue => 2, _ => 3 }", "2"),
        ],
    );
    for name in ["byValue", "byBase"] {
        let shown = client.ok("evaluate", json!({"expression": name}))["type"].as_str().unwrap().to_lowercase();
        assert!(shown.ends_with(&format!("shown{}", name.to_lowercase())), "{shown}");
    }
}

fn elements_of_inline_arrays_are_read_or_refused_in_plain_words(bench: &Bench) {
    let mut client = at(bench, "main");
    if bench.adapter() == "builtin" {
        evaluated(
            &mut client,
            &[
                ("three[0]", "1L"),
                ("three[2]", "1099511627776L"),
                ("three[^2]", "2L"),
                ("three[1..].Length", "2"),
                ("((Span<long>)three).Length", "3"),
                ("((ReadOnlySpan<long>)three)[2]", "1099511627776L"),
            ],
        );
    } else {
        evaluated(&mut client, &[("three[0]", "1L"), ("slots.Texts[0]", "\"a\"")]);
        let message = refused(&mut client, "three[2]");
        assert!(message.contains("inline array"), "{message}");
    }
    let message = refused(&mut client, "three[0] = 5");
    assert!(message.contains("inline array"), "{message}");
}

fn inline_arrays_are_listed_as_arrays_as_far_as_they_can_be_read(bench: &Bench) {
    let mut client = at(bench, "main");
    let mut list = |path: &str| client.ok("variables_get", json!({"path": path}));
    let only = "only the first of the 3 elements of this inline array can be read here";
    let (numbers, texts) = (list("three"), list("slots.Texts"));
    if bench.adapter() == "builtin" {
        assert_has(&numbers, json!({"count": 3, "elements": ["1L", "2L", "1099511627776L"], "note": null}));
        let elements = json!([{"value": "\"a\""}, {"type": "string", "value": "null"}, {"value": "\"c\""}]);
        assert_has(&texts, json!({"count": 3, "variables": elements, "note": null}));
    } else {
        assert_has(&numbers, json!({"count": 3, "elements": ["1L"], "note": only}));
        assert_has(&texts, json!({"count": 3, "elements": ["\"a\""], "note": only}));
    }
    assert_has(
        &list("structs"),
        json!({"count": 3, "variables": [{"name": "[0]", "value": "{Number=7}"}], "note": only}),
    );
    assert_has(&list("structs[0]"), json!({"variables": [{"name": "Number", "value": "7"}]}));
    let layout = client.ok("layout_get", json!({"type": "Three"}));
    let slot = json!({"offset": 0, "size": 24, "element_count": 3, "type": "long", "name": "First"});
    assert_has(&layout, json!({"size": 24, "padding": null, "slots": [slot]}));
}

fn references_name_the_element_of_an_inline_array(bench: &Bench) {
    let mut client = at(bench, "main");
    let held = client.ok("references_get", json!({"path": "slots", "direction": "outbound"}));
    let through: Vec<&str> = held["held"].as_array().unwrap().iter().filter_map(|it| it["through"].as_str()).collect();
    assert_eq!(through, ["Slots.Texts[0]", "Slots.Texts[2]"], "{held}");
}

fn an_anonymous_object_is_assigned_to_another_variable_of_its_type(bench: &Bench) {
    let mut client = at(bench, "main");
    evaluated(&mut client, &[("another.A", "2"), ("(another = anonymous).B", "\"x\""), ("another.A", "1")]);
}

fn unsafe_code_is_refused_in_plain_words(bench: &Bench) {
    let mut client = at(bench, "pointed");
    for expression in ["*pointer", "pointer[0]", "pointer == null", "pointer + 1", "(long)pointer", "&number"] {
        let message = refused(&mut client, expression);
        assert!(message.contains("unsafe context") && !message.contains("CS0"), "{expression}: {message}");
    }
}

/// Nobody but a record itself calls the constructor that it is copied by.
fn of_a_record_the_argument_that_is_missing_is_named(bench: &Bench) {
    let mut client = at(bench, "main");
    let message = refused(&mut client, "new Person(\"New\")");
    assert!(message.contains("CS7036") && message.contains("'Age'"), "{message}");
}

/// Some adapters cannot tell which parameter null is for.
fn an_optional_argument_of_null_is_passed_or_refused_in_plain_words(bench: &Bench) {
    let mut client = at(bench, "main");
    let call = json!({"expression": "new Person(\"New\", 1).Age", "allow_side_effects": true});
    let reply = client.call("evaluate", call);
    match &reply.value["value"] {
        Value::String(value) => assert_eq!(value, "1"),
        _ => {
            let message = reply.value["message"].as_str().unwrap();
            assert!(!message.contains("accessible constructor"), "{message}");
        }
    }
}
