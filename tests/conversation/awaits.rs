//! Steps over an `await`: adapters forget them when any breakpoint is passed meanwhile, and the call goes on where they do not look.

use clrbridge::dap::request::{Continue, Next, SetBreakpoints, StepOut};
use clrbridge::session::{BreakpointSpec, Outcome, Place, Resume, StepMode, StopReason};
use serde_json::{Value, json};

use crate::scripted::{Frame, settle};
use crate::talk::*;

/// Built from `tests/fixtures/AsyncFlow`, whose sources it calls `/src/fixtures/AsyncFlow/…`.
const MODULE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/assemblies/AsyncFlow.dll");
const SOURCE: &str = "/src/fixtures/AsyncFlow/Program.cs";
const METHOD: &str = "AsyncFlow.Downloader.<FetchAsync>d__2.MoveNext()";

fn line(marker: &str) -> i64 {
    let text = include_str!("../fixtures/AsyncFlow/Program.cs");
    let tag = format!("BP:{marker}");
    text.lines().position(|line| line.ends_with(&tag)).unwrap() as i64 + 1
}

fn on(marker: &str) -> BreakpointSpec {
    let line = Some(u32::try_from(line(marker)).unwrap());
    BreakpointSpec::at(Place::Source { file: SOURCE.into(), line, text: None })
}

/// Lines and conditions that the adapter was sent last.
fn sent(talk: &Talk) -> Vec<(i64, Option<String>)> {
    let asked = talk.adapter.asked::<SetBreakpoints>().into_iter().rfind(|asked| asked["source"]["path"] == SOURCE);
    let list = asked.map(|asked| asked["breakpoints"].as_array().cloned().unwrap()).unwrap_or_default();
    let sent = |one: &Value| (one["line"].as_i64().unwrap(), one["condition"].as_str().map(str::to_owned));
    list.iter().map(sent).collect()
}

fn lines(talk: &Talk) -> Vec<i64> {
    sent(talk).into_iter().map(|(line, _)| line).collect()
}

/// `FetchAsync(size)` on a thread.
fn call(talk: &Talk, thread: i64, marker: &str, size: &str) {
    talk.adapter.world(|world| {
        let frame = Frame { column: 9, ..Frame::at(METHOD, SOURCE, line(marker)) };
        world.stacks.insert(thread, vec![frame, Frame::external("System.Threading.ExecutionContext.RunInternal()")]);
        world.locals =
            [("size", size), ("before", "0")].map(|(name, value)| (name.into(), "int".into(), value.into())).into();
    });
}

/// The thread waits in the framework.
fn idle(talk: &Talk, thread: i64) {
    talk.adapter.world(|world| {
        world.stacks.insert(thread, vec![Frame::external("System.Threading.Monitor.Wait()")]);
    });
}

/// Stopped in `FetchAsync(4)` at its `await`, which is reported.
async fn at_await() -> Talk {
    let talk = Talk::running().await;
    let module = json!({"id": MODULE, "name": "AsyncFlow.dll", "path": MODULE, "symbolStatus": "Symbols loaded."});
    talk.adapter.emit("module", json!({"reason": "new", "module": module}));
    settle().await;
    call(&talk, MAIN, "fetch-await", "4");
    talk.adapter.stopped("pause", MAIN);
    stop(soon(talk.wait()).await);
    talk
}

/// A breakpoint that nobody is to hear of was passed by `FetchAsync(5)`, which the thread runs now.
async fn pass_elsewhere(talk: &Talk) {
    call(talk, MAIN, "fetch-start", "5");
    talk.adapter.stopped("breakpoint", MAIN);
    talk.adapter.expect::<Continue>().await.ok();
    settle().await;
}

