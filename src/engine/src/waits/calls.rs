//! Which call of the framework a thread waits in, and on what: the frames between where it stands and the code that called.

use super::handles;
use super::joins;
use super::{Kind, Waited};
use crate::com::{self, BlockingReason, Interface as _};
use crate::frames::{Frame, Thread};
use crate::stopped::Stopped;
use crate::values::{Content, Value};

/// Frames between the call of the user and where the thread stands.
const FRAMES: usize = 32;

/// Locals of a method that waits.
const LOCALS: u32 = 12;

/// Of a wait without a limit (INFINITE).
const ENDLESS: u32 = u32::MAX;

/// The types of the framework whose instance methods wait, with what they wait for.
const TYPES: [(&str, Kind); 9] = [
    ("System.Threading.Lock", Kind::Lock),
    ("System.Threading.SemaphoreSlim", Kind::Semaphore),
    ("System.Threading.ManualResetEventSlim", Kind::Event),
    ("System.Threading.Tasks.Task", Kind::Task),
    ("System.Threading.Tasks.Task`1", Kind::Task),
    ("System.Threading.ReaderWriterLockSlim", Kind::ReaderWriterLock),
    ("System.Threading.CountdownEvent", Kind::Countdown),
    ("System.Threading.Barrier", Kind::Barrier),
    ("System.Collections.Concurrent.BlockingCollection`1", Kind::Item),
];

const TASKS: &str = "System.Threading.Tasks.Task";
const WAIT_HANDLE: &str = "System.Threading.WaitHandle";
const THREAD: &str = "System.Threading.Thread";

