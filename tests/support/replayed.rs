//! The whole server over a recorded conversation: its tools are called, a recording plays the adapter.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clrbridge::config::ServerOptions;
use clrbridge::mcp::Dispatch;
use clrbridge::session::{Player, Registry, Settings};
use clrbridge::transport::replay::{self, Recording};
use serde_json::{Map, Value};
use tokio::sync::watch;

/// Far more than any answer needs; time is paused.
const LIMIT: Duration = Duration::from_secs(900);

pub fn data(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)
}

pub struct Server {
    dispatch: Dispatch,
    registry: Registry,
}

/// One answer in both renderings.
pub struct Answer {
    pub text: String,
    pub json: Value,
    pub failed: bool,
}

impl Server {
    /// `workspace` is what the recording calls `${workspace}`, and the client's folder. No .NET of this machine is
    /// looked into, so that answers are the same on every machine.
    pub fn playing(recording: &Path, workspace: &Path) -> Self {
        let folder = workspace.display().to_string();
        let places =
            [("workspace", folder.as_str()), ("dotnet", "/no/dotnet"), ("home", "/no/home"), ("tmp", "/no/tmp")];
        let recording = Recording::load(recording, &places).unwrap();
        let player = Player {
            adapter: recording.header().adapter.clone(),
            play: Arc::new(move |connection| Box::pin(replay::serve(recording.clone(), connection))),
        };
        let client_root = Some(workspace.to_owned());
        Self::with(Settings { player: Some(player), client_root, ..Settings::default() })
    }

    pub fn with(settings: Settings) -> Self {
        let registry = Registry::new(settings);
        let options = ServerOptions { toolsets: "all".parse().unwrap(), ..ServerOptions::default() };
        let backends = Arc::new(|| -> futures::future::BoxFuture<'static, Vec<_>> { Box::pin(async { Vec::new() }) });
        Self { dispatch: Dispatch::new(registry.clone(), options, backends), registry }
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> Answer {
        let found = self.dispatch.find(tool).unwrap();
        let arguments: Map<String, Value> = match arguments {
            Value::Object(map) => map,
            other => panic!("arguments of {tool}: {other}"),
        };
        let (phase, _) = watch::channel(String::new());
        let call = self.dispatch.call(found, arguments.clone(), phase);
        let mut answered = tokio::time::timeout(LIMIT, call)
            .await
            .unwrap_or_else(|_| panic!("{tool} {} is never answered", Value::Object(arguments)));
        answered.delivered();
        Answer { text: answered.content.clone(), json: answered.structured.clone(), failed: answered.failed }
    }

    pub async fn end(self) {
        self.registry.shutdown().await;
    }
}

/// A folder as the recorder had it: sources, and the assembly that was committed for the fixture.
pub fn laid_out(fixture: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join(fixture);
    let out = home.join("bin/Debug/net10.0");
    std::fs::create_dir_all(&out).unwrap();
    std::fs::copy(data("fixtures").join(fixture).join("Program.cs"), home.join("Program.cs")).unwrap();
    for end in ["dll", "pdb"] {
        let name = format!("{fixture}.{end}");
        std::fs::copy(data("data/assemblies").join(&name), out.join(&name)).unwrap();
    }
    folder
}

/// The calls of a story, one JSON object a line. `program` becomes the dll, which a replay reads for types and lines.
pub fn story(name: &str) -> (String, Vec<(String, Value)>) {
    let text = std::fs::read_to_string(data(&format!("data/recordings/clrbridge/{name}.story"))).unwrap();
    let mut fixture = String::new();
    let mut calls = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut call: Value = serde_json::from_str(line).unwrap();
        if let Some(program) = call["arguments"]["program"].as_str() {
            fixture = program.to_owned();
            call["arguments"]["program"] = format!("{fixture}/bin/Debug/net10.0/{fixture}.dll").into();
        }
        calls.push((call["tool"].as_str().unwrap().to_owned(), call["arguments"].take()));
    }
    (fixture, calls)
}
