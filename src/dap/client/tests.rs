use std::time::Duration;

use futures::FutureExt;
use serde_json::{Value, json};

use super::*;
use crate::{
    dap::{
        Message,
        message::parse,
        request::{Continue, Evaluate, Launch, Threads},
        types::{ContinueArguments, EvaluateArguments},
    },
    transport::{Connection, Incoming},
};

/// A client, and the adapter's side of its connection.
fn pair() -> (Client, Connection, Connection) {
    let (near, far) = Connection::memory();
    (Client::new(near.outgoing.clone()), near, far)
}

async fn received(connection: &mut Connection) -> Value {
    match connection.incoming.recv().await {
        Some(Incoming::Body(body)) => serde_json::from_slice(&body).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn response(message: Value) -> Response {
    match parse(message.to_string().as_bytes()) {
        Ok(Message::Response(response)) => response,
        other => panic!("{other:?}"),
    }
}

fn evaluate(expression: &str) -> EvaluateArguments {
    EvaluateArguments { expression: expression.to_owned(), ..EvaluateArguments::default() }
}

#[tokio::test]
async fn a_request_is_on_its_way_before_anybody_awaits_it() {
    let (client, _near, mut far) = pair();
    let pending = client.request::<Threads>(());
    let sent = received(&mut far).await;
    assert_eq!(sent, json!({"seq": 1, "type": "request", "command": "threads"}));
    assert_eq!(pending.seq(), 1);
    // Also the answer may be there before the first poll.
    let body = json!({"threads": [{"id": -3, "name": "x"}]});
    assert!(client.resolve(response(json!({"type": "response", "request_seq": 1, "success": true, "body": body}))));
    assert_eq!(pending.await.unwrap().threads[0].id, -3);
}

#[tokio::test]
async fn answers_find_their_requests_in_any_order() {
    let (client, _near, _far) = pair();
    let first = client.request::<Evaluate>(evaluate("a"));
    let second = client.request::<Evaluate>(evaluate("b"));
    for (seq, result) in [(2, "two"), (1, "one")] {
        let body = json!({"result": result, "variablesReference": 0});
        client.resolve(response(json!({"type": "response", "request_seq": seq, "success": true, "body": body})));
    }
    assert_eq!(first.await.unwrap().result, "one");
    assert_eq!(second.await.unwrap().result, "two");
}

#[tokio::test]
async fn an_answer_nobody_waits_for_is_harmless() {
    let (client, _near, _far) = pair();
    let answer =
        |seq: i64| response(json!({"type": "response", "request_seq": seq, "success": true, "body": {"threads": []}}));
    drop(client.request::<Threads>(()));
    assert!(client.oldest_pending().is_none());
    assert!(!client.resolve(answer(1)), "dropped");
    assert!(!client.resolve(answer(99)), "never asked");
    let pending = client.request::<Threads>(());
    assert!(client.resolve(answer(2)));
    assert!(!client.resolve(answer(2)), "answered twice");
    assert!(pending.await.is_ok());
}

#[tokio::test]
async fn a_refusal_keeps_the_adapters_words() {
    let (client, _near, _far) = pair();
    let table = [
        (
            json!({"message": "Failed command 'continue' : 0x80004005"}),
            "Failed command 'continue' : 0x80004005",
            Some(0x8000_4005),
        ),
        (json!({"body": {"error": {"format": "no {x}", "variables": {"x": "way"}}}}), "no way", None),
        (json!({}), "", None),
    ];
    for (extra, words, code) in table {
        let pending = client.request::<Continue>(ContinueArguments { thread_id: 1, ..ContinueArguments::default() });
        let mut message = json!({"type": "response", "request_seq": pending.seq(), "success": false});
        message.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        client.resolve(response(message));
        let error = pending.await.unwrap_err();
        assert_eq!(error.hresult(), code);
        match error {
            DapError::Refused { command: "continue", message, .. } => assert_eq!(message, words),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_success_of_the_wrong_shape_is_reported_as_such() {
    let (client, _near, _far) = pair();
    let pending = client.request::<Threads>(());
    client.resolve(response(json!({"type": "response", "request_seq": 1, "success": true, "body": {"threads": 7}})));
    assert!(matches!(pending.await, Err(DapError::Shape { command: "threads", .. })));
}

#[tokio::test]
async fn a_success_without_a_body_is_enough_where_nothing_is_needed() {
    let (client, _near, _far) = pair();
    for body in [json!({}), json!({"body": null}), json!({"body": {}}), json!({"body": {"x": 1}})] {
        let pending = client.request::<Launch>(json!({}));
        let mut message = json!({"type": "response", "request_seq": pending.seq(), "success": true});
        message.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        client.resolve(response(message));
        assert!(pending.await.is_ok(), "{body}");
    }
}

#[tokio::test]
async fn everybody_wakes_when_the_adapter_is_gone_and_nobody_waits_after_that() {
    let (client, _near, _far) = pair();
    let evaluating = client.request::<Evaluate>(evaluate("Recursion.Program.Down(-1)"));
    let listing = client.request::<Threads>(());
    assert_eq!(client.in_flight(), [("evaluate", "Recursion.Program.Down(-1)".to_owned()), ("threads", String::new())]);
    client.fail_all(Gone::new("signal 11"));
    client.fail_all(Gone::new("later and less true"));
    assert!(client.in_flight().is_empty());
    let words = evaluating.await.unwrap_err().to_string();
    assert_eq!(words, "the adapter exited (signal 11) during evaluate Recursion.Program.Down(-1)");
    assert!(listing.await.unwrap_err().is_gone());
    let late = client.request::<Threads>(()).now_or_never().expect("must not wait");
    assert_eq!(late.unwrap_err().to_string(), "the adapter exited (signal 11) during threads");
}

#[tokio::test]
async fn a_request_after_close_fails_at_once_but_answers_still_arrive() {
    let (client, _near, _far) = pair();
    let asked = client.request::<Threads>(());
    client.close();
    let late = client.request::<Threads>(()).now_or_never().expect("must not wait");
    assert!(late.unwrap_err().is_gone());
    client.resolve(response(json!({"type": "response", "request_seq": 1, "success": true, "body": {"threads": []}})));
    assert!(asked.await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn the_oldest_question_is_known_with_its_time() {
    let (client, _near, _far) = pair();
    assert!(client.oldest_pending().is_none());
    let asked_at = Instant::now();
    let first = client.request::<Evaluate>(evaluate("a"));
    tokio::time::advance(Duration::from_secs(3)).await;
    let _second = client.request::<Threads>(());
    assert_eq!(client.oldest_pending(), Some(Owed { command: "evaluate", asked: asked_at, due: asked_at }));
    drop(first);
    let later = asked_at + Duration::from_secs(3);
    assert_eq!(client.oldest_pending(), Some(Owed { command: "threads", asked: later, due: later }));
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_owed_when_the_time_of_its_request_is_up() {
    let (client, _near, _far) = pair();
    let asked = Instant::now();
    let _pending = client.request_within::<Evaluate>(evaluate("a"), Duration::from_secs(60));
    assert_eq!(client.oldest_pending().map(|owed| owed.due), Some(asked + Duration::from_secs(60)));
}

#[tokio::test]
async fn requests_of_the_adapter_are_refused_in_words() {
    let (client, _near, mut far) = pair();
    for command in ["runInTerminal", "handshake", "startDebugging", "somethingNew"] {
        client.refuse(&ReverseRequest { seq: 9, command: command.to_owned(), arguments: None });
        let answer = received(&mut far).await;
        assert_eq!(answer["type"], "response");
        assert_eq!(answer["request_seq"], 9);
        assert_eq!(answer["success"], false);
        assert_eq!(answer["command"], command);
        assert!(answer["message"].as_str().unwrap().starts_with("clrbridge "));
    }
}

#[tokio::test]
async fn a_waiter_wakes_when_the_last_client_is_dropped() {
    let (client, _near, _far) = pair();
    let pending = client.clone().request::<Threads>(());
    drop(client);
    assert!(pending.await.unwrap_err().is_gone());
}

#[test]
fn a_client_can_be_sent_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Client>();
    is_send::<Pending<Threads>>();
}
