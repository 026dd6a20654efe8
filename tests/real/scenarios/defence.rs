//! What kills, deafens or freezes adapters: avoided, or survived at the cost of one session.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has, leftovers};

scenarios! {
    attached_program_is_let_go_from_under_a_hot_condition;
    attached_program_outlives_a_server_that_is_killed_under_a_hot_condition;
    program_killed_under_a_hot_condition_takes_the_adapter_along;
    attached_program_that_nobody_reaps_is_reported_when_it_ends;
    calls_that_deafen_the_adapter_cost_the_session_and_no_more;
    getter_that_never_returns_is_asked_once_and_costs_its_time_alone;
    names_that_nothing_has_kill_nobody;
    files_that_only_symbols_name_are_not_shown;
    call_that_ends_the_program_costs_the_session_and_no_more;
    call_that_overflows_the_stack_is_named;
    condition_that_divides_by_zero_stops_and_says_so;
    string_with_half_a_character_costs_at_most_the_session;
    stack_overflow_of_the_program_holds_up_no_call;
    recording_that_cannot_go_on_costs_itself_and_is_reported_once;
    loops_are_interrupted_without_diagnostics, "builtin";
    a_call_that_cannot_be_interrupted_is_named_and_can_be_ended, "builtin";
    a_program_that_cannot_be_stopped_now_is_stopped_later, "builtin";
    a_loop_without_calls_is_stopped, "builtin";
    a_static_initializer_is_not_aborted, "builtin";
}

fn hot(bench: &Bench) -> Value {
    json!({"file": bench.fixture("Traps/Program.cs"), "line": bench.line("Traps", "hot"), "condition": "number == -1"})
}

/// A program without a debugger that has said its first line.
fn started(bench: &Bench, mode: &str) -> u32 {
    let (pid, stdout) = bench.start_program("Traps", &[mode]);
    let mut said = String::new();
    BufReader::new(stdout).read_line(&mut said).unwrap();
    pid
}

/// A program that was let go a moment ago refuses the next debugger now and then (dncdbg 9 of 1497); the answer says: again.
fn attach(client: &mut Client, pid: u32) {
    let first = client.call("debug_attach", json!({"pid": pid}));
    if first.failed {
        assert!(first.error("attach_failed")["hint"].as_str().unwrap().starts_with("debug_attach again"));
        client.ok("debug_attach", json!({"pid": pid}));
    }
}

/// Whether it can be attached to, and runs: what is set now is hit.
fn is_hit(bench: &Bench, pid: u32) -> bool {
    let mut client = bench.client();
    attach(&mut client, pid);
    let mut bare = hot(bench);
    bare.as_object_mut().unwrap().remove("condition");
    client.ok("breakpoint_set", bare);
    let stop = client.ok("debug_continue", json!({"timeout_ms": 20_000}));
    client.ok("debug_disconnect", json!({}));
    stop["reason"] == "breakpoint"
}

fn attached_program_is_let_go_from_under_a_hot_condition(bench: &Bench) {
    let pid = started(bench, "hot");
    let mut client = bench.client();
    for round in 0..8 {
        attach(&mut client, pid);
        assert_eq!(client.ok("breakpoint_set", hot(bench))["verified"], true);
        client.ok("debug_continue", json!({"timeout_ms": 100 + 30 * round}));
        assert_eq!(client.ok("debug_disconnect", json!({}))["outcome"], "disconnected");
        assert!(bench.runs(pid), "round {round}");
    }
    assert!(is_hit(bench, pid));
}

fn attached_program_outlives_a_server_that_is_killed_under_a_hot_condition(bench: &Bench) {
    let pid = started(bench, "hot");
    for round in 0..6 {
        let mut client = bench.client();
        attach(&mut client, pid);
        assert_eq!(client.ok("breakpoint_set", hot(bench))["verified"], true);
        client.ok("debug_continue", json!({"timeout_ms": 100 + 50 * round}));
        client.end_by(libc::SIGKILL);
        let left = leftovers::settled(|| bench.left());
        assert!(left.is_empty(), "round {round}: {left:?}");
        assert!(is_hit(bench, pid), "round {round}");
    }
}

