//! A session with a real adapter, recorded by `--record`, and replayed over its recording: the same answers.

use std::path::Path;

use crate::replayed::{Server, laid_out, story};
use clrbridge::backend::{self, AdapterSettings};
use clrbridge::dotnet::Dotnet;
use clrbridge::session::Settings;
use serde_json::Value;

use crate::harness::{Test, block_on, skip};

const RUNTIME: &str = r#"{"runtimeOptions": {"framework": {"name": "Microsoft.NETCore.App", "version": "10.0.0"}, "rollForward": "LatestMajor"}}"#;

async fn answers(settings: Settings, workspace: &Path) -> Vec<Value> {
    let server = Server::with(Settings { client_root: Some(workspace.to_owned()), ..settings });
    let (_, calls) = story("basics");
    let mut all = Vec::new();
    for (tool, arguments) in calls {
        let mut answer = server.call(&tool, arguments).await.json;
        // a replay takes no time, needs no process and says what it is
        for name in ["elapsed_ms", "program", "backend", "started_by"] {
            answer.as_object_mut().unwrap().shift_remove(name);
        }
        // the end is seen by us or reported by the adapter, whose last events then come before it or after
        if answer["outcome"] == "exited" {
            answer.as_object_mut().unwrap().shift_remove("seq");
        }
        all.push(answer);
    }
    server.end().await;
    all
}

/// A test for each adapter.
pub fn over(adapters: &[&'static str]) -> Vec<Test> {
    let test = |&adapter: &&'static str| Test {
        name: format!("record_and_replay::what_was_recorded_is_answered_again::{adapter}"),
        run: Box::new(move || block_on(what_was_recorded_is_answered_again(adapter))),
    };
    adapters.iter().map(test).collect()
}

async fn what_was_recorded_is_answered_again(adapter: &str) {
    let chosen = AdapterSettings::default().choosing(Some(adapter));
    if backend::find(&chosen).await.is_err() {
        skip(&format!("no {adapter}"));
    }
    if !Dotnet::find().is_ok_and(|dotnet| dotnet.runtimes().iter().any(|(_, version)| version.starts_with("10."))) {
        skip("no .NET 10");
    }
    let workspace = laid_out("Basics");
    let runtime = workspace.path().join("Basics/bin/Debug/net10.0/Basics.runtimeconfig.json");
    std::fs::write(runtime, RUNTIME).unwrap();
    let file = workspace.path().join("talk.jsonl");
    let live = Settings { adapter: chosen, record: Some(file.clone()), ..Settings::default() };
    let first = answers(live, workspace.path()).await;
    assert_eq!(first[9]["exit_code"], 7, "{adapter}: {first:#?}");
    let recording = std::fs::read_to_string(&file).unwrap();
    let here = workspace.path().display().to_string();
    assert!(!recording.contains(&here), "{adapter}: a path of this machine is in the recording");
    // moved elsewhere, as a recording is
    let elsewhere = laid_out("Basics");
    let copy = elsewhere.path().join("copy.jsonl");
    std::fs::write(&copy, recording).unwrap();
    let replay = format!("replay:{}", copy.display());
    let played = Settings { adapter: AdapterSettings::default().choosing(Some(&replay)), ..Settings::default() };
    let again = answers(played, elsewhere.path()).await;
    for (at, (first, again)) in first.iter().zip(&again).enumerate() {
        assert_eq!(first.to_string(), again.to_string(), "{adapter}, call {}", at + 1);
    }
}
