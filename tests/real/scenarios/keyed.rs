//! Enums, decimals and keys of dictionaries, as the source names them.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    an_element_is_named_by_its_key_whatever_that_is;
    an_index_of_a_dictionary_is_never_a_position;
    a_key_that_may_be_missing_is_looked_up;
    members_of_enums_are_those_of_the_source;
    conditions_on_decimals_and_enums_stop_where_they_hold;
    a_tracepoint_sees_what_is_behind_a_nul;
    what_is_called_and_is_no_method_is_said_to_be_none;
    an_enum_is_set_right_or_not_at_all;
    a_key_that_was_changed_is_reported_as_stale, "builtin";
    a_key_is_looked_up_where_nothing_can_run, "builtin";
}

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Keyed", marker)}]);
    client.ok("debug_launch", bench.launch("Keyed", &[], json!({"breakpoints": breakpoints})));
    client
}

fn an_element_is_named_by_its_key_whatever_that_is(bench: &Bench) {
    let mut client = at(bench, "keyed");
    let listed = client.ok("variables_get", json!({"path": "box"}));
    for (name, value) in [
        ("ByColor", "[[Blue]=30, [Red]=10]"),
        ("ByKey", "[[Key {Id=1, Tag=\"a\"}]=10, [Key {Id=2, Tag=\"b\"}]=20]"),
        ("ByPlace", "[[(1, 2)]=List<int>(1), [(0, 0)]=List<int>(2)]"),
        ("Sorted", "[[Rank {Place=1}]=10, [Rank {Place=2}]=20]"),
    ] {
        let found = listed["variables"].as_array().unwrap().iter().find(|it| it["name"] == name);
        assert_has(found.unwrap_or_else(|| panic!("no {name} in {listed}")), json!({"value": value}));
    }
    let places =
        client.ok("variables_get", json!({"path": "box.ByPlace", "depth": 2, "filter": "0, 0", "timeout_ms": 30000}));
    assert_has(&places, json!({"variables": [{"name": "[(0, 0)]", "value": "[8, 9]"}], "searched": 2}));
    for (path, value) in [
        ("box.ByColor[Color.Blue]", "30"),
        ("box.ByColor[Blue]", "30"),
        ("box.ByKey[Key {Id=2, Tag=\"b\"}]", "20"),
        ("box.ByKey[key]", "20"),
        ("box.ByPlace[(0, 0)][1]", "9"),
        ("box.ByLong[7]", "\"seven\""),
        ("box.Sorted[Rank {Place=2}]", "20"),
    ] {
        let read = client.ok("variables_get", json!({"path": path}));
        assert_has(&read, json!({"variables": [{"value": value}]}));
    }
    let twice = client.error("variable_not_found", "variables_get", json!({"path": "box.ByHolder[Holder {Id=5}]"}));
    let words = twice["message"].as_str().unwrap();
    let paths = "read box.ByHolder._entries[0].value or box.ByHolder._entries[1].value";
    assert!(words.contains("several keys") && words.contains(paths), "{words}");
}

