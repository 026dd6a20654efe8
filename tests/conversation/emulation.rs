//! What adapters lack is done by us: counts, tracepoints, one-shot and run-to breakpoints, conditions that share a line.

use clrbridge::dap::request::{Continue, SetBreakpoints};
use clrbridge::session::{Breakpoint, BreakpointSpec, Outcome, Place, Resume, StopReason};
use serde_json::json;

use crate::scripted::settle;
use crate::talk::*;

fn counted(line: u32, hits: &str) -> BreakpointSpec {
    BreakpointSpec { hit_condition: Some(hits.into()), ..at(line) }
}

fn trace(line: u32, message: &str) -> BreakpointSpec {
    BreakpointSpec { log: Some(message.into()), ..at(line) }
}

fn when(line: u32, condition: &str) -> BreakpointSpec {
    BreakpointSpec { condition: Some(condition.into()), ..at(line) }
}

fn value(talk: &Talk, expression: &str, type_name: &str, value: &str) {
    talk.adapter.world(|world| {
        world.values.insert(expression.into(), Ok((type_name.into(), value.into())));
    });
}

/// Lines and conditions that the adapter was sent last.
fn sent(talk: &Talk) -> Vec<(i64, Option<String>)> {
    let last = talk.adapter.asked::<SetBreakpoints>().pop().unwrap();
    let list = last["breakpoints"].as_array().unwrap();
    list.iter().map(|one| (one["line"].as_i64().unwrap(), one["condition"].as_str().map(str::to_owned))).collect()
}

async fn listed(talk: &Talk) -> Vec<Breakpoint> {
    soon(talk.registry.list_breakpoints(None, None)).await.unwrap().breakpoints
}

#[tokio::test(start_paused = true)]
async fn hits_are_counted_here_and_only_those_that_count_stop() {
    for (condition, stops) in [
        ("3", vec![3]),
        ("==3", vec![3]),
        (">=6", vec![6, 7]),
        ("<3", vec![1, 2]),
        ("%3", vec![3, 6]),
        ("> 5", vec![6, 7]),
    ] {
        let talk = Talk::running().await;
        assert!(talk.set(counted(46, condition)).await.verified);
        for hit in 1..=7 {
            let mut wait = talk.wait();
            talk.adapter.stopped_at("breakpoint", MAIN, 46);
            if stops.contains(&hit) {
                let stop = stop(soon(&mut wait).await);
                assert_eq!((stop.reason, stop.hit_counts), (StopReason::Breakpoint, vec![hit]), "{condition}");
                assert_eq!(stop.breakpoint_ids.len(), 1);
                is_running(soon(talk.go(Resume::Continue, now())).await);
            }
            talk.adapter.expect::<Continue>().await.ok();
            if !stops.contains(&hit) {
                assert!(is_open(&mut wait).await);
            }
        }
        assert_eq!(listed(&talk).await[0].hits, 7);
        assert_eq!(sent(&talk), [(46, None)], "no adapter is asked to count");
    }
}

#[tokio::test(start_paused = true)]
async fn a_tracepoint_logs_and_never_stops() {
    let talk = Talk::running().await;
    value(&talk, "order.Total", "decimal", "2.50");
    let set = talk
        .set(BreakpointSpec { allow_side_effects: true, ..trace(46, "i={i} total={order.Total} {{x}} {nope}") })
        .await;
    assert_eq!(set.log.as_deref(), Some("i={i} total={order.Total} {{x}} {nope}"));
    let wait = talk.wait();
    for _ in 0..25 {
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        talk.adapter.expect::<Continue>().await.ok();
    }
    talk.adapter.stopped_at("pause", MAIN, 50);
    let report = soon(wait).await.unwrap();
    assert_eq!((report.tracepoints.len(), report.more_tracepoints), (20, 5));
    let text = &report.tracepoints[0].text;
    assert!(text.starts_with("i=3 total=2.50 {x} !"), "{text}");
    let again = soon(talk.wait()).await.unwrap();
    assert!(again.tracepoints.is_empty(), "reported once");
}

