//! Attached programs, and ends of every kind: nothing that we started stays, nothing else is harmed.

use std::io::{BufRead, BufReader};

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, Client, assert_has, leftovers};

scenarios! {
    attach_detach_and_attach_again;
    attach_shows_at_once_what_cannot_work;
    program_killed_from_outside_is_known_by_its_signal;
    adapter_killed_from_outside_is_reported_and_the_next_launch_works;
    a_process_that_left_the_group_of_its_program_is_named_at_the_end;
    server_that_ends_in_any_way_leaves_nothing;
    server_that_ends_in_any_way_releases_what_it_attached_to;
    eight_sessions_do_not_disturb_one_another;
    let_go_program_lives_until_the_server_ends;
    adapters_that_misbehave_are_reported_and_leave_nothing;
    an_adapter_of_which_nothing_is_known_launches_the_program_itself;
}

fn a_process_that_left_the_group_of_its_program_is_named_at_the_end(bench: &Bench) {
    let mut client = bench.client();
    let end = client.ok("debug_launch", bench.launch("Steps", &["daemon"], json!({})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    let note = end["note"].as_str().unwrap_or_default();
    assert!(note.contains("(sleep)") && note.contains("setsid"), "{end}");
    let pid = note.split("kill ").nth(1).and_then(|rest| rest.split('`').next()).and_then(|pid| pid.parse().ok());
    assert!(clrbridge::process::kill(pid.expect(note), 9).is_ok());
}

/// A ticking program without a debugger that has begun.
fn ticking(bench: &Bench) -> u32 {
    let (pid, stdout) = bench.start_program("Traps", &["ticks"]);
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).unwrap();
    assert!(line.starts_with("ticking"), "{line}");
    pid
}

fn stop_at_tick(bench: &Bench, client: &mut Client) {
    client.ok("breakpoint_set", json!({"file": "Program.cs", "line": bench.line("Traps", "tick")}));
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "stopped", "reason": "breakpoint"}));
}

fn attach_detach_and_attach_again(bench: &Bench) {
    let pid = ticking(bench);
    let mut client = bench.client();
    for target in [json!({"pid": pid}), json!({"pid": pid}), json!({"process_name": "Traps"})] {
        let found = client.call("debug_attach", target.clone());
        if found.failed && target["pid"].is_null() {
            // Other scenarios' programs have that name too: then they are listed.
            found.error("invalid_argument");
            continue;
        }
        assert_has(&found.ok(), json!({"outcome": "still_running", "pid": pid}));
        let taken = client.error("already_attached", "debug_attach", json!({"pid": pid}));
        assert!(taken["hint"].as_str().unwrap().starts_with("use session_id"), "and not: end that debugger. {taken}");
        stop_at_tick(bench, &mut client);
        assert_eq!(client.ok("debug_disconnect", json!({}))["outcome"], "disconnected");
        assert!(bench.runs(pid));
        // it is the workspace's: the next attach could stop at once
        client.ok("breakpoint_remove", json!({"all": true}));
    }
}

fn attach_shows_at_once_what_cannot_work(bench: &Bench) {
    let mut client = bench.client();
    let began = std::time::Instant::now();
    client.error("process_not_found", "debug_attach", json!({"pid": 2_000_000_000}));
    client.error("not_managed", "debug_attach", json!({"pid": std::process::id()}));
    client.error("process_not_found", "debug_attach", json!({"process_name": "no-such-program"}));
    client.error("invalid_argument", "debug_attach", json!({}));
    client.error("invalid_argument", "debug_attach", json!({"pid": "x"}));
    assert!(began.elapsed().as_secs() < 3);
    // an adapter that hosts .NET itself
    client.ok("debug_launch", bench.launch("Traps", &["ticks"], json!({"stop_at_entry": true})));
    let adapter = leftovers::child_named(client.pid(), bench.executable());
    let refused = client.send("debug_attach", json!({"pid": adapter})).reply().value.to_string();
    assert!(["is itself a debugger", "has not loaded CoreCLR"].iter().any(|why| refused.contains(why)), "{refused}");
    client.ok("evaluate", json!({"expression": "1 + 1"}));
}