fn program_killed_under_a_hot_condition_takes_the_adapter_along(bench: &Bench) {
    let mut client = bench.client();
    for _ in 0..3 {
        let launch = bench.launch("Traps", &["hot"], json!({"breakpoints": [hot(bench)], "timeout_ms": 1_000}));
        let running = client.ok("debug_launch", launch);
        assert_eq!(running["outcome"], "still_running");
        leftovers::signal(*client.pids.last().unwrap(), libc::SIGKILL);
        // what dies under a condition may look like a hit first
        let mut end = client.ok("breakpoint_wait", json!({"timeout_ms": 30_000}));
        if end["outcome"] == "stopped" {
            end = client.ok("breakpoint_wait", json!({"since": end["seq"], "timeout_ms": 30_000}));
        }
        assert_has(&end, json!({"outcome": "exited", "signal": "SIGKILL"}));
        let server = format!("process {} ", client.pid());
        let left = leftovers::settled(|| bench.left().into_iter().filter(|it| !it.starts_with(&server)).collect());
        assert!(left.is_empty(), "{left:?}");
    }
}

fn attached_program_that_nobody_reaps_is_reported_when_it_ends(bench: &Bench) {
    let pid = started(bench, "ticks");
    let mut client = bench.client();
    client.ok("debug_attach", json!({"pid": pid}));
    let waiting = client.send("breakpoint_wait", json!({"timeout_ms": 60_000}));
    let began = Instant::now();
    leftovers::signal(pid, libc::SIGKILL);
    assert_eq!(waiting.reply().ok()["outcome"], "exited");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// Stopped at `traps`, evaluates what may not return, and is done with it.
fn evaluated(bench: &Bench, client: &mut Client, expression: &str, more: Value) -> Value {
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Traps", "traps")}]);
    let stop = client.ok("debug_launch", bench.launch("Traps", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped");
    let mut arguments = json!({"expression": expression, "allow_side_effects": true});
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let value = client.call("evaluate", arguments).value;
    let began = Instant::now();
    client.ok("debug_disconnect", json!({}));
    assert!(began.elapsed() < Duration::from_secs(10), "{expression}: ended after {:?}", began.elapsed());
    value
}

fn calls_that_deafen_the_adapter_cost_the_session_and_no_more(bench: &Bench) {
    let mut client = bench.client();
    for expression in ["trap.Endless", "trap.Sleeps()"] {
        let error = evaluated(bench, &mut client, expression, json!({"timeout_ms": 300}));
        assert_eq!(error["code"], "evaluation_timeout", "{expression}: {error}");
    }
    assert_eq!(evaluated(bench, &mut client, "trap.Safe", json!({}))["value"], "1");
}

fn getter_that_never_returns_is_asked_once_and_costs_its_time_alone(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Traps", "traps")}]);
    client.ok("debug_launch", bench.launch("Traps", &[], json!({"breakpoints": breakpoints})));
    let endless = json!({"expression": "trap.Endless", "allow_side_effects": true});
    let error = client.error("evaluation_timeout", "evaluate", endless);
    assert!(error["message"].as_str().unwrap().contains("trap.Endless did not return in time"), "{error}");
    // asked a second time it would have hung the adapter for good
    assert_eq!(client.ok("evaluate", json!({"expression": "trap.Safe"}))["value"], "1");
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

/// In a program of top-level statements, whose type is in no namespace.
fn names_that_nothing_has_kill_nobody(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Effects", "effects")}]);
    client.ok("debug_launch", bench.launch("Effects", &[], json!({"breakpoints": breakpoints})));
    for expression in [
        "Foo",
        "Foo.Bar",
        "Foo()",
        "Foo[0]",
        "Foo?.Bar",
        "shop.Lines[Foo]",
        "shop.Loop(Foo)",
        "\"a\" + Foo",
        "Foo.Bar()",
    ] {
        let asked = json!({"expression": expression, "allow_side_effects": true});
        client.error("evaluation_failed", "evaluate", asked);
    }
    for (expression, said) in [
        ("PureStatics", "error CS0119: 'PureStatics' is a type, which is not valid in the given context"),
        (
            "PureStatics.Nope",
            "error CS0117: 'PureStatics' does not contain a definition for 'Nope'; it has Sum, Numbers",
        ),
        ("System.Math", "error CS0119: 'Math' is a type, which is not valid in the given context"),
        ("Math.Nope", "error CS0117: 'Math' does not contain a definition for 'Nope'; it has "),
    ] {
        let asked = json!({"expression": expression, "allow_side_effects": true});
        let error = client.error("evaluation_failed", "evaluate", asked);
        assert!(error["message"].as_str().unwrap().starts_with(said), "{expression}: {error}");
    }
    for (expression, value) in [("PureStatics.Sum", "6"), ("PureStatics.Numbers[1]", "2"), ("shop.Count", "2")] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

/// .NET 8 waits for such a loop for ever, in an evaluation as in a pause, unless its threads are interrupted.
fn loops_are_interrupted_without_diagnostics(bench: &Bench) {
    if !bench.has_runtime("8.") {
        crate::harness::skip("no .NET 8 runtime");
    }
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Net8", "print")}]);
    let env = json!({"DOTNET_EnableDiagnostics_IPC": "0"});
    client.ok("debug_launch", bench.launch("Net8", &[], json!({"breakpoints": breakpoints, "env": env})));
    let call = json!({"expression": "Endless", "allow_side_effects": true, "timeout_ms": 300});
    client.error("evaluation_timeout", "evaluate", call);
    assert_eq!(client.ok("evaluate", json!({"expression": "number"}))["value"], "20");
    client.ok("debug_disconnect", json!({}));
    let spinning = bench.launch("Net8", &["spin"], json!({"timeout_ms": 1_500, "env": env}));
    assert_eq!(client.ok("debug_launch", spinning)["outcome"], "still_running");
    // one stop soon after the other
    for _ in 0..5 {
        let stop = client.ok("debug_pause", json!({"timeout_ms": 30_000}));
        assert_eq!(stop["location"]["function"], "Program.Spin", "{stop}");
        assert_eq!(client.ok("debug_continue", json!({"timeout_ms": 0}))["outcome"], "still_running");
    }
    client.ok("debug_disconnect", json!({}));
}

/// A suspended process answers nobody.
fn a_call_that_cannot_be_interrupted_is_named_and_can_be_ended(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Called", "called")}]);
    let stop = client.ok("debug_launch", bench.launch("Called", &[], json!({"breakpoints": breakpoints})));
    let pid = u32::try_from(stop["pid"].as_u64().unwrap()).unwrap();
    let before = leftovers::ticks(pid);
    let call = json!({"expression": "Shelf.Endless", "allow_side_effects": true});
    let running = client.send("evaluate", call);
    let begun =
        leftovers::settled(|| if leftovers::ticks(pid) > before + 20 { vec![] } else { vec!["it stands".to_owned()] });
    assert!(begun.is_empty(), "{begun:?}");
    leftovers::suspend(pid);
    let error = running.reply().error("evaluation_timeout");
    assert!(
        error["message"].as_str().unwrap().contains("the program is running in Called.Shelf.get_Endless()"),
        "{error}"
    );
    // it answers still
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "n"}));
    assert!(error["message"].as_str().unwrap().contains("Called.Shelf.get_Endless()"), "{error}");
    client.ok("debug_disconnect", json!({}));
}

fn a_program_that_cannot_be_stopped_now_is_stopped_later(bench: &Bench) {
    let mut client = bench.client();
    let spinning = bench.launch("Called", &["spin"], json!({"timeout_ms": 1_500}));
    let report = client.ok("debug_launch", spinning);
    let pid = u32::try_from(report["pid"].as_u64().unwrap()).unwrap();
    leftovers::suspend(pid);
    for _ in 0..2 {
        let error = client.error("adapter_error", "debug_pause", json!({"timeout_ms": 30_000}));
        assert!(error["message"].as_str().unwrap().contains("did not stop within 3 s"), "{error}");
    }
    leftovers::signal(pid, libc::SIGCONT);
    let stop = client.ok("debug_pause", json!({"timeout_ms": 30_000}));
    assert_eq!(stop["location"]["function"], "Shelf.Spin", "{stop}");
    client.ok("debug_disconnect", json!({}));
}

fn a_loop_without_calls_is_stopped(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Called", "called")}]);
    client.ok("debug_launch", bench.launch("Called", &[], json!({"breakpoints": breakpoints})));
    let call = json!({"expression": "Shelf.Endless", "allow_side_effects": true});
    client.error("evaluation_timeout", "evaluate", call);
    assert_eq!(client.ok("evaluate", json!({"expression": "n"}))["value"], "5");
    // an aborted call leaves its thread as it was: the next one is interrupted too
    let again = json!({"expression": "Shelf.Endless", "allow_side_effects": true, "timeout_ms": 300});
    for _ in 0..2 {
        let began = Instant::now();
        client.error("evaluation_timeout", "evaluate", again.clone());
        assert!(began.elapsed() < Duration::from_secs(3), "ended after {:?}", began.elapsed());
        assert_eq!(client.ok("evaluate", json!({"expression": "n"}))["value"], "5");
    }
    client.ok("debug_disconnect", json!({}));
    let spinning = bench.launch("Called", &["spin"], json!({"timeout_ms": 1_500}));
    assert_eq!(client.ok("debug_launch", spinning)["outcome"], "still_running");
    let stop = client.ok("debug_pause", json!({"timeout_ms": 30_000}));
    assert_eq!(stop["location"]["function"], "Shelf.Spin", "{stop}");
    client.ok("debug_disconnect", json!({}));
}

/// Its type would be lost to the program.
fn a_static_initializer_is_not_aborted(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Unready", "finish")}]);
    client.ok("debug_launch", bench.launch("Unready", &[], json!({"breakpoints": breakpoints, "stdin": "pipe"})));
    let call = json!({"expression": "Table.Size", "allow_side_effects": true, "timeout_ms": 300});
    let error = client.error("evaluation_timeout", "evaluate", call);
    assert!(error["message"].as_str().unwrap().contains("it is still running in the program"), "{error}");
    assert_has(&client.ok("debug_continue", json!({"timeout_ms": 0})), json!({"outcome": "still_running"}));
    client.ok("process_write_input", json!({"data": "go\n"}));
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 5}));
}

