//! A secret of a program, and every way by which it could leave: answers in both renderings, the page, its exports, logs, a recording.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client};

scenarios! {
    a_secret_leaves_by_no_way_out;
}

const SECRET: &str = "s3cr3tQ9xZ";

/// What was said, by whom.
#[derive(Default)]
struct Said(Vec<(String, String)>);

impl Said {
    fn call(&mut self, client: &mut Client, tool: &str, arguments: Value) -> Value {
        let what = format!("{tool} {arguments}");
        let reply = client.call(tool, arguments);
        self.0.push((what, format!("{}\n{}", reply.value, reply.text)));
        reply.value
    }

    fn keep(&mut self, what: &str, text: String) {
        self.0.push((what.to_owned(), text));
    }

    /// `wanted`: what says that there was something to redact.
    #[track_caller]
    fn assert_silent(&self, wanted: &[&str]) {
        for (what, text) in &self.0 {
            // characters one by one are still the secret
            let joined: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
            assert!(!joined.contains(SECRET), "{what}: {text}");
        }
        for wanted in wanted {
            let about = |(what, _): &&(String, String)| what.starts_with(wanted);
            let shown: Vec<&(String, String)> = self.0.iter().filter(about).collect();
            assert!(shown.iter().any(|(_, text)| text.contains('•')), "{wanted}: {shown:?}");
        }
    }
}

/// A page, as a browser that was let in asks for it.
fn page(address: &str, path: &str, cookie: &str) -> String {
    let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let cookie = if cookie.is_empty() { String::new() } else { format!("Cookie: {cookie}\r\n") };
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{cookie}\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn a_secret_leaves_by_no_way_out(bench: &Bench) {
    let recording = bench.folder().join("session.jsonl");
    let flags = ["--dashboard", "--log-level", "trace,rmcp=trace", "--record", recording.to_str().unwrap()];
    let mut client = bench.client_with(&flags);
    let mut said = Said::default();
    let launch = json!({
        "env": {"DB_PASSWORD": SECRET},
        "breakpoints": [
            {"file": "Program.cs", "text": "BP:connecting", "condition": format!("db_password == \"{SECRET}\"")},
            {"file": "Program.cs", "text": "BP:caught"},
        ],
    });
    let stop = said.call(&mut client, "debug_launch", bench.launch("Secrets", &["--api-key", SECRET], launch));
    assert_eq!(stop["location"]["line"], bench.line("Secrets", "connecting"), "{stop}");
    let note = stop["note"].as_str().unwrap();
    let address = note.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();

    said.call(&mut client, "watch_set", json!({"expressions": ["db_password", "login.Password", "dsn"]}));
    said.call(
        &mut client,
        "tracepoint_set",
        json!({"file": "Program.cs", "text": "GET {url}", "message": "as {db_password} to {url}"}),
    );
    said.call(&mut client, "breakpoint_set_exception", json!({"mode": "thrown"}));
    let evaluated = [
        "db_password",
        "dsn",
        "url",
        "settings",
        "settings[\"Db:Password\"]",
        "login",
        "login._api_key",
        "pwd",
        "args",
        "db_password + \"!\"",
        "db_password.Length",
        "(db_password, 1)",
        "new { db_password }",
    ];
    for expression in evaluated {
        said.call(&mut client, "evaluate", json!({"expression": expression}));
    }
    said.call(&mut client, "evaluate", json!({"expressions": evaluated}));
    for path in [None, Some("login"), Some("settings"), Some("pwd"), Some("args")] {
        let arguments = path.map_or_else(|| json!({"depth": 3}), |path| json!({"path": path, "depth": 3}));
        said.call(&mut client, "variables_get", arguments);
    }
    said.call(&mut client, "object_inspect", json!({"expression": "login", "depth": 3}));
    let set = json!({"path": "login.Password", "value": format!("\"{SECRET}\"")});
    said.call(&mut client, "variable_set", set);
    let mut report = said.call(&mut client, "debug_continue", json!({}));
    for _ in 0..8 {
        if report["outcome"] != "stopped" {
            break;
        }
        said.call(&mut client, "exception_get_context", json!({"include_variables_for_frames": 3}));
        said.call(&mut client, "stacktrace_get", json!({}));
        said.call(&mut client, "threads_list", json!({"expressions": ["db_password"]}));
        said.call(&mut client, "debug_get_snapshot", json!({}));
        said.call(&mut client, "debug_get_state_path", json!({"path": "locals.db_password"}));
        for path in ["/", "/?output=Password"] {
            let cookie = cookie(&address);
            said.keep("page", page(&address, path, &cookie));
        }
        report = said.call(&mut client, "debug_continue", json!({}));
    }
    assert_eq!(report["outcome"], "exited", "{report}");
    said.call(&mut client, "process_read_output", json!({}));
    said.call(&mut client, "breakpoint_list", json!({}));
    said.call(&mut client, "breakpoint_explain", json!({"id": 1}));
    said.call(&mut client, "debug_state", json!({}));
    for stream in ["execution", "output", "exceptions", "threads", "modules", "breakpoints", "tracepoints", "commands"]
    {
        said.call(&mut client, "debug_query_events", json!({"stream": stream, "limit": 200}));
    }
    let cookie = cookie(&address);
    for path in ["/", "/?output=Password", "/history/json", "/history/csv", "/history/md", "/history/sh"] {
        said.keep(path, page(&address, path, &cookie));
    }
    let log = client.close_with_log();
    assert!(log.contains("rmcp"), "{log}");
    said.keep("the log", log);
    let recorded = std::fs::read_to_string(&recording).unwrap();
    assert!(recorded.lines().count() > 50, "{recorded}");
    said.keep("the recording", recorded);
    let ways = [
        "debug_launch",
        "watch_set",
        "evaluate",
        "variables_get",
        "variable_set",
        "debug_continue",
        "exception_get_context",
        "process_read_output",
        "breakpoint_list",
        "debug_query_events",
        "page",
        "/history/json",
        "/history/csv",
        "/history/md",
        "/history/sh",
        "the recording",
    ];
    said.assert_silent(&ways);
}

/// What a browser keeps that opened the address.
fn cookie(address: &str) -> String {
    let path = format!("/{}", address.splitn(4, '/').nth(3).unwrap());
    let answer = page(address, &path, "");
    let given = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap_or_else(|| panic!("{answer}"));
    given.split(';').next().unwrap().to_owned()
}
