//! The navigation tools through a real MCP client, over `tests/fixtures/Usages` laid out as a built workspace (needs no SDK).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::renderings::{empties, missing_in_text};
use clrbridge::config::ServerOptions;
use clrbridge::mcp::{self, Dispatch};
use clrbridge::session::{Registry, Settings};
use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig, Implementation};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

struct Stage {
    folder: tempfile::TempDir,
    client: RunningService<RoleClient, ClientConfig>,
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(from, to).unwrap();
}

impl Stage {
    /// The fixture in a folder of its own; `is_built`: with what its builds made where a build puts it.
    async fn new(is_built: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
        let root = folder.path().canonicalize().unwrap();
        let projects = ["App/App.csproj", "Core/Core.csproj"];
        let sources = ["App/Program.cs", "App/Checkout.cs", "Core/Items.cs", "Core/Basket.cs", "Core/Basket.Events.cs"];
        for file in projects.into_iter().chain(sources) {
            copy(&tests.join("fixtures/Usages").join(file), &root.join(file));
        }
        for (project, name) in [("App", "Usages.App"), ("Core", "Usages.Core")].into_iter().filter(|_| is_built) {
            for extension in ["dll", "pdb"] {
                let file = format!("{name}.{extension}");
                copy(
                    &tests.join("data/assemblies").join(&file),
                    &root.join(project).join("bin/Debug/net10.0").join(&file),
                );
            }
        }
        let (client, server) = tokio::io::duplex(256 * 1024);
        let settings = Settings { client_root: Some(root), ..Settings::default() };
        let options = ServerOptions::default();
        let dispatch = Dispatch::new(Registry::new(settings), options, Arc::new(|| Box::pin(async { Vec::new() })));
        let (reader, writer) = tokio::io::split(server);
        tokio::spawn(mcp::serve(dispatch, reader, writer, CancellationToken::new()));
        let config = ClientConfig::new(Default::default(), Implementation::new("a test", "1"));
        Self { folder, client: config.serve(client).await.unwrap() }
    }

    async fn loaded() -> Self {
        let stage = Self::new(true).await;
        let (loaded, _) = stage.ask("code_load", json!({"path": "App/App.csproj"})).await;
        assert_eq!(loaded.is_error, Some(false), "{loaded:?}");
        stage
    }

    /// The result, and both renderings of it; each must hold what the other holds, and fit the listed schema.
    async fn ask(&self, tool: &str, arguments: Value) -> (CallToolResult, String) {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let result = self.client.call_tool(request).await.unwrap();
        let text = result.content[0].as_text().unwrap().text.clone();
        let json = result.structured_content.clone().unwrap();
        let listed = self.client.list_all_tools().await.unwrap();
        let listed = listed.iter().find(|it| it.name == tool).unwrap();
        let schema = Value::Object(listed.output_schema.as_deref().unwrap().clone());
        assert!(jsonschema::is_valid(&schema, &json), "{tool}: {json}");
        let (mut missing, mut empty) = (Vec::new(), Vec::new());
        missing_in_text("", &json, &text, &mut missing);
        empties("", &json, &mut empty);
        assert!(missing.is_empty() && empty.is_empty(), "{tool}: {missing:?} {empty:?}\n{text}\n{json}");
        (result, format!("{text}\n\n{}", serde_json::to_string_pretty(&json).unwrap()))
    }

    async fn error(&self, tool: &str, arguments: Value) -> Value {
        let case = format!("{tool} {arguments}");
        let (result, _) = self.ask(tool, arguments).await;
        assert_eq!(result.is_error, Some(true), "{case}");
        let error = result.structured_content.unwrap();
        assert!(!error["hint"].as_str().unwrap().is_empty(), "{case}");
        error
    }
}

