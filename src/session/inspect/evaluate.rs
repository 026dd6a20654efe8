//! The one seam through which expressions go: what adapters cannot do is done here, what kills them is refused
//! (vendor-notes.md).

use super::evaluated::{EvalError, Evaluated};
use super::path::walk_path;
use super::reader::Reader;
use super::{bounds, refusal, text};
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
    if error.message.starts_with("error CS") && is_path(expression) && !refusal::is_of_type(&error.message) {
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
                Err(EvalError { message: refusal::compiled(reader, expression, &error.message).await, ..error })
            }
            false => {
                let words = format!("`{expression}` may have side effects: nothing is known about the code here");
                Err(EvalError::new(Code::SideEffects, words))
            }
        };
    }
    Err(EvalError { message: refusal::compiled(reader, expression, &error.message).await, ..error })
}
