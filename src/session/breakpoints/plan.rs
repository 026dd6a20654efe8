//! From wanted breakpoints to what one adapter is sent: lines with conditions per document, and function names.

use std::collections::BTreeMap;

use super::entry::Entry;
use super::function::Binding;
use super::native_condition::{self, Native};
use super::table::Table;
use super::target::Target;
use crate::backend::Quirks;
use crate::session::modules::Modules;
use crate::session::report::Why;

/// A document's lines, each with the condition that all of ours on it share.
pub type Lines = BTreeMap<u32, Option<Native>>;

/// What the adapter should have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub documents: BTreeMap<String, Lines>,
    /// Name and condition.
    pub functions: Vec<(String, Option<Native>)>,
    /// Conditions as they were written, with whether they may change something, and in the form that the adapter reads.
    pub spelled: BTreeMap<(String, bool), Native>,
}

impl Plan {
    /// `outlives`: the program goes on when we are killed. An adapter whose stdin ends while it evaluates a condition in hot code leaves
    /// such a program frozen or taken, or stays for good (2026-11-21), and the keeper that says goodbye then knows of no condition: it is ours.
    pub fn of(table: &Table, quirks: &Quirks, modules: &Modules, outlives: bool) -> Self {
        let mut plan = Self::default();
        for entry in table.entries.iter().filter(|entry| is_armed(entry)) {
            let native = native_condition::of(entry, quirks, modules).filter(|_| !outlives);
            if let (Some(written), Some(sent)) = (&entry.spec.condition, &native) {
                plan.spelled.insert((written.clone(), entry.spec.allow_side_effects), sent.clone());
            }
            for binding in entry.bindings() {
                plan.add(binding, native.as_ref());
            }
        }
        plan
    }

    fn add(&mut self, binding: Binding<'_>, native: Option<&Native>) {
        let shared = match binding {
            Binding::Function(name) => match self.functions.iter_mut().find(|(other, _)| other == name) {
                Some((_, condition)) => condition,
                None => return self.functions.push((name.to_owned(), native.cloned())),
            },
            Binding::Line(path, line) => {
                let lines = self.documents.entry(path.to_owned()).or_default();
                lines.entry(line).or_insert_with(|| native.cloned())
            }
        };
        share(shared, native);
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
        let Some(written) = entry.spec.condition.clone() else { return true };
        let Some(wanted) = self.spelled.get(&(written, entry.spec.allow_side_effects)) else { return false };
        entry.bindings().into_iter().all(|binding| {
            let sent = match binding {
                Binding::Function(name) => {
                    self.functions.iter().find(|(other, _)| other == name).map(|(_, condition)| condition)
                }
                Binding::Line(path, line) => self.documents.get(path).and_then(|lines| lines.get(&line)),
            };
            sent.is_some_and(|sent| sent.as_ref() == Some(wanted))
        })
    }
}

/// Several of ours share one adapter condition only if all have the same; else the adapter stops always, and we decide.
fn share(shared: &mut Option<Native>, native: Option<&Native>) {
    if shared.as_ref() != native {
        *shared = None;
    }
}

fn is_armed(entry: &Entry) -> bool {
    // a name that no method has yet may be one of a module to come
    let is_lost = matches!(entry.why, Some(Why::NoCode | Why::TextGone | Why::FileAmbiguous))
        && !matches!(entry.target, Target::Function(_));
    entry.spec.enabled && !entry.misplaced && !is_lost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::breakpoints::Role;
    use crate::session::ids::BreakpointId;
    use crate::session::spec::{BreakpointSpec, Place};

    /// A table of breakpoints at one place, with these conditions.
    fn at(target: &Target, conditions: &[Option<&str>]) -> Table {
        let mut table = Table::default();
        for (id, condition) in (1..).zip(conditions) {
            let spec = BreakpointSpec {
                condition: condition.map(str::to_owned),
                // nothing is known about the code here
                allow_side_effects: true,
                ..BreakpointSpec::at(Place::Function("M".into()))
            };
            table.entries.push(Entry::new(BreakpointId(id), Role::User, spec, target.clone()).unwrap());
        }
        table
    }

    fn native(condition: &str) -> Native {
        Native { condition: condition.into(), may_run: None }
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
                let plan = Plan::of(&at(target, &conditions), &quirks, &Modules::default(), false);
                let lines = plan.documents.values().flat_map(BTreeMap::values);
                let all: Vec<_> = lines.chain(plan.functions.iter().map(|(_, condition)| condition)).collect();
                assert_eq!(all, [&sent.map(native)], "{target:?} {conditions:?}");
            }
        }
    }

    #[test]
    fn a_condition_is_sent_in_the_form_that_the_adapter_reads_or_judged_here() {
        let target = Target::Function("M".into());
        for (adapter, condition, sent) in [
            // without the types of its names a condition may call, which this adapter does not
            ("dncdbg", "i == 1_000", None),
            ("dncdbg", "true", Some("true")),
            ("netcoredbg", "record && i == 1_000", Some("@record && i == 1000")),
        ] {
            let table = at(&target, &[Some(condition)]);
            let plan = Plan::of(&table, &crate::backend::quirks_of(adapter), &Modules::default(), false);
            assert_eq!(plan.functions, [("M".to_owned(), sent.map(native))], "{condition}");
            assert_eq!(table.entries.first().map(|entry| plan.decides(entry)), Some(sent.is_some()), "{condition}");
        }
    }
}
