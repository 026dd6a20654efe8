//! What reading a stop asks an adapter for: as little as tells the same.

use std::time::Duration;

use clrbridge::dap::request::{Continue, Evaluate, Scopes, StackTrace, Threads};
use clrbridge::session::{Code, Content, EvaluateQuery, EvaluateView, FrameRef, StackQuery, VariablesQuery};
use serde_json::json;

use crate::scripted::Frame;
use crate::talk::{MAIN, Talk, at, path, soon, stop, world};

#[tokio::test(start_paused = true)]
async fn a_stop_that_is_reported_in_any_case_is_distinguished_from_one_stack() {
    let talk = Talk::running().await;
    talk.set(at(46)).await;
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    assert_eq!(stop(soon(talk.wait()).await).hit_counts, [1]);
    assert_eq!(talk.adapter.asked::<StackTrace>().len(), 1);
    assert_eq!(talk.adapter.asked::<Threads>().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_hit_that_is_only_counted_costs_no_stack_where_the_adapter_names_it() {
    let talk = Talk::with("dncdbg", world(), |_| {}).await;
    let mut spec = at(46);
    spec.hit_condition = Some("2".into());
    talk.set(spec).await;
    let id = talk.adapter.breakpoint_id(&path(), 46).unwrap();
    let hit = json!({"reason": "breakpoint", "threadId": MAIN, "allThreadsStopped": true, "hitBreakpointIds": [id]});
    talk.adapter.emit("stopped", hit.clone());
    talk.adapter.expect::<Continue>().await.ok();
    assert_eq!(talk.adapter.asked::<StackTrace>().len(), 0);
    talk.adapter.emit("stopped", hit);
    assert_eq!(stop(soon(talk.wait()).await).hit_counts, [2]);
}

/// Both adapters abort a property that does not return after 5 s, say that its name does not exist, and hang at the next try.
#[tokio::test(start_paused = true)]
async fn a_property_that_was_aborted_is_not_asked_again() {
    let talk = Talk::stopped(46).await;
    talk.adapter.hold::<Evaluate>();
    let evaluated = talk.session.evaluate(EvaluateQuery {
        at: FrameRef::default(),
        expressions: vec!["order.Endless".into()],
        single: true,
        timeout: None,
        allow_side_effects: true,
    });
    let asked = talk.adapter.expect::<Evaluate>().await;
    tokio::time::advance(Duration::from_millis(5_600)).await;
    asked.refuse("error: The name 'order.Endless' does not exist in the current context");
    let error = soon(evaluated).await.unwrap_err();
    assert_eq!(error.code, Code::EvaluationTimeout, "{error}");
    assert!(error.message.contains("order.Endless did not return in time"), "{error}");
    let endless = talk.adapter.asked::<Evaluate>().into_iter().filter(|it| it["expression"] != "i");
    assert_eq!(endless.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_frame_without_variables_is_reported_as_that() {
    let mut bare = world();
    bare.locals.clear();
    let talk = Talk::with("netcoredbg", bare, |_| {}).await;
    talk.stop_here(46).await;
    let view = soon(talk.session.variables(crate::odd::variables())).await.unwrap();
    assert!(view.variables.is_empty() && view.note.is_none(), "{view:?}");
    let external = FrameRef { frame: Some(1), ..FrameRef::default() };
    let asked = clrbridge::session::VariablesQuery { at: external, ..crate::odd::variables() };
    let view = soon(talk.session.variables(asked)).await.unwrap();
    assert!(view.note.as_deref().is_some_and(|note| note.contains("no symbols")), "{view:?}");
}

/// The adapters show the lines of its trace, netcoredbg in place of the thread's frames, dncdbg before them.
#[tokio::test(start_paused = true)]
async fn an_exception_from_behind_an_await_is_not_where_its_thread_is() {
    for adapter in ["netcoredbg", "dncdbg"] {
        let mut start = world();
        let mut frames =
            vec![Frame::of_trace("Program.Load", &path(), 46), Frame::of_trace("Program.Main", &path(), 48)];
        if adapter == "dncdbg" {
            frames.push(Frame::external("[External Code]"));
        }
        start.stacks.insert(MAIN, frames);
        start.locals.clear();
        start.exception = Some(json!({"exceptionId": "CLR/Shop.StockException", "breakMode": "unhandled",
            "details": {"message": "none left", "typeName": "StockException", "fullTypeName": "Shop.StockException"}}));
        let talk = Talk::with(adapter, start, |_| {}).await;
        let wait = talk.wait();
        talk.adapter.stopped("exception", MAIN);
        let report = soon(wait).await.unwrap();
        let note = "rethrown where no frame has source: these frames are from the original throw";
        assert_eq!(report.note.as_deref(), Some(note), "{adapter}");
        let stack_query = StackQuery { thread: None, start_frame: 0, max_frames: 20, include_external: false };
        let stack = soon(talk.session.stack(stack_query)).await.unwrap();
        assert_eq!((stack.note.as_deref(), stack.frames.len()), (Some(note), 2), "{adapter}");
        let threads = soon(talk.session.threads(Vec::new())).await.unwrap().groups;
        assert!(threads.iter().any(|group| group.current && group.at.is_none()), "{threads:?}");
        let variables = soon(talk.session.variables(crate::odd::variables())).await.unwrap();
        assert_eq!(
            variables.note.as_deref(),
            Some("this frame no longer exists; only the exception's stack trace records it")
        );
        let evaluated = talk.session.evaluate(EvaluateQuery {
            at: FrameRef::default(),
            expressions: vec!["order".into()],
            single: true,
            timeout: None,
            allow_side_effects: false,
        });
        let error = soon(evaluated).await.unwrap_err();
        assert!(error.message.contains("`order` cannot be read: this frame no longer exists"), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn variables_that_the_adapter_refuses_are_not_said_to_be_missing() {
    let talk = Talk::running().await;
    talk.adapter.hold::<Scopes>();
    talk.adapter.stopped_at("pause", MAIN, 46);
    let wait = talk.wait();
    talk.adapter.expect::<Scopes>().await.refuse("0x80070057");
    let report = soon(wait).await.unwrap();
    let note = "no locals: the adapter refuses to list this frame's variables (0x80070057)";
    assert_eq!(report.note.as_deref(), Some(note));
}

/// An adapter answers one request after the other: what was sent before the time was over would be waited for long after it.
#[tokio::test(start_paused = true)]
async fn a_call_asks_no_more_than_its_time_allows() {
    let mut many = world();
    // of each the digits are asked for
    many.locals = (0..200).map(|n| (format!("d{n}"), "double".into(), "0.3".into())).collect();
    let talk = Talk::with("netcoredbg", many, |_| {}).await;
    talk.stop_here(46).await;
    let known = talk.adapter.asked::<Evaluate>().len();
    talk.adapter.hold::<Evaluate>();
    let query = VariablesQuery { count: Some(200), ..crate::odd::variables() };
    let mut reading = talk.session.variables(query);
    let began = tokio::time::Instant::now();
    let view = loop {
        tokio::select! {
            view = &mut reading => break view.unwrap(),
            asked = talk.adapter.expect::<Evaluate>() => {
                tokio::time::advance(Duration::from_millis(100)).await;
                asked.usual();
            }
        }
    };
    assert!(began.elapsed() <= Duration::from_millis(2_500), "{:?}", began.elapsed());
    let asked = talk.adapter.asked::<Evaluate>().len() - known;
    assert!((10..=25).contains(&asked), "{asked} requests in {:?}", began.elapsed());
    assert_eq!(view.variables.len(), 200);
    assert!(view.note.as_deref().is_some_and(|note| note.starts_with("timed out after 2 s")), "{:?}", view.note);
}

/// Adapters print strings up to a NUL, so the length of one that may be the literal has to be asked for.
#[tokio::test(start_paused = true)]
async fn a_text_that_begins_otherwise_is_another_one_whatever_its_length() {
    let mut named = world();
    named.locals.push(("name".into(), "string".into(), "\"item7\"".into()));
    named.values.insert("name.get_Length()".into(), Ok(("int".into(), "5".into())));
    let talk = Talk::with("netcoredbg", named, |_| {}).await;
    talk.stop_here(46).await;
    for (expression, value, asks_length) in [
        ("name == \"item8\"", "false", false),
        ("\"item8\" != name", "true", false),
        ("name == \"item\"", "false", false),
        ("name == \"item7\"", "true", true),
        ("name == \"item7\\0\"", "false", true),
    ] {
        let known = talk.adapter.asked::<Evaluate>().len();
        let query = EvaluateQuery {
            at: FrameRef::default(),
            expressions: vec![expression.into()],
            single: true,
            timeout: None,
            allow_side_effects: false,
        };
        let EvaluateView::One(result) = soon(talk.session.evaluate(query)).await.unwrap() else {
            panic!("{expression}")
        };
        assert_eq!(result.content, Content::Value(value.into()), "{expression}");
        let asked = talk.adapter.asked::<Evaluate>().split_off(known);
        let has_length = asked.iter().any(|it| it["expression"] == "name.get_Length()");
        assert_eq!(has_length, asks_length, "{expression}: {asked:?}");
    }
}
