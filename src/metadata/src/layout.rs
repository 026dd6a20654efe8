//! Where the runtime puts the instance fields of a type, on a 64-bit machine.
//!
//! CoreCLR decides this when it loads a type (`src/coreclr/vm/methodtablebuilder.cpp`: `HandleSequentialLayout`, `HandleAutoLayout`,
//! `HandleExplicitLayout`; `src/coreclr/vm/classlayoutinfo.cpp`), nothing of it stands in the file. What is not settled by the file
//! alone is marked as estimated: open generic parameters, types that are not known here, and types the runtime treats by their name.
//! Compared with real objects of .NET 10 by `tests/real/layouts.rs`.

mod fixed_buffers;
mod placing;
mod reading;

use std::collections::HashMap;
use std::sync::Arc;

use super::assembly::Assembly;
use super::signatures::TypeName;
use super::tokens::TypeId;
use super::universe::TypeUniverse;
use reading::Reading;

/// Bytes of the pointer to the method table, at the beginning of every object.
pub const OBJECT_POINTER: u32 = 8;
/// An object's header lies before its address; with the pointer and alignment no object is smaller than this.
const LEAST_OBJECT: u32 = 24;

/// How fields were placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// References first, then by size: the default of classes, and what structs with references get.
    Auto,
    Sequential,
    Explicit,
}

/// The layout of an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub placement: Placement,
    pub is_value_type: bool,
    /// Of a struct: bytes of a value. Of a class: bytes on the heap, with header and method table, rounded up.
    pub size: u32,
    /// Bytes to which the type is aligned as a field.
    pub alignment: u32,
    /// In the order of their offsets; those of base classes too.
    pub fields: Vec<PlacedField>,
    /// Why the runtime may place fields differently.
    pub estimated: Vec<String>,
}

/// A field in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedField {
    /// From the beginning of the value; of an object, from its address, where the method table stands.
    pub offset: u32,
    /// Of all elements, where there are several.
    pub size: u32,
    /// How often an `[InlineArray]` has it.
    pub elements: Option<u32>,
    pub name: String,
    /// C# without namespaces.
    pub type_text: String,
    /// Full metadata name of the class that declares it.
    pub declaring_type: String,
}

/// Why a type has no layout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    #[error("an interface has no instance fields")]
    Interface,
    #[error("a static class has no instances")]
    Static,
    #[error("{0} contains itself, or structs are nested too deeply")]
    Circle(String),
    #[error("{0} exceeds the maximum size of a type")]
    TooLarge(String),
    #[error("no type {0} is known")]
    UnknownArgument(String),
    #[error("{0} is ambiguous: {list}", list = .1.join(", "))]
    AmbiguousArgument(String, Vec<String>),
    #[error("{0} has explicit layout but no offset for {1}")]
    NoOffset(String, String),
}

impl TypeUniverse {
    /// The layout of a type of this set; `name` has the generic arguments, whose namespaces may be missing.
    ///
    /// # Errors
    /// [`LayoutError`]
    pub fn layout(&self, assembly: &Arc<Assembly>, id: TypeId, name: &TypeName) -> Result<Layout, LayoutError> {
        let view = assembly.type_(id);
        if view.is_interface() {
            return Err(LayoutError::Interface);
        }
        if view.is_static() {
            return Err(LayoutError::Static);
        }
        let mut reading = Reading { universe: self, known: HashMap::new(), fields: 0, estimated: Vec::new() };
        let settled = name.arguments.iter().map(|argument| reading.settled(&view, assembly, argument));
        let arguments = settled.collect::<Result<_, _>>()?;
        let name = TypeName { full_name: view.full_name(), arguments, is_value_type: view.is_value_type() };
        let read = reading.type_(assembly, id, &name, 0)?;
        let (shift, size) = match read.is_value_type {
            true => (0, read.bytes),
            false => {
                let fields = read.bytes.next_multiple_of(OBJECT_POINTER);
                (OBJECT_POINTER, (fields + 2 * OBJECT_POINTER).max(LEAST_OBJECT))
            }
        };
        let mut fields = read.fields;
        fields.iter_mut().for_each(|field| field.offset += shift);
        fields.sort_by_key(|field| (field.offset, field.size));
        let mut estimated = reading.estimated;
        estimated.dedup();
        Ok(Layout {
            placement: read.placement,
            is_value_type: read.is_value_type,
            size,
            alignment: read.alignment,
            fields,
            estimated,
        })
    }
}
