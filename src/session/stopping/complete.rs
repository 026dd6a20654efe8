//! The facts of a stop report, read in one pipelined batch within a budget.

use super::astray::{self, Astray};
use super::history::{FrameKey, Moment};
use super::initializing;
use super::returned;
use super::watches::watch_values;
use super::{Origin, Position, StopInput, StopVerdict};
use crate::dap;
use crate::session::breakpoints::Role;
use crate::session::context::StopContext;
use crate::session::ids::{BreakpointId, EventSeq, ThreadId};
use crate::session::inspect::exception::Thrown;
use crate::session::inspect::frames::Stack;
use crate::session::inspect::stack_frame::StackFrame;
use crate::session::inspect::{ReadError, locals};
use crate::session::modules::{Accessor, CallSite};
use crate::session::report::{Exception, Frame, Location, Stop, StopReason, StopValues, Variable};
use crate::session::spec::StepMode;

/// User frames below `location` that a report shows.
const STACK: usize = 5;

/// Everything that is known of a stop that is reported.
#[derive(Debug, Clone)]
pub(crate) struct Completed {
    pub reason: StopReason,
    pub thread: ThreadId,
    pub thread_name: Option<String>,
    pub location: Option<Location>,
    pub breakpoint_ids: Vec<u32>,
    /// Of each of them, this hit included.
    pub hit_counts: Vec<u64>,
    pub exception: Option<Exception>,
    /// Reading the exception left the program in doubt, see [`Thrown::hung`].
    pub exception_hung: bool,
    pub locals: Vec<Variable>,
    pub more_locals: usize,
    pub watches: Vec<Variable>,
    /// What the calls of the step returned, under their functions.
    pub returned: Vec<Variable>,
    pub has_more_returned: bool,
    pub stack: Vec<Frame>,
    pub external_frames: usize,
    pub more_frames: usize,
    /// The user's async methods that wait for what was resumed.
    pub awaited_by: Vec<Frame>,
    /// Of them beyond those.
    pub more_awaiting: usize,
    /// What to say of that number.
    pub uncounted: Option<String>,
    /// The located frame over several stops.
    pub moment: Option<Moment>,
    /// The file of `location`, where it was edited after the build.
    pub edited: Option<String>,
    /// Where a step from here begins.
    pub origin: Option<Origin>,
    /// The step on this other thread was cut short.
    pub cut_short: Option<ThreadId>,
    /// The frames are those of the exception's first throw, and the thread has none of its own to show.
    pub is_trace: bool,
    /// Why the locals were not read, in the adapter's words.
    pub unread: Option<String>,
    /// What the step that ended here could not do.
    pub step_note: Option<String>,
    /// Accessors that a step in passed.
    pub passed: Option<Passed>,
}

impl Completed {
    /// The first of the locals, and how many more there are.
    pub(crate) fn shown_locals(&self) -> StopValues {
        let shown: Vec<_> = self.locals.iter().take(locals::SHOWN).cloned().collect();
        let more = self.more_locals + self.locals.len() - shown.len();
        StopValues::Locals(shown, more)
    }

    /// All that was read, whatever was reported to clients before.
    pub(crate) fn stop(&self, seq: EventSeq) -> Stop {
        Stop {
            reason: self.reason,
            seq,
            thread: Some((self.thread, self.thread_name.clone())),
            location: self.location.clone(),
            breakpoint_ids: self.breakpoint_ids.iter().copied().map(BreakpointId).collect(),
            hit_counts: self.hit_counts.clone(),
            exception: self.exception.clone(),
            values: self.shown_locals(),
            watches: self.watches.clone(),
            returned: self.returned.clone(),
            has_more_returned: self.has_more_returned,
            stack: self.stack.clone(),
            external_frames: self.external_frames,
            more_frames: self.more_frames,
            awaited_by: self.awaited_by.clone(),
            more_awaiting: self.more_awaiting,
        }
    }
}

