//! Commands in their order: who waits for whom, and who overtakes.

use clrbridge::dap::Request;
use clrbridge::dap::request::{ConfigurationDone, Continue, Evaluate, Next, Pause, SetBreakpoints, StackTrace};
use clrbridge::session::{
    Code, EvaluateQuery, EvaluateView, FrameRef, Include, LaunchSpec, Outcome, Registry, Resume, StackQuery, StateName,
    Wait,
};
use serde_json::json;

use crate::scripted::{Stage, World, settle};
use crate::talk::*;

fn evaluate(expression: &str) -> EvaluateQuery {
    EvaluateQuery {
        at: FrameRef::default(),
        expressions: vec![expression.into()],
        single: true,
        timeout: None,
        allow_side_effects: true,
    }
}

fn stack() -> StackQuery {
    StackQuery { thread: None, start_frame: 0, max_frames: 20, include_external: false }
}

#[tokio::test(start_paused = true)]
async fn commands_are_served_in_the_order_of_the_calls() {
    let talk = Talk::stopped(46).await;
    talk.adapter.hold::<SetBreakpoints>();
    let mut set = talk.registry.set_breakpoint(None, at(53));
    let mut step = talk.step();
    let mut stack = talk.session.stack(stack());
    assert!(is_open(&mut set).await);
    assert_eq!(talk.adapter.waiting(), ["setBreakpoints"], "the step waits for the breakpoint");
    talk.adapter.release::<SetBreakpoints>();
    assert!(soon(set).await.unwrap().verified);
    talk.adapter.expect::<Next>().await.ok();
    assert!(is_open(&mut step).await);
    // asked behind the step, so it is about a running program
    assert_eq!(code(soon(&mut stack).await), Code::NotStopped);
    talk.adapter.stopped_at("step", MAIN, 48);
    assert_eq!(line(soon(step).await), 48);
}

#[tokio::test(start_paused = true)]
async fn a_resume_waits_for_inspections_in_flight() {
    let talk = Talk::stopped(46).await;
    talk.adapter.hold::<Evaluate>();
    let evaluated = talk.session.evaluate(evaluate("i"));
    let mut step = talk.step();
    assert!(is_open(&mut step).await);
    assert_eq!(talk.adapter.waiting(), ["evaluate"]);
    talk.adapter.release::<Evaluate>();
    assert!(matches!(soon(evaluated).await.unwrap(), EvaluateView::One(_)));
    talk.adapter.expect::<Next>().await.ok();
}

#[tokio::test(start_paused = true)]
async fn inspection_never_waits_behind_a_wait() {
    let talk = Talk::running().await;
    let wait = talk.wait();
    assert_eq!(code(soon(talk.session.stack(stack())).await), Code::NotStopped);
    drop(wait);
}

#[tokio::test(start_paused = true)]
async fn pause_and_disconnect_overtake_a_start_and_nothing_else_does() {
    let world = World { held: vec![ConfigurationDone::COMMAND], ..world() };
    let (mut stage, settings) = Stage::new("netcoredbg", world);
    let registry = Registry::new(settings);
    let launch = registry.launch(LaunchSpec::default(), Include::default(), long());
    let adapter = stage.adapter().await;
    let session = registry.session(None).unwrap();
    let mut set = registry.set_breakpoint(None, at(46));
    assert!(is_open(&mut set).await);
    let pause = soon(session.pause(None, Include::default(), Wait::default())).await;
    assert_eq!(code(pause), Code::NotRunning);
    assert_eq!(session.state().state, StateName::Starting);
    let end = soon(session.disconnect(None)).await.unwrap();
    assert!(matches!(end.outcome, Outcome::Disconnected { .. }));
    let report = soon(launch).await.unwrap();
    assert!(matches!(report.outcome, Outcome::Disconnected { .. }), "{report:?}");
    // kept for a restart
    assert!(soon(set).await.is_ok());
    settle().await;
    assert!(adapter.stdin_is_closed());
    assert_eq!(session.state().state, StateName::NotAttached);
}

