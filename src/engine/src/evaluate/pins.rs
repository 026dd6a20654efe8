//! Objects that must not move while a span over them is used.
//!
//! A span that a call gives is kept outside of the program's stack, where the garbage collector does not see what it refers to: what a
//! later call collects would leave it pointing to other memory. So what it may refer to is pinned before it is made.

use clr_csharp::constant::Constant;
use clr_csharp::types::Type;
use clr_csharp::value::Value;

use super::{EvalError, Evaluation};
use crate::calls::What;
use crate::com::{Interface as _, element};
use crate::types;
use crate::values::{Content, Place, Root, Step, field_named};

/// Fields of the framework's types over which spans are made: of Memory, of a part of an array, of a list.
const PARTS: [&str; 3] = ["_object", "_array", "_items"];

/// Whether values of that type refer into objects.
pub(super) fn is_span(type_: &Type) -> bool {
    type_.is("System.Span`1") || type_.is("System.ReadOnlySpan`1")
}

impl Evaluation<'_> {
    /// What a call takes of which a span comes: nothing in it can move from now on.
    ///
    /// # Errors
    /// It is an object of which nobody knows where the span's elements lie.
    pub(super) fn pinned(&mut self, value: &Value<Place>) -> Result<Value<Place>, EvalError> {
        match value {
            Value::Constant(Constant::Text(units)) => match self.run(What::Text(units.to_vec()))? {
                Some(text) => {
                    let place = Place::of(Root::Kept(text));
                    self.pin(&place)?;
                    Ok(Value::Object(place))
                }
                None => Ok(value.clone()),
            },
            Value::Object(place) => {
                self.pin(place)?;
                Ok(value.clone())
            }
            _ => Ok(value.clone()),
        }
    }

    fn pin(&mut self, place: &Place) -> Result<(), EvalError> {
        let value = place.read(self.stopped)?;
        let Some(target) = value.target()? else { return Ok(()) };
        if matches!(target.com().kind()?, element::STRING | element::SZARRAY | element::ARRAY) {
            return Ok(self.stopped.pins.borrow_mut().add(&target.com().cast()?)?);
        }
        let Content::Object(object) = value.content()? else { return Ok(()) };
        let type_ = self.type_of_com(object.type_());
        if is_span(&type_) {
            return Ok(());
        }
        let part = types::chain(self.stopped.target(), object.type_()).iter().find_map(|type_| {
            let definition = types::definition(self.stopped.target(), type_).filter(|it| it.module.is_framework)?;
            let field = PARTS.iter().find_map(|name| field_named(&definition, name))?;
            Some(Step::Field { class: definition.class, field })
        });
        match part {
            Some(step) => self.pin(&place.then(step)),
            None => Err(EvalError::failed(format!(
                "a span over an object of type '{}' cannot be kept here: the garbage collector may move what it refers to",
                type_.short()
            ))),
        }
    }
}
