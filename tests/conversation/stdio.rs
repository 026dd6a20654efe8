//! The real binary: over pipes, sockets and files, and how it ends.
#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value;

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;
const LIST: &str = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n";

pub fn clrbridge(arguments: &[&str]) -> Command {
    // whoever runs the tests may ignore signals (nohup, a job in the background), which a child inherits
    let mut command = Command::new("env");
    command.args(["--default-signal=TERM,INT,HUP", env!("CARGO_BIN_EXE_clrbridge")]);
    // A user's settings are not the test's.
    command.args(arguments).env("XDG_CONFIG_HOME", "/nonexistent").env_remove("CLRBRIDGE_CONFIG");
    command
}

/// Waits for the end, with a limit so long that only a hang reaches it.
pub fn wait(mut child: Child) -> (Option<i32>, Duration) {
    let began = Instant::now();
    let (send, ended) = mpsc::channel();
    let pid = child.id();
    std::thread::spawn(move || send.send(child.wait().unwrap()));
    match ended.recv_timeout(Duration::from_secs(60)) {
        Ok(status) => (status.code(), began.elapsed()),
        Err(_) => {
            kill(pid, libc::SIGKILL);
            panic!("it does not end");
        }
    }
}

pub fn kill(pid: u32, signal: i32) {
    let status = Command::new("kill").args([format!("-{signal}"), pid.to_string()]).status().unwrap();
    assert!(status.success());
}

fn next_line(reader: &mut impl BufRead) -> Value {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
}

/// Started over pipes and initialized.
fn over_pipes() -> Child {
    let mut child = clrbridge(&[]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(HELLO.as_bytes()).unwrap();
    let answer = next_line(&mut BufReader::new(child.stdout.as_mut().unwrap()));
    assert_eq!(answer["result"]["serverInfo"]["name"], "clrbridge");
    child
}

/// Started over a socket pair, as Node starts its children, and initialized.
fn over_sockets() -> (Child, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let fd = || Stdio::from(std::os::fd::OwnedFd::from(theirs.try_clone().unwrap()));
    let child = clrbridge(&[]).stdin(fd()).stdout(fd()).stderr(Stdio::null()).spawn().unwrap();
    drop(theirs);
    (&ours).write_all(HELLO.as_bytes()).unwrap();
    next_line(&mut BufReader::new(ours.try_clone().unwrap()));
    (child, ours)
}

/// Less than what the server gives sessions that do not end: nobody waited for that.
const AT_ONCE: Duration = Duration::from_secs(6);

#[test]
fn the_end_of_input_ends_it_at_once() {
    let mut child = over_pipes();
    drop(child.stdin.take());
    let (code, took) = wait(child);
    assert_eq!(code, Some(0));
    assert!(took < AT_ONCE, "{took:?}");
    let (child, socket) = over_sockets();
    drop(socket);
    let (code, took) = wait(child);
    assert_eq!(code, Some(0));
    assert!(took < AT_ONCE, "{took:?}");
}

#[test]
fn signals_end_it_over_pipes_and_sockets() {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        let child = over_pipes();
        kill(child.id(), signal);
        assert_eq!(wait(child).0, Some(0), "signal {signal}");
        let (child, _socket) = over_sockets();
        kill(child.id(), signal);
        assert_eq!(wait(child).0, Some(0), "signal {signal} over a socket");
    }
}

#[test]
fn a_signal_that_its_starter_ignores_does_not_end_it() {
    let mut command = Command::new("env");
    command.args(["--default-signal=TERM,INT", "--ignore-signal=HUP", env!("CARGO_BIN_EXE_clrbridge")]);
    command.env("XDG_CONFIG_HOME", "/nonexistent").env_remove("CLRBRIDGE_CONFIG");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    input.write_all(HELLO.as_bytes()).unwrap();
    next_line(&mut output);
    kill(child.id(), libc::SIGHUP);
    input.write_all(LIST.as_bytes()).unwrap();
    assert_eq!(next_line(&mut output)["id"], 2);
    kill(child.id(), libc::SIGTERM);
    assert_eq!(wait(child).0, Some(0));
}

#[test]
fn a_closed_output_ends_it() {
    let mut child = over_pipes();
    let mut input = child.stdin.take().unwrap();
    drop(child.stdout.take());
    input.write_all(LIST.as_bytes()).unwrap();
    assert_eq!(wait(child).0, Some(0));
    drop(input);
}

#[test]
fn an_output_that_is_closed_while_nothing_is_said_ends_it() {
    let mut child = over_pipes();
    let input = child.stdin.take().unwrap();
    drop(child.stdout.take());
    assert_eq!(wait(child).0, Some(0));
    drop(input);
}

/// The most memory that a process has had, in bytes.
fn peak_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap() * 1024
}

