//! From a `stopped` event to what is told of it: whose breakpoint it is, whether it counts, and the facts of a report.
//!
//! One job for each stop. It reads and decides; the actor applies. The race to remember: a stop may be one of ours that
//! the client must never see (a tracepoint, a hit that does not count), so nothing is told before the verdict.

mod complete;
mod history;
mod verdict;

pub(crate) use complete::{Completed, complete, watch_values};
pub(crate) use history::{FrameKey, History};
pub(crate) use verdict::{Hit, Verdict};

use std::sync::Arc;

use super::breakpoints::Entry;
use super::context::StopContext;
use super::report::ExceptionRule;
use super::state::Stopped;
use crate::dap;

/// A step that the client asked for and that is not through.
#[derive(Debug, Clone)]
pub(crate) struct StepUnderWay {
    pub mode: super::spec::StepMode,
    pub thread: super::ids::ThreadId,
    /// Steps still to be made after this one.
    pub remaining: u32,
    /// Depth and line where this step began, where they are known.
    pub origin: Option<Origin>,
    /// We stepped out of a callee to come back to the origin.
    pub returning: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    pub depth: usize,
    pub line: u32,
    pub raw_name: String,
}

/// What the job needs beside the stop's context.
pub(crate) struct Question {
    pub context: StopContext,
    pub stop: Stopped,
    pub entries: Arc<Vec<Entry>>,
    /// Entries whose condition the adapter did not decide.
    pub undecided: Vec<usize>,
    /// Adapter ids of our entries, by position.
    pub adapter_ids: Vec<Option<i64>>,
    pub exceptions: Option<ExceptionRule>,
    pub step: Option<StepUnderWay>,
    pub watches: Vec<String>,
    /// A debug_pause is under way.
    pub pausing: bool,
    /// Lines that had a breakpoint of ours until just now: a queued stop there is nobody's.
    pub ghosts: Vec<(String, u32)>,
}

/// What has to happen.
pub(crate) enum Outcome {
    /// Tell it.
    Tell(Box<Completed>),
    /// Go on; the client never hears of it.
    Continue,
    /// The step is not through: go on in this way on this thread.
    StepAgain { mode: super::spec::StepMode, thread: super::ids::ThreadId, returning: bool },
}

pub(crate) struct Decided {
    pub hits: Vec<Hit>,
    pub outcome: Outcome,
}

/// Decides on a stop and, when it is to be told, reads what a report tells.
pub(crate) async fn decide(question: Question) -> Decided {
    let exception = question.stop.reason == dap::StopReason::Exception;
    if exception {
        return decide_exception(question).await;
    }
    if let Some(again) = next_of_count(&question) {
        return Decided { hits: Vec::new(), outcome: again };
    }
    let verdict = verdict::of(&question).await;
    let outcome = if verdict.stops {
        Outcome::Tell(Box::new(complete(&question, &verdict, None).await))
    } else {
        on_with(&question, &verdict).await
    };
    Decided { hits: verdict.hits, outcome }
}

async fn decide_exception(question: Question) -> Decided {
    let context = &question.context;
    let thrown = super::inspect::exception::read(&context.reader, &context.sources, question.stop.thread).await.ok();
    let told = verdict::exception_counts(&question, thrown.as_ref());
    let verdict = Verdict::plain(super::report::StopReason::Exception);
    let outcome = if told {
        Outcome::Tell(Box::new(complete(&question, &verdict, thrown).await))
    } else {
        on_with(&question, &verdict).await
    };
    Decided { hits: Vec::new(), outcome }
}

/// A step of several that ended as a step: the next one, unread.
fn next_of_count(question: &Question) -> Option<Outcome> {
    let step = question.step.as_ref().filter(|step| step.remaining > 0 && !step.returning)?;
    let ended = question.stop.reason == dap::StopReason::Step && question.stop.thread == step.thread;
    ended.then_some(Outcome::StepAgain { mode: step.mode, thread: step.thread, returning: false })
}

/// The program goes on; a step under way has to come to its own end, which the adapter has forgotten.
async fn on_with(question: &Question, verdict: &Verdict) -> Outcome {
    let Some(step) = &question.step else { return Outcome::Continue };
    let Some(origin) = &step.origin else { return Outcome::Continue };
    let context = &question.context;
    let Ok(stack) = context.stack(step.thread).await else { return Outcome::Continue };
    let depth = stack.total.unwrap_or(stack.frames.len());
    let again = |mode, returning| Outcome::StepAgain { mode, thread: step.thread, returning };
    if depth > origin.depth {
        // inside a callee: out of it first
        return again(super::spec::StepMode::Out, true);
    }
    let here = stack.frames.first();
    let moved = here.is_none_or(|top| top.line != origin.line || top.raw_name != origin.raw_name);
    if moved && question.stop.thread == step.thread {
        // it is where the step would have ended
        let told = Verdict { reason: super::report::StopReason::Step, ..verdict.clone() };
        return Outcome::Tell(Box::new(complete(question, &told, None).await));
    }
    again(step.mode, false)
}
