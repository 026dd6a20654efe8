//! Values of several parts: tuples and pairs, wherever they live.

use crate::types::{MethodRef, PAIR, Type};
use crate::value::{Content, Value};
use crate::world::{Evaluated, World};

use super::{Run, unsupported};

impl<W: World> Run<'_, W> {
    /// A tuple or a pair of the program as one made here, so that it is compared with others part by part.
    pub(super) fn in_parts(&mut self, value: Value<W::Handle>) -> Evaluated<W> {
        let Value::Object(handle) = &value else { return Ok(value) };
        let type_ = self.world.type_of(handle)?;
        if let Some(count) = type_.elements().map(|elements| elements.len()) {
            let items = (0..count).map(|at| self.item(&value, at)).collect::<Result<Vec<_>, _>>()?;
            return Ok(Value::made(type_, Content::Tuple(items)));
        }
        if !type_.is(PAIR) {
            return Ok(value);
        }
        let parts = (self.own_field(handle, &type_, "key")?, self.own_field(handle, &type_, "value")?);
        let (Some(key), Some(part)) = parts else { return Ok(value) };
        Ok(Value::made(type_, Content::Tuple(vec![key, part])))
    }

    /// A tuple or a pair as the program has it.
    pub(super) fn parts_in_program(&mut self, type_: &Type, items: &[Value<W::Handle>]) -> Evaluated<W> {
        if items.len() > 7 {
            return unsupported("a tuple of more than seven elements cannot be passed to the program");
        }
        let mut arguments = Vec::new();
        for (item, type_) in items.iter().zip(type_.arguments()) {
            arguments.push(self.in_program(item.clone(), type_)?);
        }
        let constructors = self.types.definition(type_).map(|it| self.types.methods(&it, ".ctor"));
        let constructor =
            constructors.and_then(|all| all.iter().find(|it| it.parameters.len() == items.len()).cloned());
        let Some(method) = constructor else {
            return unsupported(format!("the constructor of '{}' was not found in the framework", type_.short()));
        };
        let constructor = MethodRef { owner: type_.clone(), method, arguments: Vec::new() };
        self.world.new_object(type_, Some(&constructor), &arguments)
    }
}
