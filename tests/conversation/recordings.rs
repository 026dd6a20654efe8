//! Every recorded conversation, played to clients that ask the same, and to clients that do not.

use std::{path::PathBuf, time::Duration};

use bytes::Bytes;
use clrbridge::transport::{
    Connection, Incoming,
    replay::{Recording, ReplayEnd, serve},
};
use serde_json::{Value, json};
use tokio::{task::JoinHandle, time::timeout};

/// Far more than any of these needs, with paused time.
const LIMIT: Duration = Duration::from_secs(60);

fn recordings() -> Vec<(String, PathBuf)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings");
    let mut found = Vec::new();
    for adapter in ["netcoredbg", "dncdbg"] {
        for file in std::fs::read_dir(root.join(adapter)).unwrap() {
            let path = file.unwrap().path();
            found.push((format!("{adapter}/{}", path.file_stem().unwrap().to_str().unwrap()), path));
        }
    }
    found.sort();
    assert!(found.len() > 80, "recordings are missing");
    found
}

fn load(name: &str) -> Recording {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/recordings/{name}.jsonl"));
    Recording::load(path, &[]).unwrap()
}

/// The client's side.
struct Client {
    connection: Connection,
    server: JoinHandle<ReplayEnd>,
    next_seq: i64,
    /// What came and was not asked for.
    events: Vec<Value>,
    /// All that came.
    log: Vec<Value>,
}

impl Client {
    fn of(recording: Recording) -> Self {
        let (connection, far) = Connection::memory();
        Self {
            connection,
            server: tokio::spawn(serve(recording, far)),
            next_seq: 500,
            events: Vec::new(),
            log: Vec::new(),
        }
    }

    /// Asks; `None` if the adapter ended instead of answering.
    async fn ask(&mut self, command: &str, arguments: Value) -> Option<Value> {
        self.next_seq += 1;
        let seq = self.next_seq;
        let request = json!({"seq": seq, "type": "request", "command": command, "arguments": arguments});
        self.connection.outgoing.send(Bytes::from(request.to_string()));
        loop {
            let message = self.message().await?;
            if message["type"] == "response" {
                assert_eq!(message["request_seq"], seq);
                assert_eq!(message["command"], command);
                return Some(message);
            }
            self.events.push(message);
        }
    }

    async fn message(&mut self) -> Option<Value> {
        match timeout(LIMIT, self.connection.incoming.recv()).await.expect("the replay must not hang") {
            Some(Incoming::Body(body)) => {
                let message: Value = serde_json::from_str(&String::from_utf8_lossy(&body)).unwrap();
                self.log.push(message.clone());
                Some(message)
            }
            Some(Incoming::Closed(None)) | None => None,
            Some(Incoming::Closed(Some(error))) => panic!("{error}"),
        }
    }

    /// Waits for an event that may have come already.
    async fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at);
            }
            let message = self.message().await.unwrap_or_else(|| panic!("the adapter ended before {name}"));
            self.events.push(message);
        }
    }

    async fn end(mut self) -> ReplayEnd {
        self.connection.outgoing.close();
        while let Some(message) = self.message().await {
            self.events.push(message);
        }
        timeout(LIMIT, self.server).await.unwrap().unwrap()
    }

    /// What every client does first.
    async fn start(&mut self, breakpoints: &[(&str, &[i64])]) -> Value {
        self.ask("initialize", json!({"clientID": "other", "adapterID": "coreclr"})).await.unwrap();
        self.ask("launch", json!({"program": "elsewhere.dll", "env": {"A": "b"}})).await.unwrap();
        self.event("initialized").await;
        let mut answer = Value::Null;
        for (path, lines) in breakpoints {
            let breakpoints: Vec<_> = lines.iter().map(|line| json!({"line": line})).collect();
            answer = self
                .ask("setBreakpoints", json!({"source": {"path": path}, "breakpoints": breakpoints}))
                .await
                .unwrap();
        }
        self.ask("setExceptionBreakpoints", json!({"filters": []})).await.unwrap();
        self.ask("configurationDone", Value::Null).await.unwrap();
        answer["body"]["breakpoints"].clone()
    }
}

/// A message without what a replay may renumber.
fn content(mut message: Value) -> Value {
    message.as_object_mut().unwrap().retain(|key, _| key != "seq" && key != "request_seq");
    message
}

