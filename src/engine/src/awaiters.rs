//! Who waits for an async method: from its task to the method that awaits it, and so on outwards. All is read from memory.

use clr_metadata::MethodId;

use crate::com;
use crate::frames::{self, Frame, Location, Thread};
use crate::stopped::Stopped;
use crate::types::Definition;
use crate::values::{Content, Value};

/// Numbers of frames from here on are of the async methods that wait for those of the stack, innermost first.
pub const FIRST: usize = (1 << 21) + 1;

/// Methods that wait for each other; more are not looked at.
const DEPTH: usize = 256;

/// Frames of a thread that are looked at.
const FRAMES: usize = 500;

/// Builders within builders, as libraries and the framework have them.
const BUILDERS: usize = 3;

/// Delegates and contexts between a task and what goes on.
const STEPS: usize = 8;

/// The framework's, which holds a state machine and is its task.
const BOX: &str = "AsyncStateMachineBox`1";

/// What an async iterator hands its elements over with: who waits for one is noted there, and nobody waits for its task.
pub const PROMISE: &str = "<>v__promiseOfValueOrEnd";

const LIST: &str = "System.Collections.Generic.List`1";

/// What `Parallel.ForEachAsync` returns the task of. Its workers, which nobody awaits, hold it.
const LOOP: &str = "ForEachAsyncState";

/// The framework's, which wakes a thread that waits for a task.
const BLOCKS: &str = "SetOnInvokeMres";

/// An async method that is suspended.
pub struct Awaiter<'s> {
    pub machine: Value<'s>,
    /// It completes that.
    pub task: Value<'s>,
    /// So many more wait for the same.
    pub others: usize,
}

/// What goes on when a task is complete.
pub enum Behind<'s> {
    /// No method; a thread may stand and wait, or be about to.
    Nobody,
    Method(Awaiter<'s>),
    /// Another task, such as that of `Task.WhenAll`.
    Task(Value<'s>),
    /// Something of that type.
    Unknown(String),
}

/// The async methods that wait for what a thread runs, innermost first.
pub struct Chain<'s> {
    pub awaiters: Vec<Awaiter<'s>>,
    /// Nobody waits for the last of them, or for the thread's own method; otherwise it is not known.
    pub is_whole: bool,
    /// The type of what goes on behind the last of them, where that says nothing of who waits.
    pub unknown: Option<String>,
}

impl Awaiter<'_> {
    /// Where in the source it waits.
    pub fn location(&self) -> Option<Location> {
        let definition = self.definition()?;
        let (method, offset) = self.place(&definition)?;
        frames::location(&definition.module, method, offset)
    }

    pub fn definition(&self) -> Option<Definition> {
        self.machine.object()?.definition()
    }

    /// The method, and the IL offset behind which it waits; `None` where no symbols tell that.
    pub fn place(&self, definition: &Definition) -> Option<(MethodId, u32)> {
        let state = usize::try_from(self.machine.object()?.field("<>1__state")?.integer()?).ok()?;
        let symbols = definition.module.symbols()?;
        let method = definition.view().methods().find(|&method| symbols.async_info(method).is_some())?;
        let point = *symbols.async_info(method)?.awaits.get(state)?;
        Some((method, point.yield_offset))
    }
}

impl Stopped {
    /// The state machine of an async method that waits for what a thread runs.
    ///
    /// # Errors
    /// So many do not wait.
    pub fn waiting_machine(&self, thread: u32, waiting: usize) -> com::Result<Value<'_>> {
        Ok(nth(self, thread, waiting)?.machine)
    }
}

/// One of the async methods that wait for what a thread runs.
///
/// # Errors
/// So many do not wait.
pub fn nth(stopped: &Stopped, thread: u32, waiting: usize) -> com::Result<Awaiter<'_>> {
    let chain = of_thread(stopped, &stopped.thread(thread)?);
    chain.and_then(|chain| chain.awaiters.into_iter().nth(waiting)).ok_or(com::HResult::INVALID_ARGUMENT)
}

/// `None`: no method of the thread was resumed, so all that waits for it is on its stack; or it is not known which task it completes.
pub fn of_thread<'s>(stopped: &'s Stopped, thread: &Thread<'s>) -> Option<Chain<'s>> {
    let mut task = thread.stack().ok()?.iter().take(FRAMES).find_map(|frame| resumed(stopped, frame))??;
    let mut chain = Chain { awaiters: Vec::new(), is_whole: false, unknown: None };
    for _ in 0..DEPTH {
        task = match behind(&task) {
            Behind::Method(awaiter) => {
                let task = awaiter.task.clone();
                chain.awaiters.push(awaiter);
                task
            }
            Behind::Task(task) => task,
            Behind::Nobody => match chain.awaiters.last().and_then(|worker| task_of_loop(&worker.machine)) {
                Some(task) => task,
                None => {
                    chain.is_whole = true;
                    break;
                }
            },
            Behind::Unknown(type_) => {
                chain.unknown = Some(type_);
                break;
            }
        };
    }
    Some(chain)
}

