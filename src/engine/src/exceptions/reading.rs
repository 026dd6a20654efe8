//! Type and message of what a thread throws, by a read of the program's memory: a throw costs microseconds of ours.

use std::sync::Arc;

use super::known::{Message, Type, Types};
use super::{message, overrides_message, says_what_was_given};
use crate::com::{self, Interface as _, memory};
use crate::stopped::Stopped;
use crate::values::Value;

/// Units of a message that are kept.
const UNITS: usize = 200;
/// Types that are remembered.
const TYPES: usize = 4_096;

impl Types {
    /// Of the exception that a thread has.
    pub fn read(&mut self, stopped: &Stopped, thread: &com::Thread) -> Option<(Arc<str>, Option<String>)> {
        let pid = stopped.target().pid;
        let exception = thread.current_exception().ok()?;
        let address = exception.cast::<com::ReferenceValue>().and_then(|it| it.target_address()).ok()?;
        let table = memory::word(pid, address)?;
        let known = self.0.get(&table);
        if let Some(Type { name, message: Message::At(at) }) = known {
            let text = at.and_then(|at| text(pid, memory::word(pid, address.checked_add(at)?)?));
            return Some((name.clone(), text));
        }
        let value = stopped.value(exception);
        let words = || message(&value).map(|words| words.chars().take(UNITS).collect());
        if let Some(known) = known {
            return Some((known.name.clone(), words()));
        }
        let name: Arc<str> = value.type_name().into();
        if self.0.len() < TYPES {
            self.0.insert(table, Type { name: name.clone(), message: found(&value, address) });
        }
        Some((name, words()))
    }
}

/// How the messages of a type are found, by an exception at an address.
fn found(exception: &Value<'_>, address: u64) -> Message {
    if overrides_message(exception) {
        return Message::At(None);
    }
    if !says_what_was_given(exception) {
        return Message::Composed;
    }
    let field = exception.object().and_then(|object| object.field("_message"));
    Message::At(field.and_then(|field| field.com().address().ok()).and_then(|field| field.checked_sub(address)))
}

/// The string at an address: a method table, the number of its units, the units.
fn text(pid: u32, string: u64) -> Option<String> {
    const LENGTH: u64 = 8;
    const FIRST: u64 = 12;
    let mut length = [0_u8; 4];
    if string == 0 || memory::read(pid, string.checked_add(LENGTH)?, &mut length) < length.len() {
        return None;
    }
    let count = usize::try_from(u32::from_le_bytes(length)).ok()?.min(UNITS);
    let mut bytes = vec![0_u8; count * 2];
    if memory::read(pid, string.checked_add(FIRST)?, &mut bytes) < bytes.len() {
        return None;
    }
    let units: Vec<u16> = bytes.chunks_exact(2).filter_map(|it| it.try_into().ok().map(u16::from_le_bytes)).collect();
    Some(String::from_utf16_lossy(&units))
}
