//! A trial: a small embedded program, started suspended and debugged under one adapter as a user's program would be.
//!
//! Owns the program and the expected results. It uses the same tools as an agent, so it tests everything that they need: launch,
//! symbols, a stop, a step, a value, the exit. The race to remember: a signal may end the trial between two calls; its own registry
//! is shut down in every case.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::config::ServerOptions;
use crate::mcp::{self, Dispatch};
use crate::session::{Registry, Settings};

const DLL: &[u8] = include_bytes!("trial/Trial.dll");
const PDB: &[u8] = include_bytes!("trial/Trial.pdb");
/// The program asks for .NET 8 and takes whatever is newer.
const RUNTIME_CONFIG: &str = r#"{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"8.0.0"},"rollForward":"LatestMajor"}}"#;
/// For one call: a start that comes to nothing is reported before that.
const PATIENCE_MS: u64 = 40_000;

/// What came of a trial: how long it took, or everything that was said when it failed.
pub(super) type Outcome = Result<Duration, String>;

/// Debugs the program with `backend` (`netcoredbg`, `dncdbg`, `external`): held before its first instruction, stopped at its first
/// line, stepped, a value read, run to its end.
pub(super) async fn run(backend: &str, settings: Settings) -> Outcome {
    let begin = Instant::now();
    let folder = stage().map_err(|error| format!("{error:#}"))?;
    let program = folder.path().join("Trial.dll").display().to_string();
    let settings = Settings {
        adapter: settings.adapter.choosing(Some(backend)),
        client_root: Some(folder.path().to_owned()),
        record: None,
        player: None,
        read_only: false,
        ..settings
    };
    let registry = Registry::new(settings);
    let no_backends: mcp::Backends = Arc::new(|| Box::pin(async { Vec::new() }));
    let dispatch = Dispatch::new(registry.clone(), ServerOptions::default(), no_backends);
    let outcome = debug(&dispatch, &program).await;
    registry.shutdown().await;
    outcome.map(|()| begin.elapsed())
}

fn stage() -> anyhow::Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new()
        .prefix("clrbridge-doctor-")
        .tempdir()
        .context("cannot create a folder for the trial")?;
    let files: [(&str, &[u8]); 3] =
        [("Trial.dll", DLL), ("Trial.pdb", PDB), ("Trial.runtimeconfig.json", RUNTIME_CONFIG.as_bytes())];
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).with_context(|| format!("cannot write {name}"))?;
    }
    Ok(folder)
}

async fn debug(dispatch: &Dispatch, program: &str) -> Result<(), String> {
    let launch = json!({"program": program, "stop_at_entry": true, "build": "never", "timeout_ms": PATIENCE_MS});
    let report = call(dispatch, "debug_launch", launch).await?;
    let has_line = |it: &Value| it.pointer("/location/line").is_some_and(Value::is_u64);
    expect(&report, "a stop at the first line", |it| outcome(it) == Some("stopped") && has_line(it))?;
    // from the brace to the first statement, and over it
    let report = call(dispatch, "debug_step", json!({"mode": "over", "count": 2, "timeout_ms": PATIENCE_MS})).await?;
    expect(&report, "a step", |it| outcome(it) == Some("stopped"))?;
    let value = call(dispatch, "variables_get", json!({"path": "answer"})).await?;
    expect(&value, "the value of a local", |it| it.to_string().contains("\"6\""))?;
    let report = call(dispatch, "debug_continue", json!({"timeout_ms": PATIENCE_MS})).await?;
    expect(&report, "an exit with code 0", |it| {
        outcome(it) == Some("exited") && it.get("exit_code").is_some_and(|code| *code == 0)
    })
}

fn outcome(report: &Value) -> Option<&str> {
    report.get("outcome").and_then(Value::as_str)
}

/// The answer, or all that the failure says: the sentence, and what adapter and program wrote.
async fn call(dispatch: &Dispatch, tool: &str, arguments: Value) -> Result<Value, String> {
    let tool = dispatch.find(tool)?;
    let (phase, _) = watch::channel(String::new());
    let mut reply = dispatch.call(tool, arguments.as_object().cloned().unwrap_or_default(), phase).await;
    reply.delivered();
    if !reply.failed {
        return Ok(reply.structured);
    }
    let mut words = Vec::new();
    texts(&reply.structured, &mut words);
    Err(words.join("\n"))
}

/// Every text of an error but its code and the next call, in order.
fn texts(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::String(text) => words.extend(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Value::Array(items) => items.iter().for_each(|item| texts(item, words)),
        Value::Object(members) => {
            let is_text = |name: &str| !matches!(name, "code" | "hint" | "state" | "session_id" | "request");
            members.iter().filter(|(name, _)| is_text(name)).for_each(|(_, value)| texts(value, words));
        }
        _ => {}
    }
}

fn expect(answer: &Value, what: &str, is_so: impl Fn(&Value) -> bool) -> Result<(), String> {
    if is_so(answer) { Ok(()) } else { Err(format!("expected {what}, got {answer}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_keeps_every_word_of_the_adapter_and_the_program() {
        let error = json!({
            "code": "launch_failed", "message": "the program ended", "hint": "run it in a shell",
            "details": {"exit_code": 134, "stderr": "", "output": {"stderr": "Couldn't find a valid ICU package"}},
        });
        let mut words = Vec::new();
        texts(&error, &mut words);
        assert_eq!(words, ["the program ended", "Couldn't find a valid ICU package"]);
    }

    #[test]
    fn the_embedded_program_starts_at_the_line_that_the_trial_expects() {
        let folder = stage().unwrap();
        let assembly = clr_metadata::Assembly::open(folder.path().join("Trial.dll")).unwrap();
        let documents = assembly.pdb().unwrap().documents();
        let source = include_bytes!("trial/Trial.cs");
        assert!(
            documents.iter().any(|it| it.path == "/trial/Trial.cs" && it.matches(source) == Some(true)),
            "{documents:?}"
        );
    }

    #[tokio::test]
    async fn an_adapter_that_is_not_there_fails_the_trial_in_words() {
        let outcome = run("no-such-backend", Settings::default()).await;
        assert!(outcome.unwrap_err().contains("no-such-backend"));
    }
}
