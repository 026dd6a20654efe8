//! From a `stopped` event to its report: whose breakpoint it is, whether it counts, and the facts.
//!
//! One job for each stop. It reads and decides; the actor applies. The race to remember: a stop may be one of ours that
//! the client must never see (a tracepoint, a hit that does not count), so nothing is reported before the verdict.

mod astray;
mod complete;
mod differing;
mod history;
mod initializing;
mod log_line;
mod pass;
mod returned;
mod verdict;
mod watches;

pub(crate) use complete::{Completed, complete, locals_again};
pub(crate) use history::{Code, Compared, FrameKey, History};
pub(crate) use log_line::ReadMessage;
pub(crate) use pass::{Origin, Position};
pub(crate) use verdict::{Hit, StopVerdict, reported};
pub(crate) use watches::watch_values;

use std::sync::Arc;

use astray::Astray;

use super::breakpoints::{Entry, Role, Stepping};
use super::context::StopContext;
use super::ids::ThreadId;
use super::inspect::Invocation;
use super::inspect::exception::{self, Thrown};
use super::report::ExceptionRule;
use super::spec::StepMode;
use super::stopped::Stopped;
use crate::dap;

/// What a report says of a step that was lost.
const LOST: &str = "the adapter lost track of the step out of an async method when this breakpoint was hit in another call; debug_run_to a line of the method that awaits it";

/// Threads that are looked at for user code after a pause.
const LOOKED_AT: usize = 64;

/// A step that the client asked for and that is not through.
#[derive(Debug, Clone)]
pub(crate) struct StepUnderWay {
    pub mode: StepMode,
    pub thread: ThreadId,
    /// Steps still to be made after this one.
    pub remaining: u32,
    /// Where this step began, if that is known.
    pub origin: Option<Origin>,
    /// We step out of a callee to come back to the origin.
    pub returning: bool,
    /// Of several steps one has left the frame where they began.
    pub strayed: bool,
    /// Steps out that were made because this one ended in no caller, see [`Astray`].
    pub outward: u8,
}

impl StepUnderWay {
    /// What the adapter is asked for.
    pub(crate) fn next_mode(&self) -> StepMode {
        if self.returning || self.outward > 0 { StepMode::Out } else { self.mode }
    }

    /// It is out of an `async` method that the framework has resumed: who awaits it is on no stack.
    pub(crate) fn leaves_to_nobody(&self) -> bool {
        let is_resumed = |origin: &Origin| origin.is_async && !origin.callers.iter().any(Position::has_line);
        self.mode == StepMode::Out && self.origin.as_ref().is_some_and(is_resumed)
    }

    /// It begins in what may be an `async` method.
    pub(crate) fn is_in_async(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.is_async)
    }

    /// Who goes on where it is out of an `async` method that did not wait yet.
    pub(crate) fn async_caller(&self) -> Option<&Position> {
        let origin = self.origin.as_ref().filter(|origin| origin.is_async)?;
        origin.callers.iter().find(|caller| caller.has_line())
    }

    /// The invocation that it steps in, if that may wait before the step ends: then it is on no stack.
    pub(crate) fn suspended(&self) -> Option<Invocation> {
        let invocation = self.origin.as_ref()?.invocation.clone()?;
        match self.mode {
            StepMode::Out => Some(invocation.until_its_end()),
            _ => Some(invocation).filter(|invocation| invocation.awaits || invocation.ends),
        }
    }
}

/// What the job needs beside the stop's context.
#[derive(Clone)]
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
    /// It is reported whatever it is, and for this reason.
    pub reported_as: Option<super::report::StopReason>,
    /// An earlier stop lapsed and no call came since: it is passed.
    pub is_unattended: bool,
    /// Lines that had a breakpoint of ours until just now: a queued stop there is nobody's.
    pub recently_removed: Vec<(String, u32)>,
}

/// What has to happen.
pub(crate) enum Onward {
    /// Tell it.
    Report(Box<Completed>),
    /// Go on; the client never hears of it.
    Continue,
    /// Go on, and count it: it would be reported if anybody were there.
    Pass,
    /// The same within a step, which the adapter has not forgotten.
    StepOn,
    /// The step is not through: this one follows.
    StepAgain(StepUnderWay),
    /// The step is not through, and no adapter can make the rest of it: it runs to the lines where it may end.
    RunToEnd(StepUnderWay, Stepping),
}

pub(crate) struct StopDecision {
    /// The thread that stopped.
    pub thread: ThreadId,
    pub hits: Vec<Hit>,
    pub onward: Onward,
}