fn program_killed_from_outside_is_known_by_its_signal(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Traps", &["ticks"], json!({"ready_when": "ticking"})));
    let waiting = client.send("debug_continue", json!({"timeout_ms": 30_000}));
    // calls are taken in the order in which they come: the wait has begun
    client.ok("debug_state", json!({}));
    leftovers::signal(client.pids[0], libc::SIGKILL);
    assert_has(&waiting.reply().ok(), json!({"outcome": "exited", "signal": "SIGKILL", "exit_code": null}));
    let stop = client.ok("debug_launch", bench.launch("Traps", &["ticks"], json!({"stop_at_entry": true})));
    leftovers::signal(*client.pids.last().unwrap(), libc::SIGKILL);
    assert_has(
        &client.ok("breakpoint_wait", json!({"since": stop["seq"], "timeout_ms": 30_000})),
        json!({"outcome": "exited", "signal": "SIGKILL"}),
    );
}

fn adapter_killed_from_outside_is_reported_and_the_next_launch_works(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Traps", &["ticks"], json!({"ready_when": "ticking"})));
    let waiting = client.send("debug_continue", json!({"timeout_ms": 30_000}));
    leftovers::signal(leftovers::child_named(client.pid(), bench.executable()), libc::SIGKILL);
    let lost = waiting.reply().error("adapter_lost");
    assert!(lost.to_string().contains("SIGKILL"), "{lost}");
    let end = client.ok("debug_launch", bench.launch("Basics", &[], json!({"timeout_ms": 30_000})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 7}));
}

const ENDS: [i32; 4] = [0, libc::SIGTERM, libc::SIGINT, libc::SIGKILL];

/// 0 = its stdin closes.
fn end(client: Client, how: i32) {
    if how == 0 {
        client.close()
    } else {
        client.end_by(how)
    };
}

fn server_that_ends_in_any_way_leaves_nothing(bench: &Bench) {
    for how in ENDS {
        for stopped in [true, false] {
            let mut client = bench.client();
            let more = if stopped { json!({"stop_at_entry": true}) } else { json!({"ready_when": "ticking"}) };
            client.ok("debug_launch", bench.launch("Traps", &["ticks"], more));
            let pid = client.pids[0];
            end(client, how);
            let left = leftovers::settled(|| {
                let mut left = bench.left();
                left.extend(leftovers::semaphores_of(pid));
                left
            });
            assert!(left.is_empty(), "after {how}, stopped: {stopped}: {left:?}");
        }
    }
}

fn server_that_ends_in_any_way_releases_what_it_attached_to(bench: &Bench) {
    let pid = ticking(bench);
    for how in ENDS {
        let mut client = bench.client();
        client.ok("debug_attach", json!({"pid": pid}));
        stop_at_tick(bench, &mut client);
        end(client, how);
        let left = leftovers::settled(|| bench.left());
        assert!(left.is_empty(), "after {how}: {left:?}");
        assert!(bench.runs(pid), "after {how}");
    }
    let mut client = bench.client();
    let attached = client.ok("debug_attach", json!({"pid": pid}));
    assert_eq!(attached["process_name"], "Traps", "{attached}");
    assert!(attached["runtime_version"].as_str().is_some_and(|version| version.split('.').count() >= 3), "{attached}");
    stop_at_tick(bench, &mut client);
}