#[tokio::test]
async fn golden_answers() {
    let stage = Stage::loaded().await;
    for (name, tool, arguments) in [
        ("definition", "code_goto_definition", json!({"name": "Item.Price"})),
        ("definition_in_parts", "code_goto_definition", json!({"name": "Basket"})),
        ("definition_overloads", "code_goto_definition", json!({"name": "Box.Add"})),
        ("definition_without_source", "code_goto_definition", json!({"name": "Func.Invoke"})),
        ("usages", "code_find_usages", json!({"name": "Item.Take"})),
        ("usages_via", "code_find_usages", json!({"name": "Book.Describe"})),
        ("usages_operator", "code_find_usages", json!({"name": "Money.operator +"})),
        ("usages_syntax", "code_find_usages", json!({"name": "Item.Limit"})),
        ("usages_kind", "code_find_usages", json!({"name": "IPriced", "kind": "implements"})),
        ("usages_page", "code_find_usages", json!({"name": "Console.WriteLine", "max_results": 2, "start": 1})),
        ("assignments", "code_find_assignments", json!({"name": "Item.Price"})),
        ("not_found", "code_find_usages", json!({"name": "Item.Prise"})),
        ("ambiguous", "code_find_usages", json!({"name": "Describe"})),
    ] {
        let (_, told) = stage.ask(tool, arguments).await;
        insta::assert_snapshot!(name, told);
    }
}

#[tokio::test]
async fn pages_add_up_to_the_whole() {
    let stage = Stage::loaded().await;
    let lines = |json: &Value| -> Vec<String> {
        let files = json["files"].as_array().into_iter().flatten();
        files
            .flat_map(|file| {
                file["usages"].as_array().unwrap().iter().map(|it| format!("{} {}", file["file"], it["line"]))
            })
            .collect()
    };
    let whole = stage.ask("code_find_usages", json!({"name": "Item.Price"})).await.0.structured_content.unwrap();
    // A page may be full of entries or of characters.
    for mut arguments in [
        json!({"name": "Item.Price", "max_results": 3}),
        json!({"name": "Item.Price", "max_results": 1_000, "max_chars": 1_000}),
    ] {
        let (mut pages, mut paged) = (0, Vec::new());
        loop {
            let page = stage.ask("code_find_usages", arguments.clone()).await.0.structured_content.unwrap();
            assert_eq!((&page["count"], &page["truncated"]), (&whole["count"], &Value::Null), "{page}");
            pages += 1;
            paged.extend(lines(&page));
            if page["next_start"].is_null() {
                break;
            }
            arguments["start"] = page["next_start"].clone();
        }
        assert!(pages > 1 && paged.len() > 6 && paged == lines(&whole), "{arguments}: {paged:?}");
    }
}

#[tokio::test]
async fn a_framework_s_member_leads_to_what_implements_it() {
    let stage = Stage::loaded().await;
    let dll = stage.folder.path().join("App/bin/Debug/net10.0/Usages.App.dll");
    if clrbridge::dotnet::frameworks::framework_folders(&dll).is_empty() {
        println!("skipped: no .NET runtime");
        return;
    }
    let question = json!({"name": "System.IDisposable.Dispose", "kind": "implements"});
    let (found, told) = stage.ask("code_find_usages", question).await;
    let found = found.structured_content.unwrap();
    assert_eq!(found["files"][0]["usages"][0]["in"], "Basket.Dispose", "{told}");
    assert_eq!(found["count"], 1, "{told}");
}

#[tokio::test]
async fn a_project_that_is_not_built_is_named() {
    let stage = Stage::loaded().await;
    fs::remove_file(stage.folder.path().join("App/bin/Debug/net10.0/Usages.App.dll")).unwrap();
    let (found, told) = stage.ask("code_find_usages", json!({"name": "Item.Price"})).await;
    let found = found.structured_content.unwrap();
    assert_eq!(found["skipped"], json!([{"path": "App/App.csproj", "why": "is not built"}]), "{told}");
}

#[tokio::test]
async fn a_build_that_cannot_be_read_is_named_in_every_answer() {
    let stage = Stage::loaded().await;
    fs::write(stage.folder.path().join("App/bin/Debug/net10.0/Usages.App.dll"), "no assembly").unwrap();
    for tool in ["code_goto_definition", "code_find_usages", "code_find_assignments"] {
        let (found, told) = stage.ask(tool, json!({"name": "Item.Price"})).await;
        let found = found.structured_content.unwrap();
        assert_eq!(found["skipped"][0]["path"], "App/bin/Debug/net10.0/Usages.App.dll", "{told}");
        assert!(found["skipped"][0]["why"].as_str().unwrap().starts_with("cannot be read"), "{told}");
    }
}

