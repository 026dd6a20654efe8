//! The heap compared with what the program says of itself: how many objects, which, and what holds them.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    the_heap_is_counted_by_type_or_refused;
    what_grew_between_two_stops_is_reported, "builtin";
    objects_are_found_by_a_condition_over_them, "builtin";
    objects_are_grouped_by_what_an_expression_gives, "builtin";
    a_text_that_only_the_culture_can_compare_is_one_that_ordinal_comparison_finds, "builtin";
    an_object_of_the_heap_has_a_name_that_lasts, "builtin";
    a_name_keeps_nothing_alive, "builtin";
    chains_show_what_keeps_objects_alive, "builtin";
    references_show_who_refers_to_an_object, "builtin";
    garbage_is_said_to_be_garbage_and_a_static_is_named_once, "builtin";
    all_objects_of_a_long_array_hang_on_the_static_of_a_generic_type, "builtin";
    an_object_is_called_by_any_pure_expression, "builtin";
    an_object_is_read_where_it_lies, "builtin";
}

fn at(bench: &Bench, markers: &[&str], args: &[&str]) -> Client {
    let mut client = bench.client();
    let breakpoint = |marker: &&str| json!({"file": "Program.cs", "line": bench.line("Heap", marker)});
    let breakpoints: Vec<Value> = markers.iter().map(breakpoint).collect();
    client.ok("debug_launch", bench.launch("Heap", args, json!({"breakpoints": breakpoints})));
    client
}

/// By type: how many, and how many more than before.
fn counts(stats: &Value) -> Vec<(String, u64, i64)> {
    let types = stats["heap_types"].as_array().unwrap().iter();
    let number = |it: &Value| (it["count"].as_u64().unwrap(), it["count_change"].as_i64().unwrap_or(0));
    types.map(|it| (it["type"].as_str().unwrap().to_owned(), number(it).0, number(it).1)).collect()
}

