//! Whose breakpoint was hit, and whether the hit counts: conditions and counts that adapters do not support, tracepoints,
//! temporary and run-to breakpoints.

mod hits;

use super::watches::watch_values;
use super::{StopInput, log_line};
use crate::dap;
use crate::session::breakpoints::log_message::{self, Part};
use crate::session::breakpoints::{Entry, Role, Target, condition_counts};
use crate::session::error::Code;
use crate::session::ids::BreakpointId;
use crate::session::inspect::evaluate;
use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::exception::Thrown;
use crate::session::inspect::specifiers::Specified;
use crate::session::inspect::stack_frame::StackFrame;
use crate::session::inspect::{Reader, literal};
use crate::session::report::{ExceptionMode, StopReason};

/// One entry that was hit, its condition being true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    pub id: BreakpointId,
    pub role: Role,
    /// A tracepoint's line of text.
    pub log: Option<String>,
    /// The program stops for it.
    pub stops: bool,
    /// What the evaluator said of a condition that it could not evaluate.
    pub condition_error: Option<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct StopVerdict {
    pub reason: StopReason,
    pub stops: bool,
    pub hits: Vec<Hit>,
}

impl StopVerdict {
    pub(crate) fn plain(reason: StopReason) -> Self {
        Self { reason, stops: true, hits: Vec::new() }
    }
}

pub(crate) async fn of(question: &StopInput) -> StopVerdict {
    let entries = hits::entries(question).await;
    // where a step ends, the adapter that names no breakpoint judged none
    let is_unjudged = question.stop.reason == dap::StopReason::Step && question.stop.hit.ids.is_empty();
    let is_undecided = |at: &usize| {
        let entry = question.entries.get(*at);
        let has_condition = || entry.is_some_and(|entry| entry.spec.condition.is_some());
        let is_counted = || entry.is_some_and(|entry| is_counted(question, entry));
        (question.undecided.contains(at) || is_unjudged && has_condition()) && !is_counted()
    };
    let is_read = |at: &usize| is_undecided(at) || question.entries.get(*at).is_some_and(|entry| entry.log.is_some());
    let reader = match entries.iter().any(is_read) {
        true => top_frame(question).await.map(|top| question.context.reader.at(&top)),
        false => None,
    };
    let mut hits = Vec::new();
    for at in entries {
        let Some(entry) = question.entries.get(at) else { continue };
        let undecided = is_undecided(&at);
        let hit = weigh(question, entry, undecided, reader.as_ref()).await;
        if (undecided || entry.is_emulated()) && !is_counted(question, entry) {
            entry.condition_counts.took(question.began.elapsed());
        }
        hits.extend(hit);
    }
    let ours = !hits.is_empty();
    let by_breakpoint = matches!(
        question.stop.reason,
        dap::StopReason::Breakpoint | dap::StopReason::FunctionBreakpoint | dap::StopReason::Entry
    );
    let stopping = || hits.iter().filter(|hit| hit.stops);
    let reason = match &question.stop.reason {
        dap::StopReason::Entry => StopReason::EntryPoint,
        dap::StopReason::Step if stopping().next().is_none() => StopReason::Step,
        dap::StopReason::Pause if question.pausing => StopReason::Pause,
        dap::StopReason::Pause => StopReason::DebuggerBreak,
        _ if stopping().any(|hit| hit.role == Role::User) => user_reason(question, &hits),
        _ if stopping().any(|hit| hit.role == Role::RunTo) => StopReason::RunTo,
        _ if stopping().any(|hit| hit.role == Role::StepEnd) => StopReason::Step,
        _ if stopping().any(|hit| hit.role == Role::Entry) => StopReason::EntryPoint,
        _ => StopReason::Breakpoint,
    };
    // a stop that is no breakpoint's is reported whatever lies on its line
    let stops = match by_breakpoint {
        false => !(question.quiet && question.stop.reason == dap::StopReason::Pause),
        true if ours => stopping().next().is_some(),
        true => question.stop.reason == dap::StopReason::Entry || !is_ours_to_drop(question).await,
    };
    StopVerdict { reason, stops, hits }
}

/// Whether the stop may turn out to be one that nobody hears of.
fn is_judged_here(question: &StopInput) -> bool {
    let judged = |(at, entry): (usize, &Entry)| {
        entry.spec.enabled
            && (entry.log.is_some()
                || entry.hit_condition.is_some()
                || matches!(entry.target, Target::Function(_))
                || entry.stepping.is_some()
                || question.undecided.contains(&at))
    };
    question.entries.iter().enumerate().any(judged)
}

/// The adapter's word for a stop of which nothing else is known.
pub(crate) fn reported(reason: &dap::StopReason) -> StopReason {
    match reason {
        dap::StopReason::Step => StopReason::Step,
        dap::StopReason::Pause => StopReason::Pause,
        dap::StopReason::Entry => StopReason::EntryPoint,
        dap::StopReason::Exception => StopReason::Exception,
        dap::StopReason::FunctionBreakpoint => StopReason::FunctionBreakpoint,
        _ => StopReason::Breakpoint,
    }
}

fn user_reason(question: &StopInput, hits: &[Hit]) -> StopReason {
    let function = hits.iter().filter(|hit| hit.stops && hit.role == Role::User).all(|hit| {
        question
            .entries
            .iter()
            .any(|entry| entry.id == hit.id && entry.role == Role::User && matches!(entry.target, Target::Function(_)))
    });
    if function { StopReason::FunctionBreakpoint } else { StopReason::Breakpoint }
}

