//! What attributes say of the parts of a type that its signature does not: `?`, `dynamic`, and the names of tuple elements.
//!
//! The compiler numbers the parts (outermost first, arguments in order), each attribute in its own way.
//! `DynamicAttribute` has a flag for every part of the signature, by-refs and modifiers included; without an argument the type is
//! `dynamic` itself. `TupleElementNamesAttribute` has the names of a tuple before those of the tuples in it; the rest of a long tuple is
//! one more tuple, whose elements are named once more, by null.
//! <https://github.com/dotnet/roslyn/blob/main/src/Compilers/CSharp/Portable/Symbols/Metadata/PE/TupleTypeDecoder.cs>,
//! `DynamicTypeDecoder.cs` beside it.

use super::assembly::Assembly;
use super::attributes::AttributeValue;
use super::nullability::NullableFlags;
use super::schema::col;
use super::signatures::TypeSig;
use super::tokens::{FieldId, Token};

const DYNAMIC: &str = "System.Runtime.CompilerServices.DynamicAttribute";
const TUPLE_NAMES: &str = "System.Runtime.CompilerServices.TupleElementNamesAttribute";
/// Of each part of a type, the outermost first, arguments in order: whether it is `dynamic`. Empty where none is. A by-ref or modifiers
/// around the type are no parts of it, those within are.
pub type DynamicParts = Vec<bool>;

/// Bytes of an attribute; many rows may share one.
const MOST_BYTES: usize = 1 << 16;

/// Taken part by part, in the order in which a type is printed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Annotations {
    nullable: NullableFlags,
    dynamic: std::vec::IntoIter<bool>,
    tuple_names: std::vec::IntoIter<Option<String>>,
}

impl Annotations {
    pub(crate) fn of_declared(names: Vec<Option<String>>, dynamic: DynamicParts) -> Self {
        Self { tuple_names: names.into_iter(), dynamic: dynamic.into_iter(), ..Self::default() }
    }

    pub(crate) fn next_is_nullable(&mut self) -> bool {
        self.nullable.next_is_nullable()
    }

    pub(crate) fn next_is_dynamic(&mut self) -> bool {
        self.dynamic.next().unwrap_or(false)
    }

    /// The names of a tuple's elements; none where nothing names them.
    pub(crate) fn tuple_names(&mut self, count: usize) -> Vec<Option<String>> {
        self.tuple_names.by_ref().take(count).collect()
    }
}

impl Assembly {
    /// Those of `owner` for its type, which may be what a by-ref or modifiers lead to. `context` as for `nullable_flags`.
    pub(crate) fn annotations(&self, owner: Token, context: u8, type_: &TypeSig) -> Annotations {
        Annotations {
            nullable: self.nullable_flags(owner, context),
            dynamic: self.dynamic_parts(owner, type_).into_iter(),
            tuple_names: self.element_names(owner).into_iter(),
        }
    }

    /// The names of the tuple elements in the type of `owner`; none where nothing names them.
    pub fn element_names(&self, owner: Token) -> Vec<Option<String>> {
        let names = self.listed(owner, TUPLE_NAMES).flatten().unwrap_or_default().into_iter();
        let names = names.map(|name| match name {
            AttributeValue::String(name) => name,
            _ => None,
        });
        names.collect()
    }

    /// What is `dynamic` of the type of `owner`.
    pub fn dynamic_parts(&self, owner: impl Into<Token>, type_: &TypeSig) -> DynamicParts {
        let Some(flags) = self.listed(owner.into(), DYNAMIC) else { return DynamicParts::new() };
        let Some(flags) = flags else { return vec![true] };
        let mut dynamic: DynamicParts = flags.iter().map(|flag| *flag == AttributeValue::Bool(true)).collect();
        // By-ref and modifiers come first.
        dynamic.drain(..dynamic.len().saturating_sub(type_.referent().type_.parts()));
        dynamic
    }

    /// What is `dynamic` of the type of a field.
    pub(crate) fn field_dynamic_parts(&self, field: FieldId) -> DynamicParts {
        let signature = self.metadata.blob(field.row(), col::Field::Signature);
        let type_ = signature.and_then(|blob| self.metadata.decode_field(blob));
        type_.map(|type_| self.dynamic_parts(field, &type_)).unwrap_or_default()
    }

    /// The one argument of an attribute, an array; `Some(None)`: it has no argument.
    fn listed(&self, owner: Token, attribute: &str) -> Option<Option<Vec<AttributeValue>>> {
        let attribute = self.metadata.attribute(owner, attribute)?;
        if attribute.blob().ok()?.remaining() > MOST_BYTES {
            return None;
        }
        match attribute.arguments().ok()?.into_iter().next() {
            None => Some(None),
            Some(AttributeValue::Array(values)) => Some(Some(values.unwrap_or_default())),
            Some(_) => None,
        }
    }
}
