//! Arguments and locals.

use super::Walk;
use crate::purity::values::Value;
use crate::purity::{Impurity, Judged};
use crate::signatures::{Primitive, TypeSig};

impl Walk<'_, '_> {
    fn slot(&mut self, is_local: bool, number: u16) -> Result<&mut Value, Impurity> {
        let strange = self.strange();
        let slots = if is_local { &mut self.locals } else { &mut self.arguments };
        slots.get_mut(usize::from(number)).ok_or(strange)
    }

    pub(super) fn load(&mut self, is_local: bool, number: u16) -> Judged {
        let value = self.slot(is_local, number)?.clone();
        self.push(value)
    }

    pub(super) fn store(&mut self, is_local: bool, number: u16) -> Judged {
        let value = self.pop()?;
        let slot = self.slot(is_local, number)?;
        // the slot's own type stays: what is declared holds on all ways
        if slot.owned && !value.owned {
            slot.owned = false;
            self.stacks.has_changed = true;
        }
        self.not_exact(is_local, number)
    }

    /// The variable itself is ours, whatever it refers to: of one that holds a reference, whoever has the address may write
    /// another one to it.
    pub(super) fn address(&mut self, is_local: bool, number: u16) -> Judged {
        let slot = self.slot(is_local, number)?;
        if slot.owned && !matches!(slot.type_(), Some(type_) if is_value(type_)) {
            slot.owned = false;
            self.stacks.has_changed = true;
        }
        self.not_exact(is_local, number)?;
        let slot = self.slot(is_local, number)?;
        let type_ = slot.type_().cloned().map(|type_| TypeSig::ByRef(Box::new(type_)));
        self.push(Value { owned: true, ..type_.map_or_else(Value::unknown, Value::of) })
    }

    /// Another object may be in it.
    fn not_exact(&mut self, is_local: bool, number: u16) -> Judged {
        let declared = self.owner.map(|id| self.assembly.type_(id).self_type());
        let slot = self.slot(is_local, number)?;
        if slot.is_exact {
            *slot = Value { owned: slot.owned, ..declared.map_or_else(Value::unknown, Value::of) };
            self.stacks.has_changed = true;
        }
        Ok(())
    }
}

/// Whether a variable of that type holds the value itself, as its signature tells.
fn is_value(type_: &TypeSig) -> bool {
    match type_ {
        TypeSig::Primitive(primitive) => !matches!(primitive, Primitive::Object | Primitive::String),
        TypeSig::Named(named) => named.is_value_type,
        _ => false,
    }
}
