//! Breakpoints of every kind: which hits stop, what is logged, what is refused.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    conditions_decide_and_a_broken_one_stops_and_says_so;
    hit_conditions_of_every_form_stop_at_the_right_hits;
    tracepoint_and_breakpoint_on_one_line_do_not_disturb_each_other;
    tracepoint_that_a_step_lands_on_is_logged;
    temporary_breakpoint_stops_once;
    function_breakpoint_stops_at_the_function;
    breakpoints_bind_move_and_explain_themselves;
    condition_in_hot_code_can_be_changed_while_it_runs;
    breakpoints_outlive_their_session_and_stay_with_their_program;
    a_breakpoint_does_not_change_what_its_line_computes, "builtin";
}

/// Values of `i` at the stops, until the program ends.
fn stops(client: &mut Client, launch: Value) -> Vec<u64> {
    let mut report = client.ok("debug_launch", launch);
    let mut stops = Vec::new();
    while report["outcome"] == "stopped" {
        let locals = report["locals"].as_array().or_else(|| report["changed"].as_array()).unwrap().clone();
        let i = locals.iter().find(|local| local["name"] == "i").unwrap();
        stops.push(i["value"].as_str().unwrap().parse().unwrap());
        report = client.ok("debug_continue", json!({}));
    }
    assert_has(&report, json!({"outcome": "exited", "exit_code": 7}));
    stops
}

fn at_loop(bench: &Bench, more: Value) -> Value {
    let mut breakpoint = json!({"file": "Program.cs", "line": bench.line("Basics", "loop")});
    for (key, value) in more.as_object().unwrap() {
        breakpoint[key] = value.clone();
    }
    bench.launch("Basics", &[], json!({"breakpoints": [breakpoint], "timeout_ms": 30_000}))
}

fn conditions_decide_and_a_broken_one_stops_and_says_so(bench: &Bench) {
    let mut client = bench.client();
    for (condition, expected) in [
        ("i == 3", vec![3]),
        ("i == 3 && order.Count >= 0", vec![3]),
        ("i > 100", vec![]),
        ("order.Customer.Length == 3 && i >= 3", vec![3, 4]),
        ("order == null", vec![]),
    ] {
        assert_eq!(stops(&mut client, at_loop(bench, json!({"condition": condition}))), expected, "{condition}");
    }
    let stop = client.ok("debug_launch", at_loop(bench, json!({"condition": "nowhere == 1"})));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint"}));
    assert!(stop["note"].as_str().unwrap_or_default().contains("condition"), "{stop}");
    client.ok("debug_disconnect", json!({}));
    client.error("invalid_condition", "debug_launch", at_loop(bench, json!({"condition": "i =="})));
}

fn hit_conditions_of_every_form_stop_at_the_right_hits(bench: &Bench) {
    let mut client = bench.client();
    for (hit_condition, expected) in [
        ("3", vec![2]),
        ("==3", vec![2]),
        (">=4", vec![3, 4]),
        (">3", vec![3, 4]),
        ("<3", vec![0, 1]),
        ("%2", vec![1, 3]),
    ] {
        let launch = at_loop(bench, json!({"hit_condition": hit_condition}));
        assert_eq!(stops(&mut client, launch), expected, "{hit_condition}");
    }
    let launch = at_loop(bench, json!({"hit_condition": "==2", "condition": "i >= 2"}));
    assert_eq!(stops(&mut client, launch), [3], "counted after the condition");
    client.error("invalid_condition", "debug_launch", at_loop(bench, json!({"hit_condition": "often"})));
}

fn tracepoint_and_breakpoint_on_one_line_do_not_disturb_each_other(bench: &Bench) {
    let mut client = bench.client();
    let line = bench.line("Basics", "loop");
    let message = "i={i} {{total}}={order.Total} {order.Customer}";
    client.ok("tracepoint_set", json!({"file": "Program.cs", "line": line, "message": message}));
    let stop = client.ok("debug_launch", at_loop(bench, json!({"condition": "i == 2"})));
    assert_has(
        &stop,
        json!({
            "outcome": "stopped", "reason": "breakpoint", "breakpoint_ids": [2], "hit_count": null,
            "tracepoints": [
                {"id": 1, "text": "i=0 {total}=0 Ada"}, {"id": 1, "text": "i=1 {total}=2.50 Ada"},
                {"id": 1, "text": "i=2 {total}=7.50 Ada"},
            ],
        }),
    );
    let end = client.ok("debug_continue", json!({}));
    assert_has(
        &end,
        json!({"outcome": "exited", "tracepoints": [
        {"text": "i=3 {total}=15.00 Ada"}, {"text": "i=4 {total}=25.00 Ada"}]}),
    );
}

