//! An element of a collection.

use super::raw_value::RawValue;

/// One element, under the name that addresses it.
#[derive(Debug, Clone)]
pub struct Element {
    /// `[0]`, `[0, 1]`, `["ada"]`, `[(1, 2)]`.
    pub name: String,
    /// The name is a key, not a position or one of which the key is not read.
    pub is_keyed: bool,
    pub value: RawValue,
    /// A path that only loads (`names._items[0]`); the public one is parent + name.
    pub load_path: String,
    /// Of an element of a dictionary, and the path that loads it.
    pub key: Option<(RawValue, String)>,
}
