//! Entries of hash tables, by the fields of their slots.

use futures::stream::{self, StreamExt};

use crate::dap::MayRun;
use crate::session::expression::join;
use crate::session::inspect::access::{Access, ReadError};
use crate::session::inspect::backing::AT_ONCE;
use crate::session::inspect::element::Element;
use crate::session::inspect::raw_value::RawValue;
use crate::session::inspect::reader::Reader;

/// Names of the fields of a slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryFields {
    pub(super) key: &'static str,
    pub(super) value: Option<&'static str>,
    pub(super) next: &'static str,
}

/// Entries of a hash table, `None` where one was removed: slot, path, and the reference of those that are listed.
pub(super) async fn read_entries(
    reader: &Reader,
    slots: Vec<(u64, String, Option<i64>)>,
    holes: bool,
    fields: EntryFields,
) -> Result<Vec<(u64, Option<Element>)>, ReadError> {
    let reads = slots.into_iter().map(|(slot, path, reference)| async move {
        let read = entry(reader, &path, reference, slot, holes, fields).await;
        (slot, read)
    });
    let mut reads = stream::iter(reads.collect::<Vec<_>>()).buffered(AT_ONCE);
    let mut list = Vec::new();
    while let Some((slot, read)) = reads.next().await {
        match read {
            Ok(element) => list.push((slot, element)),
            Err(_) if !list.is_empty() && reader.budget.is_spent() => break,
            Err(error) => return Err(error),
        }
    }
    Ok(list)
}

const LINQ: &str = "System.Linq.Enumerable";

/// Entries of which only the keys are read, by an adapter that evaluates C#: all in one request, which ends with the call's time.
pub(super) async fn read_keys(
    reader: &Reader,
    entries: &str,
    (at, most): (u64, u64),
    holes: bool,
    fields: EntryFields,
) -> Result<Vec<(u64, Option<Element>)>, ReadError> {
    let reader = &Reader { time_limit: reader.budget.left().or(reader.time_limit), ..reader.clone() };
    let column = async |name: &str| {
        // as no method of the frame's own namespaces
        let page = format!("{LINQ}.Take({LINQ}.Skip({entries}, {at}), {most})");
        let query = format!("{LINQ}.Select({page}, entry => entry.{name})");
        let made = reader.evaluate_csharp(&query, MayRun::Nothing).await?;
        reader.children(made.reference, Some((0, most))).await
    };
    let keys = column(fields.key).await?;
    let nexts = if holes { column(fields.next).await? } else { Vec::new() };
    let read = (at..).zip(keys).enumerate().map(|(row, (slot, key))| {
        let is_free = nexts.get(row).is_some_and(|next| next.value.parse::<i64>().is_ok_and(|next| next < -1));
        let path = format!("{entries}[{slot}]");
        let element = (!is_free).then(|| match fields.value {
            Some(value) => {
                Element::at(slot, RawValue::default(), join(&path, value)).keyed(&key, &join(&path, fields.key))
            }
            None => Element::at(slot, key, join(&path, fields.key)),
        });
        (slot, element)
    });
    Ok(read.collect())
}

/// One entry by its listing, or field by field.
async fn entry(
    reader: &Reader,
    path: &str,
    reference: Option<i64>,
    slot: u64,
    holes: bool,
    fields: EntryFields,
) -> Result<Option<Element>, ReadError> {
    let shown = fields.value.unwrap_or(fields.key);
    let listed = match reference {
        Some(reference) => reader.children(reference, None).await?,
        None => Vec::new(),
    };
    let field = async |name: &'static str| match listed.iter().find(|child| child.name == name) {
        Some(child) => Ok(child.clone()),
        None => reader.evaluate(&join(path, name), Access::Load).await,
    };
    if holes && field(fields.next).await?.value.parse::<i64>().is_ok_and(|next| next < -1) {
        return Ok(None);
    }
    let key = field(fields.key).await?;
    // what was not listed is read when it is shown
    let value = match (fields.value, reference) {
        (Some(value), Some(_)) => field(value).await?,
        (Some(_), None) => RawValue::default(),
        (None, _) => key.clone(),
    };
    let element = Element::at(slot, value, join(path, shown));
    Ok(Some(if fields.value.is_some() { element.keyed(&key, &join(path, fields.key)) } else { element }))
}
