//! Values that adapters read slowly, badly or not at all.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    pages_of_a_tree_advance_or_name_no_next;
    collections_of_a_hundred_thousand_are_searched_within_their_time;
    a_query_over_a_hundred_thousand_ends_with_its_time_or_has_met_all;
    queries_over_a_hundred_thousand_have_a_value_or_a_time;
    operators_compute_as_csharp_does;
    strings_cut_at_a_nul_are_whole_or_refused;
    conditions_that_adapters_compute_wrongly_are_judged_here;
    references_have_their_run_time_type;
    nullables_hidden_properties_and_bounds_are_read_as_they_are;
    properties_are_read_from_fields_where_nothing_runs;
    what_is_read_can_be_set;
    a_ref_variable_before_its_assignment_is_no_null, "builtin";
    elements_of_a_span_are_read_or_reported_as_unread;
}

fn stopped(bench: &Bench, program: &str, marker: &str, args: &[&str]) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line(program, marker)}]);
    let stop = client.ok("debug_launch", bench.launch(program, args, json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped");
    client
}

fn at_odd(bench: &Bench) -> Client {
    stopped(bench, "Odd", "odd", &[])
}

/// What computes here reads elements one by one, and must neither go on when nobody waits nor give what it has read for all.
fn a_query_over_a_hundred_thousand_ends_with_its_time_or_has_met_all(bench: &Bench) {
    let mut client = stopped(bench, "Bulk", "bulk", &[]);
    let query = "dict.Keys.Count(key => key.Length == 8)";
    let all = client.ok("threads_list", json!({"expressions": [query]}));
    let listed = all["threads"].as_array().unwrap().iter().flat_map(|thread| thread["values"].as_array()).flatten();
    let values: Vec<&Value> = listed.collect();
    assert!(!values.is_empty(), "{all}");
    for value in values {
        let is_all = value["value"] == "90000";
        assert!(is_all || value["error"].as_str().is_some_and(|words| words.contains("took too long")), "{all}");
    }
    let began = Instant::now();
    let answer = client.call("evaluate", json!({"expression": query, "timeout_ms": 1000})).value;
    match answer["code"].as_str() {
        None => assert_eq!(answer["value"], "90000", "{answer}"),
        Some(code) => {
            assert_eq!(code, "evaluation_timeout", "{answer}");
            assert!(answer["message"].as_str().unwrap().contains("took too long and was stopped"), "{answer}");
        }
    }
    assert_eq!(client.ok("evaluate", json!({"expression": "dict.Count"}))["value"], "100000");
    assert!(began.elapsed() < Duration::from_secs(6), "the next call waited: {:?}", began.elapsed());
}

fn collections_of_a_hundred_thousand_are_searched_within_their_time(bench: &Bench) {
    let mut client = stopped(bench, "Bulk", "bulk", &[]);
    let mut timed = |arguments: Value| {
        let began = Instant::now();
        let answer = client.ok("variables_get", arguments.clone());
        // a busy machine may take longer for the last requests that are on their way
        let limit = Duration::from_millis(arguments["timeout_ms"].as_u64().unwrap_or(2_000) + 4_000);
        assert!(began.elapsed() < limit, "{arguments} took {:?}", began.elapsed());
        answer
    };
    let cut = timed(json!({"path": "dict", "filter": "key99999", "count": 1000}));
    assert_eq!(cut["count"], 100_000, "{cut}");
    if cut["searched"] == 0 {
        // on a busy machine two seconds may not suffice for the first
        assert!(
            cut["note"]
                .as_str()
                .unwrap()
                .starts_with("timed out after 2 s: no elements were read because this adapter is slow"),
            "{cut}"
        );
    } else if cut["searched"] != 100_000 {
        assert_eq!(cut["searched"], cut["next_start"], "{cut}");
        assert!(cut["note"].as_str().unwrap().starts_with("timed out after 2 s: continue with start"), "{cut}");
    }
    let last = timed(json!({"path": "dict", "filter": "key99999", "start": 99_990}));
    assert_has(
        &last,
        json!({"searched": 10, "next_start": null, "note": null, "variables": [{"name": "[\"key99999\"]"}]}),
    );
    assert_eq!(last["variables"][0]["value"], "{Id=99999, Name=\"name99999\", Price=49999.5m}");
    // far into the list: no listing leads there in time where an adapter has no pages
    let far = timed(json!({"path": "list", "start": 90_000, "count": 2}));
    assert_has(&far, json!({"next_start": 90_002, "variables": [{"name": "[90000]"}, {"name": "[90001]"}]}));
    let page = timed(json!({"path": "list", "count": 400}));
    let read = page["variables"].as_array().unwrap().len() as u64;
    assert!(read > 0 && page["next_start"] == read, "{read} of {}", page["next_start"]);
    let all = timed(json!({"path": "texts", "filter": "name7$", "timeout_ms": 10_000}));
    assert_has(&all, json!({"variables": [{"name": "[7]", "value": "\"name7\""}]}));
    // 9000 members: those that the time was over for are not asked for one after the other
    let tree = timed(json!({"path": "tree", "depth": 5}));
    let note = tree["note"].as_str().unwrap_or_default();
    assert!(note.starts_with("timed out after 2 s: {…} was not read; raise timeout_ms"), "{note}");
    // of members that do not match nothing is read, however deep
    let found = timed(json!({"path": "tree", "depth": 6, "filter": "^(Name|Length|Numbers)$"}));
    assert_has(
        &found,
        json!({"note": null, "variables": [{"value": "\"branch5\""}, {"value": "[1, 2, 3]"}, {"value": "12"}]}),
    );
}

fn queries_over_a_hundred_thousand_have_a_value_or_a_time(bench: &Bench) {
    let mut client = stopped(bench, "Bulk", "bulk", &[]);
    // only the program knows what a culture says of a hyphen: a call for each
    let endless = json!({"expression": "list.Count(it => it.Name.StartsWith(\"name-9\"))", "timeout_ms": 500});
    client.error("evaluation_timeout", "evaluate", endless);
    let sorted = client.ok("variables_get", json!({"path": "sorted", "timeout_ms": 60_000}));
    assert_has(&sorted, json!({"count": 100}));
    if bench.adapter() != "builtin" {
        return;
    }
    // the culture is asked for once: the invariant one compares these texts by their units
    let prefix =
        json!({"expression": "texts.Take(10_000).Count(it => it.StartsWith(\"name9\"))", "timeout_ms": 20_000});
    assert_eq!(client.ok("evaluate", prefix)["value"], "1111");
    for (expression, value) in [
        ("list.First(it => it.Id == 77777).Name", "\"name77777\""),
        ("list.Count(it => it.Name.Contains(\"99\"))", "3691"),
        ("list.Sum(it => it.Price)", "2499975000.0m"),
        ("list.Last().Id", "99999"),
        ("dict.Keys.First(it => it.EndsWith('9'))", "\"key9\""),
        ("dict.Values.Max(it => it.Price)", "49999.5m"),
        ("dict.Count(it => it.Value.Id % 2 == 0)", "50000"),
        ("dict._entries.Take(3).Select(it => it.key).Last()", "\"key2\""),
        ("numbers.Where(it => it > 99990).Sum()", "899955"),
        ("sorted.Last().Key + sorted.Keys.First()", "99"),
    ] {
        let arguments = json!({"expression": expression, "timeout_ms": 60_000});
        assert_eq!(client.ok("evaluate", arguments)["value"], value, "{expression}");
    }
}

fn operators_compute_as_csharp_does(bench: &Bench) {
    let mut client = at_odd(bench);
    // what a program compiled by Roslyn prints for them
    let table = include_str!("operators.txt").lines().map(|line| line.split_once(" => ").unwrap());
    let table: Vec<(&str, &str)> = table.collect();
    for rows in table.chunks(40) {
        let expressions: Vec<&str> = rows.iter().map(|(expression, _)| *expression).collect();
        let answer = client.ok("evaluate", json!({"expressions": expressions, "timeout_ms": 60_000}));
        for ((expression, expected), result) in rows.iter().zip(answer["results"].as_array().unwrap()) {
            assert_eq!(result["value"], *expected, "{expression}: {result}");
        }
    }
    client.error("evaluation_failed", "evaluate", json!({"expression": "ul + i"}));
    client.error("evaluation_failed", "evaluate", json!({"expression": "m + d"}));
    for expression in ["i / zero", "m / zero", "m % 0m", "79228162514264337593543950335m + m"] {
        client.error("evaluation_threw", "evaluate", json!({"expression": expression}));
    }
}

fn conditions_that_adapters_compute_wrongly_are_judged_here(bench: &Bench) {
    let line = bench.line("Odd", "odd");
    for (condition, holds) in [
        // of `uint u = 7`; adapters compute with a negative long
        ("u - 8 > 0", true),
        // what adapters see of "a\0b\0"
        ("cut == \"a\"", false),
        ("cut == cut && whole == \"whole\"", true),
        ("i - 8 > 0", false),
    ] {
        let mut client = bench.client();
        let breakpoints = json!([{"file": "Program.cs", "line": line, "condition": condition}]);
        let report = client.ok("debug_launch", bench.launch("Odd", &[], json!({"breakpoints": breakpoints})));
        assert_eq!(report["outcome"], if holds { "stopped" } else { "exited" }, "{condition}: {report}");
    }
}

fn strings_cut_at_a_nul_are_whole_or_refused(bench: &Bench) {
    let mut client = at_odd(bench);
    for (expression, value) in [
        ("cut", "\"a\\0b\\0\""),
        ("cut.Length", "4"),
        ("cut == \"a\"", "false"),
        ("cut == \"a\\0b\\0\"", "true"),
        ("begins", "\"\\0x\""),
        ("\"<\" + begins", "\"<\\0x\""),
        ("whole", "\"whole\""),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    let frame = client.ok("variables_get", json!({"filter": "^cut$"}));
    assert_has(&frame, json!({"variables": [{"name": "cut", "value": "\"a\\0b\\0\""}]}));
}

fn references_have_their_run_time_type(bench: &Bench) {
    let mut client = stopped(bench, "Odd", "refs", &[]);
    let frame = client.ok("variables_get", json!({}));
    let found =
        |name: &str| frame["variables"].as_array().unwrap().iter().find(|it| it["name"] == name).unwrap().clone();
    assert_has(&found("boxed"), json!({"type": "List<int>", "count": 3, "value": "[1, 2, 3]"}));
    assert_has(&found("list"), json!({"type": "Dictionary<string, int>", "count": 1, "value": "[[\"a\"]=1]"}));
    assert_has(&found("text"), json!({"value": "\"t!\""}));
    assert_has(&client.ok("variables_get", json!({"path": "boxed"})), json!({"elements": ["1", "2", "3"]}));
}

fn nullables_hidden_properties_and_bounds_are_read_as_they_are(bench: &Bench) {
    let mut client = at_odd(bench);
    for (expression, type_name, value) in [
        ("some", json!("DateTime?"), "2024-02-29T00:00:00"),
        ("some.Value", json!("DateTime"), "2024-02-29T00:00:00"),
        ("some.HasValue", json!(null), "true"),
        ("nothing.HasValue", json!(null), "false"),
        ("reading.Value.Raw", json!(null), "5"),
        ("five.Value", json!(null), "5"),
        ("done.Result", json!(null), "42"),
        ("holder.Read(3).Result", json!(null), "3"),
        ("gone?.Title", json!("string"), "null"),
        ("holder.Nothing?.Depth", json!("int?"), "null"),
        ("mode == Odd.Mode.On", json!(null), "true"),
    ] {
        if bench.adapter() != "dncdbg" || !expression.contains("Odd.Mode") {
            // Result waits where a task has not ended
            let asked = json!({"expression": expression, "allow_side_effects": expression.ends_with("Result")});
            assert_has(&client.ok("evaluate", asked), json!({"type": type_name, "value": value}));
        }
    }
    for (expression, words) in [
        ("empty[0]", "index 0 is out of range; `empty` has 0 elements"),
        ("three[9]", "index 9 is out of range; `three` has 3 elements"),
        ("three[i]", "index 7 is out of range; `three` has 3 elements"),
        ("nothing.Value", "Nullable object must have a value."),
    ] {
        let error = client.call("evaluate", json!({"expression": expression})).value;
        assert_eq!(error["code"], "evaluation_threw", "{error}");
        assert!(error["message"].as_str().unwrap().ends_with(words), "{error}");
    }
    // adapters would call the getter of null
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "idle.IsCompletedSuccessfully"}));
    assert_eq!(error["message"], "`idle` is null, so it has no `IsCompletedSuccessfully`");
}

