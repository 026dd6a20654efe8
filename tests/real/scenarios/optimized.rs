//! Where optimized code stands, compared with what the program's own stack traces say.

use std::io::{BufRead, BufReader};

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    callers_stand_at_their_calls_in_optimized_code, "builtin";
    a_fault_in_optimized_code_stands_at_its_own_statement, "builtin";
    what_optimized_code_does_not_keep_across_an_await_is_not_a_default, "builtin";
    a_line_that_optimized_code_has_dropped_is_not_verified, "builtin";
    a_variable_that_optimized_code_does_not_keep_is_named_as_such, "builtin";
    a_line_that_optimized_code_ran_without_a_place_is_not_said_to_be_unreached, "builtin";
    a_delegate_that_optimized_code_does_not_keep_is_named_as_such, "builtin";
}

fn launched(bench: &Bench, more: Value) -> (Client, Value) {
    launched_of(bench, ("Optimized", &[]), more)
}

fn launched_of(bench: &Bench, (fixture, arguments): (&str, &[&str]), more: Value) -> (Client, Value) {
    let mut client = bench.client();
    let mut launch = bench.launch(fixture, arguments, more);
    launch["just_my_code"] = json!(false);
    let stop = client.ok("debug_launch", launch);
    (client, stop)
}

/// The lines of the frames that have a source, behind the first.
fn lines(frames: &Value) -> Vec<u64> {
    let places = frames.as_array().into_iter().flatten().filter_map(|frame| frame["at"].as_str());
    let lines = places.filter_map(|at| at.strip_prefix("Program.cs:")?.parse().ok());
    lines.collect()
}

fn callers_stand_at_their_calls_in_optimized_code(bench: &Bench) {
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Optimized", "stand")}]);
    let (mut client, mut stop) = launched(bench, json!({"breakpoints": breakpoints}));
    let mut stops = 0;
    while stop["outcome"] == "stopped" {
        let own = client.ok("evaluate", json!({"expression": "s_lines"}))["value"].clone();
        let own: Vec<u64> =
            own.as_str().unwrap().trim_matches('"').split(' ').filter_map(|line| line.parse().ok()).collect();
        let stack = client.ok("stacktrace_get", json!({"max_frames": 50}));
        let found = lines(&stack["frames"]);
        assert_eq!(found.get(1..).unwrap_or_default(), own, "{stack}");
        assert!(own.len() >= 2, "{stack}");
        stops += 1;
        stop = client.ok("debug_continue", json!({}));
    }
    // four calls in each of three, and one before the fault
    assert_eq!(stops, 13, "{stop}");
}

fn a_fault_in_optimized_code_stands_at_its_own_statement(bench: &Bench) {
    let caught = json!([{"file": "Program.cs", "line": bench.line("Optimized", "caught")}]);
    let (mut client, stop) = launched(bench, json!({"exceptions": {"mode": "thrown"}, "breakpoints": caught}));
    let line = bench.line("Optimized", "fault");
    assert_has(&stop, json!({"reason": "exception", "location": {"line": line}}));
    let stack = client.ok("stacktrace_get", json!({}));
    let trace = client.ok("evaluate", json!({"expression": "$exception.StackTrace"}))["value"].clone();
    assert!(trace.as_str().unwrap().contains(&format!("Program.cs:line {}", lines(&stack["frames"])[0])), "{trace}");
    // as the program has it, which asked the runtime
    client.ok("debug_continue", json!({}));
    let same = client.ok("evaluate", json!({"expression": "$exception.StackTrace == s_lines && s_lines.Length > 0"}));
    assert_eq!(same["value"], "true");
}

/// In place of what is gone.
const LOST: &str = "lost when the method was suspended";

fn what_optimized_code_does_not_keep_across_an_await_is_not_a_default(bench: &Bench) {
    let places = ["passed", "resumed", "written", "again", "yielding", "yielded", "streaming", "streamed", "handled"];
    let at = |name: &str| json!({"file": "Program.cs", "line": bench.line("Optimized", name)});
    let mut breakpoints: Vec<Value> = places.iter().map(|name| at(name)).collect();
    // not zero by chance
    breakpoints[1]["condition"] = json!("before == 0");
    let (mut client, mut stop) = launched(bench, json!({"breakpoints": breakpoints}));
    for (place, variables) in [
        // the method did not have to wait
        ("passed", vec![("nothing", "0"), ("before", "5"), ("text", "\"text4\"")]),
        ("resumed", vec![("number", "4"), ("nothing", LOST), ("before", LOST), ("text", LOST), ("later", "0")]),
        ("written", vec![("before", LOST), ("later", "6"), ("kept", "7")]),
        ("again", vec![("later", LOST), ("kept", "7")]),
        ("yielding", vec![("twice", "1")]),
        ("yielded", vec![("i", "0"), ("twice", LOST)]),
        ("yielding", vec![("twice", "3")]),
        ("yielded", vec![("i", "1"), ("twice", LOST)]),
        ("streaming", vec![("twice", "4")]),
        ("streamed", vec![("twice", LOST)]),
        ("handled", vec![("caught", LOST), ("inner", LOST)]),
    ] {
        assert_has(&stop, json!({"location": {"line": bench.line("Optimized", place)}}));
        for (name, value) in variables {
            let listed = stop["locals"].as_array().unwrap().iter().find(|local| local["name"] == name).unwrap().clone();
            let shown = if value == LOST { &listed["error"] } else { &listed["value"] };
            assert!(shown.as_str().is_some_and(|shown| shown.contains(value)), "{place} {name}: {listed}");
            match value {
                LOST => {
                    let refused = client.error(
                        "evaluation_failed",
                        "evaluate",
                        json!({"expression": format!("{name} == default")}),
                    );
                    assert!(refused["message"].as_str().unwrap().contains(LOST), "{refused}");
                    assert!(refused["hint"].as_str().unwrap().starts_with("stop before the"), "{refused}");
                }
                value => assert_has(&client.ok("evaluate", json!({"expression": name})), json!({"value": value})),
            }
        }
        stop = client.ok("debug_continue", json!({}));
    }
}

