//! The workspace tools through a real MCP client: what code_load and code_get_diagnostics tell, and what they refuse.
//! Those that need an SDK say that they were skipped where there is none.

mod compiler;
mod loading;
mod targets;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::renderings::{empties, missing_in_text};
use clrbridge::config::ServerOptions;
use clrbridge::mcp::{self, Dispatch};
use clrbridge::session::{Registry, Settings};
use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig, Implementation, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

/// A client that keeps what it is told of progress.
struct Client(UnboundedSender<ProgressNotificationParam>);

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(Default::default(), Implementation::new("a test", "1"))
    }
    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let _ = self.0.send(progress);
    }
}

/// A server with a folder of files for its client's root.
struct Stage {
    _folder: tempfile::TempDir,
    root: PathBuf,
    client: RunningService<RoleClient, Client>,
    progress: UnboundedReceiver<ProgressNotificationParam>,
}

impl Stage {
    async fn new(files: &[(&str, &str)]) -> Self {
        Self::named("shop", files).await
    }

    /// In a folder of that name.
    async fn named(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join(name);
        fs::create_dir(&root).unwrap();
        let (client, server) = tokio::io::duplex(256 * 1024);
        let settings = Settings { client_root: Some(root.clone()), ..Settings::default() };
        let options = ServerOptions { toolsets: "all".parse().unwrap(), ..ServerOptions::default() };
        let dispatch = Dispatch::new(Registry::new(settings), options, Arc::new(|| Box::pin(async { Vec::new() })));
        let (reader, writer) = tokio::io::split(server);
        tokio::spawn(mcp::serve(dispatch, reader, writer, CancellationToken::new()));
        let (tell, progress) = unbounded_channel();
        let stage = Self { _folder: folder, root, client: Client(tell).serve(client).await.unwrap(), progress };
        for (name, text) in files {
            stage.write(name, text);
        }
        stage
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    async fn call(&self, tool: &str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.client.call_tool(request).await.unwrap()
    }

    /// The structured answer, checked against its schema and its text, with `/src` for the root.
    async fn ask(&self, tool: &str, arguments: Value) -> (String, Value) {
        let result = self.call(tool, arguments).await;
        let structured = result.structured_content.unwrap();
        let tools = self.client.list_all_tools().await.unwrap();
        let schema = tools.into_iter().find(|listed| listed.name == tool).unwrap().output_schema.unwrap();
        let validator = jsonschema::validator_for(&Value::Object((*schema).clone())).unwrap();
        assert!(validator.is_valid(&structured), "{tool}: {structured}");
        let text = result.content[0].as_text().unwrap().text.clone();
        let (mut missing, mut nothing) = (Vec::new(), Vec::new());
        missing_in_text("", &structured, &text, &mut missing);
        empties("", &structured, &mut nothing);
        // what was asked for may be an empty list
        nothing.retain(|path| path.matches('.').count() > 1);
        assert!(missing.is_empty() && nothing.is_empty(), "{missing:?} {nothing:?} in {text}");
        let here = self.root.to_str().unwrap();
        let plain = structured.to_string().replace(here, "/src");
        (text.replace(here, "/src"), serde_json::from_str(&plain).unwrap())
    }

    async fn failed(&self, tool: &str, arguments: Value) -> (String, String, String) {
        let (_, error) = self.ask(tool, arguments).await;
        let word = |name: &str| error[name].as_str().unwrap_or_else(|| panic!("{error}")).to_owned();
        (word("code"), word("message"), word("hint"))
    }
}

/// Both renderings of an answer, for a snapshot.
fn both((text, json): &(String, Value)) -> String {
    format!("{text}\n---\n{json}")
}

fn sdk(inner: &str) -> String {
    format!("<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>{inner}</PropertyGroup></Project>")
}

fn net10(inner: &str) -> String {
    sdk(&format!("<TargetFramework>net10.0</TargetFramework>{inner}"))
}

fn assembly(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies").join(name)
}
