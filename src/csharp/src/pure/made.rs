//! What the expression itself made: whoever made an object may change it.

use clr_metadata::names::is_state_machine;

use super::Pure;
use crate::types::{FieldRef, MethodRef, Type};
use crate::value::Value;
use crate::world::{Failure, World};

/// Whether the compiler made the type of a method with `yield`.
fn is_iterator(type_: &Type) -> bool {
    type_.name().is_some_and(is_state_machine)
}

impl<W: World> Pure<'_, W> {
    /// Of what was made last it is asked most.
    pub(super) fn is_made(&mut self, handle: &W::Handle) -> Result<bool, Failure<W::Error>> {
        for at in (0..self.made.len()).rev() {
            let Some(made) = self.made.get(at).cloned() else { continue };
            // a world that cannot tell has it from elsewhere
            if let Ok(true) = self.world.is_same(&made, handle) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Which of the arguments of a call are iterators of the program that the expression made, a bit for each: whoever made one may go
    /// through it.
    pub(super) fn made_iterators(&mut self, arguments: &[Value<W::Handle>]) -> Result<u64, Failure<W::Error>> {
        let mut made = 0;
        for (at, argument) in arguments.iter().enumerate().take(64) {
            let Value::Object(handle) = argument else { continue };
            if is_iterator(&self.world.type_of(handle)?) && self.is_made(handle)? {
                made |= 1 << at;
            }
        }
        Ok(made)
    }

    pub(super) fn keep(&mut self, value: &Value<W::Handle>) {
        if let Value::Object(handle) = value {
            self.made.push(handle.clone());
        }
    }

    /// Whether what a call gave is nobody else's.
    pub(super) fn is_new(&mut self, method: &MethodRef, result: &Value<W::Handle>) -> Result<bool, Failure<W::Error>> {
        let name = method.method.name.as_str();
        // a method that is judged to be pure answers an enumerator that it made
        if name == "<Clone>$" || name.rsplit('.').next() == Some("GetEnumerator") {
            return Ok(true);
        }
        // what the compiler makes of a method with `yield`: an object for each call
        let Value::Object(handle) = result else { return Ok(false) };
        let type_ = self.world.type_of(handle)?;
        if !is_iterator(&type_) {
            return Ok(false);
        }
        let machine = type_.name().and_then(|type_| type_.rsplit('+').next());
        if machine.is_some_and(|machine| machine.starts_with(&format!("<{name}>d"))) {
            return Ok(true);
        }
        // what another method made: whoever has it too goes through one of his own once this one has begun
        self.has_not_begun(handle, &type_)
    }

    /// Whether nobody has gone through an iterator of the program yet, by the state that the compiler gives it.
    fn has_not_begun(&mut self, iterator: &W::Handle, type_: &Type) -> Result<bool, Failure<W::Error>> {
        const NOT_BEGUN: i128 = -2;
        let Some(definition) = self.types.definition(type_) else { return Ok(false) };
        let Some(field) = self.types.fields(&definition).iter().find(|it| it.name == "<>1__state").cloned() else {
            return Ok(false);
        };
        let state = self.world.field(Some(iterator), &FieldRef { owner: type_.clone(), field })?;
        Ok(state.as_integer() == Some(NOT_BEGUN))
    }
}
