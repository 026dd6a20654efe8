//! Which of perhaps many invocations of an async method: by the object that it runs on. A state machine that is a struct (as the compiler
//! makes it when it optimizes) is no object, but its task is, which is there from the first suspension on.

use clr_metadata::MethodId;
use clr_metadata::il::op;

use crate::com::{self, Interface as _};
use crate::frames::{Frame, Thread};
use crate::modules::Module;
use crate::stopped::Stopped;
use crate::target::Invocation;
use crate::values::Value;

impl Invocation {
    /// `None` for a method that is not async.
    pub(super) fn of(stopped: &Stopped, frame: &Frame<'_>) -> Option<Self> {
        let at = frame.data();
        at.module.symbols()?.async_info(at.method)?;
        let machine = frame.this().ok().and_then(|this| identity(&stopped.value(this)));
        Some(Self { module: at.module.clone(), method: at.method, machine })
    }

    pub(super) fn is_at(&self, stopped: &Stopped, frame: &Frame<'_>) -> bool {
        let this = frame.this().ok().map(|this| stopped.value(this));
        self.is_of(frame) && runs_on(self.machine.as_ref(), this.as_ref())
    }

    /// Whether a frame is of the method, whichever invocation.
    fn is_of(&self, frame: &Frame<'_>) -> bool {
        let at = frame.data();
        at.module.id == self.module.id && at.method == self.method
    }

    /// By the frame of the thread that is about to suspend it: the task is made within what it calls for that.
    pub(super) fn on_stack_of(&self, stopped: &Stopped, thread: &Thread<'_>) -> Option<com::ReferenceValue> {
        let stack = thread.stack().ok()?;
        let frame = stack.iter().find(|frame| self.is_of(frame))?;
        identity(&stopped.value(frame.this().ok()?))
    }
}

/// A handle to the state machine, or to its task; `None` for a struct that has not been suspended.
pub(super) fn identity(machine: &Value<'_>) -> Option<com::ReferenceValue> {
    kept(machine).or_else(|| kept(&task(machine)?))
}

/// Whether a method runs on what [`identity`] gave; nobody can say where it gave nothing.
pub(super) fn runs_on(identity: Option<&com::ReferenceValue>, this: Option<&Value<'_>>) -> bool {
    let (Some(identity), Some(this)) = (identity, this) else { return true };
    is_same(Some(identity), Some(this)) || task(this).is_some_and(|task| is_same(Some(identity), Some(&task)))
}

/// A handle to the object that a method runs on, which it does not keep alive; a struct has none.
pub(super) fn kept(value: &Value<'_>) -> Option<com::ReferenceValue> {
    value.target().ok()??.com().cast::<com::HeapValue2>().ok()?.create_handle(com::WEAK).ok()
}

pub(super) fn is_same(kept: Option<&com::ReferenceValue>, this: Option<&Value<'_>>) -> bool {
    let (Some(kept), Some(this)) = (kept, this) else { return true };
    kept.dereference().and_then(|object| object.address()).ok() == this.address()
}

fn task<'s>(machine: &Value<'s>) -> Option<Value<'s>> {
    let builder = machine.object()?.field("<>t__builder")?;
    // that of `async void` has one within
    task_of(&builder).or_else(|| task_of(&builder.object()?.field("_builder")?))
}

/// The task of an async method's builder; null until the method suspends for the first time.
pub(super) fn task_of<'s>(builder: &Value<'s>) -> Option<Value<'s>> {
    let builder = builder.object()?;
    // `AsyncTaskMethodBuilder` has had a builder of its own within
    builder.field("m_task").or_else(|| builder.field("m_builder")?.object()?.field("m_task"))
}

/// Where a method has called what suspends it: behind the first call from there on.
pub(super) fn behind_call(module: &Module, method: MethodId, from: u32) -> Option<u32> {
    let assembly = module.assembly()?;
    let body = assembly.method(method).body()?;
    let mut rest = body.instructions().map_while(Result::ok).skip_while(|it| it.offset < from);
    rest.find(|it| it.opcode == op::CALL)?;
    rest.next().map(|it| it.offset)
}
