//! Static fields of which each thread has one of its own.

use clr_metadata::FieldId;

use crate::com;
use crate::stopped::Stopped;
use crate::types;

/// Of a field that each thread has.
pub const OF_THREADS: &str = "System.ThreadStaticAttribute";

/// Whether each thread has one of its own.
pub(super) fn is_of_threads(stopped: &Stopped, type_: &com::Type, field: FieldId) -> bool {
    let definition = types::definition(stopped.target(), type_);
    definition.is_some_and(|it| it.assembly.metadata().attribute(field, OF_THREADS).is_some())
}

/// Whether it is one of those that each thread has, of a generic type whose code is compiled once for all arguments that are references:
/// the runtime's debugging library reads that of the code's own type then, in which nothing is ever stored.
pub fn is_misread(stopped: &Stopped, type_: &com::Type, field: FieldId) -> bool {
    types::shares_code(type_) && is_of_threads(stopped, type_, field)
}
