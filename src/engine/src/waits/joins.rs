//! The thread that `Thread.Join` waits for. No variable of its frames has it, but the memory of its stack does: there the runtime keeps
//! the object as long as the call lasts.

use clr_metadata::il::{Operand, op};

use super::handles;
use crate::com::{self, Interface as _, memory, system};
use crate::frames::{Frame, Thread};
use crate::stopped::Stopped;
use crate::values::Value;

const THREAD: &str = "System.Threading.Thread";

/// The slots below the stack pointer that code may use without moving it.
const RED_ZONE: u64 = 128;
/// What the runtime's own code takes of a stack in a wait; more is no wait.
const MOST: u64 = 1 << 16;

/// By the frame that called `Thread.Join`: where that one's stack begins, what it called has its end.
pub(super) fn joined<'s>(stopped: &'s Stopped, thread: &Thread<'s>, caller: &Frame<'_>) -> Option<Value<'s>> {
    let native = caller.data().il.cast::<com::NativeFrame>().ok()?;
    within(stopped, thread, native.stack_start().ok()?)
}

/// In .NET 8 what waits with a limit has no frame: the runtime does it itself, called by code that stands at the call.
pub(super) fn joined_natively<'s>(stopped: &'s Stopped, thread: &Thread<'s>, caller: &Frame<'_>) -> Option<Value<'s>> {
    if !thread.com.user_state().is_ok_and(|state| state & com::WAITS != 0) || !calls_join(caller) {
        return None;
    }
    joined(stopped, thread, caller)
}

/// Whether the call that a frame is in is one of `Thread.Join`.
fn calls_join(frame: &Frame<'_>) -> bool {
    let data = frame.data();
    let called = || {
        let assembly = data.module.assembly()?;
        let body = assembly.method(data.method).body()?;
        let mut calls = body.instructions().map_while(Result::ok).filter(|it| it.offset >= data.offset);
        let token = calls.find_map(|it| match it.operand {
            Operand::Token(token) if matches!(it.opcode, op::CALL | op::CALLVIRT) => Some(token),
            _ => None,
        })?;
        let callee = assembly.callee(token)?;
        Some(callee.type_name == THREAD && callee.method == "Join")
    };
    called() == Some(true)
}

/// The one thread, beside itself, whose object the stack has between where the thread stands and an address. What calls that have
/// returned left there may be others: then which one it is cannot be known.
fn within<'s>(stopped: &'s Stopped, thread: &Thread<'s>, end: u64) -> Option<Value<'s>> {
    let pid = stopped.target().pid;
    let start = system::stack(pid, thread.id)?.start.saturating_sub(RED_ZONE) & !7;
    let length = end.checked_sub(start).filter(|length| *length <= MOST)?;
    let own = stopped.value(thread.com.object().ok()?).address()?;
    let class = handles::method_table(stopped, THREAD)?;
    let words = handles::words(pid, start, usize::try_from(length).ok()?);
    let mut objects = words.into_iter().filter(|word| *word != own && memory::word(pid, *word) == Some(class));
    let joined = objects.next().filter(|_| objects.next().is_none())?;
    let threads = stopped.threads().ok()?;
    let mut threads = threads.iter().filter_map(|thread| Some(stopped.value(thread.com.object().ok()?)));
    // one that has ended is not waited for
    threads.find(|thread| thread.address() == Some(joined))
}