/// Decides on a stop and, when it is to be reported, reads what a report shows.
pub(crate) async fn decide(mut question: StopInput) -> StopDecision {
    if question.stop.reason == dap::StopReason::Step
        && let Some(step) = &mut question.step
    {
        // behind an await it goes on where the continuation runs
        step.thread = question.stop.thread;
    }
    let is_pause = question.pausing && question.stop.reason == dap::StopReason::Pause;
    if (is_pause || question.reported_as == Some(super::report::StopReason::Pause)) && question.pause_of.is_none() {
        look_at_user_code(&mut question).await;
    }
    let thread = question.stop.thread;
    if let Some(reason) = question.reported_as {
        return StopDecision { thread, hits: Vec::new(), onward: report(&question, &StopVerdict::plain(reason)).await };
    }
    if question.stop.reason == dap::StopReason::Exception {
        return decide_exception(question).await;
    }
    let verdict = verdict::of(&question).await;
    let onward = match under_way(&question, &verdict).await {
        _ if !verdict.stops => on_with(&question, &verdict).await,
        Some(onward) if verdict.reason == super::report::StopReason::Step => onward,
        // one that was queued when another stop ended its step
        None if is_nobodys_step(&question, &verdict) => Onward::Continue,
        _ => report(&question, &verdict).await,
    };
    StopDecision { thread, hits: verdict.hits, onward }
}

fn is_nobodys_step(question: &StopInput, verdict: &StopVerdict) -> bool {
    let is_step = question.stop.reason == dap::StopReason::Step && verdict.reason == super::report::StopReason::Step;
    is_step && question.step.is_none()
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
        None => context.exception(question.stop.thread).await.ok(),
    };
    let counts = verdict::exception_counts(&question, thrown.as_ref());
    let verdict = StopVerdict::plain(super::report::StopReason::Exception);
    // the last of a program is read in any case
    let is_last = || thrown.as_ref().is_some_and(|thrown| thrown.exception.unhandled);
    let onward = if counts && question.is_unattended && !is_last() {
        Onward::Pass
    } else if counts {
        Onward::Report(Box::new(complete(&question, &verdict, thrown).await))
    } else {
        on_with(&question, &verdict).await
    };
    StopDecision { thread: question.stop.thread, hits: Vec::new(), onward }
}

/// The exception as far as it is wanted, where that needs no code of the program to run.
async fn announced(question: &StopInput) -> Option<Thrown> {
    let context = &question.context;
    let text = question.stop.text.as_deref().filter(|_| context.reader.quirks.stop_text_names_exception)?;
    let announced = exception::announced(text)?;
    if !verdict::exception_counts(question, Some(&announced)) {
        return Some(announced);
    }
    let stack = context.stack(question.stop.thread).await.ok()?;
    let reader = context.reader.at(stack.frames.first()?);
    let thrown = exception::load(&reader, &stack, &announced).await?;
    context.keep_exception(&thrown).await;
    Some(thrown)
}

async fn report(question: &StopInput, verdict: &StopVerdict) -> Onward {
    if question.is_unattended {
        return Onward::Pass;
    }
    Onward::Report(Box::new(complete(question, verdict, None).await))
}

/// A stop that ends a step, but not what the client asked for: it came back from a callee where a stop had cut it short, or
/// it is one of several.
async fn under_way(question: &StopInput, verdict: &StopVerdict) -> Option<Onward> {
    let ran_to_end = verdict.hits.iter().any(|hit| hit.role == Role::StepEnd);
    if question.stop.reason != dap::StopReason::Step && !ran_to_end {
        return None;
    }
    let step = StepUnderWay { thread: question.stop.thread, ..question.step.clone()? };
    // the invocation that is to be left was found again
    let leaves = ran_to_end && step.mode == StepMode::Out && step.suspended().is_some();
    if step.returning || leaves {
        return Some(on_with(question, &StopVerdict::plain(super::report::StopReason::Step)).await);
    }
    if verdict.reason == super::report::StopReason::Step
        && let Some(step) = way_back(question, &step).await
    {
        return Some(Onward::StepAgain(step));
    }
    (step.remaining > 0).then_some(())?;
    Some(next(question, &step).await)
}

/// The step out that comes back from where the step should not have ended.
async fn way_back(question: &StopInput, step: &StepUnderWay) -> Option<StepUnderWay> {
    let stack = question.context.stack(step.thread).await.ok()?;
    Astray::find(question, step, &stack)?.way_back(step)
}

