//! Which static initializers have begun, for whoever judges a call by its types alone.

use std::sync::Arc;

use clr_metadata::{Assembly, MethodId, Observer, TypeSig};

use crate::types::Type;
use crate::world::World;

pub(super) struct Begun<'w, W: World>(pub &'w mut W);

impl<W: World> Observer for Begun<'_, W> {
    fn has_begun(&mut self, assembly: &Arc<Assembly>, initializer: MethodId) -> bool {
        self.0.has_begun(assembly, initializer)
    }

    fn has_initialized(&mut self, type_: &TypeSig) -> bool {
        self.0.has_initialized(&Type::of(type_))
    }
}
