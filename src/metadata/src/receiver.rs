//! Whether a method of a struct may write to the struct that it is called on.

use crate::il::{Operand, op};
use crate::methods::MethodView;
use crate::tokens::MethodId;

const READ_ONLY: &str = "System.Runtime.CompilerServices.IsReadOnlyAttribute";
/// How deep getters of its own are followed.
const DEPTH: usize = 3;

impl MethodView<'_> {
    /// C# calls such a method on a copy where the struct is no variable (C# 14, 12.8.10.2). `false` is certain: it is read-only, or its
    /// code does nothing with `this` but read its fields.
    pub fn may_write_receiver(&self) -> bool {
        may_write(self, DEPTH)
    }
}

fn may_write(method: &MethodView<'_>, depth: usize) -> bool {
    let declaring = method.declaring_type();
    if method.has_attribute(READ_ONLY) || declaring.as_ref().is_some_and(|type_| type_.has_attribute(READ_ONLY)) {
        return false;
    }
    let Some(body) = method.body() else { return true };
    let is_own_getter = |operand: Operand<'_>| {
        let Operand::Token(token) = operand else { return false };
        let Some(id) = MethodId::from_token(token) else { return false };
        let called = method.assembly().method(id);
        let is_of_the_same =
            called.declaring_type().map(|type_| type_.id()) == declaring.as_ref().map(|type_| type_.id());
        let takes_nothing = called.signature().is_some_and(|signature| signature.parameters.is_empty());
        depth > 0 && is_of_the_same && !called.is_static() && takes_nothing && !may_write(&called, depth - 1)
    };
    let mut is_loaded = false;
    for instruction in body.instructions() {
        let Ok(instruction) = instruction else { return true };
        let reads = match instruction.opcode {
            op::LDFLD | op::LDOBJ => true,
            op::CALL => is_own_getter(instruction.operand),
            _ => false,
        };
        if is_loaded && !reads {
            return true;
        }
        is_loaded = match (instruction.opcode, instruction.operand) {
            (op::LDARG_0, _) => true,
            // by number: what takes its address or replaces it too
            (op::LDARG_S..=0x10 | 0xfe09..=0xfe0b, Operand::Variable(0)) => return true,
            _ => false,
        };
    }
    false
}
