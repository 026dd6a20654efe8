//! Where a stop is, and what of its frame is new.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::scenarios;
use crate::real::client::Client;
use crate::real::{Bench, assert_has};

scenarios! {
    a_variable_with_another_object_that_looks_the_same_has_changed, "builtin";
    a_throw_in_code_without_source_here_is_reported_there;
    a_thread_that_waits_for_a_lock_is_at_its_lock_statement;
    what_a_waiting_thread_shows_needs_no_call;
    a_pause_is_reported_of_a_thread_with_user_code;
    another_call_is_not_compared_with_the_one_before;
    a_call_with_an_equal_stack_is_not_compared_with_the_one_before;
    a_round_of_a_loop_says_what_changed;
    locals_without_a_value_are_left_out;
    a_snapshot_of_a_running_program_lets_it_run_on;
    a_breakpoint_on_a_lambda_of_its_own_line_stops_in_the_lambda;
    a_lambda_in_generic_code_and_an_async_one_are_stopped_in;
    a_line_within_a_statement_of_a_lambda_means_that_statement;
    types_are_known_by_the_names_that_the_file_gives_them;
    a_deep_view_opens_arrays_and_points_back_at_cycles;
    an_async_method_that_is_over_is_no_caller;
    an_async_method_that_passes_something_on_is_no_caller;
    locals_of_an_async_method_without_a_value_are_left_out;
    who_waits_for_what_was_resumed_is_shown, "builtin";
    who_waits_for_a_loop_or_a_chain_of_tasks_is_shown, "builtin";
    a_step_in_says_what_it_could_not_enter;
    a_tracepoint_says_once_what_fails_and_counts;
    a_wait_says_how_far_a_hit_condition_is;
    awaiting_methods_end_with_what_is_not_known, "builtin";
}

fn launched(bench: &Bench, argument: &str, more: Value) -> (Client, Value) {
    let mut client = bench.client();
    let stop = client.ok("debug_launch", bench.launch("Steps", &[argument], more));
    (client, stop)
}

fn thrown(just_my_code: bool) -> Value {
    json!({"just_my_code": just_my_code, "exceptions": {"types": ["InvalidOperationException"]}})
}

fn a_throw_in_code_without_source_here_is_reported_there(bench: &Bench) {
    for just_my_code in [false, true] {
        let (mut client, stop) = launched(bench, "vault", thrown(just_my_code));
        assert_has(
            &stop,
            json!({
                "reason": "exception",
                "location": {"file": "/_/vendor/Vault.cs", "line": 105, "function": "Vault.Open", "source": null},
                "locals": [{"name": "code", "value": "3"}, {"name": "tries", "value": "4"}],
            }),
        );
        assert_eq!(stop["stack"][0]["function"], "Program.Main", "{stop}");
        let context = client.ok("exception_get_context", json!({}));
        assert_has(&context, json!({"exception": {"at": "/_/vendor/Vault.cs:105"}}));
        assert_eq!(context["frames"][0]["at"], "/_/vendor/Vault.cs:105", "{context}");
        assert_eq!(client.ok("evaluate", json!({"expression": "tries"}))["value"], "4");
    }
}

/// Paused once the program has said that it waits.
fn waiting(bench: &Bench) -> (Client, Value) {
    let (mut client, _) = launched(bench, "wait", json!({"timeout_ms": 0}));
    let began = Instant::now();
    while client.ok("process_read_output", json!({}))["stdout"] != "waiting\n" {
        assert!(began.elapsed() < Duration::from_secs(60), "it never waits");
    }
    loop {
        let stop = client.ok("debug_pause", json!({}));
        let threads = client.ok("threads_list", json!({}));
        let waits = threads["threads"].as_array().unwrap().iter().any(|one| one["function"] == "Waits.Wait");
        if waits {
            return (client, stop);
        }
        client.ok("debug_continue", json!({"timeout_ms": 0}));
    }
}

fn a_thread_that_waits_for_a_lock_is_at_its_lock_statement(bench: &Bench) {
    let (mut client, _) = waiting(bench);
    let threads = client.ok("threads_list", json!({}));
    let waiter = threads["threads"].as_array().unwrap().iter().find(|one| one["function"] == "Waits.Wait").unwrap();
    assert_has(waiter, json!({"at": format!("Waits.cs:{}", bench.line_in("Steps", "Waits.cs", "lock"))}));
}

