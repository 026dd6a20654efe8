//! project_list and process_list: what can be debugged. No SDK is needed.

use serde_json::json;

use crate::stage::{Stage, both, net10};

const SETTINGS: &str = r#"{"profiles": {
    "http": {"commandName": "Project", "commandLineArgs": "--seed \"a b\"", "applicationUrl": "http://localhost:5123"},
    "IIS": {"commandName": "IISExpress"},
    "data": {"commandName": "Project", "workingDirectory": "data", "environmentVariables": {"LEVEL": "2"}}
}}"#;
const LAUNCH: &str = r#"{"configurations": [
    {"name": "Shop", "type": "coreclr", "request": "launch", "program": "${workspaceFolder}/App/bin/Debug/net10.0/App.dll",
     "args": ["--open"], "cwd": "${workspaceFolder}/App", "env": {"A": "1"}},
    {"name": "This file", "type": "coreclr", "request": "launch", "program": "${file}"}
]}"#;

async fn shop() -> Stage {
    let exe = net10("<OutputType>Exe</OutputType>");
    let tests =
        net10("<PackageReference Include=\"Microsoft.NET.Test.Sdk\" /><PackageReference Include=\"xunit.v3\" />");
    Stage::new(&[
        ("App/App.csproj", &exe),
        ("App/Properties/launchSettings.json", SETTINGS),
        ("Broken/Broken.csproj", &exe),
        ("Broken/Properties/launchSettings.json", "{"),
        ("Lib/Lib.csproj", &net10("")),
        ("Tests/Tests.csproj", &tests),
        (".vscode/launch.json", LAUNCH),
    ])
    .await
}

#[tokio::test]
async fn programs_are_listed_with_the_profiles_that_start_them() {
    let stage = shop().await;
    let answer = stage.ask("project_list", json!({})).await;
    insta::assert_snapshot!(both(&answer));
    // code tools keep the workspace that they have
    let (_, one) = stage.ask("project_list", json!({"path": "Tests"})).await;
    assert_eq!(one["targets"][0]["test_framework"], "xunit");
    let error = stage.failed("project_list", json!({"path": "/"})).await;
    assert_eq!(error.0, "path_not_allowed");
}

#[tokio::test]
async fn links_that_lead_out_of_the_folder_are_not_read() {
    let outside = tempfile::tempdir().unwrap();
    let secret = |name: &str, text: &str| {
        let path = outside.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let stage = Stage::new(&[("App/App.csproj", &net10("<OutputType>Exe</OutputType>"))]).await;
    std::fs::create_dir_all(stage.root.join("App/Properties")).unwrap();
    std::fs::create_dir_all(stage.root.join(".vscode")).unwrap();
    for (target, link) in [
        (secret("a.json", SETTINGS), "App/Properties/launchSettings.json"),
        (secret("b.json", LAUNCH), ".vscode/launch.json"),
        (secret("c.csproj", &net10("<OutputType>Exe</OutputType>")), "Linked.csproj"),
    ] {
        std::os::unix::fs::symlink(target, stage.root.join(link)).unwrap();
    }
    let (text, answer) = stage.ask("project_list", json!({})).await;
    assert_eq!(answer["targets"].as_array().unwrap().len(), 1, "{text}");
    assert_eq!(answer["targets"][0]["no_profiles"], "is a link to a file outside the project");
    assert_eq!(answer["skipped"][0]["why"], "is a link to a file outside its folder");
    assert!(answer.get("configurations").is_none() && !text.contains("--open") && !text.contains("--seed"), "{text}");
}

#[tokio::test]
async fn processes_are_filtered_by_name() {
    let stage = Stage::new(&[]).await;
    let (text, answer) = stage.ask("process_list", json!({"name_filter": "no such program runs here"})).await;
    assert_eq!((text.as_str(), answer), ("no .NET processes", json!({"processes": []})));
}
