//! The return of an async method to whoever awaits it, now or later, and of an async iterator to who waits for its next element.
//!
//! A task can be asked to say so: with a flag of its state set, the first that takes its result calls a method that does nothing, made
//! for debuggers (`Task.NotifyDebuggerOfWaitCompletion`). The step waits there, and leaves it for the awaiting method.

use std::sync::Arc;

use clr_metadata::{AwaitPoint, MethodId, Primitive};

use super::invocation::{identity, kept, task_of};
use crate::awaiters::{self, PROMISE};
use crate::com::{self, Interface as _};
use crate::frames::{Frame, Thread};
use crate::modules::Module;
use crate::stopped::Stopped;
use crate::values::{Content, Scalar, Value};

/// `TASK_STATE_WAIT_COMPLETION_NOTIFICATION` of System.Threading.Tasks.Task.
const NOTIFY: i128 = 0x1000_0000;

/// What takes an element of it, and what the end of its disposal.
const TAKEN: &str = "IValueTaskSource<System.Boolean>.GetResult";
const DISPOSED: &str = "IValueTaskSource.GetResult";
/// Whether it is being disposed of.
const DISPOSING: &str = "<>w__disposeMode";

/// What it is asked for an element with, and to end.
const REQUESTS: [&str; 2] = ["MoveNextAsync", "DisposeAsync"];

/// What most that can be awaited without a task is made with.
const SOURCE: &str = "System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1";
/// From a builder to that: a builder within a builder has an object, in which it is.
const DEPTH: usize = 3;
/// Of `async void`, whose task nobody awaits.
const VOID: &str = "System.Runtime.CompilerServices.AsyncVoidMethodBuilder";

/// Combinations of combinations; more are not looked for.
const COMBINED: usize = 64;

/// What to wait for.
pub struct Return {
    /// That of the method, and those that wait for it and have no code of their own.
    pub tasks: Vec<com::ReferenceValue>,
    pub module: Arc<Module>,
    pub method: MethodId,
}

/// An async method that waits for an iterator's next element.
pub struct Consumer {
    pub module: Arc<Module>,
    /// At one of these it waits.
    pub awaits: Vec<AwaitPoint>,
    /// What [`identity`] says.
    pub machine: Option<com::ReferenceValue>,
}

/// How an async method is left.
pub enum Leaving {
    /// Its task reports it.
    Returns(Return),
    /// Of an iterator: this one goes on with the next element, or behind the last.
    Resumes(Consumer),
    /// Of an iterator that was called for the element: it returns it to its caller, or its caller waits for it.
    HandsOver(Return),
    /// It never suspended: it may return to its caller like any other.
    NotYet,
    /// Nobody awaits a task of it: `async void`, an iterator whose element nobody waits for yet.
    Otherwise,
}

/// Asks the task of an async method to report when its result is taken.
pub fn ask(stopped: &Stopped, thread: &Thread<'_>, frame: &Frame<'_>) -> Leaving {
    let machine = frame.this().ok().map(|this| stopped.value(this));
    if let Some(machine) = &machine
        && let Some(promise) = machine.object().and_then(|machine| machine.field(PROMISE))
    {
        let leaving = consumed(stopped, &promise).or_else(|| called(stopped, thread, frame, machine));
        return leaving.or_else(|| taken(machine).map(Leaving::Returns)).unwrap_or(Leaving::Otherwise);
    }
    builder(stopped, frame).and_then(|builder| awaited(stopped, &builder)).unwrap_or(Leaving::Otherwise)
}