fn properties_are_read_from_fields_where_nothing_runs(bench: &Bench) {
    let mut client = stopped(bench, "Odd", "sleep", &["sleep"]);
    assert_eq!(client.ok("debug_continue", json!({"timeout_ms": 1_500}))["outcome"], "still_running");
    assert_eq!(client.ok("debug_pause", json!({}))["outcome"], "stopped");
    let holder = client.ok("variables_get", json!({"path": "holder"}));
    let named = |name: &str| holder["variables"].as_array().unwrap().iter().find(|it| it["name"] == name).cloned();
    assert_eq!(named("Inner").unwrap()["type"], "Inner", "{holder}");
    if !bench.is_netcoredbg() {
        assert_eq!(named("Title").unwrap()["value"], "\"title\"", "{holder}");
        return;
    }
    let note = holder["note"].as_str().unwrap();
    assert!(note.starts_with("not read: Mode, Title, Nothing") && note.contains("native code"), "{holder}");
    assert!(named("Title").is_none(), "{holder}");
    for expression in ["holder.Title", "whole.Length", "whole == \"whole\""] {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        assert!(error["message"].as_str().unwrap().contains("at this stop"), "{error}");
    }
    assert_eq!(client.ok("evaluate", json!({"expression": "i + 1"}))["value"], "8");
}

