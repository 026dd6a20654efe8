//! The envelope: one flat shape for all messages, bodies left as they came until somebody wants them.
//!
//! netcoredbg passes the debuggee's bytes on as they are, so a frame may be invalid UTF-8 and is read lossily.
//! Its `seq` is a string (3.1.2 and before; a number in `output` events), so numbers are accepted as text.

use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::{DapError, DisconnectArguments, Event, Request, request};
use crate::transport::codec;

/// A message of the adapter.
#[derive(Debug)]
pub enum Message {
    /// An answer to a request of ours.
    Response(Response),
    /// Something happened.
    Event(Event),
    /// The adapter asks us to do something.
    Request(ReverseRequest),
}

/// An answer, its body not looked at yet.
#[derive(Debug, Clone)]
pub struct Response {
    /// The `seq` of the request; 0, which is no request of ours, where the adapter did not report one
    /// (netcoredbg 3.1.2 and dncdbg when they cannot parse a request).
    pub request_seq: i64,
    /// The command as the adapter repeats it; may be empty.
    pub command: String,
    /// Anything but a plain `true` counts as a refusal.
    pub success: bool,
    /// The adapter's words on a refusal.
    pub message: Option<String>,
    /// The result, or details of the refusal.
    pub body: Option<Box<RawValue>>,
}

/// A request that the adapter sent to us (`runInTerminal`, `startDebugging`, vsdbg's `handshake`).
#[derive(Debug, Clone)]
pub struct ReverseRequest {
    /// Goes back as `request_seq`.
    pub seq: i64,
    /// What is asked.
    pub command: String,
    /// With what.
    pub arguments: Option<Box<RawValue>>,
}

/// The flat envelope. Not an internally tagged enum: `RawValue` does not work inside one.
#[derive(Debug, Deserialize)]
struct Incoming {
    #[serde(rename = "type")]
    kind: Kind,
    #[serde(default, deserialize_with = "number_or_text")]
    seq: Option<i64>,
    #[serde(default, deserialize_with = "number_or_text")]
    request_seq: Option<i64>,
    command: Option<String>,
    event: Option<String>,
    success: Option<bool>,
    message: Option<String>,
    body: Option<Box<RawValue>>,
    arguments: Option<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Request,
    Response,
    Event,
}

/// Reads one body.
///
/// # Errors
/// [`DapError::Malformed`] if it is no JSON object of a known `type`.
pub fn parse(body: &[u8]) -> Result<Message, DapError> {
    let text = String::from_utf8_lossy(body);
    let incoming: Incoming = serde_json::from_str(&text).map_err(|error| malformed(&error, &text))?;
    Ok(match incoming.kind {
        Kind::Response => Message::Response(Response {
            request_seq: incoming.request_seq.unwrap_or(0),
            command: incoming.command.unwrap_or_default(),
            success: incoming.success.unwrap_or(false),
            message: incoming.message,
            body: incoming.body,
        }),
        Kind::Event => Message::Event(Event::parse(incoming.event.unwrap_or_default(), incoming.body)),
        Kind::Request => Message::Request(ReverseRequest {
            seq: incoming.seq.unwrap_or(0),
            command: incoming.command.unwrap_or_default(),
            arguments: incoming.arguments,
        }),
    })
}

/// The bytes of a request. Arguments that are nothing (`()`) are left out: netcoredbg refuses some `null`s.
///
/// # Errors
/// [`DapError::Shape`] if the arguments cannot be written as JSON.
pub fn encode_request<R: Request>(seq: i64, arguments: &R::Arguments) -> Result<Bytes, DapError> {
    #[derive(Serialize)]
    struct Outgoing<'a> {
        seq: i64,
        #[serde(rename = "type")]
        kind: &'a str,
        command: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments: Option<Box<RawValue>>,
    }
    let shape = |source| DapError::Shape { command: R::COMMAND, source };
    let arguments = serde_json::value::to_raw_value(arguments).map_err(shape)?;
    let arguments = (arguments.get() != "null").then_some(arguments);
    let message = Outgoing { seq, kind: "request", command: R::COMMAND, arguments };
    serde_json::to_vec(&message).map(Bytes::from).map_err(shape)
}

