//! What an expression made without the program: sequences, tuples, objects of anonymous types.

use super::literal;
use super::raw_value::RawValue;

/// Its parts, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    pub shape: Shape,
    /// Of entries, each key before its value. Perhaps not all.
    pub parts: Vec<Part>,
    /// Of what is counted.
    pub count: Option<u64>,
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

impl Part {
    /// The name that the source gives to an element of a tuple.
    pub fn label(&self) -> Option<&str> {
        let number = self.name.strip_prefix("Item");
        let has_none = number.is_some_and(|it| !it.is_empty() && it.bytes().all(|digit| digit.is_ascii_digit()));
        (!has_none).then_some(self.name.as_str())
    }
}

impl Shape {
    /// As our own engine reports it with a value.
    pub fn of_kind(kind: &str) -> Option<Self> {
        Some(match kind {
            "sequence" => Self::Sequence,
            "tuple" => Self::Tuple,
            "members" => Self::Members,
            "entries" => Self::Entries,
            "group" => Self::Group,
            _ => return None,
        })
    }

    /// Parts of one element.
    fn width(self) -> usize {
        if self == Self::Entries { 2 } else { 1 }
    }
}

impl Made {
    /// With all of its parts.
    pub fn whole(shape: Shape, parts: Vec<Part>) -> Self {
        let count = match shape {
            Shape::Sequence => Some(parts.len() as u64),
            Shape::Entries => Some(parts.len() as u64 / 2),
            Shape::Group => Some(parts.len() as u64 - 1),
            Shape::Tuple | Shape::Members | Shape::Opaque | Shape::Literal => None,
        };
        Self { shape, parts, count }
    }

    /// Whether it has more than that many of its parts.
    pub fn has_more(&self, shown: usize) -> bool {
        let all = self.count.and_then(|count| usize::try_from(count).ok()).map(|count| count * self.shape.width());
        let all = if self.shape == Shape::Group { all.map(|items| items + 1) } else { all };
        all.unwrap_or(self.parts.len()).max(self.parts.len()) > shown
    }

    /// Whether each of its parts can be listed by its name.
    pub fn has_elements(&self) -> bool {
        matches!(self.shape, Shape::Sequence | Shape::Tuple | Shape::Members)
    }

    /// Whether all parts are literals.
    pub fn is_plain(&self) -> bool {
        self.parts.iter().all(|part| literal::plain("", &part.value.type_name, &part.value.value, 0).is_some())
    }
}
