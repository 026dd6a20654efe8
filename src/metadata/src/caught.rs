//! The variable of a `catch` at the clause itself, where a step over what threw ends: the code that stores the exception in it is still
//! to run, and it would be read as null.

use super::assembly::Assembly;
use super::il::{Instruction, Operand, RegionKind, op};
use super::pdb::LocalPlace;
use super::tokens::MethodId;
use super::variables::VariableRoot;

impl LocalPlace {
    /// The variable that the handler at whose begin this IL offset is stores the exception in.
    #[must_use]
    pub fn caught_at(assembly: &Assembly, (method, offset): (MethodId, u32)) -> Option<Self> {
        let body = assembly.method(method).body()?;
        let begins = |kind: RegionKind| matches!(kind, RegionKind::Catch(_) | RegionKind::Filter(_));
        body.regions.iter().find(|region| region.handler_start == offset && begins(region.kind))?;
        let code = body.instructions().map_while(Result::ok).skip_while(|it| it.offset < offset);
        let mut code = code.filter(|it| it.opcode != op::NOP);
        let slot = stored_slot(&code.next()?)?;
        // a machine's variables are fields
        let mut moved = || match (code.next()?.opcode, code.next()?.opcode, code.next()?) {
            (op::LDARG_0, op::LDLOC_0..=op::LDLOC_3 | op::LDLOC_S | op::LDLOC, store) if store.opcode == op::STFLD => {
                let Operand::Token(token) = store.operand else { return None };
                assembly.accessed_field(token).map(str::to_owned)
            }
            _ => None,
        };
        Some(moved().map_or(Self::Slot(slot), Self::Field))
    }

    /// Whether that is a variable, by its root and the name of the field that it is in, if it is in one.
    #[must_use]
    pub fn is(&self, root: VariableRoot, field: Option<&str>) -> bool {
        match self {
            Self::Slot(slot) => root == VariableRoot::Slot(*slot) && field.is_none(),
            Self::Field(name) => root == VariableRoot::Argument(0) && field == Some(name),
        }
    }
}

fn stored_slot(it: &Instruction<'_>) -> Option<u16> {
    match (it.opcode, &it.operand) {
        (opcode @ op::STLOC_0..=op::STLOC_3, _) => Some(opcode - op::STLOC_0),
        (op::STLOC_S | op::STLOC, Operand::Variable(slot)) => Some(*slot),
        _ => None,
    }
}
