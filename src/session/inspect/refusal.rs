//! What adapters say when they refuse an expression, in plain words.

use std::path::Path;

use clr_csharp::syntax::{self, Expr, ExprKind};

use super::access::ReadError;
use super::evaluated::{NO_OVERLOAD, NOTHING_RUNS, RUNS_NOTHING};
use super::missing;
use super::path::walk_path;
use super::reader::Reader;
use super::shape::MemberKind;
use crate::session::error::Code;
use crate::session::expression::{is_called, is_path};
use crate::session::type_names;

/// What dncdbg says of a constructor that it does not find.
const NO_CONSTRUCTOR: &str = "' has no accessible constructor taking ";

/// What is said where nothing is known of what was asked for.
pub(super) const NO_SUCH: &str =
    "no such member or overload: argument types must match exactly, and types need their full name";

/// The adapter's words, without its numbers where plain words are known.
pub(super) async fn explained(reader: &Reader, expression: &str, words: &str) -> String {
    if let Some(name) = missing_name(words) {
        // behind an index it names the rest alone, which may mean a type
        let name = from_begin(expression, name);
        // of `order.Customer.Name` the adapter says no more than that it does not exist
        if name.contains(['.', '['])
            && let Err(error) = Box::pin(walk_path(reader, name, true)).await
            && error.code == Code::EvaluationFailed
        {
            return error.message;
        }
        return match is_called(expression, name) {
            true => no_method(reader, name).await,
            false => no_name(reader, name).await,
        };
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
        NO_OVERLOAD => NO_SUCH.into(),
        // it says so of every constructor whose parameters are not of exactly the arguments' types
        no_constructor if no_constructor.contains(NO_CONSTRUCTOR) => NO_SUCH.into(),
        "0x80004005" => "not found or not supported here: types need their full name (System.Math.Max)".into(),
        other => other.to_owned(),
    }
}

/// Whether the compiler says that a type has no such static member, or is no value: its words name the type, and nothing is found by keys.
pub(super) fn is_of_type(words: &str) -> bool {
    ["error CS0117: ", "error CS0119: "].iter().any(|code| words.starts_with(code))
}

/// What the compiler refuses, in words that say what there is instead.
pub(super) async fn compiled(reader: &Reader, expression: &str, words: &str) -> String {
    let Some((code, rest)) = words.strip_prefix("error ").and_then(|it| it.split_once(": ")) else {
        return words.to_owned();
    };
    let quoted: Vec<&str> = rest.split('\'').skip(1).step_by(2).collect();
    match (code, quoted.as_slice()) {
        ("CS0103" | "CS0026", _) if reader.is_gone => format!("`{expression}` cannot be read: {}", missing::GONE),
        ("CS0103", [name, ..]) if is_called(expression, name) => {
            let (purity, called) = (reader.modules.purity(), (*name).to_owned());
            let is_local =
                tokio::task::spawn_blocking(move || purity.has_local_function(&called)).await.unwrap_or(false);
            if is_local { missing::is_local_function(name) } else { no_method(reader, name).await }
        }
        ("CS0103", [name, ..]) => no_name(reader, name).await,
        ("CS1061", [type_name, name, ..]) if !reader.modules.has_type("System.Object") => {
            let (purity, text) = (reader.modules.purity(), (*type_name).to_owned());
            let named = tokio::task::spawn_blocking(move || purity.types_named(&text)).await.unwrap_or_default();
            match named.is_empty() {
                true => format!("no metadata for {type_name} is available, so nothing is known about `{name}`"),
                false => words.to_owned(),
            }
        }
        ("CS1955", [name, ..]) => missing::no_call(name),
        ("CS0149", _) => match expression.split('(').next().map(str::trim).filter(|it| is_path(it)) {
            Some(name) => missing::not_called(name),
            None => words.to_owned(),
        },
        ("CS0428", _) if is_path(expression) => missing::is_method(expression),
        ("CS0021", _) if !reader.modules.has_type("System.Object") => {
            "no metadata for the framework is available, so its indexers are unknown".to_owned()
        }
        ("CS0021", [.., type_name]) => missing::no_indexer(type_name),
        _ => words.to_owned(),
    }
}