/// What a frame completes, if its method was suspended before: what called it now does not wait for it. `Some(None)`: it was, and the
/// task cannot be read.
fn resumed<'s>(stopped: &'s Stopped, frame: &Frame<'s>) -> Option<Option<Value<'s>>> {
    let at = frame.data();
    let this = || frame.this().ok().map(|this| stopped.value(this));
    if at.is_of_machine() {
        let machine = this()?;
        return match promise(&machine) {
            // nobody waits yet: who called it for an element is on the stack
            Some(promise) if continuation(&promise)?.is_null() => None,
            Some(promise) => Some(Some(promise)),
            None => task_of_machine(&machine).map(Some),
        };
    }
    let name = || at.module.assembly().map(|assembly| assembly.method(at.method).name().to_owned());
    if at.module.is_framework && name().as_deref() == Some("MoveNext") {
        // of a loop's worker, which was not suspended yet
        let task = this().and_then(|machine| task_of_loop(&machine));
        if task.is_some() {
            return Some(task);
        }
    }
    let is_box = at.module.is_framework && {
        let owner = at.module.assembly()?.method(at.method).declaring_type()?;
        owner.name() == BOX
    };
    is_box.then(|| this().filter(|task| task.object().is_some_and(|task| task.field("StateMachine").is_some())))
}

/// The task of the loop that a machine is a worker of.
fn task_of_loop<'s>(machine: &Value<'s>) -> Option<Value<'s>> {
    let machine = machine.object()?;
    let of_loop = |field: &Value<'s>| field.object().filter(|it| it.definition().is_some_and(|it| is_loop(&it)));
    machine.definition().filter(|definition| definition.module.is_framework)?;
    machine.fields().iter().find_map(of_loop)?.field("_task")
}

fn is_loop(definition: &Definition) -> bool {
    definition.view().name().contains(LOOP)
}

/// What a machine completes; a builder of a library has one of the framework's within.
pub fn task_of_machine<'s>(machine: &Value<'s>) -> Option<Value<'s>> {
    let mut level = vec![machine.object()?.field("<>t__builder")?];
    for _ in 0..BUILDERS {
        let tasks = level.iter().filter_map(|builder| builder.object()?.field("m_task"));
        if let Some(task) = tasks.filter(|task| !task.is_null()).find(|task| continuation(task).is_some()) {
            return Some(task);
        }
        level = level.iter().filter_map(Value::object).flat_map(|builder| builder.fields()).collect();
    }
    None
}

/// What goes on behind a task: of an async method its box, itself or behind a delegate or a context of its own. Of several the first
/// method, and how many more there are.
pub fn behind<'s>(task: &Value<'s>) -> Behind<'s> {
    let Some(first) = continuation(task) else { return Behind::Unknown(task.type_name()) };
    let all: Vec<Behind<'s>> = each(first).into_iter().map(led_to).collect();
    let methods = all.iter().filter(|one| matches!(one, Behind::Method(_))).count();
    let says_less = |one: &Behind<'_>| match one {
        Behind::Method(_) => 0,
        Behind::Task(_) => 1,
        Behind::Unknown(_) => 2,
        Behind::Nobody => 3,
    };
    match all.into_iter().min_by_key(says_less) {
        Some(Behind::Method(awaiter)) => Behind::Method(Awaiter { others: methods - 1, ..awaiter }),
        Some(other) => other,
        None => Behind::Nobody,
    }
}

/// What a task has for its continuation: null, one, or a list of them, which has nulls for those that were removed.
pub fn each(continuation: Value<'_>) -> Vec<Value<'_>> {
    let list = continuation.object().filter(|object| object.definition().is_some_and(|definition| definition.is(LIST)));
    let all = match list.and_then(|list| list.field("_items")?.content().ok()) {
        Some(Content::Array(items)) => (0..items.count()).filter_map(|at| items.at(at).ok()).collect(),
        _ => vec![continuation],
    };
    all.into_iter().filter(|one| !one.is_null()).collect()
}

/// What one continuation of a task leads to.
fn led_to(mut behind: Value<'_>) -> Behind<'_> {
    for _ in 0..STEPS {
        let Some(object) = behind.object() else { break };
        if let Some(machine) = object.field("StateMachine") {
            let task = promise(&machine).unwrap_or(behind);
            return Behind::Method(Awaiter { machine, task, others: 0 });
        }
        if object.definition().is_some_and(|definition| definition.view().name() == BLOCKS) {
            return Behind::Nobody;
        }
        if object.field("m_continuationObject").is_some() {
            return Behind::Task(behind);
        }
        // the last is what `ContinueWith` returned
        let next = ["m_action", "_target", "m_continuation", "_continuation", "m_task"];
        let Some(next) = next.iter().find_map(|name| object.field(name)) else { break };
        behind = next;
    }
    Behind::Unknown(behind.type_name())
}

fn promise<'s>(machine: &Value<'s>) -> Option<Value<'s>> {
    machine.object()?.field(PROMISE)
}

/// What a task goes on with, or what a builder that makes none (PoolingAsyncValueTaskMethodBuilder) and an iterator have instead.
fn continuation<'s>(task: &Value<'s>) -> Option<Value<'s>> {
    let task = task.object()?;
    let source = || task.field("_valueTaskSource")?.object()?.field("_continuationState");
    task.field("m_continuationObject").or_else(source).or_else(|| task.field("_continuationState"))
}
