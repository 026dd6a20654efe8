//! breakpoint_explain, where the verdict depends on the talk: states, hits, conditions and their counts.

use clrbridge::dap::request::{ConfigurationDone, Continue, SetBreakpoints};
use clrbridge::session::{
    BreakpointId, BreakpointSpec, Code, EventSeq, Explanation, Include, LaunchSpec, Place, Registry, Resume, StateName,
    StopReason, Verdict, WaitFor, Why,
};
use serde_json::json;

use crate::scripted::{Adapter, Stage, settle};
use crate::talk::*;

pub async fn explain(registry: &Registry, id: u32) -> Explanation {
    let explanation = soon(registry.explain_breakpoint(None, BreakpointId(id))).await.unwrap();
    assert!(!explanation.message.is_empty() && !explanation.hint.is_empty(), "{explanation:?}");
    explanation
}

fn when(line: u32, condition: &str) -> BreakpointSpec {
    BreakpointSpec { condition: Some(condition.into()), ..at(line) }
}

/// Conditions that the adapter was sent last.
fn sent(talk: &Talk) -> Vec<Option<String>> {
    let last = talk.adapter.asked::<SetBreakpoints>().pop().unwrap();
    last["breakpoints"].as_array().unwrap().iter().map(|one| one["condition"].as_str().map(str::to_owned)).collect()
}

#[tokio::test(start_paused = true)]
async fn every_state_has_an_explanation() {
    let mut start = world();
    start.held.push("configurationDone");
    let (mut stage, settings) = Stage::new("netcoredbg", start);
    let registry = Registry::new(settings);
    let id = soon(registry.set_breakpoint(None, at(46))).await.unwrap().id;
    let explanation = explain(&registry, id).await;
    assert_eq!(
        (explanation.verdict, explanation.also, explanation.state),
        (Some(Verdict::NotStarted), None, StateName::NotAttached)
    );

    let spec = LaunchSpec { program: "Basics.dll".into(), ..LaunchSpec::default() };
    let launch = registry.launch(spec, Include::default(), now());
    let adapter = stage.adapter().await;
    let configured = adapter.expect::<ConfigurationDone>().await;
    let explanation = explain(&registry, id).await;
    assert_eq!((explanation.verdict, explanation.state), (Some(Verdict::NotStarted), StateName::Starting));
    configured.ok();
    soon(launch).await.unwrap();

    let explanation = explain(&registry, id).await;
    assert_eq!((explanation.verdict, explanation.state), (Some(Verdict::NotReached), StateName::Running));

    let session = registry.session(None).unwrap();
    adapter.stopped_at("pause", MAIN, 50);
    stop(soon(session.wait(WaitFor::default(), Include::default(), long())).await);
    let explanation = explain(&registry, id).await;
    assert_eq!((explanation.verdict, explanation.state), (Some(Verdict::StoppedElsewhere), StateName::Stopped));
    assert_eq!(explanation.evidence.reason, Some(StopReason::DebuggerBreak));
    assert_eq!(explanation.evidence.location.unwrap().line, 50);

    let end = session.resume(Resume::Continue, Include::default(), long());
    adapter.expect::<Continue>().await.ok();
    adapter.exits(3);
    soon(end).await.unwrap();
    let explanation = explain(&registry, id).await;
    assert_eq!((explanation.verdict, explanation.also), (Some(Verdict::Exited), Some(Verdict::NotReached)));
    assert_eq!((explanation.state, explanation.evidence.exit_code), (StateName::Exited, Some(3)));
}

#[tokio::test(start_paused = true)]
async fn one_that_was_hit_shows_how_often_and_when() {
    let talk = Talk::running().await;
    let id = talk.set(at(46)).await.id;
    for _ in 0..2 {
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        let last = stop(soon(talk.wait()).await);
        let explanation = explain(&talk.registry, id).await;
        assert_eq!((explanation.verdict, explanation.last_hit), (None, Some(last.seq)));
        assert_eq!(explanation.breakpoint.hits, last.hit_counts[0]);
        is_running(soon(talk.go(Resume::Continue, now())).await);
        talk.adapter.expect::<Continue>().await.ok();
    }
    assert_eq!(explain(&talk.registry, id).await.verdict, None, "while it runs on");
}

