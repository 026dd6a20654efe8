//! Texts: of strings, and what interpolation and `+` make of other values.

use std::sync::Arc;

use crate::bound::Piece;
use crate::constant::{Constant, Scalar};
use crate::types::{ANONYMOUS, MethodRef, PAIR, Type};
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, World};

use super::convert::WITHOUT_TYPE;
use super::{Run, unsupported};

impl<W: World> Run<'_, W> {
    /// UTF-16; `None` for what is no string.
    pub(super) fn text_of(&mut self, value: &Value<W::Handle>) -> Result<Option<Arc<[u16]>>, Failure<W::Error>> {
        match value {
            Value::Constant(Constant::Text(text)) => Ok(Some(text.clone())),
            Value::Object(handle) => self.world.text(handle),
            _ => Ok(None),
        }
    }

    /// As `ToString` gives it; nothing for null.
    pub(super) fn printed(&mut self, value: &Value<W::Handle>) -> Result<Arc<[u16]>, Failure<W::Error>> {
        let units = |text: &str| -> Arc<[u16]> { text.encode_utf16().collect() };
        Ok(match value {
            Value::Constant(Constant::Null) => units(""),
            Value::Constant(Constant::Text(text)) => text.clone(),
            Value::Constant(Constant::Scalar(scalar)) => match scalar {
                Scalar::Bool(value) => units(if *value { "True" } else { "False" }),
                Scalar::Char(unit) => Arc::from([*unit]),
                Scalar::Int(_, number) if *number >= 0 => units(&number.to_string()),
                // the signs are the culture's
                Scalar::Int(..) | Scalar::Decimal(_) | Scalar::Double(_) | Scalar::Single(_) => {
                    self.text_by_program(value)?
                }
            },
            Value::Constant(Constant::Enum(..)) => self.text_by_program(value)?,
            Value::Object(handle) => match self.world.text(handle)? {
                Some(text) => text,
                // no object is made of a span
                None => match self.all_characters(handle)? {
                    Some(units) => units.into(),
                    None => self.text_by_program(value)?,
                },
            },
            Value::Made(made) => match &made.content {
                Content::Tuple(items) if made.type_.is(ANONYMOUS) => {
                    let mut text = "{ ".to_owned();
                    for (at, (name, item)) in made.type_.element_names().iter().flatten().zip(items).enumerate() {
                        let item = self.printed(item)?;
                        let comma = if at > 0 { ", " } else { "" };
                        text.push_str(&format!("{comma}{name} = {}", String::from_utf16_lossy(&item)));
                    }
                    text.push_str(" }");
                    units(&text)
                }
                Content::Tuple(items) => {
                    let items = items.iter().map(|item| self.printed(item).map(|it| String::from_utf16_lossy(&it)));
                    let items = items.collect::<Result<Vec<_>, _>>()?;
                    let items = items.join(", ");
                    units(&if made.type_.is(PAIR) { format!("[{items}]") } else { format!("({items})") })
                }
                Content::Index { .. } | Content::Range { .. } => units(&made.content.as_position().unwrap_or_default()),
                _ if self.is_without_type(value) => return unsupported(WITHOUT_TYPE),
                _ => {
                    let there = self.in_program(value.clone(), &made.type_)?;
                    self.text_by_program(&there)?
                }
            },
            Value::Void => units(""),
        })
    }

    /// By the program's own method.
    fn text_by_program(&mut self, value: &Value<W::Handle>) -> Result<Arc<[u16]>, Failure<W::Error>> {
        let Some(method) = self.method_of(&Type::OBJECT, "ToString", 0) else {
            return unsupported("ToString was not found in the framework");
        };
        let text = self.world.call(&method, Some(value), &mut [])?;
        Ok(self.text_of(&text)?.unwrap_or_default())
    }

    /// A method of a type by its name and the number of its parameters.
    pub(super) fn method_of(&self, type_: &Type, name: &str, parameters: usize) -> Option<MethodRef> {
        let definition = self.types.definition(type_)?;
        let methods = self.types.methods(&definition, name);
        let method = methods.iter().find(|it| it.parameters.len() == parameters && it.generic == 0)?.clone();
        Some(MethodRef { owner: type_.clone(), method, arguments: Vec::new() })
    }

    pub(super) fn interpolated(&mut self, pieces: &[Piece]) -> Evaluated<W> {
        let mut text: Vec<u16> = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(units) => text.extend_from_slice(units),
                Piece::Hole { value, alignment, format } => {
                    let value = self.value(value)?;
                    let piece = match format {
                        Some(format) if !value.is_null() => self.formatted(&value, format)?,
                        _ => self.printed(&value)?,
                    };
                    let width = alignment.unwrap_or(0);
                    let missing = (width.unsigned_abs() as usize).saturating_sub(piece.len());
                    if text.len() + piece.len() + missing > self.limits.elements {
                        return too_long(self.limits.elements);
                    }
                    let padding = std::iter::repeat_n(u16::from(b' '), missing);
                    if width > 0 {
                        text.extend(padding);
                        text.extend_from_slice(&piece);
                    } else {
                        text.extend_from_slice(&piece);
                        text.extend(padding);
                    }
                }
            }
        }
        Ok(Value::Constant(Constant::Text(text.into())))
    }

    fn formatted(&mut self, value: &Value<W::Handle>, format: &str) -> Result<Arc<[u16]>, Failure<W::Error>> {
        const FORMATTABLE: &str = "System.IFormattable";
        let type_ = self.run_time_type(value)?.unwrap_or(Type::OBJECT);
        let interface = Type::named(FORMATTABLE, Vec::new());
        if !self.types.is_a(&type_, &interface) {
            return self.printed(value);
        }
        let Some(method) = self.method_of(&interface, "ToString", 2) else {
            return unsupported("IFormattable was not found in the framework");
        };
        let value = self.in_program(value.clone(), &type_)?;
        let text = self.world.call(&method, Some(&value), &mut [Value::text(format), Value::NULL])?;
        Ok(self.text_of(&text)?.unwrap_or_default())
    }
}

/// A text of more units than [`super::Limits::elements`].
pub(super) fn too_long<T, E>(most: usize) -> Result<T, Failure<E>> {
    unsupported(format!("the string has more than {most} characters"))
}
