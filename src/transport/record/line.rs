//! The lines of a recording, as they are written.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use serde_json::{Value, json, value::RawValue};

use super::{Places, Redactor};

/// One thing that happened.
pub(super) struct Line {
    /// Since the recording began.
    pub at: Duration,
    pub what: What,
}

pub(super) enum What {
    Client(Bytes),
    Adapter(Bytes),
    Stderr(String),
    Exit(i32),
    ClosedStdin,
    ProgramOutput(&'static str, Bytes),
    ProgramExit(i32),
}

impl What {
    /// Bytes that this keeps alive, roughly.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Client(body) | Self::Adapter(body) | Self::ProgramOutput(_, body) => body.len(),
            Self::Stderr(text) => text.len(),
            Self::Exit(_) | Self::ClosedStdin | Self::ProgramExit(_) => 0,
        }
    }
}

impl What {
    pub(super) fn redact(&mut self, redactor: &mut dyn Redactor) {
        match self {
            Self::Client(body) | Self::Adapter(body) => {
                if let Some(shown) = redactor.message(body) {
                    *body = shown.into();
                }
            }
            Self::ProgramOutput(_, bytes) => {
                if let Some(shown) = redactor.text(&String::from_utf8_lossy(bytes)) {
                    *bytes = shown.into();
                }
            }
            Self::Stderr(text) => {
                if let Some(shown) = redactor.text(text) {
                    *text = shown;
                }
            }
            Self::Exit(_) | Self::ClosedStdin | Self::ProgramExit(_) => {}
        }
    }
}

impl Line {
    /// The text of the line, without its end.
    pub(super) fn text(&self, places: &Places) -> String {
        let at_ms = (self.at.as_secs_f64() * 10_000.0).round() / 10.0;
        match &self.what {
            What::Client(body) => message_line(at_ms, "client", &places.taken_out(body)),
            What::Adapter(body) => message_line(at_ms, "adapter", &places.taken_out(body)),
            What::Stderr(text) => json!({"at_ms": at_ms, "dir": "stderr", "text": text}).to_string(),
            What::ProgramOutput(stream, bytes) => output_line(at_ms, stream, bytes),
            What::ProgramExit(code) => json!({"at_ms": at_ms, "dir": "program", "code": code}).to_string(),
            What::Exit(code) => json!({"at_ms": at_ms, "dir": "exit", "code": code}).to_string(),
            What::ClosedStdin => json!({"at_ms": at_ms, "dir": "client", "close": "stdin"}).to_string(),
        }
    }
}

/// Bytes that are no text are found in `raw_base64`, as in a message.
fn output_line(at_ms: f64, stream: &str, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut line = json!({"at_ms": at_ms, "dir": "program", "stream": stream, "text": text});
    if let (std::borrow::Cow::Owned(_), Some(map)) = (&text, line.as_object_mut()) {
        map.insert("raw_base64".to_owned(), BASE64_STANDARD.encode(bytes).into());
    }
    line.to_string()
}

/// A body that is no JSON at all becomes `"message": null` and is found in `raw_base64`.
fn message_line(at_ms: f64, dir: &str, body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let whole = matches!(text, std::borrow::Cow::Borrowed(_));
    let message = one_line(&text);
    let raw = if whole && message.is_some() {
        String::new()
    } else {
        format!(", \"raw_base64\": \"{}\"", BASE64_STANDARD.encode(body))
    };
    let message = message.as_deref().unwrap_or("null");
    format!("{{\"at_ms\": {at_ms}, \"dir\": \"{dir}\", \"message\": {message}{raw}}}")
}

/// The JSON as it came where that is possible: numbers and key order stay what they were.
fn one_line(text: &str) -> Option<String> {
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    if !raw.get().contains(['\n', '\r']) {
        return Some(raw.get().to_owned());
    }
    serde_json::from_str::<Value>(text).ok().map(|value| value.to_string())
}