/// By the task that a builder makes, or by what one that makes none hands its result over with, as the framework's that pools them does:
/// who awaits it is noted there. Builders of libraries have either of them within.
fn awaited(stopped: &Stopped, builder: &Value<'_>) -> Option<Leaving> {
    let is_of = |value: &Value<'_>, name| {
        value.object().and_then(|object| object.definition()).is_some_and(|definition| definition.is(name))
    };
    if is_of(builder, VOID) {
        return None;
    }
    let mut level = vec![builder.clone()];
    for _ in 0..=DEPTH {
        for one in &level {
            if is_of(one, SOURCE) {
                return consumed(stopped, one);
            }
            let Some(task) = task_of(one) else { continue };
            if task.is_null() {
                return Some(Leaving::NotYet);
            }
            if let Some(asked) = notified(stopped, &task) {
                return Some(Leaving::Returns(asked));
            }
        }
        level = level.iter().filter_map(Value::object).flat_map(|object| object.fields()).collect();
    }
    None
}

fn builder<'s>(stopped: &'s Stopped, frame: &Frame<'_>) -> Option<Value<'s>> {
    stopped.value(frame.this().ok()?).object()?.field("<>t__builder")
}

/// Who waits for an element of an async iterator: what it waits with goes on with the object that runs it.
fn consumed(stopped: &Stopped, promise: &Value<'_>) -> Option<Leaving> {
    let mut waiting = promise.object()?.field("_continuationState")?;
    for _ in 0..COMBINED {
        let Some(machine) = waiting.object()?.field("StateMachine") else {
            // `AsTask()`
            return notified(stopped, &waiting).map(Leaving::Returns);
        };
        if let Some(consumer) = Consumer::of(&machine) {
            return Some(Leaving::Resumes(consumer));
        }
        // code that nobody reads, which hands it on
        let handed_on = machine.object()?.field(PROMISE);
        let Some(promise) = handed_on else { return notified(stopped, &waiting).map(Leaving::Returns) };
        waiting = promise.object()?.field("_continuationState")?;
    }
    None
}

/// An element that nobody waits for yet: whoever asked for it may be about to. The first that takes it calls this.
fn taken(iterator: &Value<'_>) -> Option<Return> {
    let object = iterator.object()?;
    let definition = object.definition()?;
    let mode = object.field(DISPOSING).and_then(|mode| mode.content().ok());
    let is_disposed = matches!(mode, Some(Content::Scalar(Scalar::Bool(true))));
    let taker = if is_disposed { DISPOSED } else { TAKEN };
    let is_it = |method: &MethodId| definition.assembly.method(*method).name().ends_with(taker);
    let method = definition.view().methods().find(is_it)?;
    let tasks = vec![kept(iterator)?];
    Some(Return { tasks, module: definition.module.clone(), method })
}

/// An iterator that has not suspended since it was called: what called it is on the stack.
fn called(stopped: &Stopped, thread: &Thread<'_>, frame: &Frame<'_>, iterator: &Value<'_>) -> Option<Leaving> {
    let stack = thread.stack().ok()?;
    let mut callers = stack.iter().skip(frame.index + 1);
    let (at, owner) = (frame.data(), owner(frame)?);
    let is_its = |caller: &Frame<'_>| {
        let this = caller.this().ok().and_then(|this| stopped.value(this).address());
        this.is_none() || this == iterator.address()
    };
    // a handler of exceptions is a frame above that of its method
    let is_request = |it: &&Frame<'_>| {
        let is_of_type = it.data().module.id == at.module.id && self::owner(it) == Some(owner);
        is_of_type && (it.data().method != at.method || !is_its(it))
    };
    let request = callers.find(is_request).filter(|it| is_its(it))?;
    let name = at.module.assembly()?.method(request.data().method).name();
    if !REQUESTS.iter().any(|asks| name.ends_with(asks)) {
        return None;
    }
    if super::has_user_caller(thread) {
        return taken(iterator).map(Leaving::HandsOver);
    }
    // code that nobody reads took the element: what waits for that goes on
    let is_async = |it: &&Frame<'_>| {
        let machine = it.this().ok().and_then(|this| stopped.value(this).object());
        machine.is_some_and(|machine| machine.field("<>t__builder").is_some())
    };
    callers.find(is_async).map(|consumer| ask(stopped, thread, consumer))
}