fn what_a_waiting_thread_shows_needs_no_call(bench: &Bench) {
    let (mut client, _) = waiting(bench);
    let threads = client.ok("threads_list", json!({"expressions": ["ticket.Number", "ticket.Label", "turns"]}));
    let waiter = threads["threads"].as_array().unwrap().iter().find(|one| one["function"] == "Waits.Wait").unwrap();
    let [number, label, turns] = waiter["values"].as_array().unwrap().as_slice() else { panic!("{waiter}") };
    let no_calls = |it: &Value| it["error"].as_str().is_some_and(|words| words.contains("calls are not possible"));
    assert!(no_calls(label), "{label}");
    // netcoredbg has no way to the field of an auto-property but its getter
    let is_read = if bench.adapter() == "netcoredbg" { no_calls(number) } else { number["value"] == "7" };
    assert!(is_read, "{number}");
    // both adapters initialize its class for that, which takes a call; asked in another way dncdbg ends there
    let is_static = |it: &Value| it["error"].as_str().is_some_and(|words| words.contains("is a static member"));
    assert!(turns["value"] == "1" || bench.adapter() != "builtin" && is_static(turns), "{turns}");
    for expression in ["turns", "Gate", "this", "turns + ticket.Number"] {
        client.call("threads_list", json!({"expressions": [expression]})).ok();
        assert_eq!(client.ok("debug_state", json!({}))["state"], "stopped", "{expression}");
    }
}

fn a_pause_is_reported_of_a_thread_with_user_code(bench: &Bench) {
    let (mut client, stop) = waiting(bench);
    assert_has(&stop, json!({"reason": "pause"}));
    let function = stop["location"]["function"].as_str().unwrap_or_default();
    assert!(function.starts_with("Waits."), "{stop}");
    // what is asked for without a thread is of that one
    let stack = client.ok("stacktrace_get", json!({}));
    assert_eq!(stack["thread_id"], stop["thread_id"]);
}

fn another_call_is_not_compared_with_the_one_before(bench: &Bench) {
    let line = bench.line_in("Steps", "Calls.cs", "one-call");
    let (mut client, first) = launched(bench, "calls", json!({"breakpoints": [{"file": "Calls.cs", "line": line}]}));
    assert_has(&first, json!({"locals": [{"name": "n", "value": "0"}, {"name": "twice", "value": "0"}]}));
    let second = client.ok("debug_continue", json!({}));
    assert_has(
        &second,
        json!({"hit_count": 2, "changed": null, "locals": [{"name": "n", "value": "1", "was": null}, {"name": "twice", "value": "2", "was": null}]}),
    );
}

fn a_call_with_an_equal_stack_is_not_compared_with_the_one_before(bench: &Bench) {
    for (marker, hits) in [("again", 2), ("wait-again", 4)] {
        let line = bench.line_in("Steps", "Calls.cs", marker);
        let (mut client, _) = launched(bench, "calls", json!({"breakpoints": [{"file": "Calls.cs", "line": line}]}));
        for hit in 2..=hits {
            let stop = client.ok("debug_continue", json!({}));
            let was = json!({"name": "call", "was": null});
            assert_has(&stop, json!({"hit_count": hit, "changed": null, "locals": [was, {"name": "i", "was": null}]}));
        }
    }
}

fn a_round_of_a_loop_says_what_changed(bench: &Bench) {
    let line = bench.line_in("Steps", "Calls.cs", "round");
    let (mut client, _) = launched(bench, "calls", json!({"breakpoints": [{"file": "Calls.cs", "line": line}]}));
    let second = client.ok("debug_continue", json!({}));
    assert_has(
        &second,
        json!({"hit_count": 2, "locals": null, "changed": [{"name": "i", "value": "1", "was": "0"}], "unchanged": 2}),
    );
    let all = client.ok("debug_continue", json!({"include": ["locals"]}));
    assert_eq!(all["locals"].as_array().unwrap().len(), 3, "{all}");
}

fn locals_without_a_value_are_left_out(bench: &Bench) {
    let line = bench.line_in("Steps", "Calls.cs", "round");
    let (_client, first) = launched(bench, "calls", json!({"breakpoints": [{"file": "Calls.cs", "line": line}]}));
    let names: Vec<&str> = first["locals"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["count", "total", "i"], "neither `late` nor `square` has a value");
}

fn in_async_flow(bench: &Bench, marker: &str) -> (Client, Value) {
    let mut client = bench.client();
    let wanted = json!([{"file": "Program.cs", "line": bench.line("AsyncFlow", marker)}]);
    let stop = client.ok("debug_launch", bench.launch("AsyncFlow", &[], json!({"breakpoints": wanted})));
    (client, stop)
}

