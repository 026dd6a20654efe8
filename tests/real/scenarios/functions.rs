//! Function breakpoints in every kind of method, by every spelling.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    function_breakpoints_stop_in_every_kind_of_method;
    function_breakpoints_of_one_line_stop_in_their_own_method_alone;
    function_breakpoints_stop_before_the_arms_of_a_body_that_is_a_switch;
    overloads_on_one_line_are_counted_once_for_each_call;
    constructor_on_the_line_of_a_field_stops_before_its_initializer;
    constructor_on_the_line_of_another_method_is_stopped_in_alone, "builtin";
    records_are_stopped_in_where_they_are_constructed_or_said_not_to_be;
    lambda_that_ends_with_its_statement_is_stopped_in_or_said_where;
    text_of_a_later_statement_of_the_line_says_where_it_stops;
    text_of_another_method_of_the_line_names_the_one_that_it_stops_in;
    text_inside_a_lambda_of_the_line_stops_in_the_lambda;
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

fn constructor_on_the_line_of_another_method_is_stopped_in_alone(bench: &Bench) {
    for (name, markers) in [
        ("Lined..ctor", vec!["two", "none"]),
        ("Lined..ctor(int)", vec!["two"]),
        ("Lined..ctor()", vec!["none"]),
        ("Lined.Before", vec!["two"]),
    ] {
        let mut client = bench.client();
        let breakpoints = json!([{"function": name}]);
        let launch = bench.launch("Steps", &["lines"], json!({"breakpoints": breakpoints}));
        let found: Vec<_> = stops(&mut client, launch).into_iter().map(|(marker, _)| marker).collect();
        assert_eq!(found, markers, "{name}");
    }
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
        "Point..ctor(int, int)",
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
        ("point", 24),
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

/// Its line alone binds the first arm, which does not run (netcoredbg, dncdbg).
fn function_breakpoints_stop_before_the_arms_of_a_body_that_is_a_switch(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"function": "Arms.Area"}, {"function": "Arms.AreaAsync"}, {"function": "Sum.Inner"}]);
    let seen = stops(&mut client, bench.launch("Functions", &[], json!({"breakpoints": breakpoints})));
    let expected = [("area-inner", 3), ("area", 1), ("area-async", 2)];
    assert_eq!(seen, expected.map(|(marker, id)| (marker.to_owned(), vec![id])));
}

fn overloads_on_one_line_are_counted_once_for_each_call(bench: &Bench) {
    let mut client = bench.client();
    let names = ["Overloads.Over", "Overloads.Over(int)", "Overloads.Over(string)"];
    let breakpoints: Vec<Value> = names.iter().map(|name| json!({"function": name})).collect();
    let seen = stops(&mut client, bench.launch("Functions", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(seen, [("over", vec![1, 2]), ("over", vec![1, 3])].map(|(marker, ids)| (marker.to_owned(), ids)));
}

fn constructor_on_the_line_of_a_field_stops_before_its_initializer(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"function": "Brief..ctor"}, {"function": "Twofold..ctor(string)"}]);
    let seen = stops(&mut client, bench.launch("Functions", &[], json!({"breakpoints": breakpoints})));
    let expected = [("brief", 1), ("twofold", 2), ("twofold", 2)].map(|(marker, id)| (marker.to_owned(), vec![id]));
    assert_eq!(seen, expected);
    let listed = client.ok("breakpoint_list", json!({}));
    let words = "other constructors begin with the same field initializer: the breakpoint is hit in them too";
    assert_has(&listed["breakpoints"][1], json!({"message": words}));
    assert_eq!(listed["breakpoints"][0]["message"], Value::Null, "{listed}");
}

