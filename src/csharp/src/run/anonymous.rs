//! Equality of an anonymous object of the program and one that the expression made.

use crate::types::{ANONYMOUS, FieldRef, MethodRef};
use crate::value::{Content, Value};
use crate::world::{Failure, Found, World};

use super::Run;

/// How the compiler names the types of anonymous objects.
const TYPES: &str = "<>f__AnonymousType";

impl<W: World> Run<'_, W> {
    /// As `one.Equals(other)`; `None`: that takes code of the program, or is no matter of one that was made here. Of one type they are in
    /// C# where they have the same members of the same types, in one assembly.
    pub(super) fn is_equal_anonymous(&mut self, one: &Value<W::Handle>, other: &Value<W::Handle>) -> Found<bool, W> {
        let (made, handle, is_made_asked) = match (one, other) {
            (Value::Made(made), Value::Object(handle)) => (made, handle, true),
            (Value::Object(handle), Value::Made(made)) => (made, handle, false),
            _ => return Ok(None),
        };
        let Content::Tuple(items) = &made.content else { return Ok(None) };
        if !made.type_.is(ANONYMOUS) {
            return Ok(None);
        }
        let type_ = self.world.type_of(handle)?;
        let definition = self.types.definition(&type_).filter(|_| type_.name().is_some_and(|it| it.starts_with(TYPES)));
        let Some(definition) = definition else { return Ok(is_made_asked.then_some(false)) };
        let properties = self.types.properties(&definition);
        let names = properties.iter().map(|property| Some(property.name.as_str()));
        let is_here = self.scope.assembly.as_ref().is_some_and(|own| own.mvid() == definition.assembly.mvid());
        let is_one_type = is_here
            && type_.arguments() == made.type_.arguments()
            && names.eq(made.type_.element_names().iter().map(Option::as_deref));
        if !is_one_type {
            return Ok(Some(false));
        }
        for (property, item) in properties.iter().zip(items) {
            let field = format!("<{}>i__Field", property.name);
            let field = self.types.fields(&definition).iter().find(|it| it.name == field).cloned();
            let read = match field {
                Some(field) => self.world.field(Some(handle), &FieldRef { owner: type_.clone(), field }),
                None => return Ok(None),
            };
            let theirs = match (read, property.accessor()) {
                (Err(Failure::Unsupported(_)), Some(getter)) => {
                    let getter = MethodRef { owner: type_.clone(), method: getter.clone(), arguments: Vec::new() };
                    self.world.call(&getter, Some(&Value::Object(handle.clone())), &mut [])?
                }
                (read, _) => read?,
            };
            let (first, second) = if is_made_asked { (item, &theirs) } else { (&theirs, item) };
            if !self.is_equal(first, second)? {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }
}