fn tracepoint_that_a_step_lands_on_is_logged(bench: &Bench) {
    let mut client = bench.client();
    let stop = bench.line("Basics", "call");
    client.ok(
        "tracepoint_set",
        json!({"file": "Program.cs", "line": bench.line("Basics", "print"), "message": "{reduced}"}),
    );
    let breakpoints = json!([{"file": "Program.cs", "line": stop}]);
    client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": breakpoints})));
    let step = client.ok("debug_step", json!({"mode": "over"}));
    assert_has(&step, json!({"reason": "step", "tracepoints": [{"id": 1, "text": "33.75"}]}));
}

fn temporary_breakpoint_stops_once(bench: &Bench) {
    let mut client = bench.client();
    assert_eq!(stops(&mut client, at_loop(bench, json!({"temporary": true}))), [0]);
}

fn function_breakpoint_stops_at_the_function(bench: &Bench) {
    let mut client = bench.client();
    for function in ["Program.Discount", "Basics.Program.Discount", "Discount"] {
        let breakpoints = json!([{"function": function}]);
        let stop = client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": breakpoints})));
        assert_has(
            &stop,
            json!({"outcome": "stopped", "reason": "function_breakpoint",
            "location": {"function": "Program.Discount"}}),
        );
        client.ok("debug_disconnect", json!({}));
    }
}

fn breakpoints_bind_move_and_explain_themselves(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Basics", &[], json!({"stop_at_entry": true})));
    let line = |marker| bench.line("Basics", marker);
    let set = |client: &mut Client, more: Value| {
        let mut arguments = json!({"file": "Program.cs"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.call("breakpoint_set", arguments)
    };
    assert_has(
        &set(&mut client, json!({"text": "Total += line.Total"})).ok(),
        json!({"id": 1, "verified": true, "line": line("add")}),
    );
    assert_has(
        &set(&mut client, json!({"line": line("comment")})).ok(),
        json!({"verified": true, "line": line("after-comment"), "requested_line": line("comment")}),
    );
    assert_has(&set(&mut client, json!({"line": 500})).ok(), json!({"verified": false, "why": "no_code"}));
    set(&mut client, json!({"text": "nothing like it"})).error("text_not_found");
    let ambiguous = set(&mut client, json!({"text": "return"})).error("text_ambiguous");
    assert!(ambiguous["details"]["matches"].as_array().unwrap().len() >= 2, "{ambiguous}");
    assert_has(
        &set(&mut client, json!({"text": "return", "line": line("return")})).ok(),
        json!({"line": line("return")}),
    );
    for bad in
        [json!({"line": 0}), json!({"line": -1}), json!({"line": 2_147_483_648_u64}), json!({"line": "x"}), json!({})]
    {
        set(&mut client, bad).error("invalid_argument");
    }
    client.error("file_not_found", "breakpoint_set", json!({"file": "Nowhere.cs", "text": "x"}));
    client.error("breakpoint_not_found", "breakpoint_remove", json!({"id": 99}));
    client.error("breakpoint_not_found", "breakpoint_enable", json!({"id": 99, "enabled": false}));
    client.ok("breakpoint_enable", json!({"id": 1, "enabled": false}));
    let stop = client.ok("debug_continue", json!({}));
    assert_has(&stop, json!({"reason": "breakpoint", "location": {"line": line("after-comment")}}));
}

fn condition_in_hot_code_can_be_changed_while_it_runs(bench: &Bench) {
    let mut client = bench.client();
    let hot = json!({"file": "Program.cs", "line": bench.line("Traps", "hot"), "condition": "number == -1"});
    let running =
        client.ok("debug_launch", bench.launch("Traps", &["hot"], json!({"breakpoints": [&hot], "timeout_ms": 500})));
    assert_eq!(running["outcome"], "still_running", "{running}");
    for _ in 0..5 {
        let set = client.ok(
            "breakpoint_set",
            json!({"file": "Program.cs", "line": bench.line("Traps", "tick"), "condition": "tick == 1"}),
        );
        client.ok("breakpoint_remove", json!({"id": set["id"]}));
    }
    assert_eq!(client.ok("debug_continue", json!({"timeout_ms": 100}))["outcome"], "still_running");
    for _ in 0..3 {
        // by a pause, or for each of two edits: afterwards it runs, for what is set next is hit
        assert_has(&client.ok("debug_pause", json!({})), json!({"outcome": "stopped", "reason": "pause"}));
        assert_eq!(client.ok("debug_continue", json!({"timeout_ms": 100}))["outcome"], "still_running");
        client.ok("breakpoint_remove", json!({"all": true}));
        assert_eq!(client.ok("debug_continue", json!({"timeout_ms": 100}))["outcome"], "still_running");
        client.ok("breakpoint_set", json!({"file": "Program.cs", "line": bench.line("Traps", "hot")}));
        assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "stopped", "reason": "breakpoint"}));
        client.ok("breakpoint_remove", json!({"all": true}));
        client.ok("breakpoint_set", hot.clone());
        assert_eq!(client.ok("debug_continue", json!({"timeout_ms": 300}))["outcome"], "still_running");
    }
}