fn an_async_method_that_is_over_is_no_caller(bench: &Bench) {
    let (mut client, stop) = in_async_flow(bench, "after-awaits");
    assert_has(&stop, json!({"location": {"function": "Program.Main"}, "stack": null}));
    let stack = client.ok("stacktrace_get", json!({}));
    assert_eq!(stack["frames"].as_array().unwrap().len(), 1, "FetchAsync has returned: {stack}");
    assert!(stack["note"].as_str().unwrap_or_default().contains("await"), "{stack}");
}

fn an_async_method_that_passes_something_on_is_no_caller(bench: &Bench) {
    let wanted: Vec<Value> = ["element", "caught"]
        .iter()
        .map(|marker| json!({"file": "Handed.cs", "line": bench.line_in("Steps", "Handed.cs", marker)}))
        .collect();
    let (mut client, _) = launched(bench, "handed", json!({"breakpoints": wanted}));
    // two elements and an exception
    for stop in 1..=3 {
        let own = client.ok("stacktrace_get", json!({}));
        let functions: Vec<&Value> = own["frames"].as_array().unwrap().iter().map(|frame| &frame["function"]).collect();
        assert_eq!(functions, ["Handed.Begin"], "stop {stop}: {own}");
        let all = client.ok("stacktrace_get", json!({"include_external": true}));
        let of_stream = |frame: &&Value| frame["function"] == "Handed.Numbers";
        for frame in all["frames"].as_array().unwrap().iter().filter(of_stream) {
            assert_eq!(frame["at"], Value::Null, "which element it hands on is not known: {all}");
        }
        client.ok("debug_continue", json!({}));
    }
}