/// `#line 1 "/etc/passwd"`: symbols are the program's word, and say nothing of what may be read.
fn files_that_only_symbols_name_are_not_shown(bench: &Bench) {
    const FOREIGN: &str = "/etc/passwd";
    let mut client = bench.client();
    let breakpoints = json!([{"function": "Foreign.Run"}, {"file": FOREIGN, "line": 1}, {"file": "Program.cs", "line": bench.line("Callbacks", "callbacks")}]);
    client.ok("debug_launch", bench.launch("Callbacks", &[], json!({"breakpoints": breakpoints})));
    let error = client.error("path_not_allowed", "source_get", json!({"file": FOREIGN}));
    assert!(error["message"].as_str().unwrap().contains("no PDB of the program has its hash"), "{error}");
    client.error("path_not_allowed", "breakpoint_set", json!({"file": FOREIGN, "text": "root"}));
    assert_has(
        &client.ok("debug_continue", json!({})),
        json!({"outcome": "stopped", "location": {"file": "Foreign.cs"}}),
    );
    // builtin stops there, netcoredbg passes it by
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    let lines = std::fs::read_to_string(FOREIGN).unwrap();
    let shown = [stop.to_string(), client.ok("breakpoint_list", json!({})).to_string()].concat();
    assert!(!shown.contains(lines.lines().next().unwrap()), "{shown}");
    // another file that lies beside it is as far away as before
    client.error("path_not_allowed", "source_get", json!({"file": "/etc/hostname"}));
}

