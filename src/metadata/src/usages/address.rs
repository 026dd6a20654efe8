//! What becomes of a field's address: the stack is followed from where it is pushed to the instruction that takes it.

use crate::assembly::Assembly;
use crate::il::{Instruction, MethodBody, Operand, op};
use crate::schema::{Table, col};
use crate::signatures::{Decoder, MethodSig, TypeSig};
use crate::tokens::{MethodId, Token};

/// What an address is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressUse {
    /// Looked through: a member of the struct in the field, or the value itself.
    Read,
    /// Stored to.
    Write,
    /// Read and stored to: `point.X += 1`.
    Compound,
    /// Handed to an `out` parameter of this assembly.
    Out,
    /// Handed to an `in` parameter of this assembly.
    In,
    /// Handed to a parameter, whose kind (`ref`, `out`, `in`) another assembly knows.
    Argument,
    /// Not followed: the code branches before it is used.
    Unknown,
}

/// Values that an instruction takes off the stack, and puts there.
pub(super) struct Effect {
    pub(super) pops: u32,
    pub(super) pushes: u32,
}

impl Assembly {
    pub(super) fn address_use(&self, body: &MethodBody<'_>, taken: &Instruction<'_>) -> AddressUse {
        let instructions = body.instructions().map_while(Result::ok);
        let behind = instructions.skip_while(|it| it.offset <= taken.offset);
        // How many values lie above the address.
        let mut above = 0u32;
        let mut is_copied = false;
        for instruction in behind {
            if instruction.opcode == op::DUP && above == 0 {
                is_copied = true;
                above = 1;
                continue;
            }
            let Some(effect) = self.effect(&instruction) else {
                return AddressUse::Unknown;
            };
            if effect.pops > above {
                let used = self.consumed(&instruction, effect.pops - above - 1);
                match used {
                    // The copy was read, the address itself is still there.
                    AddressUse::Write if is_copied => return AddressUse::Compound,
                    other => return other,
                }
            }
            let is_load = matches!(instruction.opcode, 0x46..=0x50 | op::LDOBJ);
            if is_copied && above == 1 && effect.pops == 1 && !is_load {
                // A member of it is read through the copy, and written through the address: that is the member's affair.
                return AddressUse::Read;
            }
            above = above - effect.pops + effect.pushes;
        }
        AddressUse::Unknown
    }

    /// `depth` of the values that the instruction takes lie below the address.
    fn consumed(&self, instruction: &Instruction<'_>, depth: u32) -> AddressUse {
        match (instruction.opcode, instruction.operand) {
            (0x51..=0x57 | 0xdf | op::STOBJ | op::INITOBJ, _) => AddressUse::Write,
            (op::CALL | op::CALLVIRT | op::NEWOBJ, Operand::Token(token)) => self.argument(token, depth, instruction),
            _ => AddressUse::Read,
        }
    }

    fn argument(&self, callee: Token, position: u32, call: &Instruction<'_>) -> AddressUse {
        const IN: u32 = 1;
        const OUT: u32 = 2;
        let Some(signature) = self.callee_signature(callee) else {
            return AddressUse::Unknown;
        };
        let has_receiver = signature.has_this && call.opcode != op::NEWOBJ;
        let Some(position) = position.checked_sub(u32::from(has_receiver)) else {
            return AddressUse::Read;
        };
        if !signature.parameters.get(position as usize).is_some_and(is_by_ref) {
            return AddressUse::Read;
        }
        let callee = match callee.row_of(Table::MethodSpec) {
            Some(row) => self.metadata.token(row, col::MethodSpec::Method).unwrap_or(callee),
            None => callee,
        };
        let Some(method) = MethodId::from_token(callee) else {
            return AddressUse::Argument;
        };
        let mut parameters = self.metadata.list(method.row(), col::MethodDef::ParamList);
        let own = parameters.find(|&row| self.metadata.cell(row, col::Param::Sequence) == Ok(position + 1));
        match own.and_then(|row| self.metadata.cell(row, col::Param::Flags).ok()).unwrap_or(0) & (IN | OUT) {
            OUT => AddressUse::Out,
            IN => AddressUse::In,
            _ => AddressUse::Argument,
        }
    }

