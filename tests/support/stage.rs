//! A folder of files and a server of which it is the client's root: what the code tools are asked about.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::fs;
use std::path::{Path, PathBuf};

use clrbridge::config::ServerOptions;
use clrbridge::session::Settings;
use rmcp::model::{CallToolRequestParams, ClientConfig, Implementation, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::renderings::{closed, empties, missing_in_text};
use crate::served::served;

/// A client that keeps the progress that it is sent.
pub struct Client(UnboundedSender<ProgressNotificationParam>);

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(Default::default(), Implementation::new("a test", "1"))
    }
    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let _ = self.0.send(progress);
    }
}

/// A server with a folder of files for its client's root.
pub struct Stage {
    _folder: tempfile::TempDir,
    pub root: PathBuf,
    pub client: RunningService<RoleClient, Client>,
    pub progress: UnboundedReceiver<ProgressNotificationParam>,
}

impl Stage {
    pub async fn new(files: &[(&str, &str)]) -> Self {
        Self::named("shop", files).await
    }

    /// In a folder of that name.
    pub async fn named(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join(name);
        fs::create_dir(&root).unwrap();
        let settings = Settings { client_root: Some(root.clone()), ..Settings::default() };
        let options = ServerOptions { toolsets: "all".parse().unwrap(), ..ServerOptions::default() };
        let client = served(settings, options);
        let (tell, progress) = unbounded_channel();
        let stage = Self { _folder: folder, root, client: Client(tell).serve(client).await.unwrap(), progress };
        for (name, text) in files {
            stage.write(name, text);
        }
        stage
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// `tests/fixtures/Usages` as a workspace; `is_built`: with what its builds made where a build puts it.
    pub async fn of_usages(is_built: bool) -> Self {
        let stage = Self::new(&[]).await;
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let copy = |from: PathBuf, to: &str| {
            fs::create_dir_all(stage.root.join(to).parent().unwrap()).unwrap();
            fs::copy(from, stage.root.join(to)).unwrap();
        };
        let projects = ["App/App.csproj", "Core/Core.csproj"];
        let sources = ["App/Program.cs", "App/Checkout.cs", "Core/Items.cs", "Core/Basket.cs", "Core/Basket.Events.cs"];
        for file in projects.into_iter().chain(sources) {
            copy(tests.join("fixtures/Usages").join(file), file);
        }
        for (project, name) in [("App", "Usages.App"), ("Core", "Usages.Core")].into_iter().filter(|_| is_built) {
            for extension in ["dll", "pdb"] {
                let file = format!("{name}.{extension}");
                copy(assembly(&file), &format!("{project}/bin/Debug/net10.0/{file}"));
            }
        }
        stage
    }

    /// That, built and loaded.
    pub async fn of_usages_loaded() -> Self {
        let stage = Self::of_usages(true).await;
        stage.ask("code_load", json!({"path": "App/App.csproj"})).await;
        stage
    }

    /// An answer in both renderings, with `/src` for the root. Each must hold what the other holds, and fit the listed schema.
    async fn answer(&self, tool: &str, arguments: Value) -> (bool, String, Value) {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let result = self.client.call_tool(request).await.unwrap();
        let structured = result.structured_content.unwrap();
        let tools = self.client.list_all_tools().await.unwrap();
        let schema = tools.into_iter().find(|listed| listed.name == tool).unwrap().output_schema.unwrap();
        let mut schema = Value::Object((*schema).clone());
        closed(&mut schema);
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&structured), "{tool}: {structured}");
        let text = result.content[0].as_text().unwrap().text.clone();
        let (mut missing, mut nothing) = (Vec::new(), Vec::new());
        missing_in_text("", &structured, &text, &mut missing);
        empties("", &structured, &mut nothing);
        // what was asked for may be an empty list
        nothing.retain(|path| path.matches('.').count() > 1);
        assert!(missing.is_empty() && nothing.is_empty(), "{tool}: {missing:?} {nothing:?} in {text}");
        let here = self.root.to_str().unwrap();
        let plain = structured.to_string().replace(here, "/src");
        (result.is_error == Some(true), text.replace(here, "/src"), serde_json::from_str(&plain).unwrap())
    }

    /// A result.
    pub async fn ask(&self, tool: &str, arguments: Value) -> (String, Value) {
        let (failed, text, json) = self.answer(tool, arguments).await;
        assert!(!failed, "{tool}: {text}");
        (text, json)
    }

    /// An error, which says what to do.
    pub async fn error(&self, tool: &str, arguments: Value) -> (String, Value) {
        let case = format!("{tool} {arguments}");
        let (failed, text, error) = self.answer(tool, arguments).await;
        assert!(failed, "{case}: {text}");
        assert!(!error["hint"].as_str().unwrap().is_empty(), "{case}");
        (text, error)
    }

    /// Its code, message and hint.
    pub async fn failed(&self, tool: &str, arguments: Value) -> (String, String, String) {
        let (_, error) = self.error(tool, arguments).await;
        let word = |name: &str| error[name].as_str().unwrap_or_else(|| panic!("{error}")).to_owned();
        (word("code"), word("message"), word("hint"))
    }
}

/// Both renderings of an answer, for a snapshot.
pub fn both((text, json): &(String, Value)) -> String {
    format!("{text}\n---\n{json}")
}

pub fn sdk(inner: &str) -> String {
    format!("<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>{inner}</PropertyGroup></Project>")
}

pub fn net10(inner: &str) -> String {
    sdk(&format!("<TargetFramework>net10.0</TargetFramework>{inner}"))
}

pub fn assembly(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies").join(name)
}