/// Recordings whose client asked while an answer was still open: asked one after the other, the answers come in
/// the order of the questions. In all others every message comes exactly where it was recorded.
const PIPELINED: &[&str] = &[
    "dncdbg/evaluate-cancelled-by-continue",
    "dncdbg/evaluate-timeout",
    "netcoredbg/evaluate-cancelled-by-continue",
    "netcoredbg/evaluate-timeout",
];

#[tokio::test(start_paused = true)]
async fn a_client_that_asks_the_same_gets_all_that_was_recorded_and_nothing_else() {
    let mut other_order = Vec::new();
    for (name, path) in recordings() {
        let recording = Recording::load(&path, &[]).unwrap();
        let requests: Vec<Value> = recording.requests().cloned().collect();
        let bodies: Vec<Value> = recording
            .adapter_bodies()
            .map(|body| serde_json::from_str(&String::from_utf8_lossy(body)).unwrap())
            .collect();
        let unanswered = |request: &Value| !bodies.iter().any(|body| body.get("request_seq") == request.get("seq"));
        let text = std::fs::read_to_string(&path).unwrap();
        let exit = text.lines().rev().find_map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            (line["dir"] == "exit").then(|| line["code"].as_i64().unwrap())
        });

        let mut client = Client::of(recording);
        for request in &requests {
            let answer = client.ask(request["command"].as_str().unwrap(), request["arguments"].clone()).await;
            assert!(answer.is_some() || unanswered(request), "{name}: {request} was answered once");
        }
        client.connection.outgoing.close();
        while client.message().await.is_some() {}
        let end = timeout(LIMIT, client.server).await.unwrap().unwrap();
        assert_eq!(end.exit_code.map(i64::from), exit, "{name}");

        let recorded: Vec<Value> = bodies.into_iter().map(content).collect();
        let mut received: Vec<Value> = client.log.into_iter().map(content).collect();
        if received != recorded {
            other_order.push(name.clone());
            let mut recorded = recorded;
            recorded.sort_by_key(Value::to_string);
            received.sort_by_key(Value::to_string);
            assert!(received == recorded, "{name}: something else was said");
        }
    }
    assert_eq!(other_order, PIPELINED);
}

#[tokio::test(start_paused = true)]
async fn a_client_with_habits_of_its_own_never_hangs() {
    for (name, path) in recordings() {
        let mut client = Client::of(Recording::load(&path, &[]).unwrap());
        let asked = async {
            client.ask("initialize", json!({})).await?;
            client.ask("launch", json!({"program": "x.dll"})).await?;
            client.event("initialized").await;
            client.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "X.Y"}]})).await?;
            client.ask("setExceptionBreakpoints", json!({"filters": ["all"]})).await?;
            let breakpoints = json!([{"line": 1}, {"line": 46}, {}]);
            let set = client
                .ask("setBreakpoints", json!({"source": {"path": "/x/Program.cs"}, "breakpoints": breakpoints}))
                .await?;
            assert_eq!(set["body"]["breakpoints"].as_array().unwrap().len(), 3, "{name}");
            client.ask("configurationDone", json!({})).await?;
            for resume in ["next", "stepIn", "continue", "stepOut", "continue", "continue"] {
                let threads = client.ask("threads", json!({})).await?;
                let thread = threads["body"]["threads"][0]["id"].as_i64().unwrap_or(1);
                for (command, arguments) in [
                    ("stackTrace", json!({"threadId": thread, "startFrame": 0, "levels": 20})),
                    ("scopes", json!({"frameId": 0})),
                    ("variables", json!({"variablesReference": 1})),
                    ("evaluate", json!({"expression": "1 + 1", "frameId": 0})),
                    ("exceptionInfo", json!({"threadId": thread})),
                    ("neverHeardOf", json!({})),
                    (resume, json!({"threadId": thread})),
                ] {
                    client.ask(command, arguments).await?;
                }
            }
            client.ask("disconnect", json!({"terminateDebuggee": true})).await
        };
        // An adapter that was recorded crashing may end instead of answering.
        let _ = asked.await;
        client.end().await;
    }
}

