//! What the runtime knows of monitors: on which objects a thread blocks, and who owns an object's monitor.

use super::heap::next;
use super::interfaces::{BlockingObjects, HeapValue3, Thread, Value};
use super::pointer::{HResult, Interface, Pointer, Raw, Result};

/// CorDebugBlockingObject: the value is owned by the receiver.
#[derive(Clone, Copy)]
#[repr(C)]
struct RawBlocking {
    value: Raw,
    timeout: u32,
    reason: u32,
}

/// CorDebugBlockingReason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockingReason {
    /// To own the monitor.
    Enter,
    /// For a pulse.
    Wait,
}

impl BlockingObjects {
    /// The innermost first: a thread waits for that one, so many milliseconds at most; `u32::MAX` is no limit.
    pub fn all(&self) -> Result<Vec<(Value, BlockingReason, u32)>> {
        let empty = RawBlocking { value: std::ptr::null_mut(), timeout: 0, reason: 0 };
        let mut block = [empty; 8];
        // SAFETY: this enumerator's items are CorDebugBlockingObject.
        let got = unsafe { next(self, &mut block) }?;
        let read = |raw: &RawBlocking| {
            // SAFETY: handed out with a reference for its receiver.
            let value = (!raw.value.is_null()).then(|| Value::wrap(unsafe { Pointer::owned(raw.value) }))?;
            let reason = match raw.reason {
                1 => BlockingReason::Enter,
                2 => BlockingReason::Wait,
                _ => return None,
            };
            Some((value, reason, raw.timeout))
        };
        Ok(block.iter().take(got).filter_map(read).collect())
    }
}

impl HeapValue3 {
    /// The thread that owns the object's monitor, `None` if nobody does.
    pub fn monitor_owner(&self) -> Result<Option<Thread>> {
        let (mut owner, mut count) = (std::ptr::null_mut(), 0_u32);
        // SAFETY: slot 3 is GetThreadOwningMonitorLock(thread, acquisition count).
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, *mut Raw, *mut u32) -> i32>(3)(
                self.pointer().raw(),
                &raw mut owner,
                &raw mut count,
            )
        })?;
        // SAFETY: handed out with a reference for its receiver.
        Ok((!owner.is_null()).then(|| Thread::wrap(unsafe { Pointer::owned(owner) })))
    }
}
