//! Whether the static fields of a type have the values that its initialiser gives them.

use clr_metadata::MethodId;

use super::{Definition, definition};
use crate::com;
use crate::modules::Module;
use crate::target::Target;

/// Whether a static initialiser has begun: nothing compiles it before.
pub fn has_begun(module: &Module, initialiser: MethodId) -> bool {
    let function = module.function(initialiser.token().0);
    function.is_ok_and(|function| function.native_code().is_ok())
}

/// The static initialiser of a type.
pub fn initialiser(definition: &Definition) -> Option<MethodId> {
    definition.view().methods().find(|&id| definition.assembly.method(id).name() == ".cctor")
}

/// Whether the static initialiser of a type has begun. A type without one has nothing to wait for.
pub fn is_initialised(target: &Target, type_: &com::Type) -> bool {
    let Some(definition) = definition(target, type_) else { return true };
    initialiser(&definition).is_none_or(|initialiser| has_begun(&definition.module, initialiser))
}
