//! What the threads' stacks hold, read as plain memory: any word that is the address of an object may be a reference to it.
//!
//! The runtime's own report of a stack cannot be had in .NET 8 (0x80131c4b), and leaves out what its code keeps in temporaries; so this
//! is what makes sure that nothing alive is taken for garbage. A word may also be left over from a call that has returned.

use std::fs;

use super::graph::Graph;
use super::memory::Window;

/// The slots below the stack pointer that code may use without moving it.
const RED_ZONE: u64 = 128;
/// Of one stack at most.
const MOST: u64 = 1 << 30;

/// The objects that a stack may refer to, the innermost first.
pub fn referred(pid: u32, thread: u32, graph: &Graph) -> Vec<u64> {
    let mut found = Vec::new();
    let Some((start, end)) = extent(pid, thread) else { return found };
    let mut window = Window::new(pid);
    let mut at = start & !7;
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

/// From the stack pointer to the stack's end.
fn extent(pid: u32, thread: u32) -> Option<(u64, u64)> {
    let state = fs::read_to_string(format!("/proc/{pid}/task/{thread}/syscall")).ok()?;
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
    let pointer = stack_pointer(&state)?;
    let end = end_of_mapping(&maps, pointer)?;
    Some((pointer.saturating_sub(RED_ZONE), end.min(pointer.saturating_add(MOST))))
}

/// The last but one of `number arguments… sp pc`; none while it runs.
fn stack_pointer(state: &str) -> Option<u64> {
    let mut words = state.split_whitespace().rev();
    words.next()?;
    u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()
}

fn end_of_mapping(maps: &str, address: u64) -> Option<u64> {
    maps.lines().find_map(|line| {
        let (start, end) = line.split_whitespace().next()?.split_once('-')?;
        let (start, end) = (u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?);
        (start..end).contains(&address).then_some(end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stack_is_from_its_pointer_to_the_end_of_its_mapping() {
        assert_eq!(stack_pointer("202 0x7f01 0x189 0x0 0x0 0x0 0x0 0x7ffd10 0x7f22\n"), Some(0x7f_fd10));
        assert_eq!(stack_pointer("running\n"), None);
        let maps = "7ff000-7ffb00 r--p 00000000 00:00 0\n7ffc00-7ffe00 rw-p 00000000 00:00 0 [stack]\n";
        assert_eq!(end_of_mapping(maps, 0x7f_fd10), Some(0x7f_fe00));
        assert_eq!(end_of_mapping(maps, 0x7f_fb00), None);
    }
}
