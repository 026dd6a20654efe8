//! What the calls of a statement return while a step passes over them, and what the method returns that a step leaves.
//!
//! The runtime has a returned value only right behind the call: a breakpoint in the native code there reads it, if the activation is the
//! step's own. Where the runtime cannot read a value (optimized code, tail calls, structs) there is none.

use std::sync::Arc;

use clr_metadata::il::{Instruction, Operand, op};
use clr_metadata::{Assembly, MethodId, Primitive, Token, TypeSig};

use crate::com::{self, Interface as _, StepRange, element};
use crate::frames::{Frame, Thread, method_name};
use crate::modules::Module;
use crate::stopped::{FrameData, Stopped};
use crate::target::{Kept, Kind, ReturnSite, Returned, Returns, Step, Target};
use crate::values::{Shown, Value};

/// Values of one step, and calls of one statement that are watched: each costs messages to the runtime.
const MOST: usize = 20;
/// Hits of other activations and threads that a step bears, at about a millisecond each: recursion makes millions.
const STRANGERS: u32 = 50;
/// Names that nobody wrote as a call: accessors, operators, what `foreach` and `await` are made of.
const HIDDEN: [&str; 9] =
    ["get_", "set_", "add_", "remove_", "op_", "GetEnumerator", "GetAsyncEnumerator", "MoveNext", "ConfigureAwait"];

/// A call in IL, and its function as a client gets it.
struct Call {
    il_offset: u32,
    function: String,
}

/// Takes the value that a call has returned, if the hit is of a place behind one.
pub fn returned(target: &Arc<Target>, thread: &com::Thread, hit: &com::FunctionBreakpoint) -> bool {
    let mut current = target.step();
    let Some(step) = current.as_mut() else { return false };
    let Some(at) = step.returns.sites.iter().position(|site| site.breakpoint.is(hit)) else { return false };
    let stopped = Stopped::new(target.clone());
    step.returns.take(&stopped, thread, at);
    true
}

impl Returns {
    /// Hits that are under way still come.
    pub fn disarm(&mut self) {
        for site in self.sites.drain(..) {
            let _ = site.breakpoint.activate(false);
        }
    }

    fn take(&mut self, stopped: &Stopped, thread: &com::Thread, at: usize) -> Option<()> {
        let site = self.sites.get(at)?;
        let thread = thread.id().and_then(|id| stopped.thread(id)).ok()?;
        let top = thread.top().ok()?;
        if thread.id != site.thread || stack_end(&top) != Some(site.stack_end) {
            self.strangers += 1;
            if self.strangers > STRANGERS {
                self.disarm();
            }
            return None;
        }
        if self.found.len() >= MOST {
            self.is_cut = true;
            self.disarm();
            return None;
        }
        let value = top.data().il.cast::<com::ILFrame3>().and_then(|frame| frame.return_value(site.il_offset)).ok()?;
        let (shown, kept) = read(&stopped.value(value))?;
        let Shown { text, type_name, .. } = shown;
        self.found.push(Returned { function: site.function.clone(), text, type_name, kept });
        Some(())
    }

    fn arm(&mut self, thread: u32, frame: &Frame<'_>, calls: Vec<Call>, is_meant: impl Fn(u32) -> bool) -> Option<()> {
        let native = frame.data().il.cast::<com::NativeFrame>().ok()?;
        let code = native.code().ok()?;
        // of optimized code nobody can say which call a place is behind
        let flags = code.cast::<com::Code2>().and_then(|code| code.compiler_flags()).ok()?;
        if flags & com::JIT_DISABLE_OPTIMIZATION != com::JIT_DISABLE_OPTIMIZATION {
            return None;
        }
        let stack_end = native.stack_end().ok()?;
        let places: com::Code3 = code.cast().ok()?;
        self.is_cut |= calls.len() > MOST;
        for call in calls.into_iter().take(MOST) {
            let offsets = places.return_value_offsets(call.il_offset).unwrap_or_default();
            for offset in offsets.into_iter().filter(|offset| is_meant(*offset)) {
                let Ok(breakpoint) = code.create_breakpoint(offset) else { continue };
                if breakpoint.activate(true).is_ok() {
                    let (il_offset, function) = (call.il_offset, call.function.clone());
                    self.sites.push(ReturnSite { breakpoint, thread, stack_end, il_offset, function });
                }
            }
        }
        Some(())
    }
}

