//! IL: the number of instructions, and a hash of their offsets, opcodes and operands.

use clr_metadata::il::{MethodBody, Operand};

use super::values::fnv;

pub fn hash(body: &MethodBody<'_>) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut add = |value: i64| hash = fnv(hash, &value.to_le_bytes());
    let mut count = 0;
    for instruction in body.instructions().map(Result::unwrap) {
        count += 1;
        add(i64::from(instruction.offset));
        add(i64::from(instruction.opcode));
        match instruction.operand {
            Operand::None => {}
            Operand::Int(value) => add(value),
            Operand::Float(value) => add(value.to_bits() as i64),
            Operand::Variable(number) => add(i64::from(number)),
            Operand::Token(token) => add(i64::from(token.0)),
            Operand::Branch(target) => add(i64::from(target)),
            Operand::Switch(targets) => targets.iter().for_each(|target| add(i64::from(target))),
        }
    }
    format!("{count}:{hash:016x}")
}
