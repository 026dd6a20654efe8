//! Constants as C# literals.

use std::fmt::Write;

use super::Place;
use crate::attributes::AttributeValue;
use crate::signatures::{Primitive, TypeSig};
use crate::tokens::Token;
use crate::types::TypeView;

pub(super) const DECIMAL: &str = "System.Runtime.CompilerServices.DecimalConstantAttribute";

impl Place<'_> {
    /// The constant of a field or the default of a parameter.
    pub(super) fn constant(&self, owner: Token, type_: &TypeSig) -> Option<String> {
        if let Some(value) = self.assembly.constant(owner) {
            return Some(match (value, underlying_nullable(type_)) {
                (AttributeValue::String(None), _) if is_value(type_) => "default".to_owned(),
                // Of all value types that have no keyword, only an enum has constants.
                (AttributeValue::Int(value), TypeSig::Named(name)) if name.is_value_type => {
                    self.of_enum(value, underlying_nullable(type_), &name.full_name)
                }
                (value, _) => literal(&value),
            });
        }
        let arguments = self.assembly.metadata.attribute(owner, DECIMAL)?.arguments().ok()?;
        decimal(&arguments)
    }
}

impl Place<'_> {
    /// `Color.Red`, `Access.Read | Access.Write`; what has no name, and an enum of another assembly, is cast: `(Color)7`.
    fn of_enum(&self, value: i128, type_: &TypeSig, full_name: &str) -> String {
        let shown = self.text(type_, None);
        let defined = self.assembly.metadata.enum_type(full_name).and_then(|_| self.assembly.find_type(full_name));
        let defined = defined.map(|id| self.assembly.type_(id));
        let members = defined.map(|type_| type_.enum_members()).unwrap_or_default();
        let named = members.iter().find(|(_, number)| *number == value).map(|(name, _)| vec![name.as_str()]);
        let combined = || defined.filter(TypeView::is_flags).and_then(|_| combination(value, &members));
        match named.or_else(combined) {
            Some(names) => names.iter().map(|name| format!("{shown}.{name}")).collect::<Vec<_>>().join(" | "),
            None if value < 0 => format!("({shown})({value})"),
            None => format!("({shown}){value}"),
        }
    }
}

/// The members that a value of a `[Flags]` enum is made of, the least first, taken from the greatest down as `Enum.ToString` takes
/// them; `None` where a bit is left over.
fn combination(value: i128, members: &[(String, i128)]) -> Option<Vec<&str>> {
    // A negative value has all bits above those of its type.
    let mut left = value as u64;
    let mut bits: Vec<(u64, &str)> = members.iter().map(|(name, value)| (*value as u64, name.as_str())).collect();
    bits.sort_by_key(|(bits, _)| std::cmp::Reverse(*bits));
    let mut names = Vec::new();
    for (bits, name) in bits {
        if bits != 0 && left & bits == bits {
            left -= bits;
            names.push(name);
        }
    }
    names.reverse();
    (left == 0 && !names.is_empty()).then_some(names)
}

/// `T` of `T?`.
fn underlying_nullable(type_: &TypeSig) -> &TypeSig {
    match type_ {
        TypeSig::Named(name) if name.full_name == "System.Nullable`1" => name.arguments.first().unwrap_or(type_),
        _ => type_,
    }
}

/// Whether null stands for `default`.
fn is_value(type_: &TypeSig) -> bool {
    match type_ {
        TypeSig::Primitive(primitive) => !matches!(primitive, Primitive::String | Primitive::Object),
        TypeSig::Named(name) => name.is_value_type && name.full_name != "System.Nullable`1",
        TypeSig::TypeParameter(_) | TypeSig::MethodParameter(_) => true,
        _ => false,
    }
}

/// Floats in their shortest form that reads back as the same; a `float` as the `double` it is.
pub(super) fn literal(value: &AttributeValue) -> String {
    match value {
        AttributeValue::Bool(value) => value.to_string(),
        AttributeValue::Int(value) => value.to_string(),
        AttributeValue::Float(value) if value.is_nan() => "double.NaN".to_owned(),
        AttributeValue::Float(value) if value.is_infinite() && *value > 0.0 => "double.PositiveInfinity".to_owned(),
        AttributeValue::Float(value) if value.is_infinite() => "double.NegativeInfinity".to_owned(),
        AttributeValue::Float(value) => value.to_string(),
        AttributeValue::Char(value) => format!("'{}'", escaped(&value.to_string(), '\'')),
        AttributeValue::String(Some(text)) => format!("\"{}\"", escaped(text, '"')),
        AttributeValue::Type(Some(name)) => format!("typeof({name})"),
        AttributeValue::Array(Some(values)) => {
            format!("[{}]", values.iter().map(literal).collect::<Vec<_>>().join(", "))
        }
        AttributeValue::String(None) | AttributeValue::Type(None) | AttributeValue::Array(None) => "null".to_owned(),
    }
}

/// Control characters, surrogates and what is no text would break a line or a terminal.
fn escaped(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            '\\' => out.push_str("\\\\"),
            character if character == quote => {
                out.push('\\');
                out.push(character);
            }
            ' '..='~' => out.push(character),
            character => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out
}

/// `(byte scale, byte sign, uint high, uint middle, uint low)`; older compilers write the three as `int`.
fn decimal(arguments: &[AttributeValue]) -> Option<String> {
    let number = |index: usize| match arguments.get(index)? {
        AttributeValue::Int(value) => Some(*value),
        _ => None,
    };
    let part = |index: usize| number(index).map(|value| value as u32 as u128);
    let mut digits = (part(2)? << 64 | part(3)? << 32 | part(4)?).to_string();
    let scale = number(0)? as usize;
    if scale > 28 {
        return None;
    }
    if scale > 0 {
        let missing = (scale + 1).saturating_sub(digits.len());
        digits.insert_str(0, &"0".repeat(missing));
        digits.insert(digits.len() - scale, '.');
    }
    Some(format!("{}{digits}m", if number(1)? == 0 { "" } else { "-" }))
}
