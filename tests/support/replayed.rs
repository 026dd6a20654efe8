//! The whole server over a recorded conversation: its tools are called, a recording plays the adapter.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clrbridge::config::ServerOptions;
use clrbridge::mcp::Dispatch;
use clrbridge::session::{Registry, Settings};
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
    /// `workspace` is what the recording calls `${workspace}`, and the client's folder.
    pub fn playing(recording: &Path, workspace: &Path) -> Self {
        let settings = Settings {
            backend: format!("replay:{}", recording.display()),
            client_root: Some(workspace.to_owned()),
            ..Settings::default()
        };
        Self::with(settings)
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
