//! stacktrace_get.

use crate::session::context::{StopContext, adapter_words};
use crate::session::error::SessionError;
use crate::session::inspect::frames::{self, StackFrame, frame_line};
use crate::session::report::Frame;
use crate::session::spec::{FrameRef, StackQuery};
use crate::session::view::StackView;

pub(super) async fn get(context: &StopContext, query: &StackQuery) -> Result<StackView, SessionError> {
    let thread = context.thread_of(FrameRef { thread: query.thread, frame: None }).await?;
    let first = context.stack(thread).await.map_err(|error| adapter_words(&error))?;
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
        .map(|frame| frame_line(frame, &context.sources))
        .collect();
    let listed = wanted.iter().filter(|frame| is_shown(frame)).count();
    let external = wanted.len() - listed;
    let unread = stack
        .total
        .map_or(0, |total| total.saturating_sub(wanted.last().map_or(query.start_frame, |last| last.index + 1)));
    Ok(StackView {
        thread: (thread, context.thread_name(thread).await),
        more_frames: listed.saturating_sub(shown.len()) + unread,
        frames: shown,
        external_frames: external,
        awaited_by: Vec::new(),
        note: None,
    })
}
