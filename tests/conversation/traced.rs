//! An adapter that reads the values of tracepoints itself: the lines are ours, each hit is one line, and the limits hold.

use clrbridge::dap::request::{Continue, SetBreakpoints};
use clrbridge::session::{Breakpoint, BreakpointId, BreakpointSpec, Outcome, Report};
use serde_json::{Value, json};

use crate::talk::*;

async fn running() -> Talk {
    let mut world = world();
    for capability in ["supportsClrHitCounts", "supportsClrTraces", "supportsCSharpExpressions"] {
        world.capabilities[capability] = true.into();
    }
    Talk::with("builtin", world, |_| {}).await
}

fn logged(message: &str) -> BreakpointSpec {
    BreakpointSpec { log: Some(message.into()), ..at(46) }
}

/// The breakpoint that the adapter was sent last.
fn sent(talk: &Talk) -> Value {
    talk.adapter.asked::<SetBreakpoints>().pop().unwrap()["breakpoints"][0].clone()
}

fn counter(talk: &Talk) -> u64 {
    sent(talk)["clrHits"]["counter"].as_u64().unwrap()
}

/// The adapter has read these values of `i`, of the message with that number.
fn reads(talk: &Talk, trace: u64, values: &[u64]) {
    let hit = |value: &u64| json!({"trace": trace, "threadId": OTHER, "age": 0, "values": [{"expression": "i", "value": value.to_string(), "type": "int"}]});
    talk.adapter.emit("clrTraces", json!({"hits": values.iter().map(hit).collect::<Vec<_>>()}));
}

/// It stops at a hit that it has counted.
fn stops(talk: &Talk, hits: u64) {
    talk.adapter.at(MAIN, 46);
    let (id, counter) = (talk.adapter.breakpoint_id(&path(), 46), counter(talk));
    let counted = json!([{"counter": counter, "hits": hits}]);
    let stopped = json!({"reason": "breakpoint", "threadId": MAIN, "allThreadsStopped": true, "hitBreakpointIds": [id], "clrHits": counted});
    talk.adapter.emit("stopped", stopped);
}

fn texts(report: &Report) -> Vec<String> {
    report.tracepoints.iter().map(|line| line.text.clone()).collect()
}

async fn listed(talk: &Talk) -> Breakpoint {
    soon(talk.registry.list_breakpoints(None, None)).await.unwrap().breakpoints.remove(0)
}

#[tokio::test(start_paused = true)]
async fn what_the_adapter_read_is_a_line_without_a_stop() {
    let talk = running().await;
    talk.set(logged("i={i:D3} {{i}}")).await;
    let trace = sent(&talk)["clrTrace"].clone();
    assert_eq!((&trace["expressions"], trace.get("most")), (&json!(["i"]), None));
    assert_eq!((sent(&talk)["clrHits"]["before"].clone(), sent(&talk).get("hitCondition")), (json!(0), None));
    talk.adapter.emit("clrHits", json!({"counts": [{"counter": counter(&talk), "hits": 2}]}));
    reads(&talk, trace["trace"].as_u64().unwrap(), &[1, 20]);
    let report = soon(talk.wait_for(10)).await.unwrap();
    assert!(matches!(report.outcome, Outcome::StillRunning { .. }));
    assert_eq!(texts(&report), ["i=001 {i}", "i=020 {i}"]);
    assert_eq!(report.tracepoints[0].thread.0, OTHER);
    assert_eq!(listed(&talk).await.hits, 2);
    // a hit that it could not read is one more, and the line comes behind those before
    stops(&talk, 3);
    talk.adapter.expect::<Continue>().await.ok();
    reads(&talk, trace["trace"].as_u64().unwrap(), &[4]);
    let report = soon(talk.wait_for(10)).await.unwrap();
    assert_eq!(texts(&report), ["i=003 {i}", "i=004 {i}"]);
    assert_eq!(listed(&talk).await.hits, 3);
    assert_eq!(talk.adapter.asked::<SetBreakpoints>().len(), 1, "nothing changed");
}

