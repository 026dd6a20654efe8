//! The object that has what a thread waits with: an event, a mutex or a semaphore of the system by its handle, and what is built on an
//! event of the framework.

use std::collections::HashSet;

use super::Kind;
use crate::com::{self, Interface as _, memory, system};
use crate::frames::Thread;
use crate::stopped::Stopped;
use crate::values::Value;

/// What the framework keeps of a handle of the system.
pub(super) const SAFE: &str = "Microsoft.Win32.SafeHandles.SafeWaitHandle";

/// Those that have one.
const WAIT_HANDLES: [&str; 5] = [
    "System.Threading.AutoResetEvent",
    "System.Threading.ManualResetEvent",
    "System.Threading.EventWaitHandle",
    "System.Threading.Mutex",
    "System.Threading.Semaphore",
];

/// An object of the framework makes its handle as soon as it is made: it lies before it, at a short distance.
const BEFORE: u64 = 0x1000;
/// Of a stack.
const STACK: usize = 1 << 16;

/// The event, mutex or semaphore that has a handle, where it can be found: it lies before it, or the stack has it.
pub(super) fn owner<'s>(stopped: &'s Stopped, thread: &Thread<'s>, safe: &Value<'s>) -> Option<Value<'s>> {
    let address = safe.address()?;
    let start = address.saturating_sub(BEFORE);
    let mut bytes = vec![0; BEFORE as usize];
    let read = memory::read(stopped.target().pid, start, &mut bytes);
    let words = bytes.get(..read).unwrap_or_default().chunks_exact(8);
    let has_it = |word: &[u8]| word.try_into().is_ok_and(|word| u64::from_le_bytes(word) == address);
    // the field is the first of the object
    let near = words.enumerate().filter(|(_, word)| has_it(word)).map(|(at, _)| start + (at as u64 * 8) - 8);
    let all = near.chain(stack(stopped, thread));
    find(stopped, &WAIT_HANDLES, "_waitHandle", address, all)
}

/// What a wait of such a kind, of which no frame has the object, is for: the object on the stack that holds what the thread waits with.
pub(super) fn around<'s>(stopped: &'s Stopped, thread: &Thread<'s>, kind: Kind, with: &Value<'s>) -> Option<Value<'s>> {
    let (type_name, field) = match kind {
        Kind::Countdown => ("System.Threading.CountdownEvent", "_event"),
        _ => return None,
    };
    find(stopped, &[type_name], field, with.address()?, stack(stopped, thread))
}

/// The first object of one of these classes whose field refers to an address.
fn find<'s>(
    stopped: &'s Stopped,
    classes: &[&str],
    field: &str,
    of: u64,
    addresses: impl IntoIterator<Item = u64>,
) -> Option<Value<'s>> {
    let process: com::Process5 = stopped.target().process().ok()?.cast().ok()?;
    let tables: Vec<u64> = classes.iter().filter_map(|name| method_table(stopped, name)).collect();
    let is_one = |address: &u64| word(stopped, *address).is_some_and(|table| tables.contains(&table));
    addresses.into_iter().filter(is_one).find_map(|address| {
        let object = stopped.value(process.object(address).ok()?.cast().ok()?);
        (object.object()?.field(field)?.address() == Some(of)).then_some(object)
    })
}

/// What each object of a class begins with.
pub(super) fn method_table(stopped: &Stopped, class: &str) -> Option<u64> {
    let class = ["System.Private.CoreLib", "System.Threading"].iter().find_map(|module| {
        let module = stopped.target().modules.named(module)?;
        module.class(module.assembly()?.find_definition(class)?).ok()
    });
    let class: com::Class2 = class?.cast().ok()?;
    let type_ = class.with_arguments(com::element::CLASS, &[]).ok()?;
    Some(type_.cast::<com::Type2>().ok()?.id().ok()?.token1)
}

fn word(stopped: &Stopped, address: u64) -> Option<u64> {
    memory::word(stopped.target().pid, address)
}

/// What may be addresses of objects on a stack, the innermost first.
fn stack(stopped: &Stopped, thread: &Thread<'_>) -> Vec<u64> {
    let pid = stopped.target().pid;
    let Some(stack) = system::stack(pid, thread.id) else { return Vec::new() };
    words(pid, stack.start, STACK.min(usize::try_from(stack.end - stack.start).unwrap_or(STACK)))
}

/// The same of any memory, each once.
pub(super) fn words(pid: u32, start: u64, length: usize) -> Vec<u64> {
    let mut bytes = vec![0; length];
    let read = memory::read(pid, start, &mut bytes);
    let words = bytes.get(..read).unwrap_or_default().chunks_exact(8);
    let words = words.filter_map(|word| word.try_into().ok()).map(u64::from_le_bytes);
    let mut known = HashSet::new();
    words.filter(|word| *word > u64::from(u16::MAX) && word % 8 == 0 && known.insert(*word)).collect()
}
