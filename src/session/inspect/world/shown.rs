//! What an evaluation gave, in the form in which adapters report values.

use std::sync::Arc;

use clr_csharp::constant::{Constant, Scalar};
use clr_csharp::floating;
use clr_csharp::run::Outcome;
use clr_csharp::types::{ANONYMOUS, Type};
use clr_csharp::value::{Content, Made as MadeHere, Value, element_type, part_name};

use super::handle::{Handle, Place};
use super::passed::quoted;
use super::program::Program;
use crate::session::inspect::evaluated::{EvalError, Evaluated};
use crate::session::inspect::literal::Raw;
use crate::session::inspect::made::{Made, Part, Shape};
use crate::session::inspect::raw_value::RawValue;
use crate::session::inspect::shared_code;
use crate::session::type_names;

/// Behind the path of a nullable: what is in it.
pub(super) const INSIDE: &str = ".GetValueOrDefault()";

impl Program<'_> {
    pub(super) fn shown(&self, outcome: &Outcome<Handle>) -> Result<Evaluated, EvalError> {
        self.shown_value(&outcome.value, &outcome.type_)
    }

    fn shown_value(&self, value: &Value<Handle>, type_: &Type) -> Result<Evaluated, EvalError> {
        let plain = |type_name: String, value: String| {
            // of a nullable nothing more is asked
            let made = Arc::new(Made::whole(Shape::Literal, Vec::new()));
            let value = RawValue { type_name, value, made: Some(made), ..RawValue::default() };
            Evaluated { load_path: value.value.clone(), value }
        };
        Ok(match value {
            Value::Object(handle) => self.shown_object(handle, type_)?,
            Value::Void => plain("void".into(), "void".into()),
            Value::Constant(constant) => {
                let type_name = match type_ {
                    type_ if type_.is_nullable() => type_.declaration().to_string(),
                    Type::Null | Type::Late | Type::Untyped if *constant == Constant::Null => "object".into(),
                    type_ if *constant == Constant::Null => type_.declaration().to_string(),
                    _ => constant.type_().to_string(),
                };
                plain(type_name, self.printed(constant))
            }
            Value::Made(made) => {
                let (type_name, text, made) = self.shown_made(made, type_)?;
                let value = RawValue { type_name, value: text, made: Some(Arc::new(made)), ..RawValue::default() };
                Evaluated { load_path: String::new(), value }
            }
        })
    }

    fn shown_object(&self, handle: &Handle, type_: &Type) -> Result<Evaluated, EvalError> {
        if type_.is_nullable()
            && let Some(path) = handle.path().and_then(|path| path.strip_suffix(INSIDE))
        {
            let value = self.ask(path)?.declared_as(&type_.declaration().to_string());
            return Ok(Evaluated { value, load_path: path.to_owned() });
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
            // the path may lead elsewhere now
            Place::Path(_) if self.has_changed_since(handle) => String::new(),
            Place::Path(text) => text.clone(),
            Place::Call { text, .. } => {
                if !self.may_repeat(handle) {
                    self.reader.forced.note_run(self.reader.frame_id, text);
                }
                text.clone()
            }
            Place::Listed => String::new(),
        };
        Ok(Evaluated { value: value.declared_as(&type_.declaration().to_string()), load_path })
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
                Scalar::Single(number) => floating::single(*number).unwrap_or_else(|| unbounded(f64::from(*number))),
                Scalar::Double(number) => floating::double(*number).unwrap_or_else(|| unbounded(*number)),
                Scalar::Decimal(number) => number.to_string(),
            },
        }
    }

    fn shown_made(&self, made: &MadeHere<Handle>, declared: &Type) -> Result<(String, String, Made), EvalError> {
        let own = made.type_as(declared);
        let arguments = own.arguments();
        let part = |name: String, value: &Value<Handle>, type_: Option<&Type>| {
            let Evaluated { value, load_path } = self.shown_value(value, type_.unwrap_or(&Type::OBJECT))?;
            Ok(Part { name, value, load_path })
        };
        let numbered = |items: &[Value<Handle>], element: Option<&Type>| {
            let items = items.iter().enumerate();
            items.map(|(at, item)| part(format!("[{at}]"), item, element)).collect::<Result<Vec<_>, EvalError>>()
        };
        let (shape, parts) = match &made.content {
            Content::Items(items) => (Shape::Sequence, numbered(items, element_type(own).as_ref())?),
            Content::Tuple(items) => {
                let types = own.elements().unwrap_or_else(|| arguments.iter().collect());
                let items = items.iter().enumerate();
                let items = items.map(|(at, item)| part(part_name(own, at), item, types.get(at).copied()));
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
            Content::Index { .. } | Content::Range { .. } => (Shape::Literal, Vec::new()),
            Content::Lambda { .. } | Content::Query { .. } => (Shape::Opaque, Vec::new()),
        };
        let type_name = match made.shown_type(own, self.types) {
            type_ if type_.is(ANONYMOUS) => type_.short(),
            type_ => type_.declaration().to_string(),
        };
        let text = made.content.as_position().unwrap_or_else(|| format!("{{{type_name}}}"));
        Ok((type_name, text, Made::whole(shape, parts)))
    }
}

/// What is no finite number, as adapters have it.
fn unbounded(number: f64) -> String {
    match number {
        number if number.is_nan() => "nan",
        number if number < 0.0 => "-inf",
        _ => "inf",
    }
    .to_owned()
}
