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
use crate::values::Scalar;

/// `TASK_STATE_WAIT_COMPLETION_NOTIFICATION` of System.Threading.Tasks.Task.
const NOTIFY: i128 = 0x1000_0000;

/// What to wait for.
pub struct Return {
    pub task: Option<com::ReferenceValue>,
    pub module: Arc<Module>,
    pub method: MethodId,
}

/// Asks the task of an async method to tell when its result is taken.
///
/// `None` for other methods, and for one that never suspended: it returns to its caller like any other.
pub fn ask(stopped: &Stopped, frame: &Frame<'_>) -> Option<Return> {
    let data = frame.data();
    data.module.symbols()?.async_info(data.method)?;
    let machine = stopped.value(frame.this().ok()?).object()?;
    let builder = machine.field("<>t__builder")?.object()?;
    // `AsyncTaskMethodBuilder` has had a builder of its own within
    let task = builder.field("m_task").or_else(|| builder.field("m_builder")?.object()?.field("m_task"))?;
    let flags = task.object()?.field("m_stateFlags")?;
    let module = stopped.target().modules.named("System.Private.CoreLib")?;
    let assembly = module.assembly()?;
    let type_ = assembly.type_(assembly.find_definition("System.Threading.Tasks.Task")?);
    let method = type_.methods().find(|&it| assembly.method(it).name() == "NotifyDebuggerOfWaitCompletion")?;
    let asked = flags.integer()? | NOTIFY;
    flags.write_scalar(&Scalar::Int(Primitive::I4, asked)).ok()?;
    Some(Return { task: kept(&task), module: module.clone(), method })
}
