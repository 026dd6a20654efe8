//! What breakpoint_explain tells, word for word, in both renderings.

use std::path::Path;

use clrbridge::answers::render::Render;
use clrbridge::answers::report::ExplainReport;
use clrbridge::dap::request::Continue;
use clrbridge::session::{
    AttachSpec, AttachTarget, BreakpointSpec, Explanation, Include, LaunchSpec, Place, Registry, Verdict,
};
use serde_json::json;

use crate::explanations::{PROGRAM, explain, loaded};
use crate::renderings::{empties, missing_in_text};
use crate::scripted::{Adapter, Stage, World, settle};
use crate::talk::*;

const ASSEMBLIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/assemblies/");
/// Where the fixtures' builds say that they were compiled.
const BUILT: &str = "/src/fixtures/Basics/Program.cs";

/// Both renderings, checked as every golden answer is, without this machine's paths.
fn rendered(explanation: Explanation, verdict: Option<Verdict>) -> String {
    assert_eq!(explanation.verdict, verdict, "{explanation:?}");
    let report = ExplainReport::from(explanation);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(serde_json::from_value::<ExplainReport>(json.clone()).unwrap(), report);
    let text = report.to_text();
    let (mut missing, mut empty) = (Vec::new(), Vec::new());
    missing_in_text("", &json, &text, &mut missing);
    empties("", &json, &mut empty);
    assert!(missing.is_empty() && empty.is_empty(), "{missing:?} {empty:?}\n{text}");
    assert!(text.len() <= 700 && json.to_string().len() <= 900, "{text}\n{json}");
    format!("{text}\n\n{json}\n").replace(concat!(env!("CARGO_MANIFEST_DIR"), "/"), "")
}

fn built(binds: bool) -> World {
    let mut start = world();
    start.binds = binds;
    for stack in start.stacks.values_mut() {
        stack[0].path = Some(BUILT.into());
    }
    start
}

/// Basics runs, and its build is known; nothing binds unless `binds`.
async fn basics(binds: bool, symbols: &str) -> Talk {
    let talk = Talk::with("netcoredbg", built(binds), |spec| spec.program = PROGRAM.into()).await;
    loaded(&talk.adapter, symbols);
    settle().await;
    talk
}

/// That assembly runs, and nothing binds.
async fn unbound(assembly: &Path) -> Talk {
    let talk = Talk::with("netcoredbg", built(false), |spec| spec.program = assembly.display().to_string()).await;
    comes(&talk.adapter, assembly);
    settle().await;
    talk
}

fn comes(adapter: &Adapter, assembly: &Path) {
    let name = assembly.file_name().unwrap().to_str().unwrap();
    let module = json!({"id": "1", "name": name, "path": assembly, "symbolStatus": "Symbols loaded."});
    adapter.emit("module", json!({"reason": "new", "module": module}));
}

fn place(file: impl AsRef<Path>, line: u32) -> BreakpointSpec {
    let file = file.as_ref().display().to_string();
    BreakpointSpec { place: Place::Source { file, line: Some(line), text: None }, ..at(1) }
}

async fn explained(talk: &Talk, spec: BreakpointSpec) -> Explanation {
    let id = talk.set(spec).await.id;
    explain(&talk.registry, id).await
}

#[tokio::test(start_paused = true)]
async fn of_places() {
    let talk = basics(false, "Symbols loaded.").await;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, "class A;\n").unwrap();
        BreakpointSpec { place: Place::Source { file: path.display().to_string(), line: Some(1), text: None }, ..at(1) }
    };
    let hide = |words: String| words.replace(&*folder.path().to_string_lossy(), "(folder)");
    insta::assert_snapshot!("explain_no_code", rendered(explained(&talk, at(500)).await, Some(Verdict::NoCode)));
    let unknown = rendered(explained(&talk, file("Xyz.cs")).await, Some(Verdict::FileUnknown));
    insta::assert_snapshot!("explain_file_unknown", hide(unknown));
    talk.registry.settings().roots.add(folder.path());
    let differs = rendered(explained(&talk, file("Program.cs")).await, Some(Verdict::PathDiffers));
    insta::assert_snapshot!("explain_path_differs", hide(differs));
    let talk = basics(false, "Symbols not found.").await;
    insta::assert_snapshot!("explain_no_symbols", rendered(explained(&talk, at(24)).await, Some(Verdict::NoSymbols)));
}

#[tokio::test(start_paused = true)]
async fn of_runs() {
    let talk = basics(true, "Symbols loaded.").await;
    let id = talk.set(at(24)).await.id;
    let again = || explain(&talk.registry, id);
    insta::assert_snapshot!("explain_not_reached", rendered(again().await, Some(Verdict::NotReached)));
    talk.stop_here(46).await;
    insta::assert_snapshot!("explain_stopped_elsewhere", rendered(again().await, Some(Verdict::StoppedElsewhere)));
    let go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("breakpoint", MAIN, 24);
    stop(soon(go).await);
    insta::assert_snapshot!("explain_nothing_wrong", rendered(again().await, None));
}

#[tokio::test(start_paused = true)]
async fn of_conditions() {
    let talk = basics(true, "Symbols loaded.").await;
    let broken = talk.set(BreakpointSpec { condition: Some("nope.Count > 1".into()), ..at(46) }).await.id;
    talk.adapter.refuses_condition(BUILT, 46);
    settle().await;
    let failed = rendered(explain(&talk.registry, broken).await, Some(Verdict::InvalidCondition));
    insta::assert_snapshot!("explain_invalid_condition", failed);

    let talk = basics(true, "Symbols loaded.").await;
    let when = |condition: &str| BreakpointSpec { condition: Some(condition.into()), ..at(46) };
    talk.adapter.world(|world| {
        world.values.insert("i is 100".into(), Ok(("bool".into(), "false".into())));
    });
    // no adapter can evaluate it, so we do
    let id = talk.set(when("i is 100")).await.id;
    for _ in 0..3 {
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        talk.adapter.expect::<Continue>().await.ok();
    }
    settle().await;
    let counted = rendered(explain(&talk.registry, id).await, Some(Verdict::ConditionFalse));
    insta::assert_snapshot!("explain_condition_false", counted);
}

