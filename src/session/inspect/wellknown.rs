//! Values of the framework's types that people know by a text or by a few names, read from their fields: nothing of the program
//! runs. One table says for each type which fields, and how they are shown.

mod builder;
mod network;
mod numbers;
mod table;
mod tasks;
mod texts;
mod times;

use super::fields::{self, Fields, Spec};
use super::raw_value::RawValue;
use super::reader::Reader;
use crate::session::type_names;
use clr_metadata::names;

pub use table::{TABLE, find};

/// How values of one type are shown. Field names are those of .NET 8 and .NET 10.
#[derive(Debug)]
pub struct Known {
    /// Full name without arity, nested types behind a dot; a row may be for one argument alone (`System.Memory<char>`).
    pub name: &'static str,
    pub fields: &'static [Spec],
    /// Read behind `fields` where those ask for more.
    pub more: Option<More>,
    pub show: Show,
}

/// Fields that are read only where those before say so.
#[derive(Debug)]
pub struct More {
    pub wanted: fn(&Fields) -> bool,
    pub fields: &'static [Spec],
}

/// Parts under the names that people know them by.
pub type Named = Vec<(&'static str, Part)>;

impl PartialEq for Known {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Known {}

#[derive(Debug, Clone, Copy)]
pub enum Show {
    /// In C# or ISO form.
    Plain(fn(&Fields) -> Option<String>),
    /// A text of the program, to be quoted and cut.
    Text(fn(&Fields) -> Option<String>),
    /// `{Name=…, Name=…}`
    Members(fn(&Fields) -> Option<Named>),
    /// The chunks of a StringBuilder.
    Builder,
}

/// A value between brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Shown(String),
    /// The field with this number, shown as any value is.
    Field(usize),
}

/// A value that was read, not yet a line.
#[derive(Debug, Clone)]
pub enum Shown {
    Plain(String),
    Text(String),
    Members(Named, Fields),
}

/// Whether a value inside another one is shown by its content: a text is, an object is its type there.
pub fn is_scalar(known: &Known) -> bool {
    matches!(known.show, Show::Plain(_) | Show::Text(_) | Show::Builder)
}

/// `value` at `path`, or `None` where its fields could not be read. `limit`: characters of a text that are wanted.
pub async fn read(reader: &Reader, known: &Known, value: &RawValue, path: &str, limit: usize) -> Option<Shown> {
    // an adapter that knows which type it is
    if value.value.starts_with("typeof(") {
        return Some(Shown::Plain(value.value.clone()));
    }
    if matches!(known.show, Show::Builder) {
        return builder::text(reader, value, path, limit).await.map(Shown::Text);
    }
    let mut read = fields::read(reader, value, path, known.fields).await;
    if let Some(more) = &known.more
        && (more.wanted)(&read)
    {
        read.0.extend(fields::read(reader, value, path, more.fields).await.0);
    }
    match known.show {
        Show::Plain(show) => show(&read).map(Shown::Plain),
        Show::Text(show) => show(&read).map(Shown::Text),
        Show::Members(show) => show(&read).map(|mut parts| {
            // the task of an async method says which
            if let Some((_, machine)) = type_names::async_box(&value.type_name) {
                let method = names::describe(&format!("{machine}.MoveNext()")).function;
                parts.push(("Method", Part::Shown(method)));
            }
            Shown::Members(parts, read)
        }),
        Show::Builder => None,
    }
}