#[tokio::test(start_paused = true)]
async fn a_full_tracepoint_leaves_the_adapter() {
    let talk = Talk::running().await;
    talk.set(BreakpointSpec { max_hits: Some(2), ..trace(46, "here") }).await;
    for _ in 0..2 {
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        talk.adapter.expect::<Continue>().await.ok();
    }
    assert_eq!(sent(&talk), []);
    let commands = talk.adapter.commands();
    let last = &commands[commands.len() - 2..];
    assert_eq!(last, ["setBreakpoints", "continue"], "gone before the program goes on");
    let words = "it reached max_hits (2); breakpoint_enable lets it log 2 more, tracepoint_set changes the limit";
    let note = soon(talk.wait_for(0)).await.unwrap().note.unwrap();
    assert!(note.starts_with(&format!("tracepoint 1 is disabled: {words}")), "{note}");
    let again = soon(talk.wait_for(0)).await.unwrap().note.unwrap_or_default();
    assert!(!again.contains("max_hits"), "reported once: {again}");
    let list = listed(&talk).await;
    let why = list[0].why.map(|why| why.as_str());
    assert_eq!((list[0].disabled, why, list[0].message.as_deref()), (true, Some("max_hits"), Some(words)));
}

#[tokio::test(start_paused = true)]
async fn a_tracepoint_on_the_line_of_a_breakpoint_disturbs_neither() {
    let talk = Talk::running().await;
    let wait = talk.wait();
    let point = talk.set(counted(46, "2")).await.id;
    let log = talk.set(trace(46, "i={i}")).await.id;
    assert_ne!(point, log);
    assert_eq!(sent(&talk), [(46, None)]);
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    let report = soon(wait).await.unwrap();
    let lines: Vec<_> = report.tracepoints.iter().map(|line| (line.id.0, line.text.as_str())).collect();
    assert_eq!(lines, [(log, "i=3"), (log, "i=3")]);
    let stop = stop(Ok(report));
    assert_eq!(stop.breakpoint_ids.iter().map(|id| id.0).collect::<Vec<_>>(), [point], "a tracepoint is not hit");
    assert_eq!(stop.hit_counts, [2]);
    soon(talk.registry.remove_breakpoints(None, Some(clrbridge::session::BreakpointId(log)))).await.unwrap();
    assert_eq!(sent(&talk), [(46, None)], "the breakpoint stays");
}

#[tokio::test(start_paused = true)]
async fn a_temporary_breakpoint_stops_once_and_is_gone() {
    let talk = Talk::running().await;
    talk.set(BreakpointSpec { temporary: true, ..at(46) }).await;
    let wait = talk.wait();
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    assert_eq!(stop(soon(wait).await).breakpoint_ids.len(), 1);
    settle().await;
    assert_eq!(sent(&talk), []);
    assert!(listed(&talk).await.is_empty());
    // a hit that was queued in the adapter by then is nobody's
    let mut go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("breakpoint", OTHER, 46);
    talk.adapter.expect::<Continue>().await.ok();
    assert!(is_open(&mut go).await);
}

