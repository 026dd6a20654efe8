//! From a type as debuggers and C# write it to a signature, and to the key under which types are found.

use super::path::{self, Segment};
use crate::signatures::{ArrayShape, Primitive, TypeName, TypeSig};

const MAX_DEPTH: u32 = 64;

/// The key of a type in an assembly's index: its metadata name with `.` between all parts, ``Ns.Outer`1.Inner``.
/// Two types of one assembly share a key only if a namespace and a type have one name, which C# forbids.
pub(crate) fn index_key(full_name: &str) -> String {
    full_name.replace('+', ".")
}

/// Reads `System.Collections.Generic.Dictionary<string, int>.KeyCollection`, `int?`, `(int, string)`, `int[][,]`, `List<>`,
/// and reflection's ``Ns.Outer`1+Inner, Assembly``. Text cannot always tell a nested type from one in a namespace, so the names in the
/// result are metadata names only up to that; `index_key` makes both the same.
pub fn parse_type(text: &str) -> Option<TypeSig> {
    parse(text.trim(), 0)
}

fn parse(text: &str, depth: u32) -> Option<TypeSig> {
    if depth > MAX_DEPTH {
        return None;
    }
    let text = text.strip_prefix("ref ").unwrap_or(text);
    if let Some(inner) = text.strip_prefix('(') {
        let end = closing_parenthesis(inner)?;
        let elements = path::arguments(inner.get(..end)?);
        let arguments =
            elements.iter().map(|element| parse(without_label(element), depth + 1)).collect::<Option<_>>()?;
        return suffixes(tuple(arguments), inner.get(end + 1..)?);
    }
    let (segments, rest) = path::split(text)?;
    let mut full_name = String::new();
    let mut arguments = Vec::new();
    for segment in &segments {
        if !full_name.is_empty() {
            full_name.push(if segment.is_nested { '+' } else { '.' });
        }
        segment.push_metadata_name(&mut full_name);
        for argument in segment.arguments.iter().filter(|argument| !argument.is_empty()) {
            arguments.push(parse(argument, depth + 1)?);
        }
    }
    let named = match (Primitive::from_name(&full_name), segments.as_slice()) {
        (Some(primitive), _) => TypeSig::Primitive(primitive),
        (None, [Segment { name: "decimal", .. }]) => named("System.Decimal", Vec::new()),
        _ => named(&full_name, arguments),
    };
    suffixes(named, rest)
}

fn named(full_name: &str, arguments: Vec<TypeSig>) -> TypeSig {
    TypeSig::Named(TypeName { full_name: full_name.to_owned(), arguments, is_value_type: false })
}

fn tuple(mut arguments: Vec<TypeSig>) -> TypeSig {
    if arguments.len() > 7 {
        let rest = arguments.split_off(7);
        arguments.push(tuple(rest));
    }
    named(&format!("System.ValueTuple`{}", arguments.len()), arguments)
}

/// `[]`, `[,]`, `?`, `*`, `&`; what follows a comma is reflection's assembly name.
fn suffixes(element: TypeSig, text: &str) -> Option<TypeSig> {
    let mut element = element;
    let mut ranks = Vec::new();
    let mut rest = text;
    // Each round goes one level deeper.
    for _ in 0..MAX_DEPTH {
        let after = rest.trim_start();
        let Some(first) = after.chars().next() else {
            return Some(arrays(element, ranks));
        };
        if first == '[' {
            let (inside, after) = after.get(1..)?.split_once(']')?;
            if inside.chars().any(|c| c != ',' && c != ' ' && c != '*') {
                return None;
            }
            ranks.push(inside.matches(',').count() as u32 + 1);
            rest = after;
            continue;
        }
        element = arrays(element, std::mem::take(&mut ranks));
        match first {
            '?' => element = named("System.Nullable`1", vec![element]),
            '*' => element = TypeSig::Pointer(Box::new(element)),
            '&' => element = TypeSig::ByRef(Box::new(element)),
            ',' => return Some(element),
            _ => return None,
        }
        rest = after.get(1..)?;
    }
    None
}

/// `[][,]` is an array of two-dimensional arrays: the last rank is the innermost.
fn arrays(element: TypeSig, ranks: Vec<u32>) -> TypeSig {
    ranks.into_iter().rev().fold(element, |element, rank| match rank {
        1 => TypeSig::Array(Box::new(element)),
        rank => TypeSig::MultiArray { element: Box::new(element), shape: ArrayShape { rank, ..ArrayShape::default() } },
    })
}

fn closing_parenthesis(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// `int Id` → `int`.
pub(crate) fn without_label(element: &str) -> &str {
    let mut depth = 0i32;
    for (index, byte) in element.bytes().enumerate() {
        match byte {
            b'<' | b'[' | b'(' => depth += 1,
            b'>' | b']' | b')' => depth -= 1,
            b' ' if depth == 0 => return element.get(..index).unwrap_or(element),
            _ => {}
        }
    }
    element
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_come_back_as_they_were_written() {
        for text in [
            "int",
            "int?",
            "string[]",
            "int[][,]",
            "(int, string)",
            "(int, int, int, int, int, int, int, int, long)",
            "System.Collections.Generic.List<Basics.OrderLine>",
            "System.Collections.Generic.Dictionary<string, int?[]>",
            "byte*",
            "decimal",
            "object",
        ] {
            assert_eq!(parse_type(text).unwrap().to_string(), text);
        }
        for (text, short) in [
            ("System.Collections.Generic.Dictionary<string, Basics.Order>", "Dictionary<string, Order>"),
            ("System.Nullable<System.Int32>", "int?"),
            ("System.ValueTuple<int, Basics.Order>", "(int, Order)"),
            ("(int Id, System.Collections.Generic.List<int> Text)[]", "(int, List<int>)[]"),
            ("Ns.Box`1+Nested`1, Some.Assembly, Version=1.0.0.0", "Box<>.Nested<>"),
        ] {
            assert_eq!(parse_type(text).unwrap().short(), short, "{text}");
        }
    }

    #[test]
    fn nonsense_and_bottomless_types_are_refused() {
        for text in ["", "List<", "int[3]", "(int", "a b"] {
            assert_eq!(parse_type(text), None, "{text}");
        }
        assert_eq!(parse_type(&"(".repeat(100_000)), None);
        assert_eq!(parse_type(&format!("{}int{}", "List<".repeat(1000), ">".repeat(1000))), None);
        assert_eq!(parse_type(&format!("int{}", "*".repeat(1000))), None);
        let wide = parse_type(&format!("int{}", "[]".repeat(1000)));
        assert_eq!(wide, None);
    }
}
