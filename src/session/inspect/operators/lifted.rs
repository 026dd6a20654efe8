//! Operators of `T?`, which adapters do not have: they are those of `T`, and without a value the result has none (ECMA-334, 12.4.8).

use super::binary::binary;
use super::integers::IntType;
use super::value::{Known, Operand};
use crate::session::inspect::reader::{RawValue, join};

/// The type whose value a nullable has or would have, by the keyword of C#.
fn underlying(operand: &Operand) -> Option<String> {
    operand.read.as_ref()?.short_type().strip_suffix('?').map(str::to_owned)
}

/// An operand that has a value as an adapter takes it: without the `?` of its type.
pub fn unlifted(operand: &Operand) -> String {
    match (&operand.known, underlying(operand)) {
        (Known::Int(..) | Known::Decimal(_) | Known::Bool(_), Some(_)) => Operand::computed(operand.known.clone()).text,
        // all of its digits
        (Known::Floating(_), Some(_)) => join(&operand.text, "GetValueOrDefault()"),
        _ => operand.text.clone(),
    }
}

/// The null that an operator gave, with the type that it has in C#.
pub fn typed(result: Operand, left: &Operand, sign: &str, right: &Operand) -> Operand {
    if result.known != Known::Null {
        return result;
    }
    let Some(type_name) = type_of(left, sign, right) else { return result };
    Operand { read: Some(RawValue { type_name, value: "null".to_owned(), ..RawValue::default() }), ..result }
}

fn type_of(left: &Operand, sign: &str, right: &Operand) -> Option<String> {
    let (left, right) = (with_value(left)?, with_value(right)?);
    let name = match binary(&left, sign, &right).ok()? {
        Some(result) => result.type_name(),
        None => match (&left.known, &right.known) {
            (Known::Floating("double"), _) | (_, Known::Floating("double")) => "double".to_owned(),
            _ => "float".to_owned(),
        },
    };
    Some(format!("{name}?"))
}

/// Some value of the operand's type.
fn with_value(operand: &Operand) -> Option<Operand> {
    if operand.known != Known::Null {
        return Some(Operand { is_constant: false, ..operand.clone() });
    }
    let name = underlying(operand)?;
    Some(Operand::computed(match name.as_str() {
        "bool" => Known::Bool(true),
        "double" => Known::Floating("double"),
        "float" => Known::Floating("float"),
        "decimal" => Known::Decimal(1.into()),
        name => Known::Int(IntType::named(name)?, 1),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::inspect::operators::constant;

    fn variable(type_name: &str, value: &str) -> Operand {
        let read = RawValue { type_name: type_name.into(), value: value.into(), ..RawValue::default() };
        Operand::read(read, "x")
    }

    #[test]
    fn a_nullable_goes_to_the_adapter_by_its_value() {
        for (type_name, value, text) in [
            ("int?", "5", "5"),
            ("long?", "5", "5L"),
            ("decimal?", "1.5", "1.5m"),
            ("double?", "0.5", "x.GetValueOrDefault()"),
            ("int", "5", "x"),
            ("double", "0.5", "x"),
        ] {
            assert_eq!(unlifted(&variable(type_name, value)), text, "{type_name}");
        }
    }

    #[test]
    fn a_null_has_the_type_of_the_operator() {
        for (type_name, sign, right, expected) in [
            ("int?", "*", "2.5", Some("double?")),
            ("int?", "*", "2.5f", Some("float?")),
            ("int?", "+", "1", Some("int?")),
            ("byte?", "+", "1", Some("int?")),
            ("int?", "+", "1L", Some("long?")),
            ("decimal?", "-", "1", Some("decimal?")),
            ("double?", "+", "1", Some("double?")),
            ("string", "+", "1", None),
        ] {
            let (left, right) = (variable(type_name, "null"), constant(right).unwrap());
            let result = typed(Operand::computed(Known::Null), &left, sign, &right);
            assert_eq!(result.read.map(|read| read.type_name).as_deref(), expected, "{type_name} {sign}");
        }
    }
}
