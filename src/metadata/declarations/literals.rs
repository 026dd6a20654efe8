//! Constants in C# notation.

use std::fmt::Write;

use crate::metadata::attributes::AttributeValue;
use crate::metadata::signatures::{Primitive, TypeSig};

/// Longer strings are cut.
const MAX_CHARS: usize = 100;

/// `declared` tells `7L` from `7`, and `default` from `null`.
pub(super) fn literal(value: &AttributeValue, declared: &TypeSig) -> String {
    match (value, declared) {
        (AttributeValue::Bool(value), _) => value.to_string(),
        (AttributeValue::Int(value), declared) => format!("{value}{}", suffix(declared)),
        (AttributeValue::Char(value), _) => quoted('\'', std::iter::once(*value)),
        (AttributeValue::Float(value), TypeSig::Primitive(Primitive::R4)) => float(*value as f32, "float", "f"),
        (AttributeValue::Float(value), _) => float(*value, "double", ""),
        (AttributeValue::String(Some(text)), _) => quoted('"', text.chars()),
        (AttributeValue::String(None), TypeSig::Named(name)) if name.is_value_type => match name.full_name.as_str() {
            "System.Nullable`1" => "null".into(),
            _ => "default".into(),
        },
        (AttributeValue::String(None), TypeSig::TypeParameter(_) | TypeSig::MethodParameter(_)) => "default".into(),
        _ => "null".into(),
    }
}

fn suffix(declared: &TypeSig) -> &'static str {
    match declared {
        TypeSig::Primitive(Primitive::I8) => "L",
        TypeSig::Primitive(Primitive::U4) => "U",
        TypeSig::Primitive(Primitive::U8) => "UL",
        _ => "",
    }
}

fn float<T: Into<f64> + std::fmt::Debug + Copy>(value: T, type_name: &str, suffix: &str) -> String {
    let wide: f64 = value.into();
    match wide {
        wide if wide.is_nan() => format!("{type_name}.NaN"),
        f64::INFINITY => format!("{type_name}.PositiveInfinity"),
        f64::NEG_INFINITY => format!("{type_name}.NegativeInfinity"),
        // The shortest digits that read back as the same number, as C# prints them.
        _ => format!("{value:?}{suffix}"),
    }
}

fn quoted(quote: char, text: impl Iterator<Item = char>) -> String {
    let mut literal = String::from(quote);
    for (count, character) in text.enumerate() {
        if count == MAX_CHARS {
            literal.push('…');
            break;
        }
        match character {
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            '\0' => literal.push_str("\\0"),
            '\\' => literal.push_str("\\\\"),
            c if c == quote => {
                literal.push('\\');
                literal.push(c);
            }
            c if c.is_control() => {
                let _ = write!(literal, "\\u{:04x}", u32::from(c));
            }
            c => literal.push(c),
        }
    }
    literal.push(quote);
    literal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::signatures::TypeName;

    #[test]
    fn constants_are_csharp_literals_of_their_type() {
        let primitive = TypeSig::Primitive;
        let value_type = |name: &str| {
            TypeSig::Named(TypeName { full_name: name.into(), is_value_type: true, ..TypeName::default() })
        };
        for (value, declared, expected) in [
            (AttributeValue::Bool(true), primitive(Primitive::Boolean), "true"),
            (AttributeValue::Int(-7), primitive(Primitive::I4), "-7"),
            (AttributeValue::Int(7), primitive(Primitive::I8), "7L"),
            (AttributeValue::Int(7), primitive(Primitive::U8), "7UL"),
            (AttributeValue::Int(255), primitive(Primitive::U1), "255"),
            (AttributeValue::Char('\''), primitive(Primitive::Char), "'\\''"),
            (AttributeValue::Float(5.0), primitive(Primitive::R8), "5.0"),
            (AttributeValue::Float(f64::from(0.1f32)), primitive(Primitive::R4), "0.1f"),
            (AttributeValue::Float(f64::NAN), primitive(Primitive::R8), "double.NaN"),
            (AttributeValue::Float(f64::INFINITY), primitive(Primitive::R4), "float.PositiveInfinity"),
            (
                AttributeValue::String(Some("a\n\"b\"\u{1b}".into())),
                primitive(Primitive::String),
                "\"a\\n\\\"b\\\"\\u001b\"",
            ),
            (AttributeValue::String(None), primitive(Primitive::String), "null"),
            (AttributeValue::String(None), value_type("System.DateTime"), "default"),
            (AttributeValue::String(None), value_type("System.Nullable`1"), "null"),
        ] {
            assert_eq!(literal(&value, &declared), expected);
        }
        let long = AttributeValue::String(Some("x".repeat(5_000)));
        assert_eq!(literal(&long, &primitive(Primitive::String)).chars().count(), MAX_CHARS + 3);
    }
}
