//! The types of exceptions that were thrown before: what a throw of one needs to be read fast.

use std::collections::HashMap;
use std::sync::Arc;

/// Types of exceptions, by the address of their method table.
#[derive(Default)]
pub struct Types(pub(super) HashMap<u64, Type>);

pub(super) struct Type {
    pub name: Arc<str>,
    pub message: Message,
}

/// How a message is found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Message {
    /// Where `_message` is, from the start of an object; `None`: the program's code makes it.
    At(Option<u64>),
    /// Of several fields.
    Composed,
}
