//! What an expression made without the program: sequences, tuples, objects of anonymous types.

use super::literal;
use super::raw_value::RawValue;

/// Its parts, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    pub shape: Shape,
    /// Of entries, each key before its value.
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Sequence,
    Tuple,
    Members,
    Entries,
    /// A key, and what has it.
    Group,
    /// What shows nothing.
    Opaque,
    /// The value says all.
    Literal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub name: String,
    pub value: RawValue,
    pub load_path: String,
}

impl Made {
    /// Of what is counted.
    pub fn count(&self) -> Option<u64> {
        match self.shape {
            Shape::Sequence => Some(self.parts.len() as u64),
            Shape::Entries => Some(self.parts.len() as u64 / 2),
            Shape::Group => Some(self.parts.len() as u64 - 1),
            Shape::Tuple | Shape::Members | Shape::Opaque | Shape::Literal => None,
        }
    }

    /// Whether all parts are literals.
    pub fn is_plain(&self) -> bool {
        self.parts.iter().all(|part| literal::plain("", &part.value.type_name, &part.value.value, 0).is_some())
    }
}
