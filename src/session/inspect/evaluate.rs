//! The one seam through which expressions go: what adapters cannot do is done here, what kills them is refused
//! (vendor-notes.md).

use super::access::Access;
use super::evaluated::{EvalError, Evaluated};
use super::path::walk_path;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::{bounds, literal, text};
use crate::dap::MayRun;
use crate::session::error::Code;
use crate::session::expression::{is_path, outside_strings};

/// Evaluates in the reader's frame. Without `side_effects` only what is known to change nothing.
pub async fn evaluate(reader: &Reader, expression: &str, side_effects: bool) -> Result<Evaluated, EvalError> {
    if reader.capabilities.supports_csharp_expressions {
        let may_run = match (reader.read_only, side_effects) {
            (true, _) => MayRun::Nothing,
            (false, true) => MayRun::Anything,
            (false, false) => MayRun::Pure,
        };
        return super::native::evaluate(reader, expression, may_run).await;
    }
    let expression = expression.trim();
    bounds::refuse(expression)?;
    reader.forced.forget_runs();
    let error = match super::world::evaluate(reader, expression, side_effects && !reader.read_only).await {
        Err(error) if error.code == Code::EvaluationFailed && !error.is_certain => error,
        answer => return answer,
    };
    let is_blind = !reader.read_only && !reader.modules.has_type("System.Object");
    if is_blind
        && is_path(expression)
        && let Some(found) = super::native::element(reader, expression).await
    {
        return found;
    }
    // elements are found by keys as listings have them; where C# has no meaning for them, nothing has run
    if error.message.starts_with("error CS") && is_path(expression) {
        match walk_path(reader, expression, !reader.read_only).await {
            Err(error) if error.code == Code::EvaluationFailed && !error.is_certain => {}
            found => {
                let Evaluated { value, load_path } = found?;
                return Ok(Evaluated { value: text::completed(reader, value, &load_path).await, load_path });
            }
        }
    }
    // of code without symbols the adapter may know what metadata does not
    let calls = outside_strings(expression).contains('(');
    if (calls || is_path(expression))
        && error.message.starts_with("error CS")
        && !reader.read_only
        && !reader.has_code()
    {
        return match side_effects {
            true => super::native::unbound(reader, expression).await,
            false if is_path(expression) => {
                Err(EvalError { message: super::refusal::compiled(reader, expression, &error.message).await, ..error })
            }
            false => {
                let words = format!("`{expression}` may have side effects: nothing is known about the code here");
                Err(EvalError::new(Code::SideEffects, words))
            }
        };
    }
    Err(EvalError { message: super::refusal::compiled(reader, expression, &error.message).await, ..error })
}

/// Adapters answer with the exception object as if it were the value (vendor-notes.md). `Type: message` when one was thrown.
pub async fn thrown(reader: &Reader, expression: &str, value: &RawValue) -> Option<String> {
    if value.is_thrown {
        let message = exception_message(reader, value.reference).await.unwrap_or_default();
        return Some(format!("{}: {message}", value.type_name));
    }
    let called = outside_strings(expression).contains('(') || expression.contains('.') || expression.contains('[');
    if !called || !value.value.starts_with('{') || !reader.shape(&value.type_name).is_exception {
        return None;
    }
    if declared_as_exception(reader, expression).await {
        return None;
    }
    let message = exception_message(reader, value.reference).await.unwrap_or_default();
    Some(format!("{}: {message}", value.type_name))
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
pub async fn exception_message(reader: &Reader, reference: i64) -> Option<String> {
    let children = reader.children(reference, None).await.ok()?;
    let text =
        |name: &str| children.iter().find(|child| child.name == name).and_then(|child| literal::unquote(&child.value));
    text("Message").or_else(|| {
        let parameter = text("_paramName").filter(|name| !name.is_empty());
        let parameter = parameter.map(|name| format!(" (Parameter '{name}')")).unwrap_or_default();
        text("_message").map(|message| message + &parameter)
    })
}
