//! An element of a collection.

use super::literal;
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

impl Element {
    /// The element with this position.
    pub fn at(position: u64, value: RawValue, load_path: String) -> Self {
        Self { name: format!("[{position}]"), is_keyed: false, value, load_path, key: None }
    }

    /// Under its key at `path`, `["ada"]`. A key that is no plain literal has yet to be read: [`super::collections::named`].
    pub fn keyed(mut self, key: &RawValue, path: &str) -> Self {
        // what is printed of a box is its type
        let literal = (!key.is_boxed())
            .then(|| literal::plain("", &key.type_name, &key.value, literal::SHORT))
            .flatten()
            .map(|key| key.content);
        if let Some(crate::session::report::Content::Value(literal)) = literal {
            self.name = format!("[{literal}]");
            self.is_keyed = true;
        }
        self.key = Some((key.clone(), path.to_owned()));
        self
    }
}
