//! Hits are counted exactly, by whom ever: the adapter where it decides hit conditions itself, else us.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::client::Client;
use crate::real::{Bench, assert_has};

scenarios! {
    breakpoints_that_are_hit_at_once_have_counts_of_their_own;
    hits_that_do_not_count_cost_no_stop, "builtin";
    what_was_counted_is_known_after_the_end;
    a_function_is_counted_as_its_line_is;
    no_hit_is_lost_or_doubled_while_breakpoints_change;
    a_changed_hit_condition_counts_from_its_change_on;
}

fn hot(bench: &Bench, more: Value) -> Value {
    let mut breakpoint = json!({"file": "Program.cs", "line": bench.line("Traps", "hot")});
    breakpoint.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    breakpoint
}

fn launched(bench: &Bench, breakpoint: &Value, timeout_ms: u64) -> (Client, Value) {
    let mut client = bench.client();
    let launch = bench.launch("Traps", &["hot"], json!({"breakpoints": [breakpoint], "timeout_ms": timeout_ms}));
    let report = client.ok("debug_launch", launch);
    (client, report)
}

/// Calls of the function before this one.
fn number(client: &mut Client) -> u64 {
    client.ok("evaluate", json!({"expression": "number"}))["value"]
        .as_str()
        .unwrap()
        .trim_end_matches('L')
        .parse()
        .unwrap()
}

fn hits(client: &mut Client, id: u64) -> u64 {
    let list = client.ok("breakpoint_list", json!({}));
    let one = list["breakpoints"].as_array().unwrap().iter().find(|one| one["id"] == id).cloned();
    one.unwrap_or_else(|| panic!("no breakpoint {id} in {list}"))["hits"].as_u64().unwrap_or(0)
}

fn hits_that_do_not_count_cost_no_stop(bench: &Bench) {
    let (mut client, stop) = launched(bench, &hot(bench, json!({"hit_condition": ">=800"})), 60_000);
    assert_has(&stop, json!({"reason": "breakpoint", "breakpoint_ids": [1], "hit_count": 800}));
    assert_eq!(number(&mut client), 799);
    // every stop takes a number, whether or not anybody hears of it
    let latest = client.ok("debug_query_events", json!({}))["latest_seq"].as_u64().unwrap();
    assert!(latest < 200, "{latest} events");
    let next = client.ok("debug_continue", json!({}));
    assert_has(&next, json!({"reason": "breakpoint", "hit_count": 801}));
}

fn what_was_counted_is_known_after_the_end(bench: &Bench) {
    let mut client = bench.client();
    let line = bench.line("Basics", "loop");
    let breakpoints = json!([
        {"file": "Program.cs", "line": line, "hit_condition": ">=100", "condition": "i > 1"},
        {"file": "Program.cs", "line": bench.line("Basics", "print"), "hit_condition": ">=100"},
    ]);
    let end = client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": breakpoints})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 7}));
    assert_eq!((hits(&mut client, 1), hits(&mut client, 2)), (3, 1));
    let end = client.ok("debug_restart", json!({}));
    assert_has(&end, json!({"outcome": "exited"}));
    assert_eq!((hits(&mut client, 1), hits(&mut client, 2)), (3, 1), "of the last run");
    // nothing is said of the runs before, and that is said
    client.ok("breakpoint_enable", json!({"id": 1, "enabled": false}));
    client.ok("debug_restart", json!({}));
    let list = client.call("breakpoint_list", json!({}));
    assert!(list.text.contains(", never hit since the restart in s1, exited"), "{}", list.text);
    assert_has(&list.ok()["breakpoints"][0], json!({"hits": 0, "since_restart": true}));
}

fn a_function_is_counted_as_its_line_is(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"function": "Program.Hot", "hit_condition": "%50"}]);
    let launch = bench.launch("Traps", &["hot"], json!({"breakpoints": breakpoints, "timeout_ms": 60_000}));
    let stop = client.ok("debug_launch", launch);
    assert_has(&stop, json!({"reason": "function_breakpoint", "breakpoint_ids": [1], "hit_count": 50}));
    assert_eq!(number(&mut client), 49);
    assert_has(&client.ok("debug_continue", json!({})), json!({"reason": "function_breakpoint", "hit_count": 100}));
    assert_eq!(number(&mut client), 99);
}

fn no_hit_is_lost_or_doubled_while_breakpoints_change(bench: &Bench) {
    let counted = hot(bench, json!({"hit_condition": ">=1000000000"}));
    let (mut client, report) = launched(bench, &counted, 100);
    assert_eq!(report["outcome"], "still_running");
    for round in 0..2 {
        // on the same line, which then is everybody's, and on another one; with conditions an edit pauses the program, else it does not
        let (mut shared, mut elsewhere) = (json!({"message": "x"}), json!({"line": bench.line("Traps", "tick")}));
        if round % 2 == 1 {
            shared["condition"] = json!("number == -1");
            elsewhere["condition"] = json!("tick == 1");
        }
        elsewhere["file"] = json!("Program.cs");
        let shared = client.ok("tracepoint_set", hot(bench, shared));
        let other = client.ok("breakpoint_set", elsewhere);
        client.ok("breakpoint_wait", json!({"timeout_ms": 40}));
        client.ok("breakpoint_remove", json!({"id": shared["id"]}));
        client.ok("breakpoint_remove", json!({"id": other["id"]}));
        client.ok("breakpoint_wait", json!({"timeout_ms": 40}));
        client.ok("breakpoint_set", json!({"function": "Program.Hot", "temporary": true}));
        let stop = client.ok("debug_continue", json!({}));
        assert_eq!(stop["reason"], "function_breakpoint", "{stop}");
        assert_eq!(hits(&mut client, 1), number(&mut client), "round {round}");
        let on = client.ok("debug_continue", json!({"timeout_ms": 0}));
        assert_eq!(on["outcome"], "still_running", "{on}");
    }
}

fn a_changed_hit_condition_counts_from_its_change_on(bench: &Bench) {
    let (mut client, stop) = launched(bench, &hot(bench, json!({"hit_condition": "5"})), 30_000);
    assert_has(&stop, json!({"hit_count": 5}));
    client.ok("breakpoint_set", hot(bench, json!({"hit_condition": "7"})));
    assert_eq!(hits(&mut client, 1), 0);
    let stop = client.ok("debug_continue", json!({}));
    assert_has(&stop, json!({"breakpoint_ids": [1], "hit_count": 7}));
    assert_eq!(number(&mut client), 11);
    client.ok("breakpoint_enable", json!({"id": 1, "enabled": false}));
    client.ok("breakpoint_enable", json!({"id": 1, "enabled": true}));
    client.ok("debug_continue", json!({"timeout_ms": 200}));
    assert!(hits(&mut client, 1) > 7, "it goes on where it was");
}

fn breakpoints_that_are_hit_at_once_have_counts_of_their_own(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Chosen.cs", "line": bench.line_in("Steps", "Chosen.cs", "counted")}]);
    let stop = client.ok("debug_launch", bench.launch("Steps", &["chosen"], json!({"breakpoints": breakpoints})));
    assert_has(&stop, json!({"breakpoint_ids": [1], "hit_count": null, "hit_counts": null}));
    client.ok("breakpoint_set", json!({"function": "Chosen.Counted"}));
    let stop = client.ok("debug_continue", json!({}));
    assert_has(&stop, json!({"breakpoint_ids": [1, 2], "hit_count": null, "hit_counts": [2, 1]}));
    let text = client.call("debug_continue", json!({})).text;
    assert!(text.contains(" 1 (hit count 3) 2 (hit count 2)"), "{text}");
}
