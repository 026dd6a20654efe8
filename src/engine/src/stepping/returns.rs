//! What the calls of a statement return while a step passes over them, and what the method returns that a step leaves.
//!
//! The runtime has a returned value only right behind the call: a breakpoint in the native code there reads it, if the activation is the
//! step's own. It says of most structs neither where that is nor what: they are read from where the calling convention has them
//! (`structs`), or from the variable that the statement ends with storing them in. A value that cannot be read is reported as that; of
//! optimized code nothing is reported.

use std::sync::Arc;

use clr_metadata::il::{Instruction, Operand, op};
use clr_metadata::{Assembly, MethodId, Primitive, Token, TypeSig};

use super::structs;
use crate::com::{self, Interface as _, StepRange, element};
use crate::frames::{Frame, Thread, method_name};
use crate::modules::Module;
use crate::stopped::{FrameData, Stopped};
use crate::target::{Kept, Kind, ReturnSite, Returned, Returns, Step, Target, WatchedCall};
use crate::types;
use crate::values::Value;

/// Values of one step, and calls of one statement that are watched: each costs messages to the runtime.
const MOST: usize = 20;
/// Hits of other activations and threads that a step bears, at about a millisecond each: recursion makes millions.
const STRANGERS: u32 = 50;
/// Names that nobody wrote as a call: accessors, operators, what `foreach` and `await` are made of.
const HIDDEN: [&str; 9] =
    ["get_", "set_", "add_", "remove_", "op_", "GetEnumerator", "GetAsyncEnumerator", "MoveNext", "ConfigureAwait"];

/// In place of a value.
const UNREADABLE: &str = "<error: not readable>";
/// E_FAIL: there is no call at that place in the native code.
const NO_CALL: com::HResult = com::HResult(0x8000_4005);

