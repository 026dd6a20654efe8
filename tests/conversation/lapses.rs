//! Stops of a program that was attached to while its client is silent; a start that is called off.

use std::time::Duration;

use clrbridge::dap::request::Continue;
use clrbridge::session::{
    AttachSpec, AttachTarget, Code, EventsQuery, Include, LaunchSpec, Registry, StateName, VariablesQuery,
};

use crate::odd::{stack, variables};
use crate::scripted::{Stage, settle};
use crate::talk::*;

/// Attached, with a limit for stops, and stopped at line 46; the report of the stop has been read by then.
async fn attached_and_stopped(limit: Option<u64>) -> Talk {
    let (mut stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    let spec = AttachSpec {
        target: AttachTarget::Pid(4242),
        just_my_code: None,
        breakpoints: Vec::new(),
        exceptions: None,
        backend: None,
        max_stop: limit.map(Duration::from_secs),
    };
    let attach = registry.attach(spec, Include::default(), now());
    let adapter = stage.adapter().await;
    soon(attach).await.unwrap();
    let session = registry.session(None).unwrap();
    let talk = Talk { registry, session, adapter, stage };
    talk.stop_here(46).await;
    talk
}

#[tokio::test(start_paused = true)]
async fn an_attached_program_goes_on_by_itself_when_no_call_comes_and_every_answer_says_so() {
    let talk = attached_and_stopped(Some(60)).await;
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert_eq!(talk.session.peek().state, StateName::Stopped);
    // a call begins the time anew, and while it lasts nothing goes on
    let call = talk.registry.begin_call();
    tokio::time::sleep(Duration::from_secs(300)).await;
    assert_eq!(talk.session.peek().state, StateName::Stopped);
    drop(call);
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert_eq!(talk.session.peek().state, StateName::Stopped);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let view = talk.session.state();
    let words = "Program.cs:46 (debugger_break, seq 2) and was resumed because no call came for 60 s (max_stop_s)";
    assert_eq!(view.state, StateName::Running);
    assert!(view.note.as_deref().is_some_and(|note| note.ends_with(words)), "{view:?}");
    talk.adapter.expect::<Continue>().await;
    let stack = soon(talk.session.stack(stack(20))).await.unwrap();
    assert!(stack.frames[0].at.ends_with("Program.cs:46") && stack.note.is_some(), "{stack:?}");
    let locals = soon(talk.session.variables(variables())).await.unwrap();
    assert_eq!((locals.variables[0].name.as_str(), locals.note.is_some()), ("i", true));
    // what was not read then cannot be read now
    let error =
        soon(talk.session.variables(VariablesQuery { path: Some("i".into()), ..variables() })).await.unwrap_err();
    assert!(error.code == Code::NotStopped && error.message.contains("was resumed"), "{error}");
    let report = soon(talk.wait_for(10)).await.unwrap();
    assert!(report.note.as_deref().is_some_and(|note| note.contains("was resumed")), "{report:?}");
    let report = soon(talk.wait_for(10)).await.unwrap();
    assert_eq!(report.note, None, "reported once");
}

/// A breakpoint in hot code does not hold a program up that nobody attends to.
#[tokio::test(start_paused = true)]
async fn stops_after_one_that_lapsed_are_passed_and_counted_until_a_call_comes() {
    let talk = attached_and_stopped(Some(60)).await;
    talk.set(at(46)).await;
    let seq = talk.session.peek().seq.unwrap();
    tokio::time::sleep(Duration::from_secs(61)).await;
    talk.adapter.expect::<Continue>().await.ok();
    let mut last = seq;
    for _ in 0..3 {
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        talk.adapter.expect::<Continue>().await.ok();
        settle().await;
        last = talk.session.peek().seq.unwrap();
        assert_eq!(talk.session.peek().state, StateName::Running);
    }
    let words = format!("; after that it was resumed immediately at 3 more stops (the last at seq {last})");
    let lapse = talk.session.unreported_lapse().unwrap();
    assert!(lapse.ends_with(&words), "{lapse}");
    let query = EventsQuery { stream: None, since: Default::default(), limit: 100, event_type: Some("stopped".into()) };
    let stops: Vec<_> = soon(talk.session.events(query)).await.unwrap().events.iter().map(|event| event.seq).collect();
    assert_eq!(stops, [seq, last], "those between are nobody's");
    assert_eq!(soon(talk.registry.list_breakpoints(None, None)).await.unwrap().breakpoints[0].hits, 3);

    // a call is in progress, then one was: whoever is there gets the stop, and hears of the others
    let call = talk.registry.begin_call();
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    settle().await;
    drop(call);
    assert_eq!(talk.session.peek().state, StateName::Stopped);
    assert!(talk.session.unreported_lapse().is_some_and(|lapse| lapse.ends_with(&words)));
    talk.session.lapse_reported();
    settle().await;
    assert_eq!(talk.session.unreported_lapse(), None, "reported once");
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert_eq!(talk.session.peek().state, StateName::Stopped, "the time starts over");
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(talk.session.unreported_lapse().is_some_and(|lapse| !lapse.contains("more stop")), "the count too");
}

#[tokio::test(start_paused = true)]
async fn a_stop_without_a_limit_stands_for_ever() {
    let talk = attached_and_stopped(None).await;
    tokio::time::sleep(Duration::from_secs(100_000)).await;
    assert_eq!(talk.session.peek().state, StateName::Stopped);
}

#[tokio::test(start_paused = true)]
async fn a_program_that_was_launched_stands_as_long_as_its_client_is_silent() {
    let talk = Talk::stopped(46).await;
    tokio::time::sleep(Duration::from_secs(100_000)).await;
    assert_eq!(talk.session.peek().state, StateName::Stopped);
}

#[tokio::test(start_paused = true)]
async fn a_launch_that_is_called_off_leaves_no_session_and_its_breakpoints_wait_for_the_next() {
    let (mut stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    let spec = LaunchSpec { breakpoints: vec![at(46)], ..LaunchSpec::default() };
    let reply = registry.launch(spec, Include::default(), long());
    let adapter = stage.adapter().await;
    drop(reply);
    settle().await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert!(adapter.stdin_is_closed());
    assert_eq!(registry.live_count(), 0);
}