#[tokio::test(start_paused = true)]
async fn a_pause_while_a_stop_is_judged_is_answered_from_that_stop() {
    for counted in ["%1000", "1000"] {
        let talk = Talk::running().await;
        let mut spec = at(46);
        spec.hit_condition = Some(counted.into());
        talk.set(spec).await;
        talk.adapter.hold::<StackTrace>();
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        settle().await;
        let pause = talk.pause();
        settle().await;
        talk.adapter.release::<StackTrace>();
        let stop = stop(soon(pause).await);
        assert_eq!(stop.location.unwrap().line, 46, "{counted}");
        assert_eq!(talk.session.state().state, StateName::Stopped);
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_meets_a_stop_that_nobody_hears_of_stops_the_program() {
    let talk = Talk::running().await;
    let mut spec = at(46);
    spec.hit_condition = Some("%1000".into());
    talk.set(spec).await;
    let pause = talk.pause();
    let asked = talk.adapter.expect::<Pause>().await;
    // the breakpoint was quicker: adapters do not report a pause of a stopped program
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    asked.ok();
    assert_eq!(line(soon(pause).await), 46);
    assert!(talk.adapter.waiting().is_empty(), "{:?}", talk.adapter.waiting());
}

#[tokio::test(start_paused = true)]
async fn breakpoints_change_under_a_hot_condition_only_while_the_program_is_paused_unseen() {
    for (others, met) in [("none", "false"), ("a hit", "false"), ("a hit", "true"), ("a hit that counts", "true")] {
        let talk = Talk::running().await;
        let mut spec = at(46);
        spec.condition = Some("i == 7".into());
        spec.hit_condition = (met == "true" && others == "a hit").then(|| "%1000".into());
        talk.set(spec).await;
        talk.adapter.world(|world| {
            let value = if met == "true" { "7" } else { "0" };
            world.values.insert("i".into(), Ok(("int".into(), value.into())));
        });
        let mut wait = talk.wait();
        let lines = |talk: &Talk| talk.adapter.asked::<SetBreakpoints>().pop().unwrap()["breakpoints"].clone();
        let mut set = talk.registry.set_breakpoint(None, at(53));
        let asked = talk.adapter.expect::<Pause>().await;
        assert!(is_open(&mut set).await);
        assert_eq!(lines(&talk), json!([{"line": 46}]), "the next hit stops, and nothing else changes while it runs");
        match others {
            "none" => talk.adapter.stopped_at("pause", MAIN, 47),
            _ => talk.adapter.stopped_at("breakpoint", MAIN, 46),
        }
        asked.ok();
        assert!(soon(set).await.unwrap().verified, "{others}");
        assert_eq!(lines(&talk), json!([{"line": 46, "condition": "i == 7"}, {"line": 53}]), "{others}");
        if others == "a hit that counts" {
            assert_eq!(line(soon(wait).await), 46);
            continue;
        }
        talk.adapter.expect::<Continue>().await.ok();
        assert!(is_open(&mut wait).await, "{others}");
        // once more, and the other way
        let removed = talk.registry.remove_breakpoints(None, None);
        let asked = talk.adapter.expect::<Pause>().await;
        talk.adapter.stopped_at("pause", MAIN, 47);
        asked.ok();
        assert_eq!(soon(removed).await.unwrap().len(), 2);
        talk.adapter.expect::<Continue>().await.ok();
        assert!(is_open(&mut wait).await);
        talk.adapter.stopped_at("pause", MAIN, 50);
        assert_eq!(line(soon(wait).await), 50);
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_during_an_unseen_one_makes_it_seen() {
    let talk = Talk::running().await;
    let mut spec = at(46);
    spec.condition = Some("i == 7".into());
    talk.set(spec).await;
    let set = talk.registry.set_breakpoint(None, at(53));
    let asked = talk.adapter.expect::<Pause>().await;
    let pause = talk.pause();
    settle().await;
    talk.adapter.stopped_at("pause", MAIN, 47);
    asked.ok();
    assert!(soon(set).await.is_ok());
    assert_eq!(line(soon(pause).await), 47);
    settle().await;
    assert!(talk.adapter.waiting().is_empty(), "{:?}", talk.adapter.waiting());
    assert_eq!(talk.session.state().state, StateName::Stopped);
}

#[tokio::test(start_paused = true)]
async fn a_refused_resume_leaves_the_stop_and_counts_nothing_twice() {
    let talk = Talk::running().await;
    let mut spec = at(46);
    spec.hit_condition = Some("2".into());
    talk.set(spec).await;
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    assert_eq!(stop(soon(talk.wait()).await).hit_counts, [2]);
    let step = talk.step();
    talk.adapter.expect::<Next>().await.refuse("Failed command 'next' : 0x80004005");
    let error = soon(step).await.unwrap_err();
    assert_eq!((error.code, error.state), (Code::AdapterError, Some(StateName::Stopped)));
    settle().await;
    assert!(talk.adapter.waiting().is_empty(), "{:?}", talk.adapter.waiting());
    assert_eq!(talk.session.state().state, StateName::Stopped);
    let list = soon(talk.registry.list_breakpoints(None, None)).await.unwrap().breakpoints;
    assert_eq!(list[0].hits, 2);
    assert!(soon(talk.session.stack(stack())).await.is_ok());
    let go = talk.go(Resume::Continue, long());
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("pause", MAIN, 50);
    assert_eq!(line(soon(go).await), 50);
}