fn a_key_that_may_be_missing_is_looked_up(bench: &Bench) {
    let mut client = at(bench, "keyed");
    for (expression, value) in [
        ("box.ByLong.GetValueOrDefault(7)", "\"seven\""),
        ("box.ByLong.GetValueOrDefault(7).Length", "5"),
        ("box.ByLong.GetValueOrDefault(8)", "null"),
        ("box.ByLong.GetValueOrDefault(8, \"none\")", "\"none\""),
        ("box.ByLong.TryGetValue(7, out string text) ? text + 1 : \"\"", "\"seven1\""),
        ("box.ByLong.TryGetValue(8, out _)", "false"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

fn an_index_of_a_dictionary_is_never_a_position(bench: &Bench) {
    let mut client = at(bench, "keyed");
    for (expression, reason) in [
        ("box.ByKey[0]", "cannot convert from 'int' to 'Keyed.Key'"),
        ("box.ByPlace[1]", "cannot convert from 'int' to '(int, int)'"),
        ("box.ByHolder[0]", "cannot convert from 'int' to 'Keyed.Holder'"),
        ("box.Sorted[0]", "cannot convert from 'int' to 'Keyed.Rank'"),
        ("box.ByColor[1]", "cannot convert from 'int' to 'Keyed.Color'"),
        ("box.ByColor[Size.Small]", "cannot convert from 'Keyed.Size' to 'Keyed.Color'"),
        ("box.ByColor[Color.Green]", "KeyNotFoundException"),
        ("box.ByPlace[(9, 9)]", "KeyNotFoundException"),
    ] {
        let code = if reason.starts_with("KeyNotFound") { "evaluation_threw" } else { "evaluation_failed" };
        let error = client.error(code, "evaluate", json!({"expression": expression}));
        assert!(error["message"].as_str().unwrap().contains(reason), "{expression}: {error}");
    }
    // the literal 0 is a value of every enum
    assert_eq!(client.ok("evaluate", json!({"expression": "box.ByColor[0]"}))["value"], "10");
}

fn members_of_enums_are_those_of_the_source(bench: &Bench) {
    let mut client = at(bench, "keyed");
    for (expression, value) in [
        ("Color.Blue", "Blue"),
        ("Access.Read | Access.Write", "Read | Write"),
        ("Flags", "Read | Write"),
        ("Flags == Access.Read", "false"),
        ("Flags == (Access.Read | Access.Write)", "true"),
        ("(Flags & Access.Write) != 0", "true"),
        ("Flags.HasFlag(Access.Read)", "true"),
        ("box.Flags.HasFlag(Access.Write)", "true"),
        ("box.Color == Color.Green", "true"),
        ("box.Color < Color.Blue", "true"),
        ("box.Color + 1", "Blue"),
        ("(int)box.Size", "200"),
        ("(Color)2", "Blue"),
        ("~Access.Read & Flags", "Write"),
        ("Size.Large - Size.Small", "200"),
        ("box.ByAccess[Access.Read | Access.Write]", "\"both\""),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

fn conditions_on_decimals_and_enums_stop_where_they_hold(bench: &Bench) {
    let mut client = at(bench, "keyed");
    let line = bench.line("Keyed", "loop");
    for (round, condition) in [
        "price == 0",
        "price == 5_00m",
        "price == 1_000m",
        "price * 2 == 3_000M && size == Size.Large",
        "Color == Color.Green && price > 1e3m",
        "Flags.HasFlag(Access.Read) && -price < -2_499.5m",
    ]
    .into_iter()
    .enumerate()
    {
        let set = client.ok("breakpoint_set", json!({"file": "Program.cs", "line": line, "condition": condition}));
        let stop = client.ok("debug_continue", json!({}));
        assert_has(&stop, json!({"reason": "breakpoint", "breakpoint_ids": [set["id"]]}));
        assert_eq!(stop["note"], Value::Null, "{condition}");
        assert_eq!(client.ok("evaluate", json!({"expression": "i"}))["value"], round.to_string(), "{condition}");
        client.ok("breakpoint_remove", json!({"id": set["id"]}));
    }
}

fn a_tracepoint_sees_what_is_behind_a_nul(bench: &Bench) {
    let mut client = bench.client();
    let line = bench.line("Keyed", "loop");
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Keyed", "tuples")}]);
    let set = json!({"file": "Program.cs", "line": line, "message": "{text}", "only_changes": true});
    client.ok("tracepoint_set", set);
    let stop = client.ok("debug_launch", bench.launch("Keyed", &[], json!({"breakpoints": breakpoints})));
    let lines = stop["tracepoints"].as_array().unwrap();
    let texts: Vec<&Value> = lines.iter().map(|line| &line["text"]).collect();
    assert_eq!(texts, ["a\0b", "a\0c", "a\0b", "a\0c", "a\0b", "a\0c"], "{stop}");
}

fn what_is_called_and_is_no_method_is_said_to_be_none(bench: &Bench) {
    let mut client = at(bench, "keyed");
    let words = |name: &str| format!("error CS0103: The name '{name}' does not exist in the current context");
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "Nothing(1)"}));
    assert_eq!(error["message"], words("Nothing"));
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "Mane(1)"}));
    assert_eq!(error["message"], format!("{}; did you mean Main?", words("Mane")));
    // the engine has no `sizeof`
    if bench.adapter() != "builtin" {
        assert_eq!(client.ok("evaluate", json!({"expression": "sizeof(int)"}))["value"], "4");
        assert_eq!(client.ok("evaluate", json!({"expression": "sizeof(long) * 2"}))["value"], "16");
    }
}