fn locals_of_an_async_method_without_a_value_are_left_out(bench: &Bench) {
    let names = |stop: &Value| -> Vec<String> {
        let list = stop["locals"].as_array().unwrap().iter();
        list.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let (_client, stop) = in_async_flow(bench, "await-second");
    // others list what is captured first
    let declared = match bench.adapter() {
        "builtin" => ["loader", "first", "factor"],
        _ => ["factor", "loader", "first"],
    };
    assert_eq!(names(&stop), declared, "`factor` is captured, what comes later has no value: {stop}");
    let (_client, stop) = in_async_flow(bench, "fetch-start");
    let mut shown = names(&stop);
    // dncdbg shows the captured parameters of `this` as variables of the frame
    shown.retain(|name| name != "name");
    assert_eq!(shown, ["this", "size"], "{stop}");
}

fn who_waits_for_what_was_resumed_is_shown(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| bench.line("Within", marker);
    let breakpoints =
        ["element", "leaf", "deep"].map(|marker| json!({"file": "Within/Program.cs", "line": line(marker)}));
    let launch = bench.launch("Within", &["awaited"], json!({"breakpoints": breakpoints}));
    let waits = |function: &str, marker| json!({"function": function, "kind": "async", "at": format!("Program.cs:{}", line(marker))});
    // of an iterator's element
    let stop = client.ok("debug_launch", launch);
    let element = json!([waits("Program.Element", "awaits-element")]);
    assert_eq!(stop["awaited_by"], element, "{stop}");
    assert_eq!(client.ok("stacktrace_get", json!({}))["awaited_by"], element);
    // of a task that runs other code, too, and that two methods await
    let stop = client.ok("debug_continue", json!({}));
    let mut first = waits("Program.First", "awaits-leaf");
    first["others_await"] = json!(1);
    assert_eq!(stop["awaited_by"][0], first, "{stop}");
    // behind more frames than a stop reads
    let stop = client.ok("debug_continue", json!({}));
    assert_eq!(stop["awaited_by"][0], first, "{stop}");
}

/// The workers of a parallel loop, which nobody awaits, and tasks that others go on with.
fn who_waits_for_a_loop_or_a_chain_of_tasks_is_shown(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| bench.line("Within", marker);
    let markers = [("loop begins", "loop awaits"), ("loop resumed", "loop awaits"), ("chain resumed", "chain awaits")];
    let breakpoints = markers.map(|(marker, _)| json!({"file": "Within/Program.cs", "line": line(marker)}));
    let mut stop = client.ok("debug_launch", bench.launch("Within", &["loop"], json!({"breakpoints": breakpoints})));
    for (marker, awaits) in markers {
        assert_has(&stop, json!({"location": {"line": line(marker)}}));
        let nearest =
            json!({"function": "Program.Loop", "kind": "async", "at": format!("Program.cs:{}", line(awaits))});
        assert_eq!(stop["awaited_by"][0], nearest, "{marker}: {stop}");
        stop = client.ok("debug_continue", json!({}));
    }
    assert_has(&stop, json!({"outcome": "exited"}));
}

/// A running program is looked at, and nobody who waits for it hears of that.
fn a_snapshot_of_a_running_program_lets_it_run_on(bench: &Bench) {
    let (mut client, _) = launched(bench, "wait", json!({"timeout_ms": 0}));
    let began = Instant::now();
    while client.ok("process_read_output", json!({}))["stdout"] != "waiting\n" {
        assert!(began.elapsed() < Duration::from_secs(60), "it never waits");
    }
    let waiting = client.send("breakpoint_wait", json!({"timeout_ms": 2_000}));
    let threads = client.ok("threads_list", json!({}));
    assert!(threads["paused_ms"].as_u64().is_some(), "{threads}");
    let groups = threads["threads"].as_array().unwrap();
    assert!(
        groups.iter().any(|group| group["function"].as_str().unwrap_or_default().starts_with("Waits.")),
        "{threads}"
    );
    assert_has(&waiting.reply().value, json!({"outcome": "still_running"}));
    assert_has(&client.ok("debug_state", json!({})), json!({"state": "running"}));
    // as often as one likes, and a true pause still works
    client.ok("threads_list", json!({}));
    assert_has(&client.ok("debug_pause", json!({})), json!({"outcome": "stopped"}));
    assert_has(&client.ok("threads_list", json!({})), json!({"paused_ms": null}));
}

fn in_scopes(bench: &Bench, markers: &[&str]) -> (Client, Value) {
    let line = |marker: &&str| json!({"file": "Scopes.cs", "line": bench.line_in("Steps", "Scopes.cs", marker)});
    launched(bench, "scopes", json!({"breakpoints": markers.iter().map(line).collect::<Vec<_>>()}))
}

fn a_breakpoint_on_a_lambda_of_its_own_line_stops_in_the_lambda(bench: &Bench) {
    let line = bench.line_in("Steps", "Scopes.cs", "lambda");
    let (mut client, mut stop) = in_scopes(bench, &["lambda"]);
    assert_has(&stop, json!({"breakpoints": [{"id": 1, "verified": true, "line": line, "requested_line": null}]}));
    for n in 1..=3 {
        assert_has(&stop, json!({"reason": "breakpoint", "breakpoint_ids": [1], "location": {"line": line}}));
        assert_has(&client.ok("evaluate", json!({"expression": "n"})), json!({"value": n.to_string()}));
        stop = client.ok("debug_continue", json!({}));
    }
    assert_has(&stop, json!({"outcome": "exited", "exit_code": 0}));
}

fn a_lambda_in_generic_code_and_an_async_one_are_stopped_in(bench: &Bench) {
    let lines = ["generic-lambda", "async-lambda"].map(|marker| bench.line_in("Steps", "Lambdas.cs", marker));
    let breakpoints = lines.map(|line| json!({"file": "Lambdas.cs", "line": line}));
    let (mut client, mut stop) = launched(bench, "lambdas", json!({"breakpoints": breakpoints}));
    let bound = lines.map(|line| json!({"verified": true, "line": line, "requested_line": null}));
    assert_has(&stop, json!({"breakpoints": bound}));
    for (line, value) in lines.into_iter().zip(["7", "1"]) {
        assert_has(&stop, json!({"reason": "breakpoint", "location": {"line": line}}));
        assert_has(&client.ok("evaluate", json!({"expression": "one"})), json!({"value": value}));
        stop = client.ok("debug_continue", json!({}));
    }
    assert_has(&stop, json!({"outcome": "exited", "exit_code": 0}));
}

fn a_line_within_a_statement_of_a_lambda_means_that_statement(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Lambdas.cs", marker);
    let pairs = [("within-spread", "spread"), ("within-around-spread", "around-spread")];
    let breakpoints = pairs.map(|(within, _)| json!({"file": "Lambdas.cs", "line": line(within)}));
    let (mut client, stop) = launched(bench, "lambdas", json!({"breakpoints": breakpoints}));
    let bound = pairs.map(|(within, of)| json!({"verified": true, "line": line(of), "requested_line": line(within)}));
    assert_has(&stop, json!({"breakpoints": bound, "location": {"line": line("spread")}}));
    assert_has(&client.ok("evaluate", json!({"expression": "one"})), json!({"value": "1"}));
    assert_has(&client.ok("debug_continue", json!({})), json!({"location": {"line": line("spread")}}));
    let around = client.ok("debug_continue", json!({}));
    assert_has(&around, json!({"reason": "breakpoint", "location": {"line": line("around-spread")}}));
}

fn types_are_known_by_the_names_that_the_file_gives_them(bench: &Bench) {
    let (mut client, _) = in_scopes(bench, &["scopes"]);
    let asked = ["Store.Least", "Store.Least + heavy", "Math.Max(heavy, 7)", "Goods.Store.Least"];
    let answer = client.ok("evaluate", json!({"expressions": asked}));
    let values: Vec<_> = answer["results"].as_array().unwrap().iter().map(|one| one["value"].as_str()).collect();
    assert_eq!(values[..3], [Some("1"), Some("3"), Some("7")], "{answer}");
}

fn a_deep_view_opens_arrays_and_points_back_at_cycles(bench: &Bench) {
    let (mut client, _) = in_scopes(bench, &["scopes"]);
    let crate_ = client.ok("object_inspect", json!({"path": "crate", "depth": 4, "timeout_ms": 20_000}));
    let member = |name: &str| {
        let all = crate_["variables"].as_array().unwrap();
        all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("no {name}: {crate_}")).clone()
    };
    assert_has(&member("Back"), json!({"cycle": "crate", "members": null}));
    let inner = &member("Pallets")["members"][0]["members"][0];
    assert_has(inner, json!({"name": "Crate"}));
    assert_has(&inner["members"][0], json!({"name": "Weight", "value": "3"}));
}

