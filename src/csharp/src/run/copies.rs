//! Structs: what stands for a variable, and what for a copy of it that belongs to the expression.

use crate::bound::{Bound, Kind, Slot};
use crate::types::{MethodRef, Type};
use crate::value::Value;
use crate::world::{Evaluated, World};

use super::{Run, unsupported};

impl<W: World> Run<'_, W> {
    /// What a method is called on: C# makes a copy of a struct that is no variable, and what the method writes stays in the copy.
    pub(super) fn called_on(&mut self, value: Value<W::Handle>, of: &Bound, method: &MethodRef) -> Evaluated<W> {
        let is_struct =
            matches!(value, Value::Object(_)) && !of.type_.is_nullable() && self.types.is_value_type(&of.type_);
        if !is_struct || self.is_variable(of) {
            return Ok(value);
        }
        if !method.method.assembly.method(method.method.id).may_write_receiver() {
            return Ok(value);
        }
        let name = &method.method.name;
        self.copied(value, of, || format!("'{name}' may change what it is called on, which in C# is a copy"))
    }

    /// A copy of a struct, which a slot then holds. `why`: what has to be copied.
    pub(super) fn copied(&mut self, value: Value<W::Handle>, of: &Bound, why: impl Fn() -> String) -> Evaluated<W> {
        if !self.world.keeps_new() {
            return unsupported(format!("{}, and this adapter cannot make one", why()));
        }
        let copy = self.world.copy(&value)?;
        if let Kind::Local(slot) = of.kind {
            self.set_copy(slot, copy.clone());
        }
        Ok(copy)
    }

    /// Whether an expression stands for the struct itself, and not for a copy of it. Of what cannot be told it is a copy.
    fn is_variable(&self, bound: &Bound) -> bool {
        match &bound.kind {
            Kind::Variable(position) => !self.scope.read_only.contains(position),
            Kind::Local(slot) => self.is_copy_in(*slot),
            Kind::Field { of, field } => {
                let is_there = |of: &Bound| self.types.is_reference_type(&of.type_) || self.is_variable(of);
                !field.field.is_read_only && of.as_deref().is_none_or(is_there)
            }
            Kind::Element { of, .. } => self.is_in_program(of),
            // where nothing is kept, what is returned by reference is read
            Kind::Property { property, .. } => {
                matches!(property.property.type_, Type::ByRef(_)) && self.world.keeps_new()
            }
            Kind::Call { method, .. } => matches!(method.method.returns, Type::ByRef(_)) && self.world.keeps_new(),
            _ => false,
        }
    }

    /// An array that the expression did not make.
    fn is_in_program(&self, array: &Bound) -> bool {
        match &array.kind {
            Kind::Variable(_) | Kind::Field { .. } | Kind::Property { .. } => true,
            Kind::Element { of, .. } => self.is_in_program(of),
            _ => false,
        }
    }

    /// Sets aside a struct that is the expression's own.
    pub(super) fn set_copy(&mut self, slot: Slot, value: Value<W::Handle>) {
        self.set(slot, value);
        self.copies.insert(slot);
    }

    pub(super) fn is_copy_in(&self, slot: Slot) -> bool {
        self.copies.contains(&slot)
    }
}