/// The thread whose step this stop on another one ended. An async method may go on there: that is no other code.
fn cut_short(question: &StopInput, verdict: &StopVerdict, stack: &Stack) -> Option<ThreadId> {
    let step = question.step.as_ref()?;
    let goes_on = stack.frames.first().is_some_and(|top| {
        top.kind.as_deref() == Some("async")
            && step.origin.as_ref().is_some_and(|from| from.here.raw_name == top.raw_name)
    });
    let other = step.thread != question.stop.thread && verdict.reason != StopReason::Step;
    (other && !goes_on).then_some(step.thread)
}

pub(crate) async fn complete(question: &StopInput, verdict: &StopVerdict, thrown: Option<Thrown>) -> Completed {
    let context = &question.context;
    let thread = question.stop.thread;
    let frame = async {
        let stack = context.stack(thread).await.unwrap_or_default();
        let reader = stack.located().map(|frame| context.reader.at(frame));
        let returned = match &reader {
            Some(reader) if reader.capabilities.supports_clr_returned => {
                returned::values(reader, &question.stop.returned.0).await
            }
            _ => Vec::new(),
        };
        let (locals, watches, unread) = match &reader {
            Some(reader) => {
                let open = stack.located().map(|frame| locals::unassigned(reader, frame)).unwrap_or_default();
                let (locals, watches) = futures::join!(
                    locals::read(reader, locals::COMPARED, &open),
                    watch_values(reader, &question.watches)
                );
                match locals {
                    Ok(locals) => (locals, watches, None),
                    // a recording has what was asked when it was made, and nothing of the program
                    Err(ReadError::Refused(words)) if words == crate::transport::replay::UNKNOWN => {
                        ((Vec::new(), 0), watches, None)
                    }
                    Err(ReadError::Refused(words)) => ((Vec::new(), 0), watches, Some(words)),
                    Err(_) => ((Vec::new(), 0), watches, None),
                }
            }
            None => ((Vec::new(), 0), Vec::new(), None),
        };
        (stack, locals, watches, returned, unread)
    };
    let ((stack, locals, watches, returned, unread), name) = futures::join!(frame, context.thread_name(thread));
    let located = stack.located().cloned();
    let (frames, external_frames, more_frames) = stack.below(&context.sources, STACK);
    let (awaited_by, more_awaiting) = stack.awaited_by(&context.sources, false, STACK);
    let stopping: Vec<_> = verdict.hits.iter().filter(|hit| hit.stops && hit.role == Role::User).collect();
    let total = |id: BreakpointId| question.entries.iter().find(|entry| entry.id == id).map(|entry| entry.hits.total());
    let hit_counts = || stopping.iter().map(|hit| total(hit.id).unwrap_or(0)).collect();
    let reported =
        matches!(verdict.reason, StopReason::Breakpoint | StopReason::FunctionBreakpoint | StopReason::RunTo);
    Completed {
        reason: verdict.reason,
        thread,
        thread_name: name,
        location: stack.location(&context.sources),
        edited: located.as_ref().and_then(|frame| frame.path.clone()).filter(|path| context.sources.is_edited(path)),
        breakpoint_ids: if reported { stopping.iter().map(|hit| hit.id.0).collect() } else { Vec::new() },
        hit_counts: if reported { hit_counts() } else { Vec::new() },
        exception_hung: thrown.as_ref().is_some_and(|thrown| thrown.hung),
        exception: thrown.map(|thrown| own_place(thrown.exception, &stack, context)),
        locals: locals.0,
        more_locals: locals.1,
        watches,
        has_more_returned: question.stop.returned.1,
        stack: frames,
        external_frames,
        more_frames,
        awaited_by,
        more_awaiting,
        uncounted: stack.uncounted_note(),
        moment: located.as_ref().map(|frame| moment(frame, &stack, question, verdict)),
        origin: origin(question, &stack).await,
        cut_short: cut_short(question, verdict, &stack),
        is_trace: stack.is_trace,
        unread,
        passed: passed_accessors(question, verdict, &stack, &returned),
        step_note: one_of_many(question, verdict)
            .or_else(|| in_filter(question, verdict, &stack))
            .or_else(|| passed_over(question, verdict, &stack))
            .or_else(|| initializing::left_behind(question, verdict, &stack))
            .or_else(|| not_back(question, verdict, &stack))
            .or_else(|| left_too(question, verdict, &stack)),
        returned,
    }
}

