//! Where code uses a definition: all IL of an assembly, looked through once.
//!
//! Another assembly names a definition by a row of its own (TypeRef, MemberRef, MethodSpec, TypeSpec). So a question is first
//! turned into the few tokens by which *this* assembly can name it (`names`); an assembly without one is not scanned at all, and the
//! scan compares numbers only, in those bodies whose bytes hold one. Knows no sources: lines come from the PDB, what a use looks
//! like there from whoever reads the text.

mod address;
mod bodies;
mod dispatch;
mod filter;
mod late;
mod names;
mod references;
mod symbol;

pub use address::AddressUse;
pub(crate) use bodies::Bodies;
pub use dispatch::Dispatch;
pub use late::LateUse;
pub use names::Names;
pub use symbol::{MemberName, SymbolName, TypeKey};

use super::assembly::Assembly;
use super::il::{Instruction, MethodBody, Operand, op};
use super::tokens::{MethodId, Token};

/// One instruction that names a wanted definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// The method as compiled: a `MoveNext`, a lambda in its closure, …
    pub method: MethodId,
    pub il_offset: u32,
    /// As the instruction names it.
    pub token: Token,
    /// Which of the wanted names, by position.
    pub wanted: usize,
    pub access: Access,
}

/// What the instruction does with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    /// A field's address is taken; what for.
    Address(AddressUse),
    Call,
    /// A method becomes a delegate or function pointer.
    Delegate,
    New,
    /// `ldtoken`: `typeof`, expression trees.
    Token,
    /// A type is tested for, cast to, boxed, or the element of a new array.
    Cast,
}

impl Assembly {
    /// Calls `found` with every instruction that names one of `names`, method by method in file order; allocates nothing per instruction.
    /// A method whose code is damaged is searched up to the damage.
    pub fn each_usage(&self, names: &Names<'_>, mut found: impl FnMut(Usage)) {
        if names.is_empty() {
            return;
        }
        for method in names.filter().methods(self) {
            let Ok(Some(body)) = self.body(method) else {
                continue;
            };
            for instruction in body.instructions().map_while(Result::ok) {
                let Operand::Token(token) = instruction.operand else {
                    continue;
                };
                if let Some((wanted, name)) = names.find(token) {
                    let access = self.access(&body, (method, &instruction), name);
                    found(Usage { method, il_offset: instruction.offset, token, wanted, access });
                }
            }
        }
    }

    fn access(&self, body: &MethodBody<'_>, at: (MethodId, &Instruction<'_>), wanted: &SymbolName) -> Access {
        let (method, instruction) = at;
        match instruction.opcode {
            op::LDFLD | op::LDSFLD => Access::Read,
            op::STFLD | op::STSFLD => Access::Write,
            op::LDFLDA | op::LDSFLDA => Access::Address(self.address_use(body, instruction)),
            op::NEWOBJ => Access::New,
            // A struct is made in place, by `call` of its constructor; so is the rest of an object, in another constructor.
            op::CALL if wanted.is_constructor() && self.method(method).name() != ".ctor" => Access::New,
            op::LDFTN | op::LDVIRTFTN => Access::Delegate,
            op::LDTOKEN => Access::Token,
            op::CALL | op::CALLVIRT | op::JMP => Access::Call,
            _ => Access::Cast,
        }
    }
}
