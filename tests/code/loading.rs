//! code_load, and how the other tools come to a workspace. No SDK is needed: the projects' texts tell their outputs.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::stage::{Stage, assembly, both, net10, sdk};

const SOLUTION: &str = r#"<Solution>
  <Configurations><Platform Name="x64" /></Configurations>
  <Folder Name="/src/">
    <Project Path="App/App.csproj"><Platform Solution="*|x64" Project="x64" /></Project>
    <Project Path="Libs\Größe &amp; Co\Lib.csproj" />
  </Folder>
  <Project Path="Tests/Tests.csproj" />
  <Project Path="Gone/Gone.csproj" />
  <Project Path="native/N.vcxproj" />
</Solution>"#;

/// Four projects in every state that needs no MSBuild.
async fn shop() -> Stage {
    let reference = r#"<ProjectReference Include="..\Shared\Shared.csproj" />"#;
    let tests = net10("<PackageReference Include=\"Microsoft.NET.Test.Sdk\" Version=\"18.0.0\" />");
    let lib = sdk("<TargetFrameworks>netstandard2.0;net10.0</TargetFrameworks>");
    let stage = Stage::new(&[
        ("Shop.slnx", SOLUTION),
        ("App/App.csproj", &net10(&format!("<OutputType>Exe</OutputType>{reference}"))),
        ("App/Program.cs", "class Program { static void Main() { } }"),
        ("Libs/Größe & Co/Lib.csproj", &lib),
        ("Tests/Tests.csproj", &tests),
        ("Shared/Shared.csproj", &net10("<ProjectReference Include=\"../App/App.csproj\" />")),
        ("Shared/Shared.cs", ""),
        ("native/N.vcxproj", "<Project/>"),
    ])
    .await;
    // In a build's order: a folder that gets its bin/ after the program was written has changed since.
    for (project, dll, pdb) in [("Shared", "Output.dll", "Basics.pdb"), ("App", "Basics.dll", "Basics.pdb")] {
        let folder = stage.root.join(project).join("bin/Debug/net10.0");
        fs::create_dir_all(&folder).unwrap();
        fs::copy(assembly(pdb), folder.join(project).with_extension("pdb")).unwrap();
        fs::copy(assembly(dll), folder.join(project).with_extension("dll")).unwrap();
    }
    let later = SystemTime::now() + Duration::from_secs(60);
    fs::File::open(stage.root.join("Shared/Shared.cs")).unwrap().set_modified(later).unwrap();
    // The copy beside the program is as new as its source: that project is up to date.
    fs::copy(assembly("Output.dll"), stage.root.join("App/bin/Debug/net10.0/Shared.dll")).unwrap();
    let copy = fs::File::options().write(true).open(stage.root.join("App/bin/Debug/net10.0/Shared.dll")).unwrap();
    copy.set_modified(later).unwrap();
    stage
}

#[tokio::test]
async fn a_solution_reports_each_project_what_was_built_and_what_was_skipped() {
    let stage = shop().await;
    let answer = stage.ask("code_load", json!({"path": "Shop.slnx"})).await;
    insta::assert_snapshot!(both(&answer));
}

#[tokio::test]
async fn a_folder_a_project_and_a_classic_solution_are_loaded_too() {
    let stage = shop().await;
    stage.write(
        "old/Old.sln",
        "Microsoft Visual Studio Solution File, Format Version 12.00\r\n\
         Project(\"{9A19103F-16F7-4668-BE54-9A1E7A4F7556}\") = \"App\", \"..\\App\\App.csproj\", \"{1}\"\r\nEndProject\r\n\
         Project(\"{2150E333-8FDC-42A3-9474-1A3956D46DE8}\") = \"Folder\", \"Folder\", \"{2}\"\r\nEndProject\r\n",
    );
    for (path, expected) in [
        (".", vec!["App", "Lib", "Shared", "Tests"]),
        ("App", vec!["App", "Shared"]),
        ("App/App.csproj", vec!["App", "Shared"]),
        ("old/Old.sln", vec!["App", "Shared"]),
        ("Tests", vec!["Tests"]),
    ] {
        let (text, answer) = stage.ask("code_load", json!({"path": path})).await;
        let names = answer["projects"].as_array().unwrap().iter().map(|project| project["name"].as_str().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), expected, "{path}: {text}");
        assert!(answer.get("skipped").is_none(), "{text}");
    }
}

#[tokio::test]
async fn what_cannot_be_loaded_says_why_and_what_to_give() {
    let stage = shop().await;
    stage.write("broken.sln", "not a solution");
    stage.write("empty.slnx", "<Solution />");
    stage.write("readme.md", "");
    stage.write("nothing/readme.md", "");
    fs::File::create(stage.root.join("huge.sln")).unwrap().set_len(8 << 30).unwrap();
    for (path, code, message, hint) in [
        ("Shop.sln", "file_not_found", "/Shop.sln does not exist; did you mean Shop.slnx", "use Shop.slnx"),
        ("zzzzzz", "file_not_found", "/zzzzzz does not exist", "pass the path of a .sln"),
        ("broken.sln", "invalid_path", "/broken.sln is not a solution: it has no line", "pass a .sln"),
        ("empty.slnx", "invalid_path", "/empty.slnx is a solution without projects", "pass a .sln"),
        ("huge.sln", "invalid_path", "/huge.sln cannot be read: is larger than 4194304 bytes", "pass a .sln"),
        ("readme.md", "invalid_path", "/readme.md is not a solution, project or folder", "pass a .sln"),
        ("nothing", "invalid_path", "/nothing is a folder without a project in or below it", "pass a .sln"),
        ("  ", "invalid_path", "`path` is empty", "pass a .sln"),
        ("a\nb", "file_not_found", "does not exist", "pass the path"),
    ] {
        let error = stage.failed("code_load", json!({"path": path})).await;
        assert_eq!(error.0, code, "{path}: {error:?}");
        assert!(error.1.contains(message) && error.2.starts_with(hint), "{path}: {error:?}");
    }
}

