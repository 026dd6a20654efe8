//! Which thread a task needs to be complete: the one that runs it, or runs what it awaits.

use std::collections::{HashMap, VecDeque};

use crate::awaiters::{self, task_of_machine};
use crate::com::{self, Interface as _};
use crate::stopped::Stopped;
use crate::types;
use crate::values::{Place, Root, Value};

const TASK: &str = "System.Threading.Tasks.Task";
/// `TASK_STATE_COMPLETED_MASK` of System.Threading.Tasks.Task.
const COMPLETED: i128 = 0x160_0000;
/// Frames of a thread that are looked at.
const FRAMES: usize = 500;
/// Tasks that wait for each other; more are not followed.
const MOST: usize = 10_000;

/// The thread that a task needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Runner {
    pub thread: u32,
    /// It runs the task itself, not what the task awaits.
    pub is_direct: bool,
}

pub(super) fn is_complete(task: &Value<'_>) -> bool {
    flags(task).is_some_and(|flags| flags & COMPLETED != 0)
}

/// `Task.m_stateFlags`
pub(super) fn flags(task: &Value<'_>) -> Option<i128> {
    task.object()?.field("m_stateFlags")?.integer()
}

/// By the addresses of tasks that cannot be complete before a thread goes on, that thread.
pub(super) fn runners(stopped: &Stopped) -> HashMap<u64, Runner> {
    let mut found = HashMap::new();
    let mut queue = VecDeque::new();
    let current = current_task(stopped);
    for thread in stopped.threads().unwrap_or_default() {
        let of_thread = current.as_ref().and_then(|current| current(thread.id).read(stopped).ok());
        let frames = thread.stack().unwrap_or_default().into_iter().take(FRAMES);
        let machines = frames.filter(|frame| frame.data().is_of_machine()).filter_map(|frame| frame.this().ok());
        let of_machines = machines.filter_map(|machine| task_of_machine(&stopped.value(machine)));
        for task in of_thread.into_iter().chain(of_machines) {
            if let Some(address) = task.address().filter(|address| !found.contains_key(address)) {
                found.insert(address, Runner { thread: thread.id, is_direct: true });
                queue.push_back((task, thread.id));
            }
        }
    }
    while let Some((task, thread)) = queue.pop_front() {
        for waiting in awaiting(&task) {
            let Some(address) = waiting.address() else { continue };
            if found.len() < MOST && !found.contains_key(&address) {
                found.insert(address, Runner { thread, is_direct: false });
                queue.push_back((waiting, thread));
            }
        }
    }
    found
}

/// Where each thread has the task that it runs.
fn current_task(stopped: &Stopped) -> Option<impl Fn(u32) -> Place + use<>> {
    let task = types::core(stopped.target(), TASK)?;
    let field = crate::values::field_named(&task, "t_currentTask")?;
    let type_ = task.class.cast::<com::Class2>().ok()?.with_arguments(com::element::CLASS, &[]).ok()?;
    Some(move |thread| Place::of(Root::Static { thread, type_: type_.clone(), field }))
}

/// The tasks that cannot be complete before one is: those of async methods that await it, and those that wait for all of several. Of what
/// waits for any of them, and of what runs code of its own when it is complete, nothing is certain.
fn awaiting<'s>(task: &Value<'s>) -> Vec<Value<'s>> {
    let behind = task.object().and_then(|task| task.field("m_continuationObject"));
    behind.map(awaiters::each).unwrap_or_default().iter().filter_map(waiting).collect()
}

/// The task behind a continuation: of an async method its box, also behind what resumes it elsewhere.
fn waiting<'s>(continuation: &Value<'s>) -> Option<Value<'s>> {
    let mut behind = continuation.clone();
    for _ in 0..8 {
        let object = behind.object()?;
        if object.field("StateMachine").is_some() {
            return Some(behind);
        }
        let name = object.definition()?.view().full_name();
        let name = name.split('`').next()?.rsplit(['.', '+']).next()?;
        if matches!(name, "UnwrapPromise" | "WhenAllPromise") && object.field("m_stateFlags").is_some() {
            return Some(behind);
        }
        behind = ["m_action", "_target"].iter().find_map(|name| object.field(name))?;
    }
    None
}
