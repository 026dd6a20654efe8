//! What the process has allocated: an evaluation is ended before it takes the machine's memory.

use std::alloc::System;

use cap::Cap;

/// Of every program that is linked with this crate. It counts and limits nothing: an allocation that fails ends a process.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes that are allocated and not given back.
pub(crate) fn allocated() -> usize {
    ALLOCATOR.allocated()
}
