//! What instructions name: types, variables, what lies behind an address or in an array.

use super::Walk;
use crate::il::Operand;
use crate::purity::values::{Value, referent};
use crate::signatures::{Decoder, TypeSig};
use crate::tokens::Token;

impl Walk<'_, '_> {
    pub(super) fn type_of(&self, token: Token) -> Value {
        let type_ = Decoder::new(&self.assembly.metadata).token(token);
        type_.map_or_else(|_| Value::unknown(), |type_| Value::of(self.instance.of(&type_)))
    }

    /// As it is written, type parameters included.
    pub(super) fn written_type(&self, operand: Operand<'_>) -> Value {
        let Operand::Token(token) = operand else { return Value::unknown() };
        Decoder::new(&self.assembly.metadata).token(token).map_or_else(|_| Value::unknown(), Value::of)
    }

    pub(super) fn type_operand(&self, operand: Operand<'_>) -> Value {
        match operand {
            Operand::Token(token) => self.type_of(token),
            _ => Value::unknown(),
        }
    }
}

pub(super) fn variable(operand: Operand<'_>) -> u16 {
    match operand {
        Operand::Variable(number) => number,
        _ => u16::MAX,
    }
}

pub(super) fn pointed(address: &Value) -> Value {
    address.type_().map_or_else(Value::unknown, |type_| Value::of(referent(type_).clone()))
}

pub(super) fn element(array: &Value) -> Value {
    match array.type_().map(referent) {
        Some(TypeSig::Array(element)) => Value::of((**element).clone()),
        _ => Value::unknown(),
    }
}
