//! What threw: adapters answer with the exception object as if it were the value (vendor-notes.md).

use super::access::Access;
use super::evaluated::EvalError;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::shape::{MemberKind, Shape};
use super::{literal, message, own_message};
use crate::session::error::Code;
use crate::session::expression::{is_path, outside_strings};
use crate::session::report::{Content, Variable};

/// `NotSupportedException: this property always throws`, where that is what a member of an object has for a value.
pub async fn member(reader: &Reader, shape: &Shape, child: &RawValue) -> Option<Variable> {
    let member = shape.members.iter().find(|member| member.name == child.name)?;
    if member.kind == MemberKind::Field {
        return None;
    }
    error(reader, &member.declared, child).await
}

/// The same of a static member of `owner`.
pub async fn static_member(reader: &Reader, owner: &str, child: &RawValue) -> Option<Variable> {
    error(reader, &reader.modules.static_property(owner, &child.name)?, child).await
}

async fn error(reader: &Reader, declared: &str, child: &RawValue) -> Option<Variable> {
    let is_exception = |type_name: &str| reader.shape(type_name).is_exception;
    if !child.is_thrown && tells_itself(reader) {
        return None;
    }
    if !child.value.starts_with('{') || !is_exception(&child.type_name) || is_exception(declared) {
        return None;
    }
    let content = Content::Error(format!("{}: {}", child.short_type(), exception_message(reader, child).await));
    Some(Variable { name: child.name.clone(), content, ..Variable::default() })
}

/// `Type: message` where the answer to an expression is an exception that it threw.
pub async fn of_expression(reader: &Reader, expression: &str, value: &RawValue) -> Option<String> {
    if value.is_thrown {
        return Some(format!("{}: {}", value.type_name, exception_message(reader, value).await));
    }
    if tells_itself(reader) {
        return None;
    }
    let called = outside_strings(expression).contains('(') || expression.contains('.') || expression.contains('[');
    if !called || !value.value.starts_with('{') || !reader.shape(&value.type_name).is_exception {
        return None;
    }
    if declared_as_exception(reader, expression).await {
        return None;
    }
    Some(format!("{}: {}", value.type_name, exception_message(reader, value).await))
}

/// Whether the adapter says of what was thrown that it was: no other exception is one.
fn tells_itself(reader: &Reader) -> bool {
    reader.capabilities.supports_csharp_expressions
}

/// What a call threw. Some calls the adapters make with the type arguments of another class (members that a class inherits from a generic
/// one: netcoredbg 3.1.2, dncdbg 1.1.0, 2026-11-26): then the runtime refuses the call, and the expression is not at fault.
pub fn by_call(type_name: &str, message: &str) -> EvalError {
    match type_name {
        "System.TypeLoadException" | "System.Reflection.TargetParameterCountException" => {
            EvalError::new(Code::EvaluationFailed, format!("this adapter cannot make the call: {type_name}: {message}"))
        }
        _ => EvalError::new(Code::EvaluationThrew, format!("{type_name}: {message}")),
    }
}

/// A member that is an exception by declaration is a value, not an accident.
async fn declared_as_exception(reader: &Reader, expression: &str) -> bool {
    let Some((parent, last)) = expression.rsplit_once('.') else { return false };
    if last.starts_with("GetBaseException") {
        return true;
    }
    if !is_path(parent) || last.contains('(') {
        return false;
    }
    let Ok(parent) = reader.evaluate(parent, Access::Run).await else { return false };
    let shape = reader.shape(&parent.type_name);
    // its type is known without the framework's metadata
    if shape.is_exception && last == "InnerException" {
        return true;
    }
    shape
        .members
        .iter()
        .find(|member| member.name == last)
        .is_some_and(|member| reader.shape(&member.declared).is_exception)
}

/// The message of an exception object.
pub async fn exception_message(reader: &Reader, exception: &RawValue) -> String {
    let children = reader.children(exception.reference, None).await.unwrap_or_default();
    let text =
        |name: &str| children.iter().find(|child| child.name == name).and_then(|child| literal::unquote(&child.value));
    if let Some(message) = text("Message") {
        return message;
    }
    if reader.shape(&exception.type_name).overrides_message {
        return own_message::UNREAD.to_owned();
    }
    let Some(given) = text("_message") else { return String::new() };
    let path = exception.path.clone().unwrap_or_default();
    message::completed(reader, exception, &path, given).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_the_runtime_refuses_is_not_the_fault_of_the_expression() {
        let refused = by_call("System.TypeLoadException", "the wrong number of generic arguments");
        assert_eq!(refused.code, Code::EvaluationFailed);
        assert!(
            refused.message.starts_with("this adapter cannot make the call: System.TypeLoadException: the"),
            "{refused:?}"
        );
        assert_eq!(by_call("System.ArgumentException", "no").code, Code::EvaluationThrew);
    }
}
