//! What no expression may be, whoever evaluates it: what kills an adapter, or outgrows a stack.

use super::evaluate::EvalError;
use super::expression::{divides_by_literal_zero, outside_strings};
use super::operators::{self, Expr};
use crate::session::error::Code;

/// Of an expression; a condition may be as long.
const MOST_BYTES: usize = 4_096;
/// Operators within operators: each takes a piece of our stack.
const MOST_DEPTH: usize = 64;
/// What may nest for an adapter, whose stack is its own.
const MOST_NESTS: usize = 200;

/// The expression as its operators tell it; `None` where it has none of ours.
///
/// # Errors
/// It is refused.
pub(super) fn parse(expression: &str) -> Result<Option<Expr>, EvalError> {
    refuse_length(expression)?;
    match operators::parse(expression) {
        Some(expr) if expr.depth() > MOST_DEPTH => Err(too_deep()),
        // the operators are ours, and divide as C# does
        Some(expr) => {
            expr.operands().into_iter().try_for_each(refuse_what_kills)?;
            Ok(Some(expr))
        }
        None if nests(expression) > MOST_NESTS => Err(too_deep()),
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

/// What may nest without an operator of ours: calls, parentheses, signs, lambdas.
fn nests(expression: &str) -> usize {
    let code = outside_strings(expression);
    code.matches(['(', '[', '!', '~', '-']).count() + code.matches("=>").count()
}

fn too_deep() -> EvalError {
    EvalError::certain(Code::EvaluationFailed, "the expression is nested too deeply")
}
