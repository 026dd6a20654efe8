//! What an editor shows of values, which has our own adapter and nothing else: it says nothing special of itself.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::scenarios;
use crate::adapter::Adapter;
use crate::real::Bench;

scenarios! {
    values_are_shown_as_their_types_ask, "builtin";
    what_a_value_opens_to_is_for_people, "builtin";
    a_property_that_may_change_something_runs_when_it_is_opened, "builtin";
    a_proxy_shows_an_object_where_making_it_changes_nothing, "builtin";
    a_proxy_is_found_by_the_name_that_the_code_around_has_for_it, "builtin";
    a_member_is_named_and_typed_as_its_attribute_asks, "builtin";
    format_specifiers_and_hexadecimal_numbers_are_those_of_other_debuggers, "builtin";
    local_constants_are_listed, "builtin";
    what_is_shown_is_assigned, "builtin";
}

fn at(bench: &Bench, marker: &str) -> (Adapter, Value) {
    let mut adapter = Adapter::start(bench.adapter_command());
    let file = bench.fixture("Presented").join("Program.cs");
    let lines = json!([{"line": bench.line("Presented", marker)}]);
    adapter.launch(&bench.built("Presented", "Presented.dll"), &[], &[(&file, lines)], json!({}));
    let stop = adapter.event("stopped");
    (adapter, stop)
}

/// The variables of the frame at a stop by their names.
#[track_caller]
fn locals(adapter: &mut Adapter, stop: &Value) -> BTreeMap<String, Value> {
    let frame = adapter.top(stop)["id"].clone();
    let scopes = adapter.ok("scopes", json!({"frameId": frame}));
    let listed = opened(adapter, &scopes["scopes"][0]);
    assert_eq!(scopes["scopes"][0]["namedVariables"], listed.len());
    listed.into_iter().map(|it| (it["name"].as_str().unwrap().to_owned(), it)).collect()
}

#[track_caller]
fn opened(adapter: &mut Adapter, variable: &Value) -> Vec<Value> {
    let body = adapter.ok("variables", json!({"variablesReference": variable["variablesReference"]}));
    body["variables"].as_array().unwrap().clone()
}

/// Names and values.
fn pairs(variables: &[Value]) -> Vec<(&str, &str)> {
    variables.iter().map(|it| (it["name"].as_str().unwrap(), it["value"].as_str().unwrap())).collect()
}

#[track_caller]
fn evaluated(adapter: &mut Adapter, stop: &Value, expression: &str) -> Value {
    let frame = adapter.top(stop)["id"].clone();
    adapter.ok("evaluate", json!({"expression": expression, "frameId": frame, "context": "watch"}))
}

fn values_are_shown_as_their_types_ask(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values");
    let locals = locals(&mut adapter, &stop);
    for (name, expected) in [
        ("item", "apple x 0x0000000a at (1, 2)"),
        ("special", "special x 0x00000003 at (1, 2)"),
        ("distant", "far away: 7"),
        // a hole that may change something is not run
        ("counting", "{Presented.Counting}"),
        // and one without an end is cut
        ("endless", "{Presented.Endless}"),
        ("person", "{Person { Name = Ada, Age = 36 }}"),
        ("named", "{I am Ada}"),
        ("empty", "{Presented.Empty}"),
        ("boxed", "42"),
        ("maybe", "5"),
        ("nothing", "null"),
        ("somewhere", "(5, 6)"),
        ("text", "\"a \\\"quoted\\\" text\""),
        ("letter", "120 'x'"),
        ("size", "Large"),
        ("price", "12.50"),
        ("pair", "(1, \"a\")"),
        ("date", "{02/29/2024 12:30:00}"),
        ("span", "{01:30:00}"),
        ("guid", "{00112233-4455-6677-8899-aabbccddeeff}"),
        ("list", "Count = 2"),
        ("ages", "Count = 2"),
        ("seen", "Count = 2"),
        ("queue", "Count = 3"),
        ("stack", "Count = 3"),
        ("frozen", "Length = 2"),
        ("names", "Count = 2"),
        ("many", "Count = 2500"),
        ("array", "{Presented.Item[2]}"),
        // what the framework's attribute asks for is more than is evaluated
        ("part", "{System.Span<int>}"),
        ("error", "{System.InvalidOperationException: no such item}"),
        ("own", "{Presented.OwnMessage: my own}"),
        ("anonymous", "{ Id = 1, Text = \"t\" }"),
    ] {
        assert_eq!(locals[name]["value"], expected, "{name}");
    }
    let point = &locals["point"];
    assert_eq!((&point["value"], &point["type"]), (&json!("(3, 4)"), &json!("point")));
    assert_eq!(evaluated(&mut adapter, &stop, "Counting.Asked")["result"], "0");
    assert_eq!(evaluated(&mut adapter, &stop, "marked.Times")["result"], "0");
    assert_eq!(adapter.finish(&stop), 0);
}

