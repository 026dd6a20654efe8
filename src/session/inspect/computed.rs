//! An expression of operators, computed: operands are read side by side with what C# needs to know of them.

use super::evaluate::{EvalError, Evaluated, operand};
use super::expression::is_path;
use super::operators::integers::IntType;
use super::operators::{Expr, Fault, Known, Operand, binary};
use super::reader::{Access, RawValue, ReadError, Reader, join};
use super::{enums, preview, text};
use crate::session::error::Code;

/// The value of `expr` in the reader's frame.
pub async fn evaluate(reader: &Reader, expr: &Expr, side_effects: bool) -> Result<Evaluated, EvalError> {
    let result = compute(reader, expr, side_effects).await?;
    Ok(Evaluated { load_path: result.text.clone(), value: result.into_raw() })
}

async fn compute(reader: &Reader, expr: &Expr, run: bool) -> Result<Operand, EvalError> {
    match expr {
        Expr::Constant(constant) => Ok(constant.clone()),
        Expr::Operand(text) => read(reader, text, run).await,
        Expr::Unary(sign, inner) => {
            let inner = Box::pin(compute(reader, inner, run)).await?;
            match binary::unary(sign, &inner).map_err(fault)? {
                Some(result) => Ok(result),
                None => by_adapter(reader, format!("{sign}{}", inner.text), run).await,
            }
        }
        Expr::Cast(name, inner) => {
            let inner = Box::pin(compute(reader, inner, run)).await?;
            let is_boxed = inner.read.as_ref().is_some_and(preview::is_boxed);
            let is_ours = is_keyword(name) || is_boxed && name == "bool";
            if !is_ours {
                let to = enums::named(reader, name);
                return match to.and_then(|to| binary::cast_to_enum(&to, &inner)) {
                    Some(result) => Ok(result),
                    None => by_adapter(reader, format!("({name}){}", inner.text), run).await,
                };
            }
            let inner = match is_boxed {
                true => unboxed(reader, name, &inner).await?,
                false => inner,
            };
            binary::cast(name, &inner).map_err(fault)?.ok_or_else(|| {
                failed(format!("`{}` of type {} cannot be cast to {name} here", inner.text, inner.type_name()))
            })
        }
        Expr::Conditional(test, then, otherwise) => {
            let test = Box::pin(compute(reader, test, run)).await?;
            let Known::Bool(holds) = test.known else {
                return Err(failed(format!("`?:` needs a bool, not {}", test.type_name())));
            };
            let (chosen, other) = if holds { (then, otherwise) } else { (otherwise, then) };
            let result = Box::pin(compute(reader, chosen, run)).await?;
            Ok(match (&result.known, other.as_ref()) {
                // both have the type that both convert to
                (Known::Int(kind, value), Expr::Constant(Operand { known: Known::Int(wider, _), .. }))
                    if kind.converts_to(*wider) =>
                {
                    Operand::computed(Known::Int(*wider, *value))
                }
                _ => result,
            })
        }
        Expr::Binary(left, sign @ ("&&" | "||"), right) => {
            // as C# does: the right side only where the left one leaves it open
            let first = Box::pin(compute(reader, left, run)).await?;
            let first_holds = condition(&first, sign)?;
            if first_holds == (*sign == "||") {
                return Ok(Operand::computed(Known::Bool(first_holds)));
            }
            let second = Box::pin(compute(reader, right, run)).await?;
            Ok(Operand::computed(Known::Bool(condition(&second, sign)?)))
        }
        Expr::Binary(left, "??", right) => {
            let first = Box::pin(compute(reader, left, run)).await?;
            match first.known {
                Known::Null => Box::pin(compute(reader, right, run)).await,
                _ => Ok(first),
            }
        }
        Expr::Binary(left, sign, right) => {
            let left = Box::pin(compute(reader, left, run)).await?;
            let right = Box::pin(compute(reader, right, run)).await?;
            match binary::binary(&left, sign, &right).map_err(fault)? {
                Some(result) => Ok(result),
                None => by_adapter(reader, format!("{} {sign} {}", left.text, right.text), run).await,
            }
        }
    }
}

/// Whether this is a type of numbers.
fn is_keyword(name: &str) -> bool {
    IntType::named(name).is_some() || matches!(name, "double" | "float" | "decimal")
}

/// What an `object` holds, which must be of exactly the type that it is cast to (ECMA-334, 10.3.7).
async fn unboxed(reader: &Reader, to: &str, boxed: &Operand) -> Result<Operand, EvalError> {
    let path = join(&boxed.text, "m_value");
    let inner = Operand::read(reader.evaluate(&path, Access::Load).await?, &path);
    let held = inner.type_name();
    match held == to {
        // the digits of a floating point number are the adapter's
        true => Ok(Operand { read: inner.read.filter(|_| matches!(inner.known, Known::Floating(_))), ..inner }),
        false => Err(fault(Fault::Throws(format!(
            "System.InvalidCastException: the object is of type '{held}', which cannot be unboxed as '{to}'"
        )))),
    }
}

fn condition(operand: &Operand, sign: &str) -> Result<bool, EvalError> {
    match operand.known {
        Known::Bool(holds) => Ok(holds),
        _ => Err(failed(format!("`{sign}` needs a bool on both sides, not {}", operand.type_name()))),
    }
}

/// An operand, with its text whole.
async fn read(reader: &Reader, text: &str, run: bool) -> Result<Operand, EvalError> {
    let found = operand(reader, text, run).await?;
    let mut operand = Operand::read(found.value, text);
    if let (Known::Text(shown), true) = (&operand.known, is_path(text)) {
        let whole = text::whole(reader, &found.load_path, shown).await.map_err(failed)?;
        if whole != *shown {
            operand = Operand::computed(Known::Text(whole));
        }
    }
    Ok(enums::known(reader, operand))
}

/// Floating point, `decimal` that is rounded, and operators that the program defines.
async fn by_adapter(reader: &Reader, expression: String, run: bool) -> Result<Operand, EvalError> {
    if !run {
        // an operator that the program defines is code like any other
        let found = super::effects::evaluate_pure(reader, &expression).await?;
        return Ok(Operand::read(RawValue { path: None, ..found.value }, &format!("({expression})")));
    }
    match reader.evaluate(&expression, Access::Run).await {
        Ok(value) => Ok(Operand::read(RawValue { path: None, ..value }, &format!("({expression})"))),
        Err(ReadError::Refused(words)) => {
            Err(EvalError::new(Code::EvaluationFailed, super::evaluate::told(reader, &words).await))
        }
        Err(other) => Err(other.into()),
    }
}

fn fault(fault: Fault) -> EvalError {
    match fault {
        Fault::Compile(words) => EvalError::new(Code::EvaluationFailed, words),
        Fault::Throws(words) => EvalError::new(Code::EvaluationThrew, words),
    }
}

fn failed(message: String) -> EvalError {
    EvalError::new(Code::EvaluationFailed, message)
}
