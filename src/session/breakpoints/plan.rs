//! From wanted breakpoints to what one adapter is sent: lines with conditions per document, and function names.

use std::collections::BTreeMap;

use super::entry::Entry;
use super::function::Binding;
use super::native_condition::{self, Native};
use super::table::Table;
use super::target::Target;
use crate::backend::Quirks;
use crate::dap::Capabilities;
use crate::session::ids::BreakpointId;
use crate::session::modules::Modules;
use crate::session::report::Why;

/// A document's lines, each with what all of ours on it have the adapter decide.
pub type Lines = BTreeMap<u32, Option<Native>>;

/// What the adapter should have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub documents: BTreeMap<String, Lines>,
    /// By name, in the same way.
    pub functions: Vec<(String, Option<Native>)>,
    /// By breakpoint: its condition as it was written, whether that may change something, and what the adapter decides alone.
    pub decided: BTreeMap<BreakpointId, (Option<String>, bool, Native)>,
}

impl Plan {
    /// `outlives`: the program goes on when we are killed. An adapter whose stdin ends while it evaluates a condition in hot code leaves
    /// such a program frozen or taken, or stays for good (2026-11-21), and the keeper that says goodbye then knows of no condition: it is ours.
    pub fn of(table: &Table, adapter: (&Quirks, &Capabilities), modules: &Modules, outlives: bool) -> Self {
        let mut plan = Self::default();
        let mut decided: Vec<(&Entry, Native)> = Vec::new();
        for entry in table.entries.iter().filter(|entry| is_armed(entry)) {
            let native = native_condition::of(entry, adapter, modules).filter(|_| !outlives);
            for binding in entry.bindings() {
                plan.add(binding, native.as_ref());
            }
            decided.extend(native.map(|native| (entry, native)));
        }
        decided.retain(|(entry, native)| plan.has(entry, native));
        for (entry, native) in decided {
            let written = (entry.spec.condition.clone(), entry.spec.allow_side_effects, native);
            plan.decided.insert(entry.id, written);
        }
        plan
    }

    /// Whether the adapter is sent this for all of an entry.
    fn has(&self, entry: &Entry, native: &Native) -> bool {
        entry.bindings().into_iter().all(|binding| {
            let sent = match binding {
                Binding::Function(name) => self.functions.iter().find(|(other, _)| other == name).map(|(_, sent)| sent),
                Binding::Line(path, line) => self.documents.get(path).and_then(|lines| lines.get(&line)),
            };
            sent.is_some_and(|sent| sent.as_ref() == Some(native))
        })
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
        self.natives().any(|native| native.condition.is_some())
    }

    /// Whether it counts hits by itself.
    pub fn counts_hits(&self) -> bool {
        self.natives().any(|native| native.hits.is_some())
    }

    /// Whether it reads the values of a tracepoint's message by itself.
    pub fn reads(&self, id: BreakpointId) -> bool {
        self.decided.get(&id).is_some_and(|(_, _, native)| native.trace.is_some())
    }

    fn natives(&self) -> impl Iterator<Item = &Native> {
        let of_functions = self.functions.iter().map(|(_, native)| native);
        self.documents.values().flat_map(BTreeMap::values).chain(of_functions).flatten()
    }

    /// The same lines and functions, each of which stops always.
    pub fn drop_conditions(&mut self) {
        let of_lines = self.documents.values_mut().flat_map(BTreeMap::values_mut);
        let of_functions = self.functions.iter_mut().map(|(_, condition)| condition);
        of_lines.chain(of_functions).for_each(|condition| *condition = None);
        self.decided.clear();
    }

    /// Whether the adapter itself decides on this entry's condition.
    pub fn decides(&self, entry: &Entry) -> bool {
        let asks = (&entry.spec.condition, &entry.spec.allow_side_effects);
        entry.spec.condition.is_none()
            || self
                .decided
                .get(&entry.id)
                .is_some_and(|(written, may_change, native)| (written, may_change) == asks && self.has(entry, native))
    }
}

