//! An adapter that decides hit conditions itself: each hit is counted by one of us, whatever is on its way while breakpoints change.

use clrbridge::dap::request::{Continue, SetBreakpoints};
use clrbridge::session::{Breakpoint, BreakpointSpec, Outcome, StopReason};
use serde_json::{Value, json};

use crate::scripted::settle;
use crate::talk::*;

async fn running() -> Talk {
    let mut world = world();
    world.capabilities["supportsClrHitCounts"] = true.into();
    Talk::with("builtin", world, |_| {}).await
}

fn counted(line: u32, hits: &str) -> BreakpointSpec {
    BreakpointSpec { hit_condition: Some(hits.into()), ..at(line) }
}

/// The breakpoints that the adapter was sent last.
fn sent(talk: &Talk) -> Vec<Value> {
    talk.adapter.asked::<SetBreakpoints>().pop().unwrap()["breakpoints"].as_array().unwrap().clone()
}

fn counter(talk: &Talk) -> u64 {
    sent(talk)[0]["clrHits"]["counter"].as_u64().unwrap()
}

/// The adapter has counted so many.
fn counts(talk: &Talk, counter: u64, hits: u64) {
    talk.adapter.emit("clrHits", json!({"counts": [{"counter": counter, "hits": hits}]}));
}

/// It stops for breakpoints; `counted`: those of their hits that it counted.
fn stops(talk: &Talk, counted: Value) {
    talk.adapter.at(MAIN, 46);
    let id = talk.adapter.breakpoint_id(&path(), 46);
    let stopped = json!({"reason": "breakpoint", "threadId": MAIN, "allThreadsStopped": true, "hitBreakpointIds": [id], "clrHits": counted});
    talk.adapter.emit("stopped", stopped);
}

async fn listed(talk: &Talk) -> Breakpoint {
    soon(talk.registry.list_breakpoints(None, None)).await.unwrap().breakpoints.remove(0)
}

#[tokio::test(start_paused = true)]
async fn an_adapter_that_counts_is_sent_the_hit_condition_and_believed() {
    let talk = running().await;
    talk.set(counted(46, ">=500")).await;
    let breakpoint = sent(&talk).remove(0);
    assert_eq!((&breakpoint["hitCondition"], &breakpoint["clrHits"]["before"]), (&json!(">=500"), &json!(0)));
    let counter = counter(&talk);
    counts(&talk, counter, 499);
    settle().await;
    assert_eq!(listed(&talk).await.hits, 499);
    let wait = talk.wait();
    stops(&talk, json!([{"counter": counter, "hits": 500}]));
    let stop = stop(soon(wait).await);
    assert_eq!((stop.reason, stop.hit_counts, stop.breakpoint_ids.len()), (StopReason::Breakpoint, vec![500], 1));
    assert_eq!(listed(&talk).await.hits, 500);
    assert_eq!(talk.adapter.asked::<SetBreakpoints>().len(), 1, "nothing changed");
    talk.adapter.exits(0);
    settle().await;
    assert_eq!(listed(&talk).await.hits, 500);
}

#[tokio::test(start_paused = true)]
async fn a_hit_that_was_on_its_way_when_the_adapter_was_told_to_count_is_counted_here() {
    let talk = running().await;
    let id = talk.set(at(46)).await.id;
    assert_eq!(sent(&talk)[0].get("clrHits"), None, "every hit of it stops");
    assert_eq!(talk.set(counted(46, "3")).await.id, id);
    let first = sent(&talk).remove(0);
    assert_eq!(first["clrHits"]["before"], 0);
    let mut wait = talk.wait();
    // the stop of the breakpoint as it was
    stops(&talk, json!([]));
    talk.adapter.expect::<Continue>().await.ok();
    assert!(is_open(&mut wait).await);
    let again = sent(&talk).remove(0);
    assert_eq!(again["clrHits"], json!({"counter": first["clrHits"]["counter"], "before": 1}));
    stops(&talk, json!([{"counter": counter(&talk), "hits": 2}]));
    assert_eq!(stop(soon(wait).await).hit_counts, [3]);
}

#[tokio::test(start_paused = true)]
async fn a_second_breakpoint_on_the_line_takes_the_count_over_and_gives_it_back() {
    let talk = running().await;
    talk.set(counted(46, "5")).await;
    let counter = counter(&talk);
    counts(&talk, counter, 2);
    let trace = talk.set(BreakpointSpec { log: Some("here".into()), ..at(46) }).await.id;
    assert_eq!((sent(&talk)[0].get("hitCondition"), sent(&talk).len()), (None, 1), "each has its own count");
    let mut wait = talk.wait();
    stops(&talk, json!([]));
    talk.adapter.expect::<Continue>().await.ok();
    assert!(is_open(&mut wait).await);
    assert_eq!(listed(&talk).await.hits, 3);
    soon(talk.registry.remove_breakpoints(None, Some(clrbridge::session::BreakpointId(trace)))).await.unwrap();
    assert_eq!(sent(&talk)[0]["clrHits"], json!({"counter": counter, "before": 1}));
    // it goes on where it was: 2 there, 1 here
    stops(&talk, json!([{"counter": counter, "hits": 4}]));
    let report = soon(wait).await;
    assert_eq!(report.as_ref().unwrap().tracepoints.len(), 1);
    assert_eq!(stop(report).hit_counts, [5]);
}

#[tokio::test(start_paused = true)]
async fn another_hit_condition_begins_a_count_of_its_own() {
    let talk = running().await;
    talk.set(counted(46, "5")).await;
    let old = counter(&talk);
    counts(&talk, old, 4);
    talk.set(counted(46, "%2")).await;
    assert_ne!(counter(&talk), old);
    counts(&talk, old, 6);
    settle().await;
    assert_eq!(listed(&talk).await.hits, 0, "what comes of the count before is nobody's");
    counts(&talk, counter(&talk), 1);
    settle().await;
    assert_eq!(listed(&talk).await.hits, 1);
}

#[tokio::test(start_paused = true)]
async fn a_breakpoint_that_is_switched_off_and_on_keeps_its_count() {
    let talk = running().await;
    let id = talk.set(counted(46, "5")).await.id;
    let counter = counter(&talk);
    counts(&talk, counter, 4);
    for enabled in [false, true] {
        soon(talk.registry.enable_breakpoint(None, clrbridge::session::BreakpointId(id), enabled)).await.unwrap();
    }
    assert_eq!(sent(&talk)[0]["clrHits"], json!({"counter": counter, "before": 0}));
    let wait = talk.wait();
    stops(&talk, json!([{"counter": counter, "hits": 5}]));
    assert_eq!(stop(soon(wait).await).hit_counts, [5]);
}

#[tokio::test(start_paused = true)]
async fn a_wait_says_what_the_adapter_has_counted() {
    let talk = running().await;
    talk.set(counted(46, ">=1000")).await;
    counts(&talk, counter(&talk), 12);
    let report = soon(talk.wait_for(10)).await.unwrap();
    assert!(matches!(report.outcome, Outcome::StillRunning { .. }));
    assert_eq!(report.note.as_deref(), Some("breakpoint 1: 12 hits so far; hit_condition >=1000"));
}
