//! Objects that the garbage collector leaves where they are, as long as the program stands still.

use crate::com::{self, Interface as _};

/// A handle that keeps its object in its place (cordebug.idl: HANDLE_PINNED).
const PINNED: u32 = 3;

#[derive(Default)]
pub struct Pins(Vec<com::HandleValue>);

impl Pins {
    /// # Errors
    /// The runtime has no handle for it.
    pub fn add(&mut self, object: &com::HeapValue2) -> com::Result<()> {
        self.0.push(object.create_handle(PINNED)?.cast()?);
        Ok(())
    }

    pub fn handles(&self) -> &[com::HandleValue] {
        &self.0
    }
}

impl Drop for Pins {
    fn drop(&mut self) {
        for handle in &self.0 {
            // a target that is gone has no handles
            let _ = handle.dispose();
        }
    }
}
