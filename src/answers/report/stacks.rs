//! Places, frames, threads and exceptions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Variable, absent, each, some_count, some_text};
use crate::session;

/// The first user frame of a stop.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Location {
    /// Absent with `line` in a frame without source.
    #[serde(default, skip_serializing_if = "absent")]
    pub file: String,
    #[serde(default, skip_serializing_if = "absent")]
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

/// One frame; pass `frame` to other tools.
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
    /// It completed what the frame above awaited, and neither called nor awaits it.
    #[serde(default, skip_serializing_if = "absent")]
    pub resumes: bool,
    /// So many more methods await the same.
    #[serde(skip_serializing_if = "absent")]
    pub others_await: Option<usize>,
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
    /// Async methods that await what was resumed, each the one before it.
    #[serde(default, skip_serializing_if = "absent")]
    pub awaited_by: Vec<Frame>,
    #[serde(skip_serializing_if = "absent")]
    pub more_awaiting: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

/// threads_list: equal threads are one group.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadsReport {
    pub count: u64,
    #[serde(default, skip_serializing_if = "absent")]
    pub threads: Vec<ThreadGroup>,
    #[serde(default, skip_serializing_if = "absent")]
    pub waits: Vec<WaitEntry>,
    /// Circles of threads that wait for each other.
    #[serde(default, skip_serializing_if = "absent")]
    pub deadlocks: Vec<String>,
    /// The program runs, and was paused so long for this.
    #[serde(skip_serializing_if = "absent")]
    pub paused_ms: Option<u64>,
}

/// Threads that wait for one object.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WaitEntry {
    /// Kind, type and name of the object, which expressions take: `monitor Gate @1`.
    pub waits_for: String,
    /// The thread that holds it.
    #[serde(skip_serializing_if = "absent")]
    pub held_by: Option<i64>,
    /// The thread that runs the task.
    #[serde(skip_serializing_if = "absent")]
    pub run_by: Option<i64>,
    /// The thread that runs what the task awaits.
    #[serde(skip_serializing_if = "absent")]
    pub awaits_thread: Option<i64>,
    /// Those that wait, as in a group.
    pub ids: Vec<i64>,
    #[serde(skip_serializing_if = "absent")]
    pub count: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub ranges: Option<String>,
}

/// Threads at one place; without `function` they run no user code.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadGroup {
    /// Of a long group the first ones; `count` and `ranges` then cover all.
    pub ids: Vec<i64>,
    #[serde(skip_serializing_if = "absent")]
    pub count: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub ranges: Option<String>,
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
    /// Not given where it was not read: `members` says why.
    #[serde(skip_serializing_if = "absent")]
    pub message: Option<String>,
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
    pub more_frames: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub external_frames: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

/// source_get; lines keep their indentation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceReport {
    #[serde(skip_serializing_if = "absent")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub module: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub start_line: Option<u32>,
    #[serde(default, skip_serializing_if = "absent")]
    pub source_lines: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub current_line: Option<u32>,
    /// Of a method whose source is not here, as C#.
    #[serde(skip_serializing_if = "absent")]
    pub signature: Option<String>,
    /// Types of its locals, by number.
    #[serde(default, skip_serializing_if = "absent")]
    pub il_locals: Vec<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub il: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub more_il: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
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
            resumes: frame.resumes,
            others_await: some_count(frame.others_await),
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
            awaited_by: each(view.awaited_by),
            more_awaiting: some_count(view.more_awaiting),
            note: view.note,
        }
    }
}

impl From<session::ThreadsView> for ThreadsReport {
    fn from(view: session::ThreadsView) -> Self {
        let count = view.groups.iter().map(|group| group.threads.len() as u64).sum();
        let paused_ms = view.paused.map(|paused| u64::try_from(paused.as_millis()).unwrap_or(u64::MAX));
        Self { count, threads: each(view.groups), waits: each(view.waits), deadlocks: view.deadlocks, paused_ms }
    }
}

