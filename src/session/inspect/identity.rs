//! Whether two operands are the same object, where `==` asks that and the adapter has no such operator. Neither known adapter can pass an
//! object to a parameter of another type, so `object.ReferenceEquals` is out of reach (2026-11-23).

use super::evaluate::EvalError;
use super::operators::{Known, Operand};
use super::preview;
use super::reader::{Access, RawValue, Reader, join};
use crate::session::error::Code;

/// `None`: these are not two objects that `==` compares by reference.
///
/// The runtime's hash codes are random numbers of 26 bits that stay with an object: those of two objects differ but once in 67 million.
pub async fn same_object(reader: &Reader, left: &Operand, right: &Operand) -> Option<Result<bool, EvalError>> {
    if let (Some(one), Some(other)) = (boxed(left), boxed(right)) {
        return Some(same_box((left, one), (right, other)));
    }
    // a box is no text, nor any object of a class
    if boxed(left).is_some() || boxed(right).is_some() {
        let other = if boxed(left).is_some() { right } else { left };
        return matches!(other.known, Known::Text(_) | Known::Other(_)).then_some(Ok(false));
    }
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

/// What to say of two texts that are compared as objects.
pub fn equal_texts(left: &str, right: &str) -> String {
    format!(
        "`==` compares references of `object` here: the texts of `{left}` and `{right}` are equal, whether they are one object cannot be told; (string){left} == (string){right} compares texts"
    )
}

fn boxed(operand: &Operand) -> Option<&RawValue> {
    operand.read.as_ref().filter(|read| preview::is_boxed(read))
}

/// Boxes with other contents are others; of the same contents there may be several.
fn same_box((left, one): (&Operand, &RawValue), (right, other): (&Operand, &RawValue)) -> Result<bool, EvalError> {
    if left.text == right.text {
        return Ok(true);
    }
    let shown = one.reference == 0 && other.reference == 0 || one.value != other.value;
    if one.short_type() != other.short_type() || shown && one.value != other.value {
        return Ok(false);
    }
    let (left, right, type_) = (&left.text, &right.text, one.short_type());
    let words = format!(
        "`==` compares references here: whether `{left}` and `{right}` are one boxed {type_} this adapter cannot tell; ({type_}){left} == ({type_}){right} compares what they hold"
    );
    Err(EvalError::certain(Code::EvaluationFailed, words))
}

/// The type of an object whose `==` compares references.
fn type_of<'o>(reader: &Reader, operand: &'o Operand) -> Option<&'o str> {
    let read = operand.read.as_ref().filter(|_| matches!(operand.known, Known::Other(_)))?;
    let is_object = !preview::is_boxed(read) && reader.modules.compares_references(&read.type_name);
    is_object.then_some(read.type_name.as_str())
}