#[tokio::test(start_paused = true)]
async fn run_to_sets_a_line_continues_and_takes_it_away_again() {
    let talk = Talk::stopped(46).await;
    let place = |line| Resume::RunTo { place: Place::Source { file: path(), line: Some(line), text: None } };
    let run = talk.go(place(53), long());
    talk.adapter.expect::<Continue>().await.ok();
    assert_eq!(sent(&talk), [(53, None)]);
    talk.adapter.stopped_at("breakpoint", MAIN, 53);
    let first = stop(soon(run).await);
    assert_eq!((first.reason, first.breakpoint_ids.len()), (StopReason::RunTo, 0));
    assert_eq!(soon(talk.pause()).await.unwrap().note, None);
    settle().await;
    assert_eq!(sent(&talk), []);
    // another stop ends it as well
    let run = talk.go(place(54), long());
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("pause", MAIN, 48);
    let report = soon(run).await.unwrap();
    let note =
        "Program.cs:54 was not reached: call debug_run_to again to continue to it; debug_continue drops the target";
    assert!(report.note.as_deref().is_some_and(|it| it.ends_with(note)), "{:?}", report.note);
    assert_eq!(stop(Ok(report)).reason, StopReason::DebuggerBreak);
    settle().await;
    assert_eq!(sent(&talk), []);
    assert!(listed(&talk).await.is_empty());
    // and a refusal
    let run = talk.go(place(54), long());
    talk.adapter.expect::<Continue>().await.refuse("no");
    assert!(soon(run).await.is_err());
    settle().await;
    assert_eq!(sent(&talk), []);
}

#[tokio::test(start_paused = true)]
async fn a_tracepoint_that_fails_hides_no_other_note() {
    let talk = Talk::stopped(46).await;
    talk.set(trace(48, "{nope}")).await;
    let target = Place::Source { file: path(), line: Some(54), text: None };
    let run = talk.go(Resume::RunTo { place: target }, long());
    talk.adapter.expect::<Continue>().await.ok();
    for _ in 0..2 {
        talk.adapter.stopped_at("breakpoint", MAIN, 48);
        talk.adapter.expect::<Continue>().await.ok();
    }
    talk.adapter.stopped_at("pause", MAIN, 50);
    let note = soon(run).await.unwrap().note.unwrap_or_default();
    assert!(note.contains("tracepoint 1: ") && note.contains("Program.cs:54 was not reached"), "{note}");
}

#[tokio::test(start_paused = true)]
async fn a_condition_that_all_on_a_line_share_is_the_adapters_and_others_are_ours() {
    let talk = Talk::running().await;
    value(&talk, "i", "int", "3");
    talk.set(when(46, "i == 3")).await;
    assert_eq!(sent(&talk), [(46, Some("i == 3".into()))]);
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    assert_eq!(stop(soon(talk.wait()).await).breakpoint_ids.len(), 1, "the adapter decided");
    let asked = talk.adapter.asked::<clrbridge::dap::request::Evaluate>();
    assert!(!asked.iter().any(|asked| asked["expression"] == "i == 3"));
    let log = BreakpointSpec { condition: Some("i == 4".into()), ..trace(46, "never") };
    talk.set(log).await;
    assert_eq!(sent(&talk), [(46, None)], "conditions differ: none is sent");
    let go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    let report = soon(go).await.unwrap();
    assert!(report.tracepoints.is_empty());
    assert_eq!(stop(Ok(report)).hit_counts, [2]);
    // with neither true nobody hears of it
    value(&talk, "i", "int", "5");
    let mut go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    talk.adapter.expect::<Continue>().await.ok();
    assert!(is_open(&mut go).await);
}

#[tokio::test(start_paused = true)]
async fn a_tracepoint_of_changes_skips_equal_lines() {
    let talk = Talk::running().await;
    talk.set(BreakpointSpec { only_changes: true, ..trace(46, "i is {i}") }).await;
    for i in ["1", "1", "2", "2", "1"] {
        value(&talk, "i", "int", i);
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        talk.adapter.expect::<Continue>().await.ok();
        settle().await;
    }
    let wait = talk.registry.session(None).unwrap().wait(Default::default(), Default::default(), now());
    let lines: Vec<_> = soon(wait).await.unwrap().tracepoints.into_iter().map(|line| line.text).collect();
    assert_eq!(lines, ["i is 1", "i is 2", "i is 1"]);
}

