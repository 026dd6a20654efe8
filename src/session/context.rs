//! One stop as its readers share it: the stacks read so far, thread names, the frame that is meant by default.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use tokio::sync::Mutex;

use super::error::{Code, SessionError};
use super::ids::{StateName, ThreadId};
use super::inspect::exception::{self, Thrown};
use super::inspect::frames::{self, Stack};
use super::inspect::stack_frame::StackFrame;
use super::inspect::{OUT_OF_TIME, ReadError, Reader, own_message};
use super::sources::Sources;
use super::spec::FrameRef;
use crate::dap;

/// Cheap to clone; valid until the next resume.
#[derive(Clone)]
pub(crate) struct StopContext {
    /// Its frame is meaningless until one is chosen.
    pub reader: Reader,
    pub sources: Sources,
    /// The thread that stopped.
    pub thread: ThreadId,
    /// The thread that has no name because it is the first: on Linux its id is the process's.
    pub main_thread: Option<ThreadId>,
    /// frame_select.
    pub selected: Option<(ThreadId, usize)>,
    cache: Arc<Mutex<Cache>>,
}

/// A stop, to be known again.
#[derive(Clone)]
pub(crate) struct StopMark(Weak<Mutex<Cache>>);

#[derive(Default)]
struct Cache {
    stacks: HashMap<ThreadId, Stack>,
    tops: HashMap<ThreadId, StackFrame>,
    thrown: Option<Thrown>,
}

impl StopContext {
    pub(crate) fn new(reader: Reader, sources: Sources, thread: ThreadId) -> Self {
        Self { reader, sources, thread, main_thread: None, selected: None, cache: Arc::default() }
    }

    pub(crate) fn mark(&self) -> StopMark {
        StopMark(Arc::downgrade(&self.cache))
    }

    pub(crate) fn is_at(&self, stop: &StopMark) -> bool {
        std::ptr::eq(stop.0.as_ptr(), Arc::as_ptr(&self.cache))
    }

    /// The thread's stack, read once.
    pub(crate) async fn stack(&self, thread: ThreadId) -> Result<Stack, ReadError> {
        let mut cache = self.cache.lock().await;
        if let Some(known) = cache.stacks.get(&thread) {
            return Ok(known.clone());
        }
        let mut stack = frames::read(&self.reader, thread, 0, frames::DEPTH).await?;
        if self.reader.at_throw && thread == self.thread {
            let modules = &self.reader.modules;
            stack.drop_repeated_throw(|top, second| {
                let path = top.path.as_deref().unwrap_or_default();
                modules.handles(path, top.line, second.line).unwrap_or(true)
            });
        }
        cache.stacks.insert(thread, stack.clone());
        Ok(stack)
    }

    /// The top frame alone, read once, where the whole stack was not read yet.
    pub(crate) async fn top(&self, thread: ThreadId) -> Option<StackFrame> {
        let mut cache = self.cache.lock().await;
        if let Some(known) = cache.stacks.get(&thread) {
            return known.frames.first().cloned();
        }
        if let Some(known) = cache.tops.get(&thread) {
            return Some(known.clone());
        }
        let top = frames::read(&self.reader, thread, 0, 1).await.ok()?.frames.into_iter().next()?;
        cache.tops.insert(thread, top.clone());
        Some(top)
    }

    /// The exception of the stop's thread, as it was read first: an adapter runs getters for it, and lets all threads go on where one
    /// does not return (vendor-notes.md).
    pub(crate) async fn exception(&self, thread: ThreadId) -> Result<Thrown, ReadError> {
        if let Some(known) = self.cache.lock().await.thrown.clone().filter(|_| thread == self.thread) {
            return Ok(known);
        }
        let mut thrown = exception::read(&self.reader, &self.sources, thread).await?;
        if let Some(top) = self.top(thread).await {
            let reader = self.reader.at(&top);
            exception::complete_messages(&reader, &mut thrown.exception).await;
            own_message::settle(&reader, &mut thrown.exception).await;
        }
        self.keep_exception(&thrown).await;
        Ok(thrown)
    }

    pub(crate) async fn keep_exception(&self, thrown: &Thrown) {
        self.cache.lock().await.thrown = Some(thrown.clone());
    }

    /// `Thread.Name`, or `Main Thread`; `None` where there is none.
    pub(crate) async fn thread_name(&self, thread: ThreadId) -> Option<String> {
        let threads = self.threads().await.ok()?;
        threads.into_iter().find(|(id, _)| *id == thread).and_then(|(_, name)| name)
    }

