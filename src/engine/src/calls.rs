//! Calls of the program's own code while it stands still: begun on a stopped thread, awaited, ended by force when they take too long.
//!
//! The race to remember: a call lets the program run, so nothing that was read before it holds afterwards.

use std::time::Duration;

use crate::com::{self, HResult, Interface as _, element};
use crate::stopped::Stopped;
use crate::values::{Place, Scalar};

/// What a call takes.
#[derive(Clone)]
pub enum Argument {
    Place(Place),
    /// What an earlier call gave.
    Kept(com::Value),
    Scalar(Scalar),
    /// A scalar where an object is wanted.
    Boxed(Scalar),
    Text(Vec<u16>),
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
    /// A scalar as an object.
    Boxed(Scalar),
    /// An object of a struct's type, all zeros.
    Bare(com::Class),
}

/// How a call ended.
pub enum Outcome {
    /// `None`: it gives nothing.
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
    #[error("Evaluation timed out, and the code that it called cannot be ended.")]
    Stuck,
    /// With the runtime's number for that.
    #[error("the program ended during the evaluation (0x80131301)")]
    Ended,
}

/// Waits for the end of a call: `Some(threw)`, `None` when the time is over.
pub trait Waiter {
    fn wait(&mut self, limit: Duration) -> Result<Option<(com::Eval, bool)>, CallError>;
}

/// What an abort gets before the rude one, and that before we give up.
const ABORT: Duration = Duration::from_secs(1);

/// Makes a call.
///
/// # Errors
/// [`CallError`]
pub fn call(stopped: &mut Stopped, call: Call, limit: Duration, waiter: &mut dyn Waiter) -> Result<Outcome, CallError> {
    if let What::Boxed(scalar) = &call.what {
        return boxed(stopped, call.thread, scalar, limit, waiter).map(|value| Outcome::Value(Some(value)));
    }
    let what = with_texts(stopped, call.thread, call.what, limit, waiter)?;
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
        What::Bare(class) => {
            eval2.new_bare_object(class)?;
        }
        // made above
        What::Boxed(_) => return Err(HResult::INVALID_ARGUMENT.into()),
    }
    run(stopped, (call.thread, &thread), &eval, limit, waiter)
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
    // the others stay where they are
    let _ = process.set_all_threads_debug_state(1, Some(thread));
    // an end of the program waits for the finalizers
    if let Ok(threads) = process.threads() {
        for finalizer in threads.rest::<com::Thread>().iter().filter(|it| is_finalizer(target.pid, it)) {
            let _ = finalizer.set_debug_state(0);
        }
    }
    target.set_calling(Some(id));
    target.go_on();
    let mut ended = finish(&process, eval, limit, waiter);
    if let Err(CallError::Refused(HResult::PROCESS_TERMINATED)) = ended {
        // its end is told apart, and soon
        ended = match waiter.wait(ABORT) {
            Ok(Some(late)) => Ok((late, false)),
            Ok(None) | Err(_) => Err(CallError::Ended),
        };
    }
    target.set_calling(None);
    let _ = process.set_all_threads_debug_state(0, None);
    stopped.forget();
    let (ended, in_time) = ended?;
    let (eval, threw) = ended;
    if !in_time {
        return Err(CallError::TimedOut);
    }
    let result = eval.result().ok();
    match (threw, result) {
        (true, Some(exception)) => Ok(Outcome::Threw(exception)),
        (true, None) => Err(CallError::Refused(HResult::POINTER)),
        (false, result) => Ok(Outcome::Value(result)),
    }
}

fn is_finalizer(pid: u32, thread: &com::Thread) -> bool {
    let name = |id: u32| std::fs::read_to_string(format!("/proc/{pid}/task/{id}/comm")).unwrap_or_default();
    thread.id().is_ok_and(|id| name(id).trim() == ".NET Finalizer")
}

type Ended = ((com::Eval, bool), bool);

