//! Strings that `new` makes: the runtime calls no constructor of theirs for a debugger.

use crate::constant::{Constant, Scalar};
use crate::types::Type;
use crate::value::Value;
use crate::world::{Evaluated, World};

use super::{Run, threw, unsupported};

impl<W: World> Run<'_, W> {
    /// `new string('x', 3)`, `new string(chars)`, `new string(chars, 1, 2)`.
    pub(super) fn new_string(&mut self, arguments: &[Value<W::Handle>]) -> Evaluated<W> {
        const OUTSIDE: &str = "System.ArgumentOutOfRangeException";
        let text = |units: Vec<u16>| Ok(Value::Constant(Constant::Text(units.into())));
        match arguments {
            [Value::Constant(Constant::Scalar(Scalar::Char(unit))), count] => {
                let count = count.as_integer().unwrap_or(0);
                match usize::try_from(count) {
                    Ok(count) if count <= self.limits.elements => text(vec![*unit; count]),
                    Ok(count) => unsupported(format!("a string of {count} characters cannot be created here")),
                    Err(_) => threw(
                        OUTSIDE,
                        format!(
                            "count ('{count}') must be a non-negative value. (Parameter 'count')\nActual value was {count}."
                        ),
                    ),
                }
            }
            [only] if only.is_null() => text(Vec::new()),
            [characters, rest @ ..] if rest.is_empty() || rest.len() == 2 => {
                if let Some(units) = self.text_of(characters)? {
                    return text(units.to_vec());
                }
                let items = match characters {
                    Value::Object(handle) => match self.all_characters(handle)? {
                        Some(units) => return text(units),
                        None => self.all(characters)?,
                    },
                    _ => self.all(characters)?,
                };
                let units: Option<Vec<u16>> = items
                    .iter()
                    .map(|item| match item.as_scalar() {
                        Some(Scalar::Char(unit)) => Some(*unit),
                        _ => None,
                    })
                    .collect();
                let Some(units) = units else { return unsupported("new string(…) takes a char array") };
                let [start, length] = rest else { return text(units) };
                let position = |value: &Value<W::Handle>| usize::try_from(value.as_integer().unwrap_or(-1)).ok();
                let range = position(start)
                    .zip(position(length))
                    .and_then(|(start, length)| units.get(start..start.checked_add(length)?));
                match range {
                    Some(units) => text(units.to_vec()),
                    None => threw(
                        OUTSIDE,
                        "Index was out of range. Must be non-negative and less than or equal to the size of the collection.",
                    ),
                }
            }
            _ => unsupported(format!("a '{}' cannot be created from these arguments here", Type::STRING)),
        }
    }
}
