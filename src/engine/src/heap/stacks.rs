//! What the threads' stacks hold, read as plain memory: any word that is the address of an object may be a reference to it.
//!
//! The runtime's own report of a stack cannot be had in .NET 8 (0x80131c4b), and leaves out what its code keeps in temporaries; so this
//! is what makes sure that nothing alive is taken for garbage. A word may also be left over from a call that has returned.

use super::graph::Graph;
use super::memory::Window;
use crate::com::system;

/// The slots below the stack pointer that code may use without moving it.
const RED_ZONE: u64 = 128;
/// Of one stack at most.
const MOST: u64 = 1 << 30;

/// The objects that a stack may refer to, the innermost first.
pub fn referred(pid: u32, thread: u32, graph: &Graph) -> Vec<u64> {
    let mut found = Vec::new();
    let Some(stack) = system::stack(pid, thread) else { return found };
    let end = stack.end.min(stack.start.saturating_add(MOST));
    let mut window = Window::new(pid);
    let mut at = stack.start.saturating_sub(RED_ZONE) & !7;
    while at < end {
        let length = usize::try_from(end - at).unwrap_or(usize::MAX).min(Window::MOST);
        let Some(bytes) = window.bytes(at, length) else { return found };
        for word in bytes.chunks_exact(8) {
            let word = word.try_into().map_or(0, u64::from_le_bytes);
            found.extend(graph.around(word).and_then(|object| Some(graph.object(object)?.address)));
        }
        at += length as u64;
    }
    found
}
