//! Function breakpoints in every kind of method, by every spelling.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    function_breakpoints_stop_in_every_kind_of_method;
    function_breakpoints_of_one_line_stop_in_their_own_method_alone;
    function_breakpoint_that_cannot_bind_says_the_same_in_list_and_explanation;
}

/// The markers at the stops, with the breakpoints that were hit, until the program ends.
fn stops(client: &mut Client, launch: Value) -> Vec<(String, Vec<u64>)> {
    let mut report = client.ok("debug_launch", launch);
    let mut stops = Vec::new();
    while report["outcome"] == "stopped" {
        let source = report["location"]["source"].as_str().unwrap();
        let marker = source.split("BP:").nth(1).unwrap_or(source).to_owned();
        let ids = report["breakpoint_ids"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
        assert_eq!(report["reason"], "function_breakpoint", "{report}");
        stops.push((marker, ids));
        report = client.ok("debug_continue", json!({}));
    }
    assert_has(&report, json!({"outcome": "exited", "exit_code": 0}));
    stops
}

fn function_breakpoints_stop_in_every_kind_of_method(bench: &Bench) {
    let mut client = bench.client();
    let names = [
        "Cache.GetOrAdd",
        "Functions.Cache`2.Convert``1",
        "Cache<,>.Statistics<TNumber>.Record(TNumber)",
        "new Order(string)",
        "Functions.Order.Order(string, int)",
        "Functions.Order.Add",
        "Order.Changed",
        "set_Total",
        "global::Functions.Order.get_Total",
        "Order.this[int]",
        "Doubled",
        "Order.operator +",
        "Order.IEnumerable.GetEnumerator",
        "Dispose",
        "Outer+Inner.Run",
        "Streams.Count",
        "Streams.LoadAsync",
        "Main.Outside",
        "Within(int)",
        "Functions.dll!Words.Shout(string)",
        "Point.Length",
        "Shapes..cctor",
        "Main.OnChanged",
    ];
    let breakpoints: Vec<Value> = names.iter().map(|name| json!({"function": name})).collect();
    let seen = stops(&mut client, bench.launch("Functions", &[], json!({"breakpoints": breakpoints})));
    let expected = [
        ("get-or-add", 1),
        ("convert", 2),
        ("record", 3),
        ("order-one", 4),
        ("order-this", 5),
        ("order-one", 4),
        ("add-int", 6),
        ("add-int-string", 6),
        ("add-many", 6),
        ("changed-add", 7),
        ("changed-remove", 7),
        ("total-set", 8),
        ("total-get", 9),
        ("item-get", 10),
        ("doubled", 11),
        ("plus", 12),
        ("order-one", 4),
        ("total-get", 9),
        ("enumerator", 13),
        ("order-dispose", 14),
        ("inner-run", 15),
        ("count-iterator", 16),
        ("load-async", 17),
        ("outside", 18),
        ("within", 19),
        ("shout", 20),
        ("length", 21),
        ("shapes-static", 22),
        ("handle-dispose", 14),
    ];
    assert_eq!(seen, expected.map(|(marker, id)| (marker.to_owned(), vec![id])));
    let list = client.ok("breakpoint_list", json!({}));
    assert_has(&list["breakpoints"][5], json!({"function": "Functions.Order.Add", "method_count": 3, "hits": 3}));
    assert_has(&list["breakpoints"][13], json!({"function": "Dispose", "method_count": 2, "hits": 2}));
}

fn function_breakpoints_of_one_line_stop_in_their_own_method_alone(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"function": "Order.set_Count"}, {"function": "Pair.Second"}]);
    let seen = stops(&mut client, bench.launch("Functions", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(seen, [("count", 1), ("count", 1), ("pair", 2)].map(|(marker, id)| (marker.to_owned(), vec![id])));
    client.ok("breakpoint_remove", json!({"all": true}));
    // the first method of the line is called as often as that, and its lambda too
    let breakpoints = json!([{"function": "Pair.First"}, {"function": "Pair.Twice"}]);
    let seen = stops(&mut client, bench.launch("Functions", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(seen.len(), 2, "{seen:?}");
}

fn function_breakpoint_that_cannot_bind_says_the_same_in_list_and_explanation(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Functions", &[], json!({"stop_at_entry": true})));
    for (name, why, words) in [
        ("Order.Ad", "no_code", "similar: Order.Add"),
        ("File.ReadAllText", "no_symbols", "System.Private.CoreLib.dll"),
        ("Order.Name", "", ""),
    ] {
        let id = client.ok("breakpoint_set", json!({"function": name}))["id"].clone();
        let explained = client.ok("breakpoint_explain", json!({"id": id}));
        let list = client.ok("breakpoint_list", json!({}));
        let listed = list["breakpoints"].as_array().unwrap().iter().find(|one| one["id"] == id).unwrap();
        if why.is_empty() {
            assert_has(listed, json!({"verified": true}));
            continue;
        }
        assert_has(listed, json!({"verified": false, "why": why}));
        assert_has(&explained, json!({"verdict": why}));
        assert!(explained["message"].as_str().unwrap().contains(words), "{explained}");
    }
}
