//! Source files of one name in several folders: a breakpoint belongs to the one that is meant, or to none.

use clrbridge::session::{BreakpointSpec, Code, Include, LaunchSpec, Place, Registry, Why};

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
