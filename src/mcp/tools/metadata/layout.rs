//! layout_get.

use super::members::find;
use super::scope::{Asked, Folders, module_name};
use crate::answers::report::{LayoutReport, Slot};
use crate::session::SessionError;
use clr_metadata::{Layout, LayoutError, Placement, TypeSig};

/// Fields of one answer.
const MOST: usize = 500;

/// The pointer to the method table, which every object begins with.
const HEAD: u32 = 8;

pub(super) fn layout(asked: Asked, type_name: &str) -> Result<LayoutReport, SessionError> {
    let chosen = asked.open(Folders::Refused)?;
    let found = find(&chosen, type_name)?;
    let view = found.assembly.type_(found.id);
    let layout = chosen.surroundings().layout(&found.assembly, found.id, &found.name).map_err(|error| {
        let message = format!("{} has no layout: {error}", view.source_name());
        let hint = match error {
            LayoutError::UnknownArgument(_) => "modules_search finds types by part of a name",
            LayoutError::AmbiguousArgument(..) => "pass the full name of the type argument",
            _ => "pass a class or a struct; members_get shows what other types have",
        };
        SessionError::argument("type", message, hint)
    })?;
    let mut name = found.name;
    name.full_name = view.full_name();
    let type_name = match name.arguments.is_empty() {
        true => view.source_name(),
        false => TypeSig::Named(name).to_string(),
    };
    let slots = slots(&layout, &view.full_name());
    let padding = slots.iter().filter(|slot| slot.name.is_none()).map(|slot| slot.size).sum();
    let mut report = LayoutReport {
        type_name,
        module: module_name(&found.assembly),
        kind: view.kind().keyword().into(),
        placement: match layout.placement {
            Placement::Auto => "auto",
            Placement::Sequential => "sequential",
            Placement::Explicit => "explicit",
        }
        .into(),
        size: layout.size,
        alignment: layout.is_value_type.then_some(layout.alignment),
        padding: Some(padding).filter(|padding| *padding > 0),
        more_fields: slots.len().checked_sub(MOST).filter(|more| *more > 0),
        slots,
        estimated: layout.estimated,
    };
    report.slots.truncate(MOST);
    Ok(report)
}

/// Fields, and between them what nobody uses.
fn slots(layout: &Layout, own_name: &str) -> Vec<Slot> {
    let (mut end, whole) = match layout.is_value_type {
        true => (0, layout.size),
        // The header of the object, before its address, counts for the size.
        false => (HEAD, layout.size.saturating_sub(HEAD)),
    };
    let mut slots = Vec::with_capacity(layout.fields.len());
    let gap = |from: u32, to: u32| (to > from).then(|| Slot { offset: from, size: to - from, ..Slot::default() });
    for field in &layout.fields {
        slots.extend(gap(end, field.offset));
        slots.push(Slot {
            offset: field.offset,
            size: field.size,
            element_count: field.elements,
            name: Some(field.name.clone()),
            type_name: Some(field.type_text.clone()),
            declared_by: Some(&field.declaring_type)
                .filter(|name| *name != own_name)
                .map(|name| name.replace('+', ".")),
        });
        end = end.max(field.offset + field.size);
    }
    slots.extend(gap(end, whole));
    slots
}
