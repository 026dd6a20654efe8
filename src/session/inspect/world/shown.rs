//! What an evaluation gave, in the form in which adapters tell of values.

use std::sync::Arc;

use clr_csharp::constant::{Constant, Scalar};
use clr_csharp::run::Outcome;
use clr_csharp::types::{ANONYMOUS, Type};
use clr_csharp::value::{Content, Made as MadeHere, Value};

use super::handle::{Handle, Place};
use super::passed::quoted;
use super::program::Program;
use crate::session::inspect::evaluate::{EvalError, Evaluated};
use crate::session::inspect::literal::Raw;
use crate::session::inspect::made::{Made, Part, Shape};
use crate::session::inspect::raw_value::RawValue;
use crate::session::inspect::shared_code;
use crate::session::type_names;

const INSIDE: &str = ".GetValueOrDefault()";

impl Program<'_> {
    pub(super) fn shown(&self, outcome: &Outcome<Handle>) -> Result<Evaluated, EvalError> {
        self.told(&outcome.value, &outcome.type_)
    }

    fn told(&self, value: &Value<Handle>, type_: &Type) -> Result<Evaluated, EvalError> {
        let plain = |type_name: String, value: String| {
            // of a nullable nothing more is asked
            let made = Arc::new(Made::whole(Shape::Literal, Vec::new()));
            let value = RawValue { type_name, value, made: Some(made), ..RawValue::default() };
            Evaluated { load_path: value.value.clone(), value }
        };
        Ok(match value {
            Value::Object(handle) => self.told_object(handle, type_)?,
            Value::Void => plain("void".into(), "void".into()),
            Value::Constant(constant) => {
                let type_name = match type_ {
                    type_ if type_.is_nullable() => type_.to_string(),
                    Type::Null | Type::Late | Type::Untyped if *constant == Constant::Null => "object".into(),
                    type_ if *constant == Constant::Null => type_.to_string(),
                    _ => constant.type_().to_string(),
                };
                plain(type_name, self.printed(constant))
            }
            Value::Made(made) => {
                let (type_name, text, made) = self.told_made(made)?;
                let value = RawValue { type_name, value: text, made: Some(Arc::new(made)), ..RawValue::default() };
                Evaluated { load_path: String::new(), value }
            }
        })
    }

    fn told_object(&self, handle: &Handle, type_: &Type) -> Result<Evaluated, EvalError> {
        if type_.is_nullable()
            && let Some(path) = handle.path().and_then(|path| path.strip_suffix(INSIDE))
        {
            return Ok(Evaluated { value: self.ask(path)?, load_path: path.to_owned() });
        }
        let mut value = self.raw(handle)?.clone();
        if matches!(value.parsed(), Raw::Text(_))
            && let Ok(Some(units)) = self.whole_text(handle)
        {
            value.value = quoted(&units);
        }
        if shared_code::is_open(&value.type_name) {
            let declared = type_.to_string();
            value.type_name = match type_names::definition(&declared) == type_names::definition(&value.type_name) {
                true => declared,
                false => shared_code::unnamed(&value.type_name),
            };
        }
        let load_path = match &handle.place {
            Place::Path(text) => text.clone(),
            Place::Call { text, .. } => {
                if !self.may_repeat(handle) {
                    self.reader.forced.note_run(self.reader.frame_id, text);
                }
                text.clone()
            }
            Place::Listed => String::new(),
        };
        Ok(Evaluated { value, load_path })
    }

    /// As an adapter prints it.
    fn printed(&self, constant: &Constant) -> String {
        match constant {
            Constant::Null => "null".into(),
            Constant::Text(units) => quoted(units),
            Constant::Enum(type_, number) => match self.reader.modules.enum_type(&type_.to_string()) {
                Some(enum_type) => enum_type.printed(*number),
                None => number.to_string(),
            },
            Constant::Scalar(scalar) => match scalar {
                Scalar::Bool(value) => value.to_string(),
                Scalar::Char(unit) => match char::from_u32(u32::from(*unit)) {
                    Some(c) => format!("{unit} '{c}'"),
                    None => format!("{unit} '?'"),
                },
                Scalar::Int(_, number) => number.to_string(),
                Scalar::Single(number) => digits(&format!("{number:e}"), f64::from(*number)),
                Scalar::Double(number) => digits(&format!("{number:e}"), *number),
                Scalar::Decimal(number) => number.to_string(),
            },
        }
    }

    fn told_made(&self, made: &MadeHere<Handle>) -> Result<(String, String, Made), EvalError> {
        let arguments = made.type_.arguments();
        let part = |name: String, value: &Value<Handle>, type_: Option<&Type>| {
            let Evaluated { value, load_path } = self.told(value, type_.unwrap_or(&Type::OBJECT))?;
            Ok(Part { name, value, load_path })
        };
        let numbered = |items: &[Value<Handle>], element: Option<&Type>| {
            let items = items.iter().enumerate();
            items.map(|(at, item)| part(format!("[{at}]"), item, element)).collect::<Result<Vec<_>, EvalError>>()
        };
        let (shape, parts) = match &made.content {
            Content::Items(items) => (Shape::Sequence, numbered(items, made.element_type().as_ref())?),
            Content::Tuple(items) => {
                let types = made.type_.elements();
                let items = items.iter().enumerate().map(|(at, item)| {
                    let type_ = types.as_ref().and_then(|all| all.get(at).copied()).or_else(|| arguments.get(at));
                    part(made.part_name(at), item, type_)
                });
                let shape = if made.has_members() { Shape::Members } else { Shape::Tuple };
                (shape, items.collect::<Result<_, _>>()?)
            }
            Content::Entries(entries) => {
                let parts = entries.iter().map(|(key, value)| {
                    let key = part(String::new(), key, arguments.first())?;
                    Ok((key, part(String::new(), value, arguments.get(1))?))
                });
                let parts = parts.collect::<Result<Vec<_>, EvalError>>()?;
                (Shape::Entries, parts.into_iter().flat_map(|(key, value)| [key, value]).collect())
            }
            Content::Group { key, items } => {
                let mut parts = vec![part("Key".into(), key, arguments.first())?];
                parts.extend(numbered(items, arguments.get(1))?);
                (Shape::Group, parts)
            }
            Content::Type(type_) => {
                return Ok(("System.Type".into(), format!("{{{type_}}}"), Made::whole(Shape::Opaque, Vec::new())));
            }
            Content::Lambda { .. } | Content::Query { .. } | Content::Index { .. } | Content::Range { .. } => {
                (Shape::Opaque, Vec::new())
            }
        };
        let type_name = match made.shown_type(self.types) {
            type_ if type_.is(ANONYMOUS) => type_.short(),
            type_ => type_.to_string(),
        };
        Ok((type_name.clone(), format!("{{{type_name}}}"), Made::whole(shape, parts)))
    }
}

