//! Calls of the program's own code while it stands still: begun on a stopped thread, awaited, ended by force when they take too long.
//!
//! The race to remember: a call lets the program run, so nothing that was read before it holds afterwards.

mod objects;

use std::sync::Arc;
use std::time::Duration;

use clr_metadata::{MethodId, Token};

use crate::com::{self, HResult, Interface as _, system};
use crate::stopped::{FrameData, Stopped};
use crate::target::{StopError, Target};
use crate::values::{Place, Scalar};
pub(crate) use objects::is_miscopied;
use objects::{Maker, lower};

/// What a call takes.
#[derive(Clone)]
pub enum Argument {
    Place(Place),
    /// The result of an earlier call.
    Kept(com::Value),
    Scalar(Scalar),
    /// A scalar where an object is wanted. Type arguments: of the generic type that an enum is declared in.
    Boxed(Scalar, Vec<com::Type>),
    /// A struct where an object is wanted.
    BoxedPlace(Place),
    Text(Vec<u16>),
    /// A `T?`, and what it holds.
    Nullable {
        type_: com::Type,
        held: Option<Box<Argument>>,
    },
    /// A struct that an earlier call gave in a box, as itself.
    Unboxed(com::Value),
    Null,
}

/// A call to make.
pub struct Call {
    pub thread: u32,
    pub what: What,
}

pub enum What {
    /// Type arguments: of the class that declares it, then of the method. Arguments: the object first.
    Function {
        function: com::Function,
        types: Vec<com::Type>,
        arguments: Vec<Argument>,
    },
    New {
        constructor: com::Function,
        types: Vec<com::Type>,
        arguments: Vec<Argument>,
    },
    Text(Vec<u16>),
    /// A scalar as an object, with type arguments as those of [`Argument::Boxed`].
    Boxed(Scalar, Vec<com::Type>),
    /// An object without a constructor, all zeros; its finalizer, if it has one, never runs.
    Bare {
        class: com::Class,
        types: Vec<com::Type>,
    },
    /// All zeros or null.
    Array {
        element: com::Type,
        length: u32,
    },
    /// An array of these, made empty.
    Filled {
        empty: Box<What>,
        items: Vec<Argument>,
    },
}

