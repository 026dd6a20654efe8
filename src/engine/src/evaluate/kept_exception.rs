//! The exception of a `catch` block that awaits. The runtime's handler has ended by then: the compiler's only keeps the exception in a
//! field of the state machine, and the block is code behind it, at whose end the field is cleared.

use clr_metadata::il::{Operand, RegionKind, op};
use clr_metadata::names::{FieldOrigin, field_origin};
use clr_metadata::{Assembly, FieldId, MethodId, TypeId, col};

use crate::exceptions;
use crate::modules::Module;
use crate::stopped::Stopped;
use crate::values::{Place, Step};

/// Where the innermost block has it that stands around an IL offset of a method; `machine`: that of its activation.
pub(super) fn kept_exception(
    stopped: &Stopped,
    module: &Module,
    at: (MethodId, u32),
    machine: &Place,
) -> Option<Place> {
    module.symbols().filter(|_| module.is_user())?.async_info(at.0)?;
    let assembly = module.assembly()?;
    let holds_one = |field: FieldId| {
        let owner = assembly.metadata().owner(col::TypeDef::FieldList, field.row())?;
        let class = module.class(TypeId(owner)).ok()?;
        let place = machine.clone().then(Step::Field { class, field });
        place.read(stopped).is_ok_and(|value| exceptions::is_exception(&value)).then_some(place)
    };
    // an inner block's handler is within the code of the outer block, behind the outer one's
    keepers(assembly, at)?.into_iter().rev().find_map(holds_one)
}

/// The fields that handlers before a place keep exceptions in, by their order in the code.
fn keepers(assembly: &Assembly, (method, offset): (MethodId, u32)) -> Option<Vec<FieldId>> {
    let body = assembly.method(method).body()?;
    let before = body.regions.iter().filter(|region| region.handler_end <= offset);
    let mut handlers: Vec<(u32, u32)> = before
        .filter_map(|region| match region.kind {
            RegionKind::Catch(_) => Some((region.handler_start, region.handler_end)),
            // it keeps the exception for what is asked
            RegionKind::Filter(start) => Some((start, region.handler_end)),
            RegionKind::Finally | RegionKind::Fault => None,
        })
        .collect();
    handlers.sort_unstable();
    let fields = assembly.method(method).declaring_type()?.fields();
    let mut found = Vec::new();
    for it in body.instructions().map_while(Result::ok) {
        let Operand::Token(token) = it.operand else { continue };
        if it.opcode == op::STFLD
            && handlers.iter().any(|(start, end)| (*start..*end).contains(&it.offset))
            && let Some(name) = assembly.accessed_field(token).filter(|it| field_origin(it) == FieldOrigin::Generated)
            && let Some(field) = fields.iter().find(|field| field.name == name)
        {
            found.push(field.id);
        }
    }
    Some(found)
}
