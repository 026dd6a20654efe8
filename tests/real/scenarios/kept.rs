//! What exceptions, thread locals, sorted collections and the heap keep, read where nothing may change.

use serde_json::json;

use super::scenarios;
use crate::bench::Bench;
use crate::client::Client;

scenarios! {
    what_a_thread_local_has_made_is_read, "builtin";
    sorted_and_frozen_collections_are_asked, "builtin";
    what_an_exception_was_given_is_listed_and_read, "builtin";
    for_each_may_change_a_variable_of_the_expression, "builtin";
    a_heap_search_knows_types_and_the_order_of_texts, "builtin";
    a_property_that_hides_another_has_a_slot_of_its_own, "builtin";
}

fn at_stop(bench: &Bench) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Kept", "stopped")}]);
    let stop = client.ok("debug_launch", bench.launch("Kept", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    client
}

fn what_a_thread_local_has_made_is_read(bench: &Bench) {
    let mut client = at_stop(bench);
    client.gives(&[("store._seen.Value", "7"), ("store._seen.Value + 1", "8")]);
    // it would make one
    client.error("side_effects", "evaluate", json!({"expression": "fresh._seen.Value"}));
}

fn sorted_and_frozen_collections_are_asked(bench: &Bench) {
    let mut client = at_stop(bench);
    client.gives(&[
        ("store._ranks[\"a\"]", "1"),
        ("store._ranks.ContainsKey(\"b\")", "false"),
        ("store._numbers.Contains(2)", "true"),
    ]);
}

fn what_an_exception_was_given_is_listed_and_read(bench: &Bench) {
    let mut client = at_stop(bench);
    client.gives(&[
        ("failed.Data[\"order\"]", "42"),
        ("failed.Data[\"none\"]", "null"),
        ("failed.Data.Contains(\"order\")", "true"),
        ("failed.Data.Count", "2"),
    ]);
    let opened = client.ok("variables_get", json!({"path": "failed"}));
    let listed = opened["variables"].as_array().unwrap();
    let data = listed.iter().find(|member| member["name"] == "Data").unwrap_or_else(|| panic!("{opened}"));
    assert!(data["value"].as_str().unwrap().starts_with("[[\"order\"]=42, "), "{opened}");
    let opened = client.ok("variables_get", json!({"path": "failed.Data"}));
    let entries = opened["variables"].as_array().unwrap();
    assert!(entries.iter().any(|entry| entry["name"] == "[\"order\"]" && entry["value"] == "42"), "{opened}");
    // what was given nothing has none
    let plain = client.ok("variables_get", json!({"path": "plain"}));
    assert!(!plain.to_string().contains("\"Data\""), "{plain}");
}

fn for_each_may_change_a_variable_of_the_expression(bench: &Bench) {
    let mut client = at_stop(bench);
    let all = |body: &str| format!("new Func<int>(() => {{ int sum = 0; {body} return sum; }})()");
    client.gives(&[
        (&all("root.Kids.ForEach(it => sum += it.Kids.Count);"), "1"),
        (&all("int by = 2; Array.ForEach(new[] { 1, 2 }, it => { sum += it * by; });"), "6"),
    ]);
    for body in [
        "var late = root.Kids.Select(it => sum += 1); late.ToList();",
        "Func<int> now = () => sum; root.Kids.ForEach(it => sum += 1); sum = now();",
    ] {
        client.error("evaluation_failed", "evaluate", json!({"expression": all(body)}));
    }
    client.error("side_effects", "evaluate", json!({"expression": "root.Kids.ForEach(it => it.Name = \"x\")"}));
}

fn a_heap_search_knows_types_and_the_order_of_texts(bench: &Bench) {
    let mut client = at_stop(bench);
    for (condition, count) in [
        ("it.GetType().Name == \"Node\" && it.Name == \"leaf\"", 1),
        ("it.GetType() == typeof(Kept.Node) && it.Name == \"leaf\"", 1),
        ("it.GetType().FullName != \"Kept.Node\"", 0),
        ("string.CompareOrdinal(it.Name, \"key\") > 0", 3),
        ("string.Compare(it.Name, \"key\", StringComparison.Ordinal) == 0", 1),
    ] {
        let found = client.ok("heap_find", json!({"type": "Kept.Node", "where": condition}));
        assert_eq!(found["matched"], count, "{condition}: {found}");
    }
}

fn a_property_that_hides_another_has_a_slot_of_its_own(bench: &Bench) {
    let mut client = at_stop(bench);
    let expressions = [
        "Slots.s_third.Is",
        "((Second)Slots.s_third).Is",
        "((Third)Slots.s_third).Is",
        "Slots.s_overriding.Called",
        "((Explicit)Slots.s_overriding).Called",
        "Slots.s_again.Called",
        "((Explicit)Slots.s_again).Called",
        "((Again)Slots.s_again).Called",
        "Slots.s_hiding.Called",
        "((Hiding)Slots.s_hiding).Called",
    ];
    let same = expressions.iter().enumerate().map(|(at, expression)| format!("{expression} == truth[{at}]"));
    let same: Vec<String> = same.collect();
    client.gives(&same.iter().map(|same| (same.as_str(), "true")).collect::<Vec<_>>());
    client.gives(&[("truth.Length", &expressions.len().to_string())]);
}