/// How a call ended.
pub enum Outcome {
    /// `None`: it returns nothing.
    Value(Option<com::Value>),
    Threw(com::Value),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    #[error("{0}")]
    Refused(#[from] HResult),
    #[error("Evaluation timed out.")]
    TimedOut,
    /// The runtime could not end it: the program is in the midst of it.
    #[error("Evaluation timed out, and the code that it called cannot be aborted.")]
    Stuck,
    /// The runtime cannot even stop the program: it runs in that method for good.
    #[error("Evaluation timed out, and the runtime cannot interrupt {0}, in which the program is still running.")]
    Uninterruptible(String),
    /// With the runtime's HRESULT.
    #[error("the program ended during the evaluation (0x80131301)")]
    Ended,
}

/// Waits for the end of a call: `Some(threw)`, `None` after a timeout.
pub trait Waiter {
    fn wait(&mut self, limit: Duration) -> Result<Option<(com::Eval, bool)>, CallError>;
}

/// How long an abort may take before a rude abort.
const ABORT: Duration = Duration::from_secs(1);
/// How long that may take before we give up: on a loaded machine a thread is interrupted late.
const RUDE_ABORT: Duration = Duration::from_secs(4);

/// Makes a call.
///
/// # Errors
/// [`CallError`]
pub fn call(stopped: &mut Stopped, call: Call, limit: Duration, waiter: &mut dyn Waiter) -> Result<Outcome, CallError> {
    if let What::Boxed(scalar, types) = &call.what {
        let mut maker = Maker::new(call.thread, limit);
        return maker.boxed(stopped, scalar, types.clone(), waiter).map(|value| Outcome::Value(Some(value)));
    }
    if let What::Filled { empty, items } = call.what {
        let mut maker = Maker::new(call.thread, limit);
        return maker.array(stopped, *empty, items, waiter).map(|value| Outcome::Value(Some(value)));
    }
    let what = Maker::new(call.thread, limit).made(stopped, call.what, waiter)?;
    let thread = stopped.thread(call.thread)?.com.clone();
    let eval = thread.create_eval()?;
    let eval2: com::Eval2 = eval.cast()?;
    match &what {
        What::Function { function, types, arguments } => {
            let arguments = lower(stopped, &eval, arguments)?;
            eval2.call(function, types, &arguments)?;
        }
        What::New { constructor, types, arguments } => {
            let arguments = lower(stopped, &eval, arguments)?;
            eval2.new_object(constructor, types, &arguments)?;
        }
        What::Text(units) => {
            eval.new_string(units)?;
        }
        What::Bare { class, types } => {
            eval2.new_bare_object(class, types)?;
        }
        What::Array { element, length } => {
            eval2.new_array(element, *length)?;
        }
        // made above
        What::Boxed(..) | What::Filled { .. } => return Err(HResult::INVALID_ARGUMENT.into()),
    }
    let outcome = run(stopped, (call.thread, &thread), &eval, limit, waiter).map_err(|error| match error {
        CallError::Uninterruptible(_) => {
            let method = what.method(stopped.target());
            stopped.target().set_stuck_in(method.clone());
            CallError::Uninterruptible(method)
        }
        error => error,
    })?;
    if let (What::Bare { .. }, Outcome::Value(Some(made))) = (&what, &outcome) {
        Maker::new(call.thread, limit).suppress_finalizer(stopped, made, waiter)?;
    }
    Ok(outcome)
}

impl What {
    /// What is called.
    fn method(&self, target: &Target) -> String {
        let function = match self {
            Self::Function { function, .. } | Self::New { constructor: function, .. } => function,
            Self::Text(_) | Self::Boxed(..) | Self::Bare { .. } | Self::Array { .. } | Self::Filled { .. } => {
                return "a static initializer".into();
            }
        };
        let name = || {
            let module = target.modules.of(&function.module().ok()?)?;
            let method = MethodId::from_token(Token(function.token().ok()?))?;
            Some(crate::frames::method_name(&module, method))
        };
        name().unwrap_or_else(|| "the code that it called".into())
    }
}

fn run(
    stopped: &mut Stopped,
    (id, thread): (u32, &com::Thread),
    eval: &com::Eval,
    limit: Duration,
    waiter: &mut dyn Waiter,
) -> Result<Outcome, CallError> {
    let target = stopped.target().clone();
    let process = target.process()?.clone();
    // The others stay where they are. Where the runtime refuses that (one that ends just now has no state to set), they run during the
    // call: nothing that was read before it is used behind it, so the answer is the same.
    let _ = process.set_all_threads_debug_state(1, Some(thread));
    // an end of the program waits for the finalizers
    if let Ok(threads) = process.threads() {
        // a refused one stays frozen, and its exit is reported when the call times out
        for finalizer in threads.rest::<com::Thread>().iter().filter(|it| is_finalizer(target.pid, it)) {
            let _ = finalizer.set_debug_state(0);
        }
    }
    let above = stopped.thread(id).and_then(|thread| thread.top()?.data().stack_end()).unwrap_or(u64::MAX);
    target.set_calling(Some(id));
    target.go_on();
    let is_initializing = || is_initializing(stopped, id, above);
    let mut ended = finish(&target, eval, limit, waiter, &is_initializing);
    if let Err(stuck @ CallError::Uninterruptible(_)) = ended {
        // the runtime answers nothing more
        return Err(stuck);
    }
    if let Err(CallError::Refused(HResult::PROCESS_TERMINATED)) = ended {
        // its exit is reported separately, and soon
        ended = match waiter.wait(ABORT) {
            Ok(Some(late)) => Ok((late, false)),
            Ok(None) | Err(_) => Err(CallError::Ended),
        };
    }
    target.set_calling(None);
    // whoever waited has seen the end: the runtime's debugging library may have let go of the program since
    let process = target.process().map_err(|_| CallError::Ended)?;
    let thaw = || {
        if process.set_all_threads_debug_state(0, None).is_err()
            && let Ok(threads) = process.threads()
        {
            // one that ends is refused, and the rest with it: a thread that stayed frozen would hang the program
            for thread in threads.rest::<com::Thread>() {
                let _ = thread.set_debug_state(0);
            }
        }
    };
    match ended {
        // the program runs
        Err(CallError::Stuck) => _ = target.while_still(thaw),
        _ => thaw(),
    }
    stopped.forget();
    let (ended, in_time) = ended?;
    let (eval, threw) = ended;
    if !in_time {
        return Err(CallError::TimedOut);
    }
    let result = eval.result().ok();
    let slot = result.as_ref().and_then(|value| value.cast::<com::HandleValue>().ok().and(value.address().ok()));
    stopped.results.borrow_mut().extend(slot.filter(|slot| *slot != 0));
    match (threw, result) {
        (true, Some(exception)) => Ok(Outcome::Threw(exception)),
        (true, None) => Err(CallError::Refused(HResult::POINTER)),
        (false, result) => Ok(Outcome::Value(result)),
    }
}

fn is_finalizer(pid: u32, thread: &com::Thread) -> bool {
    thread.id().is_ok_and(|id| system::thread_name(pid, id).is_some_and(|name| name == ".NET Finalizer"))
}

/// Whether what was called on top of a frame is in a static initializer.
fn is_initializing(stopped: &Stopped, thread: u32, above: u64) -> bool {
    let is_it = |frame: &FrameData| frame.is_initializer() && frame.stack_end().is_ok_and(|end| end < above);
    stopped.thread(thread).is_ok_and(|thread| thread.innermost(is_it).is_some())
}

type Ended = ((com::Eval, bool), bool);

fn finish(
    target: &Arc<Target>,
    eval: &com::Eval,
    limit: Duration,
    waiter: &mut dyn Waiter,
    is_initializing: &dyn Fn() -> bool,
) -> Result<Ended, CallError> {
    if let Some(ended) = waiter.wait(limit)? {
        return Ok((ended, true));
    }
    // stopped first: on a running target .NET 8 blocks for ever in `Abort`
    let abort = |rude: bool| -> Result<(), CallError> {
        target.stop().map_err(|error| match error {
            StopError::Refused(error) => error.into(),
            StopError::Uninterruptible => CallError::Uninterruptible(String::new()),
        })?;
        // its type would have failed to initialize, and whatever of the program uses it later would fail too; it ends when what it waits
        // for runs again
        if is_initializing() {
            target.go_on();
            return Err(CallError::Stuck);
        }
        let _ = if rude { eval.cast::<com::Eval2>()?.rude_abort() } else { eval.abort() };
        target.go_on();
        Ok(())
    };
    for (rude, limit) in [(false, ABORT), (true, RUDE_ABORT)] {
        abort(rude)?;
        if let Some(ended) = waiter.wait(limit)? {
            return Ok((ended, false));
        }
    }
    Err(CallError::Stuck)
}