impl From<session::WaitGroup> for WaitEntry {
    fn from(group: session::WaitGroup) -> Self {
        let mut ids: Vec<i64> = group.threads.into_iter().map(|id| id.0).collect();
        let (count, ranges) = match ids.len() {
            count if count > LISTED => (Some(count), Some(ranges(ids.clone()))),
            _ => (None, None),
        };
        if count.is_some() {
            ids.truncate(OF_MANY);
        }
        let run_by = group.run_by.map(|id| id.0);
        Self {
            waits_for: group.object,
            held_by: group.held_by.map(|id| id.0),
            run_by: run_by.filter(|_| !group.is_indirect),
            awaits_thread: run_by.filter(|_| group.is_indirect),
            ids,
            count,
            ranges,
        }
    }
}

impl From<session::ThreadGroup> for ThreadGroup {
    fn from(mut group: session::ThreadGroup) -> Self {
        let (count, ranges) = match group.threads.len() {
            count if count > LISTED => {
                let ids = group.threads.iter().map(|(id, _)| id.0).collect();
                group.threads.truncate(OF_MANY);
                (Some(count), Some(ranges(ids)))
            }
            _ => (None, None),
        };
        let named = group.threads.iter().any(|(_, name)| name.is_some());
        let (ids, names) = group.threads.into_iter().map(|(id, name)| (id.0, name)).unzip::<_, _, Vec<_>, Vec<_>>();
        Self {
            ids,
            count,
            ranges,
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
            values: super::values::named_by_place(group.values),
        }
    }
}

/// Threads of a group that are listed one by one.
const LISTED: usize = 12;
/// Of a longer one.
const OF_MANY: usize = 3;
/// Ranges that are listed.
const RANGES: usize = 6;

/// `5027-5040, 5050, 5060-5200`; numbers that follow each other are one range.
fn ranges(mut ids: Vec<i64>) -> String {
    ids.sort_unstable();
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for id in ids {
        match runs.last_mut() {
            Some((_, last)) if id - *last <= 1 => *last = id,
            _ => runs.push((id, id)),
        }
    }
    let text = |(first, last): &(i64, i64)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    let mut ranges = runs.iter().take(RANGES).map(text).collect::<Vec<_>>().join(", ");
    if let Some(more) = runs.len().checked_sub(RANGES).filter(|more| *more > 0) {
        ranges.push_str(&format!(" and {more} more"));
    }
    ranges
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
            more_frames: some_count(view.more_frames),
            external_frames: some_count(view.external_frames),
            note: view.note,
        }
    }
}

const EDITED: &str = "the file was edited after the build: the code may be at other lines now; build and restart the program to debug the new code";

impl From<session::SourceView> for SourceReport {
    fn from(view: session::SourceView) -> Self {
        Self {
            file: Some(view.file),
            start_line: Some(view.start_line),
            source_lines: view.lines,
            current_line: view.current_line,
            note: view.is_edited.then(|| EDITED.to_owned()),
            ..Self::default()
        }
    }
}

impl From<session::FrameView> for FrameReport {
    fn from(view: session::FrameView) -> Self {
        Self { thread_id: view.thread.0, location: view.location.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::ThreadId;

    fn group(ids: impl Iterator<Item = i64>, name: Option<&str>) -> ThreadGroup {
        let threads = ids.map(|id| (ThreadId(id), name.map(str::to_owned))).collect();
        session::ThreadGroup { threads, ..session::ThreadGroup::default() }.into()
    }

    #[test]
    fn a_long_group_is_counted_in_ranges() {
        let long = group((10..=150).chain([160]).chain(200..=230), Some(".NET TP Worker"));
        assert_eq!((long.ids.as_slice(), long.count), (&[10, 11, 12][..], Some(173)));
        assert_eq!(long.ranges.as_deref(), Some("10-150, 160, 200-230"));
        assert_eq!(long.names.len(), 3);
        assert_eq!(group((0..40).map(|n| n * 2), None).ranges.unwrap(), "0, 2, 4, 6, 8, 10 and 34 more");
        let short = group(1..=12, None);
        assert_eq!((short.ids.len(), short.count, short.ranges), (12, None, None));
    }
}
