//! Fields of a value as they were read, in the order of a table that names them.

use super::literal::Raw;
use super::raw_value::RawValue;

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
