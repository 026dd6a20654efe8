//! Whether code of the user catches an exception that has found a handler. Around an async method the compiler writes one that passes
//! the exception on to whoever awaits the method: there the search goes on, along the stack as long as the method has never been
//! suspended, behind that along the tasks.

use clr_metadata::il::{Operand, Region, RegionKind, op};
use clr_metadata::{MethodId, Token, TypeSig};

use super::base_names;
use crate::awaiters::{self, Behind, task_of_machine};
use crate::com;
use crate::modules::Module;
use crate::stopped::{FrameData, Stopped};
use crate::types;
use crate::values::Value;

/// Methods that wait for each other; more are not looked at.
const DEPTH: usize = 256;

/// What the runtime has for a type argument that it does not know: code for all reference types is one.
const SHARED: &str = "__Canon";

/// What the compiler's handler calls to pass an exception on.
const PASSED_ON: &str = "SetException";

/// Where in a method, of which activation.
struct Place<'a> {
    stopped: &'a Stopped,
    module: &'a Module,
    method: MethodId,
    offset: u32,
    runs: Runs<'a>,
}

/// What knows the generic arguments.
enum Runs<'a> {
    Frame(&'a FrameData),
    /// Of an async method that is suspended.
    Machine(&'a Value<'a>),
}

impl<'a> Place<'a> {
    fn of(stopped: &'a Stopped, at: &'a FrameData) -> Self {
        Self { stopped, module: &at.module, method: at.method, offset: at.offset, runs: Runs::Frame(at) }
    }

    /// With the generic arguments in the places of the parameters, as far as they are known.
    fn substituted(&self, type_: &TypeSig) -> TypeSig {
        let target = self.stopped.target();
        let signature = |type_: &com::Type| types::signature(target, type_);
        let given: Vec<TypeSig> = match self.runs {
            Runs::Frame(at) => at.type_arguments().iter().map(signature).collect(),
            Runs::Machine(machine) => match machine.type_().map(|type_| signature(&type_)) {
                Ok(TypeSig::Named(name)) => name.arguments,
                _ => Vec::new(),
            },
        };
        let owner = self.module.assembly().and_then(|assembly| assembly.method(self.method).declaring_type());
        let of_type = owner.map_or(0, |owner| owner.type_parameters().len()).min(given.len());
        let (of_type, of_method) = given.split_at(of_type);
        type_.substitute(of_type, of_method)
    }
}

/// `handler`: the frame that has it, as the runtime gives it, and the IL offset at which it begins.
pub fn is_caught_by_user(stopped: &Stopped, thread: u32, handler: (Option<&com::Frame>, u32)) -> bool {
    let (frame, offset) = handler;
    let Some(at) = catcher(stopped, thread, frame, offset) else { return false };
    if !at.module.is_users(at.method) {
        return false;
    }
    if !passes_on(&at.module, at.method, offset) {
        return true;
    }
    awaiting_catches(stopped, thread, &at).unwrap_or(false)
}

/// Whether an exception, whose handler is still to be found, leaves a static constructor. The runtime catches it there, and from .NET 9 on
/// does not report that.
pub fn leaves_initializer(stopped: &Stopped, thread: u32) -> bool {
    let Ok(thread) = stopped.thread(thread) else { return false };
    let Some(exception) = thread.exception() else { return false };
    let names = names(&exception);
    let is_caught = |at: &FrameData| takes(&Place::of(stopped, at), &names, |_| true);
    let innermost = thread.innermost(|at| at.is_static_constructor() || is_caught(at));
    innermost.is_some_and(|at| !is_caught(&at))
}

/// The frame that has the handler which begins at that offset. From .NET 9 on the runtime gives none for what is thrown while another
/// handler or a `finally` of the same method runs, but still the offset: it is the innermost frame with such a handler around its place.
pub fn catcher(stopped: &Stopped, thread: u32, frame: Option<&com::Frame>, offset: u32) -> Option<FrameData> {
    if let Some(frame) = frame {
        return FrameData::read(stopped.target(), frame);
    }
    let thread = stopped.thread(thread).ok()?;
    let names = names(&thread.exception()?);
    thread.innermost(|at| takes(&Place::of(stopped, at), &names, |region| region.handler_start == offset))
}

/// Whether the handler that begins there is the compiler's own of an async method.
fn passes_on(module: &Module, method: MethodId, offset: u32) -> bool {
    passing_call(module, method, offset).is_some()
}

/// The handler around a place in an async method, if the compiler wrote it: no line is behind such a one. It passes an exception on, or
/// keeps it until a `finally` with an `await` has run.
pub fn compilers_handler(module: &Module, method: MethodId, offset: u32) -> Option<Region> {
    let symbols = module.symbols()?;
    symbols.async_info(method)?;
    let body = module.assembly()?.method(method).body()?;
    let is_it = |region: &&Region| (region.handler_start..region.handler_end).contains(&offset);
    let handler = *body.regions.iter().find(is_it)?;
    let points = symbols.sequence_points(method);
    points.iter().rfind(|point| point.il_offset <= handler.handler_start).filter(|point| point.is_hidden)?;
    Some(handler)
}

