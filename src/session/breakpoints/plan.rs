//! From wanted breakpoints to what one adapter is told: lines with conditions per document, and function names.

use std::collections::BTreeMap;

use super::condition;
use super::entry::{Entry, Role, Target};
use super::table::Table;
use crate::backend::Quirks;
use crate::session::report::Why;

/// A document's lines, each with the condition that all of ours on it share.
pub type Lines = BTreeMap<u32, Option<String>>;

/// What the adapter should have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub documents: BTreeMap<String, Lines>,
    /// Name and condition.
    pub functions: Vec<(String, Option<String>)>,
}

impl Plan {
    /// `outlives`: the program goes on when we are killed. An adapter whose stdin ends while it evaluates a condition in hot code leaves
    /// such a program frozen or taken, or stays for good (2026-11-21), and the keeper that says goodbye then knows of no condition: it is ours.
    pub fn of(table: &Table, quirks: &Quirks, outlives: bool) -> Self {
        let mut plan = Self::default();
        for entry in table.entries.iter().filter(|entry| is_armed(entry)) {
            let native = native_condition(entry, quirks).filter(|_| !outlives);
            match &entry.target {
                Target::Function(name) => match plan.functions.iter_mut().find(|(other, _)| other == name) {
                    Some((_, condition)) if *condition != native => *condition = None,
                    Some(_) => {}
                    None => plan.functions.push((name.clone(), native)),
                },
                Target::Source { .. } => {
                    let Some((path, line)) = entry.sent() else { continue };
                    let lines = plan.documents.entry(path.to_owned()).or_default();
                    lines
                        .entry(line)
                        .and_modify(|shared| {
                            // several of ours share one adapter condition only if all have the same
                            if *shared != native {
                                *shared = None;
                            }
                        })
                        .or_insert(native);
                }
                Target::Unplaced { given, line } => {
                    let lines = plan.documents.entry(given.clone()).or_default();
                    lines.insert(line.unwrap_or(1), native);
                }
            }
        }
        plan
    }

    /// Whether the adapter evaluates anything by itself while the program runs.
    pub fn has_conditions(&self) -> bool {
        self.functions.iter().any(|(_, condition)| condition.is_some())
            || self.documents.values().flat_map(BTreeMap::values).any(Option::is_some)
    }

    /// The same lines and functions, each of which stops always.
    pub fn drop_conditions(&mut self) {
        let of_lines = self.documents.values_mut().flat_map(BTreeMap::values_mut);
        let of_functions = self.functions.iter_mut().map(|(_, condition)| condition);
        of_lines.chain(of_functions).for_each(|condition| *condition = None);
    }

    /// Whether the adapter itself decides on this entry's condition.
    pub fn decides(&self, entry: &Entry) -> bool {
        let Some(wanted) = &entry.spec.condition else { return true };
        match &entry.target {
            Target::Function(name) => {
                self.functions.iter().any(|(other, condition)| other == name && condition.as_ref() == Some(wanted))
            }
            _ => entry.sent().is_some_and(|(path, line)| {
                self.documents
                    .get(path)
                    .and_then(|lines| lines.get(&line))
                    .is_some_and(|sent| sent.as_ref() == Some(wanted))
            }),
        }
    }
}

fn is_armed(entry: &Entry) -> bool {
    entry.spec.enabled && !entry.misplaced && !matches!(entry.why, Some(Why::NoCode | Why::TextGone))
}

fn native_condition(entry: &Entry, quirks: &Quirks) -> Option<String> {
    let condition = entry.spec.condition.as_ref().filter(|_| entry.role == Role::User && !entry.counted)?;
    let theirs = quirks.conditions_may_call || condition::is_plain(condition);
    (theirs && !condition::is_ours_alone(condition)).then(|| condition.clone())
}
