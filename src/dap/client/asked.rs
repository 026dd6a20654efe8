//! Words for people: what a request was about, and what an error body says.

use serde_json::{Value, value::RawValue};

const LONGEST: usize = 80;

/// The main argument of an encoded request: `order.Total`, `threadId 7`, or nothing.
pub(super) fn short_text(request: &[u8]) -> String {
    let request: Value = serde_json::from_slice(request).unwrap_or_default();
    let Some(arguments) = request.get("arguments") else {
        return String::new();
    };
    // What stands for itself, then what needs its name.
    let own = ["expression", "name", "program"].iter().find_map(|key| arguments.get(key)?.as_str());
    let own = own.or_else(|| arguments.get("source")?.get("path")?.as_str());
    if let Some(text) = own {
        return shorten(text);
    }
    ["processId", "threadId", "frameId", "variablesReference", "requestId"]
        .iter()
        .find_map(|key| Some(format!("{key} {}", arguments.get(key)?)))
        .map_or_else(String::new, |text| shorten(&text))
}

/// `body.error.format` with its variables put in (adapters other than netcoredbg leave `message` a mere code).
pub(super) fn words_of_error(body: Option<&RawValue>) -> Option<String> {
    let body: Value = serde_json::from_str(body?.get()).ok()?;
    let error = body.get("error")?;
    let mut words = error.get("format")?.as_str()?.to_owned();
    for (name, value) in error.get("variables").and_then(Value::as_object).into_iter().flatten() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        words = words.replace(&format!("{{{name}}}"), &text);
    }
    Some(words)
}

fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_named_by_its_most_showing_argument() {
        let long = "x".repeat(200);
        let table = [
            (r#"{"arguments":{"expression":"order.Total","frameId":3}}"#, "order.Total"),
            (r#"{"arguments":{"threadId":7,"levels":1}}"#, "threadId 7"),
            (r#"{"arguments":{"source":{"path":"/a/b.cs"},"breakpoints":[]}}"#, "/a/b.cs"),
            (r#"{"arguments":{"env":{"SECRET":"1"}}}"#, ""),
            (r#"{"command":"threads"}"#, ""),
            ("not json", ""),
        ];
        for (request, expected) in table {
            assert_eq!(short_text(request.as_bytes()), expected, "{request}");
        }
        let short = short_text(format!(r#"{{"arguments":{{"expression":"{long}"}}}}"#).as_bytes());
        assert_eq!(short.chars().count(), LONGEST + 1);
    }

    #[test]
    fn the_variables_of_an_error_are_put_in() {
        let body = RawValue::from_string(
            r#"{"error":{"id":1,"format":"no {what} in {n}","variables":{"what":"file","n":3}}}"#.to_owned(),
        )
        .unwrap();
        assert_eq!(words_of_error(Some(&body)).as_deref(), Some("no file in 3"));
        assert_eq!(words_of_error(None), None);
    }
}
