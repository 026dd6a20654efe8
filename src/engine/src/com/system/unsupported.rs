//! A system on which nothing is debugged yet. Every start is refused by [`support`], so nothing else is asked: there is no process to
//! ask for.
//!
//! What another system's module has to bring: a way to hold a program until the debugger is there (the runtime waits for an event on
//! Windows), the loader, the libraries, memory and stacks of a process, its end, and the way to the runtime's diagnostic port.

use std::convert::Infallible;
use std::ffi::{CStr, OsString};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::super::pointer::Raw;
use super::{HoldError, Unsupported};

pub fn support() -> Result<(), Unsupported> {
    Err(Unsupported { system: std::env::consts::OS })
}

/// No program was started.
pub struct End(Infallible);

impl End {
    pub fn exit_code(self) -> Option<i32> {
        match self.0 {}
    }
}

/// No program is held.
pub struct Gate(Infallible);

impl Gate {
    pub fn open(self) {
        match self.0 {}
    }
}

pub fn start_held(_: Command, _: Duration) -> Result<super::Held, HoldError> {
    Err(HoldError::Spawn(io::ErrorKind::Unsupported.into()))
}

pub fn load(_: &str) -> Result<Raw, String> {
    Err(io::Error::from(io::ErrorKind::Unsupported).to_string())
}

pub fn symbol(_: Raw, _: &CStr) -> Option<Raw> {
    None
}

pub fn forget_what_was_read_ahead() {}

pub fn share_allocations() {}

pub fn exists(_: u32) -> bool {
    false
}

pub fn is_suspended(_: u32) -> bool {
    false
}

pub fn kill(_: u32) {}

pub fn await_end(_: u32) -> Option<Option<i32>> {
    None
}

pub fn process_name(_: u32) -> Option<String> {
    None
}

pub fn thread_name(_: u32, _: u32) -> Option<String> {
    None
}

pub fn variable(_: u32, _: &str) -> Option<OsString> {
    None
}

pub fn mapped_files(_: u32) -> Vec<(u64, PathBuf)> {
    Vec::new()
}

pub fn read_memory(_: u32, _: u64, _: &mut [u8]) -> usize {
    0
}

pub fn stack(_: u32, _: u32) -> Option<Range<u64>> {
    None
}

pub struct BusyThreads;

impl BusyThreads {
    pub fn seen_now(_: u32) -> Self {
        Self
    }

    pub fn interrupt(&mut self) {}
}