#[tokio::test(start_paused = true)]
async fn the_last_line_that_there_may_be_takes_a_stop() {
    let talk = running().await;
    talk.set(BreakpointSpec { max_hits: Some(4), ..logged("{i}") }).await;
    let trace = sent(&talk)["clrTrace"].clone();
    assert_eq!(trace["most"], 3);
    let number = trace["trace"].as_u64().unwrap();
    reads(&talk, number, &[0, 1]);
    stops(&talk, 3);
    talk.adapter.expect::<Continue>().await.ok();
    assert_eq!(sent(&talk)["clrTrace"], json!({"trace": number, "expressions": ["i"], "most": 2}), "one was ours");
    stops(&talk, 4);
    talk.adapter.expect::<Continue>().await.ok();
    assert_eq!(talk.adapter.asked::<SetBreakpoints>().pop().unwrap()["breakpoints"], json!([]));
    let report = soon(talk.wait_for(0)).await.unwrap();
    assert_eq!(texts(&report), ["0", "1", "3", "3"]);
    assert!(report.note.as_deref().unwrap_or_default().contains("it reached max_hits (4)"), "{report:?}");
}

#[tokio::test(start_paused = true)]
async fn hits_that_write_nothing_new_do_not_use_up_the_limit() {
    let talk = running().await;
    talk.set(BreakpointSpec { max_hits: Some(3), only_changes: true, ..logged("{i}") }).await;
    let number = sent(&talk)["clrTrace"]["trace"].as_u64().unwrap();
    reads(&talk, number, &[3, 3]);
    stops(&talk, 3);
    talk.adapter.expect::<Continue>().await.ok();
    assert_eq!(sent(&talk)["clrTrace"]["most"], 3, "two were read, and one more line may be read");
    reads(&talk, number, &[4]);
    let report = soon(talk.wait_for(10)).await.unwrap();
    assert_eq!(texts(&report), ["3", "4"]);
}

#[tokio::test(start_paused = true)]
async fn what_was_read_for_a_former_message_is_a_line_of_that_one() {
    let talk = running().await;
    let id = talk.set(logged("a {i}")).await.id;
    let first = sent(&talk)["clrTrace"]["trace"].as_u64().unwrap();
    assert_eq!(talk.set(logged("b {i}")).await.id, id);
    let second = sent(&talk)["clrTrace"]["trace"].as_u64().unwrap();
    assert_ne!(first, second);
    reads(&talk, first, &[1]);
    reads(&talk, second, &[2]);
    soon(talk.registry.remove_breakpoints(None, Some(BreakpointId(id)))).await.unwrap();
    reads(&talk, second, &[3]);
    reads(&talk, second + 1_000, &[4]);
    let report = soon(talk.wait_for(10)).await.unwrap();
    assert_eq!(texts(&report), ["a 1", "b 2", "b 3"]);
    assert!(report.tracepoints.iter().all(|line| line.id.0 == id));
}

#[tokio::test(start_paused = true)]
async fn what_only_a_stop_can_say_is_not_asked_for() {
    let talk = running().await;
    talk.set(logged("{list,results}")).await;
    assert_eq!((sent(&talk).get("clrTrace"), sent(&talk).get("clrHits")), (None, None));
    talk.set(logged("{i}")).await;
    assert!(sent(&talk).get("clrTrace").is_some());
    // two tracepoints of one line
    talk.set(at(46)).await;
    assert_eq!((sent(&talk).get("clrTrace"), sent(&talk).get("clrHits")), (None, None));
}

#[tokio::test(start_paused = true)]
async fn an_adapter_that_never_can_is_not_asked_any_more() {
    let talk = running().await;
    talk.set(logged("{i}")).await;
    for hits in 1..=20 {
        stops(&talk, hits);
        talk.adapter.expect::<Continue>().await.ok();
        if sent(&talk).get("clrTrace").is_none() {
            assert_eq!(hits, 16);
            return;
        }
    }
    panic!("it is asked still");
}
