//! What threads wait for and who holds it, compared with what the program says of itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    threads_show_what_they_wait_for_and_who_holds_it, "builtin";
    threads_that_wait_for_each_other_are_a_deadlock, "builtin";
    a_running_program_is_paused_for_its_waits_and_runs_again, "builtin";
}

/// `thread=Type owner` of each wait, as the program writes it.
fn reported(list: &Value) -> BTreeSet<String> {
    let mut names = BTreeMap::new();
    for group in list["threads"].as_array().unwrap() {
        let ids = group["ids"].as_array().unwrap().iter().map(|id| id.as_i64().unwrap());
        for (at, id) in ids.enumerate() {
            names.insert(id, group["names"][at].as_str().unwrap_or_default().to_owned());
        }
    }
    let mut reported = BTreeSet::new();
    for wait in list["waits"].as_array().into_iter().flatten() {
        let object = as_written(wait["waits_for"].as_str().unwrap());
        let owner = ["held_by", "run_by", "awaits_thread"].iter().find_map(|field| wait[field].as_i64());
        let owner = owner.map_or("-", |id| names[&id].as_str());
        for id in wait["ids"].as_array().unwrap() {
            reported.insert(format!("{}={object} {owner}", names[&id.as_i64().unwrap()]));
        }
    }
    reported
}

/// Without what only the debugger knows: the kind, names such as @1, the state of a task.
fn as_written(waits_for: &str) -> String {
    if let Some(thread) = waits_for.strip_suffix(" to end") {
        return thread.splitn(3, ' ').nth(2).unwrap().to_owned();
    }
    let (objects, detail) = waits_for.split_once(" (").unwrap_or((waits_for, ""));
    let several = ["any of", "all of"].into_iter().find(|several| objects.starts_with(several));
    let types = objects.split(", ").map(|object| object.split(" @").next().unwrap().rsplit(' ').next().unwrap());
    let mut written: Vec<String> = several.iter().map(|several| (*several).to_owned()).collect();
    written.push(types.collect::<Vec<_>>().join(" and "));
    let states = ["WaitingForActivation", "Running", "WaitingToRun"];
    let details = detail.trim_end_matches(')').split(", ").filter(|it| !it.is_empty() && !states.contains(it));
    written.extend(details.map(|detail| format!("({detail})")));
    written.join(" ")
}

/// All of it: a stop shows the end.
fn truth(bench: &Bench, client: &mut Client) -> BTreeSet<String> {
    let output = client.ok("process_read_output", json!({"max_chars": 10_000}));
    let waits = output["stdout"].as_str().unwrap().trim().split(", ");
    // of a lambda that only joins .NET 8 shows no frame
    waits.filter(|wait| bench.framework() != "net8.0" || *wait != "join=holder -").map(str::to_owned).collect()
}

fn at(bench: &Bench, mode: &str) -> (Client, BTreeSet<String>) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Locks", "stand")}]);
    client.ok("debug_launch", bench.launch("Locks", &[mode], json!({"breakpoints": breakpoints})));
    let truth = truth(bench, &mut client);
    (client, truth)
}

fn threads_show_what_they_wait_for_and_who_holds_it(bench: &Bench) {
    let (mut client, truth) = at(bench, "free");
    let list = client.ok("threads_list", json!({}));
    assert_eq!(reported(&list), truth, "{list}");
    assert_eq!(list["deadlocks"], json!(null), "{list}");
    let gate = list["waits"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["waits_for"].as_str().unwrap().starts_with("monitor Gate @"));
    let gate = gate.unwrap_or_else(|| panic!("{list}"));
    assert_eq!(gate["ids"].as_array().unwrap().len(), 3, "{gate}");
    let name = gate["waits_for"].as_str().unwrap().rsplit(' ').next().unwrap();
    let same = client.ok("evaluate", json!({"expression": format!("{name} == Program.s_gate")}));
    assert_has(&same, json!({"value": "true"}));
    client.ok("debug_disconnect", json!({"terminate": true}));
}

fn threads_that_wait_for_each_other_are_a_deadlock(bench: &Bench) {
    let (mut client, truth) = at(bench, "dead");
    let list = client.ok("threads_list", json!({}));
    assert_eq!(reported(&list), truth, "{list}");
    let deadlocks = list["deadlocks"].as_array().unwrap();
    assert_eq!(deadlocks.len(), 3, "{list}");
    // which of them began first is the system's number of the thread
    for parts in [
        [" left", " right", "waits for monitor Right @", "waits for monitor Left @", ", which waits"],
        [" owner", " joined", " joined to end", "waits for monitor Owned @", " held by "],
        [
            " blocking",
            ", of Program.AwaitAsync) that awaits what ",
            " .NET TP Worker runs",
            "monitor Run @",
            " held by ",
        ],
    ] {
        let has_all = |words: &Value| parts.iter().all(|part| words.as_str().unwrap().contains(part));
        assert!(deadlocks.iter().any(has_all), "{parts:?}: {list}");
    }
    client.ok("debug_disconnect", json!({"terminate": true}));
}

fn a_running_program_is_paused_for_its_waits_and_runs_again(bench: &Bench) {
    let mut client = bench.client();
    let ready = json!({"ready_when": "monitor 1=", "timeout_ms": 20_000});
    let running = client.ok("debug_launch", bench.launch("Locks", &["dead"], ready));
    assert_has(&running, json!({"outcome": "still_running"}));
    let truth = truth(bench, &mut client);
    let list = client.ok("threads_list", json!({}));
    assert!(list["paused_ms"].is_u64(), "{list}");
    assert_eq!(reported(&list), truth, "{list}");
    assert_eq!(list["deadlocks"].as_array().unwrap().len(), 3, "{list}");
    assert_has(&client.ok("debug_state", json!({})), json!({"state": "running"}));
    client.ok("debug_disconnect", json!({"terminate": true}));
}
