//! Registers of a thread that stands still, from its CONTEXT as x64 has it (winnt.h).
//!
//! Another processor's has another layout: there they are refused, and who asks does without. A condition is evaluated anew at each hit,
//! and a struct that was returned is not readable.

use super::interfaces::Process;
use super::pointer::{HResult, Interface as _, Raw, Result};

/// Where a thread stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registers {
    pub instruction_pointer: u64,
    /// RBP.
    pub frame_pointer: u64,
}

/// Where a call has left what it returned, by the calling convention of System V.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReturnRegisters {
    /// RAX and RDX.
    pub integers: [u64; 2],
    /// The lower halves of XMM0 and XMM1.
    pub floats: [u64; 2],
}

/// Their offsets and the context's own.
mod x64 {
    pub const SIZE: u32 = 1232;
    pub const FLAGS: usize = 0x30;
    pub const CONTROL_AND_INTEGER: u32 = 0x0010_0003;
    pub const CONTROL_INTEGER_AND_FLOATING_POINT: u32 = 0x0010_000b;
    pub const RAX: usize = 0x78;
    pub const RDX: usize = 0x88;
    pub const RBP: usize = 0xa0;
    pub const RIP: usize = 0xf8;
    pub const XMM0: usize = 0x1a0;
    pub const XMM1: usize = 0x1b0;
}

impl Process {
    /// Costs no look at the runtime's own data, as anything that knows of frames does.
    pub fn registers(&self, thread: u32) -> Result<Registers> {
        let at = self.context(thread, x64::CONTROL_AND_INTEGER)?;
        Ok(Registers { instruction_pointer: at(x64::RIP)?, frame_pointer: at(x64::RBP)? })
    }

    pub fn return_registers(&self, thread: u32) -> Result<ReturnRegisters> {
        // there a struct of two words is returned in memory
        if cfg!(windows) {
            return Err(HResult::NOT_IMPLEMENTED);
        }
        let at = self.context(thread, x64::CONTROL_INTEGER_AND_FLOATING_POINT)?;
        Ok(ReturnRegisters { integers: [at(x64::RAX)?, at(x64::RDX)?], floats: [at(x64::XMM0)?, at(x64::XMM1)?] })
    }

    /// The parts of a thread's context that `flags` name: a register by its offset.
    fn context(&self, thread: u32, flags: u32) -> Result<impl Fn(usize) -> Result<u64> + use<>> {
        if !cfg!(target_arch = "x86_64") {
            return Err(HResult::NOT_IMPLEMENTED);
        }
        let mut context = vec![0_u8; x64::SIZE as usize];
        if let Some(place) = context.get_mut(x64::FLAGS..x64::FLAGS + 4) {
            place.copy_from_slice(&flags.to_le_bytes());
        }
        // SAFETY: slot 19 is GetThreadContext(thread, size, buffer); the buffer has that size.
        let answer = unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, u32, u32, *mut u8) -> i32>(19)(
                self.pointer().raw(),
                thread,
                x64::SIZE,
                context.as_mut_ptr(),
            )
        };
        HResult::check(answer)?;
        Ok(move |offset: usize| {
            let bytes = context.get(offset..offset + 8).and_then(|bytes| bytes.try_into().ok());
            bytes.map(u64::from_le_bytes).ok_or(HResult::INVALID_ARGUMENT)
        })
    }
}
