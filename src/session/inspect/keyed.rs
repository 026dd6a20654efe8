//! Elements of dictionaries by their keys, as the source would name them: `byColor[Color.Blue]`, `byPlace[(1, 2)]`. Adapters pass a
//! wrong number for an enum and cannot make a tuple, so the keys that are there are compared here. An index is never a position.

use super::collections::{Element, Elements};
use super::effects::parse::{self, Kind, Part};
use super::enums;
use super::evaluate::{EvalError, Evaluated, evaluate, operand};
use super::literal::{self, Raw};
use super::operators::integers::IntType;
use super::operators::{Known, constant};
use super::reader::Reader;
use super::shape::Form;
use super::type_names;
use crate::session::error::Code;
use crate::session::report::Content;

/// The value of an expression that goes through a dictionary by a key of which no adapter knows; `None` where it does not.
pub async fn value(reader: &Reader, expression: &str, run: bool) -> Option<Result<Evaluated, EvalError>> {
    if !expression.contains('[') {
        return None;
    }
    let whole = parse::parse(expression)?;
    let index = innermost(&whole)?;
    let found = match element(reader, index, run).await? {
        Ok(found) => found,
        Err(error) => return Some(Err(error)),
    };
    let rest = expression.strip_prefix(index.text.as_str())?;
    if rest.is_empty() {
        return Some(Ok(found));
    }
    Some(Box::pin(operand(reader, &format!("{}{rest}", found.load_path), run)).await)
}

/// The first index of a chain of members: `a.b[1]` of `a.b[1].c[2]`.
fn innermost(part: &Part) -> Option<&Part> {
    match &part.kind {
        Kind::Index(receiver, _) => innermost(receiver).or(Some(part)),
        Kind::Member(receiver, _) | Kind::Call(Some(receiver), ..) => innermost(receiver),
        _ => None,
    }
}

/// `None`: no dictionary, or a key that an adapter reads as the source means it.
async fn element(reader: &Reader, index: &Part, run: bool) -> Option<Result<Evaluated, EvalError>> {
    let Kind::Index(receiver, arguments) = &index.kind else { return None };
    let [key] = arguments.as_slice() else { return None };
    let at = Box::pin(evaluate(reader, &receiver.text, run)).await.ok()?;
    let shape = reader.modules.shape(&at.value.type_name);
    let Form::Collection(collection) = &shape.form else { return None };
    let arguments = type_names::generic_arguments(&at.value.type_name);
    let [key_type, _] = arguments.as_slice() else { return None };
    let wanted = match wanted(reader, &receiver.text, key_type, key, run).await? {
        Ok(wanted) => wanted,
        Err(error) => return Some(Err(error)),
    };
    let elements = Elements::of_collection(reader, collection, &at.value, &at.load_path).await.ok()?;
    let is_it = |element: &Element| match &wanted {
        Wanted::Number(number) => element.key.as_ref().is_some_and(|(key, _)| {
            let known = enums::number_of(reader, key).map(|(_, number)| number);
            known.or_else(|| key.value.split(' ').next()?.parse().ok()) == Some(*number)
        }),
        Wanted::Shown(name) => element.name == *name,
    };
    let found = elements.find(reader, 0, 2, Some(&is_it)).await;
    Some(match found.map(|found| found.elements) {
        Ok(found) if found.len() == 1 => {
            let found = found.into_iter().next()?;
            Ok(Evaluated { value: found.value, load_path: found.load_path })
        }
        Ok(found) if !found.is_empty() => Err(ambiguous(&receiver.text, &key.text, &found)),
        Ok(_) if reader.budget.is_spent() => return None,
        Ok(_) => Err(EvalError::certain(
            Code::EvaluationThrew,
            format!(
                "System.Collections.Generic.KeyNotFoundException: `{}` has no key {}; it has {} elements",
                receiver.text, key.text, elements.count
            ),
        )),
        Err(_) => return None,
    })
}

/// Several keys that are shown alike.
pub fn ambiguous(dictionary: &str, key: &str, found: &[Element]) -> EvalError {
    let paths: Vec<&str> = found.iter().map(|element| element.load_path.as_str()).collect();
    let message = format!("several keys of `{dictionary}` are shown as {key}: read {}", paths.join(" or "));
    EvalError::certain(Code::EvaluationFailed, message)
}