fn what_is_read_can_be_set(bench: &Bench) {
    let mut client = at_odd(bench);
    for (path, value, expected) in [
        ("holder.Inner.Depth", "7", "7"),
        ("holder._inner.Depth", "8", "8"),
        ("holder[1].Depth", "9", "9"),
        ("holder._all[0].Depth", "10", "10"),
        ("holder.Title", "\"new\"", "\"new\""),
        ("done.m_result", "43", "43"),
    ] {
        let set = client.ok("variable_set", json!({"path": path, "value": value}));
        assert_has(&set, json!({"path": path, "value": expected}));
    }
    if bench.is_netcoredbg() {
        // dncdbg finds no enum types
        client.error("not_assignable", "variable_set", json!({"path": "holder.Mode", "value": "Mode.On"}));
        assert_eq!(client.ok("evaluate", json!({"expression": "holder.Mode"}))["value"], "Off");
        for path in ["mode", "holder._inner.Mode"] {
            let set = client.ok("variable_set", json!({"path": path, "value": "Mode.Off"}));
            assert_has(&set, json!({"path": path, "value": "Off"}));
        }
    }
}

/// A path to a node runs every getter along it anew where the adapter runs them: one page took longer than any call may.
fn pages_of_a_tree_advance_or_name_no_next(bench: &Bench) {
    let mut client = stopped(bench, "Bulk", "bulk", &[]);
    let (mut start, mut calls) = (0, 0);
    let last = loop {
        let page = json!({"path": "sorted", "start": start, "count": 100, "timeout_ms": 500});
        let page = client.ok("variables_get", page);
        calls += 1;
        assert!(calls < 200, "{page}");
        let note = page["note"].as_str().unwrap_or_default().to_owned();
        match page["next_start"].as_u64() {
            Some(next) => {
                assert!(next > start, "{page}");
                start = next;
            }
            // what was walked is known to the next call
            None if note.contains("no element was read") => {}
            None => break page,
        }
    };
    let elements = last["variables"].as_array().unwrap();
    assert_eq!(elements.last().unwrap()["name"], "[99]", "{last}");
    // one that sets a value makes what was walked wrong
    client.ok("evaluate", json!({"expression": "sorted.Remove(99)", "allow_side_effects": true}));
    let fewer = client.ok("variables_get", json!({"path": "sorted", "start": 97, "timeout_ms": 60_000}));
    assert_has(&fewer, json!({"count": 99, "next_start": null, "variables": [{"name": "[97]"}, {"name": "[98]"}]}));
}

