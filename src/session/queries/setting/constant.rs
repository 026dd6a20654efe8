//! A constant in the form of the type that it is assigned to. C# converts it, adapters want the exact type.

use clr_csharp::arithmetic::bounds;
use clr_csharp::constant::{Constant, Scalar};
use clr_metadata::Primitive;

use crate::backend::Quirks;
use crate::session::inspect::{escapes, spelling};

/// `value` for a variable of the short type `type_name`; `None` where it is no constant, or nothing has to be done.
///
/// # Errors
/// Why it cannot be assigned.
pub fn converted(value: &str, type_name: &str, quirks: &Quirks) -> Result<Option<String>, String> {
    let base = type_name.trim_end_matches('?');
    let value = spelling::constants::literal(value).unwrap_or(value);
    if escapes::length(value) == Some(value.len()) {
        return match quirks.texts_are_raw {
            true => raw(value).map(Some),
            false if quirks.strings_end_at_nul && has_nul(value) => {
                Err("the adapter ends a string at its first NUL character".to_owned())
            }
            false => Ok(None),
        };
    }
    let Some(Constant::Scalar(scalar)) = spelling::constant(value) else { return Ok(None) };
    let is_integer = |type_: &Primitive| !matches!(type_, Primitive::IntPtr | Primitive::UIntPtr);
    match (scalar, Primitive::from_name(base).filter(is_integer)) {
        // a number is no char without a cast
        (Scalar::Int(..), Some(Primitive::Char)) => Ok(None),
        (Scalar::Int(_, number), type_) => match type_.and_then(|type_| Some((type_, bounds(type_)?))) {
            Some((type_, (least, most))) if (least..=most).contains(&number) => {
                Ok(Some(spelling::integer(type_, number)))
            }
            Some((type_, _)) => Err(format!("{number} does not fit in {}", type_.keyword())),
            None => Ok(suffix(base).map(|suffix| format!("{number}{suffix}"))),
        },
        (Scalar::Single(_) | Scalar::Double(_) | Scalar::Decimal(_), _) => {
            let digits = value.replace('_', "");
            let digits = digits.trim_end_matches(['f', 'F', 'd', 'D', 'm', 'M']);
            Ok(suffix(base).map(|suffix| if suffix == ".0" { digits.to_owned() } else { format!("{digits}{suffix}") }))
        }
        _ => Ok(None),
    }
}

fn suffix(base: &str) -> Option<&'static str> {
    Some(match base {
        "double" => ".0",
        "float" => "f",
        "decimal" => "m",
        _ => return None,
    })
}

/// Of a text: a char may be one.
fn has_nul(literal: &str) -> bool {
    !literal.starts_with('\'') && escapes::of_literal(literal).is_some_and(|units| units.contains(&0))
}

/// A text or a char for an adapter that knows no escapes and makes no call for an assignment.
fn raw(literal: &str) -> Result<String, String> {
    let refused = || "the adapter cannot assign backslashes, quotes, newlines and other control characters".to_owned();
    match literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(inside) => {
            let is_plain = inside.chars().count() == 1 && !inside.chars().any(char::is_control);
            let unit = escapes::units(inside).and_then(|units| String::from_utf16(&units).ok());
            match unit {
                Some(_) if is_plain => Ok(literal.to_owned()),
                Some(c) if !c.chars().any(|c| c.is_control() || matches!(c, '\'' | '\\')) => Ok(format!("'{c}'")),
                _ => Err(refused()),
            }
        }
        None => escapes::of_literal(literal).and_then(|units| spelling::raw(&units)).ok_or_else(refused),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(adapter: &str, value: &str, type_name: &str) -> Result<Option<String>, String> {
        converted(value, type_name, &crate::backend::quirks_of(adapter))
    }

    #[test]
    fn numbers_are_sent_in_the_type_of_the_variable() {
        for (value, type_name, expected) in [
            ("1_000", "int", "1000"),
            ("0x1F", "long", "31L"),
            ("0xFFu", "int", "255"),
            ("-5", "long?", "-5L"),
            ("200", "byte", "200"),
            ("3", "decimal", "3m"),
            ("1_0.5", "double", "10.5"),
            ("1.5", "float", "1.5f"),
            ("2.50", "decimal", "2.50m"),
            ("2", "double", "2.0"),
            ("'a'", "int", "'a'"),
        ] {
            let expected = if value == "'a'" { Ok(None) } else { Ok(Some(expected.to_owned())) };
            assert_eq!(sent("netcoredbg", value, type_name), expected, "{value} to {type_name}");
        }
        assert_eq!(sent("dncdbg", "300", "byte"), Err("300 does not fit in byte".into()));
        for (value, type_name) in [("number + 1", "int"), ("null", "string"), ("true", "bool"), ("7", "char")] {
            assert_eq!(sent("dncdbg", value, type_name), Ok(None), "{value} to {type_name}");
        }
    }

    #[test]
    fn texts_are_sent_without_escapes_or_not_at_all() {
        for (value, expected) in [
            (r#""plain""#, r#""plain""#),
            (r#"@"verbatim""#, r#""verbatim""#),
            (r#""\u0041""#, r#""A""#),
            ("'é'", "'é'"),
            (r"'\u0041'", "'A'"),
        ] {
            assert_eq!(sent("dncdbg", value, "string"), Ok(Some(expected.to_owned())), "{value}");
        }
        for value in [r#""a\nb""#, r#""say \"hi\"""#, r#""c:\\dir""#, r"'\''", r"'\n'"] {
            assert!(sent("dncdbg", value, "string").is_err(), "{value}");
            assert_eq!(sent("netcoredbg", value, "string"), Ok(None), "{value}");
        }
        for value in [r#""p\0q""#, r#""p\u0000""#] {
            assert_eq!(
                sent("netcoredbg", value, "string"),
                Err("the adapter ends a string at its first NUL character".into())
            );
            assert_eq!(sent("builtin", value, "string"), Ok(None), "{value}");
        }
        assert_eq!(sent("netcoredbg", r"'\0'", "char"), Ok(None));
    }
}