fn owner(frame: &Frame<'_>) -> Option<clr_metadata::TypeId> {
    let at = frame.data();
    Some(at.module.assembly()?.method(at.method).declaring_type()?.id())
}

/// Whether an iterator has handed over what it was called for; otherwise it waits for something.
pub(super) fn has_handed_over(stopped: &Stopped, iterator: &com::ReferenceValue) -> bool {
    // at an `await` its state is the number of that, elsewhere negative
    let machine = iterator.cast().ok().and_then(|iterator| stopped.value(iterator).object());
    machine.and_then(|machine| machine.field("<>1__state")?.integer()).is_some_and(|state| state < 0)
}

impl Consumer {
    /// `None` where it has no source.
    fn of(machine: &Value<'_>) -> Option<Self> {
        let definition = machine.object()?.definition()?;
        let symbols = definition.module.symbols().filter(|_| !definition.module.is_framework)?;
        let infos = definition.view().methods().filter_map(|method| symbols.async_info(method));
        let awaits: Vec<_> = infos.flat_map(|info| info.awaits).collect();
        (!awaits.is_empty()).then(|| Self { module: definition.module.clone(), awaits, machine: identity(machine) })
    }
}

fn notified(stopped: &Stopped, task: &Value<'_>) -> Option<Return> {
    let module = stopped.target().modules.named("System.Private.CoreLib")?;
    let assembly = module.assembly()?;
    let type_ = assembly.type_(assembly.find_definition("System.Threading.Tasks.Task")?);
    let method = type_.methods().find(|&it| assembly.method(it).name() == "NotifyDebuggerOfWaitCompletion")?;
    let task = unwrapping(task).unwrap_or_else(|| task.clone());
    let mut tasks = vec![task.clone()];
    combining(&task, &mut tasks);
    for task in &tasks {
        let flags = task.object()?.field("m_stateFlags")?;
        let asked = flags.integer()? | NOTIFY;
        flags.write_scalar(&Scalar::Int(Primitive::I4, asked)).ok()?;
    }
    Some(Return { tasks: tasks.iter().filter_map(kept).collect(), module: module.clone(), method })
}

/// What `Task.Run` returned of an async delegate, if that alone goes on with its task: it takes the result at once, within the call that
/// completes it, and whoever awaits the delegate has this one.
fn unwrapping<'s>(task: &Value<'s>) -> Option<Value<'s>> {
    const UNWRAP: &str = "System.Threading.Tasks.UnwrapPromise`1";
    let mut all = awaiters::each(task.object()?.field("m_continuationObject")?).into_iter();
    let first = all.next().filter(|_| all.next().is_none())?;
    let is_promise = first.object()?.definition().is_some_and(|definition| definition.is(UNWRAP));
    is_promise.then(|| unwrapping(&first).unwrap_or(first))
}

/// The tasks of `Task.WhenAll` and the like that a task completes: it is those that the awaiting method takes the result of.
fn combining<'s>(task: &Value<'s>, found: &mut Vec<Value<'s>>) {
    let Some(waiting) = task.object().and_then(|task| task.field("m_continuationObject")) else { return };
    for one in awaiters::each(waiting).into_iter().filter(is_combination) {
        let is_new = found.iter().all(|known| known.address() != one.address());
        if is_new && found.len() < COMBINED {
            found.push(one.clone());
            combining(&one, found);
        }
    }
}

/// A method's task has code that goes on; these have none.
pub(super) fn is_combination(task: &Value<'_>) -> bool {
    let definition = task.object().and_then(|object| object.definition());
    definition.is_some_and(|definition| {
        let view = definition.view();
        let is_promise = view.name().split('`').next().is_some_and(|name| name.ends_with("Promise"));
        is_promise && view.full_name().starts_with("System.Threading.Tasks.Task")
    })
}
