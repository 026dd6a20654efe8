//! Places, frames, threads and exceptions.

use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

use super::{Variable, absent, each, some_count, some_text};
use crate::session;

/// The first user frame of a stop.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Location {
    pub file: String,
    pub line: u32,
    #[serde(skip_serializing_if = "absent")]
    pub column: Option<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub frame: Option<usize>,
    /// The framework call that the thread is in.
    #[serde(rename = "in", skip_serializing_if = "absent")]
    pub inside: Option<String>,
}

/// One frame; `frame` is the number to hand in.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Frame {
    #[serde(skip_serializing_if = "absent")]
    pub frame: Option<usize>,
    pub function: String,
    #[serde(skip_serializing_if = "absent")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub at: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub source: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub locals: Vec<Variable>,
}

/// stacktrace_get.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StackReport {
    pub thread_id: i64,
    #[serde(skip_serializing_if = "absent")]
    pub thread_name: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub frames: Vec<Frame>,
    #[serde(skip_serializing_if = "absent")]
    pub external_frames: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub more_frames: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

/// threads_list: equal threads are one group.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadsReport {
    pub count: u64,
    #[serde(default, skip_serializing_if = "absent")]
    pub threads: Vec<ThreadGroup>,
}

/// Threads at one place; without `function` they run no user code.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadGroup {
    pub ids: Vec<i64>,
    #[serde(default, skip_serializing_if = "absent")]
    pub names: Vec<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub current: bool,
    #[serde(skip_serializing_if = "absent")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub at: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub source: Option<String>,
    #[serde(rename = "in", skip_serializing_if = "absent")]
    pub inside: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub values: Vec<Variable>,
}

/// An exception; `members` is what its type adds to `System.Exception`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Exception {
    #[serde(rename = "type")]
    pub type_name: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "absent")]
    pub unhandled: bool,
    #[serde(skip_serializing_if = "absent")]
    pub at: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub members: Vec<Variable>,
    #[serde(default, skip_serializing_if = "absent")]
    pub inner: Vec<Exception>,
}

/// exception_get_context.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExceptionReport {
    pub exception: Exception,
    pub thread_id: i64,
    #[serde(skip_serializing_if = "absent")]
    pub thread_name: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub frames: Vec<Frame>,
    #[serde(skip_serializing_if = "absent")]
    pub external_frames: Option<usize>,
}

/// source_get; lines keep their indentation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceReport {
    pub file: String,
    pub start_line: u32,
    #[serde(default, skip_serializing_if = "absent")]
    pub source_lines: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub current_line: Option<u32>,
}

/// frame_select.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FrameReport {
    pub thread_id: i64,
    pub location: Location,
}

impl From<session::Location> for Location {
    fn from(location: session::Location) -> Self {
        Self {
            file: location.file,
            line: location.line,
            column: location.column,
            function: location.function,
            kind: location.kind,
            source: location.source.and_then(some_text),
            frame: some_count(location.frame),
            inside: location.inside,
        }
    }
}

impl From<session::Frame> for Frame {
    fn from(frame: session::Frame) -> Self {
        Self {
            frame: frame.frame,
            function: frame.function,
            kind: frame.kind,
            at: some_text(frame.at),
            source: frame.source.and_then(some_text),
            locals: each(frame.locals),
        }
    }
}

impl From<session::StackView> for StackReport {
    fn from(view: session::StackView) -> Self {
        Self {
            thread_id: view.thread.0.0,
            thread_name: view.thread.1.and_then(some_text),
            frames: each(view.frames),
            external_frames: some_count(view.external_frames),
            more_frames: some_count(view.more_frames),
            note: view.note,
        }
    }
}

impl From<Vec<session::ThreadGroup>> for ThreadsReport {
    fn from(groups: Vec<session::ThreadGroup>) -> Self {
        let count = groups.iter().map(|group| group.threads.len() as u64).sum();
        Self { count, threads: each(groups) }
    }
}

impl From<session::ThreadGroup> for ThreadGroup {
    fn from(group: session::ThreadGroup) -> Self {
        let named = group.threads.iter().any(|(_, name)| name.is_some());
        let (ids, names) = group.threads.into_iter().map(|(id, name)| (id.0, name)).unzip::<_, _, Vec<_>, Vec<_>>();
        Self {
            ids,
            // Same order as `ids`, so a thread without a name needs a place holder among named ones.
            names: if named {
                names.into_iter().map(|name| name.unwrap_or_else(|| "-".into())).collect()
            } else {
                Vec::new()
            },
            current: group.current,
            function: group.function,
            kind: group.kind,
            at: group.at,
            source: group.source.and_then(some_text),
            inside: group.inside,
            values: each(group.values),
        }
    }
}

impl From<session::Exception> for Exception {
    fn from(exception: session::Exception) -> Self {
        Self {
            type_name: exception.type_name,
            message: exception.message,
            unhandled: exception.unhandled,
            at: exception.at,
            members: each(exception.members),
            inner: each(exception.inner),
        }
    }
}

impl From<session::ExceptionView> for ExceptionReport {
    fn from(view: session::ExceptionView) -> Self {
        Self {
            exception: view.exception.into(),
            thread_id: view.thread.0.0,
            thread_name: view.thread.1.and_then(some_text),
            frames: each(view.frames),
            external_frames: some_count(view.external_frames),
        }
    }
}

impl From<session::SourceView> for SourceReport {
    fn from(view: session::SourceView) -> Self {
        Self { file: view.file, start_line: view.start_line, source_lines: view.lines, current_line: view.current_line }
    }
}

impl From<session::FrameView> for FrameReport {
    fn from(view: session::FrameView) -> Self {
        Self { thread_id: view.thread.0, location: view.location.into() }
    }
}
