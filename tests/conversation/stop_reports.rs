//! What a report says once: output, tracepoint lines, clocks, ends.

use std::time::Duration;

use clrbridge::dap::request::{Continue, Next};
use clrbridge::session::{
    AttachSpec, BreakpointSpec, EventSeq, EventsQuery, ExceptionMode, ExceptionRule, Include, LaunchSpec, Outcome,
    OutputQuery, Registry, Resume, ThreadId, Why,
};
use serde_json::json;

use crate::scripted::{Stage, settle};
use crate::talk::*;

fn says(talk: &Talk, words: &str) {
    talk.adapter.emit("output", json!({"category": "stdout", "output": words}));
}

fn trace(line: u32, message: &str) -> BreakpointSpec {
    BreakpointSpec { log: Some(message.into()), ..at(line) }
}

#[tokio::test(start_paused = true)]
async fn a_restart_says_nothing_of_the_run_before() {
    let mut talk = Talk::running().await;
    talk.set(trace(46, "i={i}")).await;
    says(&talk, "of the old run\n");
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    talk.adapter.expect::<Continue>().await.ok();
    settle().await;
    let restart = talk.registry.restart(None, None, Include::default(), now());
    talk.adapter = talk.stage.adapter().await;
    let report = soon(restart).await.unwrap();
    assert_eq!((report.output.stdout.as_str(), report.output.omitted_bytes), ("", 0));
    assert!(report.tracepoints.is_empty(), "{:?}", report.tracepoints);
    says(&talk, "of the new run\n");
    let next = soon(talk.wait_for(10)).await.unwrap();
    assert_eq!(next.output.stdout, "of the new run\n");
    let read = async |since| {
        let query = OutputQuery { stdout: true, stderr: true, since, max_lines: None, tail: None, search: None };
        soon(talk.session.read_output(query)).await.unwrap().0
    };
    let (latest, first) = (read(None).await, read(Some(0)).await);
    assert_eq!((latest.stdout.as_str(), latest.run), ("of the new run\n", Some(2)));
    assert_eq!((first.stdout.as_str(), first.run), ("of the old run\n", Some(1)));
    assert_eq!(read(first.cursor).await, latest, "the cursor leads on");
    // what was not delivered is said again, but no more than that
    talk.session.not_delivered(next.receipt);
    talk.session.not_delivered(Default::default());
    assert_eq!(soon(talk.wait_for(10)).await.unwrap().output.stdout, "of the new run\n");
}

/// `Program.cs` as it is built in `tests/data/assemblies`.
const BUILT: &str = "/src/fixtures/Basics/Program.cs";
const BASICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/assemblies/Basics.dll");

#[tokio::test(start_paused = true)]
async fn that_a_source_was_edited_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fixtures/Basics/Program.cs");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::copy(path(), &file).unwrap();
    let mut world = world();
    world.stacks.get_mut(&MAIN).unwrap()[0].path = Some(BUILT.into());
    let (mut stage, settings) = Stage::new("netcoredbg", world);
    let registry = Registry::new(settings);
    registry.set_client_roots(vec![folder.path().join("fixtures")]);
    let launch =
        registry.launch(LaunchSpec { program: BASICS.into(), ..LaunchSpec::default() }, Include::default(), now());
    let adapter = stage.adapter().await;
    soon(launch).await.unwrap();
    let session = registry.session(None).unwrap();
    let stopped = async |line| {
        adapter.stopped_at("pause", MAIN, line);
        let report = soon(session.wait(Default::default(), Include::default(), long())).await.unwrap();
        let go = session.resume(Resume::Continue, Include::default(), now());
        adapter.expect::<Continue>().await.ok();
        is_running(soon(go).await);
        report.note
    };
    assert_eq!(stopped(46).await, None);
    std::fs::write(&file, "// another file\n").unwrap();
    let note = "Basics/Program.cs was edited after the build: line numbers are those of the build; build and restart the program to debug the new code";
    assert_eq!(stopped(47).await.as_deref(), Some(note));
    assert_eq!(stopped(46).await, None, "it was said");
}

