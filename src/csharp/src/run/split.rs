//! `string.Split`, which looks at UTF-16 units alone.

use crate::constant::{Constant, Scalar};
use crate::types::{MethodRef, Type};
use crate::value::{Content, Value};
use crate::world::{Failure, World};

use super::Run;
use super::ordinal::{cut, is_white, trimmed};

/// Flags of `StringSplitOptions`.
const REMOVE_EMPTY: i128 = 1;
const TRIM: i128 = 2;

/// Where a text is cut.
enum Separator {
    Units(Vec<u16>),
    White,
    Text(Vec<u16>),
}

impl<W: World> Run<'_, W> {
    /// `None`: another method, or the program's own code has to compute it, or throw.
    pub(super) fn split(
        &mut self,
        text: &[u16],
        method: &MethodRef,
        arguments: &[Value<W::Handle>],
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        let (separator, options) = match arguments {
            _ if method.method.name != "Split" => return Ok(None),
            [separator] => (separator, 0),
            [separator, Value::Constant(Constant::Enum(_, options))] => (separator, *options),
            _ => return Ok(None),
        };
        let separator = match separator {
            Value::Constant(Constant::Scalar(Scalar::Char(unit))) => Separator::Units(vec![*unit]),
            Value::Constant(Constant::Text(text)) => Separator::Text(text.to_vec()),
            Value::Made(made) => {
                let Content::Items(items) = &made.content else { return Ok(None) };
                let unit = |item: &Value<W::Handle>| match item.as_scalar() {
                    Some(Scalar::Char(unit)) => Some(*unit),
                    _ => None,
                };
                match items.iter().map(unit).collect::<Option<Vec<u16>>>() {
                    Some(units) if units.is_empty() => Separator::White,
                    Some(units) => Separator::Units(units),
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        let parts = parts(text, &separator, options);
        if parts.len() > self.limits.elements {
            return Ok(None);
        }
        let items = parts.into_iter().map(cut).collect();
        Ok(Some(Value::made(Type::Array { of: Box::new(Type::STRING), rank: 1 }, Content::Items(items))))
    }
}

fn parts<'t>(text: &'t [u16], separator: &Separator, options: i128) -> Vec<&'t [u16]> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = match separator {
            Separator::Units(units) => usize::from(rest.first().is_some_and(|unit| units.contains(unit))),
            Separator::White => usize::from(rest.first().is_some_and(|unit| is_white(*unit))),
            Separator::Text(part) => part.len() * usize::from(rest.starts_with(part)),
        };
        if length > 0 {
            parts.extend(text.get(from..at));
            from = at + length;
        }
        at += length.max(1);
    }
    parts.extend(text.get(from..));
    if options & TRIM != 0 {
        parts.iter_mut().for_each(|part| *part = trimmed(part));
    }
    if options & REMOVE_EMPTY != 0 {
        parts.retain(|part| !part.is_empty());
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_split_as_dotnet_does() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        for (text, separator, options, expected) in [
            ("a,b,,c", Separator::Units(units(",")), 0, vec!["a", "b", "", "c"]),
            ("a,b;c", Separator::Units(units(",;")), 0, vec!["a", "b", "c"]),
            (",a, ,", Separator::Units(units(",")), 1, vec!["a", " "]),
            (" a , ,b", Separator::Units(units(",")), 3, vec!["a", "b"]),
            ("a, ", Separator::Units(units(",")), 2, vec!["a", ""]),
            ("", Separator::Units(units(",")), 0, vec![""]),
            ("", Separator::Units(units(",")), 1, vec![]),
            ("a  b", Separator::White, 0, vec!["a", "", "b"]),
            ("aabaab", Separator::Text(units("aab")), 0, vec!["", "", ""]),
            ("aaa", Separator::Text(units("aa")), 0, vec!["", "a"]),
            ("abc", Separator::Text(Vec::new()), 0, vec!["abc"]),
        ] {
            let text = units(text);
            let found: Vec<String> =
                parts(&text, &separator, options).into_iter().map(String::from_utf16_lossy).collect();
            assert_eq!(found, expected, "{}", String::from_utf16_lossy(&text));
        }
    }
}
