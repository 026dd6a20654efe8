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
                    Some((_, shared)) => share(shared, native),
                    None => plan.functions.push((name.clone(), native)),
                },
                Target::Source { .. } => {
                    if let Some((path, line)) = entry.sent() {
                        plan.add_line(path, line, native);
                    }
                }
                Target::Unplaced { given, line } => plan.add_line(given, line.unwrap_or(1), native),
            }
        }
        plan
    }

    fn add_line(&mut self, path: &str, line: u32, native: Option<String>) {
        let lines = self.documents.entry(path.to_owned()).or_default();
        match lines.get_mut(&line) {
            Some(shared) => share(shared, native),
            None => drop(lines.insert(line, native)),
        }
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

/// Several of ours share one adapter condition only if all have the same; else the adapter stops always, and we decide.
fn share(shared: &mut Option<String>, native: Option<String>) {
    if *shared != native {
        *shared = None;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::ids::BreakpointId;
    use crate::session::spec::{BreakpointSpec, Place};

    /// A table of breakpoints at one place, with these conditions.
    fn at(target: &Target, conditions: &[Option<&str>]) -> Table {
        let mut table = Table::default();
        for (id, condition) in (1..).zip(conditions) {
            let spec = BreakpointSpec {
                place: Place::Function("M".into()),
                condition: condition.map(str::to_owned),
                hit_condition: None,
                temporary: false,
                enabled: true,
                log: None,
                max_hits: None,
            };
            table.entries.push(Entry::new(BreakpointId(id), Role::User, spec, target.clone()).unwrap());
        }
        table
    }

    #[test]
    fn an_adapter_has_a_condition_only_where_all_at_a_place_have_the_same() {
        let quirks = Quirks::conservative();
        let (path, given) = ("/a/P.cs".to_owned(), "P.cs".to_owned());
        let targets = [
            Target::Source { path, given: given.clone(), line: 7, code_line: None },
            Target::Unplaced { given, line: Some(7) },
            Target::Function("M".into()),
        ];
        for target in &targets {
            for (conditions, sent) in [
                (vec![Some("i == 1")], Some("i == 1")),
                (vec![Some("i == 1"), Some("i == 1")], Some("i == 1")),
                (vec![Some("i == 1"), Some("i == 2")], None),
                (vec![None, Some("i == 2")], None),
                (vec![Some("i == 1"), None], None),
                (vec![Some("i == 1"), Some("i == 2"), Some("i == 2")], None),
            ] {
                let plan = Plan::of(&at(target, &conditions), &quirks, false);
                let lines = plan.documents.values().flat_map(BTreeMap::values);
                let all: Vec<_> = lines.chain(plan.functions.iter().map(|(_, condition)| condition)).collect();
                assert_eq!(all, [&sent.map(str::to_owned)], "{target:?} {conditions:?}");
            }
        }
    }
}
