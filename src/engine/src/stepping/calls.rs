//! The calls of a statement, and a step into one of them.
//!
//! The runtime steps into whatever is called next. A step into one call steps out of all others again, as it does with properties.
//! The call through which a method was entered is recognized by the method's name: the caller's place within the statement is known only roughly.

use clr_metadata::il::{Operand, op};
use clr_metadata::{MethodId, Table, Token};

use crate::stopped::FrameData;
use crate::target::{Into, Target};

/// What the framework's delegates are called by: what is entered then has another name.
const INVOKE: &str = "Invoke";
const CONSTRUCTOR: &str = ".ctor";

/// A call that a step may be for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Where in the method it is, by which it is asked for.
    pub offset: u32,
    /// `Order.Total`
    pub label: String,
    /// As in metadata.
    name: String,
}

/// The calls that are still to come of the statement at a place, in their order, those that can lead to code with a source.
pub fn calls_at(target: &Target, at: &FrameData) -> Vec<Call> {
    let found = || {
        let range = super::range_at(at)?;
        let body = at.module.assembly()?.method(at.method).body()?;
        let instructions = body.instructions().map_while(Result::ok);
        let within = instructions.filter(|it| it.offset >= at.offset && it.offset < range.end);
        Some(
            within
                .filter_map(|it| {
                    let is_call = matches!(it.opcode, op::CALL | op::CALLVIRT | op::NEWOBJ);
                    let Operand::Token(token) = it.operand else { return None };
                    is_call.then(|| called(target, at, it.offset, token)).flatten()
                })
                .collect(),
        )
    };
    found().unwrap_or_default()
}

fn called(target: &Target, at: &FrameData, offset: u32, token: Token) -> Option<Call> {
    let assembly = at.module.assembly()?;
    let name = assembly.called_name(token)?.to_owned();
    let label = match assembly.callee(token) {
        Some(callee) => {
            let is_users = target.modules.named(&callee.assembly).is_some_and(|module| module.is_user());
            let is_delegate = name == INVOKE;
            if callee.is_plumbing() || !is_users && !is_delegate {
                return None;
            }
            callee.short_name()
        }
        None => {
            let own = MethodId::from_token(token).filter(|_| token.table() == Some(Table::MethodDef));
            let described = own.and_then(|method| assembly.describe_method(method));
            described.map_or_else(|| name.clone(), |described| in_source(&described.function))
        }
    };
    Some(Call { offset, label, name })
}

/// A property for its accessor, `new Order` for a constructor.
fn in_source(function: &str) -> String {
    if let Some(type_) = function.strip_suffix("..ctor") {
        return format!("new {type_}");
    }
    let (owner, name) = function.rsplit_once('.').unwrap_or(("", function));
    let name = name.strip_prefix("get_").or_else(|| name.strip_prefix("set_")).unwrap_or(name);
    if owner.is_empty() { name.to_owned() } else { format!("{owner}.{name}") }
}

/// What a step into the call at an IL offset has to look for; `None` where there is no such call.
pub fn into(target: &Target, at: &FrameData, offset: u32) -> Option<Into> {
    let calls = calls_at(target, at);
    let position = calls.iter().position(|call| call.offset == offset)?;
    let (wanted, before) = (calls.get(position)?, calls.get(..position)?);
    Some(Into {
        name: wanted.name.clone(),
        passed: before.iter().filter(|call| call.name == wanted.name).count(),
        others: calls.iter().filter(|call| call.name != INVOKE).map(|call| call.name.clone()).collect(),
        from: (at.module.id, at.method),
    })
}

impl Into {
    /// Whether the step is to leave the method that it has come into.
    pub(super) fn leaves(&mut self, at: &FrameData) -> bool {
        // the caller again, behind the statement; a call of itself begins at its beginning
        if self.from == (at.module.id, at.method) && at.offset != 0 {
            return false;
        }
        let Some(name) = entered(at) else { return true };
        let is_it = match self.name.as_str() {
            INVOKE => !self.others.contains(&name),
            wanted => wanted == name,
        };
        if is_it && self.passed > 0 {
            self.passed -= 1;
            return true;
        }
        !is_it
    }
}

/// The name of the method that was called for this code: of an async method the one that begins it.
fn entered(at: &FrameData) -> Option<String> {
    let kickoff = at.module.symbols().and_then(|symbols| symbols.kickoff_of(at.method));
    let name = at.module.assembly()?.method(kickoff.unwrap_or(at.method)).name();
    // an explicit implementation has the interface in its name
    Some(if name == CONSTRUCTOR { name } else { name.rsplit('.').next().unwrap_or(name) }.to_owned())
}

#[cfg(test)]
mod tests {
    use super::in_source;

    #[test]
    fn calls_are_labeled_as_the_source_has_them() {
        for (function, label) in [
            ("Line.get_Doubled", "Line.Doubled"),
            ("Line..ctor", "new Line"),
            ("Local", "Local"),
            ("A.Twice", "A.Twice"),
        ] {
            assert_eq!(in_source(function), label);
        }
    }
}
