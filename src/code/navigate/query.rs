//! A symbol's name as people and agents write it: `Total`, `Order.Total`, `Shop.Order.Add(int)`, `Box<T>.Map`.

use super::error::NavigateError;
use clr_metadata::Primitive;

/// Of a name with its parameters.
const MOST_BYTES: usize = 2_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Query {
    /// Without generic arguments; at least one.
    pub(super) path: Vec<String>,
    /// How many type arguments were written at its end, if any.
    pub(super) arity: Option<usize>,
    /// Types of the parameters, if written.
    pub(super) parameters: Option<Vec<String>>,
    /// Which of them were written with `ref`, `out` or `in`.
    by_ref: Vec<bool>,
    /// All of it as written, without blanks.
    said: String,
}

impl Query {
    pub(super) fn parse(text: &str) -> Result<Self, NavigateError> {
        let invalid = || NavigateError::InvalidArgument {
            argument: "name",
            message: format!("`{text}` is not a valid symbol name"),
            hint: "pass a type or member as in C#: Order, Order.Total, Shop.Order.Add(int)".to_owned(),
        };
        if text.len() > MOST_BYTES {
            return Err(NavigateError::InvalidArgument {
                argument: "name",
                message: format!("`name` is longer than {MOST_BYTES} bytes"),
                hint: "pass a type or member as in C#".to_owned(),
            });
        }
        let trimmed = text.trim();
        let trimmed = trimmed.strip_prefix("global::").unwrap_or(trimmed);
        // The signs of an operator are no brackets.
        let (trimmed, operator) = match trimmed.find("operator ") {
            Some(at) => operator_at(trimmed, at).ok_or_else(invalid)?,
            None => (trimmed.to_owned(), None),
        };
        let (path, parameters) = match trimmed.find(['(', '[']) {
            Some(at) => {
                let (path, rest) = trimmed.split_at_checked(at).ok_or_else(invalid)?;
                let inside = rest.get(1..rest.len() - 1).filter(|_| rest.ends_with([')', ']'])).ok_or_else(invalid)?;
                let is_indexer = rest.starts_with('[') && inside.is_empty();
                (path, (!is_indexer).then(|| split(inside, ',')))
            }
            None => (trimmed.as_str(), None),
        };
        // A constructor's own name begins with a dot.
        let (path, is_constructor) = match path.strip_suffix(".ctor") {
            Some(type_) => (type_.trim_end_matches('.'), true),
            None => (path, false),
        };
        let parts = split(&path.replace('+', "."), '.');
        let arity = parts.last().and_then(|last| arity(last));
        let mut path: Vec<String> = parts.iter().map(|part| without_generics(part)).collect();
        if path.is_empty() || !path.iter().all(|part| is_identifier(part)) {
            return Err(invalid());
        }
        path.extend(operator);
        let keyword = path.first().filter(|_| path.len() > 1).and_then(|first| match first.as_str() {
            "decimal" => Some("System.Decimal"),
            first => Primitive::from_name(first).map(Primitive::full_name),
        });
        if let Some(full_name) = keyword {
            path.splice(..1, full_name.split('.').map(str::to_owned));
        }
        if is_constructor {
            path.extend(path.last().cloned());
        }
        let by_ref = parameters.iter().flatten().map(|it| is_by_ref(it)).collect();
        let parameters = parameters.map(|all| all.iter().map(|it| type_text(it)).collect());
        let said = text.split_whitespace().collect();
        Ok(Self { path, arity, parameters, by_ref, said })
    }

    /// Whether a symbol is shown just as it was written, parameters included: `Box.Add(int)` is not `Box<T>.Add(int)`.
    pub(super) fn is_said(&self, display: &str) -> bool {
        self.parameters.is_some() && display.split_whitespace().collect::<String>() == self.said
    }

    pub(super) fn last(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    pub(super) fn owner(&self) -> &[String] {
        self.path.split_last().map_or(&[], |(_, owner)| owner)
    }

    /// Whether parameters that [`Self::takes`] took are also passed as was written: `F(int)` and `F(ref int)` are two methods.
    pub(super) fn is_exact(&self, parameters: &[String]) -> bool {
        parameters.iter().map(|it| is_by_ref(it)).eq(self.by_ref.iter().copied())
    }

    /// Whether they are also spelled as was written: `F(int)` and `F(int?)` are two methods.
    pub(super) fn is_spelled(&self, parameters: &[String]) -> bool {
        self.parameters.iter().flatten().eq(&parameters.iter().map(|it| type_text(it)).collect::<Vec<_>>())
    }

    /// Whether a definition, as it is shown, has as many type parameters as were written.
    pub(super) fn is_of_arity(&self, display: &str) -> bool {
        let head = display.split('(').next().unwrap_or(display);
        self.arity.is_some() && split(head, '.').last().and_then(|last| arity(last)) == self.arity
    }

    /// Whether parameters of a definition are those that were written, if any were.
    pub(super) fn takes(&self, parameters: &[String]) -> bool {
        let Some(asked) = &self.parameters else { return true };
        let same = |(asked, given): (&String, &String)| {
            let (asked, given) = (with_keywords(asked), with_keywords(&type_text(given)));
            asked == given || asked.trim_end_matches('?') == given.trim_end_matches('?')
        };
        asked.len() == parameters.len() && asked.iter().zip(parameters).all(same)
    }
}

/// Takes the operator out of `Money.operator +(Money, Money)`, `Money.implicit operator decimal`: the rest, and its name.
fn operator_at(text: &str, at: usize) -> Option<(String, Option<String>)> {
    let end = text.get(at..)?.find('(').map_or(text.len(), |open| at + open);
    let (before, name) = text.get(..at).and_then(|before| {
        let how = ["implicit ", "explicit "].into_iter().find(|how| before.ends_with(how)).unwrap_or_default();
        Some((before.strip_suffix(how)?, text.get(at - how.len()..end)?))
    })?;
    let owner = before.strip_suffix('.')?;
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    Some((format!("{owner}{}", text.get(end..)?), Some(name)))
}

/// `owner` is the end of a dotted path.
pub(super) fn ends_in(path: &str, owner: &[String]) -> bool {
    let mut parts = path.rsplit('.');
    owner.iter().rev().all(|wanted| parts.next() == Some(wanted))
}

/// Whether a parameter as written is passed by reference.
pub(super) fn is_by_ref(parameter: &str) -> bool {
    let bare = parameter.trim_start().trim_start_matches("this ").trim_start_matches("scoped ");
    ["ref ", "out ", "in "].iter().any(|how| bare.starts_with(how))
}

/// A parameter's type in one spelling: no blanks, modifiers, namespaces or name behind it.
pub(super) fn type_text(text: &str) -> String {
    let mut text = text.trim();
    for modifier in ["this ", "params ", "scoped ", "ref ", "out ", "in ", "readonly "] {
        text = text.strip_prefix(modifier).unwrap_or(text).trim_start();
    }
    let mut depth = 0usize;
    let mut end = text.len();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' | b')' | b']' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let mut shown = String::new();
    let mut word = String::new();
    for character in text.get(..end).unwrap_or(text).chars() {
        match character {
            ' ' => {}
            '.' => word.clear(),
            c if c.is_alphanumeric() || c == '_' => word.push(c),
            other => {
                shown.push_str(&std::mem::take(&mut word));
                shown.push(other);
            }
        }
    }
    shown + &word
}

