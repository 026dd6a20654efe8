//! The calls of a statement whose results are watched: those that somebody wrote as calls, with what takes their results.

use std::sync::Arc;

use clr_metadata::il::{Instruction, Operand, op};
use clr_metadata::{Assembly, Primitive, Token, TypeSig};

use crate::com::StepRange;
use crate::frames::method_name;
use crate::modules::Module;
use crate::stopped::FrameData;
use crate::target::{Target, WatchedCall};
use crate::types;

/// Names that nobody wrote as a call: accessors, operators, what `foreach` and `await` are made of.
const HIDDEN: [&str; 6] = ["add_", "remove_", "GetEnumerator", "GetAsyncEnumerator", "MoveNext", "ConfigureAwait"];
/// What a step in passes, though somebody wrote it.
const ACCESSORS: [&str; 3] = ["get_", "set_", "op_"];

/// The instructions of a method up to the end of a range.
fn code(at: &FrameData, range: StepRange) -> Option<(&Arc<Assembly>, Vec<Instruction<'_>>)> {
    let assembly = at.module.assembly()?;
    let body = assembly.method(at.method).body()?;
    let all = body.instructions().map_while(Result::ok).take_while(|it| it.offset < range.end);
    Some((assembly, all.collect()))
}

/// Whether a range of a method's code ends the method.
pub(super) fn has_return(at: &FrameData, range: StepRange) -> bool {
    last_return(at, range).is_some()
}

/// Where a range of a method's code ends the method, if that returns nothing.
pub(super) fn end_of_void(at: &FrameData, range: StepRange) -> Option<u32> {
    let returns = at.module.assembly()?.method(at.method).signature()?.return_type;
    last_return(at, range).filter(|_| returns == TypeSig::Primitive(Primitive::Void))
}

fn last_return(at: &FrameData, range: StepRange) -> Option<u32> {
    let (_, code) = code(at, range)?;
    code.iter().rfind(|it| it.offset >= range.start && it.opcode == op::RET).map(|it| it.offset)
}

/// What an instruction calls.
fn callee(instruction: &Instruction<'_>) -> Option<Token> {
    match (instruction.opcode, instruction.operand) {
        (op::CALL | op::CALLVIRT, Operand::Token(token)) => Some(token),
        _ => None,
    }
}

/// Calls of a range of a method's code that return something, whatever is called.
pub(super) fn all_calls(at: &FrameData, range: StepRange, function: &str) -> Vec<WatchedCall> {
    let Some((assembly, code)) = code(at, range) else { return Vec::new() };
    let call = |(index, it): (usize, &Instruction<'_>)| {
        let type_name = returns(assembly, callee(it).filter(|_| it.offset >= range.start)?)?;
        let stored_in = code.get(index + 1).and_then(stored_in);
        let function = function.to_owned();
        let name = assembly.called_name(callee(it)?)?.to_owned();
        let (is_stored_last, is_certain, ends_at) = Default::default();
        let il_offset = it.offset;
        Some(WatchedCall { il_offset, name, function, type_name, stored_in, is_stored_last, is_certain, ends_at })
    };
    code.iter().enumerate().filter_map(call).collect()
}

/// Those of them that somebody wrote as calls, and what is awaited.
/// `with_accessors`: also what properties and operators of the program's own return.
pub(super) fn calls(target: &Target, at: &FrameData, range: StepRange, with_accessors: bool) -> Vec<WatchedCall> {
    let Some((assembly, code)) = code(at, range) else { return Vec::new() };
    let mut found = Vec::new();
    let first = code.iter().position(|it| it.offset >= range.start).unwrap_or(code.len());
    for (index, call) in code.iter().enumerate().skip(first) {
        let Some(token) = callee(call) else { continue };
        let (Some(name), Some(type_name)) = (assembly.called_name(token), returns(assembly, token)) else { continue };
        let function = match name {
            "GetResult" if is_awaiter(assembly, token) => {
                let awaited = awaited(assembly, code.get(..index).unwrap_or_default());
                // of `await foreach` and `await using`
                if awaited.and_then(|it| assembly.called_name(it)).is_some_and(|it| is_hidden(it) || is_accessor(it)) {
                    continue;
                }
                awaited.map_or_else(|| "await".to_owned(), |it| format!("await {}", function(&at.module, assembly, it)))
            }
            _ if is_accessor(name) && !(with_accessors && is_users(target, assembly, token)) => continue,
            _ if is_hidden(name) || is_thrown_again(assembly, code.get(index + 1)) => continue,
            _ if is_plumbing(assembly, token) || is_awaited(assembly, code.get(index + 1..).unwrap_or_default()) => {
                continue;
            }
            _ => function(&at.module, assembly, token),
        };
        let stored_in = code.get(index + 1).and_then(stored_in);
        let (before, behind) = (code.get(first..index).unwrap_or_default(), code.get(index + 1..).unwrap_or_default());
        let is_certain = !before.iter().any(|it| may_skip(it, call.offset));
        let ends_at = ends_at(behind, range);
        let is_stored_last = code.get(index + 2..).is_none_or(|behind| behind.iter().all(is_goto));
        let (il_offset, name) = (call.offset, name.to_owned());
        let call = WatchedCall { il_offset, name, function, type_name, stored_in, is_stored_last, is_certain, ends_at };
        found.push(call);
    }
    found
}

