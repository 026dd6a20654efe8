//! What threads wait for, who holds it, and which of them are deadlocked. Read from memory; nothing runs.

use std::collections::HashMap;

use crate::com::{self, BlockingReason, Interface as _};
use crate::frames::{Frame, Thread};
use crate::stopped::Stopped;
use crate::values::Value;

/// Frames between the call of the user and where the thread stands.
const FRAMES: usize = 32;

/// What a thread waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Monitor,
    /// `Monitor.Wait`: for a pulse.
    Pulse,
    Lock,
    Semaphore,
    Event,
    Task,
    ReaderWriterLock,
    Countdown,
    Barrier,
}

/// The types of the framework whose methods wait, with what they wait for. `Thread.Join` is not among them: none of its frames has the
/// thread that it waits for (.NET 10.0).
const TYPES: [(&str, Kind); 8] = [
    ("System.Threading.Lock", Kind::Lock),
    ("System.Threading.SemaphoreSlim", Kind::Semaphore),
    ("System.Threading.ManualResetEventSlim", Kind::Event),
    ("System.Threading.Tasks.Task", Kind::Task),
    ("System.Threading.Tasks.Task`1", Kind::Task),
    ("System.Threading.ReaderWriterLockSlim", Kind::ReaderWriterLock),
    ("System.Threading.CountdownEvent", Kind::Countdown),
    ("System.Threading.Barrier", Kind::Barrier),
];

/// A thread that waits for an object.
pub struct Wait<'s> {
    pub thread: u32,
    pub kind: Kind,
    pub object: Value<'s>,
    pub address: u64,
    /// The thread that can end the wait, where one thread alone can.
    pub owner: Option<u32>,
}

/// Of all threads that wait for something known.
pub fn waits(stopped: &Stopped) -> com::Result<Vec<Wait<'_>>> {
    let threads = stopped.threads()?;
    let number = |thread: &Thread<'_>| {
        let number = stopped.value(thread.com.object().ok()?).object()?.field("_managedThreadId")?.integer()?;
        Some((number, thread.id))
    };
    // those that own something by the number that the program knows them by
    let mut numbers: Option<HashMap<i128, u32>> = None;
    let mut found = Vec::new();
    for thread in &threads {
        let Some((kind, object)) = wait_of(stopped, thread) else { continue };
        let Some(address) = object.address() else { continue };
        let mut by_number = |field: &str| {
            let owner = object.object()?.field(field)?.integer()?;
            let numbers = numbers.get_or_insert_with(|| threads.iter().filter_map(number).collect());
            // a `Lock` has the system's number of the thread on some runtimes
            let by_system = || threads.iter().map(|thread| thread.id).find(|id| i128::from(*id) == owner);
            numbers.get(&owner).copied().or_else(by_system)
        };
        let owner = match kind {
            Kind::Monitor => monitor_owner(&object),
            Kind::Lock => by_number("_owningThreadId"),
            Kind::ReaderWriterLock => by_number("_writeLockOwnerId"),
            _ => None,
        };
        found.push(Wait { thread: thread.id, kind, object, address, owner });
    }
    Ok(found)
}

fn monitor_owner(object: &Value<'_>) -> Option<u32> {
    let object = object.target().ok()??;
    object.com().cast::<com::HeapValue3>().and_then(|it| it.monitor_owner()).ok()??.id().ok()
}

/// The outermost of what the framework waits with: a semaphore waits for a pulse of its own lock.
fn wait_of<'s>(stopped: &'s Stopped, thread: &Thread<'s>) -> Option<(Kind, Value<'s>)> {
    let stack = thread.stack().ok()?;
    let inner = stack.iter().take(FRAMES).take_while(|frame| frame.data().module.is_framework);
    let mut wait = None;
    for frame in inner {
        let Some(kind) = kind_of(frame) else { continue };
        // a frame of optimized code may have lost it
        let this = frame.this().ok().map(|this| stopped.value(this)).filter(|this| this.address().is_some());
        match (this, &wait) {
            (Some(this), _) => wait = Some((kind, this)),
            // without its object: what it waits with is not what it waits for
            (None, Some((known, _))) if *known != kind => wait = None,
            (None, _) => {}
        }
    }
    if wait.is_some() {
        return wait;
    }
    // whatever the innermost frame is: what enters a monitor has none of its own in .NET 8
    let blocking = thread.com.cast::<com::Thread4>().and_then(|it| it.blocking_objects()?.all()).ok()?;
    let (value, reason) = blocking.into_iter().next()?;
    let kind = match reason {
        BlockingReason::Enter => Kind::Monitor,
        BlockingReason::Wait => Kind::Pulse,
    };
    Some((kind, stopped.value(value)))
}

fn kind_of(frame: &Frame<'_>) -> Option<Kind> {
    let data = frame.data();
    let assembly = data.module.assembly()?;
    let method = assembly.method(data.method);
    let type_name = method.declaring_type()?.full_name();
    TYPES.iter().find(|(name, _)| *name == type_name).map(|(_, kind)| *kind)
}

/// Threads that wait for each other, each for the next, the last for the first. Each circle once, from its lowest id.
pub fn circles(waits: &[(u32, Option<u32>)]) -> Vec<Vec<u32>> {
    let next: HashMap<u32, u32> = waits.iter().filter_map(|&(thread, owner)| Some((thread, owner?))).collect();
    let mut circles: Vec<Vec<u32>> = Vec::new();
    for &(start, _) in waits {
        let mut chain = vec![start];
        while let Some(&then) = chain.last().and_then(|last| next.get(last)) {
            if let Some(at) = chain.iter().position(|&thread| thread == then) {
                let mut circle = chain.split_off(at);
                let first = circle.iter().enumerate().min_by_key(|(_, thread)| **thread).map_or(0, |(at, _)| at);
                circle.rotate_left(first);
                if !circles.iter().any(|known| known.contains(&then)) {
                    circles.push(circle);
                }
                break;
            }
            chain.push(then);
        }
    }
    circles
}

#[cfg(test)]
mod tests {
    use super::circles;

    #[test]
    fn a_circle_is_found_once_and_without_those_that_lead_to_it() {
        let waits = [(1, Some(3)), (2, Some(3)), (3, Some(2)), (4, None), (5, Some(4)), (6, Some(6)), (7, Some(1))];
        assert_eq!(circles(&waits), [vec![2, 3], vec![6]]);
        assert!(circles(&[(1, Some(2)), (2, None)]).is_empty());
    }
}