#[tokio::test]
async fn projects_that_cannot_be_read_are_skipped_with_the_reason() {
    let stage = Stage::new(&[("Good/Good.csproj", &net10("")), ("Bad/Bad.csproj", "no xml"), ("Loop/a.txt", "")]).await;
    fs::File::create(stage.root.join("Huge.csproj")).unwrap().set_len(1 << 40).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&stage.root, stage.root.join("Loop/again")).unwrap();
    let bomb = format!(
        "<!DOCTYPE x [<!ENTITY a \"{}\">]><Project Sdk=\"Microsoft.NET.Sdk\">{}",
        "a".repeat(99),
        "&a;".repeat(9_999)
    );
    stage.write("Bomb/Bomb.csproj", &format!("{bomb}<TargetFramework>net10.0</TargetFramework></Project>"));
    stage.write(
        "Deep/Deep.csproj",
        &format!("<Project Sdk=\"x\"><TargetFramework>net10.0</TargetFramework>{}", "<a>".repeat(500_000)),
    );
    stage.write(
        "Self/Self.csproj",
        &net10("<ProjectReference Include=\"Self.csproj\" /><ProjectReference Include=\"..\\Good\\Good.csproj\" />"),
    );
    let (text, answer) = stage.ask("code_load", json!({"path": "."})).await;
    let names: Vec<_> = answer["projects"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Bomb", "Deep", "Good", "Self"], "{text}");
    assert_eq!(
        answer["skipped"],
        json!([
            {"path": "Bad/Bad.csproj", "why": "has no element <Project>"},
            {"path": "Huge.csproj", "why": "is larger than 4194304 bytes"},
        ])
    );
}

#[tokio::test]
async fn more_projects_than_one_answer_holds_are_counted() {
    let stage = Stage::new(&[]).await;
    for number in 0..600 {
        stage.write(&format!("p{number:03}/P{number:03}.csproj"), &net10(""));
    }
    let (text, answer) = stage.ask("code_load", json!({"path": "."})).await;
    assert_eq!((answer["projects"].as_array().unwrap().len(), &answer["more_projects"]), (100, &json!(500)), "{text}");
}

#[tokio::test]
async fn without_a_load_the_only_solution_or_project_is_taken_and_else_the_choice_is_reported() {
    let stage = Stage::new(&[]).await;
    let (code, message, hint) = stage.failed("code_get_diagnostics", json!({})).await;
    assert_eq!(code, "no_workspace");
    assert!(message.ends_with("has no solution or project") && hint.starts_with("code_load path="), "{message} {hint}");
    // The one project below, where the folder has none itself.
    stage.write("src/Lib/Lib.csproj", &net10(""));
    let (_, _, hint) = stage.failed("code_get_diagnostics", json!({"project": "Nope"})).await;
    assert_eq!(hint, "known projects: Lib");
    let stage = Stage::new(&[("src/Lib/Lib.csproj", &net10("")), ("src/Tool/Tool.csproj", &net10(""))]).await;
    let (_, message, hint) = stage.failed("code_get_diagnostics", json!({})).await;
    assert!(message.ends_with("has 2 candidates"), "{message}");
    assert_eq!(hint, "code_load path=<one of src/Lib/Lib.csproj, src/Tool/Tool.csproj>");
    stage.write("B.csproj", &net10(""));
    stage.write("A.csproj", &net10(""));
    let (code, _, hint) = stage.failed("code_get_diagnostics", json!({})).await;
    assert_eq!((code.as_str(), hint.as_str()), ("no_workspace", "code_load path=<one of A.csproj, B.csproj>"));
    // One solution goes before any number of projects; a name that it lacks shows that it was loaded.
    stage.write("All.slnx", "<Solution><Project Path=\"A.csproj\" /></Solution>");
    let (code, message, hint) = stage.failed("code_get_diagnostics", json!({"project": "B"})).await;
    assert_eq!(
        (code.as_str(), message.as_str(), hint.as_str()),
        ("invalid_argument", "the workspace has no project B", "known projects: A")
    );
    // A solution that changes is read again.
    stage.write("All.slnx", "<Solution><Project Path=\"A.csproj\" /><Project Path=\"C.csproj\" /></Solution>");
    stage.write("C.csproj", &net10(""));
    let (_, _, hint) = stage.failed("code_get_diagnostics", json!({"project": "B"})).await;
    assert_eq!(hint, "known projects: A, C");
}

#[tokio::test]
async fn a_project_that_comes_into_a_loaded_folder_is_seen() {
    let stage = Stage::new(&[("A/A.csproj", &net10(""))]).await;
    stage.ask("code_load", json!({"path": "."})).await;
    let known = async || stage.failed("code_get_diagnostics", json!({"project": "Z"})).await.2;
    assert_eq!(known().await, "known projects: A");
    stage.write("B/B.csproj", &net10(""));
    assert_eq!(known().await, "known projects: A, B");
}

#[tokio::test]
async fn a_folder_with_more_in_it_than_is_looked_at_is_named() {
    let stage = Stage::new(&[("A/A.csproj", &net10(""))]).await;
    stage.write(&format!("A/{}Deep.cs", "d/".repeat(70)), "");
    let (text, answer) = stage.ask("code_load", json!({"path": "A/A.csproj"})).await;
    let why = "has too many folders and files to search; sources may be missing";
    assert_eq!(answer["skipped"], json!([{"path": ".", "why": why}]), "{text}");
}
