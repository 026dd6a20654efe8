//! A recorded session in place of an adapter (`--backend replay:FILE`), with the quirks of the recorded adapter.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::Value;

use super::adapters::quirks_of;
use super::error::BackendError;
use super::profile::{Command, Profile};
use super::quirks::Quirks;

/// `replay:FILE`.
pub const PREFIX: &str = "replay:";

/// The first line is `{"recording": {"adapter": .., "version": ..}}`; a longer line is not one.
const FIRST_LINE: u64 = 64 << 10;

pub(super) fn open(file: &Path) -> Result<Profile, BackendError> {
    let wrong =
        |reason: String| BackendError::WrongPath { setting: "backend replay".into(), path: file.into(), reason };
    let opened = File::open(file).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let mut opened = BufReader::new(opened);
    let mut line = Vec::new();
    (&mut opened)
        .take(FIRST_LINE)
        .read_until(b'\n', &mut line)
        .map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let first: Value =
        serde_json::from_slice(&line).map_err(|_| wrong("is not a recording: its first line is not JSON".into()))?;
    let about = first
        .get("recording")
        .ok_or_else(|| wrong("is not a recording: its first line does not describe one".into()))?;
    let text = |key: &str| about.get(key).and_then(Value::as_str);
    let name = text("adapter").ok_or_else(|| wrong("does not specify an adapter in its first line".into()))?;
    let quirks = if had_evaluation_options(opened) { of_a_replay(name) } else { without_options(name) };
    Ok(Profile {
        version: text("version").map(str::to_owned),
        recording: Some(file.to_owned()),
        quirks,
        ..played(name)
    })
}

/// Whether the recording client was one that gives the options which decide what a reading runs, as we do.
fn had_evaluation_options(lines: impl BufRead) -> bool {
    let mut messages = lines.lines().map_while(Result::ok).filter_map(|line| {
        // parsed only where it can be the one
        let line = Some(line).filter(|line| line.contains("\"launch\""))?;
        serde_json::from_str::<Value>(&line).ok()
    });
    let launch = messages.find_map(|line| {
        let message = line.get("message")?;
        let is_launch = message.get("type")? == "request" && message.get("command")? == "launch";
        is_launch.then(|| message.get("arguments").cloned().unwrap_or_default())
    });
    launch.is_some_and(|arguments| arguments.get("expressionEvaluationOptions").is_some())
}

/// The profile of something that plays an adapter within this process.
pub fn played(adapter: &str) -> Profile {
    Profile {
        name: format!("replay of {adapter}"),
        command: Command::default(),
        version: None,
        quirks: without_options(adapter),
        recording: None,
    }
}

/// There is nothing to attach to.
fn of_a_replay(adapter: &str) -> Quirks {
    Quirks { launch_options_outlive_attach: false, attaches_while_held: false, ..quirks_of(adapter) }
}

/// An adapter without options for evaluation runs what it likes, and does not know the syntax that allows side effects.
fn without_options(adapter: &str) -> Quirks {
    Quirks {
        force_evaluation_suffix: None,
        takes_evaluation_options: false,
        conditions_may_call: true,
        variables_run_getters: true,
        ..of_a_replay(adapter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_brings_the_quirks_of_its_adapter() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.jsonl");
        std::fs::write(&file, "{\"recording\": {\"adapter\": \"dncdbg\", \"version\": \"1.1.0\"}}\n{}\n").unwrap();
        let profile = open(&file).unwrap();
        assert_eq!((profile.name.as_str(), profile.version.as_deref()), ("replay of dncdbg", Some("1.1.0")));
        assert!(profile.quirks.listing_is_cheap && !profile.quirks.attaches_while_held);
        assert_eq!(profile.recording.as_deref(), Some(file.as_path()));
    }

    #[test]
    fn the_options_of_the_recorded_launch_decide_how_values_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.jsonl");
        for (arguments, suffix, listing_runs_getters) in [
            (r#"{"expressionEvaluationOptions": {"allowImplicitFuncEval": false}}"#, Some(",ac"), false),
            (r#"{"justMyCode": true}"#, None, true),
        ] {
            let text = format!(
                "{}\n{}\n{{\"dir\": \"client\", \"message\": {{\"type\": \"request\", \"command\": \"launch\", \"arguments\": {arguments}}}}}\n",
                r#"{"recording": {"adapter": "dncdbg"}}"#,
                r#"{"dir": "client", "message": {"type": "request", "command": "initialize", "arguments": {"adapterID": "launch"}}}"#,
            );
            std::fs::write(&file, text).unwrap();
            let quirks = open(&file).unwrap().quirks;
            assert_eq!(
                (quirks.force_evaluation_suffix, quirks.variables_run_getters),
                (suffix, listing_runs_getters),
                "{arguments}"
            );
        }
    }

    #[test]
    fn what_is_no_recording_is_refused_with_its_path() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.jsonl");
        for text in ["", "text", "{}", "{\"recording\": {}}"] {
            std::fs::write(&file, text).unwrap();
            let error = open(&file).unwrap_err().to_string();
            assert!(error.starts_with(&format!("backend replay={} ", file.display())), "{error}");
        }
        assert!(open(Path::new("/nowhere.jsonl")).unwrap_err().to_string().contains("cannot be read"));
    }
}