fn an_enum_is_set_right_or_not_at_all(bench: &Bench) {
    let mut client = at(bench, "keyed");
    for path in ["box.Size", "Box.Shared"] {
        let was = client.ok("evaluate", json!({"expression": path}))["value"].clone();
        let set = client.call("variable_set", json!({"path": path, "value": "Size.Large"}));
        let is_set = bench.adapter() == "builtin";
        match is_set {
            true => assert_eq!(set.ok()["value"], "Large"),
            false => drop(set.error("not_assignable")),
        }
        let is = client.ok("evaluate", json!({"expression": path}))["value"].clone();
        assert_eq!(is, if is_set { json!("Large") } else { was }, "{path}");
    }
    let error = client.error("not_assignable", "variable_set", json!({"path": "box.Computed", "value": "Size.Small"}));
    assert!(error["message"].as_str().unwrap().contains("has no setter"), "{error}");
}

fn a_key_that_was_changed_is_reported_as_stale(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Rehashed", "changed")}]);
    client.ok("debug_launch", bench.launch("Rehashed", &[], json!({"breakpoints": breakpoints})));
    for (path, key) in [("byKey", "[{Id=9, Tag=\"a\"}]"), ("places", "[{Row=4, Name=\"new\"}]")] {
        let note = client.ok("object_inspect", json!({"path": path, "timeout_ms": 30_000}))["note"].clone();
        let note = note.as_str().unwrap_or_else(|| panic!("{path} has no note"));
        assert!(note.starts_with("1 key has changed since being added") && note.ends_with(key), "{path}: {note}");
    }
    // a comparer of the program decides, strings do not change, and nothing happened to the last
    for path in ["compared", "named", "fresh"] {
        assert_has(&client.ok("object_inspect", json!({"path": path, "timeout_ms": 30_000})), json!({"note": null}));
    }
    // what the program says of itself
    let end = client.ok("debug_continue", json!({}));
    assert_has(&end, json!({"output": {"stdout": "False True False True 1 True\n"}}));
}

fn a_key_is_looked_up_where_nothing_can_run(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Keyed", "waits")}]);
    client.ok("debug_launch", bench.launch("Keyed", &["waits"], json!({"breakpoints": breakpoints})));
    assert_eq!(client.ok("debug_continue", json!({"timeout_ms": 1_500}))["outcome"], "still_running");
    assert_eq!(client.ok("debug_pause", json!({}))["outcome"], "stopped");
    for (expression, value) in [
        ("lookups.Counts[\"hot\"]", "3"),
        ("lookups.Counts[\"hot\"] + lookups.Counts[\"cold\"]", "7"),
        ("lookups.Counts.ContainsKey(\"Hot\")", "false"),
        ("lookups.AnyCase[\"HOT\"]", "5"),
        ("lookups.ById[lookups.Id]", "\"one\""),
        ("lookups.ByDay[lookups.Day].Length", "3"),
        ("lookups.Boxed[1]", "\"int\""),
        ("lookups.Boxed[1L]", "\"long\""),
        ("lookups.Boxed[\"hot\"]", "\"text\""),
        ("lookups.Boxed.ContainsKey((short)1)", "false"),
        ("box.ByColor[Color.Blue]", "30"),
        ("box.ByLong[7]", "\"seven\""),
        ("box.ByPlace[(0, 0)].Count", "2"),
        ("box.ByHolder[holder]", "60"),
    ] {
        assert_has(&client.ok("evaluate", json!({"expression": expression})), json!({"value": value}));
    }
    let missing = client.error("evaluation_threw", "evaluate", json!({"expression": "lookups.Counts[\"warm\"]"}));
    let words = "The given key 'warm' was not present in the dictionary.";
    assert!(missing["message"].as_str().unwrap().contains(words), "{missing}");
    for (expression, by) in [
        ("lookups.OfCulture[\"hot\"]", "the comparer 'CultureAwareComparer'"),
        ("box.ByKey[lookups.Known]", "'Key.Equals'"),
    ] {
        let refused = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        let words = format!("compares its keys by {by}, and no code of the program can run here");
        assert!(refused["message"].as_str().unwrap().contains(&words), "{refused}");
    }
    // its indexer has null for what is missing
    let cast = json!({"expression": "((System.Collections.IDictionary)lookups.Counts)[\"warm\"]"});
    let refused = client.error("evaluation_failed", "evaluate", cast);
    assert!(refused["message"].as_str().unwrap().contains("calls are not possible at this stop"), "{refused}");
    let found = client.ok("heap_find", json!({"type": "Lookups", "where": "it.Counts[\"hot\"] == 3"}));
    assert_has(&found, json!({"matched": 1}));
}