#[tokio::test(start_paused = true)]
async fn of_starts_and_ends() {
    let (_stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    let id = soon(registry.set_breakpoint(None, at(24))).await.unwrap().id;
    insta::assert_snapshot!("explain_not_started", rendered(explain(&registry, id).await, Some(Verdict::NotStarted)));

    let talk = basics(true, "Symbols loaded.").await;
    let id = talk.set(at(24)).await.id;
    let end = talk.wait();
    talk.adapter.exits(3);
    soon(end).await.unwrap();
    insta::assert_snapshot!("explain_exited", rendered(explain(&talk.registry, id).await, Some(Verdict::Exited)));

    let talk = Talk::with("netcoredbg", built(false), |spec| spec.program = PROGRAM.into()).await;
    let waits = explained(&talk, at(24)).await;
    insta::assert_snapshot!("explain_module_not_loaded", rendered(waits, Some(Verdict::ModuleNotLoaded)));

    // what was started is `dotnet run`; its children are those of a process, which nobody is here
    let tool = Path::new("/usr/share/dotnet/sdk/10.0.401/dotnet.dll");
    let mut wrong = explained(&unbound(tool).await, at(24)).await;
    wrong.evidence.processes = vec![(4242, "Basics".into())];
    insta::assert_snapshot!("explain_wrong_process", rendered(wrong, Some(Verdict::WrongProcess)));
}

#[tokio::test(start_paused = true)]
async fn of_an_attach() {
    let (mut stage, settings) = Stage::new("netcoredbg", built(true));
    let registry = Registry::new(settings);
    let spec = AttachSpec {
        target: AttachTarget::Pid(4242),
        just_my_code: None,
        breakpoints: Vec::new(),
        exceptions: None,
        backend: None,
        max_stop: None,
    };
    let attach = registry.attach(spec, Include::default(), now());
    let adapter = stage.adapter().await;
    soon(attach).await.unwrap();
    comes(&adapter, Path::new(PROGRAM));
    settle().await;
    let id = soon(registry.set_breakpoint(None, at(46))).await.unwrap().id;
    insta::assert_snapshot!(
        "explain_attached_late",
        rendered(explain(&registry, id).await, Some(Verdict::AttachedLate))
    );
}

#[tokio::test(start_paused = true)]
async fn of_builds() {
    let folder = tempfile::tempdir().unwrap();
    let hide = |words: String| words.replace(&*folder.path().to_string_lossy(), "(folder)");
    // the PDB of another program beside it
    let program = folder.path().join("Basics.dll");
    std::fs::copy(PROGRAM, &program).unwrap();
    std::fs::copy(Path::new(ASSEMBLIES).join("Output.pdb"), program.with_extension("pdb")).unwrap();
    let foreign = explained(&unbound(&program).await, at(24)).await;
    insta::assert_snapshot!("explain_symbols_mismatch", hide(rendered(foreign, Some(Verdict::SymbolsMismatch))));

    let edited = folder.path().join("fixtures/Basics");
    std::fs::create_dir_all(&edited).unwrap();
    let text = std::fs::read_to_string(path()).unwrap();
    std::fs::write(edited.join("Program.cs"), format!("// one line more\n{text}")).unwrap();
    let (mut stage, settings) = Stage::new("netcoredbg", built(true));
    let registry = Registry::new(settings);
    registry.set_client_roots(vec![folder.path().join("fixtures")]);
    let spec = LaunchSpec { program: PROGRAM.into(), ..LaunchSpec::default() };
    let launch = registry.launch(spec, Include::default(), now());
    let adapter = stage.adapter().await;
    soon(launch).await.unwrap();
    comes(&adapter, Path::new(PROGRAM));
    settle().await;
    let id = soon(registry.set_breakpoint(None, place("Basics/Program.cs", 25))).await.unwrap().id;
    let changed = rendered(explain(&registry, id).await, Some(Verdict::SourceChanged));
    insta::assert_snapshot!("explain_source_changed", hide(changed));

    // built in Release
    let shapes = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/shapes/Program.cs");
    let optimized = explained(&unbound(&Path::new(ASSEMBLIES).join("Shapes.dll")).await, place(shapes, 71)).await;
    insta::assert_snapshot!("explain_optimized", rendered(optimized, Some(Verdict::Optimized)));

    // the same, with the one flag that a Debug build has
    let mut debug = std::fs::read(Path::new(ASSEMBLIES).join("Shapes.dll")).unwrap();
    let release = [8, 1, 0, 2, 0, 0, 0, 0, 0];
    let flag = debug.windows(release.len()).position(|bytes| bytes == release).unwrap() + 3;
    debug[flag..flag + 2].copy_from_slice(&[7, 1]);
    let program = folder.path().join("Shapes.dll");
    std::fs::write(&program, debug).unwrap();
    let hidden = explained(&unbound(&program).await, place(shapes, 71)).await;
    insta::assert_snapshot!("explain_not_user_code", rendered(hidden, Some(Verdict::NotUserCode)));
}

/// A snapshot of each, so that a new verdict has one too.
#[test]
fn every_verdict_is_among_these() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversation/snapshots");
    for verdict in Verdict::ALL {
        let name = format!("conversation__golden_explanations__explain_{}.snap", verdict.as_str());
        assert!(folder.join(&name).is_file(), "{name}");
    }
}