fn at_refs(bench: &Bench) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "text": "ref int second = ref arr[1];"}]);
    let stop = client.ok("debug_launch", bench.launch("Expressions", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    client
}

fn a_ref_variable_before_its_assignment_is_no_null(bench: &Bench) {
    let mut client = at_refs(bench);
    let words = "not assigned yet: this `ref` variable refers to nothing";
    let page = client.ok("variables_get", json!({"filter": "^second$"}));
    let second = &page["variables"][0];
    assert_eq!((&second["name"], &second["value"]), (&json!("second"), &json!(null)), "{page}");
    assert!(second["error"].as_str().is_some_and(|error| error.contains(words)), "{page}");
    for expression in ["second", "second + 1"] {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        assert!(error["message"].as_str().unwrap().contains(words), "{error}");
    }
    client.ok("debug_step", json!({"mode": "over"}));
    assert_eq!(client.ok("evaluate", json!({"expression": "second + 1"}))["value"], "21");
}

fn elements_of_a_span_are_read_or_reported_as_unread(bench: &Bench) {
    let mut client = at_refs(bench);
    let note =
        "only the first element of a span can be read without running code; evaluate `spanned.ToArray()` for all";
    if bench.adapter() == "builtin" {
        let all = json!({"count": 3, "elements": ["10", "20", "30"]});
        assert_has(&client.ok("object_inspect", json!({"path": "spanned"})), all.clone());
        assert_has(&client.ok("variables_get", json!({"path": "spanned"})), all);
        let rest = client.ok("variables_get", json!({"path": "spanned", "start": 1}));
        assert_has(&rest, json!({"count": 3, "elements": ["20", "30"]}));
        return;
    }
    let first = json!({"count": 3, "elements": ["10"], "note": note, "next_start": null});
    assert_has(&client.ok("object_inspect", json!({"path": "spanned"})), first.clone());
    assert_has(&client.ok("variables_get", json!({"path": "spanned"})), first);
    let rest = client.ok("variables_get", json!({"path": "spanned", "start": 1}));
    assert_has(&rest, json!({"count": 3, "note": note, "next_start": null}));
}