#[tokio::test(start_paused = true)]
async fn a_condition_that_the_adapter_keeps_to_itself_is_counted_from_the_explanation_on() {
    let talk = Talk::running().await;
    let id = talk.set(when(46, "i == 7")).await.id;
    talk.adapter.world(|world| {
        world.values.insert("i == 7".into(), Ok(("bool".into(), "false".into())));
    });
    assert_eq!(sent(&talk), [Some("i == 7".into())]);
    // the change comes under a pause of ours: the adapter evaluates conditions in running code
    let explanation = explain(&talk.registry, id).await;
    assert_eq!((explanation.verdict, explanation.evidence.evaluations), (Some(Verdict::ConditionFalse), None));
    talk.adapter.expect::<clrbridge::dap::request::Pause>().await.ok();
    talk.adapter.stopped_at("pause", MAIN, 50);
    talk.adapter.expect::<Continue>().await.ok();
    assert_eq!(sent(&talk), [None], "every hit comes to us");
    for _ in 0..100 {
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        talk.adapter.expect::<Continue>().await.ok();
    }
    settle().await;
    let explanation = explain(&talk.registry, id).await;
    assert_eq!((explanation.verdict, explanation.evidence.evaluations), (Some(Verdict::ConditionFalse), Some(100)));
    let values: Vec<_> = explanation.evidence.values.iter().map(|value| value.name.as_str()).collect();
    assert_eq!(values, ["i"]);
    assert_eq!(sent(&talk), [Some("i == 7".into())], "enough was counted: the adapter has it back");
}

#[tokio::test(start_paused = true)]
async fn conditions_without_a_value_and_counts_that_are_not_reached_are_reported() {
    let talk = Talk::running().await;
    let broken = talk.set(when(46, "nope.Count > 1")).await.id;
    talk.adapter.refuses_condition(&path(), 46);
    settle().await;
    let explanation = explain(&talk.registry, broken).await;
    assert_eq!(explanation.verdict, Some(Verdict::InvalidCondition));
    assert!(explanation.evidence.error.unwrap().starts_with("error CS0103: the name 'nope' does not exist"));

    let talk = Talk::running().await;
    let counted = talk.set(BreakpointSpec { hit_condition: Some(">=3".into()), ..at(46) }).await.id;
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    talk.adapter.expect::<Continue>().await.ok();
    settle().await;
    let explanation = explain(&talk.registry, counted).await;
    assert_eq!((explanation.verdict, explanation.breakpoint.hits), (Some(Verdict::ConditionFalse), 1));
    assert!(explanation.last_hit > Some(EventSeq(0)));
}

#[tokio::test(start_paused = true)]
async fn a_disabled_one_is_no_fault_and_an_unknown_one_names_those_there_are() {
    let talk = Talk::running().await;
    let id = talk.set(at(46)).await.id;
    soon(talk.registry.enable_breakpoint(None, BreakpointId(id), false)).await.unwrap();
    let explanation = explain(&talk.registry, id).await;
    assert_eq!(explanation.verdict, None);
    assert!(
        explanation.message.contains("disabled") && explanation.hint.starts_with("breakpoint_enable"),
        "{explanation:?}"
    );
    talk.set(at(53)).await;
    let error = soon(talk.registry.explain_breakpoint(None, BreakpointId(9))).await.unwrap_err();
    assert_eq!((error.code, error.hint.as_str()), (Code::BreakpointNotFound, "known breakpoints: 1, 2"));
}

#[tokio::test(start_paused = true)]
async fn an_unbound_one_that_nobody_can_explain_says_what_the_adapter_says() {
    let mut start = world();
    start.binds = false;
    let talk = Talk::with("netcoredbg", start, |_| {}).await;
    let id =
        talk.set(BreakpointSpec { place: clrbridge::session::Place::Function("Nowhere".into()), ..at(1) }).await.id;
    let explanation = explain(&talk.registry, id).await;
    assert_eq!(explanation.verdict, None, "nothing is known of the program");
    assert!(explanation.message.contains("pending"), "{}", explanation.message);
}

/// Its sources are mapped to `/src/fixtures`.
pub const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/assemblies/Basics.dll");

/// The adapter says that the program is loaded.
pub fn loaded(adapter: &Adapter, symbols: &str) {
    let module = json!({"id": "1", "name": "Basics.dll", "path": PROGRAM, "symbolStatus": symbols});
    adapter.emit("module", json!({"reason": "new", "module": module}));
}

#[tokio::test(start_paused = true)]
async fn hits_under_another_condition_are_not_its_own() {
    let talk = Talk::running().await;
    let id = talk.set(at(46)).await.id;
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    stop(soon(talk.wait()).await);
    assert_eq!(explain(&talk.registry, id).await.breakpoint.hits, 1);
    talk.set(at(46)).await;
    assert_eq!(explain(&talk.registry, id).await.breakpoint.hits, 1, "the same once more");
    assert_eq!(talk.set(when(46, "i == 999")).await.id, id);
    let explanation = explain(&talk.registry, id).await;
    assert_eq!((explanation.breakpoint.hits, explanation.last_hit), (0, None));
}