/// A type in one spelling with C#'s words for the types that have one: `List<int>` of `List<Int32>`.
pub(super) fn with_keywords(type_: &str) -> String {
    let is_sign = |c: char| !c.is_alphanumeric() && c != '_';
    let piece = |piece: &str| {
        let word = piece.trim_end_matches(is_sign);
        let primitive = Primitive::from_name(&format!("System.{word}"));
        let word_of = |known: Primitive| format!("{}{}", known.keyword(), piece.strip_prefix(word).unwrap_or_default());
        primitive.map_or_else(|| piece.to_owned(), word_of)
    };
    type_.split_inclusive(is_sign).map(piece).collect()
}

/// At the separators that lie within no bracket; nothing for a blank text.
fn split(text: &str, separator: char) -> Vec<String> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let mut parts = vec![String::new()];
    let mut depth = 0usize;
    for character in text.chars() {
        match character {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            c if c == separator && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(character);
        }
    }
    parts
}

fn without_generics(part: &str) -> String {
    let end = part.find(['<', '`']).filter(|&at| at > 0).unwrap_or(part.len());
    part.get(..end).unwrap_or(part).trim().trim_start_matches('@').to_owned()
}

/// `2` of `Map<T, U>`.
fn arity(part: &str) -> Option<usize> {
    let inside = part.trim().strip_suffix('>')?.split_once('<')?.1;
    Some(split(inside, ',').len())
}

fn is_identifier(part: &str) -> bool {
    let mut characters = part.chars();
    characters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_arguments_choose_among_methods_of_one_name() {
        for (text, display, expected) in [
            ("P.F<T>", "P.F<T>(T, int)", true),
            ("P.F<int>", "P.F<T>(T, int)", true),
            ("P.F<T>", "P.F(int)", false),
            ("P.F<T>", "P.F<T, U>(T, U)", false),
            ("P.F<A<B, C>, D>", "P<X>.F<T, U>(List<T>, U)", true),
            ("P.F", "P.F<T>(T)", false),
        ] {
            assert_eq!(Query::parse(text).unwrap().is_of_arity(display), expected, "{text} {display}");
        }
    }

    #[test]
    fn names_are_taken_as_people_write_them() {
        for (text, path, parameters) in [
            ("Total", "Total", None),
            ("Shop.Order.Add(int)", "Shop.Order.Add", Some("int")),
            ("global::Shop.Box<T>.Add( T item, System.Int32 times )", "Shop.Box.Add", Some("T|Int32")),
            ("Order.Add()", "Order.Add", Some("")),
            ("object.ToString", "System.Object.ToString", None),
            ("string", "string", None),
            ("Shop.Money.operator  <(Money, Money)", "Shop.Money.operator <", Some("Money|Money")),
            ("Money.implicit operator decimal", "Money.implicit operator decimal", None),
            ("decimal.operator +", "System.Decimal.operator +", None),
            ("Order..ctor", "Order.Order", None),
            ("Order.ctor", "Order.Order", None),
            ("Outer`1+Inner", "Outer.Inner", None),
            ("Box.this[int]", "Box.this", Some("int")),
            ("Box.this[]", "Box.this", None),
            ("A.M(System.Collections.Generic.List<A.B>, ref int[])", "A.M", Some("List<B>|int[]")),
        ] {
            let query = Query::parse(text).unwrap();
            assert_eq!(query.path.join("."), path, "{text}");
            assert_eq!(query.parameters.map(|all| all.join("|")).as_deref(), parameters, "{text}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", " ", ".", "a..b", "a b", "1a", "A.M(int", "A.M)int(", "a.*", "operator +", "é(", "("] {
            assert!(
                matches!(Query::parse(text), Err(NavigateError::InvalidArgument { argument: "name", .. })),
                "{text}"
            );
        }
    }
}
