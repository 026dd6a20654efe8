//! code_get_diagnostics over a real SDK.

use std::fs;

use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest};
use rmcp::service::PeerRequestOptions;
use serde_json::{Value, json};

use crate::harness::tests;
use crate::needs;
use crate::stage::{Stage, both, net10, sdk};

tests! {
    async diagnostics_come_from_one_build_and_then_from_memory_until_an_input_changes;
    async outputs_that_only_msbuild_knows_are_asked_of_it;
    async a_failure_that_no_source_explains_is_not_remembered;
    async a_build_that_compiles_nothing_is_build_failed;
    async a_stuck_build_shows_its_progress_and_ends_with_the_call;
}

const SOURCE: &str = "namespace Lib;
public class Box
{
    int unused;
    public int Sum(int a, int b)
    {
        int extra = 1;
#pragma warning disable CS0219
        int quiet = 1;
        return a + b;
    }
}
";

/// Each build of it leaves a line in `built.log`.
const COUNTED: &str =
    "<Target Name=\"Count\" BeforeTargets=\"Build\"><Exec Command=\"echo built &gt;&gt; built.log\" /></Target>";

/// A library, a program that uses it, and a project that no solution may hold.
async fn shop() -> Stage {
    let counted = |text: String| text.replace("</Project>", &format!("{COUNTED}</Project>"));
    let reference = "<OutputType>Exe</OutputType></PropertyGroup><ItemGroup><ProjectReference Include=\"../Lib/Lib.csproj\" /></ItemGroup><PropertyGroup>";
    Stage::named("a shop é", &[
        ("Shop.slnx", "<Solution><Project Path=\"App/App.csproj\" /><Project Path=\"Lib/Lib.csproj\" /><Project Path=\"Gone.csproj\" /></Solution>"),
        ("Lib/Lib.csproj", &sdk("<TargetFrameworks>net8.0;net10.0</TargetFrameworks>")),
        ("Lib/Box.cs", SOURCE),
        ("App/App.csproj", &counted(net10(reference))),
        ("App/Program.cs", "System.Console.WriteLine(new Lib.Box().Sum(1, 2));\n"),
    ])
    .await
}

fn builds(stage: &Stage) -> usize {
    fs::read_to_string(stage.root.join("App/built.log")).unwrap_or_default().lines().count()
}

fn codes(report: &Value) -> Vec<&str> {
    let all = report["diagnostics"].as_array().into_iter().flatten();
    all.map(|it| it["code"].as_str().unwrap_or_default()).collect()
}

async fn diagnostics_come_from_one_build_and_then_from_memory_until_an_input_changes() {
    needs::sdk();
    let stage = shop().await;
    let first = stage.ask("code_get_diagnostics", json!({})).await;
    insta::assert_snapshot!(both(&first));
    assert_eq!(builds(&stage), 1);

    let (_, again) = stage.ask("code_get_diagnostics", json!({"min_severity": "hidden"})).await;
    assert_eq!((&again["cached"], builds(&stage)), (&json!(true), 1));
    assert!(codes(&again).contains(&"CA1822"), "{again}");
    let (_, one) = stage.ask("code_get_diagnostics", json!({"max_results": 1})).await;
    assert_eq!((codes(&one), &one["more_diagnostics"]), (vec!["CS0169"], &json!(1)));
    let (text, app) = stage.ask("code_get_diagnostics", json!({"project": "app"})).await;
    assert_eq!((&app["warning_count"], &app["cached"], builds(&stage)), (&json!(0), &json!(true), 1), "{text}");

    // What was built is up to date, also for a launch.
    let (text, loaded) = stage.ask("code_load", json!({"path": "Shop.slnx"})).await;
    for project in loaded["projects"].as_array().unwrap() {
        assert_eq!((&project["state"], &project["symbols"]), (&json!("built"), &json!(true)), "{text}");
    }
    let (_, reloaded) = stage.ask("code_get_diagnostics", json!({})).await;
    assert_eq!((&reloaded["cached"], builds(&stage)), (&json!(true), 1), "the same workspace loaded again");

    // An edit that breaks the library leaves the program behind it.
    stage.write("Lib/Box.cs", &SOURCE.replace("return a + b;", "return a + c;"));
    let broken = stage.ask("code_get_diagnostics", json!({"min_severity": "error"})).await;
    insta::assert_snapshot!(both(&broken));
    assert_eq!(builds(&stage), 1, "the program was not come to");
    let (text, behind) = stage.ask("code_get_diagnostics", json!({"project": "App"})).await;
    assert_eq!((codes(&behind), &behind["not_compiled"]), (vec!["CS0103"], &json!(["App"])), "{text}");

    // Both are reported where nothing but a setting changes; what did not change is not compiled again, and yet reported.
    stage.write("Lib/Box.cs", SOURCE);
    stage.write(".editorconfig", "root = true\n[*.cs]\ndotnet_diagnostic.CS0169.severity = error\n");
    let (text, strict) = stage.ask("code_get_diagnostics", json!({})).await;
    assert_eq!((&strict["error_count"], codes(&strict)), (&json!(1), vec!["CS0169", "CS0219"]), "{text}");
    fs::remove_file(stage.root.join(".editorconfig")).unwrap();
    stage.write("App/Program.cs", "int unused = 1;\nSystem.Console.WriteLine(new Lib.Box().Sum(1, 2));\n");
    let (text, mended) = stage.ask("code_get_diagnostics", json!({})).await;
    assert_eq!((&mended["error_count"], codes(&mended)), (&json!(0), vec!["CS0219", "CS0169", "CS0219"]), "{text}");
    assert_eq!(builds(&stage), 2);
}

