//! What threads wait for, who holds it, and which of them are deadlocked. Read from memory; nothing runs.

mod calls;
mod handles;
mod joins;
mod tasks;

use std::collections::{HashMap, HashSet};

pub use tasks::Runner;

use crate::com::{self, Interface as _};
use crate::frames::Thread;
use crate::stopped::Stopped;
use crate::values::Value;

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
    /// `Task.WaitAny`.
    AnyTask,
    /// `Task.WaitAll`, of which each task that is not complete is a wait of its own.
    AllTasks,
    ReaderWriterLock,
    Countdown,
    Barrier,
    /// Of a `BlockingCollection`: to take an item, or to add one.
    Item,
    Room,
    /// An event, mutex or semaphore of the system.
    Handle,
    AnyHandle,
    AllHandles,
    /// Of several, any or all.
    SomeHandles,
    /// `Thread.Join`: for the end of a thread.
    Join,
}

/// What a thread waits for, as its stack shows it.
struct Waited<'s> {
    kind: Kind,
    /// At least one.
    objects: Vec<Value<'s>>,
    /// Nothing else ends the wait, neither time nor a token.
    is_endless: bool,
}

/// A thread that waits for an object, or for any or all of several.
pub struct Wait<'s> {
    pub thread: u32,
    pub kind: Kind,
    pub objects: Vec<Value<'s>>,
    /// The thread that can end the wait, where one thread alone can: it holds the object, runs the task, or is to end.
    pub owner: Option<u32>,
    /// Of a task: the owner runs what it awaits, not the task itself.
    pub is_indirect: bool,
    /// Nothing else ends the wait, neither time nor a token.
    pub is_endless: bool,
    /// How far it is: `2 of 3 left`.
    pub progress: Option<String>,
}

impl Wait<'_> {
    /// The state of a task as it keeps it, of [`Kind::Task`].
    pub fn task_flags(&self) -> Option<i128> {
        self.objects.first().filter(|_| self.kind == Kind::Task).and_then(tasks::flags)
    }
}

/// Of all threads that wait for something known.
pub fn waits(stopped: &Stopped) -> com::Result<Vec<Wait<'_>>> {
    let threads = stopped.threads()?;
    let mut owners = Owners { stopped, threads: &threads, numbers: None, runners: None };
    let mut found = Vec::new();
    for thread in &threads {
        let Some(waited) = calls::waited(stopped, thread) else { continue };
        let (kind, objects) = match waited.kind {
            // one wait for each
            Kind::AllTasks => (Kind::Task, waited.objects.into_iter().map(|task| vec![task]).collect()),
            Kind::Handle | Kind::AnyHandle | Kind::AllHandles | Kind::SomeHandles => {
                let of_safe = |safe| handles::owner(stopped, thread, &safe).unwrap_or(safe);
                (waited.kind, vec![waited.objects.into_iter().map(of_safe).collect()])
            }
            kind => (kind, vec![waited.objects]),
        };
        for objects in objects {
            let Some(object) = objects.first() else { continue };
            let owner = owners.of(kind, object);
            let is_indirect = kind == Kind::Task && owner.is_some_and(|owner| !owner.is_direct);
            found.push(Wait {
                thread: thread.id,
                kind,
                owner: owner.map(|owner| owner.thread),
                is_indirect,
                is_endless: waited.is_endless,
                progress: progress(kind, object),
                objects,
            });
        }
    }
    Ok(found)
}

/// Who can end waits.
struct Owners<'t, 's> {
    stopped: &'s Stopped,
    threads: &'t [Thread<'s>],
    /// Threads by the number that the program knows them by, once one is looked for.
    numbers: Option<HashMap<i128, u32>>,
    /// Threads that tasks need, by the address of the task.
    runners: Option<HashMap<u64, Runner>>,
}

