//! The program's memory through a window: objects lie one behind the other, and a system call reads thousands of them.

use crate::com::memory;

const WINDOW: usize = 1 << 20;

pub struct Window {
    pid: u32,
    start: u64,
    bytes: Vec<u8>,
    filled: usize,
}

impl Window {
    pub fn new(pid: u32) -> Self {
        Self { pid, start: 0, bytes: vec![0; WINDOW], filled: 0 }
    }

    /// For single objects: reads no more than is asked for.
    pub fn small(pid: u32) -> Self {
        Self { pid, start: 0, bytes: Vec::new(), filled: 0 }
    }

    /// At most a window's length at once.
    pub const MOST: usize = WINDOW;

    /// The bytes at an address; `None` where they cannot be read.
    pub fn bytes(&mut self, address: u64, length: usize) -> Option<&[u8]> {
        let offset = address.checked_sub(self.start).and_then(|offset| usize::try_from(offset).ok());
        if let Some(offset) = offset
            && offset.checked_add(length)? <= self.filled
        {
            return self.bytes.get(offset..offset + length);
        }
        if self.bytes.len() < length {
            self.bytes.resize(length.min(WINDOW), 0);
        }
        self.start = address;
        self.filled = memory::read(self.pid, address, &mut self.bytes);
        self.bytes.get(..length).filter(|_| length <= self.filled)
    }

    pub fn u32(&mut self, address: u64) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes(address, 4)?.try_into().ok()?))
    }
}