/// The method that the compiler's own handler of an async method, which begins there, calls to pass an exception on.
pub fn passing_call(module: &Module, method: MethodId, offset: u32) -> Option<Token> {
    let handler = compilers_handler(module, method, offset)?;
    let assembly = module.assembly()?;
    let body = assembly.method(method).body()?;
    let within = |at: u32| (handler.handler_start..handler.handler_end).contains(&at);
    let mut calls = body.instructions().map_while(Result::ok).filter(|it| within(it.offset));
    calls.find_map(|it| match it.operand {
        Operand::Token(token) if matches!(it.opcode, op::CALL | op::CALLVIRT) => {
            (assembly.called_name(token) == Some(PASSED_ON)).then_some(token)
        }
        _ => None,
    })
}

/// Whether one of the methods that wait for an async one catches what it passes on; `None`: nobody is known to.
fn awaiting_catches(stopped: &Stopped, thread: u32, from: &FrameData) -> Option<bool> {
    let thread = stopped.thread(thread).ok()?;
    let exception = thread.exception()?;
    let names = names(&exception);
    let stack = thread.stack().ok()?;
    let own = stack.iter().position(|frame| {
        let at = frame.data();
        (at.module.id, at.method) == (from.module.id, from.method)
    })?;
    let mut suspended = None;
    let mut is_left = true;
    for frame in stack.get(own..)? {
        let at = frame.data();
        // behind a part of the method that has the handler comes the rest of it, which the exception leaves too
        is_left &= frame.index == own || (at.module.id, at.method) == (from.module.id, from.method);
        if !is_left && at.module.is_users(at.method) && catches(&Place::of(stopped, at), &names) {
            return Some(true);
        }
        let task = || task_of_machine(&stopped.value(frame.this().ok()?));
        if let Some(task) = at.is_of_machine().then(task).flatten() {
            // it was resumed: what called it now does not wait for it
            suspended = Some(task);
            break;
        }
        is_left &= at.is_of_handler();
    }
    let mut task = suspended?;
    for _ in 0..DEPTH {
        let awaiter = match awaiters::behind(&task) {
            Behind::Method(awaiter) => awaiter,
            // another thread waits for it, or may be about to
            Behind::Nobody => return Some(is_caught_on_other_threads(stopped, thread.id, &names)),
            Behind::Task(_) | Behind::Unknown(_) => return None,
        };
        let definition = awaiter.definition()?;
        if definition.module.is_user() {
            let (method, offset) = awaiter.place(&definition)?;
            let module = &definition.module;
            let place = Place { stopped, module, method, offset, runs: Runs::Machine(&awaiter.machine) };
            if catches(&place, &names) {
                return Some(true);
            }
        }
        task = awaiter.task;
    }
    None
}

/// Whether user code that another thread is in the midst of catches such an exception.
fn is_caught_on_other_threads(stopped: &Stopped, thread: u32, names: &[String]) -> bool {
    let threads = stopped.threads().unwrap_or_default();
    threads.iter().filter(|other| other.id != thread).any(|other| {
        other.stack().unwrap_or_default().iter().any(|frame| {
            let at = frame.data();
            at.module.is_users(at.method) && catches(&Place::of(stopped, at), names)
        })
    })
}

/// The types that an exception is of.
fn names(exception: &Value<'_>) -> Vec<String> {
    let mut names = vec![exception.type_name()];
    names.extend(base_names(exception));
    names
}

/// Whether code that somebody wrote in a method catches an exception of one of these types that comes from there.
fn catches(place: &Place<'_>, names: &[String]) -> bool {
    takes(place, names, |region| !passes_on(place.module, place.method, region.handler_start))
}

/// Whether a method has such a handler for an exception of one of these types that comes from there. One with a filter may be.
fn takes(place: &Place<'_>, names: &[String], is_it: impl Fn(&Region) -> bool) -> bool {
    let (module, method, offset) = (place.module, place.method, place.offset);
    let found = || {
        let assembly = module.assembly()?;
        let body = assembly.method(method).body()?;
        let around = body.regions.iter().filter(|region| (region.try_start..region.try_end).contains(&offset));
        Some(around.into_iter().any(|region| {
            let is_for = match region.kind {
                RegionKind::Catch(type_) => assembly.type_signature(type_).is_some_and(|type_| {
                    let type_ = place.substituted(&type_);
                    let name = types::text(&type_);
                    // of a type parameter, where nobody can say what it stands for
                    let is_unknown = matches!(type_, TypeSig::TypeParameter(_) | TypeSig::MethodParameter(_));
                    // `catch { }` of whatever is thrown
                    name == "object" || names.contains(&name) || is_unknown || name.contains(SHARED)
                }),
                RegionKind::Filter(_) => true,
                RegionKind::Finally | RegionKind::Fault => false,
            };
            is_for && is_it(region)
        }))
    };
    found().unwrap_or(false)
}