impl Owners<'_, '_> {
    fn of(&mut self, kind: Kind, object: &Value<'_>) -> Option<Runner> {
        let thread = match kind {
            Kind::Monitor => monitor_owner(object),
            Kind::Lock => self.by_number(object, "_owningThreadId"),
            Kind::ReaderWriterLock => self.by_number(object, "_writeLockOwnerId"),
            Kind::Join => {
                let is_it = |thread: &&Thread<'_>| {
                    let of_thread = thread.com.object().map(|it| self.stopped.value(it).address());
                    of_thread.is_ok_and(|address| address.is_some() && address == object.address())
                };
                self.threads.iter().find(is_it).map(|thread| thread.id)
            }
            Kind::Task => {
                let runners = self.runners.get_or_insert_with(|| tasks::runners(self.stopped));
                return runners.get(&object.address()?).copied();
            }
            _ => None,
        };
        thread.map(|thread| Runner { thread, is_direct: true })
    }

    fn by_number(&mut self, object: &Value<'_>, field: &str) -> Option<u32> {
        let owner = object.object()?.field(field)?.integer()?;
        let number = |thread: &Thread<'_>| {
            let object = self.stopped.value(thread.com.object().ok()?).object()?;
            Some((object.field("_managedThreadId")?.integer()?, thread.id))
        };
        let numbers = self.numbers.get_or_insert_with(|| self.threads.iter().filter_map(number).collect());
        // a `Lock` has the system's number of the thread on some runtimes
        let by_system = || self.threads.iter().map(|thread| thread.id).find(|id| i128::from(*id) == owner);
        numbers.get(&owner).copied().or_else(by_system)
    }
}

fn monitor_owner(object: &Value<'_>) -> Option<u32> {
    let object = object.target().ok()??;
    object.com().cast::<com::HeapValue3>().and_then(|it| it.monitor_owner()).ok()??.id().ok()
}

/// How far what is waited for is.
fn progress(kind: Kind, object: &Value<'_>) -> Option<String> {
    let object = object.object()?;
    let number = |field: &str| object.field(field)?.integer();
    match kind {
        Kind::Countdown => Some(format!("{} of {} left", number("_currentCount")?, number("_initialCount")?)),
        Kind::Barrier => {
            // Barrier.cs: who has arrived above, who takes part below, and which phase it is
            let counts = number("_currentTotalCount")?;
            Some(format!("{} of {} arrived", counts >> 16 & 0x7fff, counts & 0x7fff))
        }
        // ReaderWriterLockSlim.cs: above the number of readers is who waits, and whether one writes
        Kind::ReaderWriterLock => match number("_owners")? {
            owners if owners & 0x8000_0000 != 0 || owners & 0x0fff_ffff == 0 => None,
            owners if owners & 0x0fff_ffff == 1 => Some("1 reader".into()),
            owners => Some(format!("{} readers", owners & 0x0fff_ffff)),
        },
        _ => None,
    }
}

/// Threads that wait for each other, each for the next, the last for the first: each pair is a thread and one that it waits for. Each
/// circle once, from its lowest id; of those that share a thread one.
pub fn circles(waits: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut next: HashMap<u32, Vec<u32>> = HashMap::new();
    for &(thread, owner) in waits {
        next.entry(thread).or_default().push(owner);
    }
    let mut circles: Vec<Vec<u32>> = Vec::new();
    let mut done = HashSet::new();
    for &(start, _) in waits {
        // the threads on the way, and of each how many of those that it waits for were looked at
        let mut way = vec![(start, 0)];
        while let Some((thread, looked)) = way.last_mut() {
            let then = next.get(thread).and_then(|owners| owners.get(*looked)).copied();
            *looked += 1;
            match then {
                None => {
                    done.extend(way.pop().map(|(thread, _)| thread));
                }
                Some(then) => match way.iter().position(|(thread, _)| *thread == then) {
                    Some(at) => {
                        let mut circle: Vec<u32> = way.iter().skip(at).map(|(thread, _)| *thread).collect();
                        let first =
                            circle.iter().enumerate().min_by_key(|(_, thread)| **thread).map_or(0, |(at, _)| at);
                        circle.rotate_left(first);
                        if !circles.iter().flatten().any(|known| circle.contains(known)) {
                            circles.push(circle);
                        }
                    }
                    None if done.contains(&then) => {}
                    None => way.push((then, 0)),
                },
            }
        }
    }
    circles
}

#[cfg(test)]
mod tests {
    use super::circles;

    #[test]
    fn a_circle_is_found_once_and_without_those_that_lead_to_it() {
        let waits = [(1, 3), (2, 3), (3, 2), (5, 4), (6, 6), (7, 1)];
        assert_eq!(circles(&waits), [vec![2, 3], vec![6]]);
        assert!(circles(&[(1, 2)]).is_empty());
    }

    #[test]
    fn one_of_several_that_a_thread_waits_for_can_lead_back_to_it() {
        let waits = [(1, 4), (1, 2), (1, 5), (2, 3), (3, 1)];
        assert_eq!(circles(&waits), [vec![1, 2, 3]]);
    }
}
