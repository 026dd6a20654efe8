//! The garbage collector's heap of the stopped program: which objects there are, what they refer to, and what keeps them alive.
//!
//! The runtime lists the objects (`walk`) and describes their types (`types`, `layouts`); what the objects hold is read from
//! memory in large blocks (`memory`, `references`), and makes a graph (`graph`), in which each object's shortest chain from a root
//! (`roots`) is found and put into words (`chains`), and what refers to one is listed (`holders`). Nothing runs in the program. Every walk is bounded: by its [`Pace`], and in how many objects
//! it takes; what it gives says when it was cut.

mod chains;
mod graph;
mod holders;
mod instantiations;
mod layouts;
mod named_types;
mod memory;
mod objects;
mod own_handles;
mod references;
mod roots;
mod stacks;
mod statistics;
mod types;
mod walk;

pub use chains::Kept;
pub use holders::Direction;
pub use objects::{Generation, ObjectType, generation, regions};
pub use types::Types;
pub use walk::{Cut, Found};

use clr_csharp::world::Scope;

use crate::com::{self, Interface as _};
use crate::stopped::Stopped;

/// Asked every few thousand objects: why the walk should end here, if it should.
pub type Pace<'p> = &'p mut dyn FnMut() -> Option<Cut>;

/// Why the heap cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeapError {
    #[error("a garbage collection is moving objects at this stop: resume the program and stop it again")]
    Collecting,
    #[error("the heap cannot be read: {0}")]
    Runtime(#[from] com::HResult),
    #[error("{0}")]
    Refused(String),
}

/// The heap of one stop.
pub struct Heap<'s> {
    pub stopped: &'s Stopped,
    process: com::Process5,
    pub types: Types<'s>,
    /// The code by which a type is named.
    pub scope: Option<Scope>,
}

impl<'s> Heap<'s> {
    /// Of several types with the name that is asked for, that which the code of a frame would mean.
    pub fn named_in(mut self, thread: u32, frame: usize) -> Self {
        let frame = self.stopped.thread(thread).and_then(|thread| thread.frame(frame)).ok();
        self.scope = frame.and_then(|frame| {
            let at = frame.data();
            Some(Scope::of_code(at.module.assembly()?, at.method, at.offset, &[]))
        });
        self
    }

    /// # Errors
    /// [`HeapError`]
    pub fn new(stopped: &'s Stopped) -> Result<Self, HeapError> {
        let process: com::Process5 = stopped.target().process()?.cast()?;
        if process.heap_information()?.is_valid == 0 {
            return Err(HeapError::Collecting);
        }
        Ok(Self { stopped, types: Types::new(stopped, process.clone()), process, scope: None })
    }
}