fn is_accessor(name: &str) -> bool {
    ACCESSORS.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether it is code of the user's that somebody wrote.
fn is_users(target: &Target, assembly: &Assembly, callee: Token) -> bool {
    match assembly.own_method(callee) {
        Some(method) => !assembly.method(method).is_compiler_generated(),
        None => assembly
            .callee(callee)
            .and_then(|callee| target.modules.named(&callee.assembly))
            .is_some_and(|module| module.is_user()),
    }
}

fn is_hidden(name: &str) -> bool {
    HIDDEN.iter().any(|hidden| name.starts_with(hidden))
}

/// How the compiler throws an exception again that it kept until a `finally` with an `await` had run.
fn is_thrown_again(assembly: &Assembly, next: Option<&Instruction<'_>>) -> bool {
    const OWNER: &str = "System.Runtime.ExceptionServices.ExceptionDispatchInfo";
    let callee = next.and_then(callee).and_then(|token| assembly.callee(token));
    callee.is_some_and(|callee| callee.type_name == OWNER && callee.method == "Throw")
}

/// The type of what it returns; `None`: nothing.
fn returns(assembly: &Assembly, callee: Token) -> Option<String> {
    let type_ = assembly.callee_signature(callee)?.return_type;
    (type_ != TypeSig::Primitive(Primitive::Void)).then(|| types::text(&type_))
}

/// Whether an instruction before a call in its statement may lead to behind the call.
fn may_skip(instruction: &Instruction<'_>, call: u32) -> bool {
    targets(instruction).any(|target| target > call)
}

/// Where the method goes on behind a statement, once it has made a call that this code is behind.
fn ends_at(behind: &[Instruction<'_>], statement: StepRange) -> Vec<u32> {
    let leaves = |target: &u32| !(statement.start..statement.end).contains(target);
    // `return` goes to the method's end
    let goes_on = !behind.last().is_some_and(is_goto);
    behind.iter().flat_map(targets).filter(leaves).chain(goes_on.then_some(statement.end)).collect()
}

/// Where an instruction may go on, other than behind itself.
fn targets(instruction: &Instruction<'_>) -> impl Iterator<Item = u32> {
    let (one, several) = match &instruction.operand {
        Operand::Branch(target) => (Some(*target), None),
        Operand::Switch(table) => (None, Some(table)),
        _ => (None, None),
    };
    one.into_iter().chain(several.into_iter().flat_map(|table| table.iter()))
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

/// What the compiler calls on its own: for `??` and `?.` on a nullable value too, whoever else calls that.
fn is_plumbing(assembly: &Assembly, callee: Token) -> bool {
    let of_compiler =
        |method| assembly.method(method).declaring_type().is_some_and(|owner| owner.name().starts_with('<'));
    let is_written = |name: &str| name.starts_with('<');
    if let Some(method) = assembly.own_method(callee) {
        return of_compiler(method) && !is_written(assembly.method(method).name());
    }
    assembly.callee(callee).is_some_and(|callee| {
        callee.is_plumbing() || callee.type_name == "System.Nullable`1" && callee.method == "GetValueOrDefault"
    })
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
    if let Some(method) = assembly.own_method(callee) {
        return method_name(module, method);
    }
    match assembly.callee(callee) {
        Some(callee) => callee.short_name(),
        None => assembly.called_name(callee).unwrap_or_default().to_owned(),
    }
}
