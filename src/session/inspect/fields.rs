//! Fields of a value by their names, where one table names them for many types: `_dateTime._dateData`.

use futures::future::{BoxFuture, FutureExt, join_all};

use super::access::Access;
use super::backing::Backing;
use super::field_values::{Field, Fields, Spec};
use super::literal::Raw;
use super::raw_value::RawValue;
use super::reader::Reader;
use crate::session::expression::join;

/// Elements that are read of an array field.
const ELEMENTS: u64 = 200;

/// Reads what `specs` name of `value`, an object at `path`; what is not there is `None`.
pub async fn read(reader: &Reader, value: &RawValue, path: &str, specs: &[Spec]) -> Fields {
    // the adapter's listing is one request for all fields, where it runs nothing
    let own = specs.iter().filter(|spec| !spec.contains(['(', '!'])).count();
    let listed = if own > 0 { reader.listed(value).await } else { Vec::new() };
    Fields(join_all(specs.iter().map(|spec| one(reader, &listed, path, spec))).await)
}

/// The same of a node of the framework, whose getters only load what they are named for: one listing has all of them, while a path
/// runs each getter along it anew (netcoredbg takes 40 calls for a node ten levels down).
pub async fn read_node(reader: &Reader, value: &RawValue, path: &str, specs: &[Spec]) -> Fields {
    if value.reference == 0 || !specs.iter().any(|spec| spec.contains("()")) {
        return read(reader, value, path, specs).await;
    }
    let mut known: Vec<(i64, Vec<RawValue>)> = Vec::new();
    let mut found = Vec::new();
    for spec in specs {
        let mut at = value.clone();
        for part in spec.split('.') {
            at = match listed_part(reader, &at, part.trim_end_matches("()"), &mut known).await {
                Some(child) => child,
                None => return read(reader, value, path, specs).await,
            };
        }
        found.push(Some(Field { value: at, path: join(path, &properties(spec)), elements: Vec::new() }));
    }
    Fields(found)
}

/// A field, or what a property of this name keeps.
async fn listed_part(
    reader: &Reader,
    value: &RawValue,
    name: &str,
    known: &mut Vec<(i64, Vec<RawValue>)>,
) -> Option<RawValue> {
    if value.reference == 0 {
        return None;
    }
    if !known.iter().any(|(reference, _)| *reference == value.reference) {
        known.push((value.reference, reader.children(value.reference, None).await.ok()?));
    }
    let (_, listed) = known.iter().find(|(reference, _)| *reference == value.reference)?;
    let kept = format!("<{name}>k__BackingField");
    let is_it = |child: &&RawValue| (child.name == kept || child.name == name) && child.is_read();
    listed.iter().find(is_it).cloned()
}

async fn one(reader: &Reader, listed: &[RawValue], path: &str, spec: &str) -> Option<Field> {
    for name in spec.split('|') {
        if let Some(field) = named(reader, listed, path, name).await {
            return Some(field);
        }
    }
    None
}

async fn named(reader: &Reader, listed: &[RawValue], path: &str, name: &str) -> Option<Field> {
    let computes = name.ends_with('!');
    if computes && (!reader.asked || reader.read_only) {
        return None;
    }
    let (name, is_array) = match name.trim_end_matches('!').strip_suffix("[]") {
        Some(array) => (array, true),
        None => (name.trim_end_matches('!'), false),
    };
    let getter = computes || name.contains('(');
    let first = name.split('.').next().unwrap_or(name);
    let found = listed.iter().find(|child| child.name == first && child.is_read());
    let loaded = match found {
        Some(found) if first == name => Field { value: found.clone(), path: join(path, name), ..Field::default() },
        // null, or anything else without members: nothing to ask for
        Some(found) if found.reference == 0 => return None,
        _ => {
            let path = join(path, &properties(name));
            let access = if getter { Access::Run } else { Access::Load };
            Field { value: reader.evaluate(&path, access).await.ok()?, path, ..Field::default() }
        }
    };
    if is_array { Some(with_elements(reader, loaded).await) } else { Some(loaded) }
}

/// `Start()._value` -> `Start._value`; what begins with `Get` or `To` is a method and stays one.
fn properties(name: &str) -> String {
    let part = |part: &str| match part.strip_suffix("()") {
        Some(property) if !property.starts_with("Get") && !property.starts_with("To") => property.to_owned(),
        _ => part.to_owned(),
    };
    name.split('.').map(part).collect::<Vec<_>>().join(".")
}

fn with_elements<'a>(reader: &'a Reader, mut field: Field) -> BoxFuture<'a, Field> {
    async move {
        if let Raw::Array(dimensions) = field.value.parsed() {
            let array = Backing::of(&field.value, &field.path, &dimensions);
            let count = dimensions.iter().product::<u64>().min(ELEMENTS);
            let elements = array.first(reader, count).await.unwrap_or_default();
            field.elements = elements.into_iter().map(|element| element.value).collect();
        }
        field
    }
    .boxed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_properties_are_read_by_their_names() {
        assert_eq!(properties("Start()._value"), "Start._value");
        assert_eq!(properties("GetValueOrDefault()"), "GetValueOrDefault()");
        assert_eq!(properties("_a._b"), "_a._b");
    }
}