fn a_step_in_says_what_it_could_not_enter(bench: &Bench) {
    let line = bench.line_in("Steps", "Calls.cs", "late");
    let (mut client, _) = launched(bench, "calls", json!({"breakpoints": [{"file": "Calls.cs", "line": line}]}));
    let next = client.ok("debug_step", json!({"mode": "in"}));
    assert_has(&next, json!({"reason": "step", "note": "stepped over String.Length: no symbols"}));
    assert_has(&client.ok("debug_step", json!({"mode": "in"})), json!({"reason": "step", "note": null}));
}

fn a_tracepoint_says_once_what_fails_and_counts(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Calls.cs", marker);
    let first = json!([{"file": "Calls.cs", "line": line("one-call")}]);
    let (mut client, _) = launched(bench, "calls", json!({"breakpoints": first}));
    client.ok("breakpoint_remove", json!({"id": 1}));
    client.ok("tracepoint_set", json!({"file": "Calls.cs", "line": line("round"), "message": "have {late.Length}"}));
    client.ok("tracepoint_set", json!({"file": "Calls.cs", "line": line("round") + 1, "message": "and {late[0]}"}));
    let end = client.ok("debug_continue", json!({}));
    assert_has(&end, json!({"outcome": "exited"}));
    assert_eq!(end.to_string().matches("have !").count(), 1, "{end}");
    let note = end["note"].as_str().unwrap_or_default();
    assert!(note.starts_with("tracepoint 2: {late.Length} failed 3 times: "), "{end}");
    assert!(note.contains("\ntracepoint 3: {late[0]} failed 3 times: "), "{end}");
}

fn a_wait_says_how_far_a_hit_condition_is(bench: &Bench) {
    let line = bench.line_in("Steps", "Waits.cs", "spin");
    let wanted = json!([{"file": "Waits.cs", "line": line, "hit_condition": ">=1000000"}]);
    let (mut client, mut report) = launched(bench, "wait", json!({"breakpoints": wanted, "timeout_ms": 0}));
    let began = Instant::now();
    while !report["note"].as_str().is_some_and(|note| note.contains(" hits so far")) {
        assert!(began.elapsed() < Duration::from_secs(60), "{report}");
        report = client.ok("breakpoint_wait", json!({"timeout_ms": 100}));
    }
}

/// Also after a collection that moves what stays.
fn a_variable_with_another_object_that_looks_the_same_has_changed(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Chosen.cs", "line": bench.line_in("Steps", "Chosen.cs", "replaced")}]);
    client.ok("debug_launch", bench.launch("Steps", &["chosen"], json!({"breakpoints": breakpoints})));
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    let changed = json!([{"name": "chest", "was": "another object"}]);
    assert_has(
        &stop,
        json!({"location": {"source": "GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);"}, "changed": changed, "unchanged": 2}),
    );
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert_has(&stop, json!({"location": {"source": "sum += chest.Half - 2;"}, "changed": null}));
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert_has(&stop, json!({"changed": null, "unchanged": null}));
}

fn awaiting_methods_end_with_what_is_not_known(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Joined", "marked")}]);
    let stop = client.ok("debug_launch", bench.launch("Joined", &[], json!({"breakpoints": breakpoints})));
    let end = json!([{"function": "unknown continuation: System.Threading.ManualResetEventSlim"}]);
    assert_eq!(stop["awaited_by"], end, "{stop}");
    let stack = client.ok("stacktrace_get", json!({}));
    assert_eq!(stack["awaited_by"], end, "{stack}");
    assert_eq!(stack["note"], json!(null), "{stack}");
}
