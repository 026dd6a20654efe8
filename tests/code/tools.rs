//! The navigation tools through a real MCP client, over `tests/fixtures/Usages` laid out as a built workspace.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::stage::Stage;

fn shown((text, json): (String, Value)) -> String {
    format!("{text}\n\n{}", serde_json::to_string_pretty(&json).unwrap())
}

#[tokio::test]
async fn golden_answers() {
    let stage = Stage::of_usages_loaded().await;
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
    ] {
        insta::assert_snapshot!(name, shown(stage.ask(tool, arguments).await));
    }
    for (name, asked) in [("not_found", "Item.Prise"), ("ambiguous", "Describe")] {
        insta::assert_snapshot!(name, shown(stage.error("code_find_usages", json!({"name": asked})).await));
    }
}

#[tokio::test]
async fn pages_add_up_to_the_whole() {
    let stage = Stage::of_usages_loaded().await;
    let lines = |json: &Value| -> Vec<String> {
        let files = json["files"].as_array().into_iter().flatten();
        files
            .flat_map(|file| {
                file["usages"].as_array().unwrap().iter().map(|it| format!("{} {}", file["file"], it["line"]))
            })
            .collect()
    };
    let whole = stage.ask("code_find_usages", json!({"name": "Item.Price"})).await.1;
    // A page may be full of entries or of characters.
    for mut arguments in [
        json!({"name": "Item.Price", "max_results": 3}),
        json!({"name": "Item.Price", "max_results": 1_000, "max_chars": 1_000}),
    ] {
        let (mut pages, mut paged) = (0, Vec::new());
        loop {
            let page = stage.ask("code_find_usages", arguments.clone()).await.1;
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
async fn a_project_that_is_not_built_is_named() {
    let stage = Stage::of_usages_loaded().await;
    fs::remove_file(stage.root.join("App/bin/Debug/net10.0/Usages.App.dll")).unwrap();
    let (text, found) = stage.ask("code_find_usages", json!({"name": "Item.Price"})).await;
    assert_eq!(found["skipped"], json!([{"path": "App/App.csproj", "why": "is not built"}]), "{text}");
}

#[tokio::test]
async fn a_build_that_cannot_be_read_is_named_in_every_answer() {
    let stage = Stage::of_usages_loaded().await;
    fs::write(stage.root.join("App/bin/Debug/net10.0/Usages.App.dll"), "no assembly").unwrap();
    for tool in ["code_goto_definition", "code_find_usages", "code_find_assignments"] {
        let (text, found) = stage.ask(tool, json!({"name": "Item.Price"})).await;
        assert_eq!(found["skipped"][0]["path"], "App/bin/Debug/net10.0/Usages.App.dll", "{text}");
        assert!(found["skipped"][0]["why"].as_str().unwrap().starts_with("cannot be read"), "{text}");
    }
}

#[tokio::test]
async fn a_dll_that_a_build_writes_is_seen_at_the_very_next_question() {
    let stage = Stage::of_usages_loaded().await;
    let dll = stage.root.join("App/bin/Debug/net10.0/Usages.App.dll");
    // So old that it is kept open.
    let long_ago = SystemTime::now() - Duration::from_secs(3_600);
    let write = |bytes: &[u8]| {
        fs::write(&dll, bytes).unwrap();
        fs::File::options().write(true).open(&dll).unwrap().set_modified(long_ago).unwrap();
    };
    let ask = async || {
        let question = json!({"name": "Item.Price"});
        stage.ask("code_find_usages", question).await.1
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
async fn of_a_type_in_thousands_of_parts_some_are_reported_and_the_rest_counted() {
    let stage = Stage::of_usages_loaded().await;
    let folder = stage.root.join("Core/Parts");
    fs::create_dir(&folder).unwrap();
    for number in 0..3_000 {
        let text = "namespace Shop;\n\npublic partial class Basket\n{\n}\n";
        fs::write(folder.join(format!("Part{number:04}.cs")), text).unwrap();
    }
    let (text, found) = stage.ask("code_goto_definition", json!({"name": "Shop.Basket"})).await;
    assert_eq!(found["definitions"].as_array().unwrap().len(), 20, "{text}");
    // Two parts are the fixture's own.
    assert_eq!(found["more_definitions"], 3_002 - 20, "{text}");
    assert!(text.len() < 10_000, "{}", text.len());
}

#[tokio::test]
async fn bad_questions_are_errors_that_say_what_to_do() {
    let stage = Stage::of_usages_loaded().await;
    for tool in ["code_goto_definition", "code_find_usages", "code_find_assignments"] {
        for (arguments, code, named) in [
            (json!({}), "invalid_argument", "name"),
            (json!({"name": "a b"}), "invalid_argument", "name"),
            (json!({"name": "Order(" }), "invalid_argument", "name"),
            (json!({"name": "x".repeat(100_000)}), "invalid_argument", "longer than 2000 bytes"),
            (json!({"name": "Item", "file": "Core/Items.cs"}), "invalid_argument", "file"),
            (json!({"file": "Core/Items.cs", "line": 1}), "invalid_argument", "column"),
            (json!({"line": 1, "column": 1}), "invalid_argument", "file"),
            (json!({"file": "Core/Item.cs", "line": 1, "column": 1}), "file_not_found", "Core/Items.cs"),
            (json!({"file": "../../etc/passwd", "line": 1, "column": 1}), "file_not_found", "passwd"),
            (json!({"file": "Core/Items.cs", "line": 100_000, "column": 1}), "invalid_argument", "line"),
            (json!({"file": "Core/Items.cs", "line": 6, "column": 100_000}), "invalid_argument", "6"),
            (json!({"name": "Nowhere.AtAll"}), "symbol_not_found", "Nowhere.AtAll"),
        ] {
            let (_, error) = stage.error(tool, arguments).await;
            assert_eq!(error["code"], code, "{error}");
            assert!(error["message"].as_str().unwrap().contains(named), "{error}");
        }
    }
}

#[tokio::test]
async fn a_workspace_that_is_not_built_has_no_symbols() {
    let stage = Stage::of_usages(false).await;
    stage.ask("code_load", json!({"path": "App/App.csproj"})).await;
    let (_, error) = stage.error("code_find_usages", json!({"name": "Item.Price"})).await;
    assert_eq!(error["code"], "no_symbols", "{error}");
    fs::remove_dir_all(&stage.root).unwrap();
}

#[tokio::test]
async fn without_a_workspace_it_says_what_to_load() {
    let stage = Stage::of_usages(true).await;
    let (_, error) = stage.error("code_goto_definition", json!({"name": "Item"})).await;
    assert_eq!(error["code"], "no_workspace", "{error}");
}
