//! The adapter's copy of our breakpoints and exception filters: what it was sent, what it said, and the change under way.
//!
//! The race to remember: an event may overtake the answer that names its id, or be older than what we make of that answer.
//! While a change is under way, events wait for it.

use std::collections::{HashMap, VecDeque};

use crate::dap;
use crate::session::breakpoints::plan::Plan;
use crate::session::breakpoints::{Binding, Entry, Target};
use crate::session::report::{ExceptionRule, Why};
use crate::session::sync::{Synced, Wanted};

/// Lines remembered as just removed.
const MOST_REMOVED: usize = 64;

#[derive(Default)]
pub(super) struct AdapterBreakpoints {
    plan: Plan,
    lines: HashMap<(String, u32), dap::Breakpoint>,
    functions: HashMap<String, dap::Breakpoint>,
    /// A change of its breakpoints is not answered yet.
    syncing: bool,
    /// It is not to judge conditions until the next stop.
    without_conditions: bool,
    filters: Wanted,
    /// While it is asked for other filters: the rule and the filters that stand again should it refuse.
    filters_before: Option<(Option<ExceptionRule>, Wanted)>,
    /// What it said of breakpoints and is not taken in yet.
    events: Vec<dap::Breakpoint>,
    removed: VecDeque<(String, u32)>,
    /// Counts of conditions that it reported last, by its number of the breakpoint.
    judged: HashMap<i64, dap::ConditionCounts>,
}

impl AdapterBreakpoints {
    /// What an adapter that starts is sent at least.
    pub(super) fn open(&mut self, plan: Plan, filters: Wanted) {
        self.plan = plan;
        self.filters = filters;
    }

    /// It was sent this while it started.
    pub(super) fn were_sent(&mut self, plan: Plan, answers: Synced) {
        self.plan = plan;
        self.end_change(Some(answers));
    }

    /// Makes `plan` the adapter's: the change to send, if it is one.
    pub(super) fn begin_change(&mut self, mut plan: Plan) -> Option<(Plan, Plan)> {
        if self.without_conditions {
            plan.drop_conditions();
        }
        if plan == self.plan {
            return None;
        }
        self.syncing = true;
        Some((std::mem::replace(&mut self.plan, plan.clone()), plan))
    }

    /// The change is answered, or nobody will answer it.
    pub(super) fn end_change(&mut self, answers: Option<Synced>) {
        self.syncing = false;
        if let Some(synced) = answers {
            self.take(synced);
        }
    }

    pub(super) fn is_syncing(&self) -> bool {
        self.syncing
    }