/// The next of several steps begins where this one ended.
async fn next(question: &StopInput, step: &StepUnderWay) -> Onward {
    let origin = origin(question, step.thread).await;
    let modules = &question.context.reader.modules;
    let stayed = step.origin.as_ref().zip(origin.as_ref()).is_some_and(|(from, to)| from.may_lead(to, modules));
    let strayed = step.strayed || !stayed;
    Onward::StepAgain(StepUnderWay {
        remaining: step.remaining - 1,
        origin,
        returning: false,
        strayed,
        outward: 0,
        ..step.clone()
    })
}

async fn origin(question: &StopInput, thread: ThreadId) -> Option<Origin> {
    let context = &question.context;
    Origin::read(&context.reader, &context.stack(thread).await.ok()?).await
}

/// The program goes on; a step under way has to come to its own end, which most adapters have forgotten.
async fn on_with(question: &StopInput, verdict: &StopVerdict) -> Onward {
    let Some(mut step) = question.step.clone() else { return Onward::Continue };
    if question.context.reader.capabilities.supports_keep_step {
        return Onward::StepOn;
    }
    let again = |step: StepUnderWay, returning| Onward::StepAgain(StepUnderWay { returning, ..step });
    if let Some(invocation) = step.suspended() {
        let found = thread_of(question, &invocation, step.thread).await;
        if invocation.ends {
            // who takes its result is on no stack either
            return match found {
                Some(thread) => again(StepUnderWay { thread, ..step }, false),
                None => report_lost(question).await,
            };
        }
        match found {
            Some(thread) if step.mode == StepMode::Out => {
                let origin = origin(question, thread).await;
                return again(StepUnderWay { thread, origin, ..step }, false);
            }
            Some(thread) if moved_to(question, &step, thread).await => step.thread = thread,
            // also where it still is on the line: it may be about to wait, and be nowhere when the adapter has stepped
            _ => {
                let stepping = Stepping::Invocation(invocation);
                return Onward::RunToEnd(StepUnderWay { returning: false, strayed: true, ..step }, stepping);
            }
        }
    }
    let Some(origin) = &step.origin else { return again(step, false) };
    let Ok(stack) = question.context.stack(step.thread).await else { return again(step, false) };
    let here = Origin::of(&stack);
    let is_deeper = here.as_ref().is_some_and(|here| here.depth > origin.depth);
    // an adapter refuses to step from inside the framework, and does not come back to a static constructor
    let is_no_way_back = is_deeper && here.as_ref().is_some_and(Origin::is_in_initialization);
    if !stack.frames.first().is_some_and(|top| top.leads) || is_no_way_back && step.suspended().is_none() {
        let stepping = Stepping::Thread { id: step.thread, depth: origin.depth };
        return Onward::RunToEnd(StepUnderWay { returning: false, ..step }, stepping);
    }
    let Some(here) = here else { return again(step, false) };
    if is_deeper && step.suspended().is_none() {
        // inside a callee: out of it first
        return again(step, true);
    }
    let moved = match step.mode {
        StepMode::Out => here.depth < origin.depth,
        _ => {
            let (was, is) = (&origin.here, &here.here);
            is.line != was.line || is.raw_name != was.raw_name || here.depth != origin.depth
        }
    };
    if !moved {
        return again(step, false);
    }
    if let Some(step) = way_back(question, &step).await {
        return Onward::StepAgain(step);
    }
    // it is where the step would have ended
    if step.remaining > 0 {
        return next(question, &step).await;
    }
    let mut here = question.clone();
    here.stop.thread = step.thread;
    here.context.thread = step.thread;
    report(&here, &StopVerdict { reason: super::report::StopReason::Step, ..verdict.clone() }).await
}

/// Whether the thread is on another line than the step began on.
async fn moved_to(question: &StopInput, step: &StepUnderWay, thread: ThreadId) -> bool {
    let top = question.context.top(thread).await;
    step.origin.as_ref().zip(top).is_some_and(|(origin, top)| origin.here.line != top.line)
}

/// The step cannot be followed any more: the stop is reported, and why.
async fn report_lost(question: &StopInput) -> Onward {
    let verdict = StopVerdict::plain(super::report::StopReason::Step);
    let completed = complete(question, &verdict, None).await;
    Onward::Report(Box::new(Completed { step_note: Some(LOST.into()), ..completed }))
}

/// The thread at the top of whose stack an invocation is: the one that stopped, or the one that stepped.
async fn thread_of(question: &StopInput, invocation: &Invocation, stepped: ThreadId) -> Option<ThreadId> {
    let context = &question.context;
    for thread in [question.stop.thread, stepped] {
        if let Some(top) = context.top(thread).await
            && invocation.runs_in(&context.reader, &top).await
        {
            return Some(thread);
        }
    }
    None
}
