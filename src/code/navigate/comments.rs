//! Names in comments that mean a symbol: in a `cref`, behind the name of its type and a dot, or between backticks. The bare word alone may
//! be plain English.

use super::binding::Scope;
use super::context::Context;
use super::definition::arities;
use super::query::{is_by_ref, type_text, with_keywords};
use super::symbol::{Symbol, SymbolKind};
use super::syntax::{NodeId, Syntax};

/// Of one `cref`; what stands in it is bounded by the comment, and few are longer.
const MOST_NAMES: usize = 256;

/// A name within a `cref`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Name {
    /// Byte within the comment.
    at: usize,
    /// The path that it ends.
    path: Vec<String>,
    /// Type parameters in braces.
    arity: usize,
    /// Those of the name before it.
    owner_arity: usize,
    /// Whether the path goes on behind it.
    is_last: bool,
    /// Behind it, if written.
    parameters: Option<Vec<String>>,
}

/// Bytes where comments speak of the symbol.
pub(super) fn mentions(scope: &Scope<'_>, context: &Context, symbol: &Symbol) -> Vec<usize> {
    let syntax = scope.syntax;
    let simple = context.simple();
    let mut found = Vec::new();
    for id in syntax.all().filter(|&id| syntax.kind(id) == "comment") {
        let text = syntax.text(id);
        if !text.contains(simple) {
            continue;
        }
        let start = syntax.range(id).start;
        let mut crefs: Vec<std::ops::Range<usize>> = Vec::new();
        if text.starts_with("///") || text.starts_with("/**") {
            let place = documented(syntax, id);
            for cref in crefs_of(text) {
                let names = names_in(text, cref.clone());
                crefs.push(cref);
                let meant = names.iter().filter(|it| is_meant(scope, context, symbol, it, place));
                found.extend(meant.map(|it| start + it.at));
            }
        }
        let is_free = |at: &usize| !crefs.iter().any(|cref| cref.contains(at));
        let words = words(text, simple).filter(is_free);
        found.extend(words.filter(|&at| is_spoken_of(scope, context, symbol, (id, at))).map(|at| start + at));
    }
    found
}

/// Where the word stands in a text on its own.
fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let goes_on = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at + word.len()..).unwrap_or_default());
        !before.ends_with(goes_on) && !behind.starts_with(goes_on)
    })
}

fn is_spoken_of(scope: &Scope<'_>, context: &Context, symbol: &Symbol, (id, at): (NodeId, usize)) -> bool {
    let text = scope.syntax.text(id);
    let before = text.get(..at).unwrap_or_default();
    let behind = text.get(at + context.simple().len()..).unwrap_or_default();
    if let Some(owner) = before.strip_suffix('.') {
        let goes_on = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let path = owner.rsplit(|c: char| !goes_on(c)).next().unwrap_or_default();
        let path: Vec<&str> = path.split('.').filter(|part| !part.is_empty()).collect();
        return symbol.kind != SymbolKind::Type && context.is_owner(scope, &path, id);
    }
    let is_code = before.ends_with('`') && behind.starts_with('`');
    is_code
        && match symbol.kind {
            SymbolKind::Type => scope.means_type(&[context.simple()], context.arity(), id, symbol),
            _ => scope.is_member_of(&|path| context.is_inside(path), context.simple(), id),
        }
}