#[tokio::test(start_paused = true)]
async fn a_step_out_to_a_caller_on_no_stack_that_is_refused_says_where_to_run() {
    let talk = at_await().await;
    let step = talk.go(Resume::Step { mode: StepMode::Out, count: 1, thread: None }, long());
    talk.adapter.expect::<StepOut>().await.refuse("Failed command 'stepOut' : 0x80004005");
    let error = soon(step).await.unwrap_err();
    assert!(error.message.starts_with("no caller of this async method is on its thread's stack: "), "{error:?}");
    assert!(error.message.contains("0x80004005") && error.hint.contains("debug_run_to"), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn a_step_out_to_nobody_says_so_at_the_programs_end() {
    let talk = at_await().await;
    let step = talk.go(Resume::Step { mode: StepMode::Out, count: 1, thread: None }, long());
    talk.adapter.expect::<StepOut>().await.ok();
    talk.adapter.emit("exited", json!({"exitCode": 0}));
    talk.adapter.emit("terminated", json!({}));
    let report = soon(step).await.unwrap();
    assert!(report.note.as_deref().is_some_and(|note| note.contains("no user code awaited it")), "{report:?}");
}

#[tokio::test(start_paused = true)]
async fn a_step_that_a_tracepoint_elsewhere_ended_goes_on_to_the_next_line_of_its_own_call() {
    let talk = at_await().await;
    talk.set(BreakpointSpec { log: Some("{size}".into()), ..on("fetch-start") }).await;
    let mut step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    pass_elsewhere(&talk).await;
    assert!(lines(&talk).contains(&line("fetch-after")) && !lines(&talk).contains(&line("fetch-await")));
    // another call is the first to come there
    call(&talk, OTHER, "fetch-after", "5");
    talk.adapter.stopped("breakpoint", OTHER);
    talk.adapter.expect::<Continue>().await.ok();
    assert!(is_open(&mut step).await);
    call(&talk, OTHER, "fetch-after", "4");
    talk.adapter.stopped("breakpoint", OTHER);
    let report = soon(step).await.unwrap();
    assert_eq!((report.tracepoints.len(), report.note.as_deref()), (1, None));
    let stop = stop(Ok(report));
    assert_eq!((stop.reason, i64::from(stop.location.unwrap().line)), (StopReason::Step, line("fetch-after")));
    settle().await;
    assert_eq!(lines(&talk), [line("fetch-start")], "the lines of the step are gone");
}

#[tokio::test(start_paused = true)]
async fn the_adapter_judges_no_condition_while_it_steps_over_an_await() {
    let talk = at_await().await;
    talk.set(BreakpointSpec { condition: Some("size == 77".into()), ..on("fetch-start") }).await;
    assert_eq!(sent(&talk), [(line("fetch-start"), Some("size == 77".into()))]);
    let step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    assert_eq!(sent(&talk), [(line("fetch-start"), None)]);
    pass_elsewhere(&talk).await;
    call(&talk, OTHER, "fetch-after", "4");
    talk.adapter.stopped("breakpoint", OTHER);
    assert_eq!(i64::from(stop(soon(step).await).location.unwrap().line), line("fetch-after"));
}

#[tokio::test(start_paused = true)]
async fn a_step_out_of_a_call_that_waits_is_asked_for_again_at_its_last_line() {
    let talk = at_await().await;
    talk.set(BreakpointSpec { log: Some("{size}".into()), ..on("fetch-start") }).await;
    let step = talk.go(Resume::Step { mode: StepMode::Out, count: 1, thread: None }, long());
    talk.adapter.expect::<StepOut>().await.ok();
    pass_elsewhere(&talk).await;
    let end = line("fetch-return") + 1;
    assert_eq!(lines(&talk), [line("fetch-start"), end]);
    call(&talk, OTHER, "fetch-return", "4");
    talk.adapter.at(OTHER, end);
    talk.adapter.stopped("breakpoint", OTHER);
    let out = talk.adapter.expect::<StepOut>().await;
    assert_eq!(out.arguments["threadId"], OTHER);
    out.ok();
    idle(&talk, OTHER);
    call(&talk, MAIN, "await-first", "4");
    talk.adapter.stopped("step", MAIN);
    assert_eq!(i64::from(stop(soon(step).await).location.unwrap().line), line("await-first"));
}

#[tokio::test(start_paused = true)]
async fn a_step_whose_call_never_goes_on_says_so_at_the_end() {
    let talk = at_await().await;
    talk.set(BreakpointSpec { log: Some("{size}".into()), ..on("fetch-start") }).await;
    let step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    pass_elsewhere(&talk).await;
    talk.adapter.exits(0);
    let report = soon(step).await.unwrap();
    assert!(matches!(report.outcome, Outcome::Exited(..)), "{report:?}");
    assert!(report.note.unwrap().contains("the adapter lost track of it"));
}

#[tokio::test(start_paused = true)]
async fn a_thread_that_waits_in_the_framework_steps_to_its_lines() {
    let talk = at_await().await;
    talk.set(BreakpointSpec { log: Some("{size}".into()), ..on("fetch-start") }).await;
    call(&talk, MAIN, "fetch-after", "4");
    let resumed = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped("pause", MAIN);
    stop(soon(resumed).await);
    let mut step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    // inside a call of its line, while another thread passes the tracepoint
    talk.adapter.world(|world| {
        let own = world.stacks.get_mut(&MAIN).unwrap();
        own.insert(0, Frame::external("System.Threading.Thread.Sleep()"));
    });
    call(&talk, OTHER, "fetch-start", "5");
    talk.adapter.stopped("breakpoint", OTHER);
    talk.adapter.expect::<Continue>().await.ok();
    assert!(is_open(&mut step).await);
    talk.adapter.world(|world| drop(world.stacks.get_mut(&MAIN).unwrap().remove(0)));
    talk.adapter.at(MAIN, line("fetch-return"));
    talk.adapter.stopped("breakpoint", MAIN);
    let stop = stop(soon(step).await);
    assert_eq!((stop.reason, i64::from(stop.location.unwrap().line)), (StopReason::Step, line("fetch-return")));
}

#[tokio::test(start_paused = true)]
async fn a_step_that_was_through_when_another_thread_stopped_is_reported_once() {
    let talk = Talk::stopped(46).await;
    talk.set(BreakpointSpec { log: Some("i={i}".into()), ..at(60) }).await;
    let step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    talk.adapter.at(MAIN, 47);
    talk.adapter.stopped_at("breakpoint", OTHER, 60);
    let stop = stop(soon(step).await);
    assert_eq!((stop.reason, stop.location.unwrap().line), (StopReason::Step, 47));
    // the adapter had it queued
    let mut wait = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("step", MAIN, 47);
    talk.adapter.expect::<Continue>().await.ok();
    assert!(is_open(&mut wait).await);
}

#[tokio::test(start_paused = true)]
async fn a_step_behind_the_last_line_of_a_call_is_not_made_in_another() {
    let talk = at_await().await;
    talk.set(BreakpointSpec { log: Some("{size}".into()), ..on("fetch-start") }).await;
    talk.adapter.at(MAIN, line("fetch-return") + 1);
    talk.adapter.world(|world| world.stacks.get_mut(&MAIN).unwrap()[0].column = 5);
    let resumed = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped("pause", MAIN);
    stop(soon(resumed).await);
    let step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    call(&talk, MAIN, "fetch-start", "5");
    talk.adapter.stopped("breakpoint", MAIN);
    let report = soon(step).await.unwrap();
    assert!(report.note.as_deref().unwrap().contains("in another call"), "{report:?}");
    assert_eq!(i64::from(stop(Ok(report)).location.unwrap().line), line("fetch-start"));
}