/// A breakpoint stop where none of ours counts: one whose condition turned out false here, or that is gone by now.
async fn is_ours_to_drop(question: &StopInput) -> bool {
    if !hits::entries(question).await.is_empty() {
        return true;
    }
    let Some(top) = top_frame(question).await else { return false };
    let ghost = top
        .path
        .as_deref()
        .is_some_and(|path| question.recently_removed.iter().any(|ghost| ghost.0 == path && ghost.1 == top.line));
    let near =
        || question.entries.iter().any(|entry| entry.spec.enabled && entry.methods.is_near(&top, hits::same_path));
    (ghost || near()) && !question.pausing
}

async fn top_frame(question: &StopInput) -> Option<StackFrame> {
    let thread = question.stop.thread;
    if !is_judged_here(question) {
        // it is reported: its whole stack in one request, of which `top` knows then
        drop(question.context.stack(thread).await);
    }
    question.context.top(thread).await
}

/// Whether the adapter counted the hit: then its condition was true, and its hit condition holds.
fn is_counted(question: &StopInput, entry: &Entry) -> bool {
    question.stop.hit.counted.iter().any(|count| entry.hits.is_counted_in(count))
}

/// Counts and judges one hit; `None` when its condition is false.
async fn weigh(question: &StopInput, entry: &Entry, undecided: bool, reader: Option<&Reader>) -> Option<Hit> {
    if let Some(stepping) = &entry.stepping
        && !stepping.ends(&question.context, question.stop.thread).await
    {
        return None;
    }
    let mut condition_error = None;
    if let (true, Some(condition)) = (undecided, &entry.spec.condition) {
        entry.condition_counts.count();
        let held = match reader {
            Some(reader) => truth(reader, condition, entry).await,
            None => Err("the stopped thread has no frame to evaluate it in".to_owned()),
        };
        match (held, reader) {
            (Ok(false), Some(reader)) => {
                entry.condition_counts.was_false();
                keep_operands(entry, condition, reader).await;
                return None;
            }
            (Ok(_), _) => {}
            (Err(words), _) => condition_error = Some(words),
        }
    }
    let counts = is_counted(question, entry) || {
        let hits = entry.hits.count();
        entry.hit_condition.is_none_or(|condition| condition.holds(hits))
    };
    let log = match (&entry.log, counts, reader) {
        (Some(message), true, Some(reader)) => log_text(reader, &message.parts, entry).await,
        _ => None,
    };
    let log = log.filter(|text| !entry.spec.only_changes || entry.last_log.is_change(text));
    let stops = condition_error.is_some() || (counts && entry.log.is_none());
    Some(Hit { id: entry.id, role: entry.role, log, stops, condition_error })
}

/// What the condition compared, for who asks why it was false.
async fn keep_operands(entry: &Entry, condition: &str, reader: &Reader) {
    if entry.condition_counts.wants_values() {
        entry.condition_counts.keep(watch_values(reader, &condition_counts::operands(condition)).await);
    }
}

async fn truth(reader: &Reader, condition: &str, entry: &Entry) -> Result<bool, String> {
    let refused = |error| refusal(error, entry.tool());
    let value = evaluate::evaluate(reader, condition, entry.spec.allow_side_effects).await.map_err(refused)?.value;
    match value.value.as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("its type is {}, not bool", value.short_type())),
    }
}

/// Why it has no value; `tool`: what lets it run.
fn refusal(error: EvalError, tool: &str) -> String {
    match error.code {
        Code::SideEffects => format!("{}; {tool} with allow_side_effects: true lets it run", error.message),
        _ => error.message,
    }
}

/// The line; `None` where it would only say again what failed before.
async fn log_text(reader: &Reader, parts: &[Part], entry: &Entry) -> Option<String> {
    let faults = &entry.faults;
    let mut line = String::new();
    let (mut has_hole, mut has_value, mut is_new) = (false, false, false);
    for part in parts {
        match part {
            Part::Text(plain) => line.push_str(plain),
            Part::Hole { expression, alignment, format } => {
                let asked = Specified::read(expression);
                let evaluated = match &asked {
                    Ok(asked) => {
                        asked.evaluate(reader, entry.spec.allow_side_effects).await.map(|found| (asked, found))
                    }
                    Err(error) => Err(error.clone()),
                };
                has_value |= evaluated.is_ok();
                has_hole = true;
                let value = match evaluated {
                    Ok((asked, found)) => {
                        let shown = asked.shown(reader, &found, literal::LONG).await;
                        log_line::shown(shown, (expression, asked, format.as_deref()), &reader.redaction)
                    }
                    Err(error) => {
                        let (words, new) = faults.failed(expression, &refusal(error, entry.tool()));
                        is_new |= new;
                        words
                    }
                };
                line.push_str(&log_message::formatted(value, *alignment));
            }
        }
    }
    if has_hole {
        faults.judged(has_value);
    }
    let says_more = has_value || !has_hole || is_new;
    if !says_more {
        faults.leave_out();
    }
    says_more.then_some(line)
}

/// Whether the client wants to hear of this exception.
pub(super) fn exception_counts(question: &StopInput, thrown: Option<&Thrown>) -> bool {
    let (Some(rule), Some(thrown)) = (&question.exceptions, thrown) else { return true };
    if rule.mode == ExceptionMode::Never {
        return false;
    }
    // a program about to die is reported, whatever its type
    if thrown.exception.unhandled || rule.mode == ExceptionMode::Unhandled {
        return true;
    }
    rule.means(&question.context.reader.modules, &thrown.exception.type_name)
}
