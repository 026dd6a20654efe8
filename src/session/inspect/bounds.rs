//! What no expression may be, whoever evaluates it: what kills an adapter, or outgrows a stack.

use super::evaluate::EvalError;
use super::expression::divides_by_literal_zero;
use super::operators::{self, Expr};
use crate::session::error::Code;

/// Of an expression; a condition may be as long.
const MOST_BYTES: usize = 4_096;

/// The expression as its operators tell it; `None` where it has none of ours.
///
/// # Errors
/// It is refused.
pub(super) fn parse(expression: &str) -> Result<Option<Expr>, EvalError> {
    refuse_length(expression)?;
    if clr_csharp::syntax::parse(expression).is_err_and(|error| error.is_too_deep()) {
        return Err(EvalError::certain(Code::EvaluationFailed, "the expression is nested too deeply"));
    }
    match operators::parse(expression) {
        // the operators are ours, and divide as C# does
        Some(expr) => {
            expr.operands().into_iter().try_for_each(refuse_what_kills)?;
            Ok(Some(expr))
        }
        None => refuse_what_kills(expression).map(|()| None),
    }
}

fn refuse_length(expression: &str) -> Result<(), EvalError> {
    if expression.is_empty() {
        return Err(EvalError::new(Code::EvaluationFailed, "the expression is empty"));
    }
    if expression.len() > MOST_BYTES {
        let words = format!("the expression is longer than {MOST_BYTES} bytes");
        return Err(EvalError::certain(Code::EvaluationFailed, words));
    }
    Ok(())
}

/// A literal zero divisor kills dncdbg (SIGFPE); the answer is known anyway.
pub(super) fn refuse_what_kills(expression: &str) -> Result<(), EvalError> {
    if divides_by_literal_zero(expression) {
        return Err(EvalError::new(
            Code::EvaluationThrew,
            "System.DivideByZeroException: Attempted to divide by zero (of floating numbers write `/ 0.0`)",
        ));
    }
    Ok(())
}
