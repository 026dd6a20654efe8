//! A key that a dictionary does not have yet: to assign to it adds it, though to read it throws.

use super::target::{self, Place};
use crate::session::error::{Code, SessionError};
use crate::session::inspect::evaluated::Evaluated;
use crate::session::inspect::{RawValue, Reader, evaluate};
use clr_metadata::TypeSig;
use clr_metadata::names::parse_type;

/// What stands for the element that is not there: nothing, of the dictionary's type of values. `error`: why the path cannot be read.
pub(super) async fn under_key(reader: &Reader, path: &str, error: &SessionError) -> Option<Evaluated> {
    let is_absent = error.code == Code::EvaluationThrew && error.message.contains("KeyNotFoundException");
    let Place::Indexed { receiver, .. } = target::place(reader, path).await else { return None };
    let owner = evaluate::evaluate(reader, &receiver, true).await.ok().filter(|_| is_absent)?;
    let TypeSig::Named(dictionary) = parse_type(&owner.value.type_name)? else { return None };
    let [_, values] = dictionary.arguments.as_slice() else { return None };
    let value = RawValue { type_name: values.to_string(), ..RawValue::default() };
    Some(Evaluated { value, load_path: path.to_owned() })
}
