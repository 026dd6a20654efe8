//! A program that several servers want at once, and one whose client falls silent.

use std::io::{BufRead, BufReader};

use serde_json::json;

use super::scenarios;
use crate::adapter::Adapter;
use crate::real::{Bench, Client, assert_has, leftovers};

scenarios! {
    second_server_is_reported_who_debugs_the_program_and_neither_breaks_it;
    program_that_lost_its_debugger_pipes_is_reported_as_that;
    program_whose_adapter_was_killed_is_attached_to_no_more;
    attached_program_goes_on_by_itself_when_the_client_is_silent;
    suspended_program_is_let_go_when_it_continues;
    a_program_that_throws_is_left_alive, "builtin";
    launch_that_is_called_off_leaves_no_process;
    end_of_an_attached_program_is_reported_while_its_parent_has_not_asked_for_it, "builtin";
}

/// A program without a debugger that has said its first line.
fn started(bench: &Bench, mode: &str) -> u32 {
    let (pid, stdout) = bench.start_program("Traps", &[mode]);
    let mut said = String::new();
    BufReader::new(stdout).read_line(&mut said).unwrap();
    pid
}

fn stops_at_hot(bench: &Bench, client: &mut Client) {
    client.ok("breakpoint_set", json!({"file": bench.fixture("Traps/Program.cs"), "line": bench.line("Traps", "hot")}));
    assert_eq!(client.ok("debug_continue", json!({"timeout_ms": 20_000}))["reason"], "breakpoint");
}

fn second_server_is_reported_who_debugs_the_program_and_neither_breaks_it(bench: &Bench) {
    let pid = started(bench, "hot");
    let mut clients = [bench.client(), bench.client(), bench.client()];
    let tickets: Vec<_> = clients.iter_mut().map(|client| client.send("debug_attach", json!({"pid": pid}))).collect();
    let replies: Vec<_> = tickets.into_iter().map(|ticket| ticket.reply()).collect();
    let (attached, refused): (Vec<usize>, Vec<usize>) = (0..3).partition(|at| !replies[*at].failed);
    let ([holder], [..]) = (attached.as_slice(), refused.as_slice()) else {
        panic!("{:?}", replies.iter().map(|reply| &reply.value).collect::<Vec<_>>())
    };
    let holder_pid = clients[*holder].pid();
    for (at, reply) in replies.into_iter().enumerate().filter(|(at, _)| at != holder) {
        let error = reply.error("already_attached");
        let words = error["message"].as_str().unwrap();
        let holder = format!("is already being debugged by process {holder_pid} (clrbridge, started by ");
        assert!(words.contains(&holder), "client {at}: {error}");
        let listed = clients[at].ok("process_list", json!({"name_filter": "Traps"}));
        let entry = listed["processes"].as_array().unwrap().iter().find(|it| it["pid"] == pid).unwrap();
        assert!(entry["not_attachable"].as_str().unwrap().starts_with(&holder), "{listed}");
    }
    stops_at_hot(bench, &mut clients[*holder]);
    // killed, it lets go, and another one takes the program
    let [mut next, killed] = [refused[0], *holder].map(|at| std::mem::replace(&mut clients[at], bench.client()));
    killed.end_by(libc::SIGKILL);
    let attached = leftovers::settled(|| {
        let reply = next.call("debug_attach", json!({"pid": pid}));
        if reply.failed { vec![reply.value.to_string()] } else { vec![] }
    });
    assert!(attached.is_empty(), "{attached:?}");
    stops_at_hot(bench, &mut next);
}

fn program_that_lost_its_debugger_pipes_is_reported_as_that(bench: &Bench) {
    let pid = started(bench, "ticks");
    for entry in std::fs::read_dir(std::env::temp_dir()).unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&format!("clr-debug-pipe-{pid}-")) {
            std::fs::remove_file(entry.path()).unwrap();
        }
    }
    let error = bench.client().error("attach_failed", "debug_attach", json!({"pid": pid}));
    assert!(error["message"].as_str().unwrap().contains("has lost its debugger pipes"), "{error}");
    assert!(error["hint"].as_str().unwrap().contains("restart the program"), "{error}");
}

fn program_whose_adapter_was_killed_is_attached_to_no_more(bench: &Bench) {
    let pid = started(bench, "ticks");
    let mut client = bench.client();
    client.ok("debug_attach", json!({"pid": pid}));
    let waiting = client.send("debug_continue", json!({"timeout_ms": 30_000}));
    leftovers::signal(leftovers::child_named(client.pid(), bench.executable()), libc::SIGKILL);
    let lost = waiting.reply().error("adapter_lost");
    assert!(lost["message"].as_str().unwrap().contains("no debugger can attach to it again"), "{lost}");
    let error = client.error("attach_failed", "debug_attach", json!({"pid": pid}));
    assert!(error["message"].as_str().unwrap().contains("lost the adapter that was attached to it"), "{error}");
    let listed = client.ok("process_list", json!({"name_filter": "Traps"}));
    let entry = listed["processes"].as_array().unwrap().iter().find(|it| it["pid"] == pid).unwrap();
    assert!(entry["not_attachable"].as_str().unwrap().starts_with("lost the adapter"), "{listed}");
}

