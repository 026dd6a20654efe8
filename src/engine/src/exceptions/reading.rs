//! Type and message of what a thread throws, by a read of the program's memory: a throw costs microseconds of ours.

use std::sync::Arc;

use super::known::{Type, Types};
use super::{message, overrides_message};
use crate::com::{self, Interface as _, memory};
use crate::stopped::Stopped;

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
        if let Some(known) = self.0.get(&table) {
            let text = known.message_at.and_then(|at| text(pid, memory::word(pid, address.checked_add(at)?)?));
            return Some((known.name.clone(), text));
        }
        let value = stopped.value(exception);
        let name: Arc<str> = value.type_name().into();
        let field = value.object().and_then(|object| object.field("_message"));
        let field = field.filter(|_| !overrides_message(&value)).and_then(|field| field.com().address().ok());
        if self.0.len() < TYPES {
            let message_at = field.and_then(|field| field.checked_sub(address));
            self.0.insert(table, Type { name: name.clone(), message_at });
        }
        let words = message(&value).map(|words| words.chars().take(UNITS).collect());
        Some((name, words))
    }
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