/// The build's own file is not here, and the client's folder has one of another project with that name.
#[tokio::test(start_paused = true)]
async fn a_namesake_in_the_clients_folder_is_not_shown_for_the_builds_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("Basics")).unwrap();
    std::fs::write(folder.path().join("Basics/Program.cs"), "foreign;\n".repeat(60)).unwrap();
    let (mut stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    registry.set_client_roots(vec![folder.path().to_owned()]);
    let spec = LaunchSpec { program: PROGRAM.into(), ..LaunchSpec::default() };
    let launch = registry.launch(spec, Include::default(), now());
    let _adapter = stage.adapter().await;
    soon(launch).await.unwrap();
    let place = Place::Source { file: "Basics/Program.cs".into(), line: Some(24), text: None };
    let set = soon(registry.set_breakpoint(None, BreakpointSpec { place, ..at(24) })).await.unwrap();
    assert!(!set.file.as_deref().unwrap().contains(&*folder.path().to_string_lossy()), "{set:?}");
    assert_ne!(set.source.as_deref(), Some("foreign;"));
    assert_ne!(set.why, Some(Why::SourceChanged));
}

/// The fixture's build has its sources mapped to `/src/fixtures`, which no machine has.
#[tokio::test(start_paused = true)]
async fn the_adapter_is_sent_the_builds_path_and_answers_show_the_users_file() {
    const BUILT: &str = "/src/fixtures/Basics/Program.cs";
    let mut start = world();
    for stack in start.stacks.values_mut() {
        stack[0].path = Some(BUILT.into());
    }
    let talk = Talk::with("netcoredbg", start, |spec| spec.program = PROGRAM.into()).await;
    let set = talk.set(at(24)).await;
    assert!(set.verified, "{set:?}");
    let asked = talk.adapter.asked::<SetBreakpoints>().pop().unwrap();
    assert_eq!((&asked["source"]["path"], &asked["breakpoints"][0]["line"]), (&json!(BUILT), &json!(24)));
    let shown = |file: &str| path().ends_with(file) && file.ends_with("Program.cs");
    assert!(shown(set.file.as_deref().unwrap()), "{set:?}");
    let explanation = explain(&talk.registry, set.id).await;
    assert_eq!(explanation.evidence.document.as_deref(), Some(BUILT));

    talk.adapter.stopped_at("breakpoint", MAIN, 24);
    let stop = stop(soon(talk.wait()).await);
    assert_eq!(stop.breakpoint_ids.len(), 1);
    let place = stop.location.unwrap();
    assert!(shown(&place.file), "{place:?}");
    assert!(place.source.unwrap().starts_with("Total += line.Total"));
    assert_eq!(explain(&talk.registry, set.id).await.verdict, None);
}

#[tokio::test(start_paused = true)]
async fn what_the_build_says_of_a_line_is_reported_before_the_run_too() {
    let mut start = world();
    start.held.push("configurationDone");
    let (mut stage, settings) = Stage::new("netcoredbg", start);
    let registry = Registry::new(settings);
    let beyond = soon(registry.set_breakpoint(None, at(500))).await.unwrap().id;
    let launch =
        registry.launch(LaunchSpec { program: PROGRAM.into(), ..LaunchSpec::default() }, Include::default(), now());
    let adapter = stage.adapter().await;
    let configured = adapter.expect::<ConfigurationDone>().await;
    let explanation = explain(&registry, beyond).await;
    assert_eq!((explanation.verdict, explanation.also), (Some(Verdict::NotStarted), Some(Verdict::NoCode)));
    assert_eq!(explanation.evidence.nearest.len(), 2);
    configured.ok();
    soon(launch).await.unwrap();
    assert_eq!(explain(&registry, beyond).await.verdict, Some(Verdict::NoCode));
    loaded(&adapter, "Symbols loaded.");
    settle().await;
    assert_eq!(explain(&registry, beyond).await.verdict, Some(Verdict::NoCode));
}

/// dncdbg binds a path that it does not know to any file of that name.
#[tokio::test(start_paused = true)]
async fn a_namesake_that_the_adapter_binds_is_taken_from_it_again() {
    let talk = Talk::with("dncdbg", world(), |spec| spec.program = PROGRAM.into()).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Program.cs").display().to_string();
    std::fs::write(&file, "class A;\n").unwrap();
    talk.adapter.hold::<SetBreakpoints>();
    let place = Place::Source { file: file.clone(), line: Some(1), text: None };
    let set = talk.registry.set_breakpoint(None, BreakpointSpec { place, ..at(1) });
    let asked = talk.adapter.expect::<SetBreakpoints>().await;
    assert_eq!(asked.arguments["source"]["path"], json!(file));
    asked.reply(
        json!({"breakpoints": [{"id": 1, "verified": true, "line": 12, "source": {"path": "/elsewhere/Program.cs"}}]}),
    );
    let again = talk.adapter.expect::<SetBreakpoints>().await;
    assert_eq!(again.arguments["breakpoints"], json!([]));
    again.reply(json!({"breakpoints": []}));
    let set = soon(set).await.unwrap();
    assert_eq!((set.verified, set.line, set.why), (false, Some(1), Some(Why::FileUnknown)));
    assert_eq!(explain(&talk.registry, set.id).await.verdict, Some(Verdict::PathDiffers));
}