/// Answers that nobody reads do not pile up: it stops reading, loses none, and takes what was not read later.
#[test]
fn a_client_that_does_not_read_costs_little_and_misses_nothing() {
    const REQUESTS: usize = 300;
    let mut child = over_pipes();
    let (mut input, output, pid) = (child.stdin.take().unwrap(), child.stdout.take().unwrap(), child.id());
    let (tell_sent, sent) = mpsc::channel();
    let sender = std::thread::spawn(move || {
        for id in 2..REQUESTS + 2 {
            input
                .write_all(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/list\"}}\n").as_bytes())
                .unwrap();
        }
        // A cancellation that comes behind them finds nothing to cancel.
        input
            .write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}\n")
            .unwrap();
        tell_sent.send(()).unwrap();
        input
    });
    // Either all requests fit into the pipe, or the sender waits for us: both are a client that has not read anything yet.
    let _ = sent.recv_timeout(Duration::from_secs(2));
    let mut answers = BufReader::new(output);
    let mut ids: Vec<u64> = (0..REQUESTS).map(|_| next_line(&mut answers)["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), REQUESTS);
    let peak = peak_memory(pid);
    assert!(peak < 64 * 1024 * 1024, "{peak} bytes");
    drop(sender.join().unwrap());
    assert_eq!(wait(child).0, Some(0));
}

#[test]
fn what_comes_before_initialize_is_refused_in_a_sentence_or_ignored() {
    let early = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    let (code, answers, complaints) = run(&[], &format!("{early}{LIST}{HELLO}"));
    let answers: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, answers.len(), complaints.as_str()), (0, 2, ""), "{answers:?}");
    assert_eq!(answers[0]["id"], 2);
    assert!(answers[0]["error"]["message"].as_str().unwrap().contains("send initialize first"), "{answers:?}");
    assert_eq!(answers[1]["result"]["serverInfo"]["name"], "clrbridge");
}

#[test]
fn it_works_over_files() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    std::fs::write(&input, format!("{HELLO}{LIST}")).unwrap();
    let child = clrbridge(&[])
        .stdin(File::open(&input).unwrap())
        .stdout(File::create(&output).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(wait(child).0, Some(0));
    let output = std::fs::read_to_string(&output).unwrap();
    let answers: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 2, "{output}");
    assert!(answers[1]["result"]["tools"].as_array().unwrap().len() > 20);
}

fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child =
        clrbridge(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that does not read may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Many hosts never read what a server says on stderr: the pipe fills, and the server goes on.
#[test]
fn a_stderr_that_nobody_reads_holds_nothing_up() {
    let mut child = clrbridge(&["--no-redact", "--log-level", "trace,rmcp=trace"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    input.write_all(HELLO.as_bytes()).unwrap();
    next_line(&mut output);
    for _ in 0..200 {
        input.write_all(LIST.as_bytes()).unwrap();
        assert_eq!(next_line(&mut output)["id"], 2);
    }
    drop(input);
    let mut stderr = child.stderr.take().unwrap();
    let (code, took) = wait(child);
    assert!(code == Some(0) && took < AT_ONCE, "{code:?} {took:?}");
    let mut logs = Vec::new();
    stderr.read_to_end(&mut logs).unwrap();
    assert!(logs.len() >= 60 * 1024, "the pipe was full: {}", logs.len());
}

#[test]
fn call_prints_the_text_or_the_json_of_a_tool() {
    assert_eq!(run(&["--toolsets", "all", "call", "debug_sessions"], "").1, "no sessions\n");
    assert_eq!(run(&["call", "debug_sessions", "--json", "--toolsets=all"], "").1, "{\"sessions\":[]}\n");
    let (code, output, _) = run(&["call", "breakpoint_set", "file=Program.cs", "lines=46"], "");
    assert_eq!((code, output.trim_end()), (1, include_str!("../data/answers/f04-breakpoint_set.txt")));
    let (code, output, errors) = run(&["call", "debug_stat"], "");
    assert_eq!((code, output.as_str()), (1, ""));
    assert!(errors.contains("did you mean `debug_state`?"), "{errors}");
}

#[test]
fn call_answers_every_line_of_its_input_by_one() {
    let lines = "{\"tool\":\"debug_sessions\"}\n\nnonsense\n{\"tool\":\"nope\",\"arguments\":{}}\n{\"tool\":\"breakpoint_remove\",\"arguments\":{\"id\":\"x\"}}\n";
    let (code, output, errors) = run(&["--toolsets=all", "call", "-"], lines);
    let answers: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4, "{output}{errors}");
    assert_eq!(answers[0]["result"], serde_json::json!({"sessions": []}));
    assert!(answers[1..].iter().all(|answer| answer["error"]["code"] == "invalid_argument"), "{output}");
    assert_eq!(code, 1);
}

#[test]
fn wrong_settings_are_all_reported_and_nothing_starts() {
    let (code, output, errors) = run(&["--results", "xml", "--toolsets", "nope"], HELLO);
    assert_eq!((code, output.as_str()), (2, ""));
    assert!(errors.contains("--results xml") && errors.contains("`nope`"), "{errors}");
}

#[test]
fn logs_go_to_stderr_in_the_format_that_is_asked_for() {
    let mut child = clrbridge(&["--log-level", "info,rmcp=info", "--log-format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(HELLO.as_bytes()).unwrap();
    let mut logs = String::new();
    child.stderr.take().unwrap().read_to_string(&mut logs).unwrap();
    let first: Value = serde_json::from_str(logs.lines().next().unwrap()).unwrap();
    assert_eq!(first["level"], "INFO");
    wait(child);
}
