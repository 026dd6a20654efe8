//! From a folder to a program that runs, with a real SDK.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use clrbridge::dotnet::{BuildMode, DotnetError, ProgramRequest};

use super::fixture::{project_text, resolve_now, write};
use crate::harness::tests;
use crate::needs;

tests! {
    a_project_is_built_when_stale_and_left_alone_when_fresh;
    a_library_and_a_moved_output_are_distinguished;
    a_single_file_and_a_missing_framework_are_refused_before_the_start;
    a_file_based_program_is_built_from_its_source;
    profiles_and_folders_that_are_wrong_are_reported_before_a_build;
}

const HELLO: &str = "using System;\nConsole.WriteLine(string.Join('|', args));\n";

fn request(root: &std::path::Path, program: &str, build: BuildMode) -> ProgramRequest {
    ProgramRequest { program: program.into(), base_dir: root.into(), build, ..ProgramRequest::default() }
}

fn a_project_is_built_when_stale_and_left_alone_when_fresh() {
    let dotnet = needs::sdk();
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    write(&root, "Hello/Hello.csproj", &project_text(""));
    write(&root, "Hello/Program.cs", HELLO);
    let auto = request(&root, "Hello", BuildMode::Auto);

    let (never, _) = resolve_now(&request(&root, "Hello", BuildMode::Never), &dotnet);
    assert!(matches!(never, Err(DotnetError::NotBuilt { .. })), "{never:?}");

    let (first, phases) = resolve_now(&auto, &dotnet);
    let first = first.unwrap();
    assert_eq!(phases, ["dotnet build Hello.csproj -c Debug"]);
    assert!(first.built && !first.self_contained);
    assert_eq!(first.dll, root.join("Hello/bin/Debug/net10.0/Hello.dll"));
    assert_eq!(
        (first.command.clone(), first.args_before.clone()),
        (dotnet.host.clone(), vec![first.dll.clone().into()])
    );
    assert_eq!((first.cwd.clone(), first.target_framework.as_deref()), (root.join("Hello"), Some("net10.0")));
    let output = Command::new(&first.command).args(&first.args_before).args(["a b", ""]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a b|\n");

    let (again, phases) = resolve_now(&auto, &dotnet);
    assert!(!again.unwrap().built && phases.is_empty(), "{phases:?}");

    // Its executable and its dll mean the same program, without a project.
    for program in ["Hello/bin/Debug/net10.0/Hello", "Hello/bin/Debug/net10.0/Hello.dll", "Hello/bin/Debug/net10.0"] {
        let found = resolve_now(&request(&root, program, BuildMode::Auto), &dotnet).0.unwrap();
        assert_eq!((found.dll, found.project, found.cwd), (first.dll.clone(), None, root.clone()), "{program}");
    }

    // An edit is built, a broken edit is reported, and the old dll is still there to be had.
    write(&root, "Hello/Program.cs", &format!("{HELLO}int wrong = \"text\";\nretrun;\n"));
    let (broken, _) = resolve_now(&auto, &dotnet);
    let error = broken.unwrap_err();
    assert_eq!(error.hint(), "fix the build errors, then call debug_launch again; build=\"never\" starts the old dll");
    let DotnetError::BuildFailed { command, root: folder, errors, .. } = &error else { panic!("{error}") };
    assert_eq!(error.to_string(), format!("dotnet build Hello.csproj -c Debug: {} errors", errors.len()));
    assert_eq!((command.as_str(), folder), ("dotnet build Hello.csproj -c Debug", &root.join("Hello")));
    let places: Vec<String> = errors.iter().map(|error| format!("{} {}", error.at(), error.code)).collect();
    assert!(places.contains(&"Program.cs:3:13 CS0029".to_owned()), "{places:?}");
    let old = resolve_now(&request(&root, "Hello", BuildMode::Never), &dotnet).0.unwrap();
    assert!(!old.built);

    write(&root, "Hello/Program.cs", HELLO);
    assert!(resolve_now(&auto, &dotnet).0.unwrap().built);
}

fn a_library_and_a_moved_output_are_distinguished() {
    let dotnet = needs::sdk();
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    write(&root, "Lib/Lib.csproj", &project_text("<OutputType>Library</OutputType>"));
    write(&root, "Lib/Lib.cs", "public class Lib;\n");
    let error = resolve_now(&request(&root, "Lib", BuildMode::Auto), &dotnet).0.unwrap_err();
    assert!(matches!(error, DotnetError::NotDotnetProgram { .. }), "{error}");
    assert!(error.to_string().ends_with("there is no Lib.runtimeconfig.json next to it"), "{error}");

    // What the text of the project does not tell, MSBuild does; both ways end at the same program.
    let moved = project_text("<OutputPath>out/</OutputPath>").replace("TargetFramework>", "TargetFrameworks>");
    write(&root, "Moved/Moved.csproj", &moved);
    write(&root, "Moved/Program.cs", HELLO);
    let auto = request(&root, "Moved", BuildMode::Auto);
    let (built, phases) = resolve_now(&auto, &dotnet);
    let dll: PathBuf = root.join("Moved/out/net10.0/Moved.dll");
    let built = built.unwrap();
    assert_eq!((built.dll, built.built), (dll.clone(), true));
    assert_eq!(
        phases,
        ["dotnet build Moved.csproj -c Debug -f net10.0", "dotnet msbuild Moved.csproj -getProperty:TargetPath"]
    );
    let (again, phases) = resolve_now(&auto, &dotnet);
    assert!(!again.unwrap().built && phases.is_empty(), "{phases:?}");
}

fn a_single_file_and_a_missing_framework_are_refused_before_the_start() {
    let dotnet = needs::sdk();
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let built = super::fixture::waiter(&dotnet);
    for name in ["Waiter.dll", "Waiter.runtimeconfig.json"] {
        fs::copy(built.dll.with_file_name(name), root.join(name)).unwrap();
    }
    let config = root.join("Waiter.runtimeconfig.json");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("10.0.0", "99.0.0")).unwrap();
    let error = resolve_now(&request(&root, "Waiter.dll", BuildMode::Auto), &dotnet).0.unwrap_err();
    assert!(matches!(error, DotnetError::RuntimeNotFound { .. }), "{error}");
    assert!(error.to_string().starts_with("Waiter.dll requires Microsoft.NETCore.App 99.0.0; "), "{error}");

    // A real apphost without its dll beside it.
    fs::copy(built.dll.with_extension(""), root.join("Alone")).unwrap();
    let error = resolve_now(&request(&root, "Alone", BuildMode::Auto), &dotnet).0.unwrap_err();
    assert!(error.to_string().contains("there is no .NET assembly of the same name next to it"), "{error}");
}

