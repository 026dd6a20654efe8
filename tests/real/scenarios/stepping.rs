//! Stops, steps, pauses and waits: the answers of execution.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    breakpoint_step_inspect_and_exit;
    step_in_over_and_out_show_what_is_new;
    step_counts_and_stops_early_at_a_breakpoint;
    steps_over_and_into_async_code;
    step_over_an_await_ends_in_the_same_method;
    step_out_of_what_is_awaited_with_others_ends_at_their_await, "builtin";
    a_step_returns_from_an_async_method_of_any_builder, "builtin";
    step_out_ends_where_the_task_is_combined_later, "builtin";
    a_step_over_an_await_stays_in_its_invocation, "builtin";
    run_to_a_line_stops_there_once;
    entry_stop_is_on_the_first_line;
    entry_stop_in_an_async_main;
    pause_inside_the_framework_shows_the_user_frame;
    pause_works_while_a_continue_waits;
    stop_during_a_cancelled_wait_is_not_lost;
    deadline_is_still_running_and_the_next_wait_goes_on;
    step_cut_short_by_another_thread_says_so;
    resumes_of_a_running_program_are_refused;
    step_out_of_an_async_iterator_ends_where_its_element_is_awaited, "builtin";
    a_constructor_that_nobody_wrote_is_no_stop;
    a_step_out_that_leaves_its_caller_too_says_so;
    a_step_in_behind_a_call_says_nothing_of_it;
    a_step_that_ends_in_an_exception_filter_says_so;
    steps_stay_in_what_a_static_constructor_runs;
    a_step_from_what_the_framework_throws_ends_in_its_handler, "builtin";
    a_step_in_enters_what_a_static_constructor_runs_before, "builtin";
    steps_go_through_all_handlers_of_an_event, "builtin";
}

fn breakpoint_step_inspect_and_exit(bench: &Bench) {
    let mut client = bench.client();
    let launch =
        bench.launch("Basics", &[], json!({"breakpoints": [{"file": "Program.cs", "text": "Total += line.Total"}]}));
    let line = bench.line("Basics", "add");
    let stop = client.ok("debug_launch", launch);
    assert_has(
        &stop,
        json!({
            "outcome": "stopped", "session_id": "s1", "root": bench.fixture("Basics"), "reason": "breakpoint",
            "breakpoints": [{"id": 1, "verified": true, "file": "Program.cs", "line": line}],
            "location": {"file": "Program.cs", "line": line, "function": "Order.Add", "source": "Total += line.Total; // BP:add"},
            "breakpoint_ids": [1], "hit_count": null,
            "locals": [
                {"name": "this", "type": "Order", "value": "{Id=42, Customer=\"Ada\", Total=0m, _edits=1, _lines=List<OrderLine>(1), +1 more}"},
                {"name": "line", "type": "OrderLine", "value": "{Product=\"item 0\", Quantity=1, UnitPrice=2.50m, +1 more}"},
            ],
            "stack": [{"frame": 1, "function": "Program.Main", "at": format!("Program.cs:{}", bench.line("Basics", "loop"))}],
        }),
    );
    let again = client.ok("debug_continue", json!({}));
    assert_has(&again, json!({"outcome": "stopped", "reason": "breakpoint", "hit_count": 2, "breakpoint_ids": [1]}));
    assert_eq!(again["locals"][1]["value"], "{Product=\"item 1\", Quantity=2, UnitPrice=2.50m, +1 more}");
    client.ok("breakpoint_remove", json!({"all": true}));
    let end = client.ok("debug_continue", json!({}));
    assert_has(
        &end,
        json!({"outcome": "exited", "exit_code": 7, "output": {"stdout": "total 37.50 reduced 33.75 calls 1\n"}}),
    );
    client.error("not_stopped", "debug_continue", json!({}));
    assert_has(&client.ok("debug_state", json!({})), json!({"state": "exited", "exit_code": 7}));
}