fn attached_program_goes_on_by_itself_when_the_client_is_silent(bench: &Bench) {
    let pid = started(bench, "hot");
    let mut client = bench.client();
    client.ok("debug_attach", json!({"pid": pid, "max_stop_s": 2}));
    stops_at_hot(bench, &mut client);
    client.ok("breakpoint_remove", json!({"all": true}));
    let went_on = || leftovers::ticks(pid);
    let busy = went_on();
    let settled = leftovers::settled(|| if went_on() > busy + 20 { vec![] } else { vec!["it stands".to_owned()] });
    assert!(settled.is_empty(), "{settled:?}");
    let state = client.ok("debug_state", json!({}));
    assert_eq!(state["state"], "running");
    let words = state["note"].as_str().unwrap();
    assert!(words.contains("was resumed because no call came for 2 s (max_stop_s)"), "{state}");
    let stack = client.ok("stacktrace_get", json!({}));
    assert!(stack["frames"][0]["at"].as_str().unwrap().contains("Program.cs:") && stack["note"] == words, "{stack}");
    let error = client.error("not_stopped", "evaluate", json!({"expression": "i"}));
    assert!(error["message"].as_str().unwrap().contains("was resumed"), "{error}");
    client.ok("debug_disconnect", json!({}));
    assert!(bench.runs(pid));
    // it did not end
    let error = client.error("not_running", "debug_pause", json!({}));
    assert_eq!(error["message"], "this session was disconnected from the program", "{error}");
    assert!(error["hint"].as_str().unwrap().starts_with("debug_attach"), "{error}");
}

fn suspended_program_is_let_go_when_it_continues(bench: &Bench) {
    let pid = started(bench, "hot");
    let mut client = bench.client();
    client.ok("debug_attach", json!({"pid": pid}));
    leftovers::suspend(pid);
    let words = format!("process {pid} is suspended");
    let state = client.ok("debug_state", json!({}));
    assert!(state["note"].as_str().unwrap_or_default().starts_with(&words), "{state}");
    let still = client.ok("breakpoint_wait", json!({"timeout_ms": 100}));
    assert!(still["note"].as_str().unwrap_or_default().starts_with(&words), "{still}");
    // what is asked of it meanwhile is answered when it continues, and then nobody is there to hear it
    client.call("debug_pause", json!({"timeout_ms": 500}));
    let goodbye = client.ok("debug_disconnect", json!({}));
    let note = goodbye["note"].as_str().unwrap();
    assert!(note.contains(&format!("process {pid} is suspended")) && note.contains("kill -CONT"), "{goodbye}");
    let error = client.error("attach_failed", "debug_attach", json!({"pid": pid}));
    assert!(error["hint"].as_str().unwrap().contains("kill -CONT"), "{error}");
    client.close();
    leftovers::signal(pid, libc::SIGCONT);
    let busy = leftovers::ticks(pid);
    let goes_on =
        leftovers::settled(|| if leftovers::ticks(pid) > busy + 20 { vec![] } else { vec!["it stands".to_owned()] });
    assert!(goes_on.is_empty(), "{goes_on:?}");
    let mut client = bench.client();
    let attached = leftovers::settled(|| {
        let reply = client.call("debug_attach", json!({"pid": pid}));
        if reply.failed { vec![reply.value.to_string()] } else { vec![] }
    });
    assert!(attached.is_empty(), "{attached:?}");
    stops_at_hot(bench, &mut client);
}

/// A thread that is left while it reports an exception deadlocks with the runtime's own: so it went in one of five rounds.
fn a_program_that_throws_is_left_alive(bench: &Bench) {
    let pid = started(bench, "throws");
    let mut client = bench.client();
    for round in 0..15 {
        client.ok("debug_attach", json!({"pid": pid, "timeout_ms": 100}));
        client.ok("debug_disconnect", json!({}));
        let busy = leftovers::ticks(pid);
        let stands = || if leftovers::ticks(pid) > busy { vec![] } else { vec![format!("round {round}")] };
        assert_eq!(leftovers::settled(stands), [""; 0]);
    }
}

fn launch_that_is_called_off_leaves_no_process(bench: &Bench) {
    let mut client = bench.client();
    let waiting = client.send("debug_launch", bench.launch("Traps", &["hot"], json!({"timeout_ms": 60_000})));
    // it is under way once its program can be seen
    let server = format!("process {} ", client.pid());
    let others = || bench.left().into_iter().filter(|it| !it.starts_with(&server)).collect::<Vec<_>>();
    let began = std::time::Instant::now();
    while others().is_empty() {
        assert!(began.elapsed().as_secs() < 60, "nothing was started");
        std::thread::yield_now();
    }
    client.cancel(waiting);
    let left = leftovers::settled(others);
    assert!(left.is_empty(), "{left:?}");
    assert_has(&client.ok("debug_state", json!({})), json!({"state": "not_attached"}));
}

fn end_of_an_attached_program_is_reported_while_its_parent_has_not_asked_for_it(bench: &Bench) {
    let pid = started(bench, "ticks");
    let mut adapter = Adapter::start(bench.adapter_command());
    adapter.ok("attach", json!({"processId": pid}));
    adapter.ok("configurationDone", json!({}));
    adapter.event("process");
    // SAFETY: a signal for a child of ours, whose status nobody has taken.
    assert_eq!(unsafe { libc::kill(pid.cast_signed(), libc::SIGKILL) }, 0);
    adapter.event("terminated");
}
