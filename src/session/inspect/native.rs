//! Expressions of an adapter that evaluates C# itself: it gets them as they are written.

use super::bounds;
use super::evaluate::{EvalError, Evaluated, RUNS_NOTHING, thrown};
use super::expression::is_path;
use super::path::walk_path;
use super::reader::{Access, ReadError, Reader};
use super::refusal;
use crate::session::error::Code;

/// Whatever the expression runs is allowed.
pub(super) async fn evaluate(reader: &Reader, expression: &str) -> Result<Evaluated, EvalError> {
    let expression = expression.trim();
    bounds::parse(expression)?;
    let words = match reader.evaluate(expression, Access::Run).await {
        Ok(value) => {
            return match thrown(reader, expression, &value).await {
                Some(message) => Err(EvalError::new(Code::EvaluationThrew, message)),
                None => Ok(Evaluated { load_path: expression.to_owned(), value }),
            };
        }
        Err(ReadError::Refused(words)) => words,
        Err(other) => return Err(other.into()),
    };
    // CORDBG_E_PROCESS_TERMINATED
    if words.contains("0x80131301") {
        return Err(EvalError::new(Code::NotRunning, "the program ended during the evaluation"));
    }
    // elements are found by keys as listings have them; where the compiler refuses, nothing has run that would run again
    if words.starts_with("error CS") && is_path(expression) {
        match walk_path(reader, expression, true).await {
            Err(error) if error.code == Code::EvaluationFailed && !error.is_certain => {}
            found => return found,
        }
    }
    let message = match refusal::missing_name(&words).is_some() || words.contains(RUNS_NOTHING) {
        true => refusal::told(reader, expression, &words).await,
        false => words,
    };
    let code = if throws(&message) { Code::EvaluationThrew } else { Code::EvaluationFailed };
    Err(EvalError::new(code, message))
}

/// Whether the words are those of an exception. A place that is not there is a question that has no answer, not an accident.
fn throws(words: &str) -> bool {
    const NO_PLACE: [&str; 3] =
        ["System.NullReferenceException", "System.IndexOutOfRangeException", "System.ArgumentOutOfRangeException"];
    let is_name = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
    let name = words.split_once(": ").map(|(name, _)| name);
    name.is_some_and(|name| name.ends_with("Exception") && name.chars().all(is_name) && !NO_PLACE.contains(&name))
}