/// The locals that the stop compared, as they are by now.
pub(crate) async fn locals_again(context: &StopContext) -> Vec<Variable> {
    let Ok(stack) = context.stack(context.thread).await else { return Vec::new() };
    let Some(frame) = stack.located() else { return Vec::new() };
    let read =
        locals::read(&context.reader.at(frame), locals::COMPARED, &locals::unassigned(&context.reader, frame)).await;
    read.map(|(locals, _)| locals).unwrap_or_default()
}

/// The adapter lost the step, and the call that goes on here looks like others.
fn one_of_many(question: &StopInput, verdict: &StopVerdict) -> Option<String> {
    verdict.hits.iter().find(|hit| hit.role == Role::StepEnd)?;
    question.step.as_ref()?.suspended().filter(|invocation| !invocation.is_distinct())?;
    Some("this may be another call of the same method: the adapter lost track of the step when another breakpoint was hit during the await, and no local variable tells the calls apart".into())
}

/// It ended in the `when` of a `catch`: what it left may be on the stack still, and its `finally` blocks to come.
fn in_filter(question: &StopInput, verdict: &StopVerdict, stack: &Stack) -> Option<String> {
    let step = question.step.as_ref().filter(|_| verdict.reason == StopReason::Step && !stack.is_trace)?;
    let (origin, here) = (step.origin.as_ref()?, stack.frames.first()?);
    let modules = &question.context.reader.modules;
    let place = (here.line, here.column);
    // nothing else brings a step there with the frame that it began in below
    let begins = stack.depth() > origin.depth && modules.is_before_filter(here.path.as_deref()?, place);
    let has_stayed = stack.depth() == origin.depth && here.raw_name == origin.here.raw_name;
    if has_stayed || !begins && !modules.is_in_filter(here.path.as_deref()?, place) {
        return None;
    }
    let function = modules.describe_frame(&here.raw_name, None).function;
    let shown = if begins { "; the adapter shows the statement before it" } else { "" };
    Some(format!(
        "this is the filter of a `catch … when` in {function}: the exception is not caught yet, and no finally block has run since it was thrown{shown}"
    ))
}

/// It ended in no caller, and no step out of there led to one.
fn not_back(question: &StopInput, verdict: &StopVerdict, stack: &Stack) -> Option<String> {
    let step = question.step.as_ref().filter(|_| verdict.reason == StopReason::Step)?;
    Astray::find(question, step, stack).map(|_| astray::NOTE.to_owned())
}

/// Where a step from here begins.
async fn origin(question: &StopInput, stack: &Stack) -> Option<Origin> {
    let origin = Origin::read(&question.context.reader, stack).await?;
    let from = question.step.as_ref().and_then(|step| step.origin.as_ref());
    Some(Origin { is_behind_call: from.is_some_and(|from| from.returns_to(&origin)), ..origin })
}

/// A caller that it came back to, and that has no statement behind the call: adapters step on until they find one.
fn left_too(question: &StopInput, verdict: &StopVerdict, stack: &Stack) -> Option<String> {
    let reader = &question.context.reader;
    let step = question.step.as_ref().filter(|step| verdict.reason == StopReason::Step && step.outward == 0)?;
    let origin = step.origin.as_ref().filter(|origin| origin.here.has_line() && !origin.is_async)?;
    if stack.is_trace || reader.capabilities.supports_keep_step {
        return None;
    }
    let nearest = origin.callers.iter().position(Position::has_line)?;
    let caller = origin.callers.get(nearest)?;
    let here = stack.frames.first().filter(|here| here.leads)?;
    let has_left = stack.depth() + nearest + 1 < origin.depth;
    let is_last = |at: &Position| {
        reader.modules.statement(at.path.as_deref()?, at.line, at.column).map(|statement| statement.is_last)
    };
    let is_handled = reader.modules.is_in_handler(here.path.as_deref()?, (here.line, here.column));
    if !has_left || is_handled || is_last(caller) != Some(true) {
        return None;
    }
    let name = reader.modules.describe_frame(&caller.raw_name, None);
    let function = format!("{} {}", name.kind, name.function);
    let function = function.trim();
    Some(format!("the step left {function} too: it has no statement after the call where this adapter could stop"))
}

