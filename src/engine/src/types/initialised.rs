//! Whether the static fields of a type have the values that its initialiser gives them.

use clr_metadata::{MethodId, TypeId};

use super::{Definition, definition};
use crate::com;
use crate::target::Target;

/// The same of the initialiser of the module that a type is in, which runs before any other code of it.
pub fn is_module_initialised(target: &Target, type_: &com::Type) -> bool {
    const MODULE: TypeId = TypeId(1);
    let Some(definition) = definition(target, type_) else { return true };
    let assembly = &definition.assembly;
    let mut methods = assembly.type_(MODULE).methods();
    let Some(initialiser) = methods.find(|&id| assembly.method(id).name() == ".cctor") else { return true };
    let function = definition.module.function(initialiser.token().0);
    function.is_ok_and(|function| function.native_code().is_ok())
}

/// The static initialiser of a type.
pub fn initialiser(definition: &Definition) -> Option<MethodId> {
    definition.view().methods().find(|&id| definition.assembly.method(id).name() == ".cctor")
}

/// Whether the static initialiser of a type has begun: nothing compiles it before. A type without one has nothing to wait for.
pub fn is_initialised(target: &Target, type_: &com::Type) -> bool {
    let Some(definition) = definition(target, type_) else { return true };
    let Some(initialiser) = initialiser(&definition) else { return true };
    let function = definition.module.function(initialiser.token().0);
    function.is_ok_and(|function| function.native_code().is_ok())
}