fn breakpoints_outlive_their_session_and_stay_with_their_program(bench: &Bench) {
    let mut client = bench.client();
    let line = bench.line("Basics", "loop");
    let wanted = json!([{"file": "Program.cs", "line": line}, {"function": "Program.NeverCalled"}]);
    let mut report = client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": wanted})));
    let mut hits = 0;
    while report["outcome"] == "stopped" {
        hits += 1;
        report = client.ok("debug_continue", json!({}));
    }
    let list = client.call("breakpoint_list", json!({}));
    assert!(list.text.contains(&format!(":{line}, hit {hits} times in s1, exited")), "{}", list.text);
    assert!(list.text.contains("never hit in s1, exited"), "{}", list.text);
    let list = list.ok();
    assert_has(
        &list,
        json!({"session_id": "s1", "state": "exited", "breakpoints": [{"id": 1, "hits": hits}, {"id": 2, "hits": 0}]}),
    );

    // another program, whose source has the same name, does not have it
    let other = client.ok("debug_launch", bench.launch("Output", &[], json!({"timeout_ms": 30_000})));
    assert_has(&other, json!({"outcome": "exited"}));
    let listed = other["breakpoints"].as_array().cloned().unwrap_or_default();
    assert!(listed.iter().all(|one| one["id"] != 1), "{other}");

    // the first one has it again, with nothing said
    let again = client.ok("debug_launch", bench.launch("Basics", &[], json!({})));
    assert_has(&again, json!({"outcome": "stopped", "breakpoint_ids": [1], "location": {"line": line}}));
    assert_has(
        &client.ok("breakpoint_list", json!({"session_id": "s1"})),
        json!({"breakpoints": [{"hits": hits}, {}]}),
    );
    assert_has(&client.ok("breakpoint_remove", json!({"all": true})), json!({"removed": [1, 2]}));
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited"}));
    assert_eq!(client.ok("breakpoint_list", json!({}))["breakpoints"], json!([]));
    client.error("breakpoint_not_found", "breakpoint_remove", json!({"id": 1}));
}

/// The runtime executes a copy of the instruction under a breakpoint, and from .NET 10 on with a copy of the static field that is as old as
/// the first hit.
fn a_breakpoint_does_not_change_what_its_line_computes(bench: &Bench) {
    let markers = ["static-added", "static-decremented", "static-compared", "static-summed"];
    for way in [json!({}), json!({"condition": "i == -1"}), json!({"hit_condition": "== 100"})] {
        let mut client = bench.client();
        let breakpoints = markers.map(|marker| {
            let mut breakpoint = way.clone();
            breakpoint["file"] = json!("Within/Program.cs");
            breakpoint["line"] = json!(bench.line("Within", marker));
            breakpoint
        });
        let wanted = json!({"breakpoints": breakpoints, "timeout_ms": 60_000});
        let mut report = client.ok("debug_launch", bench.launch("Within", &["statics"], wanted));
        let mut stops = 0;
        while report["outcome"] == "stopped" && stops < 50 {
            stops += 1;
            report = client.ok("debug_continue", json!({}));
        }
        assert_has(&report, json!({"outcome": "exited", "output": {"stdout": "50 -10 6 275\n"}}));
        assert_eq!(stops, if way == json!({}) { 40 } else { 0 }, "{way}");
    }
}
