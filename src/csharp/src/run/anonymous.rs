//! Equality of an anonymous object of the program and one that the expression made.

use crate::types::{ANONYMOUS, FieldRef, MethodRef, Type};
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
        if !self.is_one_type(&type_, &made.type_) {
            return Ok(Some(false));
        }
        let properties = self.types.properties(&definition);
        for ((property, item), of) in properties.iter().zip(items).zip(made.type_.arguments()) {
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
            if !self.is_equal(of, first, second)? {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }

    /// Whether a type of the program is the one that the compiler would use for what the expression made, in this code.
    fn is_one_type(&self, theirs: &Type, made: &Type) -> bool {
        let arguments = || {
            let pairs = theirs.arguments().iter().zip(made.arguments());
            theirs.arguments().len() == made.arguments().len() && { pairs }
                .all(|(theirs, made)| self.is_one_type(theirs, made))
        };
        match (theirs, made) {
            (Type::Array { of: theirs, rank }, Type::Array { of: made, rank: other }) => {
                rank == other && self.is_one_type(theirs, made)
            }
            _ if made.is(ANONYMOUS) => {
                let definition = self.types.definition(theirs);
                let Some(definition) = definition.filter(|_| theirs.name().is_some_and(|it| it.starts_with(TYPES)))
                else {
                    return false;
                };
                let is_here = self.scope.assembly.as_ref().is_some_and(|own| own.mvid() == definition.assembly.mvid());
                let properties = self.types.properties(&definition);
                let names = properties.iter().map(|property| Some(property.name.as_str()));
                is_here && names.eq(made.element_names().iter().map(Option::as_deref)) && arguments()
            }
            (Type::Named(own), Type::Named(other)) => own.name == other.name && arguments(),
            _ => theirs == made,
        }
    }
}