#[tokio::test(start_paused = true)]
async fn a_tracepoint_that_never_worked_is_switched_off_and_said_once() {
    let talk = Talk::running().await;
    talk.stop_here(40).await;
    let hopeless = talk.set(trace(46, "{nope}")).await;
    is_running(soon(talk.go(Resume::Continue, now())).await);
    for hit in 1..=20 {
        assert_eq!(sent(&talk), [(46, None)], "before hit {hit}");
        talk.adapter.expect::<Continue>().await.ok();
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        settle().await;
    }
    talk.adapter.expect::<Continue>().await.ok();
    assert_eq!(sent(&talk), [], "it leaves the adapter");
    let list = listed(&talk).await;
    assert_eq!((list[0].id, list[0].disabled, list[0].hits), (hopeless.id, true, 20));
    let report = soon(talk.registry.session(None).unwrap().wait(Default::default(), Default::default(), now())).await;
    let note = report.unwrap().note.unwrap();
    assert!(note.starts_with("tracepoint 1: {nope} failed 20 times: ") && note.contains("it was disabled"), "{note}");
    // switched on again it gets another chance
    soon(talk.registry.enable_breakpoint(None, clrbridge::session::BreakpointId(hopeless.id), true)).await.unwrap();
    assert_eq!(sent(&talk), [(46, None)]);
}

#[tokio::test(start_paused = true)]
async fn two_lines_that_resolve_late_to_one_are_judged_each_by_its_own_condition() {
    let mut start = world();
    start.binds = false;
    let talk = Talk::with("netcoredbg", start, |_| {}).await;
    value(&talk, "i == 4", "bool", "false");
    let moves = talk.set(at(51)).await;
    let stays = talk.set(when(53, "i == 4")).await;
    assert!(moves.pending && !moves.verified);
    for line in [51, 53] {
        let id = talk.adapter.breakpoint_id(&path(), line).unwrap();
        let body = json!({"reason": "changed", "breakpoint": {"id": id, "verified": true, "line": 53, "source": {"path": path()}}});
        talk.adapter.emit("breakpoint", body);
    }
    settle().await;
    let list = listed(&talk).await;
    assert_eq!(list.iter().map(|one| (one.verified, one.line)).collect::<Vec<_>>(), [(true, Some(53)); 2]);
    assert_eq!(list[0].requested_line, Some(51));
    talk.adapter.stopped_at("breakpoint", MAIN, 53);
    let ids: Vec<u32> = stop(soon(talk.wait()).await).breakpoint_ids.iter().map(|id| id.0).collect();
    assert_eq!(ids, [moves.id], "the condition of {} is false", stays.id);
}

#[tokio::test(start_paused = true)]
async fn a_condition_that_cannot_be_evaluated_stops_and_is_reported() {
    let talk = Talk::running().await;
    // two conditions on one line
    talk.stop_here(40).await;
    talk.set(when(46, "nope > 1")).await;
    talk.set(BreakpointSpec { condition: Some("i == 9".into()), ..trace(46, "x") }).await;
    value(&talk, "i == 9", "bool", "false");
    is_running(soon(talk.go(Resume::Continue, now())).await);
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    let report = soon(talk.wait()).await.unwrap();
    let note = report.note.clone().unwrap();
    assert!(note.contains("condition of breakpoint 1") && note.contains("'nope' does not exist"), "{note}");
    assert_eq!(stop(Ok(report)).breakpoint_ids.len(), 1);
    let list = listed(&talk).await;
    assert_eq!(list[0].why, Some(clrbridge::session::Why::InvalidCondition));
}

#[tokio::test(start_paused = true)]
async fn a_condition_that_the_adapter_refuses_is_judged_here_from_then_on() {
    let talk = Talk::running().await;
    let asked = when(46, "order.Ready");
    talk.set(BreakpointSpec { hit_condition: Some("2".into()), allow_side_effects: true, ..asked }).await;
    assert_eq!(sent(&talk), [(46, Some("order.Ready".into()))]);
    value(&talk, "order.Ready", "bool", "false");
    let mut wait = talk.wait();
    talk.adapter.refuses_condition(&path(), 46);
    talk.adapter.expect::<Continue>().await.ok();
    assert!(is_open(&mut wait).await, "it is false");
    assert_eq!(sent(&talk), [(46, None)]);
    value(&talk, "order.Ready", "bool", "true");
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    let report = soon(wait).await.unwrap();
    assert_eq!(report.note, None);
    assert_eq!(stop(Ok(report)).hit_counts, [2], "hits are those where it was true");
    assert_eq!(listed(&talk).await[0].why, None);
}

