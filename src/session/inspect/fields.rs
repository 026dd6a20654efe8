//! Fields of a value by their names, where one table names them for many types: `_dateTime._dateData`.

use futures::future::{BoxFuture, FutureExt, join_all};

use super::access::Access;
use super::collections::Elements;
use super::literal::Raw;
use super::raw_value::RawValue;
use super::reader::Reader;
use crate::session::expression::join;

/// Elements that are read of an array field.
const ELEMENTS: u64 = 200;

/// What to read of a value. Text, so that a table stays readable:
///
/// - `a.b`: field `b` of field `a`
/// - `a|b`: `a`, or `b` where the runtime has no `a`
/// - `Name()`: an auto-property, or a method that only loads a field
/// - `a[]`: an array with its first elements
/// - `Name!`: a getter of the framework that computes, run only where values were asked for
pub type Spec = &'static str;

/// One field as it was read.
#[derive(Debug, Clone, Default)]
pub struct Field {
    pub value: RawValue,
    /// An expression that loads it again.
    pub path: String,
    /// Of `a[]`.
    pub elements: Vec<RawValue>,
}

/// The fields of one value, in the order in which a table names them.
#[derive(Debug, Clone, Default)]
pub struct Fields(pub Vec<Option<Field>>);

impl Fields {
    pub fn get(&self, at: usize) -> Option<&Field> {
        self.0.get(at)?.as_ref()
    }

    pub fn integer(&self, at: usize) -> Option<i128> {
        self.get(at)?.value.value.trim().parse().ok()
    }

    /// The bits of an integer whose sign says nothing.
    pub fn bits(&self, at: usize) -> Option<u64> {
        self.integer(at).map(|number| number as u64)
    }

    pub fn flag(&self, at: usize) -> Option<bool> {
        self.get(at)?.value.value.trim().parse().ok()
    }

    pub fn text(&self, at: usize) -> Option<String> {
        match self.get(at)?.value.parsed() {
            Raw::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it was read and is null.
    pub fn is_null(&self, at: usize) -> bool {
        self.get(at).is_some_and(|field| field.value.parsed() == Raw::Null)
    }

    /// Whether it was read and is an object.
    pub fn is_set(&self, at: usize) -> bool {
        self.get(at).is_some() && !self.is_null(at)
    }

    /// The elements of an array of integers.
    pub fn integers(&self, at: usize) -> Option<Vec<u64>> {
        let elements = &self.get(at)?.elements;
        elements.iter().map(|element| element.value.trim().parse::<i128>().ok().map(|number| number as u64)).collect()
    }
}

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
            let elements = Elements::of_array(&field.value, &field.path, &dimensions);
            let page = elements.page(reader, 0, elements.count.min(ELEMENTS)).await.unwrap_or_default();
            field.elements = page.into_iter().map(|element| element.value).collect();
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
