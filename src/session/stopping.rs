//! From a `stopped` event to its report: whose breakpoint it is, whether it counts, and the facts.
//!
//! One job for each stop. It reads and decides; the actor applies. The race to remember: a stop may be one of ours that
//! the client must never see (a tracepoint, a hit that does not count), so nothing is reported before the verdict.

mod complete;
mod history;
mod pass;
mod verdict;

pub(crate) use complete::{Completed, complete, watch_values};
pub(crate) use history::{Code, Compared, FrameKey, History};
pub(crate) use pass::Origin;
pub(crate) use verdict::{Hit, Verdict, reported};

use std::sync::Arc;

use super::breakpoints::Entry;
use super::context::StopContext;
use super::ids::ThreadId;
use super::inspect::exception::{self, Thrown};
use super::report::ExceptionRule;
use super::state::Stopped;
use crate::dap;

/// Threads that are looked at for user code after a pause.
const LOOKED_AT: usize = 64;

/// A step that the client asked for and that is not through.
#[derive(Debug, Clone)]
pub(crate) struct StepUnderWay {
    pub mode: super::spec::StepMode,
    pub thread: super::ids::ThreadId,
    /// Steps still to be made after this one.
    pub remaining: u32,
    /// Where this step began, if that is known.
    pub origin: Option<Origin>,
    /// We step out of a callee to come back to the origin.
    pub returning: bool,
    /// Of several steps one has left the frame where they began.
    pub strayed: bool,
}

impl StepUnderWay {
    /// What the adapter is asked for.
    pub(crate) fn next_mode(&self) -> super::spec::StepMode {
        if self.returning { super::spec::StepMode::Out } else { self.mode }
    }
}

/// What the job needs beside the stop's context.
pub(crate) struct StopInput {
    pub context: StopContext,
    pub stop: Stopped,
    /// When the adapter said so.
    pub began: tokio::time::Instant,
    pub entries: Arc<Vec<Entry>>,
    /// Entries whose condition the adapter did not decide.
    pub undecided: Vec<usize>,
    /// Adapter ids of our entries, by position.
    pub adapter_ids: Vec<Vec<i64>>,
    pub exceptions: Option<ExceptionRule>,
    pub step: Option<StepUnderWay>,
    pub watches: Vec<String>,
    /// A debug_pause is under way.
    pub pausing: bool,
    /// The thread that it named.
    pub pause_of: Option<ThreadId>,
    /// A pause of ours is under way, which nobody is to hear of.
    pub quiet: bool,
    /// It is told whatever it is, and for this reason.
    pub told_as: Option<super::report::StopReason>,
    /// Lines that had a breakpoint of ours until just now: a queued stop there is nobody's.
    pub recently_removed: Vec<(String, u32)>,
}

/// What has to happen.
pub(crate) enum Outcome {
    /// Tell it.
    Tell(Box<Completed>),
    /// Go on; the client never hears of it.
    Continue,
    /// The step is not through: this one follows.
    StepAgain(StepUnderWay),
}

pub(crate) struct StopDecision {
    /// The thread that stopped.
    pub thread: ThreadId,
    pub hits: Vec<Hit>,
    pub outcome: Outcome,
}

/// Decides on a stop and, when it is to be told, reads what a report tells.
pub(crate) async fn decide(mut question: StopInput) -> StopDecision {
    if question.stop.reason == dap::StopReason::Step
        && let Some(step) = &mut question.step
    {
        // behind an await it goes on where the continuation runs
        step.thread = question.stop.thread;
    }
    let is_pause = question.pausing && question.stop.reason == dap::StopReason::Pause;
    if (is_pause || question.told_as == Some(super::report::StopReason::Pause)) && question.pause_of.is_none() {
        look_at_user_code(&mut question).await;
    }
    let thread = question.stop.thread;
    if let Some(reason) = question.told_as {
        return StopDecision { thread, hits: Vec::new(), outcome: tell(&question, &Verdict::plain(reason)).await };
    }
    if question.stop.reason == dap::StopReason::Exception {
        return decide_exception(question).await;
    }
    let verdict = verdict::of(&question).await;
    let outcome = match under_way(&question).await {
        _ if !verdict.stops => on_with(&question, &verdict).await,
        Some(outcome) if verdict.reason == super::report::StopReason::Step => outcome,
        _ => tell(&question, &verdict).await,
    };
    StopDecision { thread, hits: verdict.hits, outcome }
}