impl Step {
    /// Watches the calls that the thread returns from next: those of the statement, or of a step out the one that it is in.
    pub(super) fn watch_returns(&mut self, thread: &Thread<'_>, kind: Kind, range: Option<StepRange>) {
        if kind == Kind::Out {
            // out of what the step should not be in: the statement's own calls stay watched
            if self.kind == Kind::Out {
                self.returns.disarm();
                self.watch_return_of_method(thread);
            }
            return;
        }
        self.returns.disarm();
        let Ok(top) = thread.top() else { return };
        let Some(range) = range else { return };
        let calls = calls(top.data(), range);
        if !calls.is_empty() {
            self.returns.arm(thread.id, &top, calls, |_| true);
        }
    }

    fn watch_return_of_method(&mut self, thread: &Thread<'_>) -> Option<()> {
        let stack = thread.stack().ok()?;
        let (left, others) = stack.split_first()?;
        // of an iterator it says only whether there is another element
        if is_of_machine(left.data()) {
            return None;
        }
        let caller = others.iter().find(|frame| frame.location().is_some())?;
        let returns_to = caller.data().il.cast::<com::NativeFrame>().and_then(|frame| frame.ip()).ok()?;
        let range = super::range_at(caller.data())?;
        let calls = match caller.index == left.index + 1 {
            // whatever it is, somebody asked for it; its own name, not that of the method that it overrides
            true => all_calls(caller.data(), range, &left.name()),
            false => calls(caller.data(), range),
        };
        self.returns.arm(thread.id, caller, calls, |offset| offset == returns_to)
    }
}

fn stack_end(frame: &Frame<'_>) -> Option<u64> {
    frame.data().il.cast::<com::NativeFrame>().and_then(|frame| frame.stack_end()).ok()
}

/// Whether a method is one that the compiler made of an iterator or an async method: `MoveNext`, or what takes the result.
fn is_of_machine(at: &FrameData) -> bool {
    let owner = at.module.assembly().and_then(|assembly| assembly.method(at.method).declaring_type());
    owner.is_some_and(|owner| owner.name().starts_with('<') && owner.name().contains(">d"))
}

/// `None` for what the runtime's answer cannot be relied upon: it reads one register, and a struct may be in others.
fn read(value: &Value<'_>) -> Option<(Shown, Option<Kept>)> {
    let kind = value.com().kind().ok()?;
    let kept = match kind {
        element::VALUETYPE => {
            let type_ = crate::types::definition(value.stopped().target(), &value.type_().ok()?)?;
            type_.view().is_enum().then_some(())?;
            None
        }
        element::PTR | element::FNPTR | element::BYREF => return None,
        _ => match value.com().cast::<com::GenericValue>() {
            Ok(scalar) if value.com().cast::<com::ReferenceValue>().is_err() => {
                Some(Kept::Scalar { kind, bytes: scalar.bytes().ok()? })
            }
            _ => {
                let object = value.com().cast::<com::ReferenceValue>().and_then(|it| it.dereference());
                let handle = object.and_then(|it| it.cast::<com::HeapValue2>()?.create_handle(1)?.cast());
                handle.ok().map(Kept::Object)
            }
        },
    };
    Some((value.show(), kept))
}

/// The instructions of a method up to the end of a range.
fn code(at: &FrameData, range: StepRange) -> Option<(&Arc<Assembly>, Vec<Instruction<'_>>)> {
    let assembly = at.module.assembly()?;
    let body = assembly.method(at.method).body()?;
    let all = body.instructions().map_while(Result::ok).take_while(|it| it.offset < range.end);
    Some((assembly, all.collect()))
}

/// What an instruction calls.
fn callee(instruction: &Instruction<'_>) -> Option<Token> {
    match (instruction.opcode, instruction.operand) {
        (op::CALL | op::CALLVIRT, Operand::Token(token)) => Some(token),
        _ => None,
    }
}

