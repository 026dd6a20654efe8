//! A thread's stack as people think of it: user frames, with the framework's folded away.

use crate::dap;
use crate::session::ids::ThreadId;
use crate::session::report::{Frame, Location};
use crate::session::sources::Sources;

use super::access::ReadError;
use super::reader::Reader;
use super::stack_frame::StackFrame;
use super::{finished, handled, lock};

/// Frames of the framework between a throw and the `await` that throws again.
const UPPER: usize = 8;

/// What to say of frames that are only known from the exception.
pub const FIRST_THROW: &str = "rethrown where no frame has source: these frames are from the original throw";

/// Frames asked for at a stop. More are counted, not read.
pub const DEPTH: usize = 100;

/// A thread's stack, or the upper part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stack {
    pub frames: Vec<StackFrame>,
    /// Frames in all, where the adapter's total can be trusted or all were read.
    pub total: Option<usize>,
    /// The stop is a throw inside a catch block.
    pub throws_in_catch: bool,
    /// These are not the thread's frames but the lines of its exception's trace, the first throw on top.
    pub is_trace: bool,
    /// There are more frames than `total`.
    pub has_uncounted: bool,
    /// The async methods that wait for the first one on the stack that was resumed, each for the one before it; `None`: unknown, or none
    /// was resumed.
    pub awaiters: Option<Vec<StackFrame>>,
}

/// Reads up to `levels` frames from `start`.
pub async fn read(reader: &Reader, thread: ThreadId, start: usize, levels: usize) -> Result<Stack, ReadError> {
    let mut answer = page(reader, thread, start, levels).await?;
    let on_stack = answer.clr_frames_on_stack.and_then(|count| usize::try_from(count).ok());
    let awaiters = match on_stack {
        Some(count) => Some(awaiters(reader, thread, (start, levels, count), &mut answer).await?),
        None => None,
    };
    let mut start = start;
    let mut is_trace = start == 0 && levels > 1 && of_trace(&answer);
    if is_trace
        && reader.quirks.frames_of_exception_traces
        && let Some((first, real)) = behind_trace(reader, thread, &answer, levels).await
    {
        (start, answer, is_trace) = (first, real, false);
    }
    // some put the trace before the thread's own frames (dncdbg 1.1.0, `builtin`)
    is_trace &= answer.stack_frames.iter().all(|frame| frame.line == 0 || is_of_trace(frame));
    let read = answer.stack_frames.len();
    let mut frames: Vec<StackFrame> = answer
        .stack_frames
        .into_iter()
        // dncdbg appends this line whenever more frames exist; its id may repeat another frame's (vendor-notes.md)
        .filter(|frame| frame.name != "[Truncated Stack Trace]")
        .enumerate()
        .map(|(at, frame)| {
            let is_gone = is_trace && is_of_trace(&frame);
            StackFrame { is_gone, ..frame_of(reader, start + at, frame) }
        })
        .collect();
    frames.iter().for_each(|frame| reader.frames.add(frame.id, &frame.raw_name, thread, frame.index));
    lock::place(&mut frames, &reader.modules, &reader.sources);
    let modules = &reader.modules;
    finished::fold(
        &mut frames,
        |frame| modules.is_end(frame.path.as_deref().unwrap_or_default(), (frame.line, frame.column)),
        |frame| modules.is_in_handler(frame.path.as_deref().unwrap_or_default(), (frame.line, frame.column)),
    );
    handled::fold(&mut frames, |frame| reader.modules.tried_at(frame.path.as_deref()?, (frame.line, frame.column)));
    let total = if reader.quirks.total_frames {
        on_stack.or_else(|| usize::try_from(answer.total_frames?).ok())
    } else {
        (read < levels).then_some(start + read)
    };
    Ok(Stack { frames, total, throws_in_catch: false, is_trace, has_uncounted: answer.clr_has_more_frames, awaiters })
}

/// Takes those that wait off the end of an answer, whose first `on_stack` frames are the thread's own. Where that was asked for a part of a
/// longer stack they are asked for by themselves.
async fn awaiters(
    reader: &Reader,
    thread: ThreadId,
    (start, levels, on_stack): (usize, usize, usize),
    answer: &mut dap::StackTraceResponse,
) -> Result<Vec<StackFrame>, ReadError> {
    let total = answer.total_frames.and_then(|total| usize::try_from(total).ok()).unwrap_or(on_stack);
    let mut waiting = answer.stack_frames.split_off(on_stack.saturating_sub(start).min(answer.stack_frames.len()));
    if total > on_stack && total > start.saturating_add(levels) {
        waiting = page(reader, thread, on_stack, total - on_stack).await?.stack_frames;
    }
    let frames = waiting.into_iter().filter(|frame| frame.presentation_hint.as_deref() != Some("label"));
    Ok(frames.enumerate().map(|(at, frame)| frame_of(reader, on_stack + at, frame)).collect())
}