    /// All threads with their names, in the adapter's order.
    pub(crate) async fn threads(&self) -> Result<Vec<(ThreadId, Option<String>)>, ReadError> {
        let answer = self.reader.client.request::<dap::request::Threads>(()).await?;
        let named = answer.threads.into_iter().map(|thread| {
            let id = ThreadId(thread.id);
            let name = Some(thread.name).filter(|name| !name.is_empty() && name != "<No name>");
            // adapters name it only in programs that they started themselves (vendor-notes.md)
            let first = (Some(id) == self.main_thread).then(|| "Main Thread".to_owned());
            (id, name.or(first))
        });
        Ok(named.collect())
    }

    /// The thread that is meant.
    pub(crate) async fn thread_of(&self, at: FrameRef) -> Result<ThreadId, SessionError> {
        let Some(asked) = at.thread else {
            return Ok(self.selected.map_or(self.thread, |(thread, _)| thread));
        };
        let threads = self.threads().await.map_err(|error| adapter_words(&error))?;
        if threads.iter().any(|(id, _)| *id == asked) {
            return Ok(asked);
        }
        let known: Vec<String> = threads.iter().take(8).map(|(id, _)| id.to_string()).collect();
        Err(SessionError::new(
            Code::InvalidThread,
            format!("no thread {asked}"),
            format!("call threads_list; known threads: {}", known.join(", ")),
        )
        .in_state(StateName::Stopped))
    }

    /// The frame that is meant: named, selected, else the first user frame of the thread.
    pub(crate) async fn frame(&self, at: FrameRef) -> Result<(ThreadId, Stack, StackFrame), SessionError> {
        let thread = self.thread_of(at).await?;
        let mut stack = self.stack(thread).await.map_err(|error| adapter_words(&error))?;
        let selected = self.selected.filter(|(of, _)| *of == thread && at.frame.is_none()).map(|(_, frame)| frame);
        let index = match at.frame.or(selected) {
            Some(index) => index,
            None => match stack.located().or(stack.frames.first()) {
                Some(frame) => frame.index,
                None => {
                    return Err(SessionError::new(
                        Code::InvalidFrame,
                        format!("thread {thread} has no user code on its stack"),
                        "threads_list shows which threads run user code; debug_step or debug_continue resumes",
                    )
                    .in_state(StateName::Stopped));
                }
            },
        };
        if stack.is_left(index) {
            let words = format!("frame {index} of thread {thread} is not in the call stack: an exception left it");
            return Err(SessionError::new(Code::InvalidFrame, words, "stacktrace_get lists the frames")
                .in_state(StateName::Stopped));
        }
        if stack.frame(index).is_none() && stack.total.is_none_or(|total| index < total) {
            // deeper than what was read
            if let Ok(deeper) = frames::read(&self.reader, thread, index, 1).await {
                stack.frames.extend(deeper.frames);
            }
        }
        match stack.frame(index).cloned() {
            Some(frame) => Ok((thread, stack, frame)),
            None => {
                let last =
                    stack.total.map(|total| total.saturating_sub(1)).or(stack.frames.last().map(|frame| frame.index));
                let hint = last.map_or("stacktrace_get lists the frames".to_owned(), |last| {
                    format!("use a frame from 0 to {last}")
                });
                Err(SessionError::new(Code::InvalidFrame, format!("thread {thread} has no frame {index}"), hint)
                    .in_state(StateName::Stopped))
            }
        }
    }

    /// A reader at the frame that is meant.
    pub(crate) async fn reader_at(&self, at: FrameRef) -> Result<Reader, SessionError> {
        let (_, _, frame) = self.frame(at).await?;
        Ok(self.reader.at(&frame))
    }
}

/// The adapter's words as an error of the surface.
pub(crate) fn adapter_words(error: &ReadError) -> SessionError {
    match error {
        ReadError::Refused(words) if words.ends_with(OUT_OF_TIME) => {
            SessionError::new(Code::EvaluationTimeout, words.clone(), "call again, or raise timeout_ms")
                .in_state(StateName::Stopped)
        }
        ReadError::Refused(words) => SessionError::new(
            Code::AdapterError,
            format!("the adapter rejected the request: {words}"),
            "debug_state shows where the program is",
        ),
        ReadError::Aborted(words) => SessionError::new(
            Code::EvaluationTimeout,
            format!("the called code did not return and was aborted: {words}"),
            "read fields instead (variables_get)",
        ),
        ReadError::Gone(words) => SessionError::new(
            Code::AdapterLost,
            words.clone(),
            "debug_state shows what happened; start the program again",
        )
        .in_state(StateName::NotAttached),
    }
}