/// How the key is known among those that are there.
enum Wanted {
    /// An enum's number, or an integer.
    Number(i128),
    /// The name that the element is listed under.
    Shown(String),
}

async fn wanted(
    reader: &Reader,
    dictionary: &str,
    key_type: &str,
    key: &Part,
    run: bool,
) -> Option<Result<Wanted, EvalError>> {
    let short = type_names::short(key_type);
    let mismatch = |given: String| {
        let message = format!("`{dictionary}` has keys of type {short}, and `{}` is {given}", key.text);
        Some(Err(EvalError::certain(Code::EvaluationFailed, message)))
    };
    if let Some(items) = tuple_items(&key.text) {
        if !short.starts_with('(') {
            return mismatch("a tuple".to_owned());
        }
        let mut texts = Vec::new();
        for item in items {
            let found = Box::pin(evaluate(reader, item, run)).await.ok()?;
            let plain = literal::plain("", &found.value.type_name, &found.value.value, literal::SHORT)?;
            let Content::Value(text) = plain.content else { return None };
            texts.push(text);
        }
        return Some(Ok(Wanted::Shown(format!("[({})]", texts.join(", ")))));
    }
    let found = match constant(&key.text) {
        Some(constant) => constant.into_raw(),
        None => Box::pin(evaluate(reader, &key.text, run)).await.ok()?.value,
    };
    let given = found.short_type();
    let number = || match super::operators::Operand::read(found.clone(), &key.text).known {
        Known::Int(_, number) => Some(number),
        _ => None,
    };
    if let Some(type_) = reader.modules.enum_type(key_type) {
        return match enums::number_of(reader, &found) {
            Some((other, number)) if other == type_ => Some(Ok(Wanted::Number(number))),
            Some((other, _)) => mismatch(format!("of type {}", type_names::short(&other.name))),
            // the literal 0 is a value of every enum (ECMA-334, 10.2.4)
            None if key.text == "0" => Some(Ok(Wanted::Number(0))),
            None if type_names::is_primitive(&given) => mismatch(format!("of type {given}")),
            None => None,
        };
    }
    let is_null = found.parsed() == Raw::Null;
    match IntType::named(&short) {
        // C# converts it, adapters want the exact type
        Some(kind) if given != short => match number() {
            Some(number) if constant(&key.text).is_some() && kind.holds(number) => Some(Ok(Wanted::Number(number))),
            Some(_) => None,
            None => mismatch(format!("of type {given}")),
        },
        Some(_) => None,
        None if short == given || is_null || matches!(short.as_str(), "object" | "dynamic") => None,
        None if short == "string" || (type_names::is_primitive(&given) && !reader.modules.is_interface(key_type)) => {
            match (type_names::is_primitive(&short), number()) {
                // decimal and double take integers
                (true, Some(_)) if short != "string" && short != "bool" => None,
                _ => mismatch(format!("of type {given}")),
            }
        }
        None => None,
    }
}

/// The items of a tuple literal, `(1, "a")`.
fn tuple_items(text: &str) -> Option<Vec<&str>> {
    let inside = text.strip_prefix('(')?.strip_suffix(')')?;
    let code = super::expression::outside_strings(inside);
    if code.len() != inside.len() {
        return None;
    }
    let (mut depth, mut start, mut items) = (0i32, 0, Vec::new());
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                items.push(inside.get(start..at)?.trim());
                start = at + 1;
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    items.push(inside.get(start..)?.trim());
    (items.len() > 1).then_some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuple_is_told_from_parentheses() {
        assert_eq!(tuple_items("(1, \"a, b\")"), Some(vec!["1", "\"a, b\""]));
        assert_eq!(tuple_items("(f(1, 2), (3, 4))"), Some(vec!["f(1, 2)", "(3, 4)"]));
        for text in ["(1)", "1, 2", "(a) + (b, c)", "(a)(b)"] {
            assert_eq!(tuple_items(text), None, "{text}");
        }
    }

    #[test]
    fn the_first_index_of_a_chain_is_found() {
        for (expression, expected) in [
            ("a.b[1].c[2]", Some("a.b[1]")),
            ("a[(1, 2)][3]", Some("a[(1, 2)]")),
            ("a[b[1]].F(c[2])", Some("a[b[1]]")),
            ("F(a[1])", None),
        ] {
            let part = parse::parse(expression).unwrap();
            assert_eq!(innermost(&part).map(|part| part.text.as_str()), expected, "{expression}");
        }
    }
}
