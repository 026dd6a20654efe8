//! What was thrown and caught without a stop, counted.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    what_is_thrown_and_caught_is_counted_without_a_stop;
    what_was_thrown_is_reported_of_a_program_that_has_ended;
    what_leaves_an_async_method_is_caught_by_no_source;
    frames_of_an_unhandled_exception_are_of_its_thread;
    stack_traces_are_read_as_the_program_writes_them, "builtin";
    a_stack_trace_is_read_while_another_thread_stands_in_a_throw, "builtin";
    an_exception_has_one_event_before_its_stops;
    a_throw_is_counted_at_its_own_statement, "builtin";
}

/// By type: the entries of the overview.
fn thrown<'a>(overview: &'a Value, type_name: &str) -> Vec<&'a Value> {
    let all = overview["thrown"].as_array().into_iter().flatten();
    all.filter(|it| it["type"] == type_name).collect()
}

fn what_is_thrown_and_caught_is_counted_without_a_stop(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| bench.line("Thrown", marker);
    let at = |marker| format!("Program.cs:{}", line(marker));
    let breakpoints = json!([{"file": "Program.cs", "line": line("counted")}]);
    let stop = client.ok("debug_launch", bench.launch("Thrown", &["30"], json!({"breakpoints": breakpoints})));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint"}));
    let overview = client.ok("debug_query_events", json!({"stream": "exceptions"}));
    if bench.adapter() != "builtin" {
        assert!(overview["note"].as_str().unwrap().contains("backend: builtin"), "{overview}");
        assert_eq!(overview["thrown"], json!(null), "{overview}");
        return;
    }
    // 30 refused, 15 not parsed, 2 of the filter, 30 timed out
    assert_has(&overview, json!({"thrown_count": 77, "note": null, "events": null}));
    let shop = thrown(&overview, "Thrown.ShopException");
    assert_eq!(shop.len(), 2, "{overview}");
    let messages = json!([{"text": "refused 0", "times": 10}, {"text": "refused 1", "times": 10}, {"text": "refused 2", "times": 10}]);
    assert_has(
        shop[0],
        json!({
            "count": 30, "messages": messages, "function": "Program.Refuse", "at": at("refuse"),
            "caught_in": "Program.Main", "thrown_in": null, "unhandled": null,
        }),
    );
    assert!(shop[0]["caught_at"].as_str().unwrap().starts_with("Program.cs:"), "{overview}");
    assert_has(
        shop[1],
        json!({"count": 1, "messages": [{"text": "outer", "times": null}], "function": "Program.Main"}),
    );
    let parse = thrown(&overview, "System.FormatException");
    assert_has(
        parse[0],
        json!({"count": 15, "function": "Program.Main", "at": at("parse"), "caught_in": "Program.Main"}),
    );
    assert!(parse[0]["thrown_in"].as_str().is_some_and(|name| name.starts_with("Number.")), "{overview}");
    let filter = thrown(&overview, "System.ArgumentException");
    assert_has(filter[0], json!({"count": 1, "at": at("in-filter"), "caught_in": "Program.Filtered"}));
    assert_has(thrown(&overview, "System.TimeoutException")[0], json!({"count": 30}));
    let top = client.ok("debug_query_events", json!({"stream": "exceptions", "limit": 1}));
    assert_eq!(top["thrown"].as_array().unwrap().len(), 1, "{top}");
    assert!(top["note"].as_str().unwrap().contains("4 less frequent groups are not listed"), "{top}");
}

