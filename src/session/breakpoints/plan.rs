//! From wanted breakpoints to what one adapter is sent: lines with conditions per document, and function names.

use std::collections::BTreeMap;

use super::condition;
use super::entry::{Entry, Role, Target};
use super::function::Binding;
use super::judged_alike::{calls_nothing, is_judged_alike};
use super::table::Table;
use crate::backend::Quirks;
use crate::backend::quirks::MembersOf;
use crate::session::inspect::parse::passes_computed;
use crate::session::inspect::{hidden, lone_names, spelling};
use crate::session::modules::Modules;
use crate::session::report::Why;

/// A document's lines, each with the condition that all of ours on it share.
pub type Lines = BTreeMap<u32, Option<String>>;

/// What the adapter should have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub documents: BTreeMap<String, Lines>,
    /// Name and condition.
    pub functions: Vec<(String, Option<String>)>,
    /// Conditions as they were written, and in the form that the adapter reads.
    pub spelled: BTreeMap<String, String>,
}

impl Plan {
    /// `outlives`: the program goes on when we are killed. An adapter whose stdin ends while it evaluates a condition in hot code leaves
    /// such a program frozen or taken, or stays for good (2026-11-21), and the keeper that says goodbye then knows of no condition: it is ours.
    pub fn of(table: &Table, quirks: &Quirks, modules: &Modules, outlives: bool) -> Self {
        let mut plan = Self::default();
        for entry in table.entries.iter().filter(|entry| is_armed(entry)) {
            let native = native_condition(entry, quirks, modules).filter(|_| !outlives);
            if let (Some(written), Some(sent)) = (&entry.spec.condition, &native) {
                plan.spelled.insert(written.clone(), sent.clone());
            }
            for binding in entry.bindings() {
                plan.add(binding, native.as_ref());
            }
        }
        plan
    }

    fn add(&mut self, binding: Binding<'_>, native: Option<&String>) {
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
        let Some(written) = &entry.spec.condition else { return true };
        let Some(wanted) = self.spelled.get(written) else { return false };
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
fn share(shared: &mut Option<String>, native: Option<&String>) {
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

fn native_condition(entry: &Entry, quirks: &Quirks, modules: &Modules) -> Option<String> {
    let is_ours = entry.role != Role::User || entry.counted || entry.adapter_refuses;
    let condition = entry.spec.condition.as_ref().filter(|_| !is_ours)?;
    if entry.methods.shares_lines() {
        // it would be evaluated in other methods too, where its names mean nothing
        return None;
    }
    if quirks.conditions_are_csharp {
        return Some(condition.clone());
    }
    let first = entry.stop_places().first().copied();
    // of names that only the source has for elements of tuples adapters know nothing
    let has_elements = first.is_some_and(|(path, line)| {
        condition.contains('.') && modules.spell_elements(condition, &modules.declared_at(path, line, None)).is_some()
    });
    let may_be_hidden = first.is_some_and(|(path, line)| {
        quirks.members_of != MembersOf::DeclaredType
            && hidden::may_read(modules, &modules.declared_at(path, line, None), condition)
    });
    if may_be_hidden {
        return None;
    }
    let theirs = !has_elements && quirks.conditions_may_call || condition::is_plain(condition);
    if !theirs || condition::is_ours_alone(condition) {
        return None;
    }
    // an enum among the arguments would be another number there
    if !quirks.passes_computed_enums && passes_computed(condition) {
        return None;
    }
    let names = entry.stop_places().first().and_then(|(path, line)| modules.names_at(path, *line));
    let type_of = |name: &str| names.as_ref()?.types.get(name).cloned();
    if !quirks.conditions_may_call && !calls_nothing(condition, &type_of) {
        return None;
    }
    let kills = quirks.unknown_names_kill
        && names.as_ref().is_some_and(|names| {
            !names.has_namespace && lone_names(condition).iter().any(|name| !names.types.contains_key(name.as_str()))
        });
    // what an adapter reads otherwise than C# is sent in another form, or judged here
    spelling::without_calls(condition, quirks).filter(|_| !kills && is_judged_alike(condition, &type_of))
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
                condition: condition.map(str::to_owned),
                ..BreakpointSpec::at(Place::Function("M".into()))
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
                let plan = Plan::of(&at(target, &conditions), &quirks, &Modules::default(), false);
                let lines = plan.documents.values().flat_map(BTreeMap::values);
                let all: Vec<_> = lines.chain(plan.functions.iter().map(|(_, condition)| condition)).collect();
                assert_eq!(all, [&sent.map(str::to_owned)], "{target:?} {conditions:?}");
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
            assert_eq!(plan.functions, [("M".to_owned(), sent.map(str::to_owned))], "{condition}");
            assert_eq!(table.entries.first().map(|entry| plan.decides(entry)), Some(sent.is_some()), "{condition}");
        }
    }
}
