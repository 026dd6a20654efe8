//! The evaluation stack and the variables along the ways through a body: what holds on all of them.

use std::collections::HashMap;

use super::values::{Kind, Value};

/// More than any compiler leaves on the stack.
const MOST_VALUES: usize = 256;

/// What is known at one place.
#[derive(Debug, Default, Clone)]
pub(super) struct State {
    pub stack: Vec<Value>,
    /// Arguments, then locals.
    pub variables: Vec<Value>,
}

#[derive(Debug, Default)]
pub(super) struct Stacks {
    /// What every way to an offset brings.
    at: HashMap<u32, State>,
    pub current: State,
    /// What the variables are declared as.
    declared: Vec<Value>,
    /// Something was learned that an earlier instruction did not know.
    pub has_changed: bool,
    /// Arrays that are no longer distinguished.
    pub lost: Vec<u32>,
}

impl Stacks {
    pub(super) fn new(declared: Vec<Value>) -> Self {
        Self { declared, ..Self::default() }
    }

    /// A walk begins, with these variables.
    pub(super) fn begin(&mut self, variables: Vec<Value>) {
        self.current = State { stack: Vec::new(), variables };
    }

    /// `None`: the code takes what is not there.
    pub(super) fn pop(&mut self) -> Option<Value> {
        self.current.stack.pop()
    }

    pub(super) fn push(&mut self, value: Value) -> Option<()> {
        let stack = &mut self.current.stack;
        (stack.len() < MOST_VALUES).then(|| stack.push(value))
    }

    /// A way to `target` with what is known here. `None`: another way has another depth.
    pub(super) fn branch(&mut self, target: u32) -> Option<()> {
        let stack = self.current.stack.clone();
        self.enter(target, stack)
    }

    /// The same with another stack.
    pub(super) fn enter(&mut self, target: u32, stack: Vec<Value>) -> Option<()> {
        let variables = &self.current.variables;
        let Some(known) = self.at.get_mut(&target) else {
            self.has_changed = true;
            self.at.insert(target, State { stack, variables: variables.clone() });
            return Some(());
        };
        if known.stack.len() != stack.len() {
            return None;
        }
        for (known, value) in known.stack.iter_mut().zip(&stack) {
            let joined = known.join(value);
            if known.made_at != value.made_at {
                self.lost.extend(known.made_at.into_iter().chain(value.made_at));
            }
            self.has_changed |= joined != *known;
            *known = joined;
        }
        for ((known, value), declared) in known.variables.iter_mut().zip(variables).zip(&self.declared) {
            if known == value {
                continue;
            }
            let mut joined = known.join(value);
            // what is declared holds on all ways
            if joined.kind == Kind::Unknown {
                joined.kind = declared.kind.clone();
            }
            self.has_changed |= joined != *known;
            *known = joined;
        }
        Some(())
    }

    /// Whether the walk comes to `offset`, from the instruction before it or not. `None`: with different depths.
    pub(super) fn arrive(&mut self, offset: u32, falls_through: bool) -> Option<bool> {
        if falls_through && self.at.contains_key(&offset) {
            self.branch(offset)?;
        }
        match self.at.get(&offset) {
            Some(known) => self.current.clone_from(known),
            None => return Some(falls_through),
        }
        Some(true)
    }
}