async fn outputs_that_only_msbuild_knows_are_asked_of_it() {
    needs::sdk();
    let props = "<Project><PropertyGroup><OutputPath>../out/</OutputPath><AssemblyName>My.$(MSBuildProjectName)</AssemblyName></PropertyGroup></Project>";
    let stage = Stage::named("a % (b) é;", &[
        ("Directory.Build.props", props),
        ("A/A.csproj", &net10("")),
        ("B/B.csproj", &sdk("<TargetFrameworks>net8.0;net10.0</TargetFrameworks>")),
        ("C/C.csproj", "<Project Sdk=\"No.Such.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>"),
    ])
    .await;
    let (text, answer) = stage.ask("code_load", json!({"path": "."})).await;
    let of = |at: usize, field: &str| answer["projects"][at][field].as_str().unwrap_or_default().to_owned();
    assert_eq!((of(0, "dll"), of(1, "dll")), ("out/net10.0/My.A.dll".into(), "out/net10.0/My.B.dll".into()), "{text}");
    assert_eq!((of(0, "state"), of(2, "state")), ("not_built".into(), "unknown".into()), "{text}");
    assert!(of(2, "why").contains("No.Such.Sdk") || of(2, "why").contains("error"), "{text}");
}

async fn a_failure_that_no_source_explains_is_not_remembered() {
    needs::sdk();
    let full = "<Target Name=\"Full\" AfterTargets=\"CoreCompile\"><Error Condition=\"!Exists('room')\" Code=\"MSB3021\" Text=\"disk full\" /></Target>";
    let project = net10("").replace("</Project>", &format!("{full}</Project>"));
    let stage = Stage::new(&[("A.csproj", &project), ("A.cs", "class A;\n")]).await;
    let (text, failed) = stage.ask("code_get_diagnostics", json!({})).await;
    assert_eq!(codes(&failed), ["MSB3021"], "{text}");
    stage.write("room", "");
    let (text, mended) = stage.ask("code_get_diagnostics", json!({})).await;
    assert_eq!((&mended["error_count"], &mended["cached"]), (&json!(0), &Value::Null), "{text}");
    let (text, again) = stage.ask("code_get_diagnostics", json!({})).await;
    assert_eq!(again["cached"], true, "{text}");
}

async fn a_build_that_compiles_nothing_is_build_failed() {
    needs::sdk();
    let missing = "</PropertyGroup><ItemGroup><PackageReference Include=\"No.Such.Package.Anywhere\" Version=\"1.0.0\" /></ItemGroup><PropertyGroup>";
    let stage = Stage::new(&[
        ("nuget.config", "<configuration><packageSources><clear /></packageSources></configuration>"),
        ("Restore/Restore.csproj", &net10(missing)),
        ("Sdk/Sdk.csproj", "<Project Sdk=\"No.Such.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>"),
        ("Xml/Xml.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></Project>"),
    ])
    .await;
    for (project, code) in [("Restore", "NU1100"), ("Sdk", "MSB4236"), ("Xml", "MSB4025")] {
        stage.ask("code_load", json!({"path": project})).await;
        let (text, error) = stage.error("code_get_diagnostics", json!({})).await;
        assert_eq!(error["code"], "build_failed", "{text}");
        assert_eq!(error["hint"], "fix the build errors, then call code_get_diagnostics again");
        let errors = error["details"]["errors"].as_array().unwrap();
        let said: Vec<_> = errors.iter().filter_map(|it| it["code"].as_str()).collect();
        assert!(said.contains(&code), "{text}");
    }
}

async fn a_stuck_build_shows_its_progress_and_ends_with_the_call() {
    use tokio::io::AsyncReadExt;
    use tokio::net::unix::pipe;
    needs::sdk();
    // The build's grandchild holds the write end of the pipe; its end is the pipe's end of file.
    let hang = "<Target Name=\"Hang\" BeforeTargets=\"CoreCompile\"><Exec Command=\"mkfifo held; exec 3&gt;held; echo ready &gt;&amp;3; exec sleep 1000\" /></Target>";
    let mut stage =
        Stage::new(&[("A.csproj", &net10("").replace("</Project>", &format!("{hang}</Project>"))), ("A.cs", "")]).await;
    let request =
        ClientRequest::CallToolRequest(CallToolRequest::new(CallToolRequestParams::new("code_get_diagnostics")));
    let call = stage.client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap();
    // The builds of other tests come first.
    let mut answer = stage.progress.recv().await.unwrap().message.unwrap();
    while answer.starts_with("waiting for another build") {
        answer = stage.progress.recv().await.unwrap().message.unwrap();
    }
    assert!(answer.starts_with("dotnet build A.csproj -c Debug, "), "{answer}");
    let held = stage.root.join("held");
    while !held.exists() {
        tokio::task::yield_now().await;
    }
    let mut reader = pipe::OpenOptions::new().open_receiver(&held).unwrap();
    let mut ready = [0; 6];
    reader.read_exact(&mut ready).await.unwrap();
    call.cancel(None).await.unwrap();
    assert_eq!(reader.read_to_end(&mut Vec::new()).await.unwrap(), 0);
    // The next call is not held up by the one that was cancelled.
    stage.write("A.csproj", &net10(""));
    let (text, answer) = stage.ask("code_get_diagnostics", json!({})).await;
    assert_eq!(answer["error_count"], 0, "{text}");
}
