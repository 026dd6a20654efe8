//! Whether two operands are the same object, where `==` asks that and the adapter has no such operator. Neither known adapter can pass an
//! object to a parameter of another type, so `object.ReferenceEquals` is out of reach (2026-11-23).

use super::evaluate::EvalError;
use super::operators::{Known, Operand};
use super::preview;
use super::reader::{Access, Reader, join};
use crate::session::error::Code;

/// `None`: these are not two objects that `==` compares by reference.
///
/// The runtime's hash codes are random numbers of 26 bits that stay with an object: those of two objects differ but once in 67 million.
pub async fn same_object(reader: &Reader, left: &Operand, right: &Operand) -> Option<Result<bool, EvalError>> {
    let (one, other) = (type_of(reader, left)?, type_of(reader, right)?);
    if reader.read_only {
        return None;
    }
    if one != other {
        return Some(Ok(false));
    }
    if !reader.modules.has_identity_hash(one) {
        let words = format!(
            "`==` compares references here, and {} overrides GetHashCode: this adapter cannot tell whether `{}` and `{}` are one object",
            super::type_names::short(one),
            left.text,
            right.text
        );
        return Some(Err(EvalError::certain(Code::EvaluationFailed, words)));
    }
    let hash = async |operand: &Operand| reader.evaluate(&join(&operand.text, "GetHashCode()"), Access::Run).await;
    let (one, other) = (hash(left).await, hash(right).await);
    Some(match (one, other) {
        (Ok(one), Ok(other)) if one.type_name == "int" && other.type_name == "int" => Ok(one.value == other.value),
        (Err(error), _) | (_, Err(error)) => Err(error.into()),
        _ => return None,
    })
}

/// The type of an object whose `==` compares references.
fn type_of<'o>(reader: &Reader, operand: &'o Operand) -> Option<&'o str> {
    let read = operand.read.as_ref().filter(|_| matches!(operand.known, Known::Other(_)))?;
    let is_object = !preview::is_boxed(read) && reader.modules.compares_references(&read.type_name);
    is_object.then_some(read.type_name.as_str())
}
