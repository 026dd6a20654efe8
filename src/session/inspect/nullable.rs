//! `T?` of a struct: netcoredbg does not open it, dncdbg reads its fields from the wrong place. The framework's own getter gives the
//! struct as it is.

use super::evaluate::{EvalError, Evaluated};
use super::literal::Raw;
use super::reader::{Access, RawValue, Reader};
use crate::session::error::Code;

/// Whether this is a `T?` that has a struct.
pub fn is_struct(value: &RawValue) -> bool {
    value.type_name.ends_with('?') && value.parsed() == Raw::Object
}

/// The struct inside with a path to it; `None` where nothing can be called.
pub async fn inside(reader: &Reader, value: &RawValue, path: &str) -> Option<Evaluated> {
    let load_path = format!("{path}.get_Value()");
    let inner = reader.evaluate(&load_path, Access::Run).await.ok()?;
    Some(Evaluated { value: RawValue { name: value.name.clone(), ..inner }, load_path })
}

/// `Value` and `HasValue`, which adapters say do not exist. `None`: not a `T?`.
pub async fn member(reader: &Reader, at: &Evaluated, name: &str) -> Option<Result<Evaluated, EvalError>> {
    let of = at.value.type_name.strip_suffix('?')?;
    let has_value = at.value.parsed() != Raw::Null;
    let known = |type_name: &str, value: String| {
        Ok(Evaluated {
            value: RawValue { type_name: type_name.to_owned(), value, ..RawValue::default() },
            load_path: format!("{}.{name}", at.load_path),
        })
    };
    Some(match name {
        "HasValue" => known("bool", has_value.to_string()),
        "Value" if !has_value => Err(EvalError::certain(
            Code::EvaluationThrew,
            "System.InvalidOperationException: Nullable object must have a value.",
        )),
        "Value" if is_struct(&at.value) => match inside(reader, &at.value, &at.load_path).await {
            Some(found) => Ok(found),
            None => Err(EvalError::certain(Code::EvaluationFailed, super::evaluate::NOTHING_RUNS)),
        },
        "Value" => known(of, at.value.value.clone()),
        _ => return None,
    })
}