/// Of the line of a record netcoredbg binds the copy constructor.
fn records_are_stopped_in_where_they_are_constructed_or_said_not_to_be(bench: &Bench) {
    let mut client = bench.client();
    let at = |marker: &str| json!({"file": "Library.cs", "line": bench.line_in("Functions", "Library.cs", marker)});
    let named = ["Point..ctor(int, int)", "Size..ctor(int)", "Only..ctor(T)"].map(|name| json!({"function": name}));
    let breakpoints: Vec<Value> = ["point", "size", "only"].map(at).into_iter().chain(named).collect();
    let launch = bench.launch("Functions", &[], json!({"breakpoints": breakpoints}));
    let mut report = client.ok("debug_launch", launch);
    let listed = report["breakpoints"].clone();
    let mut stops = Vec::new();
    while report["outcome"] == "stopped" {
        let marker = report["location"]["source"].as_str().unwrap().split("BP:").nth(1).unwrap().to_owned();
        stops.push((marker, report["breakpoint_ids"].clone()));
        report = client.ok("debug_continue", json!({}));
    }
    let stop = |marker: &str, ids: Value| (marker.to_owned(), ids);
    // constructed, and copied by `with`
    let points = [stop("point", json!([1, 4])), stop("point", json!([1]))];
    let words = |at: usize| listed[at]["message"].as_str().unwrap_or_default();
    if bench.adapter() == "netcoredbg" {
        assert_eq!(stops, [points.as_slice(), &[stop("size-twice", json!([5]))]].concat());
        let initializer = bench.line_in("Functions", "Library.cs", "size-twice");
        assert!(
            words(1).ends_with(&format!("not in the constructor that you wrote: break at line {initializer}")),
            "{listed}"
        );
        assert!(words(2).ends_with("break where that one is called"), "{listed}");
        assert_has(&listed[5], json!({"verified": false, "why": "no_code"}));
        return;
    }
    let rest = [stop("size-twice", json!([5])), stop("size", json!([2])), stop("only", json!([3, 6]))];
    assert_eq!(stops, [points.as_slice(), &rest].concat());
    assert!((0..6).all(|at| words(at).is_empty()), "{listed}");
}

/// netcoredbg takes all lines of such a lambda for the statement around it.
fn lambda_that_ends_with_its_statement_is_stopped_in_or_said_where(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker: &str| bench.line_in("Functions", "Arms.cs", marker);
    let asked = json!([{"file": "Functions/Arms.cs", "line": line("lambda-two")}]);
    let report = client.ok("debug_launch", bench.launch("Functions", &[], json!({"breakpoints": asked})));
    let listed = &report["breakpoints"][0];
    if listed["line"] == line("lambda-two") {
        return assert_has(&report["location"], json!({"line": line("lambda-two")}));
    }
    let begin = line("lambda-begin");
    assert!(listed["message"].as_str().unwrap().contains(&format!("break at line {begin}")), "{listed}");
    client.ok("breakpoint_remove", json!({"all": true}));
    client.ok("breakpoint_set", json!({"file": "Functions/Arms.cs", "line": begin}));
    assert_has(&client.ok("debug_continue", json!({}))["location"], json!({"line": begin}));
}

fn function_breakpoint_that_cannot_bind_says_the_same_in_list_and_explanation(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Functions", &[], json!({"stop_at_entry": true})));
    for (name, why, words) in [
        ("Order.Ad", "no_code", "did you mean Order.Add,"),
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

fn text_of_a_later_statement_of_the_line_says_where_it_stops(bench: &Bench) {
    let mut client = bench.client();
    let at = |text: &str| json!({"file": "Basics/Program.cs", "text": text});
    let breakpoints = json!([at("i++)"), at("int exitCode")]);
    let stop = client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": breakpoints})));
    let words = stop["breakpoints"][0]["message"].as_str().unwrap_or_default();
    assert!(words.contains("stops at the first statement of the line"), "{stop}");
    assert_eq!(stop["breakpoints"][1]["message"], Value::Null, "{stop}");
}

fn text_of_another_method_of_the_line_names_the_one_that_it_stops_in(bench: &Bench) {
    let mut client = bench.client();
    let at = |text: &str| json!({"file": "Functions/Library.cs", "text": text});
    let breakpoints = json!([at("Twice(2, "), at("static int First()")]);
    let stop = client.ok("debug_launch", bench.launch("Functions", &[], json!({"breakpoints": breakpoints})));
    let words = "stops at the first statement of the line, in Pair.First; the text is in Pair.Second: set a breakpoint on that function, or put it on a line of its own";
    assert_eq!(stop["breakpoints"][0]["message"], words, "{stop}");
    assert_eq!(stop["breakpoints"][1]["message"], Value::Null, "{stop}");
}

fn text_inside_a_lambda_of_the_line_stops_in_the_lambda(bench: &Bench) {
    let mut client = bench.client();
    let at = |text: &str| json!({"file": "AsyncFlow/Program.cs", "text": text});
    let breakpoints = json!([at("n * factor).Sum()"), at("int scaled")]);
    let mut stop = client.ok("debug_launch", bench.launch("AsyncFlow", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["breakpoints"][0]["message"], "stops in the lambda that the text is part of");
    assert_eq!(stop["breakpoints"][1]["message"], Value::Null);
    let mut seen = Vec::new();
    while stop["outcome"] == "stopped" {
        let in_lambda = stop["locals"].as_array().unwrap().iter().any(|local| local["name"] == "n");
        seen.push((stop["breakpoint_ids"].clone(), in_lambda));
        stop = client.ok("debug_continue", json!({}));
    }
    assert_eq!(stop["outcome"], "exited");
    assert_eq!(seen, [(json!([2]), false), (json!([1]), true), (json!([1]), true), (json!([1]), true)]);
}