/// In the words of C#: adapters name a node of their tree.
pub(super) fn unsupported(expression: &str) -> String {
    match syntax::parse(expression).map(|expr| expr.construct()) {
        Ok(None) if syntax::parse(expression).is_ok_and(|expr| assigns(&expr)) => {
            "assignment is not supported in expressions here: use variable_set".to_owned()
        }
        Ok(Some("assignment")) => "assignment is not supported in expressions here: use variable_set".to_owned(),
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

fn has_cast(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Cast { .. }) || expr.children().into_iter().any(has_cast)
}

/// A name that is called where the frame has no such method.
async fn no_method(reader: &Reader, name: &str) -> String {
    if reader.is_gone {
        return format!("`{name}` cannot be read: {}", missing::GONE);
    }
    let variables = reader.variables().await.unwrap_or_default().into_iter().map(|variable| variable.name);
    // a delegate
    if is_assigned_away(reader, name) {
        return missing::optimized_away(name, &variables.collect::<Vec<_>>());
    }
    let around = reader.frames.types_around(reader.frame_id, &reader.modules);
    let methods = around.iter().rev().flat_map(|type_| reader.modules.method_names(type_));
    missing::no_method(name, &methods.chain(variables).collect::<Vec<_>>())
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
        let shape = reader.shape(&this.type_name);
        if shape.members.iter().any(|member| member.kind == MemberKind::Captured && member.name == name) {
            return missing::captured(name);
        }
    }
    let around = reader.frames.types_around(reader.frame_id, &reader.modules);
    let has_it = |type_: &&String| reader.modules.static_names(type_).iter().any(|known| known == name);
    if let Some(type_) = around.iter().rev().find(has_it) {
        return missing::unreadable_static(&format!("{}.{name}", type_names::short(type_)));
    }
    let (purity, text) = (reader.modules.purity(), name.to_owned());
    let types = tokio::task::spawn_blocking(move || purity.types_named(&text)).await.unwrap_or_default();
    if let Some(full_name) = types.first().filter(|full_name| *full_name != name) {
        return missing::needs_full_name(name, full_name);
    }
    let names: Vec<String> = here.into_iter().map(|variable| variable.name).collect();
    match is_optimized_away(reader, name) {
        true => missing::optimized_away(name, &names),
        false => missing::no_name(name, &names),
    }
}

/// Whether the source has that name, and the frame's code is optimized, which keeps no variable of it.
fn is_optimized_away(reader: &Reader, name: &str) -> bool {
    let is_word = |line: &str| line.split(|sign: char| !sign.is_alphanumeric() && sign != '_').any(|it| it == name);
    optimized_source_has(reader, is_word)
}

/// The same of a variable that the source assigns.
fn is_assigned_away(reader: &Reader, name: &str) -> bool {
    optimized_source_has(reader, |line| assigns_to(line, name))
}

/// Whether a line of source assigns a variable of that name.
fn assigns_to(line: &str, name: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || ['_', '.'].contains(&sign);
    line.match_indices(name).any(|(at, _)| {
        let (before, behind) = line.split_at(at);
        let behind = behind.strip_prefix(name).map(str::trim_start).and_then(|it| it.strip_prefix('='));
        !before.ends_with(is_part) && behind.is_some_and(|behind| !behind.starts_with(['=', '>']))
    })
}

fn optimized_source_has(reader: &Reader, is_it: impl Fn(&str) -> bool) -> bool {
    let Some(place) = reader.place.as_ref().filter(|place| reader.modules.is_optimized(&place.path)) else {
        return false;
    };
    let lines = reader.sources.lines(Path::new(&place.path)).unwrap_or_default();
    lines.iter().any(|line| is_it(line))
}

/// The path that a name ends which stands behind a dot, where it is one from the expression's begin.
fn from_begin<'t>(expression: &'t str, name: &'t str) -> &'t str {
    let ends = expression.match_indices(name).map(|(at, name)| at + name.len());
    let paths = ends.filter_map(|end| expression.get(..end));
    let is_behind = |path: &&str| path.strip_suffix(name).is_some_and(|before| before.ends_with('.')) && is_path(path);
    paths.into_iter().find(is_behind).unwrap_or(name)
}

pub(super) fn missing_name(words: &str) -> Option<&str> {
    let rest = words.split_once("The name '")?.1;
    rest.split_once('\'').map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_behind_an_index_is_the_rest_of_a_path() {
        for (expression, name, path) in [
            ("venues[2].Contract.Ladder.Count", "Contract.Ladder.Count", "venues[2].Contract.Ladder.Count"),
            ("venues[2].Contract.Ladder.Count", "Contract.Ladder", "venues[2].Contract.Ladder"),
            ("order.Nope", "order.Nope", "order.Nope"),
            ("Contract.Rate + venues[2].Contract.Rate", "Contract.Rate", "Contract.Rate"),
            ("f().Nope", "Nope", "Nope"),
        ] {
            assert_eq!(from_begin(expression, name), path, "{expression}");
        }
    }

    #[test]
    fn a_variable_is_assigned_where_its_whole_name_stands_before_the_sign() {
        for line in ["Func<int> f = () => 1;", "    f= Next;", "int g = 1, f = 2;", "(f) => f = 3"] {
            assert!(assigns_to(line, "f"), "{line}");
        }
        for line in
            ["static int f() => 1;", "if (f == null)", "this.f = 1;", "half = 1;", "f2 = 1;", "f => f + 1", "f += 1"]
        {
            assert!(!assigns_to(line, "f"), "{line}");
        }
    }
}
