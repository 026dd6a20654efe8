//! An `ExpandoObject` by the members that it was given: the names are in `_data.Class._keys`, the values at the same positions of
//! `_data._dataArray` (ExpandoObject.cs, .NET 8 to 10). Nothing runs.

use super::evaluated::Evaluated;
use super::field_values::Field;
use super::fields;
use super::literal::Raw;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::shape::EXPANDO;
use crate::session::expression::join;

/// A member, and where its value is.
pub struct Given {
    pub name: String,
    pub value: Evaluated,
}

/// The members of the object at `path` in the order in which they were added, and whether some may be left out: a member that was removed
/// leaves a plain object in the place of its value, which a plain object that it was given is, too. `None`: they cannot be read.
pub async fn members(reader: &Reader, value: &RawValue, path: &str) -> Option<(Vec<Given>, u64)> {
    // of what is declared `dynamic` a name is one of those that it was given
    let of = match reader.capabilities.supports_csharp_expressions {
        true => format!("(({EXPANDO}){path})"),
        false => path.to_owned(),
    };
    let read = fields::read(reader, value, &of, &["_data.Class._keys", "_data._dataArray"]).await;
    let (names, values) = (read.get(0)?, read.get(1)?);
    let names = elements(reader, names).await?;
    let values = elements(reader, values).await?;
    let (mut given, mut left) = (Vec::new(), 0);
    for (name, value) in names.into_iter().zip(values) {
        let Raw::Text(name) = name.value.parsed() else { return None };
        match value.value.value == "{object}" {
            true => left += 1,
            false => given.push(Given { name, value }),
        }
    }
    Some((given, left))
}

async fn elements(reader: &Reader, array: &Field) -> Option<Vec<Evaluated>> {
    let Raw::Array(_) = array.value.parsed() else { return None };
    if array.value.reference == 0 {
        return Some(Vec::new());
    }
    let all = reader.children(array.value.reference, None).await.ok()?;
    let element = |value: RawValue| Evaluated { load_path: join(&array.path, &value.name), value };
    Some(all.into_iter().map(element).collect())
}
