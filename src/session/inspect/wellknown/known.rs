//! How values of one type are shown: a row of the table, and what it gives.

use crate::session::inspect::field_values::{Fields, Spec};

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
    /// The text of a JsonElement.
    Json,
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
    matches!(known.show, Show::Plain(_) | Show::Text(_) | Show::Builder | Show::Json)
}
