//! What kills, deafens or freezes other adapters (vendor-notes.md, dangers), asked of our own adapter without a server before it.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::scenarios;
use crate::adapter::Adapter;
use crate::real::Bench;

scenarios! {
    requests_that_are_none_leave_the_adapter_and_the_next_request_alone, "builtin";
    breakpoints_change_under_a_hot_condition_without_a_pause, "builtin";
    a_program_is_let_go_and_ended_under_a_hot_condition, "builtin";
    an_adapter_refuses_a_second_program_and_debugs_the_first, "builtin";
    endless_calls_are_ended_without_a_thread_that_the_debugger_does_not_know, "builtin";
}

fn file(bench: &Bench) -> PathBuf {
    bench.fixture("Traps").join("Program.cs")
}

fn hot(bench: &Bench, condition: &str) -> Value {
    json!([{"line": bench.line("Traps", "hot"), "condition": condition}])
}

fn launched(bench: &Bench, mode: &str, breakpoints: Value) -> Adapter {
    let mut adapter = Adapter::start(bench.adapter_command());
    adapter.launch(&bench.built("Traps", "Traps.dll"), &[mode], &[(&file(bench), breakpoints)], json!({}));
    adapter
}

/// Without a debugger; it has written its first line.
fn running(bench: &Bench) -> u32 {
    let (pid, stdout) = bench.start_program("Traps", &["hot"]);
    BufReader::new(stdout).read_line(&mut String::new()).unwrap();
    pid
}

/// A program that was let go a moment ago refuses the next debugger now and then.
fn attached(bench: &Bench, pid: u32, breakpoints: Value) -> Adapter {
    let begun = || {
        let mut adapter = Adapter::start(bench.adapter_command());
        adapter.ok("attach", json!({"processId": pid}));
        let source = json!({"path": file(bench)});
        adapter.ok("setBreakpoints", json!({"source": source, "breakpoints": &breakpoints}));
        let request = adapter.send("configurationDone", json!({}));
        let response = adapter.response(request);
        (adapter, response)
    };
    match begun() {
        (adapter, response) if response["success"] == true => adapter,
        (_, first) => {
            let (adapter, second) = begun();
            assert_eq!(second["success"], true, "{first} {second}");
            adapter
        }
    }
}

fn set(adapter: &mut Adapter, bench: &Bench, breakpoints: Value) {
    let source = json!({"path": file(bench)});
    let set = adapter.ok("setBreakpoints", json!({"source": source, "breakpoints": breakpoints}));
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
}

fn requests_that_are_none_leave_the_adapter_and_the_next_request_alone(bench: &Bench) {
    let mut adapter = launched(bench, "traps", json!([{"line": bench.line("Traps", "traps")}]));
    let stop = adapter.event("stopped");
    let frame = adapter.top(&stop)["id"].clone();
    let request = json!({"seq": 1_000, "type": "request", "command": "threads"}).to_string();
    let mut written =
        b"Content-Length: 0\r\n\r\nContent-Length: 4\r\n\r\n\xff\xfe{}Content-Length: 4\r\n\r\nnull".to_vec();
    written.extend(format!("content-length:{}\r\nX-Other: 1\r\n\r\n{request}", request.len()).bytes());
    adapter.raw(&written);
    assert_eq!(adapter.response(1_000)["success"], true);
    for (command, arguments) in [
        ("evaluate", json!({"expression": "1 / zero", "frameId": frame})),
        ("evaluate", json!({"expression": null, "frameId": frame})),
        ("evaluate", json!({"expression": "trap.Nope", "frameId": -1})),
        ("stackTrace", json!({"threadId": "x"})),
        ("setBreakpoints", json!({"source": null, "breakpoints": [{"line": -1}]})),
        ("nonsense", json!({})),
    ] {
        let words = adapter.refusal(command, arguments);
        assert!(!words.is_empty(), "{command}");
    }
    assert_eq!(adapter.ok("evaluate", json!({"expression": "text", "frameId": frame}))["result"], "\"hello\"");
    assert_eq!(adapter.finish(&stop), 0);
    let mut adapter = Adapter::start(bench.adapter_command());
    let words = adapter.refusal("attach", json!({"processId": "abc"}));
    assert!(words.contains("processId is not a number"), "{words}");
    let pid = running(bench);
    adapter.ok("attach", json!({"processId": pid.to_string()}));
    adapter.ok("configurationDone", json!({}));
    assert_eq!(adapter.event("process")["systemProcessId"], pid);
}