fn finish(
    process: &com::Process,
    eval: &com::Eval,
    limit: Duration,
    waiter: &mut dyn Waiter,
) -> Result<Ended, CallError> {
    if let Some(ended) = waiter.wait(limit)? {
        return Ok((ended, true));
    }
    // stopped first: on a running target .NET 8 blocks for ever in `Abort`
    let abort = |rude: bool| -> com::Result<()> {
        process.stop(0)?;
        let _ = if rude { eval.cast::<com::Eval2>()?.rude_abort() } else { eval.abort() };
        process.go_on(false)?;
        Ok(())
    };
    for rude in [false, true] {
        abort(rude)?;
        if let Some(ended) = waiter.wait(ABORT)? {
            return Ok((ended, false));
        }
    }
    Err(CallError::Stuck)
}

/// A scalar where an object is wanted: an empty box, filled afterwards.
fn boxed(
    stopped: &mut Stopped,
    thread: u32,
    scalar: &Scalar,
    limit: Duration,
    waiter: &mut dyn Waiter,
) -> Result<com::Value, CallError> {
    let missing = CallError::Refused(HResult::INVALID_ARGUMENT);
    let class = match scalar {
        Scalar::Enum(definition, _) => definition.class.clone(),
        other => {
            let signature = other.signature();
            let name = signature.full_name().ok_or(missing.clone())?;
            let core = stopped.target().modules.named("System.Private.CoreLib").ok_or(missing.clone())?;
            let id = core.assembly().and_then(|assembly| assembly.find_definition(name)).ok_or(missing.clone())?;
            core.class(id)?
        }
    };
    let box_ = Call { thread, what: What::Bare(class) };
    let Outcome::Value(Some(value)) = call(stopped, box_, limit, waiter)? else { return Err(missing) };
    let inside = stopped.value(value.clone()).target()?.ok_or(missing.clone())?;
    let Some((_, bytes)) = scalar.bytes() else {
        inside.write_scalar(scalar).map_err(|_| missing)?;
        return Ok(value);
    };
    let field = inside.raw_object().and_then(|object| object.field("m_value").or_else(|| object.field("_value")));
    field.ok_or(missing)?.com().cast::<com::GenericValue>()?.set_bytes(&bytes)?;
    Ok(value)
}

/// New strings are calls of their own, made first.
fn with_texts(
    stopped: &mut Stopped,
    thread: u32,
    what: What,
    limit: Duration,
    waiter: &mut dyn Waiter,
) -> Result<What, CallError> {
    let mut kept = |arguments: Vec<Argument>| -> Result<Vec<Argument>, CallError> {
        let mut made = Vec::with_capacity(arguments.len());
        for argument in arguments {
            made.push(match argument {
                Argument::Text(units) => {
                    let text = Call { thread, what: What::Text(units) };
                    match call(stopped, text, limit, waiter)? {
                        Outcome::Value(Some(value)) => Argument::Kept(value),
                        _ => return Err(CallError::Refused(HResult::POINTER)),
                    }
                }
                Argument::Boxed(scalar) => Argument::Kept(boxed(stopped, thread, &scalar, limit, waiter)?),
                other => other,
            });
        }
        Ok(made)
    };
    Ok(match what {
        What::Function { function, types, arguments } => {
            What::Function { function, types, arguments: kept(arguments)? }
        }
        What::New { constructor, types, arguments } => What::New { constructor, types, arguments: kept(arguments)? },
        other @ (What::Text(_) | What::Boxed(_) | What::Bare(_)) => other,
    })
}

fn lower(stopped: &Stopped, eval: &com::Eval, arguments: &[Argument]) -> com::Result<Vec<com::Value>> {
    arguments.iter().map(|argument| one(stopped, eval, argument)).collect()
}

fn one(stopped: &Stopped, eval: &com::Eval, argument: &Argument) -> com::Result<com::Value> {
    Ok(match argument {
        Argument::Place(place) => place.read(stopped)?.com().clone(),
        Argument::Kept(value) => value.clone(),
        Argument::Null => eval.create_value(element::CLASS, None)?,
        Argument::Scalar(scalar) => {
            let (kind, bytes) = scalar.bytes().ok_or(HResult::INVALID_ARGUMENT)?;
            let value = eval.create_value(kind, None)?;
            value.cast::<com::GenericValue>()?.set_bytes(&bytes)?;
            value
        }
        // both are made before
        Argument::Text(_) | Argument::Boxed(_) => return Err(HResult::INVALID_ARGUMENT),
    })
}