    /// The signature of the method that the token of a call names, in terms of its definition's generic parameters.
    pub fn callee_signature(&self, callee: Token) -> Option<MethodSig> {
        let metadata = &self.metadata;
        let row = callee.row();
        let blob = match callee.table()? {
            Table::MethodSpec => {
                let method = metadata.token(row, col::MethodSpec::Method).ok()?;
                // Its column points to a MethodDef or MemberRef only: this goes one level deep.
                return self.callee_signature(method);
            }
            Table::MethodDef => metadata.blob(row, col::MethodDef::Signature),
            Table::MemberRef => metadata.blob(row, col::MemberRef::Signature),
            Table::StandAloneSig => metadata.blob(row, col::StandAloneSig::Signature),
            _ => return None,
        };
        Decoder::new(metadata).method(blob.ok()?).ok()
    }

    /// ECMA-335 III, the stack transition of each instruction; `None` where control leaves the straight line.
    pub(super) fn effect(&self, instruction: &Instruction<'_>) -> Option<Effect> {
        let (pops, pushes) = match instruction.opcode {
            0x00 | 0x01 | 0xfe12..=0xfe14 | 0xfe16 | 0xfe19 | 0xfe1e => (0, 0),
            0x02..=0x09 | 0x0e | 0x0f | 0x11 | 0x12 | 0x14..=0x23 => (0, 1),
            0x72 | op::LDSFLD | op::LDSFLDA | op::LDTOKEN => (0, 1),
            0xfe00 | op::LDFTN | 0xfe09 | 0xfe0a | 0xfe0c | 0xfe0d | 0xfe1c => (0, 1),
            0x0a..=0x0d | 0x10 | 0x13 | 0x26 | op::STSFLD | 0xfe0b | 0xfe0e | op::INITOBJ => (1, 0),
            op::DUP => (1, 2),
            0x46..=0x50 | 0x65..=0x6e | op::LDOBJ | 0x74..=0x76 | 0x79 | op::LDFLD | op::LDFLDA => (1, 1),
            0x82..=0x8e | 0xa5 | 0xb3..=0xba | 0xc2 | 0xc3 | 0xc6 | 0xd1..=0xd5 | 0xe0 => (1, 1),
            op::LDVIRTFTN | 0xfe0f | 0xfe1d => (1, 1),
            0x51..=0x57 | 0xdf | 0x70 | op::STFLD | op::STOBJ => (2, 0),
            0x58..=0x64 | 0x8f | 0x90..=0x9a | 0xa3 | 0xd6..=0xdb | 0xfe01..=0xfe05 => (2, 1),
            0x9b..=0xa2 | 0xa4 | 0xfe17 | 0xfe18 => (3, 0),
            op::CALL | op::CALLVIRT | op::NEWOBJ | op::CALLI => return self.effect_of_call(instruction),
            _ => return None,
        };
        Some(Effect { pops, pushes })
    }

    fn effect_of_call(&self, instruction: &Instruction<'_>) -> Option<Effect> {
        let Operand::Token(callee) = instruction.operand else {
            return None;
        };
        let signature = self.callee_signature(callee)?;
        let arguments = signature.parameters.len() as u32;
        let receiver = u32::from(signature.has_this && !signature.explicit_this);
        let returns = u32::from(!is_void(&signature.return_type));
        Some(match instruction.opcode {
            op::NEWOBJ => Effect { pops: arguments, pushes: 1 },
            // The pointer to the function lies on top.
            op::CALLI => Effect { pops: arguments + receiver + 1, pushes: returns },
            _ => Effect { pops: arguments + receiver, pushes: returns },
        })
    }
}

fn is_by_ref(parameter: &TypeSig) -> bool {
    match parameter {
        TypeSig::ByRef(_) => true,
        TypeSig::Modified { inner, .. } => is_by_ref(inner),
        _ => false,
    }
}

fn is_void(returned: &TypeSig) -> bool {
    match returned {
        TypeSig::Modified { inner, .. } => is_void(inner),
        other => *other == TypeSig::Primitive(crate::Primitive::Void),
    }
}