fn what_was_thrown_is_reported_of_a_program_that_has_ended(bench: &Bench) {
    let mut client = bench.client();
    let end = client.ok("debug_launch", bench.launch("Thrown", &["6"], json!({})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    let overview = client.ok("debug_query_events", json!({"stream": "exceptions"}));
    if bench.adapter() == "builtin" {
        assert_has(&overview, json!({"thrown_count": 17}));
        assert_has(
            thrown(&overview, "Thrown.ShopException")[0],
            json!({"count": 6, "at": format!("Program.cs:{}", bench.line("Thrown", "refuse"))}),
        );
    }
}

fn what_leaves_an_async_method_is_caught_by_no_source(bench: &Bench) {
    if bench.adapter() != "builtin" {
        // no other counts them
        return;
    }
    let mut client = bench.client();
    let stop = client.ok("debug_launch", bench.launch("Thrown", &["tasks"], json!({})));
    assert_has(&stop, json!({"outcome": "stopped", "exception": {"unhandled": true, "message": "of nobody"}}));
    let overview = client.ok("debug_query_events", json!({"stream": "exceptions"}));
    let at = |marker| format!("Tasks.cs:{}", bench.line_in("Thrown", "Tasks.cs", marker));
    let caught = |type_name: &str, thrown_at: String| {
        let groups = thrown(&overview, type_name);
        let group = groups.iter().find(|it| it["at"] == thrown_at);
        group.map(|it| (it["caught_in"].clone(), it["caught_at"].clone()))
    };
    let of_compiler = |text: &str| Some((json!(text), json!(null)));
    assert_eq!(caught("Thrown.ShopException", at("of-task")), of_compiler("the task of Tasks.FailLater"), "{overview}");
    assert_eq!(
        caught("System.ArgumentException", at("of-stream")),
        of_compiler("the task of Tasks.Numbers"),
        "{overview}"
    );
    let fire = "async void Tasks.Fire, which rethrows it";
    assert_eq!(caught("System.InvalidOperationException", at("of-nobody")), of_compiler(fire), "{overview}");
    // the handler of the source does what the compiler's does
    let kept = thrown(&overview, "System.FormatException");
    assert_has(kept[0], json!({"caught_in": "Tasks.Keep", "caught_at": at("catch-kept")}));
    client.ok("debug_disconnect", json!({}));
    // compilers mark the handler of the entry point as that of an `async void` method
    client.ok("debug_launch", bench.launch("Exceptions", &["unhandled"], json!({})));
    let overview = client.ok("debug_query_events", json!({"stream": "exceptions"}));
    let groups = thrown(&overview, "Exceptions.ShopException");
    let caught: Vec<&Value> = groups.iter().map(|group| &group["caught_in"]).filter(|it| !it.is_null()).collect();
    assert_eq!(caught, ["the task of Program.Main"], "{overview}");
}

fn frames_of_an_unhandled_exception_are_of_its_thread(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| bench.line_in("Thrown", "Tasks.cs", marker);
    let stop = client.ok("debug_launch", bench.launch("Thrown", &["tasks"], json!({})));
    let note = "rethrown where no frame has source: these frames are from the original throw";
    assert_has(&stop, json!({"note": note, "location": {"file": "Tasks.cs", "line": line("of-nobody")}}));
    let groups = client.ok("threads_list", json!({}))["threads"].clone();
    let groups: Vec<&Value> = groups.as_array().unwrap().iter().collect();
    let at = |marker| format!("Tasks.cs:{}", line(marker));
    let with = |at: String| groups.iter().filter(|group| group["at"] == at).count();
    assert_eq!((with(at("main-waits")), with(at("idle"))), (1, 1), "{groups:?}");
    let thrower = stop["thread_id"].as_i64().unwrap();
    let is_of_others = |group: &&&Value| group["ids"] != json!([thrower]);
    assert!(groups.iter().filter(is_of_others).all(|group| group["at"] != at("of-nobody")), "{groups:?}");
}

fn traced(bench: &Bench, markers: &[&str]) -> Client {
    let mut client = bench.client();
    let line = |marker: &&str| json!({"file": "Traces.cs", "line": bench.line_in("Thrown", "Traces.cs", marker)});
    let breakpoints: Vec<Value> = markers.iter().map(line).collect();
    let stop = client.ok("debug_launch", bench.launch("Thrown", &["traces"], json!({"breakpoints": breakpoints})));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint"}));
    client
}

fn stack_traces_are_read_as_the_program_writes_them(bench: &Bench) {
    let mut client = traced(bench, &["traced"]);
    let count = client.ok("evaluate", json!({"expression": "s_all.Count"}))["value"].as_str().unwrap().to_owned();
    for at in 0..count.parse::<u32>().unwrap() {
        let read = [format!("s_all[{at}].StackTrace"), format!("own[{at}]")];
        let read = client.ok("evaluate", json!({"expressions": read}));
        assert_eq!(read["results"][0]["value"], read["results"][1]["value"], "{read}");
        let same = [format!("s_all[{at}].StackTrace == own[{at}]"), format!("s_all[{at}].Source == sources[{at}]")];
        let same = client.ok("evaluate", json!({"expressions": same}));
        assert_has(&same, json!({"results": [{"value": "true"}, {"value": "true"}]}));
    }
    // where nothing can run
    let condition = "it.StackTrace.Contains(\"Traces.Throw(Int32 number) in \")";
    let found = client.ok("heap_find", json!({"type": "System.ArgumentException", "where": condition}));
    assert!(found["matched"].as_u64().is_some_and(|matched| matched > 10), "{found}");
}

fn a_stack_trace_is_read_while_another_thread_stands_in_a_throw(bench: &Bench) {
    let mut client = traced(bench, &["amidst"]);
    let read = client.ok("evaluate", json!({"expressions": ["e.StackTrace", "e.Message.Length"]}));
    assert!(
        read["results"][0]["value"].as_str().unwrap().starts_with("\"   at Thrown.Traces.Throw(Int32 number)"),
        "{read}"
    );
    assert_has(&read, json!({"results": [{}, {"value": "5"}]}));
}

fn an_exception_has_one_event_before_its_stops(bench: &Bench) {
    let mut client = bench.client();
    let exceptions = json!({"types": ["*"]});
    let mut stop =
        client.ok("debug_launch", bench.launch("Exceptions", &["thread"], json!({"exceptions": exceptions})));
    let (mut stops, mut is_unhandled) = (Vec::new(), false);
    while stop["outcome"] == "stopped" {
        stops.push(stop["seq"].as_u64().unwrap());
        is_unhandled |= stop["exception"]["unhandled"] == true;
        stop = client.ok("debug_continue", json!({}));
    }
    assert!(stops.len() == 2 && is_unhandled, "{stops:?}");
    let events = client.ok("debug_query_events", json!({"stream": "exceptions", "limit": 100}));
    let seqs: Vec<u64> = events["events"].as_array().unwrap().iter().map(|it| it["seq"].as_u64().unwrap()).collect();
    assert!(seqs.len() == 1 && seqs[0] < stops[0], "{seqs:?} of {stops:?}");
}

fn a_throw_is_counted_at_its_own_statement(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| bench.line_in("Thrown", "Places.cs", marker);
    let breakpoints = json!([{"file": "Places.cs", "line": line("places")}]);
    client.ok("debug_launch", bench.launch("Thrown", &["places"], json!({"breakpoints": breakpoints})));
    let overview = client.ok("debug_query_events", json!({"stream": "exceptions"}));
    for (type_name, marker) in [
        ("Thrown.ShopException", "first"),
        ("System.NotSupportedException", "second"),
        ("System.TimeoutException", "third"),
        ("System.ArgumentException", "last"),
    ] {
        let [only] = thrown(&overview, type_name)[..] else { panic!("{overview}") };
        assert_eq!(only["at"], format!("Places.cs:{}", line(marker)), "{overview}");
    }
}