fn step_in_over_and_out_show_what_is_new(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| bench.line("Basics", marker);
    client.ok(
        "debug_launch",
        bench.launch("Basics", &[], json!({"breakpoints": [{"file": "Program.cs", "line": line("call")}]})),
    );
    let inside = client.ok("debug_step", json!({"mode": "in"}));
    assert_has(
        &inside,
        json!({
            "outcome": "stopped", "reason": "step", "location": {"function": "Program.Discount", "source": "{"},
            "locals": [{"name": "total", "value": "37.50m"}, {"name": "percent", "value": "10"}],
            "thread_id": null,
            "stack": [{"frame": 1, "function": "Program.Main", "at": format!("Program.cs:{}", line("call"))}],
        }),
    );
    client.ok("debug_step", json!({"mode": "over", "count": 2}));
    let assigned = client.ok("debug_step", json!({"mode": "over"}));
    assert_has(
        &assigned,
        json!({
            "reason": "step", "location": {"line": line("discount-return"), "function": null},
            "changed": [{"name": "cut", "value": "3.75m", "was": null}], "unchanged": 2,
            "locals": null, "stack": null, "thread_id": null,
        }),
    );
    let out = client.ok("debug_step", json!({"mode": "out"}));
    assert_has(
        &out,
        json!({"reason": "step", "location": {"line": line("call"), "function": "Program.Main"}, "stack": null}),
    );
}

fn step_counts_and_stops_early_at_a_breakpoint(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| bench.line("Basics", marker);
    let breakpoints =
        json!([{"file": "Program.cs", "line": line("main")}, {"file": "Program.cs", "line": line("add")}]);
    client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": breakpoints})));
    let stop = client.ok("debug_step", json!({"mode": "over", "count": 50}));
    assert_has(
        &stop,
        json!({"outcome": "stopped", "reason": "breakpoint", "breakpoint_ids": [2], "location": {"line": line("add")}}),
    );
}

fn steps_over_and_into_async_code(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| bench.line("AsyncFlow", marker);
    client.ok(
        "debug_launch",
        bench.launch("AsyncFlow", &[], json!({"breakpoints": [{"file": "Program.cs", "line": line("await-first")}]})),
    );
    let stop = client.ok("debug_step", json!({"mode": "in", "count": 2}));
    assert_has(
        &stop,
        json!({
            "outcome": "stopped", "reason": "step",
            "location": {"function": "Downloader.FetchAsync", "kind": "async", "line": line("fetch-start")},
        }),
    );
}

fn step_over_an_await_ends_in_the_same_method(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| bench.line("AsyncFlow", marker);
    client.ok(
        "debug_launch",
        bench.launch("AsyncFlow", &[], json!({"breakpoints": [{"file": "Program.cs", "line": line("fetch-await")}]})),
    );
    client.ok("breakpoint_remove", json!({"all": true}));
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "step", "location": {"line": line("fetch-after")}}));
    let stack = client.ok("stacktrace_get", json!({}));
    assert_has(&stack["frames"][0], json!({"frame": 0, "function": "Downloader.FetchAsync", "kind": "async"}));
    assert!(stack["external_frames"].as_u64().unwrap() > 0, "{stack}");
}

fn step_out_of_what_is_awaited_with_others_ends_at_their_await(bench: &Bench) {
    for (mode, count) in [("out", 1), ("over", 3)] {
        let mut client = bench.client();
        let line = bench.line("Joined", "worked");
        let breakpoints = json!([{"file": "Program.cs", "line": line, "condition": "id == 1"}]);
        client.ok("debug_launch", bench.launch("Joined", &[], json!({"breakpoints": breakpoints})));
        let stop = client.ok("debug_step", json!({"mode": mode, "count": count}));
        let expected = json!({"function": "Program.Main", "source": "await Task.WhenAll(one, two);"});
        assert_has(&stop, json!({"outcome": "stopped", "reason": "step", "location": expected}));
        assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
    }
}

