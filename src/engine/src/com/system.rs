//! What the engine asks of the operating system: to start a program and hold it, to find what a process has mapped, to read its memory,
//! to see its end. One module for each system answers, all with the same functions; nothing else in the crate depends on the system.
//!
//! Linux has one. Elsewhere nothing is debugged yet ([`Unsupported`]): the engine only compiles there.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as this;
#[cfg(not(target_os = "linux"))]
mod unsupported;
#[cfg(not(target_os = "linux"))]
use unsupported as this;

use std::io;
use std::process::{ChildStderr, ChildStdout};

pub use this::*;

/// Why nothing is debugged on a system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unsupported: the built-in engine starts, holds and reads programs by what Linux offers, and has nothing for {system} yet; use another debug adapter there, such as netcoredbg"
)]
pub struct Unsupported {
    /// As Rust names it.
    pub system: &'static str,
}

/// A program that was started and waits before its first managed instruction.
pub struct Held {
    pub pid: u32,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
    pub end: End,
    pub gate: Gate,
}

/// Why no program is held. None runs then.
#[derive(Debug)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "nothing is started"))]
pub enum HoldError {
    Spawn(io::Error),
    /// With that exit code, before its runtime started.
    Ended(i32),
    /// No runtime started in time.
    NoRuntime,
}

/// Changes our own environment.
pub fn set_variable(name: &str, value: &std::ffi::OsStr) {
    // SAFETY: called before libmscordbi is loaded; the other threads here only read requests and pipes.
    unsafe { std::env::set_var(name, value) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_system_and_the_way_out() {
        let text = Unsupported { system: "windows" }.to_string();
        assert!(text.starts_with("unsupported: "), "{text}");
        assert!(text.contains("nothing for windows yet") && text.contains("netcoredbg"), "{text}");
    }
}
