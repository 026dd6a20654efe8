//! Limits of every expression, whoever evaluates it: it must neither crash an adapter nor overflow a stack.

use super::evaluated::EvalError;
use crate::session::error::Code;
use crate::session::expression::{MOST_BYTES, divides_by_literal_zero};

/// What nobody evaluates.
///
/// # Errors
/// It is refused.
pub(super) fn refuse(expression: &str) -> Result<(), EvalError> {
    refuse_length(expression)?;
    match clr_csharp::syntax::parse(expression) {
        Err(error) if error.is_too_deep() => {
            Err(EvalError::certain(Code::EvaluationFailed, "the expression is nested too deeply"))
        }
        _ => Ok(()),
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

/// A literal zero divisor, of an expression that an adapter computes, kills dncdbg (SIGFPE); the answer is known anyway.
pub(super) fn refuse_what_kills(expression: &str) -> Result<(), EvalError> {
    if clr_csharp::syntax::parse(expression).is_ok_and(|expr| divides_by_literal_zero(&expr)) {
        return Err(EvalError::new(
            Code::EvaluationThrew,
            "System.DivideByZeroException: Attempted to divide by zero (for floating-point division, write `/ 0.0`)",
        ));
    }
    Ok(())
}