fn a_step_returns_from_an_async_method_of_any_builder(bench: &Bench) {
    for (marker, mode, count, line) in [
        ("pooled", "out", 1, "awaits-pooled"),
        ("pooled", "over", 2, "awaits-pooled"),
        ("nothing", "over", 2, "behind-pooled"),
        ("built", "over", 2, "awaits-built"),
        // not to the end of the delegate once more
        ("ran", "over", 2, "runs"),
        ("ran", "out", 1, "runs"),
    ] {
        let mut client = bench.client();
        let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Joined", marker)}]);
        client.ok("debug_launch", bench.launch("Joined", &[], json!({"breakpoints": breakpoints})));
        let stop = client.ok("debug_step", json!({"mode": mode, "count": count}));
        let line = bench.line("Joined", line);
        let expected = json!({"function": "Program.Main"});
        assert_has(&stop, json!({"outcome": "stopped", "reason": "step", "location": expected}));
        assert!((line - 1..=line).contains(&stop["location"]["line"].as_u64().unwrap()), "{marker} {mode}: {stop}");
        assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
    }
}

fn step_out_ends_where_the_task_is_combined_later(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Joined", "late")}]);
    client.ok("debug_launch", bench.launch("Joined", &[], json!({"breakpoints": breakpoints})));
    let stop = client.ok("debug_step", json!({"mode": "out"}));
    let expected = json!({"function": "Program.Main", "source": "await Task.WhenAll(late, one);"});
    assert_has(&stop, json!({"outcome": "stopped", "reason": "step", "location": expected}));
}

fn step_out_of_an_async_iterator_ends_where_its_element_is_awaited(bench: &Bench) {
    for mode in ["out", "over"] {
        let mut client = bench.client();
        let breakpoints = json!([{"file": "Program.cs", "line": bench.line("AsyncFlow", "yield-async")}]);
        client.ok("debug_launch", bench.launch("AsyncFlow", &[], json!({"breakpoints": breakpoints})));
        let stop = client.ok("debug_step", json!({"mode": mode}));
        let expected = json!({"function": "Program.Main", "line": bench.line("AsyncFlow", "await-foreach")});
        assert_has(&stop, json!({"outcome": "stopped", "reason": "step", "location": expected}));
    }
}

fn a_constructor_that_nobody_wrote_is_no_stop(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| bench.line_in("Steps", "Written.cs", marker);
    let breakpoints = json!([{"file": "Written.cs", "line": line("literal")}]);
    client.ok("debug_launch", bench.launch("Steps", &["written"], json!({"breakpoints": breakpoints})));
    let lines = [line("written"), line("written") + 1, line("counted") - 1, line("counted"), line("counted") + 1];
    for expected in lines {
        let stop = client.ok("debug_step", json!({"mode": "in"}));
        assert_has(&stop, json!({"outcome": "stopped", "reason": "step", "location": {"line": expected}}));
    }
}

/// Of a lambda that only calls, adapters but ours find no statement behind the call to stop at.
fn a_step_out_that_leaves_its_caller_too_says_so(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Lambdas.cs", marker);
    let breakpoints = json!([{"file": "Lambdas.cs", "line": line("making")}]);
    for steps in [["out", "out"].as_slice(), &["over", "over", "over"]] {
        let mut client = bench.client();
        let mut stop =
            client.ok("debug_launch", bench.launch("Steps", &["lambdas"], json!({"breakpoints": breakpoints})));
        for mode in steps.iter().take(steps.len() - 1) {
            assert_eq!(stop["note"], json!(null), "{stop}");
            stop = client.ok("debug_step", json!({"mode": mode}));
        }
        if bench.adapter() == "builtin" {
            assert_has(&stop, json!({"note": null, "location": {"line": line("lambda-makes")}}));
            continue;
        }
        let words =
            "the step left lambda Lambdas.Made too: it has no statement after the call where this adapter could stop";
        assert_has(&stop, json!({"note": words, "location": {"function": "Lambdas.Made"}}));
        let next = client.ok("debug_step", json!({"mode": "over"}));
        assert_eq!(next["note"], json!(null), "{next}");
    }
}

