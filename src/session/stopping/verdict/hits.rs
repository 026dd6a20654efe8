//! Which breakpoints a stop is at.

use super::top_frame;
use crate::dap;
use crate::session::breakpoints::{Entry, Target, hits};
use crate::session::inspect::stack_frame::StackFrame;
use crate::session::spec::StepMode;
use crate::session::stopping::StopInput;
use crate::session::stopping::pass::{Landing, Position};

/// Positions of the entries that the stop may be about.
pub(super) async fn entries(question: &StopInput) -> Vec<usize> {
    let armed = || question.entries.iter().enumerate().filter(|(_, entry)| entry.spec.enabled);
    let ids = &question.stop.hit.ids;
    let names_all = hits::are_counted_by(&question.context.reader.capabilities);
    if ids.is_empty() && names_all {
        return Vec::new();
    }
    if !ids.is_empty() {
        let named: Vec<usize> = armed()
            .map(|(at, _)| at)
            .filter(|at| question.adapter_ids.get(*at).is_some_and(|own| own.iter().any(|id| ids.contains(id))))
            .collect();
        if !named.is_empty() {
            let named = if names_all { named } else { and_bound_by_name(question, named) };
            return in_their_methods(question, named).await;
        }
    }
    // a pause on the line of a breakpoint is no hit of it
    if armed().next().is_none() || question.stop.reason == dap::StopReason::Pause {
        return Vec::new();
    }
    let Some(top) = top_frame(question).await else {
        // the adapter may have said before which condition has no value
        return armed().filter(|(_, entry)| entry.adapter_refuses).map(|(at, _)| at).collect();
    };
    if question.stop.reason == dap::StopReason::Step {
        // one that keeps steps names what it passed at their ends
        let names_them = question.context.reader.capabilities.supports_keep_step;
        return if names_them { Vec::new() } else { passed_by_step(question, &top).await };
    }
    let on_line = entries_on_line(question, &top);
    if !on_line.is_empty() {
        return on_line;
    }
    armed()
        .filter(|(_, entry)| match &entry.target {
            Target::Function(_) => is_in_its_method(entry, &top),
            Target::Unplaced { given, line } => {
                *line == Some(top.line)
                    && top.path.as_deref().is_some_and(|path| crate::session::modules::is_suffix(given, path))
            }
            Target::Source { .. } => false,
        })
        .map(|(at, _)| at)
        .collect()
}

/// Of a line and a name that bind the same instruction an adapter may name one (dncdbg). What it decides of the other is not known.
fn and_bound_by_name(question: &StopInput, mut named: Vec<usize>) -> Vec<usize> {
    for (at, entry) in question.entries.iter().enumerate() {
        let is_judged = entry.spec.condition.is_none() || question.undecided.contains(&at);
        if entry.spec.enabled && is_judged && entry.methods.is_bound_by_name() && !named.contains(&at) {
            named.push(at);
        }
    }
    named.sort_unstable();
    named
}

/// Those that the adapter named; a function breakpoint's line may have code of other methods.
async fn in_their_methods(question: &StopInput, named: Vec<usize>) -> Vec<usize> {
    let entries = || named.iter().filter_map(|at| Some((*at, question.entries.get(*at)?)));
    if entries().all(|(_, entry)| entry.methods.places.is_empty()) {
        return named;
    }
    let Some(top) = top_frame(question).await else { return named };
    let is_hit = |entry: &Entry| entry.methods.places.is_empty() || is_in_its_method(entry, &top);
    entries().filter(|(_, entry)| is_hit(entry)).map(|(at, _)| at).collect()
}

/// Whether a frame stands on the first statement of a function breakpoint's method; true of any other breakpoint.
fn is_in_its_method(entry: &Entry, frame: &StackFrame) -> bool {
    match &entry.target {
        Target::Function(name) => entry.methods.is_at(name, frame, same_path),
        _ => true,
    }
}

/// Positions of the armed entries that lie on the line of a frame.
fn entries_on_line(question: &StopInput, top: &StackFrame) -> Vec<usize> {
    let on_line = |entry: &Entry| match (entry.sent(), entry.stop_line(), top.path.as_deref()) {
        (Some((path, _)), Some(line), Some(here)) => line == top.line && same_path(path, here),
        _ => !entry.methods.places.is_empty() && is_in_its_method(entry, top),
    };
    let armed = question.entries.iter().enumerate().filter(|(_, entry)| entry.spec.enabled);
    let mut found: Vec<(usize, &Entry)> = armed.filter(|(_, entry)| on_line(entry)).collect();
    // of a line that a lambda shares with the statement around it each has its own
    let method = top.raw_name.split('(').next().unwrap_or_default().replace('+', ".");
    let is_its = |entry: &Entry| entry.name.as_ref().is_some_and(|name| method.ends_with(name.as_str()));
    let shares = |entry: &Entry| entry.name.is_some() && entry.text_note.is_some();
    let in_lambda = found.iter().any(|(_, entry)| shares(entry) && is_its(entry));
    found.retain(|(_, entry)| if shares(entry) { is_its(entry) } else { entry.name.is_some() || !in_lambda });
    found.into_iter().map(|(at, _)| at).collect()
}

/// Positions of the entries whose instruction the end of a step is at.
async fn passed_by_step(question: &StopInput, top: &StackFrame) -> Vec<usize> {
    let is_named = |entry: &Entry| match &entry.target {
        Target::Function(_) => entry.spec.enabled && is_in_its_method(entry, top),
        _ => false,
    };
    let mut on_line = entries_on_line(question, top);
    // one that stands on a line of our own finding counts with the others of its kind: once, and on entry alone
    on_line.retain(|at| !question.entries.get(*at).is_some_and(is_named));
    if on_line.is_empty() && !question.entries.iter().any(is_named) {
        return Vec::new();
    }
    let step = question.step.as_ref();
    if step.is_some_and(|step| step.returning) {
        // out of a callee, where another stop had cut the step short
        return Vec::new();
    }
    let Ok(stack) = question.context.stack(question.stop.thread).await else { return Vec::new() };
    let here = Position::of(top);
    let modules = &question.context.reader.modules;
    let statement = |at: &Position| modules.statement(at.path.as_deref()?, at.line, at.column);
    let origin = step.and_then(|step| step.origin.as_ref());
    let landing = Landing {
        mode: step.map_or(StepMode::Over, |step| step.mode),
        origin,
        left: origin.and_then(|origin| statement(&origin.here)),
        depth: stack.depth(),
        at: statement(&here),
        is_async: top.is_async(),
        here: &here,
    };
    let mut passed = if landing.is_pass() { on_line } else { Vec::new() };
    if landing.is_entry() {
        passed.extend(question.entries.iter().enumerate().filter(|(_, entry)| is_named(entry)).map(|(at, _)| at));
    }
    passed
}

pub(super) fn same_path(sent: &str, stopped: &str) -> bool {
    sent == stopped || sent.eq_ignore_ascii_case(stopped) || crate::session::modules::is_suffix(sent, stopped)
}