fn is_meant(scope: &Scope<'_>, context: &Context, symbol: &Symbol, name: &Name, place: NodeId) -> bool {
    let path: Vec<&str> = name.path.iter().map(String::as_str).collect();
    if path.last() != Some(&context.simple()) {
        return false;
    }
    let takes = || match &name.parameters {
        Some(written) => {
            let same = |(a, b): (&String, &String)| a.trim_end_matches('?') == b.trim_end_matches('?');
            let own: Vec<String> = symbol.parameters.iter().map(|it| passed(it)).collect();
            let has_arity = symbol.kind != SymbolKind::Method || name.arity == symbol.method_arity();
            has_arity && written.len() == own.len() && written.iter().zip(&own).all(same)
        }
        None => symbol.kind != SymbolKind::Method || context.is_meant_alone(name.arity, symbol),
    };
    let owner = path.split_last().map(|(_, owner)| owner).unwrap_or_default();
    match symbol.kind {
        SymbolKind::Type => {
            // With parameters it is a constructor; alone, a member of that name is nearer.
            let is_type = !name.is_last || name.parameters.is_none();
            let is_member = || path.len() == 1 && name.arity == 0 && scope.has_member_around(context.simple(), place);
            is_type && scope.means_type(&path, name.arity, place, symbol) && !is_member()
        }
        SymbolKind::Constructor => {
            // `Box(int)` and `Box.Box(int)`.
            let (type_, arity) = match owner.last() == path.last() {
                true => (owner, name.owner_arity),
                false => (path.as_slice(), name.arity),
            };
            name.is_last && name.parameters.is_some() && takes() && context.is_declared_in(scope, type_, arity, place)
        }
        _ if !name.is_last || !takes() => false,
        _ if owner.is_empty() => {
            let is_around = scope.types_around(place).any(|path| context.is_own(path));
            let is_of = !is_around || scope.syntax.arities_at(place).starts_with(&arities(symbol));
            is_of && scope.is_member_of(&|path| context.is_own(path), context.simple(), place)
        }
        _ => context.is_declared_in(scope, owner, name.owner_arity, place),
    }
}

/// The declaration that a comment stands before: its names are looked up from within.
fn documented(syntax: &Syntax, comment: NodeId) -> NodeId {
    let Some(around) = syntax.parent(comment) else { return comment };
    let is_declared = |child: &NodeId| *child > comment && syntax.kind(*child) != "comment";
    syntax.children(around).find(is_declared).unwrap_or(comment)
}

/// What stands in the `cref`s of a comment, as bytes of it; those with a prefix (`T:`) name no symbol of the source.
fn crefs_of(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    for (at, opening) in text.match_indices("cref=") {
        let start = at + opening.len();
        let Some(quote) = text.get(start..).and_then(|rest| rest.chars().next()).filter(|c| matches!(c, '"' | '\''))
        else {
            continue;
        };
        let value = text.get(start + 1..).unwrap_or_default();
        let Some(length) = value.find(quote) else { continue };
        if value.as_bytes().get(1) != Some(&b':') {
            found.push(start + 1..start + 1 + length);
        }
    }
    found
}

fn names_in(text: &str, cref: std::ops::Range<usize>) -> Vec<Name> {
    let value = text.get(cref.clone()).unwrap_or_default();
    let mut found: Vec<Name> = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut is_in_parameters = false;
    let mut at = 0;
    while let Some(rest) = value.get(at..).filter(|rest| !rest.is_empty() && found.len() < MOST_NAMES) {
        if let Some(operator) = operator_at(rest) {
            let next = rest.get(operator.len()..).unwrap_or_default();
            path.push(operator.trim_end().to_owned());
            let parameters = parameters_at(next);
            let owner_arity = owner_arity(&found, &path);
            found.push(Name {
                at: cref.start + at,
                path: path.clone(),
                arity: 0,
                owner_arity,
                is_last: true,
                parameters,
            });
            path.clear();
            is_in_parameters = true;
            at += operator.len();
            continue;
        }
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '@')).unwrap_or(rest.len());
        if length == 0 {
            let sign = rest.chars().next().unwrap_or(' ');
            let goes_on = match sign {
                '.' => true,
                ':' if rest.starts_with("::") => true,
                '{' | '<' => {
                    let (arity, length) = behind(rest);
                    let next = rest.get(length..).unwrap_or_default();
                    if let Some(name) = found.last_mut() {
                        (name.arity, name.is_last) = (arity, !next.starts_with('.'));
                        name.parameters = parameters_at(next);
                    }
                    if !is_in_parameters {
                        // They name the type's own parameters.
                        at += length;
                        continue;
                    }
                    false
                }
                '(' => {
                    is_in_parameters = true;
                    false
                }
                _ => false,
            };
            if !goes_on {
                path.clear();
            }
            at += sign.len_utf8();
            continue;
        }
        let word = rest.get(..length).unwrap_or_default().trim_start_matches('@');
        let next = rest.get(length..).unwrap_or_default();
        at += length;
        if matches!(word, "ref" | "out" | "in" | "readonly") && next.starts_with(' ') {
            continue;
        }
        path.push(word.to_owned());
        let (is_last, parameters) = (!next.starts_with('.') && !next.starts_with("::"), parameters_at(next));
        let at = cref.start + at - length;
        let owner_arity = owner_arity(&found, &path);
        found.push(Name { at, path: path.clone(), arity: 0, owner_arity, is_last, parameters });
    }
    found
}

