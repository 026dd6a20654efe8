//! stacktrace_get.

use crate::session::context::{StopContext, adapter_words};
use crate::session::error::SessionError;
use crate::session::inspect::frames::{self, Stack};
use crate::session::inspect::stack_frame::StackFrame;
use crate::session::report::Frame;
use crate::session::spec::{FrameRef, StackQuery};
use crate::session::view::StackView;

const NOT_AWAITED: &str = "no async method awaits what was resumed";

/// Both adapters show a running async method as its source has it: nothing names its state machine, and the frames of the framework
/// that hold it are optimized code, whose variables are gone (netcoredbg 3.1.2-1, dncdbg 1.1.0, 2026-11-22).
const AWAITED: &str =
    "a resumed async method has no awaiting callers on the stack, and the adapter does not show its task";

/// Of the user's own code, so nobody takes them for the framework's.
fn not_listed(done: usize) -> String {
    let frames = if done == 1 { "1 frame" } else { &format!("{done} frames") };
    format!("{frames} of user code not listed: over, or left by an exception; include_external lists them")
}

/// What to say where no async method is shown to wait.
fn unawaited(stack: &Stack) -> Option<&'static str> {
    match &stack.awaiters {
        Some(awaiters) => awaiters.is_empty().then_some(NOT_AWAITED),
        None => awaited(stack).then_some(AWAITED),
    }
}

/// A method that was resumed after an `await`: nothing of the user's called it.
fn awaited(stack: &Stack) -> bool {
    let mut shown = stack.shown();
    let is_async = shown.next().is_some_and(|top| top.kind.as_deref().is_some_and(|kind| kind.starts_with("async")));
    let resumed = |frame: &StackFrame| {
        // an async method that is over stands below the one that awaited it
        let is_over = !frame.leads && frame.path.is_some();
        is_over || ["AsyncStateMachineBox", "AwaitTaskContinuation"].iter().any(|name| frame.raw_name.contains(name))
    };
    let folded = stack.frames.iter().all(|frame| frame.leads || frame.raw_name.starts_with('['));
    match shown.next() {
        None => is_async && (folded || stack.frames.iter().any(resumed)),
        Some(next) => is_async && stack.resumes(next),
    }
}

pub(super) async fn get(context: &StopContext, query: &StackQuery) -> Result<StackView, SessionError> {
    let thread = context.thread_of(FrameRef { thread: query.thread, frame: None }).await?;
    let first = context.stack(thread).await.map_err(|error| adapter_words(&error))?;
    let is_trace = first.is_trace;
    // what a stop reads is enough for most; a page beyond it is asked for by itself
    let deep =
        query.start_frame.saturating_add(query.max_frames) > frames::DEPTH && first.frames.len() >= frames::DEPTH;
    let stack = if deep {
        frames::read(&context.reader, thread, query.start_frame, query.max_frames)
            .await
            .map_err(|error| adapter_words(&error))?
    } else {
        first
    };
    let located = stack.located().map(|frame| frame.index);
    let is_shown = |frame: &StackFrame| frame.user || query.include_external || Some(frame.index) == located;
    let wanted: Vec<_> = stack.frames.iter().filter(|frame| frame.index >= query.start_frame).collect();
    let shown: Vec<Frame> = wanted
        .iter()
        .filter(|frame| is_shown(frame))
        .take(query.max_frames)
        .map(|frame| stack.line(frame, &context.sources))
        .collect();
    let listed = wanted.iter().filter(|frame| is_shown(frame)).count();
    let is_page = |frame: &&StackFrame| frame.index >= query.start_frame && !query.include_external;
    let external = stack.external().filter(is_page).count();
    let done = wanted.iter().filter(|frame| frame.is_done && !is_shown(frame)).count();
    let unread =
        if wanted.is_empty() { stack.total.unwrap_or(0).saturating_sub(query.start_frame) } else { stack.unread() };
    let (awaited_by, more_awaiting) = stack.awaited_by(&context.sources, query.include_external, query.max_frames);
    Ok(StackView {
        thread: (thread, context.thread_name(thread).await),
        more_frames: listed.saturating_sub(shown.len()) + unread,
        frames: shown,
        external_frames: external,
        awaited_by,
        more_awaiting,
        note: match is_trace {
            true => Some(frames::FIRST_THROW.to_owned()),
            false => {
                let notes = [
                    unawaited(&stack).map(str::to_owned),
                    (done > 0).then(|| not_listed(done)),
                    stack.uncounted_note(),
                ];
                let notes: Vec<String> = notes.into_iter().flatten().collect();
                (!notes.is_empty()).then(|| notes.join("; "))
            }
        },
    })
}
