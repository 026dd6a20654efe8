//! Which fields a type has, and which of them stand for what the source wrote.

use std::cell::OnceCell;

use clr_metadata::names::{FieldOrigin, field_origin};
use clr_metadata::{FieldId, GetterKind};

use crate::types::Definition;

/// A field as the source sees it.
pub struct Member {
    pub id: FieldId,
    /// In the source: of an auto-property its name, of a captured parameter the parameter's.
    pub name: String,
    pub is_static: bool,
    pub is_literal: bool,
    pub is_property: bool,
}

const STATIC: u32 = 0x10;
const LITERAL: u32 = 0x40;

fn raw_fields(definition: &Definition) -> impl Iterator<Item = (FieldId, &str, u32)> {
    use clr_metadata::col;
    let metadata = definition.assembly.metadata();
    let ids = definition.view().field_ids();
    ids.filter_map(move |id| {
        let name = metadata.string(id.row(), col::Field::Name).ok()?;
        Some((id, name, metadata.cell(id.row(), col::Field::Flags).ok()?))
    })
}

/// By its name in metadata or in the source.
pub fn field_named(definition: &Definition, name: &str) -> Option<FieldId> {
    let found = raw_fields(definition).find(|(_, raw, _)| *raw == name);
    found.map(|(id, ..)| id).or_else(|| {
        let is_source = |raw: &str| match field_origin(raw) {
            FieldOrigin::BackingOf(property) => property == name,
            FieldOrigin::PrimaryParameter(parameter) => parameter == name,
            _ => false,
        };
        raw_fields(definition).find(|(_, raw, _)| is_source(raw)).map(|(id, ..)| id)
    })
}

/// Where an iterator keeps a parameter for its next enumeration: until that begins, the field with the parameter's own name has nothing.
pub fn kept_parameter(definition: &Definition, name: &str) -> Option<FieldId> {
    raw_fields(definition).find(|(_, raw, _)| raw.strip_prefix("<>3__") == Some(name)).map(|(id, ..)| id)
}

/// Those that each instance has, as they are in metadata.
pub fn instance_fields(definition: &Definition) -> Vec<FieldId> {
    raw_fields(definition).filter(|(.., flags)| flags & STATIC == 0).map(|(id, ..)| id).collect()
}

/// Properties whose getters do more than load a field.
fn computed_properties(definition: &Definition) -> Vec<String> {
    let properties = definition.view().properties().into_iter();
    properties.filter(|property| property.access == GetterKind::Computed).map(|property| property.name).collect()
}

/// What the source declared, in its order; the compiler's own are left out.
pub fn members(definition: &Definition) -> Vec<Member> {
    let computed = OnceCell::new();
    let is_computed = |name: &str| computed.get_or_init(|| computed_properties(definition)).iter().any(|it| it == name);
    let member = |(id, raw, flags): (FieldId, &str, u32)| {
        let (name, is_property) = match field_origin(raw) {
            FieldOrigin::Plain(name) => (name, false),
            FieldOrigin::PrimaryParameter(name) => (name, false),
            // `get => field ??= []`: what it holds is not what the property gives
            FieldOrigin::BackingOf(name) if is_computed(name) => (raw, false),
            FieldOrigin::BackingOf(name) => (name, true),
            _ => return None,
        };
        Some(Member {
            id,
            name: name.to_owned(),
            is_static: flags & STATIC != 0,
            is_literal: flags & LITERAL != 0,
            is_property,
        })
    };
    raw_fields(definition).filter_map(member).collect()
}