/// Calls of a range of a method's code that return something, whatever is called.
fn all_calls(at: &FrameData, range: StepRange, function: &str) -> Vec<Call> {
    let Some((assembly, code)) = code(at, range) else { return Vec::new() };
    let in_range = code.iter().filter(|it| it.offset >= range.start);
    let tokens = in_range.filter_map(|it| Some((it.offset, callee(it)?)));
    let returning = tokens.filter(|(_, token)| returns(assembly, *token));
    returning.map(|(il_offset, _)| Call { il_offset, function: function.to_owned() }).collect()
}

/// Those of them that somebody wrote as calls, and what is awaited.
fn calls(at: &FrameData, range: StepRange) -> Vec<Call> {
    let Some((assembly, code)) = code(at, range) else { return Vec::new() };
    let mut found = Vec::new();
    for (index, call) in code.iter().enumerate().filter(|(_, call)| call.offset >= range.start) {
        let Some(token) = callee(call) else { continue };
        let Some(name) = assembly.called_name(token).filter(|_| returns(assembly, token)) else { continue };
        let function = match name {
            "GetResult" if is_awaiter(assembly, token) => {
                let awaited = awaited(assembly, code.get(..index).unwrap_or_default());
                awaited.map_or_else(|| "await".to_owned(), |it| format!("await {}", function(&at.module, assembly, it)))
            }
            _ if HIDDEN.iter().any(|hidden| name.starts_with(hidden)) => continue,
            _ if is_plumbing(assembly, token) || is_awaited(assembly, code.get(index + 1..).unwrap_or_default()) => {
                continue;
            }
            _ => function(&at.module, assembly, token),
        };
        found.push(Call { il_offset: call.offset, function });
    }
    found
}

fn returns(assembly: &Assembly, callee: Token) -> bool {
    assembly
        .callee_signature(callee)
        .is_some_and(|signature| signature.return_type != TypeSig::Primitive(Primitive::Void))
}

fn is_plumbing(assembly: &Assembly, callee: Token) -> bool {
    assembly.callee(callee).is_some_and(|callee| callee.is_plumbing())
}

/// `TaskAwaiter`, `ValueTaskAwaiter`, `ConfiguredTaskAwaiter` and what else has the pattern.
fn is_awaiter(assembly: &Assembly, callee: Token) -> bool {
    assembly
        .callee(callee)
        .is_some_and(|callee| callee.type_name.ends_with("Awaiter") || callee.type_name.contains("Awaiter`"))
}

/// What stands between a call and the `GetAwaiter` of its result.
fn is_between(assembly: &Assembly, instruction: &Instruction<'_>) -> bool {
    match callee(instruction) {
        Some(token) => assembly.called_name(token) == Some("ConfigureAwait"),
        // `stloc`, `ldloca`, the argument of `ConfigureAwait`
        None => matches!(instruction.opcode, op::NOP | 0x0a..=0x0d | 0x12 | 0x13 | 0x15..=0x20 | 0xfe0d | 0xfe0e),
    }
}

fn is_await(assembly: &Assembly, instruction: &Instruction<'_>) -> bool {
    callee(instruction).and_then(|token| assembly.called_name(token)) == Some("GetAwaiter")
}

/// Whether the result of a call is awaited; `behind`: the code that follows it.
fn is_awaited(assembly: &Assembly, behind: &[Instruction<'_>]) -> bool {
    behind.iter().find(|it| !is_between(assembly, it)).is_some_and(|it| is_await(assembly, it))
}

/// The call whose result the last `await` of a piece of code is for.
fn awaited(assembly: &Assembly, code: &[Instruction<'_>]) -> Option<Token> {
    let at = code.iter().rposition(|it| is_await(assembly, it))?;
    callee(code.get(..at)?.iter().rfind(|it| !is_between(assembly, it))?)
}

/// Of the program's own methods the name of a frame, of others `List.Add`.
fn function(module: &Module, assembly: &Assembly, callee: Token) -> String {
    if let Some(callee) = assembly.callee(callee) {
        return callee.short_name();
    }
    let method = assembly.called_method(callee).and_then(MethodId::from_token);
    method.map_or_else(
        || assembly.called_name(callee).unwrap_or_default().to_owned(),
        |method| method_name(module, method),
    )
}
