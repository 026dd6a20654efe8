//! The step under way, as both threads know it. What becomes of it is decided in [`stepping`](crate::stepping).

use std::sync::Arc;

use clr_metadata::{AwaitPoint, MethodId};

use crate::breakpoints::Mark;
use crate::com;
use crate::modules::Module;
use crate::stepping::Origin;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Into,
    Over,
    Out,
}

/// The call that a step into is for.
pub struct Into {
    /// Of the method, as in metadata.
    pub name: String,
    /// Calls of that name which come before it in the statement.
    pub passed: usize,
    /// What else the statement calls, delegates left out.
    pub others: Vec<String>,
    /// The method that calls it, with its module.
    pub from: (u32, MethodId),
}

/// A step under way.
pub struct Step {
    pub thread: u32,
    pub kind: Kind,
    pub stepper: Option<com::Stepper>,
    /// Where an `await` suspends or resumes, and where the method's result is taken.
    pub waits: Vec<Wait>,
    /// The invocation of an async method that it is in.
    pub within: Option<Invocation>,
    /// Where it began.
    pub origin: Option<Origin>,
    /// The call that it is for, if for one alone.
    pub into: Option<Into>,
    /// It leaves a method that steps pass over; then it goes on.
    pub leaving: bool,
    /// It passes through a method that the compiler wrote.
    pub unsourced: bool,
    /// It is complete, but the runtime has more to report first.
    pub arrived: bool,
    /// Instructions that it has gone on by one at a time.
    pub walked: u32,
    pub returns: Returns,
}

/// Where the calls of a statement return to, and what they returned.
#[derive(Default)]
pub struct Returns {
    pub sites: Vec<ReturnSite>,
    /// Hits of other activations and threads.
    pub strangers: u32,
    pub found: Vec<Returned>,
    /// Of the statement's other calls.
    pub unseen: Vec<Returned>,
    /// There were more.
    pub is_cut: bool,
    /// The call that the step begins behind.
    pub behind: Option<Behind>,
}

/// The place behind a call, in the midst of a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Behind {
    /// That of the activation that calls, see [`com::NativeFrame::stack_end`].
    pub stack_end: u64,
    /// In its native code.
    pub place: u32,
    /// Of the call.
    pub il_offset: u32,
}

/// A place in native code right behind a call.
pub struct ReturnSite {
    pub breakpoint: com::FunctionBreakpoint,
    /// In the native code.
    pub offset: u32,
    pub thread: u32,
    /// That of the activation that calls, see [`com::NativeFrame::stack_end`].
    pub stack_end: u64,
    pub call: WatchedCall,
}

/// A call of a statement.
#[derive(Clone)]
pub struct WatchedCall {
    pub il_offset: u32,
    /// As metadata has it, of the method alone.
    pub name: String,
    /// As a client gets it.
    pub function: String,
    /// As the method declares it.
    pub type_name: String,
    /// The local variable that takes what it returns.
    pub stored_in: Option<u16>,
    /// That is the last thing that the statement does.
    pub is_stored_last: bool,
    /// No way through the statement leads past it.
    pub is_certain: bool,
    /// Where the method goes on behind the statement.
    pub ends_at: Vec<u32>,
}

/// What a call returned.
pub struct Returned {
    /// As metadata names it; with `await` before it for the result of what was awaited.
    pub function: String,
    /// Of the call.
    pub il_offset: u32,
    /// As it was when it was returned.
    pub text: String,
    pub type_name: String,
    pub kept: Option<Kept>,
    /// `None`: it was not seen to return.
    pub behind: Option<Behind>,
}

/// By what a returned value can be read later.
pub enum Kept {
    /// A handle that keeps it alive.
    Object(com::HandleValue),
    Scalar {
        /// An element code.
        kind: u32,
        bytes: Vec<u8>,
    },
    /// Made of such bytes at the end of the step.
    Value(com::Value),
    /// It was stored in a local variable of the activation that ends there.
    Struct { slot: u16, stack_end: u64, bytes: Vec<u8> },
    /// It was not read. Only where the step ends at one of these IL offsets of its activation is it known that the call has returned, and
    /// the variable has what it returned.
    Unread { slot: Option<u16>, stack_end: u64, ends_at: Vec<u32>, has_returned: bool },
    /// That variable has it at the end of the step.
    Variable { thread: u32, slot: u16 },
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Self::Object(handle) = self {
            // a target that is gone has no handles
            let _ = handle.dispose();
        }
    }
}

/// The invocation of an async method that a step is in.
pub struct Invocation {
    pub module: Arc<Module>,
    pub method: MethodId,
    /// A handle to the state machine, or to its task.
    pub machine: Option<com::ReferenceValue>,
}

/// A place at which a step waits for an async method.
pub enum Wait {
    /// The thread gets to where the method suspends itself.
    Suspend { mark: Mark, point: AwaitPoint, module: Arc<Module> },
    /// The thread has suspended the method, whose state machine was not known before.
    Suspended { mark: Mark },
    /// Any thread resumes the method; the handle is its state machine, or the task of that.
    Resume { mark: Mark, machine: Option<com::ReferenceValue> },
    /// Any thread resumes the method that waits for an iterator's element.
    Element { mark: Mark, machine: Option<com::ReferenceValue> },
    /// The result of one of these tasks is taken; with none of them known, of any. One that nobody waited for yet may have been combined
    /// with others since: the combination takes the flag over. `is_called`: it is an async iterator, which may also return the element to
    /// its caller.
    Return { mark: Mark, tasks: Vec<com::ReferenceValue>, is_called: bool },
    /// The thread calls the method again, which code that nobody reads has called; with where the stack of that activation ends, see
    /// [`com::NativeFrame::stack_end`], and how many calls of other threads and further in are borne.
    Again { mark: Mark, stack_end: u64, borne: u32 },
}

impl Wait {
    pub fn mark(&self) -> &Mark {
        match self {
            Self::Suspend { mark, .. }
            | Self::Suspended { mark }
            | Self::Resume { mark, .. }
            | Self::Element { mark, .. }
            | Self::Return { mark, .. }
            | Self::Again { mark, .. } => mark,
        }
    }

    pub fn is_for_return(&self) -> bool {
        matches!(self, Self::Return { .. } | Self::Element { .. })
    }

    /// The iterator that may return its element to its caller.
    pub fn iterator(&self) -> Option<&com::ReferenceValue> {
        match self {
            Self::Return { tasks, is_called: true, .. } => tasks.first(),
            _ => None,
        }
    }
}
