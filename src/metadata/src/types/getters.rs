//! Does a getter only load a field? Read off its IL.
//!
//! `_lines.Count` calls a method, so it runs code, even where that method only loads a field in turn: the object behind `_lines`
//! may be null or of a derived type.

use crate::assembly::Assembly;
use crate::il::{Operand, op};
use crate::schema::{Table, col};
use crate::tokens::{MethodId, Token};

/// `[nop] ldarg.0; ldfld F; ret` (or `[nop] ldsfld F; ret`), with the detour through local 0 that debug builds take:
/// `stloc.0; br.s next; ldloc.0`.
pub(super) fn loaded_field(assembly: &Assembly, getter: MethodId) -> Option<String> {
    let body = assembly.body(getter).ok()??;
    // The longest form has 12 bytes.
    if body.code.len() > 16 {
        return None;
    }
    let mut field = None;
    let mut opcodes = Vec::with_capacity(8);
    for instruction in body.instructions() {
        let instruction = instruction.ok()?;
        match (instruction.opcode, instruction.operand) {
            (op::NOP, _) => continue,
            (op::LDFLD | op::LDSFLD, Operand::Token(token)) => field = Some(token),
            (op::BR_S, Operand::Branch(target)) if target != instruction.offset + 2 => return None,
            _ => {}
        }
        opcodes.push(instruction.opcode);
    }
    match opcodes.as_slice() {
        [op::LDARG_0, op::LDFLD, rest @ ..] | [op::LDSFLD, rest @ ..] => match rest {
            [op::RET] | [op::STLOC_0, op::BR_S, op::LDLOC_0, op::RET] => own_field(assembly, getter, field?),
            _ => None,
        },
        _ => None,
    }
}

/// The name of the field, if it belongs to the getter's own type: a field of a generic type is referred to through its
/// instantiation, `List<T>._size`.
fn own_field(assembly: &Assembly, getter: MethodId, field: Token) -> Option<String> {
    let metadata = &assembly.metadata;
    let owner = metadata.owner(col::TypeDef::MethodList, getter.row())?;
    let name = match field.table()? {
        Table::Field => {
            (metadata.owner(col::TypeDef::FieldList, field.row())? == owner).then_some(())?;
            metadata.string(field.row(), col::Field::Name).ok()?
        }
        Table::MemberRef => {
            let class = metadata.token(field.row(), col::MemberRef::Class).ok()?;
            let owner = metadata.type_full_name(Token::new(Table::TypeDef, owner)).ok()?;
            (metadata.type_full_name(class).ok()? == owner).then_some(())?;
            metadata.string(field.row(), col::MemberRef::Name).ok()?
        }
        _ => return None,
    };
    Some(name.to_owned())
}