/// Type parameters of the name before the last of a path.
fn owner_arity(found: &[Name], path: &[String]) -> usize {
    found.last().filter(|_| path.len() > 1).map_or(0, |owner| owner.arity)
}

/// `operator +` or `implicit operator Money`, where a text begins with one: up to its parameters.
fn operator_at(text: &str) -> Option<&str> {
    let bare = ["implicit ", "explicit "].iter().find_map(|how| text.strip_prefix(how)).unwrap_or(text);
    let sign = bare.strip_prefix("operator")?;
    let is_apart = !sign.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let operator = text.split('(').next()?;
    (is_apart && !sign.trim().is_empty()).then_some(operator)
}

/// Of text that begins with a brace: how many arguments it has, and where it ends.
fn behind(text: &str) -> (usize, usize) {
    let (mut depth, mut count) = (0usize, 1);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' | b'<' => depth += 1,
            b'}' | b'>' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return (count, at + 1);
                }
            }
            b',' if depth == 1 => count += 1,
            _ => {}
        }
    }
    (count, text.len())
}

/// The parameters that a text begins with, as types of metadata are spelled.
fn parameters_at(text: &str) -> Option<Vec<String>> {
    let inside = text.strip_prefix('(')?.rsplit_once(')')?.0;
    let inside = inside.replace('{', "<").replace('}', ">");
    let mut parts: Vec<String> = Vec::new();
    let mut depth = 0usize;
    for character in inside.chars() {
        match character {
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            Some(part) => part.push(character),
            None => parts.push(character.to_string()),
        }
    }
    Some(parts.iter().map(|part| passed(part)).collect())
}

/// In one spelling: `ref int` of `out System.Int32 size`.
fn passed(parameter: &str) -> String {
    let type_ = parameter.trim();
    let bare = ["ref ", "out ", "in "].iter().find_map(|how| type_.strip_prefix(how));
    let how = if is_by_ref(type_) { "ref " } else { "" };
    format!("{how}{}", with_keywords(&type_text(bare.unwrap_or(type_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(cref: &str) -> Vec<String> {
        let text = format!("/// <see cref=\"{cref}\"/>");
        let found = crefs_of(&text).into_iter().flat_map(|range| names_in(&text, range));
        let shown = |it: Name| {
            let parameters = it.parameters.map(|all| format!("({})", all.join(","))).unwrap_or_default();
            let last = if it.is_last { "" } else { " .." };
            assert!(text[it.at..].starts_with(it.path.last().unwrap()));
            format!("{}`{}{parameters}{last}", it.path.join("."), it.arity)
        };
        found.map(shown).collect()
    }

    #[test]
    fn a_cref_is_read_name_by_name() {
        assert_eq!(names("Shop.Item"), ["Shop`0 ..", "Shop.Item`0"]);
        assert_eq!(names("Box{T}.Add(T, List{int})"), ["Box`1 ..", "Box.Add`0(T,List<int>)", "T`0", "List`1", "int`0"]);
        assert_eq!(
            names("Item(System.Int32, out Kind)"),
            ["Item`0(int,ref Kind)", "System`0 ..", "System.Int32`0", "Kind`0"]
        );
        assert_eq!(names("Box{T}"), ["Box`1"]);
        assert_eq!(names("operator +"), ["operator +`0"]);
        assert_eq!(
            names("Shop.Money.operator +(Money, Money)"),
            ["Shop`0 ..", "Shop.Money`0 ..", "Shop.Money.operator +`0(Money,Money)", "Money`0", "Money`0"]
        );
        assert_eq!(names("implicit operator Money(int)"), ["implicit operator Money`0(int)", "int`0"]);
        assert_eq!(names("operatorX"), ["operatorX`0"]);
        assert_eq!(names("T:Shop.Item"), [""; 0]);
    }
}