fn a_file_based_program_is_built_from_its_source() {
    let dotnet = needs::sdk();
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    write(&root, "app.cs", "System.Console.WriteLine(\"from a file\");\n");
    let auto = request(&root, "app.cs", BuildMode::Auto);
    let first = resolve_now(&auto, &dotnet).0.unwrap();
    assert!(first.built);
    let output = Command::new(&first.command).args(&first.args_before).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "from a file\n");
    let (again, phases) = resolve_now(&auto, &dotnet);
    assert!(!again.unwrap().built && phases.is_empty(), "{phases:?}");
    // The SDK keeps the output of such programs in the user's folder.
    if let Some(output) = first
        .dll
        .ancestors()
        .find(|folder| folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("app-")))
    {
        fs::remove_dir_all(output).unwrap();
    }
}

fn profiles_and_folders_that_are_wrong_are_reported_before_a_build() {
    let dotnet = needs::sdk();
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    // It could not be built: whatever is reported here was reported before.
    write(&root, "Web/Web.csproj", "broken");
    write(&root, "Web/Properties/launchSettings.json", r#"{"profiles":{"http":{"commandName":"Project"}}}"#);
    let auto = request(&root, "Web", BuildMode::Auto);
    let cases = [
        (ProgramRequest { launch_profile: Some("https".into()), ..auto.clone() }, "launch_profile"),
        (ProgramRequest { cwd: Some("gone".into()), ..auto.clone() }, "cwd"),
        (ProgramRequest { configuration: Some("-x".into()), ..auto.clone() }, "configuration"),
        (ProgramRequest { program: "..".into(), ..auto }, "program"),
    ];
    for (request, expected) in cases {
        let (result, phases) = resolve_now(&request, &dotnet);
        assert!(phases.is_empty(), "{phases:?}");
        match result.unwrap_err() {
            DotnetError::InvalidArgument { argument, .. } => assert_eq!(argument, expected),
            // The temporary folder above holds neither a project nor a program.
            error => assert!(expected == "program" && matches!(error, DotnetError::NotDotnetProgram { .. }), "{error}"),
        }
    }
}