/// Several of ours share what one adapter breakpoint decides only if all have the same; else it stops always, and we decide. A counter is
/// one breakpoint's own.
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
    use super::super::native_condition::NativeCondition;
    use super::*;
    use crate::session::breakpoints::Role;
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
        Native { condition: Some(NativeCondition { text: condition.into(), may_run: None }), hits: None, trace: None }
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
                let adapter = (&quirks, &Capabilities::default());
                let plan = Plan::of(&at(target, &conditions), adapter, &Modules::default(), false);
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
            let adapter = (&crate::backend::quirks_of(adapter), &Capabilities::default());
            let plan = Plan::of(&table, adapter, &Modules::default(), false);
            assert_eq!(plan.functions, [("M".to_owned(), sent.map(native))], "{condition}");
            assert_eq!(table.entries.first().map(|entry| plan.decides(entry)), Some(sent.is_some()), "{condition}");
        }
    }
    #[test]
    fn an_adapter_that_counts_has_the_hit_condition_of_a_breakpoint_that_is_alone() {
        let target = Target::Function("M".into());
        let counts = Capabilities { supports_clr_hit_counts: true, ..Capabilities::default() };
        let plan = |table: &Table, capabilities: &Capabilities| {
            Plan::of(table, (&Quirks::conservative(), capabilities), &Modules::default(), false)
        };
        let mut table = at(&target, &[None]);
        table.entries[0].spec.hit_condition = Some(">=3".into());
        table.entries[0].hits.count();
        let sent = |plan: &Plan| plan.functions[0].1.clone();
        assert_eq!(sent(&plan(&table, &Capabilities::default())), None);
        let hits = Some((Some(">=3".to_owned()), table.entries[0].hits.counter()));
        assert_eq!(sent(&plan(&table, &counts)), Some(Native { condition: None, hits: hits.clone(), trace: None }));
        assert!(!plan(&table, &counts).has_conditions());
        table.entries[0].spec.condition = Some("i == 1".into());
        let condition = native("i == 1").condition;
        assert_eq!(sent(&plan(&table, &counts)), Some(Native { condition, hits, trace: None }));
        assert!(plan(&table, &counts).decides(&table.entries[0]));
        let second = at(&target, &[Some("i == 1")]).entries.remove(0);
        table.entries.push(Entry { id: BreakpointId(2), ..second });
        assert_eq!(sent(&plan(&table, &counts)), None, "each has its own count");
        assert!(!plan(&table, &counts).decides(&table.entries[0]));
    }

    #[test]
    fn an_adapter_reads_what_a_tracepoint_logs_that_is_alone_in_a_program_of_ours() {
        let target = Target::Function("M".into());
        let able = Capabilities {
            supports_clr_hit_counts: true,
            supports_clr_traces: true,
            supports_csharp_expressions: true,
            ..Capabilities::default()
        };
        let logged = |id, message: &str| {
            let place = Place::Function("M".into());
            let spec = BreakpointSpec { log: Some(message.into()), max_hits: Some(9), ..BreakpointSpec::at(place) };
            Entry::new(BreakpointId(id), Role::User, spec, target.clone()).unwrap()
        };
        let sent = |table: &Table, capabilities: &Capabilities, outlives: bool| {
            let adapter = (&Quirks::conservative(), capabilities);
            Plan::of(table, adapter, &Modules::default(), outlives)
                .functions
                .remove(0)
                .1
                .and_then(|native| native.trace)
        };
        let mut table = Table::default();
        table.entries.push(logged(1, "{i} of {all.Length,h}"));
        let trace = sent(&table, &able, false).unwrap();
        assert_eq!((trace.expressions, trace.most), (vec!["i".to_owned(), "all.Length".to_owned()], Some(8)));
        assert_eq!(sent(&table, &able, true), None, "of an attached program");
        assert_eq!(sent(&table, &Capabilities { supports_clr_hit_counts: false, ..able.clone() }, false), None);
        table.entries.push(logged(2, "{i}"));
        assert_eq!(sent(&table, &able, false), None, "of two each has its own");
        table.entries = vec![logged(3, "{all,results}")];
        assert_eq!(sent(&table, &able, false), None, "it is a call");
    }
}
