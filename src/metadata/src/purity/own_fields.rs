//! Fields in which an object keeps what it made for itself: `readonly List<int> _items = new();`. Whoever made the object made that too.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Purity, Question, is_framework};
use crate::assembly::Assembly;
use crate::il::{Instruction, Operand, op};
use crate::schema::{Table, col};
use crate::signatures::TypeSig;
use crate::tokens::{FieldId, MethodId, Token, TypeId};

/// Flags of a field (ECMA-335 II.23.1.5).
const ACCESS: u32 = 7;
const PRIVATE: u32 = 1;

impl Question<'_> {
    /// Whether a private field of a class never holds anything but what code stores there that makes it for just that: nobody else has it.
    /// Nor has a copy of the object.
    pub(super) fn is_own_field(&mut self, assembly: &Arc<Assembly>, field: FieldId) -> bool {
        let Some(module) = assembly.mvid().filter(|_| !is_framework(assembly.path())) else { return false };
        if let Some(known) = self.purity.known_own_field((module, field)) {
            return known;
        }
        let is_own = self.keeps_what_it_makes(assembly, field).unwrap_or(false);
        self.purity.know_own_field((module, field), is_own);
        is_own
    }

    fn keeps_what_it_makes(&self, assembly: &Arc<Assembly>, field: FieldId) -> Option<bool> {
        let metadata = &assembly.metadata;
        let owner = TypeId(metadata.owner(col::TypeDef::FieldList, field.row())?);
        let is_private = metadata.cell(field.row(), col::Field::Flags).ok()? & ACCESS == PRIVATE;
        if !is_private || assembly.type_(owner).is_value_type() || may_copy(assembly) {
            return Some(false);
        }
        // only the class itself and what is nested in it see a private field
        let mut types = vec![owner];
        let mut at = 0;
        while let Some(&type_) = types.get(at) {
            types.extend(assembly.type_(type_).nested_types());
            at += 1;
        }
        let names = |token: Token| match token.table() {
            Some(Table::Field) => token.row() == field.row(),
            Some(Table::MemberRef) => {
                let name = metadata.string(field.row(), col::Field::Name).ok();
                let is_of_owner = || assembly.declaring_type_name(token) == Some(assembly.type_(owner).full_name());
                assembly.accessed_field(token) == name && is_of_owner()
            }
            _ => false,
        };
        for method in types.into_iter().flat_map(|type_| assembly.type_(type_).methods().collect::<Vec<_>>()) {
            if !self.stores_new_alone(assembly, method, &names) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether a method stores nothing in the field but what the instruction before made, and takes no address of it.
    fn stores_new_alone(&self, assembly: &Arc<Assembly>, method: MethodId, names: &dyn Fn(Token) -> bool) -> bool {
        let Ok(Some(body)) = assembly.body(method) else { return true };
        let code: Vec<Instruction<'_>> = body.instructions().map_while(Result::ok).collect();
        let mut targets = HashSet::new();
        for instruction in &code {
            match instruction.operand {
                Operand::Branch(target) => drop(targets.insert(target)),
                Operand::Switch(all) => targets.extend(all.iter()),
                _ => {}
            }
        }
        code.iter().enumerate().all(|(at, instruction)| {
            let (op::STFLD | op::LDFLDA, Operand::Token(token)) = (instruction.opcode, instruction.operand) else {
                return true;
            };
            if !names(token) {
                return true;
            }
            let before = at.checked_sub(1).and_then(|at| code.get(at));
            instruction.opcode == op::STFLD
                && !targets.contains(&instruction.offset)
                && before.is_some_and(|before| self.makes(assembly, before))
        })
    }

    /// Whether an instruction makes something that holds nothing of anybody else's: of numbers and texts alone.
    fn makes(&self, assembly: &Arc<Assembly>, instruction: &Instruction<'_>) -> bool {
        match (instruction.opcode, instruction.operand) {
            (op::NEWARR, _) => true,
            (op::NEWOBJ, Operand::Token(token)) => self.callee(assembly, token).is_some_and(|callee| {
                let mut parameters = callee.signature.parameters.iter();
                parameters.all(|it| matches!(it, TypeSig::Primitive(kind) if *kind != crate::Primitive::Object))
            }),
            _ => false,
        }
    }
}

/// Whether code of an assembly copies objects as they are, with all that their fields refer to.
fn may_copy(assembly: &Assembly) -> bool {
    let metadata = &assembly.metadata;
    metadata.rows(Table::MemberRef).any(|row| metadata.string(row, col::MemberRef::Name) == Ok("MemberwiseClone"))
}

impl Purity {
    fn known_own_field(&self, field: ([u8; 16], FieldId)) -> Option<bool> {
        self.own_fields.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get(&field).copied()
    }

    fn know_own_field(&self, field: ([u8; 16], FieldId), is_own: bool) {
        self.own_fields.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(field, is_own);
    }
}
