//! A recording, read and checked.

use std::path::{Path, PathBuf};

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::transport::record::RecordingHeader;

/// Why a file is no recording.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The first line does not describe a recording.
    #[error("not a recording: the first line has no \"recording\"")]
    NoHeader,
    /// A line is not what the format says.
    #[error("line {line} of the recording: {problem}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

/// A recorded conversation.
#[derive(Debug, Clone)]
pub struct Recording {
    pub(super) header: RecordingHeader,
    pub(super) entries: Vec<Entry>,
}

/// One line, as far as a replay needs it.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    Request(Value),
    StdinClosed,
    /// `body` are the bytes to send, which need not be UTF-8; `message` is what can be read of them.
    Adapter {
        message: Value,
        body: Bytes,
    },
    Exit(i32),
    /// Becomes an event once the whole recording is read.
    ProgramExit(i32),
}

#[derive(Deserialize)]
struct HeaderLine {
    recording: RecordingHeader,
}

#[derive(Deserialize)]
struct Line {
    dir: String,
    stream: Option<String>,
    text: Option<String>,
    message: Option<Value>,
    raw_base64: Option<String>,
    close: Option<String>,
    code: Option<i32>,
}

impl Recording {
    /// Reads a file; see [`Recording::parse`].
    ///
    /// # Errors
    /// The file cannot be read, or is no recording.
    pub fn load(path: impl AsRef<Path>, placeholders: &[(&str, &str)]) -> Result<Self, ReplayError> {
        let path = path.as_ref();
        let text =
            std::fs::read_to_string(path).map_err(|source| ReplayError::Read { path: path.to_owned(), source })?;
        Self::parse(&text, placeholders)
    }

    /// Reads a recording. `placeholders` are names (`workspace` or `${workspace}`) and what to put in for them.
    /// Lines of an unknown kind are skipped.
    ///
    /// # Errors
    /// The text is no recording.
    pub fn parse(text: &str, placeholders: &[(&str, &str)]) -> Result<Self, ReplayError> {
        let placeholders: Vec<_> = placeholders.iter().map(|(name, value)| (braced(name), json_text(value))).collect();
        let text = fill(text, &placeholders);
        let mut lines =
            text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim().is_empty());
        let header = lines.next().and_then(|(_, line)| serde_json::from_str::<HeaderLine>(line).ok());
        let header = header.ok_or(ReplayError::NoHeader)?.recording;
        let mut entries = Vec::new();
        for (line, text) in lines {
            let problem = |problem: String| ReplayError::Line { line, problem };
            let read: Line = serde_json::from_str(text).map_err(|error| problem(error.to_string()))?;
            entries.extend(entry(read, &placeholders).map_err(problem)?);
        }
        speak_for_program(&mut entries);
        Ok(Self { header, entries })
    }

    /// What was recorded.
    #[must_use]
    pub fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// The requests of the recording client, in order: for clients that want to ask the same again.
    pub fn requests(&self) -> impl Iterator<Item = &Value> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Request(message) => Some(message),
            _ => None,
        })
    }

    /// The bodies that the adapter sent, in order.
    pub fn adapter_bodies(&self) -> impl Iterator<Item = &Bytes> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Adapter { body, .. } => Some(body),
            _ => None,
        })
    }
}

fn entry(line: Line, placeholders: &[(String, String)]) -> Result<Option<Entry>, String> {
    Ok(match (line.dir.as_str(), line.message, line.code) {
        ("client", Some(message), _) => Some(Entry::Request(message)),
        ("client", None, _) if line.close.is_some() => Some(Entry::StdinClosed),
        ("client", None, _) => return Err("a client line needs a message or close".to_owned()),
        ("adapter", message, _) => {
            let message = message.unwrap_or_default();
            let body = match line.raw_base64 {
                Some(raw) => {
                    let bytes = BASE64_STANDARD.decode(raw).map_err(|error| error.to_string())?;
                    fill_bytes(bytes, placeholders)
                }
                None => message.to_string().into_bytes(),
            };
            Some(Entry::Adapter { message, body: Bytes::from(body) })
        }
        ("program", _, Some(code)) => Some(Entry::ProgramExit(code)),
        ("program", _, None) => Some(output(&line.stream.unwrap_or_default(), line.text.as_deref(), line.raw_base64)?),
        ("exit", _, Some(code)) => Some(Entry::Exit(code)),
        ("exit", _, None) => return Err("an exit line needs a code".to_owned()),
        _ => None,
    })
}

