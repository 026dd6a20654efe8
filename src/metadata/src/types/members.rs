//! Fields and properties, in the order of their declaration.

use super::TypeView;
use super::getters::loaded_field;
use crate::attributes::AttributeValue;
use crate::error::Flaw;
use crate::names::{FieldOrigin, field_origin};
use crate::schema::col;
use crate::signatures::{Decoder, ParameterNames, TypeSig};
use crate::tokens::{FieldId, MethodId, PropertyId, Token};

#[derive(Debug, Clone)]
pub struct Field {
    pub id: FieldId,
    /// As in metadata: `_lines`, `<Id>k__BackingField`.
    pub name: String,
    pub is_static: bool,
    /// A `const`: it has a value, no storage.
    pub is_literal: bool,
    /// `readonly`.
    pub is_init_only: bool,
    pub type_: TypeSig,
    /// C# without namespaces, with the type's own parameter names.
    pub type_text: String,
    /// The auto-property that it stores.
    pub backing_of: Option<String>,
    /// `[DebuggerBrowsable(Never)]`, but not the field of an event, which the compiler marks so: there is no other way to it.
    pub is_hidden: bool,
    /// Flags of ECMA-335 II.23.1.5; the low three bits are the accessibility.
    pub flags: u32,
}

#[derive(Debug, Clone)]
pub struct Property {
    pub id: PropertyId,
    /// Explicit implementations carry the interface: `System.Collections.IList.Item`.
    pub name: String,
    pub is_static: bool,
    pub is_indexer: bool,
    pub getter: Option<MethodId>,
    pub setter: Option<MethodId>,
    pub access: GetterKind,
    pub type_: TypeSig,
    /// C# without namespaces, with the type's own parameter names.
    pub type_text: String,
    /// `[DebuggerBrowsable(Never)]`.
    pub is_hidden: bool,
}

/// What reading a property does. Only a field that is loaded and returned can be read in its place, without running code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GetterKind {
    /// An auto-property; `field` is its backing field.
    Auto { field: String },
    /// `=> _field`, and nothing else.
    LoadsField { field: String },
    /// Runs code, or might in a derived type (abstract).
    Computed,
    /// There is no getter.
    None,
}

impl GetterKind {
    /// The field that holds the value.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Auto { field } | Self::LoadsField { field } => Some(field),
            Self::Computed | Self::None => None,
        }
    }
}

const STATIC: u32 = 0x10;
const INIT_ONLY: u32 = 0x20;
const LITERAL: u32 = 0x40;
const SETTER: u32 = 1;
const GETTER: u32 = 2;

impl TypeView<'_> {
    /// Its own fields, not those of its bases.
    pub fn fields(&self) -> Vec<Field> {
        let names = self.parameter_names(None);
        let ids = self.field_ids();
        ids.filter_map(|id| self.try_field(id, &names).ok()).collect()
    }

    pub(crate) fn try_field(&self, id: FieldId, names: &ParameterNames) -> Result<Field, Flaw> {
        let metadata = &self.assembly.metadata;
        let flags = metadata.cell(id.row(), col::Field::Flags)?;
        let name = metadata.string(id.row(), col::Field::Name)?;
        let signature = metadata.blob(id.row(), col::Field::Signature)?;
        let in_row = |flaw: Flaw| flaw.in_row(crate::Table::Field, id.row());
        let type_ = Decoder::new(metadata).field(signature).map_err(in_row)?;
        Ok(Field {
            id,
            name: name.to_owned(),
            is_static: flags & STATIC != 0,
            is_literal: flags & LITERAL != 0,
            is_init_only: flags & INIT_ONLY != 0,
            type_text: type_.short_with(names),
            type_,
            backing_of: match field_origin(name) {
                FieldOrigin::BackingOf(property) => Some(property.to_owned()),
                _ => None,
            },
            is_hidden: self.is_never_browsed(id.token()) && !self.has_event(name),
            flags,
        })
    }

    pub fn property_ids(&self) -> Vec<PropertyId> {
        let metadata = &self.assembly.metadata;
        let maps = metadata.rows_of(col::PropertyMap::Parent, self.id().token());
        maps.flat_map(|map| metadata.list(map, col::PropertyMap::PropertyList)).map(PropertyId).collect()
    }

    /// Its own properties, not those of its bases.
    pub fn properties(&self) -> Vec<Property> {
        let names = self.parameter_names(None);
        let ids = self.property_ids().into_iter();
        ids.filter_map(|id| self.try_property(id, &names).ok()).collect()
    }

    pub(crate) fn try_property(&self, id: PropertyId, names: &ParameterNames) -> Result<Property, Flaw> {
        let metadata = &self.assembly.metadata;
        let signature = metadata.blob(id.row(), col::Property::Type)?;
        let in_row = |flaw: Flaw| flaw.in_row(crate::Table::Property, id.row());
        let signature = Decoder::new(metadata).method(signature).map_err(in_row)?;
        let (mut getter, mut setter) = (None, None);
        for row in metadata.rows_of(col::MethodSemantics::Association, id.token()) {
            let method = MethodId(metadata.cell(row, col::MethodSemantics::Method)?);
            match metadata.cell(row, col::MethodSemantics::Semantics)? {
                GETTER => getter = Some(method),
                SETTER => setter = Some(method),
                _ => {}
            }
        }
        let type_ = signature.return_type;
        Ok(Property {
            id,
            name: metadata.string(id.row(), col::Property::Name)?.to_owned(),
            is_static: !signature.has_this,
            is_indexer: !signature.parameters.is_empty(),
            getter,
            setter,
            access: self.access(getter),
            type_text: type_.short_with(names),
            type_,
            is_hidden: self.is_never_browsed(id.token()),
        })
    }

    fn access(&self, getter: Option<MethodId>) -> GetterKind {
        let Some(getter) = getter else {
            return GetterKind::None;
        };
        let Some(field) = loaded_field(self.assembly, getter) else {
            return GetterKind::Computed;
        };
        match field_origin(&field) {
            FieldOrigin::BackingOf(_) => GetterKind::Auto { field },
            _ => GetterKind::LoadsField { field },
        }
    }

    /// The template of `[DebuggerDisplay("…")]` on the type itself.
    pub fn debugger_display(&self) -> Option<String> {
        let attribute =
            self.assembly.metadata.attribute(self.id().token(), "System.Diagnostics.DebuggerDisplayAttribute")?;
        match attribute.arguments().ok()?.into_iter().next()? {
            AttributeValue::String(template) => template,
            _ => None,
        }
    }

    fn is_never_browsed(&self, member: Token) -> bool {
        let attribute = self.assembly.metadata.attribute(member, "System.Diagnostics.DebuggerBrowsableAttribute");
        attribute.is_some_and(|attribute| attribute.int_argument(0) == Some(0))
    }
}