fn the_heap_is_counted_by_type_or_refused(bench: &Bench) {
    let mut client = at(bench, &["heap"], &[]);
    if bench.adapter() != "builtin" {
        for (tool, arguments) in [
            ("heap_stats", json!({})),
            ("heap_find", json!({"type": "Session"})),
            ("gc_roots", json!({"type": "Session"})),
            ("references_get", json!({"path": "local"})),
            ("memory_read", json!({"path": "local"})),
        ] {
            let error = client.error("unsupported_by_adapter", tool, arguments);
            assert!(error["message"].as_str().unwrap().contains(tool), "{error}");
            assert!(error["hint"].as_str().unwrap().contains("backend: builtin"), "{error}");
        }
        // a name that only the heap's tools give
        for (tool, argument) in [("variables_get", "path"), ("object_inspect", "path"), ("evaluate", "expression")] {
            let code = if tool == "evaluate" { "evaluation_failed" } else { "variable_not_found" };
            let error = client.error(code, tool, json!({argument: "@1"}));
            assert!(error["message"].as_str().unwrap().contains("'@1' does not exist"), "{tool}: {error}");
        }
        assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
        return;
    }
    let stats = client.ok("heap_stats", json!({"name_filter": r"^Heap\.\w+$", "top": 4}));
    let shown = counts(&stats);
    let expected = [("Heap.Node", 1_000), ("Heap.Session", 24), ("Heap.Link", 24), ("Heap.Watcher", 24)];
    assert_eq!(shown, expected.map(|(name, count)| (name.to_owned(), count, 0)), "{stats}");
    // a node is a method table, a header and a reference
    assert_has(&stats["heap_types"][0], json!({"bytes": 24_000}));
    let all = client.ok("heap_stats", json!({"top": 1_000}));
    let sum =
        |field: &str| all["heap_types"].as_array().unwrap().iter().map(|it| it[field].as_u64().unwrap()).sum::<u64>();
    assert_eq!((json!(sum("count")), json!(sum("bytes"))), (all["count"].clone(), all["bytes"].clone()));
    let error = client.error("invalid_pattern", "heap_stats", json!({"name_filter": "("}));
    assert!(error["hint"].is_string(), "{error}");
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

fn what_grew_between_two_stops_is_reported(bench: &Bench) {
    let mut client = at(bench, &["heap", "grown"], &[]);
    let before = client.ok("heap_stats", json!({}));
    client.ok("debug_continue", json!({}));
    let since = json!({"since": before["heap_id"], "name_filter": r"^Heap\."});
    let after = client.ok("heap_stats", since);
    let shown = counts(&after);
    assert!(shown.contains(&("Heap.Session".into(), 34, 10)), "{after}");
    assert!(shown.contains(&("Heap.Link".into(), 34, 10)), "{after}");
    assert!(!shown.iter().any(|(name, ..)| name == "Heap.Node"), "{after}");
    let error = client.error("invalid_argument", "heap_stats", json!({"since": "h9"}));
    assert!(error["hint"].as_str().unwrap().contains("h1, h2"), "{error}");
}

fn objects_are_found_by_a_condition_over_them(bench: &Bench) {
    let mut client = at(bench, &["heap"], &[]);
    let all = client.ok("heap_find", json!({"type": "Session", "max_results": 2}));
    assert_has(&all, json!({"matched": 26, "count": 26, "matched_types": ["Heap.Session", "Heap.ShortSession"]}));
    assert_eq!(all["objects"].as_array().unwrap().len(), 2, "{all}");
    let found = client.ok("heap_find", json!({"type": "Heap.Session", "where": "it.Carrier == \"T\" && it.Id > 5"}));
    assert_has(&found, json!({"matched": 6, "count": 26}));
    let first = found["objects"][0].clone();
    assert_has(&first, json!({"type": "Session", "bytes": 48}));
    let name = first["name"].as_str().unwrap();
    let values =
        client.ok("evaluate", json!({"expressions": [format!("{name}.Id"), format!("{name}.Link.Owner == {name}")]}));
    assert_has(&values, json!({"results": [{"value": "6"}, {"value": "true"}]}));
    // arrays, boxed structs, and the frame's own variables beside it
    let array =
        client.ok("heap_find", json!({"type": "Slot[]", "where": "it.Length == slots.Length && it[0].Number == 7"}));
    assert_has(&array, json!({"matched": 1}));
    let boxed = client.ok("heap_find", json!({"type": "Slot", "where": "it.Held.By == \"static struct\""}));
    assert_has(&boxed, json!({"matched": 1}));
    let error = client.error("invalid_argument", "heap_find", json!({"type": "Session", "where": "it.Nope == 1"}));
    assert!(error["message"].as_str().unwrap().contains("does not contain a definition for 'Nope'"), "{error}");
    let error =
        client.error("invalid_argument", "heap_find", json!({"type": "Session", "where": "it.ToString() == \"\""}));
    let words = "ToString, and a heap search runs no code";
    assert!(error["message"].as_str().unwrap().contains(words), "{error}");
    let texts = client.ok("heap_find", json!({"type": "System.String", "where": "it == \"static struct\""}));
    assert_has(&texts, json!({"matched": 1, "matched_types": null}));
    // a search changes nothing
    let error =
        client.error("invalid_argument", "heap_find", json!({"type": "Node", "where": "(it.Next = null) == null"}));
    let words = "it assigns the field Next, and a heap search changes nothing";
    assert!(error["message"].as_str().unwrap().contains(words), "{error}");
    let error = client.error("invalid_argument", "heap_find", json!({"type": "Session", "where": "it.Title == \"\""}));
    let words = "it runs the getter of Session.Title, and a heap search runs no code";
    assert!(error["message"].as_str().unwrap().contains(words), "{error}");
    let partly = client.ok("heap_find", json!({"type": "Node", "where": "it.Next.Next == null"}));
    assert_has(&partly, json!({"matched": 1, "count": 1_000}));
    assert!(partly["note"].as_str().unwrap().contains("could not be evaluated for 1 of the objects:"), "{partly}");
    client.error("variable_not_found", "heap_find", json!({"type": "Sessions"}));
    let none = client.error("variable_not_found", "heap_find", json!({"type": "System.Half"}));
    assert!(none["message"].as_str().unwrap().starts_with("`System.Half` is a struct"), "{none}");
    // `it` is of the type that was asked for
    let shorts = client.ok("heap_find", json!({"type": "ShortSession"}))["matched"].as_u64().unwrap();
    for condition in ["it is not ShortSession", "!(it is ShortSession)", "it as ShortSession == null"] {
        let others = client.ok("heap_find", json!({"type": "Session", "where": condition}));
        assert_has(&others, json!({"matched": 26 - shorts, "note": null}));
    }
    for name in ["Dictionary<string, Kept>", "IDictionary<string, Kept>"] {
        assert_has(&client.ok("heap_find", json!({"type": name})), json!({"matched": 1}));
    }
}

/// Of heap_find: the value and the number of each group.
fn groups(answer: &Value) -> Vec<(&str, u64)> {
    let all = answer["heap_groups"].as_array().unwrap_or_else(|| panic!("{answer}")).iter();
    all.map(|it| (it["group"]["value"].as_str().unwrap_or_default(), it["count"].as_u64().unwrap())).collect()
}

fn objects_are_grouped_by_what_an_expression_gives(bench: &Bench) {
    let mut client = at(bench, &["heap"], &[]);
    let mut find = |of: &str, condition: Option<&str>, by: &str| {
        let mut arguments = json!({"type": of, "group_by": by});
        if let Some(condition) = condition {
            arguments["where"] = json!(condition);
        }
        client.ok("heap_find", arguments)
    };
    let carriers = find("Session", None, "it.Carrier");
    assert_eq!(groups(&carriers), [("\"X\"", 16), ("\"T\"", 8), ("\"S\"", 2)], "{carriers}");
    let first = json!({"group": {"name": "it.Carrier"}, "bytes": 16 * 48});
    assert_has(&carriers["heap_groups"][0], first);
    assert_has(&carriers, json!({"matched": 26, "count": 26, "objects": [], "more_groups": null, "note": null}));
    for (condition, by, expected) in [
        (Some("it.Id > 5 && it.Carrier != \"S\""), "it.Carrier", vec![("\"X\"", 12), ("\"T\"", 6)]),
        (Some("it.Id < 24"), "it.Id % 2 == 0", vec![("false", 12), ("true", 12)]),
        (None, "it is ShortSession", vec![("false", 24), ("true", 2)]),
        (None, "it.Link == null ? it.Id : -1", vec![("-1", 24), ("100", 1), ("101", 1)]),
        (None, "it.Payload.Length + shorts.Count", vec![("102", 26)]),
        (None, "it.Carrier == \"T\" ? (int?)1 : null", vec![("null", 18), ("1", 8)]),
        (Some("it.Id > 1000"), "it.Carrier", vec![]),
    ] {
        let found = find("Session", condition, by);
        match expected.is_empty() {
            true => assert_has(&found, json!({"matched": 0, "heap_groups": null})),
            false => assert_eq!(groups(&found), expected, "{condition:?} {by}: {found}"),
        }
    }
    // of a tuple each part counts
    let counts = |found: &Value| groups(found).into_iter().map(|(_, count)| count).collect::<Vec<_>>();
    let pairs = find("Heap.Session", None, "(it.Carrier, it.Id % 2)");
    assert_eq!(counts(&pairs), [8, 8, 4, 4, 1, 1], "{pairs}");
    assert_eq!(groups(&pairs)[0].0, "(Carrier: \"X\", 0)", "{pairs}");
    // an object is one by itself, and can be read by its name
    let links = find("Session", None, "it.Link");
    assert_eq!(groups(&links)[0], ("null", 2), "{links}");
    assert_has(&links, json!({"more_groups": 15}));
    let (link, session) = (&links["heap_groups"][1]["group"]["path"], &links["heap_groups"][1]["example"]);
    let (link, session) = (link.as_str().unwrap(), session.as_str().unwrap());
    let same = client.ok("evaluate", json!({"expression": format!("{link}.Owner == {session}")}));
    assert_has(&same, json!({"value": "true"}));
    let mut find = |of: &str, by: &str| client.call("heap_find", json!({"type": of, "group_by": by}));
    let partly = find("Node", "it.Next.Next == null").value;
    assert_eq!(groups(&partly), [("false", 998), ("true", 1)], "{partly}");
    let note = partly["note"].as_str().unwrap();
    assert!(note.contains("`group_by` could not be evaluated for 1 of the objects: "), "{partly}");
    let divided = find("Heap.Session", "10 / (it.Id - 6)").value;
    assert!(divided["note"].as_str().unwrap().contains("for 1 of the objects: "), "{divided}");
    for (by, words) in [
        ("it.Nope", "does not contain a definition for 'Nope'"),
        ("it.ToString()", "ToString, and a heap search runs no code"),
        ("it.Payload.Where(b => b > 0)", "grouped by a value of type"),
        ("it.", "Identifier expected"),
        ("it.Owner = null", "changes nothing"),
    ] {
        let error = find(if by.contains("Owner") { "Link" } else { "Session" }, by);
        assert!(error.failed && error.value["message"].as_str().unwrap().contains(words), "{by}: {error:?}");
    }
}

fn a_text_that_only_the_culture_can_compare_is_one_that_ordinal_comparison_finds(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Collections", "values")}]);
    client.ok("debug_launch", bench.launch("Collections", &[], json!({"breakpoints": breakpoints})));
    let by_culture = json!({"type": "string", "where": "it.StartsWith(\"na\") && it.Contains('日')"});
    // whether all fail or some depends on whether the program has asked for its culture
    let failed = client.call("heap_find", by_culture).value.to_string();
    assert!(failed.contains("culture (with StringComparison.Ordinal it does not)"), "{failed}");
    let ordinal =
        json!({"type": "string", "where": "it.StartsWith(\"na\", StringComparison.Ordinal) && it.Contains('日')"});
    assert_has(&client.ok("heap_find", ordinal), json!({"matched": 1, "note": null}));
}

fn an_object_of_the_heap_has_a_name_that_lasts(bench: &Bench) {
    let mut client = at(bench, &["heap", "grown"], &[]);
    let found = client.ok("heap_find", json!({"type": "Kept", "where": "it.By == \"local\""}));
    let name = found["objects"][0]["name"].as_str().unwrap().to_owned();
    let again = client.ok("heap_find", json!({"type": "Kept", "where": "it == local"}));
    assert_eq!(again["objects"][0]["name"], name, "{again}");
    let members = client.ok("variables_get", json!({"path": name}));
    assert_has(&members, json!({"variables": [{"name": "By", "value": "\"local\""}]}));
    let inspected = client.ok("object_inspect", json!({"path": name}));
    assert_has(&inspected, json!({"path": name, "type": "Heap.Kept"}));
    client.ok("variable_set", json!({"path": format!("{name}.By"), "value": "\"named\""}));
    assert_has(&client.ok("evaluate", json!({"expression": "local.By"})), json!({"value": "\"named\""}));
    client.ok("debug_continue", json!({}));
    assert_has(&client.ok("evaluate", json!({"expression": format!("{name} == local")})), json!({"value": "true"}));
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "@77.By"}));
    assert!(error["message"].as_str().unwrap().contains("no object is named @77"), "{error}");
}

