//! Values of the framework's types that people know by a text or by a few names, read from their fields: nothing of the program
//! runs. One table says for each type which fields, and how they are shown.

mod builder;
mod json;
pub mod known;
mod network;
mod numbers;
pub mod table;
mod tasks;
mod texts;
mod times;

use super::field_values::{Fields, Spec};
use super::fields;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::{literal, message};
use crate::session::type_names;
use known::{Known, Part, Show, Shown};
pub use tasks::status as task_status;

/// Puts what an exception says in the place of what it was given: nothing where its type has a message of its own.
async fn settle_messages(reader: &Reader, value: &RawValue, path: &str, specs: &[Spec], read: &mut Fields) {
    const MESSAGE: &str = "_message";
    for (at, spec) in specs.iter().enumerate().filter(|(_, spec)| spec.ends_with(MESSAGE)) {
        let holder = spec.strip_suffix(MESSAGE).and_then(|holder| holder.strip_suffix('.'));
        let place =
            holder.map(|holder| specs.iter().position(|spec| *spec == holder).and_then(|place| read.get(place)));
        let (of, path) = match place {
            None => (value.clone(), path.to_owned()),
            Some(Some(field)) => (field.value.clone(), field.path.clone()),
            Some(None) => continue,
        };
        let is_own = reader.shape(&of.type_name).overrides_message;
        let said = match read.text(at) {
            _ if is_own => None,
            Some(given) => Some(message::completed(reader, &of, &path, given).await),
            None if read.is_null(at) => message::made(reader, &of, &path).await,
            None => None,
        };
        if let Some(message) = read.0.get_mut(at) {
            match (message.as_mut(), said) {
                (Some(field), Some(said)) => field.value.value = literal::quote(&said),
                _ => *message = None,
            }
        }
    }
}

/// `value` at `path`, or `None` where its fields could not be read. `limit`: characters of a text that are wanted.
pub async fn read(reader: &Reader, known: &Known, value: &RawValue, path: &str, limit: usize) -> Option<Shown> {
    // an adapter that knows which type it is, or an index or a range that the expression made
    let is_position = ["System.Index", "System.Range"].contains(&known.name) && !value.value.starts_with('{');
    if value.value.starts_with("typeof(") || is_position {
        return Some(Shown::Plain(value.value.clone()));
    }
    if matches!(known.show, Show::Json) {
        return json::text(reader, value, path, limit).await.map(Shown::Plain);
    }
    if matches!(known.show, Show::Builder) {
        return builder::text(reader, value, path, limit).await.map(Shown::Text);
    }
    let mut read = fields::read(reader, value, path, known.fields).await;
    let mut specs = known.fields.to_vec();
    if let Some(more) = &known.more
        && (more.wanted)(&read)
    {
        read.0.extend(fields::read(reader, value, path, more.fields).await.0);
        specs.extend_from_slice(more.fields);
    }
    settle_messages(reader, value, path, &specs, &mut read).await;
    match known.show {
        Show::Plain(show) => show(&read).map(Shown::Plain),
        Show::Text(show) => show(&read).map(Shown::Text),
        Show::Members(show) => show(&read).map(|mut parts| {
            // the task of an async method says which
            if let Some(method) = type_names::async_method(&value.type_name) {
                parts.push(("Method", Part::Shown(method)));
            }
            Shown::Members(parts, read)
        }),
        Show::Builder | Show::Json => None,
    }
}
