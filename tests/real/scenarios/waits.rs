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
        let object = wait["waits_for"].as_str().unwrap();
        let object = object.split(" @").next().unwrap();
        let type_name = object.rsplit(' ').next().unwrap();
        let owner = wait["held_by"].as_i64().map_or("-", |id| names[&id].as_str());
        for id in wait["ids"].as_array().unwrap() {
            reported.insert(format!("{}={type_name} {owner}", names[&id.as_i64().unwrap()]));
        }
    }
    reported
}

fn truth(output: &str) -> BTreeSet<String> {
    output.trim().split(", ").map(str::to_owned).collect()
}

fn at(bench: &Bench, mode: &str) -> (Client, BTreeSet<String>) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Locks", "stand")}]);
    let stop = client.ok("debug_launch", bench.launch("Locks", &[mode], json!({"breakpoints": breakpoints})));
    let truth = truth(stop["output"]["stdout"].as_str().unwrap());
    (client, truth)
}

fn threads_show_what_they_wait_for_and_who_holds_it(bench: &Bench) {
    let (mut client, truth) = at(bench, "free");
    let list = client.ok("threads_list", json!({}));
    assert_eq!(reported(&list), truth, "{list}");
    assert_eq!(list["deadlocks"], json!(null), "{list}");
    let gate = list["waits"].as_array().unwrap().iter().find(|it| it["ids"].as_array().unwrap().len() == 2).unwrap();
    assert!(gate["waits_for"].as_str().unwrap().starts_with("monitor Gate @"), "{gate}");
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
    assert_eq!(deadlocks.len(), 1, "{list}");
    let words = deadlocks[0].as_str().unwrap();
    // which of them began first is the system's number of the thread
    for part in [" left", " right", "waits for monitor Right @", "waits for monitor Left @", ", which waits"] {
        assert!(words.contains(part), "{words}");
    }
    client.ok("debug_disconnect", json!({"terminate": true}));
}

fn a_running_program_is_paused_for_its_waits_and_runs_again(bench: &Bench) {
    let mut client = bench.client();
    let ready = json!({"ready_when": "monitor 1=", "timeout_ms": 20_000});
    let running = client.ok("debug_launch", bench.launch("Locks", &["dead"], ready));
    assert_has(&running, json!({"outcome": "still_running"}));
    let truth = truth(running["output"]["stdout"].as_str().unwrap());
    let list = client.ok("threads_list", json!({}));
    assert!(list["paused_ms"].is_u64(), "{list}");
    assert_eq!(reported(&list), truth, "{list}");
    assert_eq!(list["deadlocks"].as_array().unwrap().len(), 1, "{list}");
    assert_has(&client.ok("debug_state", json!({})), json!({"state": "running"}));
    client.ok("debug_disconnect", json!({"terminate": true}));
}