async fn page(
    reader: &Reader,
    thread: ThreadId,
    start: usize,
    levels: usize,
) -> Result<dap::StackTraceResponse, ReadError> {
    let arguments = dap::StackTraceArguments {
        thread_id: thread.0,
        start_frame: Some(i64::try_from(start).unwrap_or(i64::MAX)),
        levels: Some(i64::try_from(levels).unwrap_or(i64::MAX)),
        ..dap::StackTraceArguments::default()
    };
    Ok(reader.client.request::<dap::request::StackTrace>(arguments).await?)
}

/// Whether these are lines of an exception's trace: they come with an empty module and without a column.
fn of_trace(answer: &dap::StackTraceResponse) -> bool {
    answer.stack_frames.first().is_some_and(is_of_trace)
}

fn is_of_trace(frame: &dap::StackFrame) -> bool {
    frame.line > 0 && frame.column == 0 && frame.module_id.as_deref() == Some("")
}

/// The thread's own frames from the first one that has a line, where the upper ones are the framework's: behind an `await` that throws
/// again. From the number of the trace's lines on they are what is reported.
async fn behind_trace(
    reader: &Reader,
    thread: ThreadId,
    trace: &dap::StackTraceResponse,
    levels: usize,
) -> Option<(usize, dap::StackTraceResponse)> {
    for start in 1..=UPPER.max(trace.stack_frames.len()).min(levels) {
        let own = page(reader, thread, start, levels).await.ok()?;
        if own.stack_frames.is_empty() {
            return None;
        }
        if !of_trace(&own) {
            let has_line = |frame: &dap::StackFrame| frame.line > 0 && frame.source.is_some();
            return own.stack_frames.iter().any(has_line).then_some((start, own));
        }
    }
    None
}

fn frame_of(reader: &Reader, index: usize, frame: dap::StackFrame) -> StackFrame {
    let path = frame.source.and_then(|source| source.path).filter(|path| !path.is_empty());
    let leads = frame.line > 0 && path.is_some();
    let user = leads && path.as_deref().is_some_and(|path| reader.sources.is_users(path));
    let described = reader.modules.describe_frame(&frame.name, frame.module_id.as_deref());
    StackFrame {
        index,
        id: frame.id,
        function: described.function,
        kind: Some(described.kind).filter(|kind| !kind.is_empty()),
        raw_name: frame.name,
        path,
        line: u32::try_from(frame.line).unwrap_or(0),
        column: u32::try_from(frame.column).unwrap_or(0),
        end_column: frame.end_column.and_then(|column| u32::try_from(column).ok()).unwrap_or(0),
        user,
        leads,
        is_gone: false,
        is_left: frame.clr_left,
        others_await: frame.clr_others_wait,
        is_done: false,
    }
}

impl StackFrame {
    /// Its method is `async`.
    pub fn is_async(&self) -> bool {
        self.kind.as_deref().is_some_and(|kind| kind.contains("async"))
    }

    /// It has `yield return`.
    pub fn is_iterator(&self) -> bool {
        self.kind.as_deref().is_some_and(|kind| kind.contains("iterator"))
    }

    /// Its method is `async`, or a state machine of which nothing is known.
    pub fn may_be_async(&self) -> bool {
        self.is_async() || self.kind.is_none() && self.raw_name.contains(">d__")
    }
}

impl Stack {
    /// A throw inside a catch block has the method twice on the stack, the second time at the first throw (a funclet and
    /// its parent). Recursion looks the same but for the places: `handles` says whether the first frame's lies in a handler of
    /// what the second's throws.
    pub fn drop_repeated_throw(&mut self, handles: impl Fn(&StackFrame, &StackFrame) -> bool) {
        let repeated = match self.frames.as_slice() {
            [top, second, ..] => {
                let same = top.raw_name == second.raw_name && top.path == second.path;
                top.user && second.line > 0 && same && handles(top, second)
            }
            _ => false,
        };
        if repeated {
            self.frames.remove(1);
        }
        self.throws_in_catch = repeated;
    }

    /// Frames from its bottom to its top, as far as they were read or counted.
    pub fn depth(&self) -> usize {
        self.total.unwrap_or(self.frames.len())
    }

    /// What to say of the number of frames beyond those that are shown.
    pub fn uncounted_note(&self) -> Option<String> {
        let counted = self.total.filter(|_| self.has_uncounted)?;
        Some(format!("more_frames is a lower bound: the stack has more than {counted} frames, which are not counted"))
    }

    /// Frames below the last that was read.
    pub fn unread(&self) -> usize {
        let read = self.frames.last().map_or(0, |last| last.index + 1);
        self.total.map_or(0, |total| total.saturating_sub(read))
    }

    /// Whether an exception left that frame for a handler above.
    pub fn is_left(&self, index: usize) -> bool {
        let is_repeated = || self.throws_in_catch && self.frames.first().is_some_and(|top| top.index + 1 == index);
        self.frame(index).map_or_else(is_repeated, |frame| frame.is_left)
    }