#[tokio::test(start_paused = true)]
async fn the_end_has_the_output_whatever_else_is_left_out() {
    let talk = Talk::stopped(46).await;
    says(&talk, "last words\n");
    let only_locals = Include { stack: false, locals: true, output: false, watches: false, explicit: true };
    let end = talk.session.resume(Resume::Continue, only_locals, long());
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.exits(3);
    let report = soon(end).await.unwrap();
    assert!(matches!(report.outcome, Outcome::Exited(_)));
    assert_eq!(report.output.stdout, "last words\n");
}

#[tokio::test(start_paused = true)]
async fn tracepoint_lines_have_their_thread_and_those_left_out_a_way_to_them() {
    let talk = Talk::running().await;
    talk.set(trace(46, "i={i}")).await;
    for hit in 0..25 {
        let thread = if hit == 24 { OTHER } else { MAIN };
        talk.adapter.stopped_at("breakpoint", thread, 46);
        talk.adapter.expect::<Continue>().await.ok();
    }
    talk.adapter.stopped_at("pause", MAIN, 50);
    let report = soon(talk.wait()).await.unwrap();
    assert_eq!((report.tracepoints.len(), report.more_tracepoints), (20, 5));
    assert_eq!(report.stopped_on, Some(ThreadId(MAIN)));
    assert_eq!(report.tracepoints.first().unwrap().thread, ThreadId(MAIN));
    assert_eq!(report.tracepoints.last().unwrap().thread, ThreadId(OTHER));
    let query = EventsQuery {
        stream: Some("tracepoints".into()),
        since: report.tracepoints_since.unwrap(),
        limit: 200,
        event_type: None,
    };
    let events = soon(talk.session.events(query)).await.unwrap().events;
    assert_eq!(events.len(), 25, "all of them, from the first that was left out");
    assert!(events.iter().all(|event| event.thread.is_some()));
}

#[tokio::test(start_paused = true)]
async fn the_clock_of_running_goes_on_over_hits_that_nobody_hears_of() {
    let talk = Talk::running().await;
    talk.set(BreakpointSpec { hit_condition: Some("100".into()), ..at(46) }).await;
    let since = || talk.session.peek().running_since;
    let began = since().expect("it runs");
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    talk.adapter.expect::<Continue>().await.ok();
    settle().await;
    assert_eq!(since(), Some(began));
    let stopped = talk.stop_here(50).await;
    assert!(stopped.seq > EventSeq(0));
    assert_eq!(since(), None);
    let step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    settle().await;
    assert!(since().unwrap() >= began + Duration::ZERO);
    drop(step);
}

#[tokio::test(start_paused = true)]
async fn a_rule_that_names_no_type_is_refused() {
    let rule = ExceptionRule { types: vec!["not a type".into()], mode: ExceptionMode::Thrown, include_subtypes: true };
    let talk = Talk::running().await;
    let refused = talk.registry.set_exceptions(None, rule.clone());
    assert_eq!(code(soon(refused).await), clrbridge::session::Code::InvalidArgument);
    let spec = AttachSpec {
        max_stop: None,
        target: clrbridge::session::AttachTarget::Pid(1),
        just_my_code: Some(true),
        backend: None,
        breakpoints: Vec::new(),
        exceptions: Some(rule),
    };
    let refused = talk.registry.attach(spec, Include::default(), now());
    assert_eq!(code(soon(refused).await), clrbridge::session::Code::InvalidArgument);
}

#[tokio::test(start_paused = true)]
async fn a_condition_without_a_value_is_said_once_and_stays_in_the_list() {
    let talk = Talk::running().await;
    let id = talk.set(BreakpointSpec { condition: Some("nope > 1".into()), ..at(46) }).await.id;
    let words = "error CS0103: the name 'nope' does not exist";
    talk.adapter.refuses_condition(&path(), 46);
    let note = soon(talk.wait()).await.unwrap().note.unwrap();
    assert!(note.starts_with(&format!("the condition of breakpoint 1 could not be evaluated: {words}")), "{note}");
    let going = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    let note = soon(going).await.unwrap().note.unwrap();
    assert_eq!(note, "the condition of breakpoint 1 still cannot be evaluated");
    let list = soon(talk.registry.list_breakpoints(None, None)).await.unwrap().breakpoints;
    assert_eq!((list[0].id, list[0].why), (id, Some(Why::InvalidCondition)));
    assert!(list[0].message.as_deref().is_some_and(|message| message.starts_with(words)), "{list:?}");
}