fn call_that_ends_the_program_costs_the_session_and_no_more(bench: &Bench) {
    let mut client = bench.client();
    let error = evaluated(bench, &mut client, "trap.Dies()", json!({"timeout_ms": 60_000}));
    assert!(["adapter_lost", "not_running"].contains(&error["code"].as_str().unwrap_or_default()), "{error}");
    is_the_evaluations(&error, "trap.Dies()");
    assert_eq!(evaluated(bench, &mut client, "trap.Safe", json!({}))["value"], "1");
}

fn call_that_overflows_the_stack_is_named(bench: &Bench) {
    let mut client = bench.client();
    let error = evaluated(bench, &mut client, "trap.Overflows(0)", json!({"timeout_ms": 60_000}));
    is_the_evaluations(&error, "trap.Overflows(0)");
    if error["code"] == "not_running" {
        assert!(error["message"].as_str().unwrap().ends_with("killed by SIGABRT (stack overflow)"), "{error}");
    }
}

fn condition_that_divides_by_zero_stops_and_says_so(bench: &Bench) {
    let mut client = bench.client();
    let line = bench.line("Traps", "traps");
    let breakpoints = json!([{"file": "Program.cs", "line": line, "condition": "10 / zero == 3"}]);
    let stop = client.ok("debug_launch", bench.launch("Traps", &[], json!({"breakpoints": breakpoints})));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint"}));
    assert!(stop["note"].as_str().unwrap().contains("DivideByZeroException"), "{stop}");
    assert_eq!(client.ok("evaluate", json!({"expression": "trap.Safe"}))["value"], "1");
}