fn a_line_that_optimized_code_has_dropped_is_not_verified(bench: &Bench) {
    let (pid, stdout) = bench.start_program("Optimized", &["turns"]);
    // it has run the method, so that is compiled
    let mut said = String::new();
    BufReader::new(stdout).read_line(&mut said).unwrap();
    let mut client = bench.client();
    client.ok("debug_attach", json!({"pid": pid, "just_my_code": false}));
    let place =
        |name: &str| json!({"file": bench.fixture("Optimized/Program.cs"), "line": bench.line("Optimized", name)});
    let set = client.ok("breakpoint_set", place("dropped"));
    assert_has(&set, json!({"verified": false, "why": "optimized"}));
    let words = set["message"].as_str().unwrap();
    let other = words.strip_prefix("the compiled code has no place for this line: it is optimized; line ");
    let other: u64 = other.and_then(|words| words.strip_suffix(" has one")?.parse().ok()).expect(words);
    let explained = client.ok("breakpoint_explain", json!({"id": set["id"]}));
    assert_has(&explained, json!({"verdict": "optimized", "message": words}));
    for line in [bench.line("Optimized", "begin"), other] {
        let there = json!({"file": bench.fixture("Optimized/Program.cs"), "line": line});
        assert_has(&client.ok("breakpoint_set", there), json!({"verified": true}));
        let stop = client.ok("debug_continue", json!({"timeout_ms": 20_000}));
        assert_has(&stop, json!({"location": {"line": line}}));
    }
}

fn a_variable_that_optimized_code_does_not_keep_is_named_as_such(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Folded", "folded")}]);
    let launch = bench.launch("Folded", &[], json!({"breakpoints": breakpoints, "just_my_code": false}));
    client.ok("debug_launch", launch);
    for (name, words) in [
        (
            "twice",
            "error CS0103: the name 'twice' does not exist in this optimized code, though its source has it; in scope: args",
        ),
        ("thrice", "error CS0103: the name 'thrice' does not exist; in scope: args"),
    ] {
        assert_eq!(client.error("evaluation_failed", "evaluate", json!({"expression": name}))["message"], words);
    }
}

fn a_line_that_optimized_code_ran_without_a_place_is_not_said_to_be_unreached(bench: &Bench) {
    let line = bench.line_in("Folded", "Placeless.cs", "placeless");
    let breakpoints = json!([{"file": "Placeless.cs", "line": line}]);
    let (mut client, end) = launched_of(bench, ("Folded", &["dropped"]), json!({"breakpoints": breakpoints}));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    let explained = client.ok("breakpoint_explain", json!({"id": 1}));
    let words = "it was verified, but either its line in Placeless.Begin never ran, or the optimized code of \
                 Folded.dll ran it without a place to stop at";
    assert!(explained["message"].as_str().unwrap().ends_with(words), "{explained}");
}

fn a_delegate_that_optimized_code_does_not_keep_is_named_as_such(bench: &Bench) {
    let line = bench.line_in("Folded", "Delegates.cs", "delegate");
    let breakpoints = json!([{"file": "Delegates.cs", "line": line}]);
    let (mut client, _) = launched_of(bench, ("Folded", &["dropped"]), json!({"breakpoints": breakpoints}));
    for (name, words) in [
        ("trimmed", "error CS0103: the name 'trimmed' does not exist in this optimized code, though its source has it"),
        // a name of the source that is no variable
        ("GetResult", "error CS0103: The name 'GetResult' does not exist in the current context"),
    ] {
        let call = json!({"expression": format!("{name}()"), "allow_side_effects": true});
        let error = client.error("evaluation_failed", "evaluate", call);
        assert!(error["message"].as_str().unwrap().starts_with(words), "{name}: {error}");
    }
}
