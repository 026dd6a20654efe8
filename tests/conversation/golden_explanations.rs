//! What breakpoint_explain tells, word for word, in both renderings.

use clrbridge::dap::request::Continue;
use clrbridge::mcp::render::Render;
use clrbridge::mcp::report::ExplainReport;
use clrbridge::session::{BreakpointSpec, Explanation, Place, Verdict};

use crate::explanations::{PROGRAM, explain, loaded};
use crate::renderings::{empties, missing_in_text};
use crate::scripted::settle;
use crate::talk::*;

/// Both renderings, checked as every golden answer is, without this machine's paths.
fn told(explanation: Explanation, verdict: Option<Verdict>) -> String {
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

/// Basics runs, and its build is known; nothing binds unless `binds`.
async fn basics(binds: bool, symbols: &str) -> Talk {
    let mut start = world();
    start.binds = binds;
    for stack in start.stacks.values_mut() {
        stack[0].path = Some("/src/fixtures/Basics/Program.cs".into());
    }
    let talk = Talk::with("netcoredbg", start, |spec| spec.program = PROGRAM.into()).await;
    loaded(&talk.adapter, symbols);
    settle().await;
    talk
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
    insta::assert_snapshot!("explain_no_code", told(explained(&talk, at(500)).await, Some(Verdict::NoCode)));
    let unknown = told(explained(&talk, file("Nowhere.cs")).await, Some(Verdict::FileUnknown));
    insta::assert_snapshot!("explain_file_unknown", hide(unknown));
    let differs = told(explained(&talk, file("Program.cs")).await, Some(Verdict::PathDiffers));
    insta::assert_snapshot!("explain_path_differs", hide(differs));
    let talk = basics(false, "Symbols not found.").await;
    insta::assert_snapshot!("explain_no_symbols", told(explained(&talk, at(24)).await, Some(Verdict::NoSymbols)));
}

#[tokio::test(start_paused = true)]
async fn of_runs() {
    let talk = basics(true, "Symbols loaded.").await;
    let id = talk.set(at(24)).await.id;
    let again = || explain(&talk.registry, id);
    insta::assert_snapshot!("explain_not_reached", told(again().await, Some(Verdict::NotReached)));
    talk.stop_here(46).await;
    insta::assert_snapshot!("explain_stopped_elsewhere", told(again().await, Some(Verdict::StoppedElsewhere)));
    let go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("breakpoint", MAIN, 24);
    stop(soon(go).await);
    insta::assert_snapshot!("explain_nothing_wrong", told(again().await, None));
}

#[tokio::test(start_paused = true)]
async fn of_conditions() {
    let talk = basics(true, "Symbols loaded.").await;
    let when = |condition: &str| BreakpointSpec { condition: Some(condition.into()), ..at(24) };
    talk.adapter.world(|world| {
        world.values.insert("i is null".into(), Ok(("bool".into(), "false".into())));
    });
    // no adapter can evaluate it, so we do
    let id = talk.set(when("i is null")).await.id;
    for _ in 0..3 {
        talk.adapter.stopped_at("breakpoint", MAIN, 24);
        talk.adapter.expect::<Continue>().await.ok();
    }
    settle().await;
    let counted = told(explain(&talk.registry, id).await, Some(Verdict::ConditionFalse));
    insta::assert_snapshot!("explain_condition_false", counted);
}