impl WatchedCall {
    /// What is known of it without its value.
    fn unread(self, stack_end: u64, has_returned: bool) -> Returned {
        let Self { il_offset, function, type_name, stored_in, is_stored_last, ends_at } = self;
        let slot = stored_in.filter(|_| is_stored_last);
        let kept = Some(Kept::Unread { slot, stack_end, ends_at, has_returned });
        Returned { function, il_offset, text: UNREADABLE.to_owned(), type_name, kept }
    }
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
        let call = site.call.clone();
        let il = &top.data().il;
        let value = il.cast::<com::ILFrame3>().and_then(|frame| frame.return_value(call.il_offset));
        let read = match value.map(|value| stopped.value(value)) {
            Ok(value) => read(&value, site).map(|read| (read, value.type_name())),
            // of a struct that the runtime does not hand out, the variable that will have it has the type
            Err(_) => call.stored_in.and_then(|slot| {
                let like = stopped.value(il.local(slot.into()).ok()?);
                let is_struct = like.com().kind() == Ok(element::VALUETYPE) && !is_enum(&like);
                Some((read_struct(&like, site).filter(|_| is_struct)?, like.type_name()))
            }),
        };
        let returned = match read {
            Some(((text, kept), type_name)) => {
                let WatchedCall { function, il_offset, .. } = call;
                Returned { function, il_offset, text, type_name, kept }
            }
            None => call.unread(site.stack_end, true),
        };
        self.found.push(returned);
        Some(())
    }

    /// With the calls that nothing was seen of, each where its statement has it.
    pub fn finish(&mut self) -> (Vec<Returned>, bool) {
        let mut found = std::mem::take(&mut self.found);
        for unseen in self.unseen.drain(..) {
            let before = found.iter().rposition(|it| it.il_offset < unseen.il_offset);
            found.insert(before.map_or(0, |at| at + 1), unseen);
        }
        (found, self.is_cut)
    }

    /// `behind`: of these calls only the one that returns to that place is meant.
    fn arm(&mut self, thread: u32, frame: &Frame<'_>, calls: Vec<WatchedCall>, behind: Option<u32>) -> Option<()> {
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
            let offsets = match (places.return_value_offsets(call.il_offset), behind) {
                (Ok(offsets), None) => offsets,
                (Ok(offsets), Some(place)) => offsets.into_iter().filter(|offset| *offset == place).collect(),
                (Err(NO_CALL), _) => continue,
                // a struct
                (Err(_), Some(place)) => vec![place],
                (Err(_), None) => {
                    self.unseen.push(call.unread(stack_end, false));
                    continue;
                }
            };
            for offset in offsets {
                if self.sites.iter().any(|site| site.offset == offset) {
                    continue;
                }
                let Ok(breakpoint) = code.create_breakpoint(offset) else { continue };
                if breakpoint.activate(true).is_ok() {
                    let call = call.clone();
                    self.sites.push(ReturnSite { breakpoint, offset, thread, stack_end, call });
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
        self.returns.unseen.retain(|it| !(range.start..range.end).contains(&it.il_offset));
        let calls = calls(top.data(), range);
        if !calls.is_empty() {
            self.returns.arm(thread.id, &top, calls, None);
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
        self.returns.arm(thread.id, caller, calls, Some(returns_to))
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
fn read(value: &Value<'_>, site: &ReturnSite) -> Option<(String, Option<Kept>)> {
    let kind = value.com().kind().ok()?;
    let kept = match kind {
        element::VALUETYPE if !is_enum(value) => return read_struct(value, site),
        element::VALUETYPE => None,
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
    Some((value.show().text, kept))
}

fn read_struct(like: &Value<'_>, site: &ReturnSite) -> Option<(String, Option<Kept>)> {
    let structs::Struct { bytes, text } = structs::returned(like, site.thread)?;
    let kept = site.call.stored_in.map(|slot| Kept::Struct { slot, stack_end: site.stack_end, bytes });
    Some((text, kept))
}

fn is_enum(value: &Value<'_>) -> bool {
    let definition = value.type_().ok().and_then(|type_| types::definition(value.stopped().target(), &type_));
    definition.is_some_and(|definition| definition.view().is_enum())
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
fn all_calls(at: &FrameData, range: StepRange, function: &str) -> Vec<WatchedCall> {
    let Some((assembly, code)) = code(at, range) else { return Vec::new() };
    let call = |(index, it): (usize, &Instruction<'_>)| {
        let type_name = returns(assembly, callee(it).filter(|_| it.offset >= range.start)?)?;
        let stored_in = code.get(index + 1).and_then(stored_in);
        let function = function.to_owned();
        let (is_stored_last, ends_at) = Default::default();
        Some(WatchedCall { il_offset: it.offset, function, type_name, stored_in, is_stored_last, ends_at })
    };
    code.iter().enumerate().filter_map(call).collect()
}

/// Those of them that somebody wrote as calls, and what is awaited.
fn calls(at: &FrameData, range: StepRange) -> Vec<WatchedCall> {
    let Some((assembly, code)) = code(at, range) else { return Vec::new() };
    let mut found = Vec::new();
    let first = code.iter().position(|it| it.offset >= range.start).unwrap_or(code.len());
    for (index, call) in code.iter().enumerate().skip(first) {
        let Some(token) = callee(call) else { continue };
        let (Some(name), Some(type_name)) = (assembly.called_name(token), returns(assembly, token)) else { continue };
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
        let stored_in = code.get(index + 1).and_then(stored_in);
        let ends_at = ends_at(code.get(first..).unwrap_or_default(), range.end);
        let is_stored_last = code.get(index + 2..).is_none_or(|behind| behind.iter().all(is_goto));
        found.push(WatchedCall { il_offset: call.offset, function, type_name, stored_in, is_stored_last, ends_at });
    }
    found
}

/// The type of what it returns; `None`: nothing.
fn returns(assembly: &Assembly, callee: Token) -> Option<String> {
    let type_ = assembly.callee_signature(callee)?.return_type;
    (type_ != TypeSig::Primitive(Primitive::Void)).then(|| types::text(&type_))
}

/// Where the method goes on behind a statement that is passed from its begin to its end; empty for one with branches.
fn ends_at(statement: &[Instruction<'_>], end: u32) -> Vec<u32> {
    let Some((last, others)) = statement.split_last() else { return Vec::new() };
    let branches = |it: &Instruction<'_>| matches!(it.operand, Operand::Branch(_) | Operand::Switch(_));
    match last.operand {
        _ if others.iter().any(branches) => Vec::new(),
        // `return` goes to the method's end
        Operand::Branch(target) if is_goto(last) => vec![target],
        Operand::Branch(_) | Operand::Switch(_) => Vec::new(),
        _ => vec![end],
    }
}

fn is_goto(instruction: &Instruction<'_>) -> bool {
    const BR: u16 = 0x38;
    matches!(instruction.opcode, op::BR_S | BR)
}

/// The local variable that an instruction gives a value.
fn stored_in(instruction: &Instruction<'_>) -> Option<u16> {
    match (instruction.opcode, instruction.operand) {
        (opcode @ 0x0a..=0x0d, _) => Some(opcode - 0x0a),
        (0x13 | 0xfe0e, Operand::Variable(slot)) => Some(slot),
        _ => None,
    }
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