/// What a step in could not enter, for want of symbols.
fn passed_over(question: &StopInput, verdict: &StopVerdict, stack: &Stack) -> Option<String> {
    let step = question.step.as_ref().filter(|step| step.mode == StepMode::In && !step.returning)?;
    let origin = step.origin.as_ref().filter(|_| verdict.reason == StopReason::Step)?;
    // which calls of its statement were left is not known
    if origin.is_behind_call {
        return None;
    }
    let has_entered = stack.total.unwrap_or(stack.frames.len()) > origin.depth;
    let path = origin.here.path.as_deref().filter(|_| !has_entered)?;
    let calls = question.context.reader.modules.calls_without_symbols(path, (origin.here.line, origin.here.column));
    let (last, more) = (calls.first()?, calls.len() - 1);
    let and_more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(format!("stepped over {last}{and_more}: no symbols"))
}

/// Code with a source that a step in does not enter.
#[derive(Debug, Clone)]
pub(crate) struct Passed {
    /// File and line of the statement.
    pub at: (String, u32),
    pub words: String,
}

/// Properties, indexers and operators that a step in has not entered, as adapters step over them.
fn passed_accessors(
    question: &StopInput,
    verdict: &StopVerdict,
    stack: &Stack,
    returned: &[Variable],
) -> Option<Passed> {
    const SHOWN: usize = 3;
    let step = question.step.as_ref().filter(|step| step.mode == StepMode::In && !step.returning)?;
    let origin = step.origin.as_ref().filter(|_| verdict.reason == StopReason::Step)?;
    let has_entered = stack.total.unwrap_or(stack.frames.len()) > origin.depth;
    let path = origin.here.path.clone().filter(|_| !has_entered)?;
    let accessors = question.context.reader.modules.accessors_at(&path, (origin.here.line, origin.here.column));
    let has_run = |name: &String| returned.iter().any(|it| it.name == *name);
    let (ran, open): (Vec<&Accessor>, Vec<&Accessor>) =
        accessors.iter().partition(|it| it.is_certain || has_run(&it.name));
    let first = ran.first().or(open.first())?;
    let listed = |all: &[&Accessor]| {
        let names: Vec<&str> = all.iter().take(SHOWN).map(|it| it.name.as_str()).collect();
        let more = all.len().saturating_sub(SHOWN);
        let and_more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!names.is_empty()).then(|| format!("{}{and_more}", names.join(", ")))
    };
    let may_have_run = listed(&open).map(|names| format!("{names} may have run"));
    let names: Vec<String> = listed(&ran).into_iter().chain(may_have_run).collect();
    let words = format!(
        "step in does not enter properties and operators ({}): to stop in one, set a function breakpoint, such as {}",
        names.join("; "),
        first.function
    );
    Some(Passed { at: (path, origin.here.line), words })
}

/// What distinguishes this call from others of the same function.
fn moment(frame: &StackFrame, stack: &Stack, question: &StopInput, verdict: &StopVerdict) -> Moment {
    let below = stack.frames.iter().filter(|other| other.index > frame.index);
    let key = FrameKey {
        thread: question.stop.thread,
        raw_name: frame.raw_name.clone(),
        depth: stack.total.and_then(|total| total.checked_sub(frame.index)),
        callers: below.map(call_site).collect(),
    };
    let is_step = question.stop.reason == dap::StopReason::Step || verdict.reason == StopReason::Step;
    let stepped = is_step && question.step.as_ref().is_some_and(|step| !step.strayed);
    let left = is_step && question.step.as_ref().is_some_and(|step| step.mode == StepMode::Out);
    Moment { key, path: frame.path.clone(), place: (frame.line, frame.column), stepped, left }
}

fn call_site(frame: &StackFrame) -> CallSite {
    CallSite { function: frame.raw_name.clone(), path: frame.path.clone(), place: (frame.line, frame.column) }
}

/// `at` of the outer exception is `location`: reported once.
fn own_place(mut exception: Exception, stack: &Stack, context: &StopContext) -> Exception {
    let here = stack.located().map(|frame| crate::session::inspect::frames::at(frame, &context.sources));
    if exception.at == here {
        exception.at = None;
    }
    exception
}
