//! What is known of the side effects of a breakpoint's expressions before it is hit: from the code at its places.

use clr_csharp::pure::{Foreseen, Unknown};
use clr_csharp::syntax::{self, Expr, ExprKind};

use super::entry::Entry;
use super::log_message::Part;
use crate::session::error::{Code, SessionError};
use crate::session::expression::is_called;
use crate::session::inspect::missing;
use crate::session::inspect::specifiers::Specified;
use crate::session::modules::Modules;

/// Refuses names that exist nowhere, conditions that are not `bool`, and what certainly changes something, or may, wherever the breakpoint stops. What depends on the
/// objects there is judged at a hit.
///
/// # Errors
/// `invalid_condition`, or `invalid_argument` of a message, with the name or the type; `side_effects` with the call.
pub(crate) fn check(entry: &Entry, modules: &Modules) -> Result<(), SessionError> {
    check_names(entry, modules)?;
    if entry.spec.allow_side_effects {
        return Ok(());
    }
    let holes = entry.log.as_ref().map_or([].as_slice(), |message| &message.parts);
    for text in entry.spec.condition.clone().into_iter().chain(holes.iter().filter_map(hole)) {
        for (path, line) in entry.stop_places() {
            if let Some(Foreseen::SideEffects { at, why }) = modules.foresee(path, line, text.trim()) {
                let part = text.trim().get(at).unwrap_or(&text);
                return Err(SessionError::new(
                    Code::SideEffects,
                    format!("`{part}` may have side effects: {why}"),
                    format!("{} with allow_side_effects: true lets it run", entry.tool()),
                ));
            }
        }
    }
    Ok(())
}

/// Of each place that the breakpoint has: a name that one of them has is a name.
fn check_names(entry: &Entry, modules: &Modules) -> Result<(), SessionError> {
    let places = entry.stop_places();
    let unknown = |text: &str| {
        let mut found = None;
        for (path, line) in &places {
            found = Some(modules.unknown(path, *line, text.trim())?);
        }
        found.map(|(unknown, here)| match unknown {
            Unknown::Value(name) if is_called(text, &name) => missing::no_method(&name, &here),
            Unknown::Value(name) => missing::no_name(&name, &here),
            Unknown::Member { error, .. } => error.to_string(),
        })
    };
    let no_condition = |text: &str| {
        let mut found = None;
        for (path, line) in &places {
            found = Some(modules.no_condition(path, *line, text.trim())?);
        }
        found
    };
    let refused = |condition: &str, words: String, hint: &str| {
        Err(SessionError::new(Code::InvalidCondition, format!("condition `{condition}`: {words}"), hint))
    };
    if let Some(condition) = entry.spec.condition.as_deref() {
        if let Some(words) = unknown(condition) {
            return refused(condition, words, "use a name that exists at that line");
        }
        if let Some(words) = no_condition(condition) {
            return refused(condition, words, "write a boolean C# expression: `i == 3 && order.Total > 10m`");
        }
    }
    let holes = entry.log.iter().flat_map(|message| &message.parts).filter_map(hole);
    for text in holes {
        if let Some(words) = unknown(&text) {
            return Err(SessionError::argument(
                "message",
                format!("the message has the placeholder `{{{text}}}`: {words}"),
                "use a name that exists at that line",
            ));
        }
    }
    Ok(())
}

fn hole(part: &Part) -> Option<String> {
    match part {
        Part::Hole { expression, .. } => Specified::read(expression).ok().map(|it| it.expression),
        Part::Text(_) => None,
    }
}

/// Whether a condition changes nothing, wherever the breakpoint stops. In code without metadata, names are taken for variables.
pub(super) fn is_pure(entry: &Entry, modules: &Modules, condition: &str) -> bool {
    let places = entry.stop_places();
    let is_pure = |(path, line): &(&str, u32)| match modules.foresee(path, *line, condition.trim()) {
        Some(foreseen) => foreseen == Foreseen::Pure,
        None => !modules.has_document(path) && has_only_names(condition),
    };
    match places.as_slice() {
        [] => has_only_names(condition),
        places => places.iter().all(is_pure),
    }
}

/// Whether its syntax shows that it calls nothing.
fn has_only_names(condition: &str) -> bool {
    fn is_plain(expr: &Expr) -> bool {
        let is_own = matches!(
            expr.kind,
            ExprKind::Literal(_) | ExprKind::Name { .. } | ExprKind::Unary { .. } | ExprKind::Binary { .. }
        );
        is_own && expr.children().into_iter().all(is_plain)
    }
    // lists show the variable `@class` as `class`
    syntax::parse(condition).map_or_else(|_| syntax::is_keyword(condition), |expr| is_plain(&expr))
}