fn eight_sessions_do_not_disturb_one_another(bench: &Bench) {
    let mut client = bench.client();
    let line = bench.line("Basics", "call");
    let launch = |code: u32| {
        bench.launch("Basics", &[&code.to_string()], json!({"breakpoints": [{"file": "Program.cs", "line": line}]}))
    };
    let tickets: Vec<_> = (0..8).map(|code| client.send("debug_launch", launch(code))).collect();
    let sessions: Vec<_> = tickets.into_iter().map(|ticket| ticket.reply().ok()).collect();
    // without a name the newest is meant
    let newest = &sessions.last().unwrap()["session_id"];
    assert_eq!(&client.ok("debug_state", json!({}))["session_id"], newest);
    let tickets: Vec<_> = sessions
        .iter()
        .map(|session| {
            assert_has(session, json!({"outcome": "stopped", "location": {"line": line}}));
            client.send("evaluate", json!({"session_id": session["session_id"], "expression": "exitCode"}))
        })
        .collect();
    let codes: Vec<_> = tickets.into_iter().map(|ticket| ticket.reply().ok()["value"].clone()).collect();
    for (session, code) in sessions.iter().zip(codes) {
        let end = client.ok("debug_continue", json!({"session_id": session["session_id"]}));
        assert_eq!(end["exit_code"].to_string(), code.as_str().unwrap());
    }
}

fn let_go_program_lives_until_the_server_ends(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Traps", &["ticks"], json!({"ready_when": "ticking"})));
    client.ok("debug_disconnect", json!({"terminate": false}));
    let pid = client.pids[0];
    // more sessions than a server remembers
    for _ in 0..10 {
        assert_eq!(client.ok("debug_launch", bench.launch("Basics", &[], json!({})))["outcome"], "exited");
    }
    assert!(std::path::Path::new(&format!("/proc/{pid}/exe")).exists());
}

fn adapters_that_misbehave_are_reported_and_leave_nothing(bench: &Bench) {
    for (script, words) in [
        (r"printf 'Content-Length: 1073741824\r\n\r\n'; exec sleep 1000", "closed its output"),
        ("head -c 3000000 /dev/zero; exec sleep 1000", "closed its output"),
        ("exec >&-; exec sleep 1000", "closed its output"),
        ("head -c 50000000 /dev/zero >&2; exit 3", "exit code 3"),
    ] {
        let file = bench.folder().join("adapter.sh");
        std::fs::write(&file, format!("{script}\n")).unwrap();
        let mut client = bench.client_with(&["--backend", "external", "--external", &format!("sh {}", file.display())]);
        let lost = client.error("adapter_lost", "debug_launch", bench.launch("Basics", &[], json!({})));
        assert!(lost["message"].as_str().unwrap().contains(words), "{script}: {lost}");
        assert!(lost.to_string().len() < 10_000, "{script}");
        // and the adapter, which cares for nothing, goes with the server
    }
}

fn an_adapter_of_which_nothing_is_known_launches_the_program_itself(bench: &Bench) {
    let command = match bench.adapter() {
        "builtin" => concat!(env!("CARGO_BIN_EXE_clrbridge"), " adapter"),
        "netcoredbg" => "netcoredbg --interpreter=vscode",
        other => other,
    };
    // by another name: no quirks are known of it
    let file = bench.folder().join("adapter.sh");
    std::fs::write(&file, format!("exec {command}\n")).unwrap();
    let mut client = bench.client_with(&["--backend", "external", "--external", &format!("sh {}", file.display())]);
    client.error("stdin_unavailable", "debug_launch", bench.launch("Basics", &[], json!({"stdin": "pipe"})));
    // such an adapter may pass them on changed
    for argument in ["", "two \"w x\"", "a\\b", "sp back\\"] {
        client.error("unsupported_by_adapter", "debug_launch", bench.launch("Basics", &["3", argument], json!({})));
    }
    let at = json!([{"file": "Program.cs", "text": "Total += line.Total", "condition": "line.Quantity == 3"}]);
    let stop = client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": at})));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint"}));
    client.error("unsupported_by_adapter", "debug_disconnect", json!({"terminate": false}));
    assert_eq!(client.ok("evaluate", json!({"expression": "line.Quantity"}))["value"], "3");
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 7}));
    let running = client.ok("debug_launch", bench.launch("Traps", &["ticks"], json!({"ready_when": "ticking"})));
    let pid = running["pid"].as_u64().and_then(|pid| u32::try_from(pid).ok()).expect("the process id of the program");
    assert_has(&client.ok("debug_disconnect", json!({})), json!({"outcome": "disconnected"}));
    assert!(!clrbridge::process::alive(pid), "{running}");
}
