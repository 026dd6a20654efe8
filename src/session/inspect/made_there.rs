//! Lists what an adapter made of an expression, such as a sequence or a tuple.

use std::sync::Arc;

use super::made::{Made, Part, Shape};
use super::raw_value::RawValue;
use super::reader::Reader;

/// Parts that are listed of what an adapter made: a preview has no room for more.
const LISTED: u64 = 34;
/// Entries, each of which takes a listing of its own.
const ENTRIES: u64 = 10;
/// Levels of what is in it.
const DEPTH: u32 = 3;

/// What the adapter made of an expression, with its first parts.
pub(super) async fn listed(reader: &Reader, value: RawValue) -> RawValue {
    below(reader, value, DEPTH).await
}

async fn below(reader: &Reader, value: RawValue, depth: u32) -> RawValue {
    let Some((shape, count)) = value.made_there.filter(|_| depth > 0 && value.made.is_none()) else { return value };
    let mut children = Vec::new();
    if value.reference != 0 {
        let most = if shape == Shape::Entries { ENTRIES } else { LISTED };
        children = reader.children(value.reference, Some((0, most))).await.unwrap_or_default();
        children.truncate(most as usize);
    }
    let mut parts = Vec::new();
    for child in children {
        let child = Box::pin(below(reader, child, depth - 1)).await;
        match (&child.made, shape) {
            (Some(entry), Shape::Entries) => parts.extend(entry.parts.iter().cloned()),
            _ => {
                let load_path = child.path.clone().unwrap_or_default();
                parts.push(Part { name: child.name.clone(), value: child, load_path });
            }
        }
    }
    RawValue { made: Some(Arc::new(Made { shape, parts, count })), ..value }
}