    /// Whether anything of it is being changed.
    pub(super) fn is_changing(&self) -> bool {
        self.syncing || self.filters_before.is_some()
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// It is not to judge conditions from the next change on.
    pub(super) fn withhold_conditions(&mut self) {
        self.without_conditions = true;
    }

    /// It may judge conditions again.
    pub(super) fn send_conditions(&mut self) {
        self.without_conditions = false;
    }

    pub(super) fn withholds_conditions(&self) -> bool {
        self.without_conditions
    }

    /// Whether it evaluates conditions while the program runs, or may still do so for a moment.
    pub(super) fn judges_conditions(&self) -> bool {
        self.plan.has_conditions() || self.without_conditions
    }

    pub(super) fn filters(&self) -> &Wanted {
        &self.filters
    }

    /// It is asked for other filters; `rule` is the one that stood until now.
    pub(super) fn begin_filters(&mut self, rule: Option<ExceptionRule>, filters: Wanted) {
        self.filters_before = Some((rule, std::mem::replace(&mut self.filters, filters)));
    }

    pub(super) fn filters_taken(&mut self) {
        self.filters_before = None;
    }

    /// It refused the filters: the rule that stands again.
    pub(super) fn filters_refused(&mut self) -> Option<Option<ExceptionRule>> {
        let (rule, filters) = self.filters_before.take()?;
        self.filters = filters;
        Some(rule)
    }

    pub(super) fn on_event(&mut self, got: dap::Breakpoint) {
        self.events.push(got);
    }

    /// The events whose turn has come.
    pub(super) fn take_events(&mut self) -> Vec<dap::Breakpoint> {
        if self.syncing { Vec::new() } else { std::mem::take(&mut self.events) }
    }

    /// What an event changes of an answer: its number, and whether it was bound by it. `None`: of no breakpoint of ours.
    pub(super) fn update(&mut self, got: &dap::Breakpoint) -> Option<(i64, bool)> {
        let id = got.id?;
        let known = self.lines.values_mut().chain(self.functions.values_mut());
        let known = known.into_iter().find(|known| known.id == Some(id))?;
        let bound = got.verified && !known.verified;
        known.verified = got.verified;
        known.line = got.line.or(known.line);
        known.source = got.source.clone().or(known.source.take());
        known.message.clone_from(&got.message);
        Some((id, bound))
    }

    /// What it counted of a condition since it reported that last.
    pub(super) fn newly_judged(&mut self, got: &dap::Breakpoint) -> Option<dap::ConditionCounts> {
        let now = got.clr_condition.clone()?;
        let before = self.judged.insert(got.id?, now.clone()).unwrap_or_default();
        Some(dap::ConditionCounts {
            evaluations: now.evaluations.saturating_sub(before.evaluations),
            falses: now.falses.saturating_sub(before.falses),
            ..now
        })
    }

    pub(super) fn remember_removed(&mut self, lines: impl IntoIterator<Item = (String, u32)>) {
        self.removed.extend(lines);
        while self.removed.len() > MOST_REMOVED {
            self.removed.pop_front();
        }
    }

    /// Where a stop may still be on its way though nothing is set there any more.
    pub(super) fn removed(&self) -> Vec<(String, u32)> {
        self.removed.iter().cloned().collect()
    }

    /// What the adapter said to a `setBreakpoints`.
    fn take(&mut self, synced: Synced) {
        for path in &synced.documents {
            self.lines.retain(|(known, _), _| known != path);
        }
        for (path, line, got) in synced.lines {
            self.lines.insert((path, line), got);
        }
        if synced.functions_sent {
            self.functions.clear();
        }
        self.functions.extend(synced.functions);
    }

    /// Each entry's fate, read off the adapter's answers. Answers whether one has to be taken from the adapter again. `binds_copies`: of
    /// a line where a record begins, it binds the copying constructor.
    pub(super) fn adopt(&self, entries: &mut [Entry], binds_copies: bool) -> bool {
        let mut misplaced = false;
        let answer = |binding: Binding<'_>| self.answer(binding);
        for entry in entries {
            if matches!(entry.target, Target::Function(_)) && !entry.methods.places.is_empty() {
                adopt_methods(entry, answer, binds_copies);
                continue;
            }
            if entry.methods.is_other_overload() {
                // the adapter may have bound the name before its methods were known
                (entry.verified, entry.pending) = (false, true);
                continue;
            }
            let answer = entry.bindings().into_iter().next().and_then(answer);
            let Some(answer) = answer.filter(|_| entry.spec.enabled && !entry.misplaced) else { continue };
            let bound = answer.source.as_ref().and_then(|source| source.path.as_deref());
            entry.misplaced = answer.verified && entry.is_bound_elsewhere(bound);
            if entry.misplaced {
                misplaced = true;
                entry.verified = false;
                entry.pending = true;
                continue;
            }
            entry.verified = answer.verified;
            if !answer.verified {
                entry.bound = None;
                if let Some(words) = answer.message.clone().filter(|words| words.starts_with(dap::NO_PLACE)) {
                    (entry.why, entry.message, entry.pending) = (Some(Why::Optimized), Some(words), false);
                    continue;
                }
                let hopeless = Some(Why::NoCode) == entry.why
                    || matches!(
                        entry.why,
                        Some(Why::TextGone | Why::Optimized | Why::NotUserCode | Why::NoSymbols | Why::SymbolsMismatch)
                    );
                entry.pending = match entry.target {
                    Target::Function(_) => !entry.methods.is_hopeless(),
                    _ => !hopeless,
                };
                if entry.why == Some(Why::NotLaunched)
                    || (entry.why.is_none() && matches!(entry.target, Target::Function(_)))
                {
                    entry.why = Some(Why::ModuleNotLoaded);
                    entry.message =
                        answer.message.clone().filter(|words| !words.contains("No symbols have been loaded"));
                }
                continue;
            }
            entry.pending = false;
            entry.bound = answer.line.and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0);
            if entry.why != Some(Why::SourceChanged) {
                entry.why = None;
                entry.message = None;
                entry.nearest.clear();
                let copies = entry.record.filter(|_| binds_copies);
                entry.message = bound_before(entry).or_else(|| bound_behind(entry)).or_else(|| copies.map(binds_copy));
            }
            if let (Target::Unplaced { given, line }, Some(source)) = (&entry.target, &answer.source)
                && let Some(path) = &source.path
            {
                entry.target = Target::Source {
                    path: path.clone(),
                    given: given.clone(),
                    line: line.unwrap_or(1),
                    code_line: entry.bound,
                };
            }
        }
        misplaced
    }

    /// The adapter's numbers for an entry, in the order of its bindings.
    pub(super) fn ids(&self, entry: &Entry) -> Vec<i64> {
        entry.bindings().into_iter().filter_map(|binding| self.answer(binding)?.id).collect()
    }

