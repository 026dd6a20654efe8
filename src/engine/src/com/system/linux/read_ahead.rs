//! Fewer system calls for libmscordaccore, which reads the target's memory by `pread64` on its `/proc/<pid>/mem`.
//!
//! Each time it looks at code or at a stack, it walks the runtime's table of patches, 1,000 buckets of four bytes each, and asks the kernel
//! for every one: 3,400 calls for an exception that the program catches, four fifths of its cost (.NET 10.0.12, 2026-11-26). So this
//! executable has a `pread64` of its own, which the dynamic loader prefers to libc's: small reads that follow each other are answered from
//! the rest of the page, read at once.
//!
//! What was read ahead is only for the walk that asked for it: any other read of the thread ends it, and so does each call that the engine
//! makes ([`forget`]), before which it may have written or let the program run.

use std::cell::RefCell;

use libc::{c_int, c_void, off64_t, size_t, ssize_t};

const PAGE: usize = 4096;
/// The longest read that counts as a step of a walk, in bytes.
const STEP: usize = 8;
/// So many steps are a walk.
const WALK: u32 = 4;

struct Walk {
    file: c_int,
    steps: u32,
    /// Where the last step ended.
    end: u64,
    /// Where the bytes that were read ahead begin, and how many they are.
    start: u64,
    length: usize,
    bytes: [u8; PAGE],
}

thread_local! {
    static THIS: RefCell<Walk> = const { RefCell::new(Walk { file: -1, steps: 0, end: 0, start: 0, length: 0, bytes: [0; PAGE] }) };
}

/// Whatever is read next comes from the target.
pub fn forget() {
    THIS.with(|walk| {
        if let Ok(mut walk) = walk.try_borrow_mut() {
            walk.steps = 0;
            walk.length = 0;
        }
    });
}

impl Walk {
    /// What was read ahead for a step of a walk; nothing if the read is no such step, or its page cannot be read.
    fn step(&mut self, file: c_int, offset: u64, length: usize) -> Option<&[u8]> {
        let follows = file == self.file && offset == self.end && (1..=STEP).contains(&length);
        self.steps = if follows { self.steps.saturating_add(1) } else { 0 };
        self.file = file;
        self.end = offset.wrapping_add(length as u64);
        if self.steps < WALK {
            self.length = 0;
            return None;
        }
        if offset < self.start || self.end > self.start + self.length as u64 {
            let rest = PAGE - usize::try_from(offset % PAGE as u64).ok()?;
            // SAFETY: writes at most `rest` bytes, which is no more than there is room for.
            let read = unsafe { read(file, self.bytes.as_mut_ptr().cast(), rest, offset.cast_signed()) };
            self.start = offset;
            self.length = usize::try_from(read).unwrap_or(0);
        }
        let at = usize::try_from(offset - self.start).ok()?;
        self.bytes.get(at..at + length).filter(|_| at + length <= self.length)
    }
}

/// libc's function of that name, with fewer system calls.
///
/// # Safety
/// As libc's: `buffer` has room for `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pread64(file: c_int, buffer: *mut c_void, length: size_t, offset: off64_t) -> ssize_t {
    let copied = THIS.with(|walk| {
        let mut walk = walk.try_borrow_mut().ok()?;
        let bytes = walk.step(file, u64::try_from(offset).ok()?, length)?;
        // SAFETY: as many bytes as the caller has room for.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.cast(), bytes.len()) };
        Some(length.cast_signed())
    });
    // SAFETY: the caller's promise.
    copied.unwrap_or_else(|| unsafe { read(file, buffer, length, offset) })
}

/// # Safety
/// `buffer` has room for `length` bytes.
unsafe fn read(file: c_int, buffer: *mut c_void, length: size_t, offset: off64_t) -> ssize_t {
    // SAFETY: the caller's promise; the kernel checks the rest.
    unsafe { libc::syscall(libc::SYS_pread64, file, buffer, length, offset) as ssize_t }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write;
    use std::os::unix::fs::FileExt;

    use super::*;

    fn numbers(count: u32) -> File {
        let mut file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..count).flat_map(u32::to_ne_bytes).collect();
        file.write_all(&bytes).unwrap();
        file
    }

    fn number(file: &File, index: u32) -> Option<u32> {
        let mut bytes = [0; 4];
        file.read_exact_at(&mut bytes, u64::from(index) * 4).ok()?;
        Some(u32::from_ne_bytes(bytes))
    }

    #[test]
    fn a_walk_reads_what_is_there_over_pages_and_to_the_end() {
        let (file, other) = (numbers(3000), numbers(9));
        for from in [900, 0] {
            for index in from..3000 {
                assert_eq!(number(&file, index), Some(index));
                if index % 700 == 699 {
                    assert_eq!(number(&other, 5), Some(5));
                }
            }
        }
        assert_eq!(number(&file, 3000), None);
        assert_eq!(number(&file, 7), Some(7));
    }

    #[test]
    fn what_was_read_ahead_is_for_one_walk_within_one_call() {
        let file = numbers(100);
        for index in 50..60 {
            assert_eq!(number(&file, index), Some(index));
        }
        for read_ahead_ends in [forget as fn(), || assert_eq!(number(&numbers(1), 0), Some(0))] {
            for index in 0..10 {
                assert_eq!(number(&file, index), Some(index));
            }
            file.write_all_at(&77_u32.to_ne_bytes(), 40).unwrap();
            assert_eq!(
                number(&file, 10),
                Some(10),
                "nothing was read ahead: std's reads do not come to this file's pread64"
            );
            read_ahead_ends();
            assert_eq!(number(&file, 10), Some(77));
            file.write_all_at(&10_u32.to_ne_bytes(), 40).unwrap();
        }
    }
}