fn a_step_in_behind_a_call_says_nothing_of_it(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Lambdas.cs", marker);
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Lambdas.cs", "line": line("yielded")}]);
    client.ok("debug_launch", bench.launch("Steps", &["lambdas"], json!({"breakpoints": breakpoints})));
    let back = client.ok("debug_step", json!({"mode": "in"}));
    assert_has(&back, json!({"note": null, "location": {"line": line("each")}}));
    let next = client.ok("debug_step", json!({"mode": "in"}));
    assert_has(&next, json!({"note": null, "location": {"line": line("each")}}));
}

/// Ours goes on to the code that runs next.
fn a_step_that_ends_in_an_exception_filter_says_so(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Filters.cs", marker);
    let words = "this is the filter of a `catch … when` in Filters.Begin: the exception is not caught yet, and no finally block has run since it was thrown";
    for (from, mode, shown) in [("check", "out", ""), ("throws", "in", "; the adapter shows the statement before it")] {
        let mut client = bench.client();
        let breakpoints = json!([{"file": "Filters.cs", "line": line(from)}]);
        client.ok("debug_launch", bench.launch("Steps", &["filters"], json!({"breakpoints": breakpoints})));
        let mut stop = client.ok("debug_step", json!({"mode": mode}));
        if bench.adapter() != "builtin" {
            assert_has(&stop, json!({"reason": "step", "location": {"function": "Filters.Begin"}}));
            assert_eq!(stop["note"], format!("{words}{shown}"), "{stop}");
            assert_has(&client.ok("evaluate", json!({"expression": "s_closed"})), json!({"value": "0"}));
            stop = client.ok("debug_step", json!({"mode": "over"}));
        }
        assert_has(&stop, json!({"reason": "step", "note": null}));
    }
}

fn steps_stay_in_what_a_static_constructor_runs(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Registry.cs", marker);
    let is_own = bench.adapter() == "builtin";
    for (from, modes) in [("register", vec!["over", "out"]), ("register", vec!["out"]), ("added", vec!["over"])] {
        let mut client = bench.client();
        let breakpoints = json!([{"file": "Registry.cs", "line": line(from), "hit_condition": "1"}]);
        client.ok("debug_launch", bench.launch("Steps", &["registry"], json!({"breakpoints": breakpoints})));
        let stops = modes.iter().map(|mode| client.ok("debug_step", json!({"mode": mode})));
        let stop = stops.last().unwrap();
        // ours ends behind the call, others at the next statement
        let back = line(if is_own { "one" } else { "two" });
        let expected =
            json!({"reason": "step", "note": null, "location": {"line": back, "function": "Registry..cctor"}});
        assert_has(&stop, expected);
        if is_own {
            let next = client.ok("debug_step", json!({"mode": "over"}));
            assert_has(&next, json!({"location": {"line": line("two")}}));
        }
        let next = client.ok("debug_step", json!({"mode": "over"}));
        assert_has(&next, json!({"note": null, "location": {"line": line("kept")}}));
    }
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Registry.cs", "line": line("kept")}]);
    client.ok("debug_launch", bench.launch("Steps", &["registry"], json!({"breakpoints": breakpoints})));
    let stop = client.ok("debug_step", json!({"mode": "in"}));
    if is_own {
        assert_has(&stop, json!({"reason": "step", "note": null, "location": {"function": "Registry.Keep"}}));
    } else {
        let note = "the rest of Registry..cctor has run: this adapter's steps do not come back to a static constructor";
        assert_has(&stop, json!({"reason": "step", "note": note}));
    }
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "text": "BP:first use"}]);
    client.ok("debug_launch", bench.launch("Steps", &["registry"], json!({"breakpoints": breakpoints})));
    // it is no call of the line, and ours passes over properties
    let into = match is_own {
        true => json!({"location": {"source": "return registered - 3;"}}),
        false => json!({"location": {"function": "Registry.get_Count"}}),
    };
    assert_has(&client.ok("debug_step", json!({"mode": "in"})), into);
}

