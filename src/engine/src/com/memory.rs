//! The target's memory, past ICorDebug.

pub use super::system::read_memory as read;

/// The word at an address; `None` where it cannot be read.
pub fn word(pid: u32, address: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    (read(pid, address, &mut bytes) == bytes.len()).then(|| u64::from_le_bytes(bytes))
}