    pub(super) fn answer(&self, binding: Binding<'_>) -> Option<&dap::Breakpoint> {
        match binding {
            Binding::Function(name) => self.functions.get(name),
            Binding::Line(path, line) => self.lines.get(&(path.to_owned(), line)),
        }
    }
}

/// What to say of a line of a lambda for which the adapter took the statement around it.
fn bound_before(entry: &Entry) -> Option<String> {
    let Target::Source { code_line: Some(asked), .. } = &entry.target else { return None };
    let bound = entry.bound.filter(|bound| bound < asked)?;
    let begin = entry.lambda_begin?;
    let words = format!("this adapter binds line {asked} to the statement around its lambda, line {bound}");
    Some(if begin < *asked { format!("{words}: break at line {begin}, then step") } else { words })
}

/// What to say of a line with code that the adapter passes over: dncdbg takes a line of an iterator's `try` for one before its `finally`
/// block, which is a method of its own (2026-11-26).
fn bound_behind(entry: &Entry) -> Option<String> {
    let Target::Source { code_line: Some(asked), .. } = &entry.target else { return None };
    let bound = entry.bound.filter(|bound| bound > asked)?;
    Some(format!(
        "line {asked} has code, but this adapter binds it to line {bound} and does not stop at line {asked}: stop before it, then step"
    ))
}

/// What to say of a record whose constructor is not bound; `begin`: the line of its first initializer.
fn binds_copy(begin: Option<u32>) -> String {
    let instead = match begin {
        Some(line) => format!("break at line {line}"),
        None => "break where that one is called".to_owned(),
    };
    format!(
        "on that line this adapter sets the breakpoint in the record's generated copy constructor, not in the constructor that you wrote: {instead}"
    )
}

/// Each method's fate, and what of it is the breakpoint's.
fn adopt_methods<'a>(
    entry: &mut Entry,
    answer: impl Fn(Binding<'_>) -> Option<&'a dap::Breakpoint>,
    binds_copies: bool,
) {
    if !entry.spec.enabled {
        return;
    }
    for place in &mut entry.methods.places {
        let got = answer(place.binding());
        // an adapter that moves it binds other code
        let line = got.filter(|got| got.verified).and_then(|got| u32::try_from(got.line?).ok());
        place.moved_to = line.filter(|line| *line > 0 && !place.lines.contains(line));
        let is_bound = got.is_some_and(|got| got.verified) && !(place.is_hidden_by_copy && binds_copies);
        place.verified = place.moved_to.is_none() && is_bound;
    }
    let moved = entry.methods.places.iter().find_map(|place| Some((place.line, place.moved_to?)));
    entry.verified = entry.methods.places.iter().any(|place| place.verified);
    entry.pending = !entry.verified;
    let is_copied = binds_copies && entry.methods.places.iter().any(|place| place.is_hidden_by_copy);
    if is_copied {
        (entry.why, entry.pending) = ((!entry.verified).then_some(Why::NoCode), false);
        entry.message = Some(binds_copy(None));
    } else if entry.verified {
        entry.why = None;
        entry.message = entry.methods.left_out();
    } else if let Some((line, other)) = moved {
        (entry.why, entry.pending) = (Some(Why::NoCode), false);
        entry.message = Some(format!(
            "the adapter moves the breakpoint from the method's first line {line} to line {other}: set it by file and line, on another line of the method"
        ));
    } else if matches!(entry.why, Some(Why::Optimized | Why::NotUserCode)) {
        entry.pending = false;
    } else if entry.why.is_none() || entry.why == Some(Why::NotLaunched) {
        entry.why = Some(Why::ModuleNotLoaded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(id: i64, verified: bool) -> dap::Breakpoint {
        dap::Breakpoint { id: Some(id), verified, ..dap::Breakpoint::default() }
    }

    #[test]
    fn events_wait_for_the_change_that_names_them() {
        let mut copy = AdapterBreakpoints { syncing: true, ..AdapterBreakpoints::default() };
        copy.on_event(answer(4, true));
        assert!(copy.take_events().is_empty());
        let lines = vec![("a.cs".to_owned(), 7, answer(4, false))];
        copy.end_change(Some(Synced { documents: vec!["a.cs".into()], lines, ..Synced::default() }));
        let events = copy.take_events();
        assert_eq!(events.iter().filter_map(|event| copy.update(event)).collect::<Vec<_>>(), [(4, true)]);
        assert!(copy.take_events().is_empty());
    }

    #[test]
    fn filters_that_are_refused_leave_those_before() {
        let mut copy = AdapterBreakpoints::default();
        let all = Wanted { filters: vec!["all".into()], types: None };
        copy.begin_filters(None, all.clone());
        assert!(copy.is_changing() && *copy.filters() == all);
        assert_eq!(copy.filters_refused(), Some(None));
        assert!(!copy.is_changing() && *copy.filters() == Wanted::default());
    }
}
