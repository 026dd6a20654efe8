//! What a type extends.
//!
//! `ICorDebugType::GetBase` has the runtime's library copy all the metadata of each module on the way into this process, where it stays: 3 MB
//! for the core library. So `object`, which most types extend, is asked for by the runtime's own number of it, once. For a generic base
//! that does not do: the library of .NET 8 crashes at the number of one (`ObservableCollection<string>`).

use super::definition;
use crate::com::{self, Interface as _};
use crate::target::Target;

/// Types within types; real ones stay far below.
const DEPTH: usize = 32;

/// The type itself, then its bases.
pub fn chain(target: &Target, type_: &com::Type) -> Vec<com::Type> {
    let mut chain = vec![type_.clone()];
    while let Some(base) = chain.last().and_then(|last| base(target, last)) {
        if chain.len() >= DEPTH {
            break;
        }
        chain.push(base);
    }
    chain
}

pub fn base(target: &Target, type_: &com::Type) -> Option<com::Type> {
    let extends = definition(target, type_).map(|definition| definition.view().base());
    match extends {
        // an interface, or `object` itself
        Some(None) => None,
        Some(Some(base)) if base.full_name == "System.Object" => object(target, type_),
        _ => type_.base().ok(),
    }
}

fn object(target: &Target, extending: &com::Type) -> Option<com::Type> {
    if let Some(known) = target.object_type.get() {
        return Some(known.clone());
    }
    let object = by_number(target, extending).or_else(|_| extending.base()).ok()?;
    Some(target.object_type.get_or_init(|| object).clone())
}

/// The base, by the runtime's numbers of types.
fn by_number(target: &Target, type_: &com::Type) -> com::Result<com::Type> {
    let process: com::Process5 = target.process()?.cast()?;
    let number = type_.cast::<com::Type2>()?.id()?;
    process.type_of(process.type_layout(number)?.parent)
}
