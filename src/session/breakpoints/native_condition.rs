//! Which conditions an adapter judges by itself, and in what form: a hit that does not count then costs no stop.
//!
//! Both adapters compute by the rules of `dynamic`, so that `u - 8 > 0` is false with `uint u = 7`, compare strings up to their first NUL,
//! and stop at every hit of a condition that they cannot evaluate (vendor-notes.md). So they get only what they read and compute as C#
//! does; the rest is evaluated here, at a stop.

mod computed;
mod hidden;

use clr_csharp::syntax::{self, Expr, ExprKind, Name};

use super::entry::{Entry, Role};
use super::foreseen;
use crate::backend::Quirks;
use crate::backend::quirks::MembersOf;
use crate::dap::MayRun;
use crate::session::expression::{may_divide_by_zero, outside_strings};
use crate::session::inspect::{lone_names, spelling};
use crate::session::modules::Modules;

/// A condition as an adapter is given it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Native {
    pub condition: String,
    /// For an adapter that can tell what changes nothing.
    pub may_run: Option<MayRun>,
}

/// The condition of a breakpoint as its adapter is given it; `None` where it is evaluated here.
pub(super) fn of(entry: &Entry, quirks: &Quirks, modules: &Modules) -> Option<Native> {
    let is_ours = entry.role != Role::User || entry.counted || entry.adapter_refuses;
    let condition = entry.spec.condition.as_ref().filter(|_| !is_ours)?;
    if entry.methods.shares_lines() {
        // it would be evaluated in other methods too, where its names mean nothing
        return None;
    }
    if quirks.conditions_are_csharp {
        let may_run = (!entry.spec.allow_side_effects).then_some(MayRun::Pure);
        return Some(Native { condition: condition.clone(), may_run });
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
    let condition = condition.filter(|_| !kills && computed::as_in_csharp(&expr, &type_of))?;
    Some(Native { condition, may_run: None })
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