    /// Where the thread is: the first frame with a line, whether its source is here or not.
    pub fn located(&self) -> Option<&StackFrame> {
        self.frames.iter().find(|frame| frame.leads)
    }

    /// The frames that a stack shows: the user's, and the one where the thread is.
    pub fn shown(&self) -> impl Iterator<Item = &StackFrame> {
        let located = self.located().map(|frame| frame.index);
        self.frames.iter().filter(move |frame| frame.user || Some(frame.index) == located)
    }

    /// The framework's frames, which a stack does not show.
    pub fn external(&self) -> impl Iterator<Item = &StackFrame> {
        let located = self.located().map(|frame| frame.index);
        self.frames.iter().filter(move |frame| !frame.user && !frame.is_done && Some(frame.index) != located)
    }

    /// Whether a frame only completed what the method above it awaited, which then went on there: it neither called that nor waits for it.
    pub fn resumes(&self, frame: &StackFrame) -> bool {
        let mut above = self.frames.iter().rev().skip_while(|above| above.index >= frame.index);
        let mut goes_on = false;
        let resumed = above.find(|above| {
            goes_on |= finished::goes_on(&above.raw_name);
            above.leads
        });
        frame.leads && goes_on && resumed.is_some_and(StackFrame::is_async)
    }

    /// The user's async methods that wait for what the stack shows, as many as asked for, and how many more; with `all` the framework's
    /// too.
    pub fn awaited_by(&self, sources: &Sources, all: bool, limit: usize) -> (Vec<Frame>, usize) {
        let is_end = |frame: &StackFrame| frame.raw_name.starts_with(dap::UNKNOWN_CONTINUATION);
        let is_meant = |frame: &&StackFrame| all || frame.user || is_end(frame);
        let awaiters: Vec<_> = self.awaiters.iter().flatten().filter(is_meant).collect();
        let line = |frame: &&StackFrame| Frame { frame: None, ..frame_line(frame, sources) };
        (awaiters.iter().take(limit).map(line).collect(), awaiters.len().saturating_sub(limit))
    }

    /// The frame as the stack shows it.
    pub fn line(&self, frame: &StackFrame, sources: &Sources) -> Frame {
        Frame { resumes: self.resumes(frame), ..frame_line(frame, sources) }
    }

    /// The frame with this number.
    pub fn frame(&self, index: usize) -> Option<&StackFrame> {
        self.frames.iter().find(|frame| frame.index == index)
    }

    /// Where the thread is.
    pub fn location(&self, sources: &Sources) -> Option<Location> {
        let frame = self.located()?;
        Some(Location { inside: self.inside(frame), ..location_of(frame, sources) })
    }

    /// The outermost framework call above a user frame: what the thread waits in.
    pub fn inside(&self, frame: &StackFrame) -> Option<String> {
        let above = frame.index.checked_sub(1)?;
        let call = self.frames.iter().find(|candidate| candidate.index == above)?;
        (!call.user && !call.raw_name.starts_with('[') && !call.function.is_empty()).then(|| call.function.clone())
    }

    /// Frames below the located one, the number of external frames, and of user frames beyond `limit`.
    pub fn below(&self, sources: &Sources, limit: usize) -> (Vec<Frame>, usize, usize) {
        let located = self.located().map(|frame| frame.index);
        let users: Vec<&StackFrame> = self.shown().filter(|frame| Some(frame.index) != located).collect();
        let external = self.external().count();
        let more = users.len().saturating_sub(limit) + self.unread();
        (users.into_iter().take(limit).map(|frame| self.line(frame, sources)).collect(), external, more)
    }
}

/// The frame's own place, without what the rest of the stack shows.
pub fn location_of(frame: &StackFrame, sources: &Sources) -> Location {
    let path = frame.path.as_deref().unwrap_or("");
    let text = sources.line(path, frame.line);
    Location {
        file: sources.relative(path),
        line: frame.line,
        column: text.as_deref().and_then(|text| column_of(text, frame.column)),
        function: Some(frame.function.clone()),
        kind: frame.kind.clone(),
        source: text.map(|text| Sources::shorten(text.trim())),
        frame: frame.index,
        inside: None,
    }
}

/// Only where the statement is not the first of its line.
fn column_of(text: &str, column: u32) -> Option<u32> {
    let first = text.chars().position(|c| !c.is_whitespace()).map_or(1, |at| at + 1);
    (column as usize > first).then_some(column)
}

/// A frame of `stack`.
pub fn frame_line(frame: &StackFrame, sources: &Sources) -> Frame {
    Frame {
        frame: Some(frame.index),
        function: frame.function.clone(),
        kind: frame.kind.clone(),
        at: at(frame, sources),
        source: None,
        resumes: false,
        others_await: frame.others_await,
        locals: Vec::new(),
    }
}

/// `file:line`, empty where there is no source.
pub fn at(frame: &StackFrame, sources: &Sources) -> String {
    match frame.path.as_deref() {
        Some(path) if frame.line > 0 => format!("{}:{}", sources.relative(path), frame.line),
        _ => String::new(),
    }
}
