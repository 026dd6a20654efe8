//! Reads .NET assemblies (ECMA-335 metadata and IL) and Portable PDBs. Useful alone: it depends on no other crate of this workspace.
//!
//! ```no_run
//! # fn main() -> Result<(), clr_metadata::MetadataError> {
//! let assembly = clr_metadata::Assembly::open(std::path::Path::new("Shop.dll"))?;
//! for type_ in assembly.types() {
//!     println!("{}", type_.full_name());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Owns the bytes of the files it opens, as they were when opened. Knows nothing of debugging, of DAP, or of which modules a
//! program has loaded. All bytes are untrusted: every read is bounds-checked, every chain that could be cyclic is bounded, and
//! every count is checked against the data before memory is allocated for it.
//!
//! The race: a build may rewrite a file while it is read. So small files are read whole and checked by id (PDB against image);
//! a map of a file that shrinks would end the process (see `image`).
//!
//! From the bottom up: `bytes`, `image`; `pe`, `heaps`, `schema`, `tables`, `tokens`; `signatures`, `il`, `enums`, `attributes`;
//! `assembly` with its views `types`, `methods`, `exports`, `frames`, `stack_traces`, `source`, `variables`; `declarations` with `nullability` and `annotations`,
//! C# text of types and members; `patterns`, `name_hits`, `called`, `search`, `lookup`, `method_query`; `pdb`; `assembly_cache` and `stamp`; `universe` and `usages` over several assemblies.
//! `layout` computes a type's memory layout, `purity` which calls have no side effects. `names` reads no files.

mod annotations;
mod assembly;
mod attributes;
mod bytes;
mod called;
mod callee;
mod caught;
mod clauses;
mod declarations;
mod disassembly;
mod enum_text;
mod enums;
mod error;
mod exports;
mod frames;
mod first_writes;
mod function_entry;
mod generated;
mod guid;
mod heaps;
pub mod il;
mod image;
mod index;
mod assembly_cache;
mod layout;
mod lookup;
mod method_query;
mod methods;
mod name_hits;
pub mod names;
mod nullability;
mod patterns;
mod pdb;
mod pe;
mod purity;
mod receiver;
mod schema;
mod search;
mod signatures;
mod source;
mod stack_traces;
mod stamp;
mod suspended;
mod tables;
#[cfg(test)]
mod testing;
mod tokens;
mod type_names;
mod type_parameters;
mod types;
mod universe;
mod usages;
mod tuples;
mod variables;
mod verify;

pub use annotations::DynamicParts;
pub use assembly::Assembly;
pub use assembly_cache::AssemblyCache;
pub use attributes::{Attribute, AttributeArguments, AttributeValue};
pub use bytes::Reader;
pub use called::may_name;
pub use callee::Callee;
pub use declarations::{Declaration, MemberKind, NameStyle, Naming, TypeKind, operator_name};
pub use disassembly::{CodeLine, Disassembly};
pub use enum_text::names_of as enum_names;
pub use error::{Flaw, MetadataError};
pub use exports::{ExportPlace, ExportedType};
pub use first_writes::FirstWrites;
pub use function_entry::FunctionEntry;
pub use guid::guid_text;
pub use layout::{Layout, LayoutError, PlacedField, Placement};
pub use lookup::{Fit, TypeQuery};
pub use method_query::MethodQuery;
pub use methods::{MethodView, ParameterDirection, StateMachineKind};
pub use names::FrameName;
pub use patterns::{NamePattern, Rank};
pub use pdb::{
    AsyncInfo, AwaitPoint, ConstantVariable, Document, HashAlgorithm, Import, ImportScope, LocalPlace, LocalVariable,
    Pdb, PdbChecksum, PdbProblem, Scope, SequencePoint, SequencePoints, is_source_file,
};
pub use pe::CodeView;
pub use purity::{
    Content, ExactCall, Held, Impurity, Judged, Observer, Purity, comparer_fields, is_framework, is_framework_comparer,
    told_field,
};
pub use schema::{Column, Table, col};
pub use search::{Matches, Searched};
pub use signatures::{ArrayShape, MethodSig, ParameterNames, Primitive, TypeName, TypeSig};
pub use stack_traces::TracedMethod;
pub use tables::Metadata;
pub use tokens::{DocumentId, EventId, FieldId, MethodId, PropertyId, Token, TypeId};
pub use tuples::{DeclaredType, ElementNames};
pub use type_parameters::TypeParameter;
pub use types::{Event, Field, GetterKind, Property, TypeView};
pub use universe::{Base, Member, TypeUniverse};
pub use usages::{Access, AddressUse, Dispatch, LateUse, MemberName, Names, SymbolName, TypeKey, Usage};
pub use variables::{Closure, Variable, VariableKind, VariablePlace, VariableRoot};
