//! Which members hide others of their name.

use super::Modules;

impl Modules {
    /// Whether a type of the program below this one declares a member of that name anew: then the declared type of an object decides
    /// which one is meant.
    pub(crate) fn is_hidden_below(&self, type_name: &str, member: &str) -> bool {
        self.purity().is_hidden_below(type_name, member)
    }
}
