//! A tuple, as a literal has it.

use super::member_text;
use crate::session::expression::join;
use crate::session::inspect::access::Access;
use crate::session::inspect::raw_value::RawValue;
use crate::session::inspect::reader::Reader;
use crate::session::inspect::side_by_side;
use crate::session::type_names;

/// `(1, "one")`, or `(Left: 1, Right: "one")` where the type names the elements; from the eighth on they are in a tuple of their own.
pub(super) async fn tuple(
    reader: &Reader,
    value: &RawValue,
    path: &str,
    (items, prefix, rest): (usize, &str, &str),
) -> String {
    let declared = type_names::elements(&value.type_name);
    // a path may lead through a call
    let listed = reader.listed(value).await;
    let known = |name: &str| listed.iter().find(|child| child.name == name && child.is_read()).cloned();
    let read = async |path: &str, name: &str| match known(name) {
        Some(found) => Ok(found),
        None => reader.evaluate(path, Access::Load).await,
    };
    let read = &read;
    let reads = (1..=items.min(7)).map(|item| {
        let (type_, name) = declared.get(item - 1).copied().unwrap_or_default();
        async move {
            let path = join(path, &format!("{prefix}{item}"));
            let text = match read(&path, &format!("{prefix}{item}")).await {
                Ok(value) => Box::pin(member_text(reader, &value.declared_as(type_), &path)).await,
                Err(_) => None,
            };
            labelled(name, text.unwrap_or_else(|| "…".to_owned()))
        }
    });
    let mut parts = side_by_side(reads).await;
    if items > 7 {
        let path = join(path, rest);
        let behind = match read(&path, rest).await {
            Ok(value) => {
                let elements = declared.iter().skip(7).map(|(type_, name)| [type_, name.unwrap_or_default()].join(" "));
                let elements: Vec<String> = elements.collect();
                let type_name = match elements.is_empty() {
                    true => value.type_name.clone(),
                    false => format!("({})", elements.join(", ")),
                };
                let items = type_names::generic_arguments(&type_name).len();
                let value = RawValue { type_name, ..value };
                let behind = Box::pin(tuple(reader, &value, &path, (items, prefix, rest))).await;
                behind.strip_prefix('(').and_then(|it| it.strip_suffix(')')).map(str::to_owned)
            }
            Err(_) => None,
        };
        parts.push(behind.unwrap_or_else(|| "…".into()));
    }
    format!("({})", parts.join(", "))
}

/// An element of a tuple as a literal has it: `Left: 1`.
pub(super) fn labelled(name: Option<&str>, text: String) -> String {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{name}: {text}"),
        None => text,
    }
}
