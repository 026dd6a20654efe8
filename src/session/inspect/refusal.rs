//! What adapters say when they refuse an expression, in plain words.

use clr_csharp::syntax::{self, Expr, ExprKind};

use super::evaluate::{NO_OVERLOAD, NOTHING_RUNS, RUNS_NOTHING};
use super::missing;
use super::path::walk_path;
use super::reader::{ReadError, Reader};
use super::shape::MemberKind;
use crate::session::error::Code;

/// The adapter's words, without its numbers where plain words are known.
pub(super) async fn told(reader: &Reader, expression: &str, words: &str) -> String {
    if let Some(name) = missing_name(words) {
        // of `order.Customer.Name` the adapter says no more than that it does not exist
        if name.contains(['.', '['])
            && let Err(error) = Box::pin(walk_path(reader, name, true)).await
            && error.code == Code::EvaluationFailed
        {
            return error.message;
        }
        return no_name(reader, name).await;
    }
    let plain = words.trim_start_matches("error: ").trim();
    if plain.contains(RUNS_NOTHING) {
        return NOTHING_RUNS.to_owned();
    }
    // both name nodes of their trees; what Roslyn makes of one that netcoredbg puts into a statement is no help either
    let of_trees = ["not implemented", "parse node type", "prefix unary expression", "error CS1"];
    let is_csharp = reader.capabilities.supports_csharp_expressions;
    if !is_csharp && of_trees.iter().any(|words| plain.contains(words)) && syntax::parse(expression).is_ok() {
        return unsupported(expression);
    }
    match plain {
        NO_OVERLOAD => {
            "no such member or overload: argument types must match exactly, types need their full name".into()
        }
        "0x80004005" => "not found or not supported here: types need their full name (System.Math.Max)".into(),
        other => other.to_owned(),
    }
}

/// In the words of C#: adapters name a node of their tree.
pub(super) fn unsupported(expression: &str) -> String {
    match syntax::parse(expression).map(|expr| expr.construct()) {
        Ok(None) if syntax::parse(expression).is_ok_and(|expr| assigns(&expr)) => {
            "an expression does not assign here: use variable_set".to_owned()
        }
        Ok(Some("assignment")) => "an expression does not assign here: use variable_set".to_owned(),
        Ok(Some(construct)) => {
            let article = match construct.chars().next() {
                Some('`') | None => "",
                Some('a' | 'e' | 'i' | 'o' | 'u') => "an ",
                _ => "a ",
            };
            format!("{article}{construct} is not supported here; members, indexers, calls and operators work")
        }
        Ok(None) if syntax::parse(expression).is_ok_and(|expr| has_cast(&expr)) => {
            "this cast is not supported here; members, indexers, calls and operators work".to_owned()
        }
        Ok(None) => "not supported here; members, indexers, calls and operators work".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// `i++`, `--i`.
fn assigns(expr: &Expr) -> bool {
    use clr_csharp::syntax::UnaryOp::{PostDecrement, PostIncrement, PreDecrement, PreIncrement};
    matches!(expr.kind, ExprKind::Unary { operator: PostDecrement | PostIncrement | PreDecrement | PreIncrement, .. })
}

/// `new Order(3)`, without members that are set.
pub(super) fn is_new(expression: &str) -> bool {
    syntax::parse(expression).is_ok_and(|expr| matches!(expr.kind, ExprKind::New { .. }))
}

fn has_cast(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Cast { .. }) || expr.children().into_iter().any(has_cast)
}

/// A first name that the frame does not have.
pub(super) async fn no_name(reader: &Reader, name: &str) -> String {
    if reader.is_gone {
        return format!("`{name}` cannot be read: {}", missing::GONE);
    }
    let here = match reader.variables().await {
        Ok(here) => here,
        Err(ReadError::Refused(words)) => return missing::unreadable_frame(name, &words),
        Err(_) => Vec::new(),
    };
    if let Some(this) = here.iter().find(|variable| variable.name == "this") {
        let shape = reader.modules.shape(&this.type_name);
        if shape.members.iter().any(|member| member.kind == MemberKind::Captured && member.name == name) {
            return missing::captured(name);
        }
    }
    let (purity, text) = (reader.modules.purity(), name.to_owned());
    let types = tokio::task::spawn_blocking(move || purity.types_named(&text)).await.unwrap_or_default();
    if let Some(full_name) = types.first().filter(|full_name| *full_name != name) {
        return missing::needs_full_name(name, full_name);
    }
    let names: Vec<String> = here.into_iter().map(|variable| variable.name).collect();
    missing::no_name(name, &names)
}

pub(super) fn missing_name(words: &str) -> Option<&str> {
    let rest = words.split_once("The name '")?.1;
    rest.split_once('\'').map(|(name, _)| name)
}