#[tokio::test]
async fn a_dll_that_a_build_writes_is_seen_at_the_very_next_question() {
    let stage = Stage::loaded().await;
    let dll = stage.folder.path().join("App/bin/Debug/net10.0/Usages.App.dll");
    // So old that it is kept open.
    let long_ago = SystemTime::now() - Duration::from_secs(3_600);
    let write = |bytes: &[u8]| {
        fs::write(&dll, bytes).unwrap();
        fs::File::options().write(true).open(&dll).unwrap().set_modified(long_ago).unwrap();
    };
    let ask = async || {
        let question = json!({"name": "Item.Price"});
        stage.ask("code_find_usages", question).await.0.structured_content.unwrap()
    };
    let built = fs::read(&dll).unwrap();
    let mut rebuilt = built.clone();
    let name = built.windows(10).position(|part| part == b"get_Price\0").unwrap();
    rebuilt[name] = b'X';
    write(&built);
    let before = ask().await;
    assert_eq!(before, ask().await);
    // As long as before, with the same time.
    write(&rebuilt);
    let after = ask().await;
    assert!(after["count"].as_u64() < before["count"].as_u64(), "{after}");
    // The build is at it.
    for length in [0, 100, built.len() / 2] {
        write(&built[..length]);
        let found = ask().await;
        assert_eq!(found["skipped"][0]["path"], "App/bin/Debug/net10.0/Usages.App.dll", "{found}");
    }
    write(&built);
    assert_eq!(before, ask().await);
}

#[tokio::test]
async fn of_a_type_in_thousands_of_parts_some_are_told_and_the_rest_counted() {
    let stage = Stage::loaded().await;
    let folder = stage.folder.path().join("Core/Parts");
    fs::create_dir(&folder).unwrap();
    for number in 0..3_000 {
        let text = "namespace Shop;\n\npublic partial class Basket\n{\n}\n";
        fs::write(folder.join(format!("Part{number:04}.cs")), text).unwrap();
    }
    let (found, told) = stage.ask("code_goto_definition", json!({"name": "Shop.Basket"})).await;
    let found = found.structured_content.unwrap();
    assert_eq!(found["definitions"].as_array().unwrap().len(), 20, "{told}");
    // Two parts are the fixture's own.
    assert_eq!(found["more_definitions"], 3_002 - 20, "{told}");
    assert!(told.len() < 10_000, "{}", told.len());
}

#[tokio::test]
async fn bad_questions_are_errors_that_say_what_to_do() {
    let stage = Stage::loaded().await;
    for tool in ["code_goto_definition", "code_find_usages", "code_find_assignments"] {
        for (arguments, code, named) in [
            (json!({}), "invalid_argument", "name"),
            (json!({"name": "a b"}), "invalid_argument", "name"),
            (json!({"name": "Order(" }), "invalid_argument", "name"),
            (json!({"name": "x".repeat(100_000)}), "invalid_argument", "100000"),
            (json!({"name": "Item", "file": "Core/Items.cs"}), "invalid_argument", "file"),
            (json!({"file": "Core/Items.cs", "line": 1}), "invalid_argument", "column"),
            (json!({"line": 1, "column": 1}), "invalid_argument", "file"),
            (json!({"file": "Core/Item.cs", "line": 1, "column": 1}), "file_not_found", "Core/Items.cs"),
            (json!({"file": "../../etc/passwd", "line": 1, "column": 1}), "file_not_found", "passwd"),
            (json!({"file": "Core/Items.cs", "line": 100_000, "column": 1}), "invalid_argument", "line"),
            (json!({"file": "Core/Items.cs", "line": 6, "column": 100_000}), "invalid_argument", "6"),
            (json!({"name": "Nowhere.AtAll"}), "symbol_not_found", "Nowhere.AtAll"),
        ] {
            let error = stage.error(tool, arguments).await;
            assert_eq!(error["code"], code, "{error}");
            assert!(error["message"].as_str().unwrap().contains(named), "{error}");
        }
    }
}

#[tokio::test]
async fn a_workspace_that_is_not_built_has_no_symbols() {
    let stage = Stage::new(false).await;
    stage.ask("code_load", json!({"path": "App/App.csproj"})).await;
    let error = stage.error("code_find_usages", json!({"name": "Item.Price"})).await;
    assert_eq!(error["code"], "no_symbols", "{error}");
    fs::remove_dir_all(stage.folder.path()).unwrap();
}

#[tokio::test]
async fn without_a_workspace_it_says_what_to_load() {
    let stage = Stage::new(true).await;
    let error = stage.error("code_goto_definition", json!({"name": "Item"})).await;
    assert_eq!(error["code"], "no_workspace", "{error}");
}
