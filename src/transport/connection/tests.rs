use std::time::Duration;

use tokio::io::{AsyncReadExt, duplex};

use super::*;
use crate::transport::record::RecordingHeader;

async fn body(connection: &mut Connection) -> Bytes {
    match connection.incoming.recv().await {
        Some(Incoming::Body(body)) => body,
        other => panic!("no body but {other:?}"),
    }
}

#[tokio::test]
async fn bodies_cross_in_both_directions_in_order() {
    let (mut left, mut right) = Connection::memory();
    for number in 0..200 {
        assert!(left.outgoing.send(Bytes::from(format!("{number}"))));
    }
    assert!(right.outgoing.send(Bytes::from_static(b"back")));
    for number in 0..200 {
        assert_eq!(body(&mut right).await, format!("{number}"));
    }
    assert_eq!(body(&mut left).await, "back");
}

#[tokio::test]
async fn what_was_queued_before_a_close_still_arrives() {
    let (left, mut right) = Connection::memory();
    left.outgoing.send(Bytes::from_static(b"last words"));
    left.outgoing.close();
    assert!(!left.outgoing.send(Bytes::from_static(b"too late")));
    assert_eq!(body(&mut right).await, "last words");
    assert!(matches!(right.incoming.recv().await, Some(Incoming::Closed(None))));
    assert!(right.incoming.recv().await.is_none());
}

#[tokio::test]
async fn after_our_close_the_other_side_can_still_answer() {
    let (mut left, right) = Connection::memory();
    left.outgoing.close();
    right.outgoing.send(Bytes::from_static(b"bye"));
    assert_eq!(body(&mut left).await, "bye");
}

#[tokio::test]
async fn dropping_every_way_out_closes_like_close() {
    let (left, mut right) = Connection::memory();
    let Connection { incoming: _incoming, outgoing } = left;
    let clone = outgoing.clone();
    drop(outgoing);
    clone.send(Bytes::from_static(b"still open"));
    assert_eq!(body(&mut right).await, "still open");
    drop(clone);
    assert!(matches!(right.incoming.recv().await, Some(Incoming::Closed(None))));
}

#[tokio::test]
async fn a_torn_end_is_distinguished_from_a_clean_one() {
    let (near, mut far) = duplex(1024);
    let (reader, writer) = tokio::io::split(near);
    let mut connection = Connection::over(reader, writer, None);
    far.write_all(b"Content-Length: 2\r\n\r\n{}Content-Length: 9\r\n\r\n{").await.unwrap();
    drop(far);
    assert_eq!(body(&mut connection).await, "{}");
    match connection.incoming.recv().await {
        Some(Incoming::Closed(Some(TransportError::TornFrame { got: 1, expected: Some(9) }))) => {}
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_reader_that_does_not_read_holds_the_other_side_back() {
    let (near, far) = duplex(1024);
    let (reader, writer) = tokio::io::split(near);
    let mut connection = Connection::over(reader, writer, None);
    let mut far = tokio::spawn(async move {
        let mut far = far;
        for _ in 0..10_000 {
            far.write_all(b"Content-Length: 2\r\n\r\n{}").await.unwrap();
        }
        far
    });
    // Enough turns for every task to go as far as it can.
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    assert!(!far.is_finished(), "10 000 frames went into a queue of {INCOMING_CAPACITY}");
    for _ in 0..10_000 {
        body(&mut connection).await;
    }
    assert!((&mut far).await.is_ok());
}

#[tokio::test]
async fn an_actor_that_drops_its_side_leaves_no_reader_behind() {
    let (near, mut far) = duplex(1024);
    let (reader, writer) = tokio::io::split(near);
    drop(Connection::over(reader, writer, None));
    assert_eq!(far.read(&mut [0; 8]).await.unwrap(), 0);
    // Without a whole frame and below the limit of a header: nothing that would end the reader by itself.
    for _ in 0..1000 {
        if far.write_all(b"x").await.is_err() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("somebody still reads");
}

#[tokio::test]
async fn a_tap_sees_both_directions_and_the_close() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("talk.jsonl");
    let tap = Tap::create(&path, RecordingHeader::default(), Default::default(), None).unwrap();
    let (near, far) = duplex(1024);
    let (reader, writer) = tokio::io::split(near);
    let mut connection = Connection::over(reader, writer, Some(tap.clone()));
    let (reader, writer) = tokio::io::split(far);
    let mut far = Connection::over(reader, writer, None);
    connection.outgoing.send(Bytes::from_static(b"{\"seq\":1}"));
    body(&mut far).await;
    far.outgoing.send(Bytes::from_static(b"{\"seq\":2}"));
    body(&mut connection).await;
    connection.outgoing.close();
    assert!(matches!(far.incoming.recv().await, Some(Incoming::Closed(None))));
    assert!(tap.flush(Duration::from_secs(10)));
    let text = std::fs::read_to_string(path).unwrap();
    let kinds: Vec<_> =
        text.lines().skip(1).map(|line| line.split_once("\"dir\":").unwrap().1.trim().to_owned()).collect();
    assert_eq!(kinds.len(), 3, "{text}");
    assert!(kinds[0].starts_with("\"client\", \"message\": {\"seq\":1}"), "{text}");
    assert!(kinds[1].starts_with("\"adapter\", \"message\": {\"seq\":2}"), "{text}");
    assert!(kinds[2].starts_with("\"client\",\"close\":\"stdin\""), "{text}");
}
