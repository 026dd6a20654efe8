//! The answers to lines that are not readable requests: pure functions from the line to the answer's line.
//!
//! The id is given back as it was written where it is a number or a text, though it may be one that we do not take.

use bytes::Bytes;
use rmcp::model::ErrorData;
use serde::Serialize;
use serde_json::value::RawValue;

/// The longest line that is read whole, in bytes.
pub(super) const MOST_LINE_BYTES: usize = 16 * 1024 * 1024;

#[derive(Serialize)]
struct Refusal<'a> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    error: ErrorData,
}

fn line(error: ErrorData, id: Option<&RawValue>) -> Bytes {
    let mut line = serde_json::to_vec(&Refusal { jsonrpc: "2.0", id, error }).unwrap_or_default();
    line.push(b'\n');
    line.into()
}

/// The answer to a line longer than [`MOST_LINE_BYTES`], of which only the two ends are known.
pub(super) fn of_too_long(head: &[u8], tail: &[u8]) -> Bytes {
    let message = format!("the message is longer than {MOST_LINE_BYTES} bytes");
    line(ErrorData::invalid_request(message, None), id_in_head(head).or_else(|| id_in_tail(tail)))
}

/// The answer to what is not JSON.
pub(super) fn of_garbage(text: &[u8], error: &serde_json::Error) -> Bytes {
    let message = format!("not JSON: {error}");
    line(ErrorData::parse_error(message, None), id_in_head(text).or_else(|| id_in_tail(text)))
}

/// The answer to JSON that is no message of MCP. `None`: a notification or a response, to which nothing is said.
pub(super) fn of_wrong_shape(text: &[u8]) -> Option<Bytes> {
    let invalid = |message: String| ErrorData::invalid_request(message, None);
    if !text.starts_with(b"{") {
        return Some(line(invalid("one JSON-RPC object per line; batches are not supported".into()), None));
    }
    let mut id = None;
    let mut has_method = false;
    let mut has_outcome = false;
    for (key, value) in Members(text.strip_prefix(b"{")) {
        match key.as_str() {
            "id" => id = Some(value),
            "method" => has_method = true,
            "result" | "error" => has_outcome = true,
            _ => {}
        }
    }
    match id {
        Some(id) if has_method && is_id(id) => {
            Some(line(invalid("the request is not valid JSON-RPC 2.0".into()), Some(id)))
        }
        Some(id) if has_method => {
            let message = format!("the id {id} is neither a string nor a 64-bit integer");
            Some(line(invalid(message), echoed(id)))
        }
        _ if has_method || has_outcome => None,
        id => Some(line(invalid("neither a request, a notification nor a response".into()), id.and_then(echoed))),
    }
}

/// One that rmcp takes.
fn is_id(id: &RawValue) -> bool {
    serde_json::from_str::<rmcp::model::NumberOrString>(id.get()).is_ok()
}

/// As JSON-RPC allows an id to be; another cannot be given back.
fn echoed(id: &RawValue) -> Option<&RawValue> {
    id.get().starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit()).then_some(id)
}

/// The members of an object, as far as its text can be read.
struct Members<'a>(Option<&'a [u8]>);

impl<'a> Iterator for Members<'a> {
    type Item = (String, &'a RawValue);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.0.take()?;
        let (key, after) = leading_value(rest.trim_ascii_start())?;
        let key = serde_json::from_str(key.get()).ok()?;
        let after = after.trim_ascii_start().strip_prefix(b":")?;
        let (value, after) = leading_value(after.trim_ascii_start())?;
        self.0 = after.trim_ascii_start().strip_prefix(b",");
        Some((key, value))
    }
}

/// The value that begins `text`, and what follows it.
fn leading_value(text: &[u8]) -> Option<(&RawValue, &[u8])> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<&RawValue>();
    let value = values.next()?.ok()?;
    Some((value, text.get(values.byte_offset()..)?))
}

/// The id of a message whose beginning this is: a key of the outermost object.
fn id_in_head(head: &[u8]) -> Option<&RawValue> {
    let id = Members(head.trim_ascii().strip_prefix(b"{")).find(|(key, _)| key == "id");
    id.and_then(|(_, id)| echoed(id))
}

/// The id of a message whose end this is, where nothing but plain keys follow it.
fn id_in_tail(tail: &[u8]) -> Option<&RawValue> {
    const KEY: &[u8] = b"\"id\"";
    let at = tail.windows(KEY.len()).rposition(|window| window == KEY)?;
    let after = tail.get(at + KEY.len()..)?.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let (value, rest) = leading_value(after)?;
    let is_outermost =
        rest.trim_ascii().strip_suffix(b"}").is_some_and(|keys| !keys.iter().any(|byte| b"{}[]".contains(byte)));
    if is_outermost { echoed(value) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn id(text: &str) -> Option<&str> {
        id_in_head(text.as_bytes()).or_else(|| id_in_tail(text.as_bytes())).map(RawValue::get)
    }

    #[test]
    fn ids_are_found_at_either_end_of_a_broken_message() {
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"xxx"#), Some("7"));
        assert_eq!(id(r#"{"id": "seven" , "params": {"id":1"#), Some("\"seven\""));
        assert_eq!(id(r#"xxxx"}},"jsonrpc":"2.0","id":9}"#), Some("9"));
        assert_eq!(id(r#"xxxx"}},"id":9,"jsonrpc":"2.0"} "#), Some("9"));
        assert_eq!(id(r#"{"params":{"id":1,"text":"xxx"#), None);
        assert_eq!(id(r#"xxx","id":3}}"#), None);
        assert_eq!(id("garbage"), None);
    }

    #[test]
    fn what_is_no_message_is_answered_with_the_id_that_it_has() {
        for (text, id, expected) in [
            (r#"{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}"#, "9223372036854775808", "64-bit"),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, "1.5", "64-bit"),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "", "the id null"),
            (r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#, "", r#"the id {"a":1}"#),
            (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, "", "the id true"),
            (r#"{"jsonrpc":"1.0","id":4,"method":"ping"}"#, "4", "not valid JSON-RPC"),
            (r#"{"id":5}"#, "5", "neither a request"),
            ("{}", "", "neither a request"),
            ("[]", "", "batches"),
            ("7", "", "batches"),
        ] {
            let answer = of_wrong_shape(text.as_bytes()).unwrap_or_else(|| panic!("{text} is not answered"));
            let answer = String::from_utf8(answer.to_vec()).unwrap();
            let value: Value = serde_json::from_str(&answer).unwrap();
            assert_eq!(value["error"]["code"], -32_600, "{text}: {answer}");
            assert!(value["error"]["message"].as_str().unwrap().contains(expected), "{text}: {answer}");
            let has_id =
                if id.is_empty() { !answer.contains("\"id\"") } else { answer.contains(&format!("\"id\":{id},")) };
            assert!(has_id, "{text}: {answer}");
        }
    }

    #[test]
    fn notifications_and_responses_are_not_answered() {
        for text in [
            r#"{"jsonrpc":"2.0","method":"notifications/unheard_of","params":7}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":7}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#,
        ] {
            assert!(of_wrong_shape(text.as_bytes()).is_none(), "{text}");
        }
    }
}
