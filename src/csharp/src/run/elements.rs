//! Elements by number, and parts of arrays and texts.

use crate::bound::Bound;
use crate::constant::{Constant, Scalar};
use crate::types::Type;
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, World};

use super::members::OUT_OF_RANGE;
use super::receivers::constant_index;
use super::{Run, null_reference, threw, unsupported};

impl<W: World> Run<'_, W> {
    pub(super) fn element(&mut self, of: &Bound, indices: &[Bound], type_: &Type) -> Evaluated<W> {
        if let (Type::Array { rank: 1, .. }, Some(position)) = (&of.type_, constant_index(indices))
            && let receiver @ Value::Object(_) = self.receiver(of)?
            && let Value::Object(handle) = &receiver
            && self.world.is_unread(handle)
            && let Ok(found) = self.world.element(handle, position)
        {
            return Ok(found);
        }
        let value = self.value(of)?;
        if value.is_null() {
            return null_reference();
        }
        let indices = self.values(indices)?;
        let length = self.length(&value)?;
        if let [index] = indices.as_slice() {
            let absolute = |(number, is_from_end): (i32, bool)| {
                let number = usize::try_from(number).ok()?;
                if is_from_end { length.checked_sub(number) } else { Some(number) }
            };
            if let Some((start, end)) = self.range_of(index)? {
                let whole = i64::try_from(length).unwrap_or(i64::MAX);
                let offset = |(number, is_from_end): (i32, bool)| match is_from_end {
                    true => whole - i64::from(number),
                    false => i64::from(number),
                };
                let (start, end) = (offset(start), offset(end));
                return match (usize::try_from(start), usize::try_from(end)) {
                    (Ok(start), Ok(end)) if start <= end && end <= length => self.slice(&value, start, end, type_),
                    _ if self.text_of(&value)?.is_some() => no_part(start, end - start, whole),
                    _ => range_outside(),
                };
            }
            if let Some(index) = self.index_of(index)? {
                return match absolute(index) {
                    Some(position) if position < length => self.at(&value, position),
                    _ => {
                        let index = format!("{}{}", if index.1 { "^" } else { "" }, index.0);
                        Err(Failure::Outside { at: of.span.clone(), index, count: length })
                    }
                };
            }
        }
        let numbers: Option<Vec<i128>> = indices.iter().map(Value::as_integer).collect();
        let Some(numbers) = numbers else {
            return unsupported("a System.Index of the program cannot be read here: write `^` or a number");
        };
        let position = match (self.position(&value, &numbers), numbers.as_slice()) {
            // what lies behind a buffer is read without an exception, and means nothing
            (Err(Failure::Threw { .. }), [index]) if self.types.is_fixed_buffer(&of.type_) => {
                return unsupported(format!(
                    "index {index} is out of range; the fixed-size buffer has {length} elements"
                ));
            }
            (Err(Failure::Threw { type_name, .. }), [index]) if type_name == OUT_OF_RANGE.0 => {
                return Err(Failure::Outside { at: of.span.clone(), index: index.to_string(), count: length });
            }
            (position, _) => position?,
        };
        self.at(&value, position)
    }

    /// The position in an array of indices in all its dimensions.
    pub(super) fn position(&mut self, of: &Value<W::Handle>, indices: &[i128]) -> Result<usize, Failure<W::Error>> {
        let dimensions = match of {
            Value::Object(handle) => self.world.dimensions(handle)?,
            _ => None,
        };
        let dimensions = match dimensions {
            Some(dimensions) => dimensions,
            None => vec![(0, self.length(of)?)],
        };
        if dimensions.len() != indices.len() {
            return unsupported("wrong number of indices");
        }
        let mut position = 0;
        for (&index, &(lower, length)) in indices.iter().zip(&dimensions) {
            match usize::try_from(index - i128::from(lower)) {
                Ok(index) if index < length => position = position * length + index,
                _ => return threw(OUT_OF_RANGE.0, OUT_OF_RANGE.1),
            }
        }
        Ok(position)
    }

    fn length(&mut self, value: &Value<W::Handle>) -> Result<usize, Failure<W::Error>> {
        if let Some(text) = self.text_of(value)? {
            return Ok(text.len());
        }
        match value {
            Value::Made(made) => match &made.content {
                Content::Items(items) => Ok(items.len()),
                _ => unsupported(format!("a value of type '{}' cannot be indexed", made.type_.short())),
            },
            Value::Object(handle) => match self.world.dimensions(handle)? {
                Some(dimensions) => Ok(dimensions.iter().map(|(_, length)| length).product()),
                None if self.world.type_of(handle).is_ok_and(|type_| self.types.inline_array(&type_).is_some()) => {
                    unsupported("the elements of an inline array or a fixed-size buffer cannot be read here")
                }
                None => unsupported("an object that is not an array cannot be indexed here"),
            },
            _ => unsupported("a constant cannot be indexed"),
        }
    }

    pub(super) fn at(&mut self, value: &Value<W::Handle>, position: usize) -> Evaluated<W> {
        if let Some(text) = self.text_of(value)? {
            return match text.get(position) {
                Some(unit) => Ok(Value::scalar(Scalar::Char(*unit))),
                None => threw(OUT_OF_RANGE.0, OUT_OF_RANGE.1),
            };
        }
        match value {
            Value::Object(handle) => self.world.element(handle, position),
            Value::Made(made) => match &made.content {
                Content::Items(items) => match items.get(position) {
                    Some(item) => Ok(item.clone()),
                    None => threw(OUT_OF_RANGE.0, OUT_OF_RANGE.1),
                },
                _ => unsupported(format!("a value of type '{}' cannot be indexed", made.type_.short())),
            },
            _ => null_reference(),
        }
    }

    fn slice(&mut self, value: &Value<W::Handle>, start: usize, end: usize, type_: &Type) -> Evaluated<W> {
        if let Some(text) = self.text_of(value)? {
            return Ok(Value::Constant(Constant::Text(text.get(start..end).unwrap_or_default().into())));
        }
        let items = (start..end).map(|position| self.at(value, position)).collect::<Result<Vec<_>, _>>()?;
        Ok(Value::made(type_.clone(), Content::Items(items)))
    }
}

/// What `Substring` says of a part that a text does not have.
fn no_part<T, E>(start: i64, count: i64, length: i64) -> Result<T, Failure<E>> {
    let negative = |name: &str, number: i64| {
        format!("{name} ('{number}') must be a non-negative value. (Parameter '{name}')\nActual value was {number}.")
    };
    let words = match (start, count) {
        (..0, _) => negative("startIndex", start),
        _ if start > length => "startIndex cannot be larger than length of string. (Parameter 'startIndex')".to_owned(),
        (_, ..0) => negative("length", count),
        _ => "Index and length must refer to a location within the string. (Parameter 'length')".to_owned(),
    };
    threw("System.ArgumentOutOfRangeException", words)
}

fn range_outside<T, E>() -> Result<T, Failure<E>> {
    threw("System.ArgumentOutOfRangeException", "Specified argument was out of the range of valid values.")
}
