//! What a report says once: output, tracepoint lines, clocks, ends.

use std::time::Duration;

use clrbridge::dap::request::{Continue, Next};
use clrbridge::session::{
    AttachSpec, BreakpointSpec, EventSeq, EventsQuery, ExceptionMode, ExceptionRule, Include, Outcome, Resume, ThreadId,
};
use serde_json::json;

use crate::scripted::settle;
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
    assert_eq!((report.output.stdout.as_str(), report.output.left_out), ("", 0));
    assert!(report.tracepoints.is_empty(), "{:?}", report.tracepoints);
    says(&talk, "of the new run\n");
    let next = soon(talk.wait_for(10)).await.unwrap();
    assert_eq!(next.output.stdout, "of the new run\n");
    // what was not delivered is said again, but no more than that
    talk.session.not_delivered(next.receipt);
    talk.session.not_delivered(Default::default());
    assert_eq!(soon(talk.wait_for(10)).await.unwrap().output.stdout, "of the new run\n");
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
