//! Output and variables as resources: the address holds the arguments of the tool that reads them, so an answer that was cut can link to
//! the same one whole.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::JsonObject;
use serde_json::Value;

use crate::answers::tool_error::ToolError;
use crate::mcp::call::Dispatch;
use crate::mcp::tool::{Answer, internal};
use crate::session::{Code, SessionError};

/// Paths, and the tools that read there.
const READ: &[(&str, &str)] = &[("output/lines", "process_read_output"), ("variables", "variables_get")];

/// Arguments that say how an answer looks, not what is in it.
const LOOKS: &[&str] = &["max_chars", "response_format"];

/// Characters of what is read, at most: of more there are pages.
const MOST: u64 = 200_000;

/// Where a call's answer is read whole: behind the scheme. `session`: the one that was meant, where the arguments name none.
pub(super) fn path(tool: &str, arguments: &JsonObject, session: &str) -> Option<String> {
    let (path, _) = READ.iter().find(|(_, reader)| *reader == tool)?;
    let given = arguments.iter().filter(|(name, value)| !LOOKS.contains(&name.as_str()) && !value.is_null());
    let mut pairs: Vec<String> = given.map(|(name, value)| format!("{name}={}", escaped(value))).collect();
    if !arguments.get("session_id").is_some_and(Value::is_string) {
        pairs.push(format!("session_id={session}"));
    }
    Some(format!("{path}?{}", pairs.join("&")))
}

fn escaped(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    // the characters that RFC 3986 leaves as they are
    const KEPT: &percent_encoding::AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.').remove(b'~');
    utf8_percent_encode(&text, KEPT).to_string()
}

/// The tool behind a path, and the arguments in it as texts.
pub(super) struct Asked {
    tool: &'static str,
    arguments: Vec<(String, String)>,
}

pub(super) fn asked(path: &str) -> Option<Asked> {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let (_, tool) = READ.iter().find(|(known, _)| *known == path)?;
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    Some(Asked { tool, arguments: pairs.map(|(name, value)| (decoded(name), decoded(value))).collect() })
}

/// # Errors
/// As the tool's; an argument that it does not take.
pub(super) async fn read(dispatch: &Dispatch, asked: Asked) -> Result<Answer, ToolError> {
    let tool = dispatch
        .find(asked.tool)
        .map_err(|message| SessionError::new(Code::PathNotFound, message, "read debug://output or debug://locals"))?;
    let taken = tool.arguments().get("properties");
    let typed = |name: &str, text: String| {
        let kind = taken.and_then(|taken| taken.get(name)?.get("type")?.as_str());
        let is_integer = kind == Some("integer");
        match text.parse::<u64>() {
            Ok(number) if is_integer => Value::from(number),
            _ => Value::String(text),
        }
    };
    let mut arguments: JsonObject =
        asked.arguments.into_iter().map(|(name, text)| (name.clone(), typed(&name, text))).collect();
    arguments.insert("max_chars".into(), MOST.into());
    let answer = dispatch.look(tool, arguments).await;
    match answer.failed {
        false => Ok(answer),
        true => Err(serde_json::from_value(answer.json).unwrap_or_else(|error| internal(error).into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_path_asks_is_what_the_call_did() {
        let arguments = json!({"path": "order.lines[\"a b&c=d?é\"]", "count": 50, "max_chars": 1000, "frame": null});
        let path = path("variables_get", arguments.as_object().unwrap(), "s2").unwrap();
        let asked = asked(&path).unwrap();
        let expected = [("path", "order.lines[\"a b&c=d?é\"]"), ("count", "50"), ("session_id", "s2")];
        assert_eq!(asked.tool, "variables_get");
        assert_eq!(asked.arguments, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
        let bytes = path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
        assert!(bytes && path.matches('?').count() == 1, "{path}");
    }

    #[test]
    fn other_tools_and_paths_are_not_read_so() {
        assert!(path("evaluate", &JsonObject::new(), "s1").is_none());
        for path in ["output", "variables/x", "evaluate?expression=1", ""] {
            assert!(asked(path).is_none(), "{path}");
        }
    }
}
