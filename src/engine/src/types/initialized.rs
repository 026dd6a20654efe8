//! Static initializers of types.

use clr_metadata::MethodId;

use super::Definition;
use crate::modules::Module;

/// Whether a static initializer has begun: nothing compiles it before.
pub fn has_begun(module: &Module, initializer: MethodId) -> bool {
    let function = module.function(initializer.token().0);
    function.is_ok_and(|function| function.native_code().is_ok())
}

/// The static initializer of a type.
pub fn initializer(definition: &Definition) -> Option<MethodId> {
    definition.view().methods().find(|&id| definition.assembly.method(id).name() == ".cctor")
}