/// As .NET prints a number of those digits: `1.5E+20`, `0.0001`, `-∞` as adapters have it.
pub(super) fn digits(scientific: &str, number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number < 0.0 { "-inf" } else { "inf" }.into();
    }
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific.to_owned() };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-5..15).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}E{sign}{:02}", exponent.abs());
    }
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let plain: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let point = exponent + 1;
    let text = if point <= 0 {
        format!("0.{}{plain}", "0".repeat(usize::try_from(-point).unwrap_or(0)))
    } else {
        let point = usize::try_from(point).unwrap_or(0);
        match plain.split_at_checked(point) {
            Some((whole, "")) => whole.to_owned(),
            Some((whole, fraction)) => format!("{whole}.{fraction}"),
            None => format!("{plain}{}", "0".repeat(point - plain.len())),
        }
    };
    format!("{sign}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_dotnet_prints() {
        for (number, expected) in [
            (0.0, "0"),
            (5.0, "5"),
            (-0.5, "-0.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e15, "1E+15"),
            (123_456.789, "123456.789"),
            (1e14, "100000000000000"),
            (0.0001, "0.0001"),
            (0.000_001, "1E-06"),
            (f64::MAX, "1.7976931348623157E+308"),
        ] {
            assert_eq!(digits(&format!("{number:e}"), number), expected);
        }
    }
}