/// What a frame of the framework waits for.
enum Call<'s> {
    /// Without its object where a frame of optimized code has lost it.
    On(Kind, Option<Value<'s>>),
    Several(Kind, Vec<Value<'s>>),
    /// Which of several the inner frame has said, how many of them this one does.
    Of(Kind),
    Join,
    Other,
}

/// Of a thread, `None` where it waits for nothing that is known. The outermost of what the framework waits with: a semaphore waits for a
/// pulse of its own lock.
pub(super) fn waited<'s>(stopped: &'s Stopped, thread: &Thread<'s>) -> Option<Waited<'s>> {
    let stack = thread.stack().ok()?;
    let inner: Vec<_> = stack.iter().take(FRAMES).take_while(|frame| frame.data().module.is_framework).collect();
    let caller = stack.get(inner.len()).filter(|frame| !frame.data().module.is_framework);
    let blocking = blocking(thread);
    let mut waited: Option<Waited<'s>> = None;
    // something of the framework waits, but its frame does not show for what
    let mut is_lost = false;
    for frame in &inner {
        match call(stopped, frame) {
            // the framework's own threads wait for their work
            Call::On(Kind::Handle, _) | Call::Several(Kind::SomeHandles, _) if caller.is_none() => {}
            Call::On(kind, Some(object)) => waited = Some(Waited { kind, objects: vec![object], is_endless: false }),
            Call::On(kind, None) => match &waited {
                Some(known) if known.kind == kind => {}
                // what it waits with is not what it waits for
                known => {
                    let with = known.as_ref().and_then(|known| known.objects.first()).cloned();
                    let object = with.and_then(|with| handles::around(stopped, thread, kind, &with));
                    is_lost = object.is_none();
                    waited = object.map(|object| Waited { kind, objects: vec![object], is_endless: false });
                }
            },
            Call::Several(kind, objects) => waited = Some(Waited { kind, objects, is_endless: false }),
            Call::Of(kind) => waited = waited.map(|waited| Waited { kind, ..waited }),
            Call::Join => {
                let caller = stack.get(frame.index + 1);
                let objects = caller.and_then(|caller| joins::joined(stopped, thread, caller)).into_iter().collect();
                waited = Some(Waited { kind: Kind::Join, objects, is_endless: false });
            }
            Call::Other => {}
        }
    }
    // code that is not optimized has called a method of the framework, not had it inlined: `WaitAll` has a frame, what `WaitAny` calls
    // takes the place of its own
    let is_called = |caller: &Frame<'_>| caller.data().module.assembly().is_some_and(|it| it.is_debug_build());
    if let Some(several) = waited.as_mut().filter(|waited| waited.kind == Kind::SomeHandles)
        && caller.is_some_and(is_called)
    {
        several.kind = Kind::AnyHandle;
    }
    let within = || {
        let joined = joins::joined_natively(stopped, thread, caller?)?;
        Some(Waited { kind: Kind::Join, objects: vec![joined], is_endless: false })
    };
    if let Some(mut waited) = waited.or_else(|| within().filter(|_| inner.is_empty() && blocking.is_none())) {
        let is_blocked = waited.kind != Kind::Task && waited.kind != Kind::AllTasks
            || matches!(blocking, Some((_, BlockingReason::Wait, ENDLESS)));
        waited.is_endless = is_blocked && is_endless(&inner);
        return Some(waited).filter(|waited| !waited.objects.is_empty());
    }
    // whatever the innermost frame is: what enters a monitor has none of its own in .NET 8
    let (object, reason, timeout) = blocking.filter(|_| !is_lost)?;
    let kind = match reason {
        BlockingReason::Enter => Kind::Monitor,
        BlockingReason::Wait => Kind::Pulse,
    };
    Some(Waited { kind, objects: vec![stopped.value(object)], is_endless: timeout == ENDLESS })
}

fn blocking(thread: &Thread<'_>) -> Option<(com::Value, BlockingReason, u32)> {
    let blocking = thread.com.cast::<com::Thread4>().and_then(|it| it.blocking_objects()?.all()).ok()?;
    blocking.into_iter().next()
}

fn call<'s>(stopped: &'s Stopped, frame: &Frame<'s>) -> Call<'s> {
    let Some((type_name, method, is_static)) = names(frame) else { return Call::Other };
    match (type_name.as_str(), method.as_str()) {
        (THREAD, "Join") => Call::Join,
        (WAIT_HANDLE, "WaitOneNoCheck") => of_handles(stopped, frame, Kind::Handle),
        (WAIT_HANDLE, "SignalAndWait") => of_handles(stopped, frame, Kind::Handle),
        (WAIT_HANDLE, "WaitAll") => Call::Of(Kind::AllHandles),
        (WAIT_HANDLE, "WaitAny") => Call::Of(Kind::AnyHandle),
        (WAIT_HANDLE, "WaitMultiple") => {
            // the argument that says which is not to be relied on: optimized code keeps it where it puts something else
            of_handles(stopped, frame, Kind::SomeHandles)
        }
        (TASKS, "WaitAnyCore") => of_tasks(stopped, frame, Kind::AnyTask),
        (TASKS, "WaitAllCore" | "WaitAllBlockingCore") => of_tasks(stopped, frame, Kind::AllTasks),
        _ if is_static => Call::Other,
        (type_name, method) => match TYPES.iter().find(|(name, _)| *name == type_name) {
            Some((_, Kind::Item)) if method.starts_with("TryAdd") => Call::On(Kind::Room, this(stopped, frame)),
            // which of both the inner frame says
            Some((_, Kind::Item)) if !method.starts_with("TryTake") => Call::Other,
            Some((_, kind)) => Call::On(*kind, this(stopped, frame)),
            None => Call::Other,
        },
    }
}

/// The type as in metadata, the method, and whether that is static.
fn names(frame: &Frame<'_>) -> Option<(String, String, bool)> {
    let data = frame.data();
    let method = data.module.assembly()?.method(data.method);
    Some((method.declaring_type()?.full_name(), method.name().to_owned(), method.is_static()))
}

/// A frame of optimized code may have lost it.
fn this<'s>(stopped: &'s Stopped, frame: &Frame<'_>) -> Option<Value<'s>> {
    frame.this().ok().map(|this| stopped.value(this)).filter(|this| this.address().is_some())
}

/// The method keeps what the system knows of them: it releases that when it has waited.
fn of_handles<'s>(stopped: &'s Stopped, frame: &Frame<'_>, kind: Kind) -> Call<'s> {
    let locals = (0..LOCALS).filter_map(|slot| frame.data().il.local(slot).ok()).map(|it| stopped.value(it));
    let held: Vec<_> = locals.filter(|it| it.address().is_some()).collect();
    let one = |value: &Value<'_>| value.type_name() == handles::SAFE;
    if kind == Kind::Handle {
        // the last one of `SignalAndWait`, which has signalled the other
        return Call::On(kind, held.into_iter().rfind(one));
    }
    let array = held.into_iter().find_map(|value| match value.content() {
        Ok(Content::Array(array)) => (0..array.count()).next().map(|_| array),
        _ => None,
    });
    let elements = array.iter().flat_map(|array| (0..array.count()).map_while(|at| array.at(at).ok()));
    // in .NET 8 one such method calls another, which has them
    match elements.take_while(|it| !it.is_null()).filter(one).collect::<Vec<_>>() {
        handles if handles.is_empty() => Call::Other,
        handles => Call::Several(kind, handles),
    }
}

/// What a static method of tasks got: an array or a list. Of all only those that are not complete are waited for.
fn of_tasks<'s>(stopped: &'s Stopped, frame: &Frame<'_>, kind: Kind) -> Call<'s> {
    let list = frame.this().ok().map(|list| stopped.value(list));
    let elements = list.and_then(|list| match list.content() {
        Ok(Content::Array(array)) => Some((array, None)),
        Ok(Content::Object(list)) => match list.field("_items")?.content() {
            Ok(Content::Array(array)) => Some((array, list.field("_size")?.integer())),
            _ => None,
        },
        _ => None,
    });
    let Some((array, count)) = elements else { return Call::Other };
    let count = count.and_then(|count| u32::try_from(count).ok()).unwrap_or(u32::MAX).min(array.count());
    let tasks = (0..count).filter_map(|at| array.at(at).ok()).filter(|task| !task.is_null());
    match tasks.filter(|task| kind == Kind::AnyTask || !super::tasks::is_complete(task)).collect::<Vec<_>>() {
        tasks if tasks.is_empty() => Call::Other,
        tasks => Call::Several(kind, tasks),
    }
}

/// Whether only what is waited for ends the wait: the method that was called takes no time and no token.
fn is_endless(inner: &[&Frame<'_>]) -> bool {
    const WAITING: [&str; 4] = [
        "System.Threading",
        "System.Threading.Tasks",
        "System.Runtime.CompilerServices",
        "System.Collections.Concurrent",
    ];
    let is_of_wait = |frame: &&&Frame<'_>| {
        let data = frame.data();
        let Some(assembly) = data.module.assembly() else { return false };
        let method = assembly.method(data.method);
        let starts_thread = |name: &str| name == THREAD && method.name() != "Join";
        let outermost = |type_: clr_metadata::TypeView<'_>| {
            let name = type_.full_name();
            let namespace = name.split('+').next().and_then(|name| name.rsplit_once('.')).map_or("", |(it, _)| it);
            WAITING.contains(&namespace) && !starts_thread(&name)
        };
        method.declaring_type().is_some_and(outermost)
    };
    let of_wait: Vec<_> = inner.iter().take_while(is_of_wait).collect();
    let is_called_by_framework = inner
        .get(of_wait.len())
        .is_some_and(|frame| names(frame).is_none_or(|(type_name, ..)| !type_name.starts_with(THREAD)));
    let has_limit = |frame: &&&Frame<'_>| {
        let data = frame.data();
        let signature = data.module.assembly().and_then(|assembly| assembly.method(data.method).signature());
        signature.is_none_or(|signature| {
            signature.parameters.iter().any(|parameter| {
                let text = crate::types::text(parameter);
                ["int", "long", "System.TimeSpan", "System.Threading.CancellationToken"].contains(&text.as_str())
                    || text.contains("Timeout")
            })
        })
    };
    !is_called_by_framework && of_wait.last().is_some_and(|outermost| !has_limit(outermost))
}
