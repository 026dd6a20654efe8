//! Values that can be compared with each other after what they were read from was let go of: what objects are grouped by.

use clr_csharp::types::Type;
use clr_csharp::value::{Content, Value};

use super::{EvalError, Evaluation};
use crate::com::{self, Interface as _, element};
use crate::types;
use crate::values::{self, Content as There, Place, quote};

/// Equal for equal values: numbers and texts by what they are, objects by which they are, structs and tuples by their parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    Null,
    /// In its own words, with its type.
    Plain(String, String),
    /// Its address at this stop.
    Object(u64),
    Parts(Vec<Key>),
}

/// Structs within structs; real ones stay far below.
const DEPTH: usize = 32;

impl Evaluation<'_> {
    pub(super) fn key(&self, value: &Value<Place>) -> Result<Key, EvalError> {
        match value {
            Value::Object(place) => of_value(&place.read(self.stopped)?, DEPTH),
            Value::Constant(constant) if constant.type_() == Type::Null => Ok(Key::Null),
            Value::Constant(constant) => {
                let (shown, _) = self.shown(value, Some(&constant.type_()));
                Ok(Key::Plain(shown.text, shown.type_name))
            }
            Value::Made(made) => match &made.content {
                Content::Tuple(parts) => {
                    parts.iter().map(|part| self.key(part)).collect::<Result<_, _>>().map(Key::Parts)
                }
                Content::Type(type_) => Ok(Key::Plain(types::text(&type_.sig()), "System.Type".into())),
                _ => Err(no_key(&types::text(&made.type_.sig()))),
            },
            Value::Void => Err(no_key("void")),
        }
    }
}

fn of_value(value: &values::Value<'_>, depth: usize) -> Result<Key, EvalError> {
    Ok(match value.content()? {
        There::Null => Key::Null,
        There::Text(units) => Key::Plain(quote(&units), "string".into()),
        content @ (There::Scalar(_) | There::Pointer(_)) => {
            // a `T?` that has a value is that value
            let shown = content.show(value.type_name().trim_end_matches('?').to_owned());
            Key::Plain(shown.text, shown.type_name)
        }
        There::Object(object) if is_struct(value) => {
            let definition = object.definition().filter(|_| depth > 0).ok_or_else(|| no_key(&value.type_name()))?;
            let fields = values::members(&definition).into_iter().filter(|it| !it.is_static && !it.is_literal);
            let parts = fields.map(|it| of_value(&object.field_of(&definition.class, it.id)?, depth - 1));
            Key::Parts(parts.collect::<Result<_, _>>()?)
        }
        There::Object(_) | There::Array(_) => Key::Object(value.address().ok_or_else(|| no_key(&value.type_name()))?),
    })
}

fn is_struct(value: &values::Value<'_>) -> bool {
    value.com().kind() == Ok(element::VALUETYPE) && value.com().cast::<com::ReferenceValue>().is_err()
}

fn no_key(type_: &str) -> EvalError {
    EvalError::failed(format!("objects cannot be grouped by a value of type {type_}"))
}