fn a_name_keeps_nothing_alive(bench: &Bench) {
    let mut client = at(bench, &["collects", "heap"], &[]);
    let found = client.ok("heap_find", json!({"type": "Kept", "where": "it.By == \"weak\""}));
    assert_has(&found, json!({"matched": 1}));
    let name = found["objects"][0]["name"].as_str().unwrap().to_owned();
    assert_has(&client.ok("evaluate", json!({"expression": format!("{name}.By")})), json!({"value": "\"weak\""}));
    client.ok("debug_continue", json!({}));
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": format!("{name}.By")}));
    assert!(error["message"].as_str().unwrap().contains("has been garbage-collected"), "{error}");
    client.error("variable_not_found", "heap_find", json!({"type": "Kept[]"}));
}

fn chains_show_what_keeps_objects_alive(bench: &Bench) {
    let mut client = at(bench, &["heap"], &[]);
    let sessions = client.ok("gc_roots", json!({"type": "Heap.Session"}));
    let held = "static Heap.Clock.s_hub → Hub.Tick[*] → Watcher.Link → Link.Owner";
    assert_eq!(sessions["count"], 26, "{sessions}");
    assert_has(&sessions["chains"][0], json!({"count": 24, "chain": held}));
    let shorts = sessions["chains"][1].clone();
    assert_eq!(shorts["count"], 2, "{sessions}");
    assert!(shorts["chain"].as_str().unwrap().starts_with("stack Heap.Program.Main shorts (thread "), "{shorts}");
    assert!(shorts["chain"].as_str().unwrap().ends_with(")[*]"), "{shorts}");
    // one object each
    let kept = client.ok("gc_roots", json!({"type": "Kept", "max_chains": 20}));
    assert_has(&kept, json!({"count": 8, "unreachable": null}));
    let chains: Vec<&str> = kept["chains"].as_array().unwrap().iter().map(|it| it["chain"].as_str().unwrap()).collect();
    for expected in [
        "handle",
        "stack Heap.Program.Main local (thread ",
        "stack Heap.Program.Main slots (thread ",
        "stack Heap.Program.Stand mine (thread ",
        "static Heap.Program.s_byName[*]",
        "static Heap.Program.s_key → dependent handle",
        "static Heap.Program.s_slot → Slot.Held",
        "thread-static Heap.Program.t_own (thread ",
    ] {
        let matching = chains.iter().filter(|chain| chain.starts_with(expected)).count();
        assert_eq!(matching, 1, "{expected}: {chains:#?}");
    }
    // it stands behind a collection: what the heap has now is alive
    let all = client.ok("gc_roots", json!({"type": "object", "max_chains": 1}));
    assert_has(&all, json!({"unreachable": null}));
    assert!(all["count"].as_u64().unwrap() > 1_100, "{all}");
    let nodes = client.ok("gc_roots", json!({"type": "Node", "max_chains": 1}));
    assert_has(&nodes, json!({"count": 1_000, "chains": [{"count": 998}], "more_chains": 2}));
    assert!(nodes["chains"][0]["chain"].as_str().unwrap().ends_with(" → Node.Next → …"), "{nodes}");
    let timer = client.ok("gc_roots", json!({"type": "TimerQueueTimer"}));
    assert!(
        timer["chains"][0]["chain"].as_str().unwrap().starts_with("static Heap.Clock.s_timer → Timer._timer"),
        "{timer}"
    );
    let one = client.ok("gc_roots", json!({"path": "local"}));
    assert_has(&one, json!({"count": 1}));
    assert!(one["chains"][0]["chain"].as_str().unwrap().starts_with("stack Heap.Program.Main local"), "{one}");
    let element = client.ok("gc_roots", json!({"path": "shorts[0]"}));
    assert_has(&element, json!({"count": 1}));
    // what was not read may be what keeps them alive
    let cut = client.ok("gc_roots", json!({"type": "Heap.Session", "timeout_ms": 1}));
    assert!(cut["note"].as_str().is_some_and(|note| note.starts_with("incomplete: ")), "{cut}");
    assert_eq!(cut["unreachable"], Value::Null, "{cut}");
    client.error("invalid_argument", "gc_roots", json!({}));
    client.error("evaluation_failed", "gc_roots", json!({"path": "more"}));
    client.error("variable_not_found", "gc_roots", json!({"path": "nothing"}));
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

/// Of references_get: how many objects are behind each field.
fn held(answer: &Value) -> Vec<(&str, u64)> {
    let all = answer["held"].as_array().unwrap().iter();
    all.map(|it| (it["through"].as_str().unwrap(), it["count"].as_u64().unwrap())).collect()
}

fn references_show_who_refers_to_an_object(bench: &Bench) {
    let mut client = at(bench, &["heap"], &[]);
    let found = client.ok("heap_find", json!({"type": "Heap.Session", "where": "it.Id == 6"}));
    let name = found["objects"][0]["name"].as_str().unwrap().to_owned();
    let inbound = client.ok("references_get", json!({"path": name}));
    assert_eq!(held(&inbound), [("Link.Owner", 1)], "{inbound}");
    assert_has(
        &inbound,
        json!({"object": {"name": name, "type": "Session"}, "bytes": 48, "roots": null, "note": null}),
    );
    let link = inbound["held"][0]["examples"][0]["name"].as_str().unwrap();
    let same = client.ok("evaluate", json!({"expression": format!("{link}.Owner == {name}")}));
    assert_has(&same, json!({"value": "true"}));
    let outbound = client.ok("references_get", json!({"path": name, "direction": "outbound"}));
    assert_eq!(held(&outbound), [("Session.Carrier", 1), ("Session.Link", 1), ("Session.Payload", 1)], "{outbound}");
    assert_has(&outbound["held"][1]["examples"][0], json!({"name": link, "type": "Link"}));
    // every third of 24 has it
    let text = client.ok("references_get", json!({"path": format!("{name}.Carrier"), "max_results": 2}));
    assert_eq!(held(&text), [("Session.Carrier", 8)], "{text}");
    assert_eq!(text["held"][0]["examples"].as_array().unwrap().len(), 2, "{text}");
    let element = client.ok("references_get", json!({"path": "shorts[0]"}));
    assert_eq!(held(&element), [("ShortSession[*]", 1)], "{element}");
    let local = client.ok("references_get", json!({"path": "local"}));
    assert_eq!(held(&local), [], "{local}");
    assert!(local["roots"][0].as_str().unwrap().starts_with("stack Heap.Program.Main local (thread "), "{local}");
    let noted = client.ok("heap_find", json!({"type": "Kept", "where": "it.By == \"table\""}));
    let noted = client.ok("references_get", json!({"path": noted["objects"][0]["name"]}));
    assert_eq!(held(&noted), [("dependent handle", 1)], "{noted}");
    let cut = client.ok("references_get", json!({"path": "local", "timeout_ms": 1}));
    assert!(cut["note"].as_str().is_some_and(|note| note.starts_with("incomplete: ")), "{cut}");
    client.error("evaluation_failed", "references_get", json!({"path": "more"}));
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

/// What evaluate takes without side effects.
fn an_object_is_called_by_any_pure_expression(bench: &Bench) {
    let mut client = at(bench, &["heap"], &[]);
    client.ok("evaluate", json!({"expression": "s_byName[\"one\"]"}));
    for path in ["s_byName[\"one\"]", "$1"] {
        let object = client.ok("object_inspect", json!({"path": path}));
        assert_has(&object, json!({"bytes": 24}));
        let read = client.ok("memory_read", json!({"path": path, "size": 8}));
        assert_eq!(read["address"], object["address"], "{path}");
        assert_has(&client.ok("references_get", json!({"path": path})), json!({"object": {"type": "Kept"}}));
        assert_has(&client.ok("gc_roots", json!({"path": path})), json!({"count": 1}));
    }
    let missing = client.error("evaluation_threw", "gc_roots", json!({"path": "s_byName[\"two\"]"}));
    assert!(missing["message"].as_str().unwrap().contains("KeyNotFoundException"), "{missing}");
}

fn an_object_is_read_where_it_lies(bench: &Bench) {
    let mut client = at(bench, &["heap", "grown"], &[]);
    let object = client.ok("object_inspect", json!({"path": "local"}));
    // a header, a method table and a reference
    assert_has(&object, json!({"bytes": 24}));
    let text = client.ok("object_inspect", json!({"path": "local.By"}));
    let address = u64::from_str_radix(text["address"].as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
    let memory = client.ok("memory_read", json!({"path": "local", "size": 16, "format": "hex"}));
    assert_has(&memory, json!({"address": object["address"], "bytes": 16}));
    let field: String = address.to_le_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(memory["data"].as_str().unwrap()[16..], field, "{memory}");
    // the method table, the length and the characters
    let read = client.ok("memory_read", json!({"address": text["address"], "size": 22}));
    assert!(
        read["data"].as_str().unwrap().contains("l.o.") && read["data"].as_str().unwrap().ends_with("a.l."),
        "{read}"
    );
    let past = client.error("invalid_argument", "memory_read", json!({"address": "0x10"}));
    assert!(past["message"].as_str().unwrap().contains("0x10"), "{past}");
    client.error("invalid_argument", "memory_read", json!({"address": "local"}));
    client.error("variable_not_found", "memory_read", json!({"path": "more"}));
    client.error("invalid_argument", "memory_read", json!({}));
    let name = object["identity"].clone();
    client.ok("debug_continue", json!({}));
    assert_has(&client.ok("object_inspect", json!({"path": "local"})), json!({"identity": name}));
}

fn all_objects_of_a_long_array_hang_on_the_static_of_a_generic_type(bench: &Bench) {
    let mut client = at(bench, &["grown"], &[]);
    let chains = client.ok("gc_roots", json!({"type": "Hoarded"}));
    let hoard = json!({"count": 60_000, "chain": "static Heap.Shared<string>.s_hoard[*]"});
    assert_has(&chains, json!({"count": 60_000, "chains": [hoard], "more_chains": null, "note": null}));
}

fn garbage_is_said_to_be_garbage_and_a_static_is_named_once(bench: &Bench) {
    if bench.framework() == "net8.0" {
        crate::harness::skip(".NET 8 keeps thread statics behind a handle, which names no thread");
    }
    let mut client = at(bench, &["heap", "grown"], &[]);
    let own = client.ok("gc_roots", json!({"type": "Heap.Owned"}));
    assert_has(&own, json!({"count": 1, "unreachable": null}));
    assert!(
        own["chains"][0]["chain"].as_str().unwrap().starts_with("thread-static Heap.PerThread<int>.Own (thread "),
        "{own}"
    );
    let of_thread = client.ok("heap_find", json!({"type": "Kept", "where": "it.By == \"thread\""}));
    for (path, root) in [
        (json!("s_byName"), "static Heap.Program.s_byName"),
        (of_thread["objects"][0]["name"].clone(), "thread-static Heap.Program.t_own (thread "),
    ] {
        let roots = client.ok("gc_roots", json!({"path": path}));
        assert_eq!(roots["chains"].as_array().unwrap().len(), 1, "{roots}");
        assert!(roots["chains"][0]["chain"].as_str().unwrap().starts_with(root), "{roots}");
        let held_by = client.ok("references_get", json!({"path": path}));
        assert_eq!(held(&held_by), [], "{held_by}");
        assert_eq!(held_by["roots"].as_array().unwrap().len(), 1, "{held_by}");
        assert_has(&held_by, json!({"note": null}));
    }
    client.ok("debug_continue", json!({}));
    let litter = client.ok("gc_roots", json!({"type": "Litter"}));
    assert_has(&litter, json!({"count": 2, "unreachable": 2, "chains": []}));
    assert!(litter["note"].as_str().unwrap().contains("garbage until the next collection"), "{litter}");
    // it is kept until its finalizer has run
    let doomed = client.ok("gc_roots", json!({"type": "Doomed"}));
    assert_has(&doomed, json!({"count": 1, "unreachable": 1, "chains": []}));
    let note = "no root reaches it: it has a finalizer, and it is garbage once that has run";
    assert_has(&doomed, json!({"note": note}));
    let found = client.ok("heap_find", json!({"type": "Litter"}));
    let one = client.ok("references_get", json!({"path": found["objects"][0]["name"]}));
    assert_eq!(held(&one), [("object[*]", 1)], "{one}");
    assert_has(&one, json!({"roots": null}));
    assert!(one["note"].as_str().unwrap().contains("garbage until the next collection"), "{one}");
}
