//! The return of an async method to whoever awaits it, now or later.
//!
//! A task can be asked to say so: with a flag of its state set, the first that takes its result calls a method that does nothing, made
//! for debuggers (`Task.NotifyDebuggerOfWaitCompletion`). The step waits there, and leaves it for the awaiting method.

use std::sync::Arc;

use clr_metadata::{MethodId, Primitive};

use super::kept;
use crate::com;
use crate::frames::Frame;
use crate::modules::Module;
use crate::stopped::Stopped;
use crate::values::{Scalar, Value};

/// `TASK_STATE_WAIT_COMPLETION_NOTIFICATION` of System.Threading.Tasks.Task.
const NOTIFY: i128 = 0x1000_0000;

/// What to wait for.
pub struct Return {
    pub task: Option<com::ReferenceValue>,
    pub module: Arc<Module>,
    pub method: MethodId,
}

/// How an async method is left.
pub enum Leaving {
    /// Its task tells.
    Returns(Return),
    /// It never suspended: it may return to its caller like any other.
    NotYet,
    /// Nobody awaits a task of it: `async void`, an iterator.
    Otherwise,
}

/// Asks the task of an async method to tell when its result is taken.
pub fn ask(stopped: &Stopped, frame: &Frame<'_>) -> Leaving {
    let Some(task) = task(stopped, frame) else { return Leaving::Otherwise };
    if task.is_null() {
        return Leaving::NotYet;
    }
    notified(stopped, &task).map_or(Leaving::Otherwise, Leaving::Returns)
}

fn task<'s>(stopped: &'s Stopped, frame: &Frame<'_>) -> Option<Value<'s>> {
    let machine = stopped.value(frame.this().ok()?).object()?;
    let builder = machine.field("<>t__builder")?;
    if builder.type_name().ends_with("AsyncIteratorMethodBuilder") {
        return None;
    }
    let builder = builder.object()?;
    // `AsyncTaskMethodBuilder` has had a builder of its own within
    builder.field("m_task").or_else(|| builder.field("m_builder")?.object()?.field("m_task"))
}

fn notified(stopped: &Stopped, task: &Value<'_>) -> Option<Return> {
    let flags = task.object()?.field("m_stateFlags")?;
    let module = stopped.target().modules.named("System.Private.CoreLib")?;
    let assembly = module.assembly()?;
    let type_ = assembly.type_(assembly.find_definition("System.Threading.Tasks.Task")?);
    let method = type_.methods().find(|&it| assembly.method(it).name() == "NotifyDebuggerOfWaitCompletion")?;
    let asked = flags.integer()? | NOTIFY;
    flags.write_scalar(&Scalar::Int(Primitive::I4, asked)).ok()?;
    Some(Return { task: kept(task), module: module.clone(), method })
}
