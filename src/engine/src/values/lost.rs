//! Variables that a frame of optimized code has lost: what an async method or an iterator does not use behind an `await` or a `yield` is
//! not kept across it, and the frame that goes on there has zeros in its place.

use crate::com::{self, Interface as _, element, memory, system};
use crate::stopped::{FrameData, Stopped};

/// A larger struct is read as far as that.
const MOST: usize = 1 << 12;

/// Whether the variable in a slot of a frame may have had another value before the method was suspended.
pub fn is_lost(stopped: &Stopped, thread: u32, at: &FrameData, (slot, value): (u16, &com::Value)) -> bool {
    let Some(assembly) = at.module.assembly() else { return false };
    // most code is no state machine's, and conditions read it at each hit
    let owner = assembly.method(at.method).declaring_type();
    if owner.is_none_or(|owner| !owner.name().starts_with('<')) {
        return false;
    }
    let is_cleared = || assembly.method(at.method).body().is_some_and(|body| body.init_locals);
    let may_be = || assembly.may_be_lost(at.method, slot, at.offset);
    // what is not cleared may hold anything
    (is_zero(stopped, value) || !is_cleared()) && may_be() && !is_first_frame(stopped, thread, at)
}

fn is_zero(stopped: &Stopped, value: &com::Value) -> bool {
    let is_zero = || {
        let mut bytes = vec![1; (value.size().ok()? as usize).min(MOST)];
        let count = memory::read(stopped.target().pid, value.address().ok()?, &mut bytes);
        Some(count == bytes.len() && bytes.iter().all(|byte| *byte == 0))
    };
    is_zero() == Some(true)
}

/// Whether a method was not suspended yet: until then its machine, a struct, is on the stack of who called it.
fn is_first_frame(stopped: &Stopped, thread: u32, at: &FrameData) -> bool {
    let is_first = || {
        let machine = at.il.argument(0).ok().filter(|this| this.kind() == Ok(element::BYREF))?;
        let machine = machine.cast::<com::ReferenceValue>().ok()?.target_address().ok()?;
        Some(system::stack(stopped.target().pid, thread)?.contains(&machine))
    };
    is_first() == Some(true)
}