/// A program that the recorder held wrote into its pipes; the one that is played has only its adapter to speak for it.
fn output(stream: &str, text: Option<&str>, raw: Option<String>) -> Result<Entry, String> {
    let text = text.ok_or("a program line needs a text or a code")?;
    let mut entry = Entry::event("output", json!({"category": stream, "output": text}));
    if let (Some(raw), Entry::Adapter { body, .. }) = (raw, &mut entry) {
        let bytes = BASE64_STANDARD.decode(raw).map_err(|error| error.to_string())?;
        *body = Bytes::from(raw_output(stream, &bytes));
    }
    Ok(entry)
}

/// The bytes as an adapter would send them: raw within the JSON string.
fn raw_output(stream: &str, bytes: &[u8]) -> Vec<u8> {
    let mut body =
        format!(r#"{{"type":"event","event":"output","body":{{"category":"{stream}","output":""#).into_bytes();
    for byte in bytes {
        match byte {
            b'"' | b'\\' => body.extend([b'\\', *byte]),
            0..0x20 => body.extend(format!("\\u{byte:04x}").bytes()),
            _ => body.push(*byte),
        }
    }
    body.extend_from_slice(b"\"}}");
    body
}

/// A program that the recorder started and held: its id is in the recorder's `attach`, and its end is what the recorder
/// reaped, whatever the adapter's `exited` says. There is no `exited` for a signal.
fn speak_for_program(entries: &mut Vec<Entry>) {
    let launched = entries.iter().any(|entry| entry.asked("launch").is_some());
    let attach = entries.iter().position(|entry| entry.asked("attach").is_some()).filter(|_| launched);
    let pid = attach.and_then(|at| entries.get(at)?.asked("attach")?.pointer("/arguments/processId").cloned());
    if let (Some(at), Some(pid), false) = (attach, pid, entries.iter().any(|entry| entry.is_event("process"))) {
        entries.insert(at + 1, Entry::event("process", json!({"systemProcessId": pid, "name": "held"})));
    }
    if !entries.iter().any(|entry| matches!(entry, Entry::ProgramExit(_))) {
        return;
    }
    entries.retain(|entry| !entry.is_event("exited"));
    for entry in entries.iter_mut() {
        match entry {
            Entry::ProgramExit(code) if *code < 0 => *entry = Entry::event("terminated", json!({})),
            Entry::ProgramExit(code) => *entry = Entry::event("exited", json!({"exitCode": *code})),
            _ => {}
        }
    }
}

impl Entry {
    fn event(name: &str, body: Value) -> Self {
        let message = json!({"type": "event", "event": name, "body": body});
        let body = Bytes::from(message.to_string());
        Self::Adapter { message, body }
    }

    fn is_event(&self, name: &str) -> bool {
        matches!(self, Self::Adapter { message, .. } if message.get("event").is_some_and(|event| event == name))
    }

    fn asked(&self, command: &str) -> Option<&Value> {
        match self {
            Self::Request(message) => {
                Some(message).filter(|message| message.get("command").is_some_and(|it| it == command))
            }
            _ => None,
        }
    }
}

fn braced(name: &str) -> String {
    if name.starts_with("${") { name.to_owned() } else { format!("${{{name}}}") }
}

/// The value as it stands inside a JSON string: a Windows path has backslashes.
fn json_text(value: &str) -> String {
    let quoted = Value::from(value).to_string();
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
}

fn fill(text: &str, placeholders: &[(String, String)]) -> String {
    placeholders.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
}

fn fill_bytes(mut bytes: Vec<u8>, placeholders: &[(String, String)]) -> Vec<u8> {
    for (name, value) in placeholders {
        let mut filled = Vec::with_capacity(bytes.len());
        let mut rest = bytes.as_slice();
        while let Some(at) = rest.windows(name.len()).position(|window| window == name.as_bytes()) {
            filled.extend_from_slice(rest.get(..at).unwrap_or_default());
            filled.extend_from_slice(value.as_bytes());
            rest = rest.get(at + name.len()..).unwrap_or_default();
        }
        filled.extend_from_slice(rest);
        bytes = filled;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_put_in_everywhere_also_into_bodies_that_are_not_text() {
        let text = concat!(
            r#"{"recording": {"adapter": "x"}}"#,
            "\n\n",
            r#"{"dir": "client", "message": {"seq": 1, "type": "request", "command": "launch", "arguments": {"program": "${workspace}/a"}}}"#,
            "\n",
            // {"p":"${tmp}<ff>"}
            r#"{"dir": "adapter", "message": {"p": "${tmp}"}, "raw_base64": "eyJwIjoiJHt0bXB9/yJ9"}"#,
            "\n",
            r#"{"dir": "somethingNew"}"#,
            "\n",
        );
        let recording = Recording::parse(text, &[("workspace", r"C:\w"), ("${tmp}", "/t")]).unwrap();
        assert_eq!(recording.requests().next().unwrap()["arguments"]["program"], r"C:\w/a");
        assert_eq!(recording.adapter_bodies().next().unwrap().as_ref(), b"{\"p\":\"/t\xff\"}");
    }

    #[test]
    fn a_held_program_speaks_as_if_the_adapter_had_started_it() {
        let text = concat!(
            r#"{"recording": {}}"#,
            "\n",
            r#"{"dir": "client", "message": {"seq": 1, "type": "request", "command": "launch", "arguments": {}}}"#,
            "\n",
            r#"{"dir": "client", "message": {"seq": 2, "type": "request", "command": "attach", "arguments": {"processId": 42}}}"#,
            "\n",
            r#"{"dir": "program", "stream": "stdout", "text": "a\"b\n"}"#,
            "\n",
            // a"<ff>
            r#"{"dir": "program", "stream": "stderr", "text": "?", "raw_base64": "YSL/"}"#,
            "\n",
            r#"{"dir": "program", "code": 7}"#,
            "\n",
            r#"{"dir": "adapter", "message": {"type": "event", "event": "exited", "body": {"exitCode": 0}}}"#,
            "\n",
        );
        let bodies =
            |text: &str| -> Vec<Bytes> { Recording::parse(text, &[]).unwrap().adapter_bodies().cloned().collect() };
        let bodies_of = bodies(text);
        let [process, out, err, exited] = bodies_of.as_slice() else { panic!("{bodies_of:?}") };
        let json = |body: &Bytes| serde_json::from_slice::<Value>(body).unwrap();
        assert_eq!(json(process)["body"]["systemProcessId"], 42);
        assert_eq!(json(out)["body"], json!({"category": "stdout", "output": "a\"b\n"}));
        assert!(err.ends_with(b"\"output\":\"a\\\"\xff\"}}"), "{err:?}");
        assert_eq!((&json(exited)["event"], &json(exited)["body"]["exitCode"]), (&"exited".into(), &7.into()));
        let killed = bodies(&text.replace("\"code\": 7", "\"code\": -9"));
        assert!(!killed.iter().any(|body| json_event(body) == "exited"), "{killed:?}");
        assert!(killed.iter().any(|body| json_event(body) == "terminated"), "{killed:?}");
    }

    fn json_event(body: &[u8]) -> String {
        let message: Value = serde_json::from_str(&String::from_utf8_lossy(body)).unwrap();
        message["event"].as_str().unwrap_or_default().to_owned()
    }

    #[test]
    fn what_is_no_recording_is_refused_with_its_line() {
        let header = r#"{"recording": {}}"#;
        let table = [
            (String::new(), "not a recording"),
            ("{}".to_owned(), "not a recording"),
            (format!("{header}\nnot json"), "line 2 of the recording: "),
            (format!("{header}\n\n{{\"dir\": \"client\"}}"), "line 3 of the recording: a client line needs"),
            (format!("{header}\n{{\"dir\": \"exit\"}}"), "line 2 of the recording: an exit line needs a code"),
            (format!("{header}\n{{\"dir\": \"adapter\", \"raw_base64\": \"*\"}}"), "line 2 of the recording: "),
        ];
        for (text, expected) in table {
            let words = Recording::parse(&text, &[]).unwrap_err().to_string();
            assert!(words.starts_with(expected), "{words}");
        }
        assert!(matches!(Recording::load("/no/such/file", &[]), Err(ReplayError::Read { .. })));
    }
}