fn what_a_value_opens_to_is_for_people(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values");
    let locals = locals(&mut adapter, &stop);
    let item = opened(&mut adapter, &locals["item"]);
    let shown = pairs(&item);
    assert_eq!(shown, [("_count", "10"), ("Name", "\"apple\""), ("at 1", "(1, 2)"), ("Twice", "20")],);
    assert_eq!(item[0]["presentationHint"]["visibility"], "private");
    assert_eq!(item[3]["evaluateName"], "item.Twice");
    let hiding = opened(&mut adapter, &locals["hiding"]);
    assert_eq!(
        pairs(&hiding),
        [("[0]", "10"), ("[1]", "20"), ("Plain", "3"), ("_own", "4"), ("Own", "4"), ("Raw View", "")]
    );
    assert_eq!(hiding[0]["evaluateName"], "hiding.Inside[0]");
    let raw = opened(&mut adapter, hiding.last().unwrap());
    assert!(pairs(&raw).contains(&("Secret", "1")), "{raw:?}");
    let list = opened(&mut adapter, &locals["list"]);
    assert_eq!(
        pairs(&list),
        [("[0]", "apple x 0x0000000a at (1, 2)"), ("[1]", "special x 0x00000003 at (1, 2)"), ("Raw View", "")]
    );
    let raw = opened(&mut adapter, &list[2]);
    assert!(pairs(&raw).contains(&("_size", "2")), "{raw:?}");
    let ages = opened(&mut adapter, &locals["ages"]);
    assert_eq!(pairs(&ages)[..2], [("[\"Ada\"]", "36"), ("[\"Bob\"]", "41")]);
    let points = opened(&mut adapter, &locals["points"]);
    assert_eq!(pairs(&points), [("[0]", "(3, 4)")]);
    let corners = opened(&mut adapter, &locals["corners"]);
    assert_eq!(pairs(&corners)[0], ("[97 'a']", "(3, 4)"));
    let again = evaluated(&mut adapter, &stop, corners[0]["evaluateName"].as_str().unwrap());
    assert_eq!(again["result"], "(3, 4)");
    for (name, expected) in [
        ("seen", vec!["1", "2"]),
        ("queue", vec!["1", "2", "3"]),
        ("stack", vec!["3", "2", "1"]),
        ("frozen", vec!["1", "2"]),
        ("names", vec!["\"x\"", "\"y\""]),
    ] {
        let rows = opened(&mut adapter, &locals[name]);
        let (last, elements) = rows.split_last().unwrap();
        assert_eq!(last["name"], "Raw View", "{name}");
        assert_eq!(elements.iter().map(|it| it["value"].as_str().unwrap()).collect::<Vec<_>>(), expected, "{name}");
        for element in elements {
            let again = evaluated(&mut adapter, &stop, element["evaluateName"].as_str().unwrap());
            assert_eq!(again["result"], element["value"], "{element}");
        }
    }
    // of a long one the rest is a row
    let many = opened(&mut adapter, &locals["many"]);
    assert_eq!(pairs(&many)[999..], [("[999]", "999"), ("[1000..]", ""), ("Raw View", "")]);
    let rest = opened(&mut adapter, &many[1000]);
    let rest = opened(&mut adapter, &rest[1000]);
    assert_eq!((rest.len(), pairs(&rest)[499]), (500, ("[2499]", "2499")));
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_property_that_may_change_something_runs_when_it_is_opened(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values");
    let locals = locals(&mut adapter, &stop);
    let counting = opened(&mut adapter, &locals["counting"]);
    let named = |name: &str| counting.iter().find(|it| it["name"] == name).unwrap();
    assert_eq!(named("Two")["value"], "2");
    let broken = "<threw System.InvalidOperationException: no name of 2>";
    assert_eq!(named("Broken")["value"], broken);
    let sum = named("Sum");
    assert_eq!((&sum["presentationHint"]["lazy"], &sum["type"]), (&json!(true), &json!("int")));
    assert_eq!(evaluated(&mut adapter, &stop, "Counting.Asked")["result"], "0");
    for asked in ["1", "2"] {
        let now = opened(&mut adapter, sum);
        assert_eq!(pairs(&now), [("Sum", asked)]);
        assert_eq!(now[0]["evaluateName"], "counting.Sum");
    }
    // what is read without an end is cut
    let endless = opened(&mut adapter, &locals["endless"]);
    let named = |name: &str| endless.iter().find(|it| it["name"] == name).unwrap();
    assert_eq!(named("Kept")["value"], "1");
    assert_eq!(named("Loop")["presentationHint"]["lazy"], true);
    // hovering runs nothing that changes something
    let frame = adapter.top(&stop)["id"].clone();
    let hover = json!({"expression": "counting.Next()", "frameId": frame, "context": "hover"});
    let words = adapter.refusal("evaluate", hover);
    assert!(words.contains("may have side effects"), "{words}");
    assert_eq!(evaluated(&mut adapter, &stop, "counting.Next()")["result"], "3");
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_proxy_shows_an_object_where_making_it_changes_nothing(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values");
    let locals = locals(&mut adapter, &stop);
    let bag = opened(&mut adapter, &locals["bag"]);
    assert_eq!(pairs(&bag), [("[0]", "\"a\""), ("[1]", "\"b\""), ("Length", "2"), ("Raw View", "")]);
    for row in &bag[..3] {
        let again = evaluated(&mut adapter, &stop, row["evaluateName"].as_str().unwrap());
        assert_eq!(again["result"], row["value"], "{row}");
    }
    let raw = opened(&mut adapter, &bag[3]);
    assert_eq!(pairs(&raw), [("First", "\"a\""), ("Second", "\"b\"")]);
    let marked = opened(&mut adapter, &locals["marked"]);
    assert_eq!(pairs(&marked), [("Times", "0")]);
    assert_eq!(evaluated(&mut adapter, &stop, "marked.Times")["result"], "0");
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_proxy_is_found_by_the_name_that_the_code_around_has_for_it(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values");
    let locals = locals(&mut adapter, &stop);
    for (name, row) in [("bare", ("Inside", "2")), ("lone", ("Beside", "3")), ("pile", ("Highest", "4"))] {
        let rows = opened(&mut adapter, &locals[name]);
        assert_eq!(pairs(&rows), [row, ("Raw View", "")], "{name}");
    }
    assert_eq!(adapter.finish(&stop), 0);
}

fn a_member_is_named_and_typed_as_its_attribute_asks(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values");
    let locals = locals(&mut adapter, &stop);
    let rows = opened(&mut adapter, &locals["labelled"]);
    assert_eq!(pairs(&rows), [("the 2", "1"), ("other", "second")]);
    assert_eq!((&rows[0]["type"], &rows[1]["type"]), (&json!("spot"), &json!("some number")));
    // an expression has the member's own name
    assert_eq!(rows[0]["evaluateName"], "labelled.Where");
    assert_eq!(adapter.finish(&stop), 0);
}

fn format_specifiers_and_hexadecimal_numbers_are_those_of_other_debuggers(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values");
    for (expression, expected) in [
        ("numbers[1],h", "0x000000ff"),
        ("numbers[1],X", "0x000000FF"),
        ("(byte)5,b", "0b00000101"),
        ("numbers[1],d", "255"),
        ("item.Name,nq", "apple"),
        ("item,raw", "{Presented.Item}"),
        ("item", "apple x 0x0000000a at (1, 2)"),
        ("seen.Where(x => x > 1),results", "{int[1]}"),
    ] {
        assert_eq!(evaluated(&mut adapter, &stop, expression)["result"], expected, "{expression}");
    }
    let raw = evaluated(&mut adapter, &stop, "list,raw");
    assert!(pairs(&opened(&mut adapter, &raw)).contains(&("_size", "2")), "{raw}");
    let frame = adapter.top(&stop)["id"].clone();
    let unknown = adapter.refusal("evaluate", json!({"expression": "item,q", "frameId": frame}));
    assert!(unknown.starts_with("`q` is not a format specifier"), "{unknown}");
    assert_eq!(adapter.capabilities["supportsValueFormattingOptions"], true);
    let hex = json!({"hex": true});
    let number = json!({"expression": "numbers[1]", "frameId": frame, "format": hex});
    assert_eq!(adapter.ok("evaluate", number)["result"], "0x000000ff");
    let numbers = evaluated(&mut adapter, &stop, "numbers");
    let listed = json!({"variablesReference": numbers["variablesReference"], "format": hex});
    let listed = adapter.ok("variables", listed)["variables"].as_array().unwrap().clone();
    assert_eq!(pairs(&listed), [("[0]", "0x00000001"), ("[1]", "0x000000ff")]);
    assert_eq!(adapter.finish(&stop), 0);
}

fn local_constants_are_listed(bench: &Bench) {
    for (marker, expected) in
        [("values", vec![("Max", "3"), ("Chosen", "Large")]), ("lambda", vec![("Note", "\"inside\"")])]
    {
        let (mut adapter, stop) = at(bench, marker);
        let locals = locals(&mut adapter, &stop);
        for (name, value) in expected {
            let constant = &locals[name];
            assert_eq!(constant["value"], value, "{name}");
            assert_eq!(constant["presentationHint"]["attributes"], json!(["constant"]), "{name}");
            assert_eq!(evaluated(&mut adapter, &stop, name)["result"], value, "{name}");
        }
        adapter.ok("disconnect", json!({"terminateDebuggee": true}));
    }
}

fn what_is_shown_is_assigned(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values");
    let frame = adapter.top(&stop)["id"].clone();
    let scope = adapter.ok("scopes", json!({"frameId": frame}))["scopes"][0].clone();
    let locals = locals(&mut adapter, &stop);
    for (of, name, value, expected, expression) in [
        (&scope, "text", "\"new\"", "\"new\"", "text"),
        (&locals["item"], "_count", "11", "11", "item._count"),
        (&locals["ages"], "[\"Bob\"]", "42", "42", "ages[\"Bob\"]"),
        (&locals["list"], "[1]", "item", "apple x 0x0000000b at (1, 2)", "list[1]"),
        (&locals["numbers"], "[0]", "7", "7", "numbers[0]"),
    ] {
        let set = json!({"variablesReference": of["variablesReference"], "name": name, "value": value});
        assert_eq!(adapter.ok("setVariable", set)["value"], expected, "{name}");
        assert_eq!(evaluated(&mut adapter, &stop, expression)["result"], expected, "{expression}");
    }
    let set = |name: &str| json!({"variablesReference": scope["variablesReference"], "name": name, "value": "1"});
    assert_eq!(adapter.refusal("setVariable", set("Max")), "'Max' is a constant");
    assert_eq!(adapter.refusal("setVariable", set("Nowhere")), "Variable name 'Nowhere' not found.");
    let set = json!({"expression": "item", "value": "special", "frameId": frame});
    assert_eq!(adapter.ok("setExpression", set)["value"], "special x 0x00000003 at (1, 2)");
    assert_eq!(adapter.finish(&stop), 0);
}