/// Whoever reads the error must see that the call ended the program, not a fault of its own.
fn is_the_evaluations(error: &Value, expression: &str) {
    assert!(error["message"].as_str().unwrap().contains(expression), "{error}");
    assert!(error["hint"].as_str().unwrap().contains("do not evaluate"), "{error}");
}

fn string_with_half_a_character_costs_at_most_the_session(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Traps", "half")}]);
    let reply = client.call("debug_launch", bench.launch("Traps", &["surrogate"], json!({"breakpoints": breakpoints})));
    if bench.is_netcoredbg() {
        let lost = reply.error("adapter_lost");
        assert!(lost.to_string().contains("SIGABRT"), "{lost}");
    } else {
        assert_has(&reply.ok(), json!({"outcome": "stopped", "reason": "breakpoint"}));
        client.ok("debug_disconnect", json!({}));
    }
    assert_eq!(evaluated(bench, &mut client, "trap.Safe", json!({}))["value"], "1");
}

fn stack_overflow_of_the_program_holds_up_no_call(bench: &Bench) {
    let mut client = bench.client();
    let began = Instant::now();
    client.ok("debug_launch", bench.launch("Recursion", &["-1"], json!({"timeout_ms": 3_000})));
    client.ok("debug_continue", json!({"timeout_ms": 3_000}));
    client.ok("debug_disconnect", json!({}));
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

fn recording_that_cannot_go_on_costs_itself_and_is_reported_once(bench: &Bench) {
    let mut client = bench.client_with(&["--record", "/dev/full"]);
    let refused = client.error("launch_failed", "debug_launch", bench.launch("Basics", &[], json!({})));
    assert!(refused["message"].as_str().unwrap().contains("No space left"), "{refused}");

    // a pipe whose reader goes behind the first line refuses the others, as a disk does that is full by then
    let pipe = bench.folder().join("talk.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let path = pipe.clone();
    std::thread::spawn(move || {
        let mut header = String::new();
        BufReader::new(std::fs::File::open(path).unwrap()).read_line(&mut header).unwrap();
    });
    let mut client = bench.client_with(&["--record", pipe.to_str().unwrap()]);
    let mut report = client.ok("debug_launch", bench.launch("Basics", &[], json!({"stop_at_entry": true})));
    let mut shown = 0;
    for _ in 0..4 {
        shown += usize::from(report["note"].as_str().is_some_and(|note| note.contains("the recording stopped: ")));
        assert_eq!(report["outcome"], "stopped");
        report = client.ok("debug_step", json!({"mode": "over"}));
    }
    assert_eq!(shown, 1);
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 7, "note": null}));
}
