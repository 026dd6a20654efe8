//! The types of exceptions that were thrown before: what a throw of one needs to be read fast.

use std::collections::HashMap;
use std::sync::Arc;

/// Types of exceptions, by the address of their method table.
#[derive(Default)]
pub struct Types(pub(super) HashMap<u64, Type>);

pub(super) struct Type {
    pub name: Arc<str>,
    /// Where `_message` is, from the start of an object.
    pub message_at: Option<u64>,
}
