//! Where the stack of a thread that stands still lies.

use std::fs;
use std::ops::Range;

/// From the stack pointer to the stack's end; `None` for a thread that runs or is gone.
pub fn stack(pid: u32, thread: u32) -> Option<Range<u64>> {
    let state = fs::read_to_string(format!("/proc/{pid}/task/{thread}/syscall")).ok()?;
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
    let pointer = stack_pointer(&state)?;
    Some(pointer..end_of_mapping(&maps, pointer)?)
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
