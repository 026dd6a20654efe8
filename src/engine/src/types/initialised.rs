//! Static initialisers of types.

use clr_metadata::MethodId;

use super::Definition;
use crate::modules::Module;

/// Whether a static initialiser has begun: nothing compiles it before.
pub fn has_begun(module: &Module, initialiser: MethodId) -> bool {
    let function = module.function(initialiser.token().0);
    function.is_ok_and(|function| function.native_code().is_ok())
}

/// The static initialiser of a type.
pub fn initialiser(definition: &Definition) -> Option<MethodId> {
    definition.view().methods().find(|&id| definition.assembly.method(id).name() == ".cctor")
}
