//! Values that are not what their fields say, as somebody who writes C# expects them.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    an_expando_object_has_the_members_that_it_was_given, "builtin";
    a_member_of_an_expando_object_is_assigned, "builtin";
    an_object_that_binds_its_members_itself_has_first_what_it_declares, "builtin";
    a_filter_that_nothing_matches_says_what_it_searched, "builtin";
    elements_of_a_lazy_sequence_are_shown_as_those_of_a_list, "builtin";
    hidden_members_of_bases_have_names_of_their_own, "builtin";
    a_property_that_computes_is_not_its_field, "builtin";
    numbers_in_boxes_are_listed_as_numbers, "builtin";
    exceptions_say_the_same_everywhere, "builtin";
    exceptions_that_are_passed_say_what_they_say, "builtin";
    a_struct_that_was_returned_is_shown_as_everywhere, "builtin";
    a_step_from_the_end_of_a_method_shows_what_it_returned, "builtin";
}

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Views", marker)}]);
    let stop = client.ok("debug_launch", bench.launch("Views", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    client
}

fn evaluated(client: &mut Client, expression: &str) -> String {
    let answer = client.ok("evaluate", json!({"expression": expression}));
    answer["value"].as_str().unwrap_or_else(|| panic!("{expression}: {answer}")).to_owned()
}

/// Names and values of what is listed.
fn members(client: &mut Client, path: &str) -> Vec<(String, String)> {
    let view = client.ok("variables_get", json!({"path": path}));
    let text = |it: &Value, field: &str| it[field].as_str().unwrap_or_default().to_owned();
    view["variables"].as_array().into_iter().flatten().map(|it| (text(it, "name"), text(it, "value"))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn an_expando_object_has_the_members_that_it_was_given(bench: &Bench) {
    let mut client = at(bench, "dynamics");
    let expected = pairs(&[("Name", "\"Ada\""), ("Age", "36"), ("Inner", "{Text=\"plain\", Number=1}")]);
    for path in ["row", "boxed", "holder.Field", "holder.List[0]", "holder.Array[0]"] {
        assert_eq!(members(&mut client, path), expected, "{path}");
    }
    let shown = "{Name=\"Ada\", Age=36, Inner=Plain, +1 more}";
    for expression in ["row", "boxed", "(object)row", "holder.Field", "holder.List[0]"] {
        assert_eq!(evaluated(&mut client, expression), shown, "{expression}");
    }
    for (path, value) in [("boxed.Name", "\"Ada\""), ("row.Inner.Number", "1")] {
        let view = client.ok("variables_get", json!({"path": path}));
        assert_has(&view, json!({"variables": [{"value": value}]}));
    }
    assert_eq!(members(&mut client, "row.Inner"), pairs(&[("Number", "1"), ("Text", "\"plain\"")]));
    assert_eq!(members(&mut client, "empty"), pairs(&[]));
    let inspected = client.ok("object_inspect", json!({"path": "row"}));
    assert_has(&inspected, json!({"type": "System.Dynamic.ExpandoObject"}));
    assert_has(&inspected["variables"][0], json!({"name": "Name", "value": "\"Ada\""}));
    assert!(evaluated(&mut client, "row,raw").contains("_data="), "the fields");
    for (path, expected) in [("plain", "plain"), ("holder.Property", "plain"), ("holder.List[1]", "plain")] {
        assert_eq!(members(&mut client, path), pairs(&[("Number", "1"), ("Text", &format!("\"{expected}\""))]));
    }
    let missing = client.error("evaluation_threw", "evaluate", json!({"expression": "row.Nothing"}));
    assert!(missing["message"].as_str().unwrap().contains("does not contain a definition for 'Nothing'"), "{missing}");
}

fn a_member_of_an_expando_object_is_assigned(bench: &Bench) {
    let mut client = at(bench, "dynamics");
    for (assignment, expression, value) in [
        ("row.Name = \"Eve\"", "row.Name", "\"Eve\""),
        ("row.Age += 6", "row.Age", "42"),
        ("row.New = 2.5", "row.New", "2.5"),
        ("row.Inner.Number = 7", "row.Inner.Number", "7"),
    ] {
        client.ok("evaluate", json!({"expression": assignment, "allow_side_effects": true}));
        assert_eq!(evaluated(&mut client, expression), value, "{assignment}");
    }
    client.ok("variable_set", json!({"path": "row.Age", "value": "1"}));
    assert_eq!(evaluated(&mut client, "row.Age"), "1");
}

fn an_object_that_binds_its_members_itself_has_first_what_it_declares(bench: &Bench) {
    let mut client = at(bench, "dynamics");
    assert_eq!(members(&mut client, "own"), pairs(&[("Declared", "5"), ("inside", "6")]));
    assert_eq!(evaluated(&mut client, "own.Declared"), "5");
    // that is not for all code, and the program would be asked
    for expression in ["own.inside", "own.Nothing"] {
        let refused = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        assert!(refused["message"].as_str().unwrap().contains("binds its members itself"), "{refused}");
    }
    assert_eq!(evaluated(&mut client, "((Own)own).inside"), "6");
}

fn a_filter_that_nothing_matches_says_what_it_searched(bench: &Bench) {
    let mut client = at(bench, "dynamics");
    let nothing = |client: &mut Client, query: Value| {
        let answer = client.ok("variables_get", query);
        assert!(answer["variables"].as_array().is_some_and(Vec::is_empty), "{answer}");
        answer["searched"].clone()
    };
    assert_eq!(nothing(&mut client, json!({"path": "holder", "filter": "zzz"})), 4);
    assert_eq!(nothing(&mut client, json!({"path": "holder.List", "filter": "zzz"})), 2);
    assert_eq!(nothing(&mut client, json!({"filter": "zzz"})), 6);
    let some = client.ok("variables_get", json!({"path": "holder", "filter": "Field"}));
    assert_eq!(some["searched"], json!(null), "{some}");
}

fn elements_of_a_lazy_sequence_are_shown_as_those_of_a_list(bench: &Bench) {
    let mut client = at(bench, "lazies");
    let shown = "[{item 2 of two}, {item 3 of three}]";
    for expression in ["items.Where(it => it.Id > 1)", "items.Where(it => it.Id > 1).ToList()", "items.Skip(1)"] {
        assert_eq!(evaluated(&mut client, expression), shown, "{expression}");
    }
    let listed = pairs(&[("[0]", "{item 2 of two}"), ("[1]", "{item 3 of three}")]);
    assert_eq!(members(&mut client, "$1"), listed);
    let groups = evaluated(&mut client, "items.GroupBy(it => it.Id > 1)");
    assert!(groups.contains("{item 1 of one}"), "{groups}");
    let rows = client.ok("evaluate", json!({"expression": "items.Select(it => new { it.Id, Whole = it })"}));
    assert_eq!(rows["rows"][0], json!(["1", "{item 1 of one}"]), "{rows}");
}

fn hidden_members_of_bases_have_names_of_their_own(bench: &Bench) {
    let mut client = at(bench, "hidden");
    let expected = [
        ("number", "2"),
        ("number (Base)", "1"),
        ("note", "\"its own\""),
        ("note (Base)", "\"of the base\""),
        ("Virtual", "11"),
        ("Declared", "21"),
        ("Declared (Base)", "20"),
        ("Length", "18"),
    ];
    let mut listed = members(&mut client, "derived");
    listed.sort();
    let mut all = pairs(&expected);
    all.sort();
    assert_eq!(listed, all);
    let view = client.ok("variables_get", json!({"path": "derived", "filter": "note"}));
    assert_has(
        &view,
        json!({"variables": [{"name": "note"}, {"name": "note (Base)", "path": "((Views.Base)derived).note"}]}),
    );
    for (expression, value) in [
        ("((Base)derived).note", "\"of the base\""),
        ("((Base)derived).number", "1"),
        ("((Base)derived).Declared", "20"),
        ("((Base)derived).Virtual", "11"),
    ] {
        assert_eq!(evaluated(&mut client, expression), value, "{expression}");
    }
    // the storage that the overridden property has of its own
    assert_has(&client.ok("variables_get", json!({"path": "derived"})), json!({"hidden": 1}));
    assert!(evaluated(&mut client, "derived").ends_with(" more}"), "they are counted");
}

fn a_property_that_computes_is_not_its_field(bench: &Bench) {
    let mut client = at(bench, "hidden");
    let listed = members(&mut client, "late");
    for (name, value) in [("Doubled", "8"), ("Plain", "3")] {
        assert!(listed.contains(&(name.to_owned(), value.to_owned())), "{listed:?}");
    }
    assert!(!listed.contains(&("Kept".to_owned(), "null".to_owned())), "{listed:?}");
    let shown = evaluated(&mut client, "late");
    assert!(shown.contains("Plain=3") && !shown.contains("Doubled=4") && !shown.contains("Kept=null"), "{shown}");
}

fn numbers_in_boxes_are_listed_as_numbers(bench: &Bench) {
    let mut client = at(bench, "hidden");
    assert_eq!(members(&mut client, "mixed"), pairs(&[("[0]", "1"), ("[1]", "\"a\"")]));
}

/// What the program itself says, as it is thrown and as it is caught.
fn exceptions_say_the_same_everywhere(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Views", "caught")}]);
    let setup = json!({"breakpoints": breakpoints, "exceptions": {"types": ["*"], "mode": "thrown"}});
    let mut stop = client.ok("debug_launch", bench.launch("Views", &[], setup));
    let mut seen = 0;
    while stop["outcome"] == "stopped" {
        assert_eq!(stop["reason"], "exception", "{stop}");
        let said = evaluated(&mut client, "said");
        let reported = stop["exception"]["message"].as_str().unwrap_or_default().to_owned();
        let context = client.ok("exception_get_context", json!({}));
        let own = evaluated(&mut client, "exception.Message");
        assert_eq!(own, said);
        let plain: String = serde_json::from_str(&said).unwrap();
        // of one the getter of a type of the program's own has a part
        let is_known = !plain.contains("says so itself");
        let expected = if is_known { plain.clone() } else { plain.replace("says so itself", "…") };
        assert_eq!(reported, expected, "{stop}");
        assert_eq!(context["exception"]["message"], expected.as_str(), "{context}");
        let shown = evaluated(&mut client, "exception");
        let message = serde_json::to_string(&expected).unwrap();
        // of one whose message the runtime composes only the getter says it
        if !plain.starts_with("Could not load") {
            assert!(shown.contains(&format!("Message={message}")), "{shown} {message}");
        }
        let inner = &stop["exception"]["inner"];
        if plain == "outer" {
            assert_eq!(inner[0]["message"], "inner (Parameter 'last')", "{stop}");
            assert!(shown.contains("InnerException=ArgumentException \"inner (Parameter 'last')\""), "{shown}");
        }
        if plain.starts_with("One or more") {
            assert_eq!(inner[1]["message"], "two (Parameter 'second')", "{stop}");
        }
        seen += 1;
        stop = client.ok("debug_continue", json!({}));
        assert_eq!(stop["reason"], "breakpoint", "{stop}");
        stop = client.ok("debug_continue", json!({}));
    }
    assert_eq!(seen, 12);
}

/// Of a type that was thrown before only what is needed is read.
fn exceptions_that_are_passed_say_what_they_say(bench: &Bench) {
    let mut client = at(bench, "returned");
    let events = client.ok("debug_query_events", json!({"stream": "exceptions", "limit": 100}));
    let text = events.to_string();
    for message in ["worse (Parameter 'first')", "bad (Parameter 'first')", "given (other)", "Actual value was 3."] {
        assert!(text.contains(message), "{message}: {events}");
    }
}

fn returned(stop: &Value) -> Vec<(String, String)> {
    let text = |it: &Value, field: &str| it[field].as_str().unwrap_or_default().to_owned();
    stop["returned"].as_array().into_iter().flatten().map(|it| (text(it, "name"), text(it, "value"))).collect()
}

fn a_struct_that_was_returned_is_shown_as_everywhere(bench: &Bench) {
    let mut client = at(bench, "returned");
    let mut all = Vec::new();
    let mut last = Value::Null;
    for _ in 0..7 {
        last = client.ok("debug_step", json!({"mode": "over"}));
        all.extend(returned(&last));
    }
    let expected = [
        ("Program.Time", "2024-05-06T07:08:09Z"),
        ("Program.Span", "00:01:30"),
        ("Program.Day", "2024-05-06"),
        ("Program.Clock", "01:02:03"),
        ("Program.Half", "1.5"),
        ("Program.Position", "^3"),
        ("Program.Perhaps", ""),
    ];
    assert_eq!(all, pairs(&expected));
    // whatever its type is usually shown as
    assert!(last["returned"][0]["error"].as_str().unwrap().starts_with("error: not readable: "), "{last}");
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    let [(_, stamp)] = returned(&stop).try_into().unwrap();
    assert!(stamp.contains("Day=2024-05-06") && stamp.contains("Number=4"), "{stop}");
}

fn a_step_from_the_end_of_a_method_shows_what_it_returned(bench: &Bench) {
    let mut client = at(bench, "doubled");
    let brace = client.ok("debug_step", json!({"mode": "over"}));
    assert_eq!(returned(&brace), pairs(&[]), "{brace}");
    for mode in ["over", "in"] {
        let mut client = at(bench, "doubled");
        client.ok("debug_step", json!({"mode": "over"}));
        let stop = client.ok("debug_step", json!({"mode": mode}));
        assert_eq!(returned(&stop), pairs(&[("Program.Doubled", "8")]), "{mode}: {stop}");
    }
    // the calls of the statement that ends the method, and the method itself
    let mut client = at(bench, "factorial");
    client.ok("debug_step", json!({"mode": "in"}));
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert_eq!(returned(&stop), pairs(&[("Program.Factorial", "6"), ("Program.Factorial", "24")]), "{stop}");
}
