//! What the client did not get, because it went away or gave the call up, is reported again by the next wait; what it got is not.

use std::sync::Arc;

use clrbridge::config::ServerOptions;
use clrbridge::mcp::Dispatch;
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use crate::scripted::settle;
use crate::talk::*;

fn dispatch(talk: &Talk) -> Dispatch {
    let options = ServerOptions { toolsets: "all".parse().unwrap(), ..ServerOptions::default() };
    Dispatch::new(talk.registry.clone(), options, Arc::new(|| Box::pin(async { Vec::new() })))
}

/// The answer of a wait, which counts as delivered when the client `has` it.
async fn waited(dispatch: &Dispatch, has: bool) -> Value {
    let tool = dispatch.find("breakpoint_wait").unwrap();
    let (phase, _) = watch::channel(String::new());
    let arguments: Map<String, Value> = [("timeout_ms".to_owned(), json!(10))].into_iter().collect();
    let mut answer = soon(dispatch.call(tool, arguments, phase)).await;
    if has {
        answer.delivered();
    }
    let structured = answer.structured.clone();
    drop(answer);
    settle().await;
    structured
}

#[tokio::test(start_paused = true)]
async fn a_stop_whose_answer_never_reached_the_client_is_reported_again_and_then_no_more() {
    let talk = Talk::running().await;
    let dispatch = dispatch(&talk);
    talk.adapter.emit("output", json!({"category": "stdout", "output": "once\n"}));
    talk.adapter.stopped_at("pause", MAIN, 48);
    settle().await;
    for has in [false, false, true] {
        let answer = waited(&dispatch, has).await;
        assert_eq!((&answer["outcome"], &answer["location"]["line"]), (&json!("stopped"), &json!(48)), "{answer}");
        assert_eq!(answer["output"]["stdout"], "once\n", "{answer}");
    }
    let answer = waited(&dispatch, true).await;
    assert!(answer["output"].is_null(), "reported already: {answer}");
}

#[tokio::test(start_paused = true)]
async fn a_stop_that_came_as_its_wait_was_given_up_is_known_by_the_next() {
    let talk = Talk::running().await;
    let dispatch = dispatch(&talk);
    let tool = dispatch.find("breakpoint_wait").unwrap();
    let (phase, _) = watch::channel(String::new());
    let mut call = Box::pin(dispatch.call(tool, Map::new(), phase));
    assert!(futures::poll!(&mut call).is_pending());
    talk.adapter.emit("output", json!({"category": "stdout", "output": "once\n"}));
    talk.adapter.stopped_at("pause", MAIN, 48);
    // The report lies in the channel, and nobody looks there any more.
    settle().await;
    drop(call);
    settle().await;
    let answer = waited(&dispatch, true).await;
    assert_eq!((&answer["location"]["line"], &answer["output"]["stdout"]), (&json!(48), &json!("once\n")), "{answer}");
}
