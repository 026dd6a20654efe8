//! Methods of strings that look at UTF-16 units alone: computed here as the program would, where no culture has a say, or one that has
//! nothing to say.

use std::sync::Arc;

use crate::constant::{Constant, Scalar};
use crate::types::{MethodRef, Type};
use crate::value::Value;
use crate::world::{Failure, Found, World};

use super::Run;
use super::culture::is_of_culture;

/// `StringComparison.Ordinal`, `StringComparison.OrdinalIgnoreCase`.
pub(super) const ORDINAL: i128 = 4;
pub(super) const IGNORE_CASE: i128 = 5;

impl<W: World> Run<'_, W> {
    /// `None`: the program's own code has to compute it, or throw.
    pub(super) fn of_text(
        &mut self,
        receiver: Option<&Value<W::Handle>>,
        method: &MethodRef,
        arguments: &[Value<W::Handle>],
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        if method.owner != Type::STRING {
            return Ok(None);
        }
        let name = method.method.name.as_str();
        if let (None, "CompareOrdinal" | "Compare", [one, other, how @ ..]) = (receiver, name, arguments)
            && (name == "CompareOrdinal" && how.is_empty()
                || matches!(how, [Value::Constant(Constant::Enum(_, ORDINAL))]))
        {
            return self.order_of_units(one, other);
        }
        let (subject, rest) = match (receiver, arguments) {
            (Some(receiver), rest) => (receiver, rest),
            (None, [first, rest @ ..]) if matches!(name, "Equals" | "IsNullOrEmpty" | "IsNullOrWhiteSpace") => {
                (first, rest)
            }
            _ => return Ok(None),
        };
        if subject.is_null() {
            let is_asked = matches!((name, rest), ("IsNullOrEmpty" | "IsNullOrWhiteSpace", []));
            return Ok(is_asked.then(|| Value::bool(true)));
        }
        let Some(text) = self.text_of(subject)? else { return Ok(None) };
        if let Some(parts) = self.split(&text, method, rest)? {
            return Ok(Some(parts));
        }
        Ok(match rest {
            [] => match name {
                "ToString" => Some(subject.clone()),
                "IsNullOrEmpty" => Some(Value::bool(text.is_empty())),
                "IsNullOrWhiteSpace" => Some(Value::bool(text.iter().all(|unit| is_white(*unit)))),
                "Trim" => Some(cut(trimmed(&text))),
                "TrimStart" => Some(cut(trimmed_start(&text))),
                "TrimEnd" => Some(cut(trimmed_end(&text))),
                "ToUpperInvariant" | "ToLowerInvariant" => in_case(&text, name),
                // of English and of the invariant culture
                "ToUpper" | "ToLower" if in_case::<W::Handle>(&text, name).is_some() && self.compares_by_units() => {
                    in_case(&text, name)
                }
                _ => None,
            },
            [Value::Constant(Constant::Scalar(Scalar::Char(unit)))] => of_unit(name, &text, *unit),
            [start] if name == "Substring" => position(start).and_then(|start| text.get(start..)).map(cut),
            [start, length] if name == "Substring" => {
                let range = position(start).zip(position(length));
                range.and_then(|(start, length)| text.get(start..start.checked_add(length)?)).map(cut)
            }
            [other] => match self.text_of(other)? {
                Some(other) if matches!(name, "Contains" | "Equals") => compared(name, &text, &other),
                Some(other) if is_end(name) && self.are_compared_by_units(&text, &other) => {
                    compared(name, &text, &other)
                }
                _ => None,
            },
            [other, how] => match (self.text_of(other)?, how) {
                (Some(other), how)
                    if is_of_culture(how) && is_end(name) && self.are_compared_by_units(&text, &other) =>
                {
                    compared(name, &text, &other)
                }
                (Some(other), Value::Constant(Constant::Enum(_, ORDINAL))) => compared(name, &text, &other),
                (Some(other), Value::Constant(Constant::Enum(_, IGNORE_CASE))) => {
                    lowered(&text).zip(lowered(&other)).and_then(|(text, other)| compared(name, &text, &other))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// By their units, as the runtime tells it: the difference of the first two that differ, or of the lengths.
    fn order_of_units(&mut self, one: &Value<W::Handle>, other: &Value<W::Handle>) -> Found<Value<W::Handle>, W> {
        if one.is_null() || other.is_null() {
            return Ok(Some(Value::int(i32::from(other.is_null()) - i32::from(one.is_null()))));
        }
        let (Some(one), Some(other)) = (self.text_of(one)?, self.text_of(other)?) else { return Ok(None) };
        let differs = one.iter().zip(other.iter()).find(|(one, other)| one != other);
        let order = match differs {
            Some((one, other)) => i32::from(*one) - i32::from(*other),
            None => i32::try_from(one.len() as i64 - other.len() as i64).unwrap_or(0),
        };
        Ok(Some(Value::int(order)))
    }
}

fn is_end(name: &str) -> bool {
    matches!(name, "StartsWith" | "EndsWith")
}

/// Of ASCII, whose letters all cultures but the Turkish ones take alike.
fn in_case<H>(text: &[u16], name: &str) -> Option<Value<H>> {
    let ascii: Option<Vec<u8>> = text.iter().map(|unit| u8::try_from(*unit).ok().filter(u8::is_ascii)).collect();
    let mut ascii = ascii?;
    if name.starts_with("ToUpper") {
        ascii.make_ascii_uppercase()
    } else {
        ascii.make_ascii_lowercase()
    }
    Some(Value::Constant(Constant::Text(ascii.into_iter().map(u16::from).collect())))
}

fn of_unit<H>(name: &str, text: &[u16], unit: u16) -> Option<Value<H>> {
    let place = |at: Option<usize>| at.map_or(Value::int(-1), Value::count);
    Some(match name {
        "Contains" => Value::bool(text.contains(&unit)),
        "StartsWith" => Value::bool(text.first() == Some(&unit)),
        "EndsWith" => Value::bool(text.last() == Some(&unit)),
        "IndexOf" => place(text.iter().position(|own| *own == unit)),
        "LastIndexOf" => place(text.iter().rposition(|own| *own == unit)),
        _ => return None,
    })
}

pub(super) fn compared<H>(name: &str, text: &[u16], other: &[u16]) -> Option<Value<H>> {
    let first = || match other.len() {
        0 => Some(0),
        length => text.windows(length).position(|part| part == other),
    };
    Some(match name {
        "Equals" => Value::bool(text == other),
        "Contains" => Value::bool(first().is_some()),
        "StartsWith" => Value::bool(text.starts_with(other)),
        "EndsWith" => Value::bool(text.ends_with(other)),
        "IndexOf" => first().map_or(Value::int(-1), Value::count),
        _ => return None,
    })
}

/// Where all of it is ASCII, of which every runtime has the same cases.
pub(super) fn lowered(text: &[u16]) -> Option<Vec<u16>> {
    text.iter()
        .map(|unit| Some(u16::from(u8::try_from(*unit).ok().filter(u8::is_ascii)?.to_ascii_lowercase())))
        .collect()
}

pub(super) fn trimmed(text: &[u16]) -> &[u16] {
    trimmed_end(trimmed_start(text))
}

fn trimmed_start(text: &[u16]) -> &[u16] {
    let white = text.iter().take_while(|unit| is_white(**unit)).count();
    text.get(white..).unwrap_or_default()
}

fn trimmed_end(text: &[u16]) -> &[u16] {
    let white = text.iter().rev().take_while(|unit| is_white(**unit)).count();
    text.get(..text.len() - white).unwrap_or_default()
}

/// As `char.IsWhiteSpace`.
pub(super) fn is_white(unit: u16) -> bool {
    char::from_u32(u32::from(unit)).is_some_and(char::is_whitespace)
}

fn position<H>(value: &Value<H>) -> Option<usize> {
    usize::try_from(value.as_integer()?).ok()
}

pub(super) fn cut<H>(units: &[u16]) -> Value<H> {
    Value::Constant(Constant::Text(Arc::from(units)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn texts_are_compared_by_their_units() {
        for (name, text, other, expected) in [
            ("Contains", "abc", "bc", Value::<()>::bool(true)),
            ("Contains", "abc", "", Value::bool(true)),
            ("Contains", "", "a", Value::bool(false)),
            ("IndexOf", "aXbX", "X", Value::int(1)),
            ("IndexOf", "abc", "", Value::int(0)),
            ("IndexOf", "abc", "abcd", Value::int(-1)),
            ("StartsWith", "abc", "ab", Value::bool(true)),
            ("EndsWith", "abc", "ab", Value::bool(false)),
            ("Equals", "a\0b", "a", Value::bool(false)),
        ] {
            let found = compared::<()>(name, &units(text), &units(other));
            assert_eq!(found.unwrap().as_scalar(), expected.as_scalar(), "{text}.{name}({other})");
        }
        assert!(compared::<()>("Replace", &[], &[]).is_none());
    }

    #[test]
    fn only_ascii_has_the_same_cases_everywhere() {
        assert_eq!(lowered(&units("Ab1")), Some(units("ab1")));
        assert_eq!(lowered(&units("İ")), None);
    }

    #[test]
    fn white_space_is_trimmed_at_its_side() {
        let text = units("\u{a0} a b\u{2003}\t");
        assert_eq!(trimmed_start(&text), units("a b\u{2003}\t"));
        assert_eq!(trimmed_end(&text), units("\u{a0} a b"));
        assert_eq!(trimmed(&units(" \n")), units(""));
    }
}
