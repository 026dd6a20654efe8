//! Source files of one name in several folders: a breakpoint belongs to the one that is meant, or to none.

use clrbridge::roots::Roots;
use clrbridge::session::{BreakpointSpec, Code, Include, LaunchSpec, Place, Registry, Settings, Why};

use crate::scripted::Stage;
use crate::talk::*;

/// Built from `tests/fixtures`, which they call `/src/fixtures/…`; each has a `Program.cs`.
const ASSEMBLIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/assemblies");

fn program(line: u32) -> BreakpointSpec {
    BreakpointSpec { place: Place::Source { file: "Program.cs".into(), line: Some(line), text: None }, ..at(line) }
}

/// Basics beside Exceptions, launched.
async fn launched(registry: &Registry, stage: &mut Stage) -> clrbridge::session::Report {
    let folder = tempfile::tempdir().unwrap();
    for file in ["Basics.dll", "Basics.pdb", "Exceptions.dll", "Exceptions.pdb"] {
        std::fs::copy(format!("{ASSEMBLIES}/{file}"), folder.path().join(file)).unwrap();
    }
    let program = folder.path().join("Basics.dll").display().to_string();
    let launch = registry.launch(LaunchSpec { program, ..LaunchSpec::default() }, Include::default(), now());
    stage.adapter().await;
    soon(launch).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_name_of_several_files_is_ambiguous_unless_one_alone_has_code_there() {
    let (mut stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    launched(&registry, &mut stage).await;
    let error = soon(registry.set_breakpoint(None, program(50))).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidArgument);
    assert_eq!(error.message, "`Program.cs` is ambiguous: Basics/Program.cs, Exceptions/Program.cs");
    for (line, file) in [(43, "Basics/Program.cs"), (90, "Exceptions/Program.cs")] {
        let set = soon(registry.set_breakpoint(None, program(line))).await.unwrap();
        assert_eq!((set.file.as_deref(), set.line, set.verified), (Some(file), Some(line), true));
    }
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_a_program_is_bound_to_neither_of_two_files() {
    let (mut stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    for line in [50, 43] {
        soon(registry.set_breakpoint(None, program(line))).await.unwrap();
    }
    let list = launched(&registry, &mut stage).await.breakpoints;
    let listed: Vec<_> = list.iter().map(|one| (one.verified, one.pending, one.why)).collect();
    assert_eq!(listed, [(false, true, Some(Why::FileAmbiguous)), (true, false, None)], "{list:?}");
    let words = "`Program.cs` is ambiguous: Basics/Program.cs, Exceptions/Program.cs; set it with one of these paths";
    assert_eq!(list[0].message.as_deref(), Some(words));
}

/// Before any program.
#[tokio::test(start_paused = true)]
async fn a_file_is_found_below_the_roots_by_its_name() {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("App/Only.cs", "first();\nsecond();"),
        ("App/Program.cs", "first();"),
        ("Lib/Program.cs", "second();\nthird();"),
        ("App/bin/Made.cs", "first();"),
    ] {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let settings = Settings {
        client_root: Some(root.path().to_owned()),
        roots: Roots::only(&[root.path().to_owned()]),
        ..Settings::default()
    };
    let registry = Registry::new(settings);
    let set = |file: &str, line: Option<u32>, text: Option<&str>| {
        let place = Place::Source { file: file.into(), line, text: text.map(str::to_owned) };
        soon(registry.set_breakpoint(None, BreakpointSpec::at(place)))
    };
    let found = set("Only.cs", None, Some("second()")).await.unwrap();
    assert_eq!((found.file.as_deref(), found.line, found.pending), (Some("App/Only.cs"), Some(2), true));
    let found = set("Only.cs", Some(1), None).await.unwrap();
    assert_eq!((found.file.as_deref(), found.source.as_deref()), (Some("App/Only.cs"), Some("first();")));
    // of several the one that has the text
    let found = set("Program.cs", None, Some("third()")).await.unwrap();
    assert_eq!((found.file.as_deref(), found.line), (Some("Lib/Program.cs"), Some(2)));
    let error = set("Program.cs", None, Some("s")).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidArgument);
    assert!(
        error.message.starts_with("`Program.cs` is ambiguous: ") && error.message.contains("Lib/Program.cs"),
        "{error:?}"
    );
    // which of them a line is of, the program will say
    let waits = set("Program.cs", Some(1), None).await.unwrap();
    assert_eq!((waits.file.as_deref(), waits.pending, waits.source), (Some("Program.cs"), true, None));
    for file in ["Made.cs", "No.cs", "../Only.cs"] {
        let error = set(file, None, Some("first()")).await.unwrap_err();
        assert!(matches!(error.code, Code::FileNotFound | Code::PathNotAllowed), "{file}: {error:?}");
    }
    let error = set("No.cs", None, Some("x")).await.unwrap_err();
    assert!(error.message.contains("and the folders below the roots"), "{error:?}");
}
