//! Which conditions and hit conditions an adapter judges by itself, which messages it reads the values of, and in what form: a hit that
//! does not count then costs no stop, and most that are logged cost none.
//!
//! Both adapters compute by the rules of `dynamic`, so that `u - 8 > 0` is false with `uint u = 7`, compare strings up to their first NUL,
//! and stop at every hit of a condition that they cannot evaluate (vendor-notes.md). So they get only what they read and compute as C#
//! does; the rest is evaluated here, at a stop.

mod computed;
mod hidden;

use clr_csharp::syntax::{self, Expr, ExprKind, Name};

use super::entry::{Entry, Role};
use super::log_message::Part;
use super::{foreseen, hits};
use crate::backend::Quirks;
use crate::backend::quirks::MembersOf;
use crate::dap::{Capabilities, HitCounter, MayRun, Trace};
use crate::session::expression::{may_divide_by_zero, outside_strings};
use crate::session::inspect::specifiers::{Specified, Specifier};
use crate::session::inspect::{lone_names, spelling};
use crate::session::modules::Modules;

/// What an adapter decides of a breakpoint's hits, as it is given that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Native {
    pub condition: Option<NativeCondition>,
    /// For an adapter that counts as we do: the hit condition, if there is one, and where it counts.
    pub hits: Option<(Option<String>, HitCounter)>,
    /// For one that reads the values of a message without a stop.
    pub trace: Option<Trace>,
}

/// A condition as an adapter is given it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeCondition {
    pub text: String,
    /// For an adapter that knows what has no side effects.
    pub may_run: Option<MayRun>,
}

/// What the adapter decides of a breakpoint's hits; `None` where all of that is decided here.
pub(super) fn of(entry: &Entry, adapter: (&Quirks, &Capabilities), modules: &Modules) -> Option<Native> {
    let (quirks, capabilities) = adapter;
    // where code of other methods runs, too, its names mean nothing, and hits there are not its own
    if entry.role != Role::User || entry.counted || entry.adapter_refuses || entry.methods.shares_lines() {
        return None;
    }
    let condition = match &entry.spec.condition {
        Some(condition) => Some(spelled(entry, condition, quirks, modules)?),
        None => None,
    };
    let counts = hits::are_counted_by(capabilities);
    let reads = counts && capabilities.supports_clr_traces && capabilities.supports_csharp_expressions;
    let trace = read_there(entry).filter(|_| reads);
    let hit_condition = entry.spec.hit_condition.clone().filter(|_| counts);
    let hits = (hit_condition.is_some() || trace.is_some()).then(|| (hit_condition, entry.hits.counter()));
    (condition.is_some() || hits.is_some()).then_some(Native { condition, hits, trace })
}

/// What of a message an adapter can read; `None`: nothing, as one of its expressions takes more than to be read.
fn read_there(entry: &Entry) -> Option<Trace> {
    let expression = |part: &Part| match part {
        Part::Text(_) => None,
        Part::Hole { expression, .. } => {
            let asked = Specified::read(expression).ok();
            let asked =
                asked.filter(|asked| !asked.specifiers.contains(&Specifier::Results) && asked.is_within_bounds());
            Some(asked.map(|asked| asked.expression.trim().to_owned()))
        }
    };
    let expressions = entry.log.as_ref()?.parts.iter().filter_map(expression).collect::<Option<_>>()?;
    entry.tracing.wanted(expressions)
}

/// A condition in the adapter's words; `None` where it is evaluated here.
fn spelled(entry: &Entry, condition: &str, quirks: &Quirks, modules: &Modules) -> Option<NativeCondition> {
    if quirks.conditions_are_csharp {
        let may_run = (!entry.spec.allow_side_effects).then_some(MayRun::Pure);
        return Some(NativeCondition { text: condition.to_owned(), may_run });
    }
    // what its adapter runs of it nobody can refuse
    if !entry.spec.allow_side_effects && !foreseen::is_pure(entry, modules, condition) {
        return None;
    }
    let expr = parsed(condition.trim())?;
    let first = entry.stop_places().first().copied();
    let declared = || first.map(|(path, line)| modules.declared_at(path, line, None)).unwrap_or_default();
    if quirks.dividing_by_zero_kills && may_divide_by_zero(&expr) {
        return None;
    }
    // of names that only the source has for elements of tuples adapters know nothing
    if condition.contains('.') && modules.spell_elements(condition, &declared()).is_some() {
        return None;
    }
    if quirks.members_of != MembersOf::DeclaredType && hidden::may_read(modules, &declared(), &expr) {
        return None;
    }
    // an enum among the arguments would be another number there
    if !quirks.passes_computed_enums && passes_computed(&expr) {
        return None;
    }
    let names = first.and_then(|(path, line)| modules.names_at(path, line));
    let type_of = |name: &str| names.as_ref()?.types.get(name).cloned();
    let has_parentheses = || outside_strings(condition).contains('(');
    if !quirks.conditions_may_call && (has_parentheses() || !computed::without_calls(&expr, &type_of)) {
        return None;
    }
    let kills = quirks.unknown_names_kill
        && names.as_ref().is_some_and(|names| {
            !names.has_namespace && lone_names(condition).iter().any(|name| !names.types.contains_key(name.as_str()))
        });
    let condition = spelling::without_calls(condition, quirks);
    let text = condition.filter(|_| !kills && computed::as_in_csharp(&expr, &type_of))?;
    Some(NativeCondition { text, may_run: None })
}

/// Lists show the variable `@class` by its name alone.
fn parsed(condition: &str) -> Option<Expr> {
    let alone = || {
        let name = Name { text: condition.to_owned(), types: Vec::new() };
        Expr { kind: ExprKind::Name { alias: None, name }, span: 0..condition.len() }
    };
    match syntax::parse(condition) {
        // what is in a comment an adapter may take for code
        Ok(expr) => (expr.span == (0..condition.len())).then_some(expr),
        Err(_) => syntax::is_keyword(condition).then(alone),
    }
}

/// Whether an expression calls anything with a value that may lie in a box; of what type that is takes a frame to say.
fn passes_computed(expr: &Expr) -> bool {
    let is_constant = |argument: &syntax::Argument| {
        matches!(
            argument.value.kind,
            ExprKind::Literal(_)
                | ExprKind::This
                | ExprKind::TypeOf(_)
                | ExprKind::SizeOf(_)
                | ExprKind::NameOf(_)
                | ExprKind::Default(_)
        )
    };
    let passes = match &expr.kind {
        ExprKind::Invocation { arguments, .. } | ExprKind::ElementAccess { arguments, .. } => {
            !arguments.iter().all(is_constant)
        }
        _ => false,
    };
    passes || expr.children().into_iter().any(passes_computed)
}
