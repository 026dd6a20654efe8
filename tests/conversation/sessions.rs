//! Several sessions, exceptions, watches, frames of an older stop.

use std::time::Duration;

use clrbridge::dap::request::{Continue, Evaluate, ExceptionInfo, SetBreakpoints, SetExceptionBreakpoints, Variables};
use clrbridge::session::{
    AttachSpec, AttachTarget, BreakpointSpec, Code, Content, ExceptionMode, ExceptionQuery, ExceptionRule, FrameRef,
    Include, LaunchSpec, Outcome, Registry, Resume, Settings, StateName, StopReason, ThreadId, VariablesQuery,
};
use serde_json::json;

use crate::odd::{evaluate, stack, variables};
use crate::scripted::{Stage, settle};
use crate::talk::*;

#[tokio::test(start_paused = true)]
async fn a_second_launch_says_that_the_first_lives_and_is_meant_from_then_on() {
    let mut talk = Talk::stopped(46).await;
    let launch = talk.registry.launch(LaunchSpec::default(), Include::default(), now());
    let second = talk.stage.adapter().await;
    let report = soon(launch).await.unwrap();
    assert_eq!(report.session_id.unwrap().0, "s2");
    let note = report.note.unwrap();
    assert_eq!(note, "s1 (Basics, stopped) is still live; calls without session_id now use s2");
    assert_eq!(talk.registry.session(None).unwrap().id().0, "s2");
    assert_eq!(code(talk.registry.session(Some("s9"))), Code::SessionNotFound);
    // they do not disturb one another, and reports say whose they are
    let wait = talk.registry.session(Some("s2")).unwrap().wait(Default::default(), Include::default(), long());
    second.stopped_at("pause", MAIN, 50);
    let report = soon(wait).await.unwrap();
    assert_eq!(report.session_id.as_ref().unwrap().0, "s2");
    assert_eq!(line(Ok(report)), 50);
    assert_eq!(talk.session.state().state, StateName::Stopped);
    second.dies(-11);
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    // one is left, and is meant
    assert_eq!(talk.registry.session(None).unwrap().id().0, "s1");
    assert!(soon(talk.session.stack(stack(5))).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn an_attach_answers_at_once_and_a_disconnect_ends_every_wait() {
    let mut talk = Talk::running().await;
    let spec = AttachSpec {
        target: AttachTarget::Pid(4242),
        just_my_code: None,
        breakpoints: Vec::new(),
        exceptions: None,
        backend: None,
        max_stop: None,
    };
    let attach = talk.registry.attach(spec, Include::default(), now());
    talk.stage.adapter().await;
    is_running(soon(attach).await);
    let (one, two) = (talk.wait(), talk.go_on());
    settle().await;
    let end = soon(talk.session.disconnect(None)).await.unwrap();
    assert!(matches!(end.outcome, Outcome::Disconnected { .. }));
    for wait in [one, two] {
        assert!(matches!(soon(wait).await.unwrap().outcome, Outcome::Disconnected { .. }));
    }
    // again: it is over already
    let again = soon(talk.session.disconnect(None)).await.unwrap();
    assert!(matches!(again.outcome, Outcome::Disconnected { .. }));
    let state = talk.session.state();
    assert_eq!((state.state, state.why.as_deref()), (StateName::NotAttached, Some("disconnected")));
}

#[tokio::test(start_paused = true)]
async fn a_disconnect_answers_nothing_but_itself_and_without_a_session_does_nothing() {
    let talk = Talk::running().await;
    talk.set(BreakpointSpec { log: Some("tick".into()), ..at(46) }).await;
    talk.adapter.emit("output", json!({"category": "stdout", "output": "said before\n"}));
    for _ in 0..2 {
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        talk.adapter.expect::<Continue>().await.ok();
    }
    let end = soon(talk.registry.disconnect(None, None)).await.unwrap();
    assert!(matches!(end.outcome, Outcome::Disconnected { seq } if seq.0 > 0));
    assert!(end.tracepoints.is_empty() && end.output.stdout.is_empty(), "{end:?}");

    let nothing = soon(Registry::new(Settings::default()).disconnect(None, None)).await.unwrap();
    assert!(matches!(nothing.outcome, Outcome::Disconnected { seq } if seq.0 == 0));
    assert_eq!(nothing.note.as_deref(), Some("there was no session"));
    assert_eq!(code(soon(talk.registry.disconnect(Some("s9"), None)).await), Code::SessionNotFound);
}

#[tokio::test(start_paused = true)]
async fn the_state_after_the_end_says_how_it_came() {
    let exits = Talk::running().await;
    exits.adapter.exits(7);
    soon(exits.wait()).await.unwrap();
    let state = exits.registry.state(None).unwrap();
    assert_eq!((state.state, state.exit_code, state.why), (StateName::Exited, Some(7), None));

    let lost = Talk::stopped(46).await;
    lost.adapter.dies(-11);
    assert_eq!(code(soon(lost.go_on()).await), Code::AdapterLost);
    let state = lost.registry.state(None).unwrap();
    assert_eq!(state.state, StateName::NotAttached);
    assert!(state.why.unwrap().contains("was killed by SIGSEGV"));

    assert_eq!(Registry::new(Settings::default()).state(None).unwrap().state, StateName::NotAttached);
}

/// Nothing of ours would be left to take them away again when we are killed.
#[tokio::test(start_paused = true)]
async fn conditions_in_an_attached_program_are_ours() {
    for adapter in ["netcoredbg", "dncdbg"] {
        let (mut stage, settings) = Stage::new(adapter, world());
        let registry = Registry::new(settings);
        let spec = AttachSpec {
            target: AttachTarget::Pid(4242),
            just_my_code: None,
            breakpoints: vec![BreakpointSpec { condition: Some("i == 7".into()), ..at(46) }],
            exceptions: None,
            backend: None,
            max_stop: None,
        };
        let attach = registry.attach(spec, Include::default(), now());
        let played = stage.adapter().await;
        is_running(soon(attach).await);
        let asked = played.asked::<SetBreakpoints>().pop().unwrap();
        assert_eq!(asked["breakpoints"], json!([{"line": 46}]), "{adapter}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_that_cannot_begin_is_answered() {
    let (_stage, settings) = Stage::new("netcoredbg", world());
    let spec = LaunchSpec { program: "Basics.dll".into(), ready_when: Some("(".into()), ..LaunchSpec::default() };
    let launch = Registry::new(settings).launch(spec, Include::default(), now());
    assert_eq!(code(soon(launch).await), Code::InvalidPattern);
}

#[tokio::test(start_paused = true)]
async fn exceptions_stop_by_their_rule() {
    let rule = |types: &[&str], mode| ExceptionRule {
        types: types.iter().map(|name| (*name).to_owned()).collect(),
        mode,
        include_subtypes: true,
    };
    let thrown = |mode: &str| {
        json!({"exceptionId": "CLR/Shop.StockException", "breakMode": mode,
        "description": "none left", "details": {"message": "none left", "typeName": "StockException", "fullTypeName": "Shop.StockException"}})
    };
    for (rule, mode, stops) in [
        (Some(rule(&["*"], ExceptionMode::Thrown)), "always", true),
        (Some(rule(&["Shop.StockException"], ExceptionMode::Thrown)), "always", true),
        (Some(rule(&["StockException"], ExceptionMode::Thrown)), "always", true),
        (Some(rule(&["System.IO.IOException"], ExceptionMode::Thrown)), "always", false),
        (Some(rule(&["System.IO.IOException"], ExceptionMode::Thrown)), "unhandled", true),
        (Some(rule(&["*"], ExceptionMode::Never)), "unhandled", false),
        (Some(rule(&["*"], ExceptionMode::Unhandled)), "unhandled", true),
        (None, "unhandled", true),
    ] {
        let mut start = world();
        start.exception = Some(thrown(mode));
        let words = format!("{rule:?} {mode}");
        let talk = Talk::with("netcoredbg", start, |spec| spec.exceptions = rule.clone()).await;
        let mut wait = talk.wait();
        talk.adapter.stopped_at("exception", MAIN, 48);
        if stops {
            let stop = stop(soon(wait).await);
            assert_eq!(stop.reason, StopReason::Exception, "{words}");
            let exception = stop.exception.unwrap();
            assert_eq!(
                (exception.type_name.as_str(), exception.message.as_deref().unwrap()),
                ("Shop.StockException", "none left")
            );
            assert_eq!(exception.unhandled, mode == "unhandled");
            let view = soon(talk.session.exception(ExceptionQuery::default())).await.unwrap();
            assert_eq!(view.exception.type_name, "Shop.StockException");
        } else {
            talk.adapter.expect::<Continue>().await.ok();
            assert!(is_open(&mut wait).await, "{words}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_exception_is_asked_for_only_where_its_fields_do_not_show_all() {
    for (message, inner, frames, asked) in [
        ("\"none left\"", "null", "1", false),
        ("null", "null", "1", false),
        ("\"none left\"", "{System.Exception}", "1", true),
        ("\"none left\"", "null", "2", true),
        ("<error>", "null", "1", true),
    ] {
        let mut start = world();
        start.exception = Some(json!({"exceptionId": "CLR/Shop.StockException", "breakMode": "always"}));
        for (path, type_name, value) in [
            ("$exception._message", "string", message),
            ("$exception._innerException", "System.Exception", inner),
            ("$exception._stackTrace[0]", "sbyte", frames),
        ] {
            start.values.insert(path.into(), Ok((type_name.into(), value.into())));
        }
        let talk = Talk::with("netcoredbg", start, |_| {}).await;
        let wait = talk.wait();
        talk.adapter.at(MAIN, 48);
        let text = "Exception thrown: 'Shop.StockException' in Shop.dll";
        talk.adapter.emit("stopped", json!({"reason": "exception", "threadId": MAIN, "text": text}));
        let exception = stop(soon(wait).await).exception.unwrap();
        assert_eq!(exception.type_name, "Shop.StockException");
        assert_eq!(!talk.adapter.asked::<ExceptionInfo>().is_empty(), asked, "{message} {inner} {frames}");
        if !asked {
            assert_eq!(exception.message.unwrap(), message.trim_matches('"').replace("null", ""));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_exception_that_the_adapter_hung_over_is_reported_with_that_doubt() {
    let mut start = world();
    start.exception = Some(json!({"exceptionId": "CLR/Shop.StockException", "breakMode": "unhandled"}));
    let talk = Talk::with("netcoredbg", start, |_| {}).await;
    for (seconds, doubt) in [(1, false), (10, true)] {
        let wait = talk.wait();
        talk.adapter.hold::<ExceptionInfo>();
        talk.adapter.stopped_at("exception", MAIN, 48);
        let asked = talk.adapter.expect::<ExceptionInfo>().await;
        tokio::time::advance(Duration::from_secs(seconds)).await;
        asked.usual();
        let report = soon(wait).await.unwrap();
        assert_eq!(report.note.is_some_and(|note| note.contains("restart it")), doubt, "{seconds} s");
        is_running(soon(talk.go(Resume::Continue, now())).await);
    }
}

#[tokio::test(start_paused = true)]
async fn an_exception_rule_is_the_adapters_filter_and_its_refusal_is_reported() {
    let talk = Talk::running().await;
    let rule = ExceptionRule { types: vec!["*".into()], mode: ExceptionMode::Thrown, include_subtypes: true };
    assert!(soon(talk.registry.set_exceptions(None, rule.clone())).await.is_ok());
    assert_eq!(talk.adapter.asked::<SetExceptionBreakpoints>().pop().unwrap()["filters"], json!(["all"]));
    talk.adapter.hold::<SetExceptionBreakpoints>();
    let set = talk.registry.set_exceptions(None, ExceptionRule { mode: ExceptionMode::Never, ..rule });
    talk.adapter.expect::<SetExceptionBreakpoints>().await.refuse("unknown filter");
    assert_eq!(code(soon(set).await), Code::AdapterError);
    assert_eq!(code(soon(talk.session.exception(ExceptionQuery::default())).await), Code::NotStopped);
    talk.stop_here(46).await;
    assert_eq!(code(soon(talk.session.exception(ExceptionQuery::default())).await), Code::NoException);
    assert!(!talk.adapter.asked::<ExceptionInfo>().is_empty());
}

#[tokio::test(start_paused = true)]
async fn watches_are_reported_at_every_stop_and_may_fail_one_by_one() {
    let talk = Talk::running().await;
    let set = soon(talk.registry.set_watches(None, vec!["i".into(), "nope".into()])).await.unwrap();
    assert!(set.values.is_empty(), "it runs");
    let stop = talk.stop_here(46).await;
    assert_eq!(stop.watches.len(), 2);
    assert_eq!((stop.watches[0].name.as_str(), &stop.watches[0].content), ("i", &Content::Value("3".into())));
    assert!(matches!(&stop.watches[1].content, Content::Error(words) if words.contains("nope")));
    let set = soon(talk.registry.set_watches(None, vec!["i".into()])).await.unwrap();
    assert_eq!(set.values.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_fails_again_says_so_without_the_names_that_there_are() {
    let talk = Talk::running().await;
    soon(talk.registry.set_watches(None, vec!["nope".into()])).await.unwrap();
    let error = |stop: &clrbridge::session::Stop| match &stop.watches[0].content {
        Content::Error(words) => words.clone(),
        other => panic!("{other:?}"),
    };
    let first = error(&talk.stop_here(46).await);
    let (short, names) = first.split_once("; ").unwrap();
    assert!(short.contains("'nope' does not exist") && names.contains('i'), "{first}");
    let go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("pause", MAIN, 48);
    assert_eq!(error(&stop(soon(go).await)), short);
}

#[tokio::test(start_paused = true)]
async fn frames_and_threads_that_are_not_there_are_reported_with_those_that_are() {
    let talk = Talk::stopped(46).await;
    let at = |thread: Option<i64>, frame| FrameRef { thread: thread.map(ThreadId), frame };
    let beyond = VariablesQuery { at: at(None, Some(7)), ..variables() };
    let error = soon(talk.session.variables(beyond)).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidFrame);
    assert!(error.hint.contains("0 to 1"), "{error:?}");
    let nobody = VariablesQuery { at: at(Some(7), None), ..variables() };
    assert_eq!(code(soon(talk.session.variables(nobody)).await), Code::InvalidThread);
    let chosen = soon(talk.session.select_frame(at(Some(OTHER), Some(0)))).await.unwrap();
    assert_eq!(chosen.thread.0, OTHER);
    settle().await;
    let view = soon(talk.session.stack(stack(5))).await.unwrap();
    assert_eq!(view.thread.0.0, OTHER, "the chosen thread is the default");
    // but only until the next resume
    let go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("pause", MAIN, 48);
    soon(go).await.unwrap();
    assert_eq!(soon(talk.session.stack(stack(5))).await.unwrap().thread.0.0, MAIN);
}

#[tokio::test(start_paused = true)]
async fn an_inspection_that_a_stop_outlives_is_answered_and_one_that_it_does_not_is_refused() {
    let talk = Talk::stopped(46).await;
    talk.adapter.hold::<Evaluate>();
    let evaluated = talk.session.evaluate(evaluate("i"));
    settle().await;
    // the program is killed from outside meanwhile
    talk.adapter.exits(1);
    let answered = soon(evaluated).await;
    assert!(answered.is_err(), "{answered:?}");
    let report = soon(talk.wait()).await.unwrap();
    assert!(matches!(report.outcome, Outcome::Exited(_)));
    assert_eq!(code(soon(talk.session.variables(variables())).await), Code::NotStopped);
    let before = talk.adapter.asked::<Variables>().len();
    settle().await;
    assert_eq!(talk.adapter.asked::<Variables>().len(), before);
}

#[tokio::test(start_paused = true)]
async fn a_stop_before_the_start_is_through_is_known_by_the_launch() {
    use clrbridge::dap::Request;
    use clrbridge::dap::request::ConfigurationDone;
    let start = crate::scripted::World { held: vec![ConfigurationDone::COMMAND], ..world() };
    let (mut stage, settings) = crate::scripted::Stage::new("netcoredbg", start);
    let registry = clrbridge::session::Registry::new(settings);
    let launch =
        registry.launch(LaunchSpec { stop_at_entry: true, ..LaunchSpec::default() }, Include::default(), long());
    let adapter = stage.adapter().await;
    let asked = adapter.expect::<ConfigurationDone>().await;
    adapter.stopped_at("entry", MAIN, 40);
    settle().await;
    asked.ok();
    let stop = stop(soon(launch).await);
    assert_eq!(stop.reason, StopReason::EntryPoint);
}