/// Also where the compiler has optimized: the state machine is a struct then, which no handle tells from others.
fn a_step_over_an_await_stays_in_its_invocation(bench: &Bench) {
    let project = bench.copy("Gates");
    for configuration in ["Debug", "Release"] {
        bench.build(&project, &["-c", configuration]);
        for number in ["0", "2"] {
            let mut client = bench.client();
            let condition = format!("number == {number}");
            let breakpoints = json!([{"file": "Program.cs", "text": "BP:first", "condition": condition}]);
            let launch = json!({
                "program": project, "configuration": configuration, "build": "never", "breakpoints": breakpoints, "timeout_ms": 60_000,
            });
            assert_has(&client.ok("debug_launch", launch), json!({"reason": "breakpoint"}));
            for source in [
                "int tripled = doubled + number;",
                "await Task.Yield(); // BP:second",
                "return tripled + doubled; // BP:passed",
            ] {
                let stop = client.ok("debug_step", json!({"mode": "over"}));
                assert_has(&stop, json!({"reason": "step", "location": {"source": source}}));
                let now = client.ok("evaluate", json!({"expression": "number"}));
                assert_eq!(now["value"], number, "{configuration}: {source}");
            }
        }
    }
}

fn run_to_a_line_stops_there_once(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Basics", &[], json!({"stop_at_entry": true})));
    let stop = client.ok("debug_run_to", json!({"file": "Program.cs", "text": "// BP:add"}));
    assert_has(
        &stop,
        json!({"outcome": "stopped", "reason": "run_to", "location": {"line": bench.line("Basics", "add")}}),
    );
    assert_has(&client.ok("breakpoint_list", json!({})), json!({"breakpoints": []}));
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 7}));
}

fn entry_stop_is_on_the_first_line(bench: &Bench) {
    let mut client = bench.client();
    let stop = client.ok("debug_launch", bench.launch("Basics", &["3"], json!({"stop_at_entry": true})));
    assert_has(
        &stop,
        json!({"outcome": "stopped", "reason": "entry_point", "location": {"function": "Program.Main"}, "breakpoint_ids": null}),
    );
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 3}));
}

