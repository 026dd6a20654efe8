//! How far collections in nodes were walked at this stop.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use tokio::sync::Mutex;

use super::element::Element;
use super::field_values::Field;
use super::raw_value::RawValue;

/// A node, and where it is.
pub type At = (RawValue, String);

/// The walks of one stop, by frame and path.
#[derive(Debug, Clone, Default)]
pub struct Walks(Arc<std::sync::Mutex<HashMap<(i64, String), SharedWalk>>>);

pub(super) type SharedWalk = Arc<Mutex<Walked>>;

impl Walks {
    pub(super) fn of(&self, frame: i64, path: &str) -> SharedWalk {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry((frame, path.to_owned())).or_default().clone()
    }

    /// A value was set, or code ran that may have set some.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// How far a walk is.
#[derive(Debug, Default)]
pub struct Walked {
    /// Nodes that hold something, in the order of their elements.
    pub nodes: Vec<At>,
    /// What the first of them hold, and how many of them that is.
    pub items: Vec<Item>,
    pub taken: usize,
    pub branch: Branch,
}

/// Where a tree is walked on, from the left.
#[derive(Debug, Default)]
pub struct Branch {
    pub begun: bool,
    /// Nodes to the left of which all is walked, each with what is to the right.
    pub waiting: Vec<(At, Option<At>)>,
    pub down: Option<At>,
}

/// One element, not yet named by its place.
#[derive(Debug, Clone)]
pub struct Item {
    pub key: Option<Field>,
    pub value: Field,
}

impl Item {
    /// Under its key, or its position.
    pub fn named(self, at: usize) -> Element {
        let element = Element::at(at as u64, self.value.value, self.value.path);
        match &self.key {
            Some(key) => element.keyed(&key.value, &key.path),
            None => element,
        }
    }
}
