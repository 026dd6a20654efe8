//! Linux: system calls that Rust's library does not have, and what `/proc` tells of a process.

mod fork;
mod held;
mod loader;
mod memory;
mod process;
mod read_ahead;
mod semaphore;
mod signals;
mod stack;

pub use held::{End, Gate, start_held};
pub use loader::{load, symbol};
pub use memory::{read_memory, share_allocations};
pub use process::{await_end, exists, is_suspended, kill, mapped_files, process_name, thread_name, variable};
pub use read_ahead::forget as forget_what_was_read_ahead;
pub use signals::BusyThreads;
pub use stack::stack;

use super::Unsupported;

/// Whether programs can be debugged on this system.
///
/// # Errors
/// Elsewhere.
pub fn support() -> Result<(), Unsupported> {
    Ok(())
}