fn entry_stop_in_an_async_main(bench: &Bench) {
    let mut client = bench.client();
    let stop = client.ok("debug_launch", bench.launch("Exceptions", &["caught"], json!({"stop_at_entry": true})));
    assert_has(
        &stop,
        json!({"reason": "entry_point", "location": {"function": "Program.Main", "kind": "async", "file": "Program.cs"}}),
    );
    let step = client.ok("debug_step", json!({"mode": "over"}));
    assert_has(&step, json!({"outcome": "stopped", "reason": "step"}));
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

fn pause_inside_the_framework_shows_the_user_frame(bench: &Bench) {
    let mut client = bench.client();
    let running = client.ok("debug_launch", bench.launch("Threads", &["wait", "3"], json!({"ready_when": "^ready "})));
    assert_has(&running, json!({"outcome": "still_running", "session_id": "s1"}));
    let stop = client.ok("debug_pause", json!({}));
    let sleep = bench.line("Threads", "sleep");
    // dncdbg folds the framework's frames into one without a name.
    let inside = (bench.adapter() != "dncdbg").then_some("Thread.Sleep");
    assert_has(
        &stop,
        json!({
            "outcome": "stopped", "reason": "pause",
            "location": {"line": sleep, "function": "Program.Wait", "frame": 1, "in": inside},
            "locals": [
                {"name": "count", "value": "3"},
                {"name": "stop", "type": "ManualResetEventSlim", "value": "{IsSet=false}"},
                {"name": "threads", "type": "List<Thread>", "count": 3},
                {"name": "second"},
            ],
            "stack": [{"frame": 2, "function": "Program.Main", "at": format!("Program.cs:{}", bench.line("Threads", "main"))}],
            "external_frames": 1,
        }),
    );
    // Inspection goes to the frame that the stop showed.
    assert_eq!(client.ok("evaluate", json!({"expression": "count + 1"}))["value"], "4");
    let again = client.ok("debug_pause", json!({}));
    assert_eq!(again["seq"], stop["seq"], "a pause at a stop answers that stop");
}

fn pause_works_while_a_continue_waits(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Traps", &["ticks"], json!({"stop_at_entry": true})));
    let waiting = client.send("debug_continue", json!({"timeout_ms": 60_000}));
    let second = client.send("breakpoint_wait", json!({"timeout_ms": 60_000}));
    let pause = client.ok("debug_pause", json!({}));
    assert_has(&pause, json!({"outcome": "stopped", "reason": "pause"}));
    for reply in [waiting.reply().ok(), second.reply().ok()] {
        assert_has(&reply, json!({"outcome": "stopped", "reason": "pause", "seq": pause["seq"]}));
    }
}

fn stop_during_a_cancelled_wait_is_not_lost(bench: &Bench) {
    let mut client = bench.client();
    let running = client.ok("debug_launch", bench.launch("Traps", &["ticks"], json!({"ready_when": "ticking"})));
    assert_eq!(running["outcome"], "still_running");
    let waiting = client.send("debug_continue", json!({"timeout_ms": 60_000}));
    client.cancel(waiting);
    client.ok("breakpoint_set", json!({"file": "Program.cs", "line": bench.line("Traps", "tick")}));
    let stop = client.ok("debug_continue", json!({}));
    assert_has(
        &stop,
        json!({"outcome": "stopped", "reason": "breakpoint", "location": {"line": bench.line("Traps", "tick")}}),
    );
}

fn deadline_is_still_running_and_the_next_wait_goes_on(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Traps", &["ticks"], json!({"stop_at_entry": true})));
    let running = client.ok("debug_continue", json!({"timeout_ms": 100}));
    assert_has(&running, json!({"outcome": "still_running", "seq": null}));
    assert!(running["elapsed_ms"].as_u64().unwrap() >= 100);
    assert_has(&client.ok("debug_continue", json!({"timeout_ms": 0})), json!({"outcome": "still_running"}));
    let waiting = client.send("breakpoint_wait", json!({"since": running["since"], "timeout_ms": 30_000}));
    client.ok("breakpoint_set", json!({"file": "Program.cs", "line": bench.line("Traps", "tick")}));
    assert_has(&waiting.reply().ok(), json!({"outcome": "stopped", "reason": "breakpoint"}));
}

fn step_cut_short_by_another_thread_says_so(bench: &Bench) {
    let mut client = bench.client();
    let work = json!([{"file": "Program.cs", "line": bench.line("Threads", "work")}]);
    let mut stop = client.ok("debug_launch", bench.launch("Threads", &["meet", "10"], json!({"breakpoints": work})));
    let (mut hits, mut cut_short) = (1, 0);
    while stop["outcome"] == "stopped" {
        let stepped = stop["thread_id"].clone();
        // Whether another thread is at the breakpoint before the step ends is theirs to say.
        stop = client.ok("debug_step", json!({"mode": "over"}));
        if stop["reason"] == "breakpoint" {
            hits += 1;
            let note = format!("the step on thread {stepped} was interrupted by this stop");
            assert_has(&stop, json!({"breakpoint_ids": [1], "hit_count": hits, "note": note}));
            assert_ne!(stop["thread_id"], stepped);
            cut_short += 1;
        } else if stop["outcome"] == "stopped" {
            assert_eq!(stop["reason"], "step", "{stop}");
            stop = client.ok("debug_continue", json!({}));
            hits += u64::from(stop["reason"] == "breakpoint");
        }
    }
    assert_eq!(hits, 10);
    assert!(cut_short > 0);
    assert_has(&stop, json!({"outcome": "exited", "exit_code": 0, "output": {"stdout": "sum 45\n"}}));
}

fn resumes_of_a_running_program_are_refused(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Traps", &["ticks"], json!({"ready_when": "ticking"})));
    for (tool, arguments) in [
        ("debug_step", json!({"mode": "over"})),
        ("debug_run_to", json!({"file": "Program.cs", "line": bench.line("Traps", "tick")})),
    ] {
        client.error("already_running", tool, arguments);
    }
    for (tool, arguments) in [
        ("variables_get", json!({})),
        ("evaluate", json!({"expression": "1"})),
        ("stacktrace_get", json!({})),
        ("variable_set", json!({"path": "tick", "value": "1"})),
        ("object_inspect", json!({"path": "tick"})),
        ("exception_get_context", json!({})),
    ] {
        client.error("not_stopped", tool, arguments);
    }
    let waiting = client.send("debug_continue", json!({"timeout_ms": 60_000}));
    let end = client.ok("debug_disconnect", json!({}));
    assert_eq!(end["outcome"], "disconnected");
    assert_eq!(waiting.reply().ok()["outcome"], "disconnected");
}

fn a_step_from_what_the_framework_throws_ends_in_its_handler(bench: &Bench) {
    let line = |marker| bench.line_in("Meant", "Parsed.cs", marker);
    for (mode, just_my_code) in [("over", true), ("over", false), ("in", true), ("out", true)] {
        let mut client = bench.client();
        let exceptions = json!({"mode": "thrown", "types": ["System.FormatException"]});
        let settings = json!({"exceptions": exceptions, "just_my_code": just_my_code});
        let thrown = client.ok("debug_launch", bench.launch("Meant", &[], settings));
        assert_has(&thrown, json!({"reason": "exception", "location": {"line": line("parsed"), "frame": 2}}));
        let inner = client.ok("debug_step", json!({"mode": mode}));
        assert_has(&inner, json!({"reason": "step", "location": {"line": line("parsed-finally"), "frame": null}}));
        let outer = client.ok("debug_step", json!({"mode": "over", "count": 3}));
        let caught = json!({"line": line("parsed-catch"), "function": "Parsed.Caught"});
        assert_has(&outer, json!({"reason": "step", "location": caught}));
    }
}

fn passing(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Passing.cs", "line": bench.line_in("Steps", "Passing.cs", marker)}]);
    client.ok("debug_launch", bench.launch("Steps", &["passing"], json!({"breakpoints": breakpoints})));
    client
}

fn a_step_in_enters_what_a_static_constructor_runs_before(bench: &Bench) {
    for (marker, function) in [("static", "Prepared.Plain"), ("static async", "PreparedLater.Later")] {
        let stop = passing(bench, marker).ok("debug_step", json!({"mode": "in"}));
        assert_has(&stop, json!({"reason": "step", "location": {"function": function}}));
    }
}

fn steps_go_through_all_handlers_of_an_event(bench: &Bench) {
    let line = |marker| bench.line_in("Steps", "Passing.cs", marker);
    for mode in ["in", "over"] {
        let mut client = passing(bench, "raise");
        let mut lines = Vec::new();
        for step in 0..20 {
            let mode = if step == 0 { "in" } else { mode };
            let at = client.ok("debug_step", json!({"mode": mode}))["location"]["line"].as_u64().unwrap();
            if at == line("raised") {
                break;
            }
            lines.push(at);
        }
        let wanted = ["once", "twice", "lambda", "once"].map(line);
        let entered: Vec<u64> = lines.into_iter().filter(|at| wanted.contains(at)).collect();
        assert_eq!(entered, wanted, "{mode}");
    }
}