/// A pause stops all threads, and the one that the adapter names may be anywhere: the report is of one with user code.
async fn look_at_user_code(question: &mut StopInput) {
    let context = &question.context;
    let has_code = async |thread| context.stack(thread).await.is_ok_and(|stack| stack.located().is_some());
    if has_code(question.stop.thread).await {
        return;
    }
    for (thread, _) in context.threads().await.unwrap_or_default().into_iter().take(LOOKED_AT) {
        if has_code(thread).await {
            question.stop.thread = thread;
            question.context.thread = thread;
            return;
        }
    }
}

async fn decide_exception(question: StopInput) -> StopDecision {
    let context = &question.context;
    let thrown = match announced(&question).await {
        Some(thrown) => Some(thrown),
        None => exception::read(&context.reader, &context.sources, question.stop.thread).await.ok(),
    };
    let told = verdict::exception_counts(&question, thrown.as_ref());
    let verdict = Verdict::plain(super::report::StopReason::Exception);
    let outcome = if told {
        Outcome::Tell(Box::new(complete(&question, &verdict, thrown).await))
    } else {
        on_with(&question, &verdict).await
    };
    StopDecision { thread: question.stop.thread, hits: Vec::new(), outcome }
}

/// The exception as far as it is wanted, where that needs no code of the program to run.
async fn announced(question: &StopInput) -> Option<Thrown> {
    let context = &question.context;
    let text = question.stop.text.as_deref().filter(|_| context.reader.quirks.stop_text_tells_exception)?;
    let announced = exception::announced(text)?;
    if !verdict::exception_counts(question, Some(&announced)) {
        return Some(announced);
    }
    let stack = context.stack(question.stop.thread).await.ok()?;
    let reader = context.reader.at(stack.frames.first()?);
    exception::load(&reader, &stack, &announced).await
}

async fn tell(question: &StopInput, verdict: &Verdict) -> Outcome {
    Outcome::Tell(Box::new(complete(question, verdict, None).await))
}

/// A step that ended as one, but is not the end of what the client asked for: it came back from a callee where a stop
/// had cut it short, or it is one of several.
async fn under_way(question: &StopInput) -> Option<Outcome> {
    let step = question.step.as_ref()?;
    if question.stop.reason != dap::StopReason::Step {
        return None;
    }
    if step.returning {
        let verdict = Verdict::plain(super::report::StopReason::Step);
        return Some(on_with(question, &verdict).await);
    }
    (step.remaining > 0).then_some(())?;
    Some(next(question, step).await)
}

/// The next of several steps begins where this one ended.
async fn next(question: &StopInput, step: &StepUnderWay) -> Outcome {
    let origin = question.context.stack(step.thread).await.ok().and_then(|stack| Origin::of(&stack));
    let modules = &question.context.reader.modules;
    let stayed = step.origin.as_ref().zip(origin.as_ref()).is_some_and(|(from, to)| from.may_lead(to, modules));
    let strayed = step.strayed || !stayed;
    Outcome::StepAgain(StepUnderWay {
        remaining: step.remaining - 1,
        origin,
        returning: false,
        strayed,
        ..step.clone()
    })
}

/// The program goes on; a step under way has to come to its own end, which the adapter has forgotten.
async fn on_with(question: &StopInput, verdict: &Verdict) -> Outcome {
    let Some(step) = &question.step else { return Outcome::Continue };
    let again = |returning| Outcome::StepAgain(StepUnderWay { returning, ..step.clone() });
    let Some(origin) = &step.origin else { return again(false) };
    let Ok(stack) = question.context.stack(step.thread).await else { return again(false) };
    let Some(here) = Origin::of(&stack) else { return again(false) };
    if here.depth > origin.depth {
        // inside a callee: out of it first
        return again(true);
    }
    let moved = match step.mode {
        super::spec::StepMode::Out => here.depth < origin.depth,
        _ => {
            let (was, is) = (&origin.here, &here.here);
            is.line != was.line || is.raw_name != was.raw_name || here.depth != origin.depth
        }
    };
    if !moved || question.stop.thread != step.thread {
        return again(false);
    }
    // it is where the step would have ended
    if step.remaining > 0 {
        return next(question, step).await;
    }
    tell(question, &Verdict { reason: super::report::StopReason::Step, ..verdict.clone() }).await
}
