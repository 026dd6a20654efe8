//! The evaluation stack along the ways through a body: what holds on all of them.

use std::collections::HashMap;

use super::values::Value;

/// More than any compiler leaves on the stack.
const MOST_VALUES: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Stacks {
    /// What every way to an offset brings.
    at: HashMap<u32, Vec<Value>>,
    pub current: Vec<Value>,
    /// Something was learned that an earlier instruction did not know.
    pub has_changed: bool,
    /// Arrays that are no longer distinguished.
    pub lost: Vec<u32>,
}

impl Stacks {
    /// `None`: the code takes what is not there.
    pub(super) fn pop(&mut self) -> Option<Value> {
        self.current.pop()
    }

    pub(super) fn push(&mut self, value: Value) -> Option<()> {
        (self.current.len() < MOST_VALUES).then(|| self.current.push(value))
    }

    /// A way to `target` with the present stack. `None`: another way has another depth.
    pub(super) fn branch(&mut self, target: u32) -> Option<()> {
        let current = self.current.clone();
        self.enter(target, current)
    }

    pub(super) fn enter(&mut self, target: u32, values: Vec<Value>) -> Option<()> {
        match self.at.get_mut(&target) {
            None => {
                self.has_changed = true;
                self.at.insert(target, values);
            }
            Some(known) => {
                if known.len() != values.len() {
                    return None;
                }
                for (known, value) in known.iter_mut().zip(&values) {
                    let joined = known.join(value);
                    if known.made_at != value.made_at {
                        self.lost.extend(known.made_at.into_iter().chain(value.made_at));
                    }
                    self.has_changed |= joined != *known;
                    *known = joined;
                }
            }
        }
        Some(())
    }

    /// The walk comes to `offset`, from the instruction before it or not.
    pub(super) fn arrive(&mut self, offset: u32, falls_through: bool) -> Option<()> {
        if falls_through && self.at.contains_key(&offset) {
            self.branch(offset)?;
        }
        match self.at.get(&offset) {
            Some(known) => self.current.clone_from(known),
            // only a backward branch comes here: the stack is empty (ECMA-335 III.1.7.5)
            None if !falls_through => self.current.clear(),
            None => {}
        }
        Some(())
    }
}