#[tokio::test(start_paused = true)]
async fn requests_that_make_no_sense_are_answered_or_ignored() {
    let odd = [
        json!(null),
        json!([1]),
        json!("x"),
        json!(7),
        json!({"threadId": "x"}),
        json!({"startFrame": u64::MAX, "levels": -1}),
    ];
    let commands = [
        "stackTrace",
        "scopes",
        "variables",
        "evaluate",
        "setBreakpoints",
        "setFunctionBreakpoints",
        "setExceptionBreakpoints",
        "pause",
        "next",
        "cancel",
        "attach",
        "setVariable",
        "",
        "terminate",
    ];
    let mut client = Client::of(load("netcoredbg/collections"));
    client.start(&[]).await;
    for body in [
        "",
        "no json",
        "[]",
        "7",
        "{}",
        r#"{"type": "response", "command": "runInTerminal"}"#,
        r#"{"command": "threads"}"#,
    ] {
        client.connection.outgoing.send(Bytes::from(body));
    }
    for command in commands {
        for arguments in &odd {
            assert!(client.ask(command, arguments.clone()).await.is_some(), "{command} {arguments}");
        }
    }
    assert_eq!(client.end().await.exit_code, Some(0));
}

#[tokio::test(start_paused = true)]
async fn a_breakpoint_in_another_combination_is_answered_from_what_is_known() {
    let mut client = Client::of(load("netcoredbg/pending-then-verified"));
    let known: Vec<i64> = load("netcoredbg/pending-then-verified")
        .requests()
        .find(|request| request["command"] == "setBreakpoints")
        .map(|request| {
            request["arguments"]["breakpoints"]
                .as_array()
                .unwrap()
                .iter()
                .map(|b| b["line"].as_i64().unwrap())
                .collect()
        })
        .unwrap();
    let set = client.start(&[(r"C:\elsewhere\program.cs", &[known[0], 9999])]).await;
    assert_eq!(set[0]["verified"], false);
    assert_eq!(set[1]["message"], "not in the recording");
    client.event("stopped").await;
    // Its verification was played meanwhile: asked again, it is verified.
    let again = json!({"source": {"path": "/y/Program.cs"}, "breakpoints": [{"line": known[0]}]});
    let again = client.ask("setBreakpoints", again).await.unwrap();
    assert_eq!(again["body"]["breakpoints"][0]["verified"], true);
    assert_eq!(again["body"]["breakpoints"][0]["id"], set[0]["id"]);
    assert_eq!(client.end().await.exit_code, Some(0));
}

