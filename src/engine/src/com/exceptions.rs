//! The stack that an exception has recorded.

use super::heap::next;
use super::interfaces::{ExceptionCallStack, Module};
use super::pointer::{Interface, Pointer, Raw, Result};

/// A frame that an exception has come through.
pub struct ThrownFrame {
    pub module: Module,
    /// In the native code: within the call that threw.
    pub instruction: u64,
    /// A token without a row for code that was made at run time.
    pub method: u32,
    /// The frames behind it are of another place, where the exception was thrown again.
    pub ends_trace: bool,
}

/// CorDebugExceptionObjectStackFrame: the module is owned by the receiver.
#[derive(Clone, Copy)]
#[repr(C)]
struct RawFrame {
    module: Raw,
    instruction: u64,
    method: u32,
    ends_trace: i32,
}

/// Frames asked for at once.
const BLOCK: usize = 256;

impl ExceptionCallStack {
    /// All of them, the one that threw first.
    pub fn all(&self) -> Result<Vec<ThrownFrame>> {
        let mut all = Vec::new();
        loop {
            let empty = RawFrame { module: std::ptr::null_mut(), instruction: 0, method: 0, ends_trace: 0 };
            let mut block = vec![empty; BLOCK];
            // SAFETY: this enumerator's items are CorDebugExceptionObjectStackFrame.
            let got = unsafe { next(self, &mut block) }?;
            for raw in block.iter().take(got).filter(|raw| !raw.module.is_null()) {
                // SAFETY: it was handed out with a reference for its receiver.
                let module = Module::wrap(unsafe { Pointer::owned(raw.module) });
                let (instruction, method, ends_trace) = (raw.instruction, raw.method, raw.ends_trace != 0);
                all.push(ThrownFrame { module, instruction, method, ends_trace });
            }
            if got < BLOCK {
                return Ok(all);
            }
        }
    }
}
