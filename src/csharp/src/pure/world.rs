//! The world as it is shown to an expression that may change nothing: what changes it, or is not known not to, is refused.

use std::sync::Arc;

use clr_metadata::{Assembly, MethodId};

use super::{Pure, refused};
use crate::constant::Constant;
use crate::types::{FieldRef, MethodRef, Type};
use crate::value::Value;
use crate::world::{Evaluated, Failure, Found, World};

impl<W: World> World for Pure<'_, W> {
    type Handle = W::Handle;
    type Error = W::Error;

    fn variable(&mut self, position: usize) -> Evaluated<Self> {
        self.world.variable(position)
    }

    fn variable_on_the_way(&mut self, position: usize) -> Evaluated<Self> {
        self.world.variable_on_the_way(position)
    }

    fn field_on_the_way(&mut self, of: Option<&W::Handle>, field: &FieldRef) -> Evaluated<Self> {
        match of {
            Some(_) => self.world.field_on_the_way(of, field),
            None => self.field(of, field),
        }
    }

    fn element_on_the_way(&mut self, of: &W::Handle, position: usize) -> Evaluated<Self> {
        self.world.element_on_the_way(of, position)
    }

    fn is_unread(&self, of: &W::Handle) -> bool {
        self.world.is_unread(of)
    }

    fn set_variable(&mut self, position: usize, value: &Value<W::Handle>) -> Result<(), Failure<W::Error>> {
        match self.is_storing {
            true => self.world.set_variable(position, value),
            false => refused("it assigns a variable"),
        }
    }

    fn field(&mut self, of: Option<&W::Handle>, field: &FieldRef) -> Evaluated<Self> {
        if of.is_none() {
            self.first_use(&field.owner)?;
        }
        self.world.field(of, field)
    }

    fn set_field(
        &mut self,
        of: Option<&W::Handle>,
        field: &FieldRef,
        value: &Value<W::Handle>,
    ) -> Result<(), Failure<W::Error>> {
        match of {
            _ if self.is_storing => self.world.set_field(of, field, value),
            Some(handle) if self.is_made(handle)? => self.world.set_field(of, field, value),
            _ => refused(format!("it assigns the field {}", field.field.name)),
        }
    }

    fn is_untouched(&mut self, field: &FieldRef) -> bool {
        self.world.is_untouched(field)
    }

    fn element(&mut self, of: &W::Handle, position: usize) -> Evaluated<Self> {
        self.world.element(of, position)
    }

    fn set_element(
        &mut self,
        of: &W::Handle,
        position: usize,
        value: &Value<W::Handle>,
    ) -> Result<(), Failure<W::Error>> {
        match self.is_storing || self.is_made(of)? {
            true => self.world.set_element(of, position, value),
            false => refused("it assigns an element of an array"),
        }
    }

    fn dimensions(&mut self, of: &W::Handle) -> Found<Vec<(i32, usize)>, Self> {
        self.world.dimensions(of)
    }

    fn text(&mut self, of: &W::Handle) -> Found<Arc<[u16]>, Self> {
        self.world.text(of)
    }

    fn is_text(&mut self, of: &W::Handle, text: &[u16]) -> Found<bool, Self> {
        self.world.is_text(of, text)
    }

    fn type_of(&mut self, of: &W::Handle) -> Result<Type, Failure<W::Error>> {
        self.world.type_of(of)
    }

    fn unboxed(&mut self, of: &W::Handle) -> Found<Constant, Self> {
        self.world.unboxed(of)
    }

    fn is_same(&mut self, one: &W::Handle, other: &W::Handle) -> Result<bool, Failure<W::Error>> {
        self.world.is_same(one, other)
    }

    fn has_begun(&mut self, assembly: &Arc<Assembly>, initializer: MethodId) -> bool {
        self.world.has_begun(assembly, initializer)
    }

    fn has_initialized(&mut self, type_: &Type) -> bool {
        self.world.has_initialized(type_)
    }

    fn elements(&mut self, of: &W::Handle, limit: usize) -> Found<Vec<Value<W::Handle>>, Self> {
        self.world.elements(of, limit)
    }

    fn count(&mut self, of: &W::Handle) -> Found<usize, Self> {
        self.world.count(of)
    }

    fn target(&mut self, of: &W::Handle) -> Found<(Arc<Assembly>, MethodId), Self> {
        self.world.target(of)
    }

    fn call(
        &mut self,
        method: &MethodRef,
        this: Option<&Value<W::Handle>>,
        arguments: &mut [Value<W::Handle>],
    ) -> Evaluated<Self> {
        if self.is_storing {
            return self.world.call(method, this, arguments);
        }
        self.judge(method, this, arguments)?;
        let result = self.world.call(method, this, arguments)?;
        self.note_enumerator(method, this, &result)?;
        if self.is_new(method, &result)? {
            self.keep(&result);
        }
        Ok(result)
    }

    fn cannot_run(&self, error: &W::Error) -> bool {
        self.world.cannot_run(error)
    }

    /// Of a name that the program wrote it might load anything; this one names a type that is there.
    fn reflected(&mut self, get_type: &MethodRef, name: &str) -> Evaluated<Self> {
        self.world.reflected(get_type, name)
    }

    fn new_cube(&mut self, create: &MethodRef, arguments: [Value<W::Handle>; 2]) -> Evaluated<Self> {
        let made = self.world.new_cube(create, arguments)?;
        self.keep(&made);
        Ok(made)
    }

    fn new_object(
        &mut self,
        type_: &Type,
        constructor: Option<&MethodRef>,
        arguments: &[Value<W::Handle>],
    ) -> Evaluated<Self> {
        match constructor {
            Some(constructor) => self.judge(constructor, None, arguments)?,
            None => self.first_use(type_)?,
        }
        let made = self.world.new_object(type_, constructor, arguments)?;
        self.keep(&made);
        Ok(made)
    }

    fn has_static_fields(&self) -> bool {
        self.world.has_static_fields()
    }

    fn standing_field(&mut self, field: &FieldRef) -> Found<Value<W::Handle>, Self> {
        self.world.standing_field(field)
    }

    fn keeps_new(&self) -> bool {
        self.world.keeps_new()
    }

    fn copy(&mut self, of: &Value<W::Handle>) -> Evaluated<Self> {
        if let Value::Object(handle) = of {
            let type_ = self.world.type_of(handle)?;
            self.first_use(&type_)?;
        }
        let copy = self.world.copy(of)?;
        self.keep(&copy);
        Ok(copy)
    }

    fn new_array(&mut self, element: &Type, items: &[Value<W::Handle>]) -> Evaluated<Self> {
        let made = self.world.new_array(element, items)?;
        self.keep(&made);
        Ok(made)
    }

    fn store(&mut self) {
        self.is_storing = true;
    }
}