/// The bytes of a "no" to a request of the adapter.
#[must_use]
pub fn encode_refusal(seq: i64, request: &ReverseRequest, message: &str) -> Bytes {
    let response = serde_json::json!({
        "seq": seq,
        "type": "response",
        "request_seq": request.seq,
        "success": false,
        "command": request.command,
        "message": message,
    });
    Bytes::from(response.to_string())
}

/// A whole frame that asks an adapter to let go of its program, for one who cannot speak the protocol.
///
/// # Errors
/// As [`encode_request`].
pub fn farewell() -> Result<Bytes, DapError> {
    let arguments = DisconnectArguments { terminate_debuggee: Some(false), ..DisconnectArguments::default() };
    // A number that no request before it had.
    Ok(codec::frame(&encode_request::<request::Disconnect>(i64::from(i32::MAX), &arguments)?))
}

fn malformed(error: &serde_json::Error, text: &str) -> DapError {
    let start: String = text.chars().take(120).collect();
    DapError::Malformed(format!("{error}; it begins with {start:?}"))
}

/// Anything that is no whole number counts as absent: an envelope must not fail for a field that is ignored.
fn number_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::Number(number) => number.as_i64(),
        serde_json::Value::String(text) => text.trim().parse().ok(),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(body: &str) -> Response {
        match parse(body.as_bytes()) {
            Ok(Message::Response(response)) => response,
            other => panic!("{body}: {other:?}"),
        }
    }

    #[test]
    fn sequence_numbers_may_be_numbers_or_text_or_missing() {
        let table = [
            (r#"{"seq":"4","type":"response","request_seq":2,"success":true,"command":"launch"}"#, 2),
            (r#"{"seq":4,"type":"response","request_seq":"2","success":true,"command":"launch"}"#, 2),
            (r#"{"type":"response","request_seq":2,"success":true}"#, 2),
            (r#"{"type":"response","seq":null,"request_seq":null,"message":"can't parse: x","success":false}"#, 0),
            (r#"{"type":"response","seq":[],"request_seq":{},"success":false}"#, 0),
        ];
        for (body, expected) in table {
            assert_eq!(response(body).request_seq, expected, "{body}");
        }
    }

    #[test]
    fn a_response_that_does_not_say_success_is_a_refusal() {
        assert!(!response(r#"{"type":"response","request_seq":1}"#).success);
    }

    #[test]
    fn bytes_that_are_not_utf8_do_not_cost_the_message() {
        let body = b"{\"type\":\"event\",\"event\":\"output\",\"body\":{\"output\":\"a\xff\xc3\"}}";
        match parse(body) {
            Ok(Message::Event(Event::Output(output))) => {
                assert_eq!(output.output, "a\u{fffd}\u{fffd}")
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_no_message_is_malformed_and_nothing_worse() {
        for body in ["", "{", "[]", "null", "17", "{}", r#"{"type":"greeting"}"#, r#"{"type":7}"#, "\u{0}"] {
            assert!(matches!(parse(body.as_bytes()), Err(DapError::Malformed(_))), "{body:?}");
        }
        let deep = "[".repeat(100_000);
        assert!(matches!(parse(deep.as_bytes()), Err(DapError::Malformed(_))));
    }

    #[test]
    fn the_farewell_is_one_whole_frame_that_lets_the_program_go() {
        let frame = farewell().unwrap();
        let (header, body) = std::str::from_utf8(&frame).unwrap().split_once("\r\n\r\n").unwrap();
        assert_eq!(header, format!("Content-Length: {}", body.len()));
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["command"], "disconnect");
        assert_eq!(body["arguments"], serde_json::json!({"terminateDebuggee": false}));
    }

    #[test]
    fn arguments_that_are_nothing_are_omitted() {
        let bytes = encode_request::<super::super::request::Threads>(7, &()).unwrap();
        assert_eq!(bytes, r#"{"seq":7,"type":"request","command":"threads"}"#.as_bytes());
    }

    proptest::proptest! {
        #[test]
        fn no_body_makes_the_reader_panic(
            prefix in 0usize..90,
            bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..60),
        ) {
            let body = br#"{"type":"event","event":"stopped","seq":"1","body":{"reason":"step","threadId":7}}"#;
            let mut body = body[..prefix.min(body.len())].to_vec();
            body.extend_from_slice(&bytes);
            // An answer of any kind is fine.
            let _ = parse(&body);
        }
    }
}