fn breakpoints_change_under_a_hot_condition_without_a_pause(bench: &Bench) {
    let mut adapter = launched(bench, "hot", hot(bench, "number == 1"));
    let stop = adapter.event("stopped");
    set(&mut adapter, bench, hot(bench, "number == -1"));
    adapter.ok("continue", json!({"threadId": stop["threadId"]}));
    for round in 2..40 {
        set(&mut adapter, bench, hot(bench, &format!("number == -{round}")));
    }
    adapter.ok("setBreakpoints", json!({"source": {"path": file(bench)}, "breakpoints": []}));
    set(&mut adapter, bench, hot(bench, "number > 0"));
    let stop = adapter.event("stopped");
    assert_eq!(stop["reason"], "breakpoint", "{stop}");
    set(&mut adapter, bench, hot(bench, "number == -1"));
    adapter.ok("continue", json!({"threadId": stop["threadId"]}));
    adapter.ok("pause", json!({"threadId": stop["threadId"]}));
    assert_eq!(adapter.event("stopped")["reason"], "pause");
}

fn a_program_is_let_go_and_ended_under_a_hot_condition(bench: &Bench) {
    let pid = running(bench);
    for _ in 0..6 {
        let mut adapter = attached(bench, pid, hot(bench, "number == -1"));
        adapter.ok("threads", json!({}));
        adapter.ok("disconnect", json!({"terminateDebuggee": false}));
        assert!(bench.runs(pid));
        // by the end of its input alone
        drop(attached(bench, pid, hot(bench, "number == -1")));
        assert!(bench.runs(pid));
    }
    let mut adapter = attached(bench, pid, hot(bench, "number > 0"));
    assert_eq!(adapter.event("stopped")["reason"], "breakpoint");
    set(&mut adapter, bench, hot(bench, "number == -1"));
    adapter.ok("continue", json!({"threadId": 0}));
    adapter.ok("terminate", json!({}));
    adapter.event("terminated");
    let mut adapter = launched(bench, "hot", hot(bench, "number == 1"));
    let stop = adapter.event("stopped");
    set(&mut adapter, bench, hot(bench, "number == -1"));
    adapter.ok("continue", json!({"threadId": stop["threadId"]}));
    adapter.ok("terminate", json!({}));
    adapter.event("exited");
}

fn an_adapter_refuses_a_second_program_and_debugs_the_first(bench: &Bench) {
    let mut adapter = launched(bench, "traps", json!([{"line": bench.line("Traps", "traps")}]));
    let stop = adapter.event("stopped");
    for (command, arguments) in
        [("launch", json!({"program": bench.built("Traps", "Traps.dll")})), ("attach", json!({"processId": 1}))]
    {
        let words = adapter.refusal(command, arguments);
        assert!(words.contains("start another adapter"), "{command}: {words}");
    }
    assert_eq!(adapter.finish(&stop), 0);
}

fn endless_calls_are_ended_without_a_thread_that_the_debugger_does_not_know(bench: &Bench) {
    if bench.framework() == "net8.0" {
        crate::harness::skip("this runtime interrupts a loop only for its sample profiler, which has such a thread");
    }
    let mut adapter = launched(bench, "traps", json!([{"line": bench.line("Traps", "traps")}]));
    let stop = adapter.event("stopped");
    let frame = adapter.top(&stop)["id"].clone();
    for expression in ["trap.Endless", "trap.Loops()", "trap.Endless"] {
        let endless = json!({"expression": expression, "frameId": frame, "timeLimit": 300});
        let words = adapter.refusal("evaluate", endless);
        assert!(words.contains("timed out"), "{words}");
    }
    assert_eq!(adapter.finish(&stop), 0);
    let is_exit = |it: &Value| it["event"] == "thread" && it["body"]["reason"] == "exited";
    let exits: Vec<Value> = adapter.arrived().into_iter().filter(is_exit).collect();
    assert!(exits.is_empty(), "the runtime's library gives up on threads that it does not know: {exits:?}");
}