#[tokio::test(start_paused = true)]
async fn questions_are_answered_again_and_in_other_pages_but_only_within_their_stop() {
    let mut client = Client::of(load("netcoredbg/web-request"));
    client.start(&[("Program.cs", &[9])]).await;
    let thread = client.event("stopped").await["body"]["threadId"].clone();
    let frames = |levels: u64, start: u64| json!({"threadId": thread, "startFrame": start, "levels": levels});
    // Recorded: levels 3.
    for (levels, start, expected) in [(3, 0, 3), (50, 0, 3), (0, 0, 3), (2, 0, 2), (2, 2, 1), (5, 3, 0)] {
        let answer = client.ask("stackTrace", frames(levels, start)).await.unwrap();
        assert_eq!(answer["body"]["stackFrames"].as_array().unwrap().len(), expected, "{levels} from {start}");
    }
    // Never evaluated, but a recorded variable is named so.
    let variables = client.ask("variables", json!({"variablesReference": 1})).await.unwrap();
    let variable = &variables["body"]["variables"][0];
    let evaluated = client
        .ask("evaluate", json!({"expression": variable["evaluateName"], "frameId": 0, "context": "watch"}))
        .await
        .unwrap();
    assert_eq!(evaluated["body"]["result"], variable["value"]);
    let unknown = client.ask("evaluate", json!({"expression": "no.Such", "frameId": 0})).await.unwrap();
    assert_eq!((&unknown["success"], &unknown["message"]), (&json!(false), &json!("not in the recording")));

    client.ask("next", json!({"threadId": thread})).await.unwrap();
    client.event("stopped").await;
    // The frame of the stop before.
    let stale = client.ask("scopes", json!({"frameId": 32})).await.unwrap();
    assert_eq!(stale["success"], false);
    client.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_resume_of_another_kind_takes_what_was_recorded_next_and_never_goes_back() {
    let mut client = Client::of(load("netcoredbg/breakpoint-step-inspect"));
    client.start(&[("Program.cs", &[46])]).await;
    let mut resumes = 0;
    while client.ask("continue", json!({"threadId": 1})).await.unwrap()["success"] == true {
        resumes += 1;
    }
    // Not the steps between them that were left out.
    let recorded = load("netcoredbg/breakpoint-step-inspect");
    let recorded = recorded.requests().filter(|request| request["command"] == "continue");
    assert_eq!(resumes, recorded.count());
    client.event("exited").await;
    client.event("terminated").await;
    assert_eq!(client.end().await.exit_code, Some(0));
}

/// A recording of these lines: `> command`, `< command` (its response), `! event`.
fn written(lines: &[(&str, Value)]) -> Recording {
    let mut text = r#"{"recording": {}}"#.to_owned();
    let mut seqs = std::collections::HashMap::new();
    for (seq, (line, content)) in lines.iter().enumerate() {
        let (kind, name) = line.split_once(' ').unwrap();
        let message = match kind {
            ">" => {
                seqs.insert(name, seq);
                json!({"seq": seq, "type": "request", "command": name, "arguments": content})
            }
            "<" => {
                json!({"type": "response", "request_seq": seqs[name], "command": name, "success": true, "body": content})
            }
            _ => json!({"type": "event", "event": name, "body": content}),
        };
        let dir = if kind == ">" { "client" } else { "adapter" };
        text.push_str(&format!("\n{}", json!({"dir": dir, "message": message})));
    }
    Recording::parse(&text, &[]).unwrap()
}

#[tokio::test(start_paused = true)]
async fn what_happened_while_somebody_asked_happens_also_when_nobody_asks() {
    let talk = [
        ("> configurationDone", json!({})),
        ("< configurationDone", json!({})),
        ("> threads", json!({})),
        ("! output", json!({"output": "meanwhile"})),
        ("< threads", json!({"threads": []})),
        ("! stopped", json!({"reason": "breakpoint", "threadId": 1})),
        ("> threads", json!({})),
        ("< threads", json!({"threads": [{"id": 1, "name": "main"}]})),
    ];
    let mut client = Client::of(written(&talk));
    client.ask("configurationDone", json!({})).await.unwrap();
    assert_eq!(client.event("output").await["body"]["output"], "meanwhile");
    client.event("stopped").await;
    // At the stop: what was answered at the stop.
    let threads = client.ask("threads", json!({})).await.unwrap();
    assert_eq!(threads["body"]["threads"][0]["id"], 1);
    client.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_question_about_the_run_is_answered_although_the_stop_was_played_already() {
    let talk = [
        ("> configurationDone", json!({})),
        ("< configurationDone", json!({})),
        ("> modules", json!({})),
        ("< modules", json!({"modules": []})),
        ("! stopped", json!({"reason": "breakpoint", "threadId": 1})),
        ("> continue", json!({"threadId": 1})),
        ("< continue", json!({})),
    ];
    let mut client = Client::of(written(&talk));
    client.ask("configurationDone", json!({})).await.unwrap();
    assert_eq!(client.ask("modules", json!({})).await.unwrap()["success"], true);
    client.ask("continue", json!({"threadId": 1})).await.unwrap();
    assert_eq!(client.ask("modules", json!({})).await.unwrap()["success"], false);
    client.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_stop_recorded_before_its_response_is_played_before_it() {
    let mut client = Client::of(load("netcoredbg/stopped-before-response"));
    client.start(&[("Program.cs", &[46])]).await;
    client.event("stopped").await;
    let mut early = 0;
    for _ in 0..12 {
        let answer = client.ask("next", json!({"threadId": 1})).await.unwrap();
        assert_eq!(answer["success"], true);
        early += usize::from(client.events.iter().any(|event| event["event"] == "stopped"));
        client.event("stopped").await;
    }
    assert_eq!(early, 1);
    client.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_recorded_crash_ends_the_conversation_with_its_signal() {
    let mut client = Client::of(load("dncdbg/evaluate-kills-adapter"));
    client.start(&[("Program.cs", &[16])]).await;
    let answer = client.ask("evaluate", json!({"expression": "Recursion.Program.Down(-1)", "frameId": 0})).await;
    assert_eq!(answer, None);
    assert_eq!(client.end().await.exit_code, Some(-11));
}