#[tokio::test(start_paused = true)]
async fn a_tracepoint_whose_condition_the_adapter_refuses_writes_where_it_is_true() {
    let talk = Talk::running().await;
    let condition = Some("order.Ready".into());
    talk.set(BreakpointSpec { condition, allow_side_effects: true, ..trace(46, "i={i}") }).await;
    let mut wait = talk.wait();
    value(&talk, "order.Ready", "bool", "false");
    talk.adapter.refuses_condition(&path(), 46);
    talk.adapter.expect::<Continue>().await.ok();
    value(&talk, "order.Ready", "bool", "true");
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    talk.adapter.expect::<Continue>().await.ok();
    assert!(is_open(&mut wait).await);
    drop(wait);
    assert_eq!(soon(talk.wait_for(10)).await.unwrap().tracepoints.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_adapter_that_names_what_was_hit_is_believed() {
    let talk = Talk::with("dncdbg", world(), |_| {}).await;
    let one = talk.set(at(46)).await.id;
    talk.set(at(53)).await;
    let id = talk.adapter.breakpoint_id(&path(), 46).unwrap();
    let stopped =
        json!({"reason": "breakpoint", "threadId": MAIN, "allThreadsStopped": true, "hitBreakpointIds": [id]});
    talk.adapter.emit("stopped", stopped);
    let ids: Vec<u32> = stop(soon(talk.wait()).await).breakpoint_ids.iter().map(|id| id.0).collect();
    assert_eq!(ids, [one]);
}

#[tokio::test(start_paused = true)]
async fn breakpoints_set_with_no_session_go_to_the_next_launch_and_live_on_for_a_restart() {
    let mut talk = Talk::with("netcoredbg", world(), |spec| spec.breakpoints = vec![counted(46, "2")]).await;
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    talk.adapter.expect::<Continue>().await.ok();
    let restart = talk.registry.restart(None, None, Default::default(), now());
    let adapter = talk.stage.adapter().await;
    is_running(soon(restart).await);
    talk.adapter = adapter;
    assert_eq!(sent(&talk), [(46, None)]);
    assert_eq!(listed(&talk).await[0].hits, 0, "counted anew");
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    assert_eq!(stop(soon(talk.wait()).await).hit_counts, [2]);
}

#[tokio::test(start_paused = true)]
async fn hits_that_nobody_hears_of_leave_nothing_behind() {
    let talk = Talk::running().await;
    talk.set(counted(46, "1000000")).await;
    talk.set(trace(46, "i={i}")).await;
    let mut wait = talk.wait();
    for _ in 0..300 {
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        talk.adapter.expect::<Continue>().await.ok();
    }
    assert!(is_open(&mut wait).await);
    let list = listed(&talk).await;
    assert_eq!(list[0].hits, 300);
    let stops = soon(talk.session.events(clrbridge::session::EventsQuery {
        stream: Some("execution".into()),
        since: clrbridge::session::EventSeq(0),
        limit: 200,
        event_type: None,
    }));
    let stops = stops.await.unwrap().events;
    assert_eq!(stops.iter().map(|event| event.type_name).collect::<Vec<_>>(), ["started"]);
    drop(wait);
    let report = soon(talk.wait_for(10)).await.unwrap();
    assert!(matches!(report.outcome, Outcome::StillRunning { .. }));
    assert_eq!((report.tracepoints.len(), report.more_tracepoints), (20, 280));
}
