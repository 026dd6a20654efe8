//! The SDKs that other people's clients are made with, over both transports: tools, prompts, completions, resources with subscriptions,
//! and tasks. They come from their registries; where they are not installed, these are skipped.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::scenarios;
use crate::bench::assert_has;
use crate::harness::skip;
use crate::real::Bench;

scenarios! {
    the_python_sdk_debugs_a_program_over_both_transports, "builtin";
    the_typescript_sdk_debugs_a_program_over_both_transports, "builtin";
}

/// The interpreter of an environment where pip installed `mcp`.
const PYTHON: &str = "CLRBRIDGE_PYTHON_SDK";
/// The folder where npm installed `@modelcontextprotocol/sdk`.
const NODE: &str = "CLRBRIDGE_NODE_SDK";

fn installed(variable: &str) -> PathBuf {
    let found = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.exists());
    found.unwrap_or_else(|| skip(&format!("{variable} is not set")))
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real/sdks").join(name)
}

/// A server over HTTP, ended with this.
struct Served {
    child: Child,
    address: String,
    token: String,
}

impl Served {
    fn start(bench: &Bench) -> Self {
        let mut command = bench.command(&["serve", "--http", "127.0.0.1:0"]);
        command.env_remove("CLRBRIDGE_TOKEN").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let mut word = |before: &str| {
            let line = lines.next().unwrap_or_default();
            let word = line.strip_prefix(before).and_then(|rest| rest.split([' ', ';']).next());
            word.unwrap_or_else(|| panic!("{before}: {line}")).to_owned()
        };
        let (address, token) = (word("clrbridge serves MCP on "), word("token: "));
        // read away: a full pipe would lose what it says
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address, token }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let pid = i32::try_from(self.child.id()).unwrap();
        // SAFETY: a plain system call; the process is ours and not reaped yet.
        unsafe { libc::kill(pid, libc::SIGTERM) };
        let _ = self.child.wait();
    }
}

/// What a script printed, run by `client` with the transport as its last arguments.
fn facts(bench: &Bench, client: impl Fn() -> Command, way: &str) -> Value {
    let mut command = client();
    command.arg(bench.built("Traps", "Traps.dll")).arg(way);
    let server = bench.command(&[]);
    let served = (way == "http").then(|| Served::start(bench));
    match &served {
        Some(served) => command.args([&served.address, &served.token]),
        None => command.arg(server.get_program()).args(server.get_args()),
    };
    for (name, value) in server.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let output = command.stdin(Stdio::null()).output().unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{way}: {complaints}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{way}: {error}: {complaints}"))
}

#[track_caller]
fn assert_debugged(bench: &Bench, facts: &Value) {
    let names = |of: &str| facts[of].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect::<Vec<_>>();
    assert!(names("tools").contains(&"debug_launch") && names("tools").len() > 40, "{facts}");
    assert!(names("prompts").contains(&"find_leak") && names("resources").contains(&"debug://locals"), "{facts}");
    assert!(names("templates").contains(&"debug://source/{+path}"), "{facts}");
    assert!(facts["prompt"].as_str().unwrap().contains("s7"), "{facts}");
    assert_has(
        facts,
        json!({
            "launched": "still_running",
            "stop": {"outcome": "stopped", "reason": "breakpoint", "location": {"line": bench.line("Traps", "between-ticks")}},
            "complete": {"type": ["Traps.Trap"], "file": ["Program.cs"], "breakpoint_id": ["1"], "session_id": ["s1"]},
            "failed": [true, "evaluation_failed"],
            "updated": "debug://session/current",
            "state": "running",
        }),
    );
    assert!(facts["locals"].as_array().unwrap().iter().any(|local| local["name"] == "tick"), "{facts}");
}

fn the_python_sdk_debugs_a_program_over_both_transports(bench: &Bench) {
    let python = installed(PYTHON);
    for (era, way) in [("legacy", "stdio"), ("modern", "stdio"), ("legacy", "http"), ("modern", "http")] {
        let client = || {
            let mut command = Command::new(&python);
            command.arg(script("python.py")).arg(era);
            command
        };
        let facts = facts(bench, client, way);
        assert_debugged(bench, &facts);
        let is_modern = era == "modern";
        assert_eq!(facts["version"] == "2026-07-28", is_modern, "{facts}");
        let task = if is_modern { json!(["working", "completed"]) } else { Value::Null };
        assert_eq!(facts["task"], task, "a wait is a task for those that take tasks");
    }
}

fn the_typescript_sdk_debugs_a_program_over_both_transports(bench: &Bench) {
    let folder = installed(NODE);
    let node = which::which("node").unwrap_or_else(|_| skip("no node"));
    for way in ["stdio", "http"] {
        let client = || {
            let mut command = Command::new(&node);
            command.arg(script("typescript.mjs")).arg(&folder);
            command
        };
        assert_debugged(bench, &facts(bench, client, way));
    }
}
