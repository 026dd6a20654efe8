//! All objects of the heap, in the runtime's order.

use super::{Heap, HeapError, Pace, Types};
use crate::com::HeapObject;

/// Objects that the runtime hands out at once.
const BLOCK: usize = 8_192;

/// Why a walk ended before the heap did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Its time was over.
    Time,
    /// It has seen as many objects as it may.
    Objects,
    /// The client sent something that cannot wait.
    Cancelled,
}

/// An object of a walk.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    pub address: u64,
    pub size: u64,
    /// In [`super::Types`].
    pub type_: u32,
}

impl Heap<'_> {
    /// Gives every object to `act`. `Some`: it was cut.
    ///
    /// # Errors
    /// [`HeapError`]
    pub fn walk(&mut self, pace: Pace<'_>, mut act: impl FnMut(&Types<'_>, Found)) -> Result<Option<Cut>, HeapError> {
        let objects = self.process.heap_objects()?;
        let mut block = vec![HeapObject::default(); BLOCK];
        loop {
            let got = objects.next(&mut block)?;
            for object in block.iter().take(got) {
                let type_ = self.types.index(object.type_);
                act(&self.types, Found { address: object.address, size: object.size, type_ });
            }
            if got < BLOCK {
                return Ok(None);
            }
            if let Some(cut) = pace() {
                return Ok(Some(cut));
            }
        }
    }
}
