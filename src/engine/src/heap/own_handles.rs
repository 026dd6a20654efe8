//! Handles that the engine itself made. They keep an object alive only for whoever debugs, and no code of the program knows them: they
//! are no reason why an object is there.

use std::collections::HashMap;

use crate::com::{self, memory};
use crate::stopped::Stopped;
use crate::target::Kept;

/// How many of them each object has; which of several equal handles is whose makes no difference.
pub(super) struct OwnHandles(HashMap<u64, usize>);

impl OwnHandles {
    pub(super) fn of(stopped: &Stopped) -> Self {
        let mut own = Self(HashMap::new());
        // a slot that was given back in the meantime is empty
        let results = stopped.results.borrow();
        results.iter().filter_map(|slot| held_at(stopped.target().pid, *slot)).for_each(|object| own.add(object));
        let returned = stopped.returned.iter().filter_map(|returned| match &returned.kept {
            Some(Kept::Object(handle)) => object_of(handle),
            _ => None,
        });
        returned.for_each(|object| own.add(object));
        stopped.pins.borrow().handles().iter().filter_map(object_of).for_each(|object| own.add(object));
        own
    }

    fn add(&mut self, object: u64) {
        *self.0.entry(object).or_default() += 1;
    }

    /// Whether a handle of this object is one of them; each is taken once.
    pub(super) fn takes(&mut self, object: u64) -> bool {
        let Some(left) = self.0.get_mut(&object).filter(|left| **left > 0) else { return false };
        *left -= 1;
        true
    }
}

fn object_of(handle: &com::HandleValue) -> Option<u64> {
    use com::Interface as _;
    let object = handle.cast::<com::ReferenceValue>().and_then(|it| it.target_address()).ok();
    object.filter(|object| *object != 0)
}

/// The object that a slot of the table of handles holds.
fn held_at(pid: u32, slot: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    let object = (memory::read(pid, slot, &mut bytes) == bytes.len()).then(|| u64::from_le_bytes(bytes));
    object.filter(|object| *object != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_handles_of_an_object_as_many_are_taken_as_the_engine_made() {
        let mut own = OwnHandles(HashMap::new());
        own.add(0x10);
        own.add(0x10);
        assert_eq!([0x10, 0x20, 0x10, 0x10].map(|object| own.takes(object)), [true, false, true, false]);
    }
}
