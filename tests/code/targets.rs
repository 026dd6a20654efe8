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
    let told = stage.ask("project_list", json!({})).await;
    insta::assert_snapshot!(both(&told));
    // code tools keep the workspace that they have
    let (_, one) = stage.ask("project_list", json!({"path": "Tests"})).await;
    assert_eq!(one["targets"][0]["test_framework"], "xunit");
    let error = stage.failed("project_list", json!({"path": "/"})).await;
    assert_eq!(error.0, "path_not_allowed");
}

#[tokio::test]
async fn processes_are_filtered_by_name() {
    let stage = Stage::new(&[]).await;
    let (text, told) = stage.ask("process_list", json!({"name_filter": "no such program runs here"})).await;
    assert_eq!((text.as_str(), told), ("no .NET processes", json!({"processes": []})));
}
