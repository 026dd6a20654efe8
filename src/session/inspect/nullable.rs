//! Nullable structs. netcoredbg 3.1.2 shows no member of one, and dncdbg 1.1.0 reads them from the wrong offset (where `hasValue`
//! is), so a `DateTime?` was 0001-01-01. `GetValueOrDefault()` only loads the field `value`, and both evaluate it.

use super::access::Access;
use super::evaluated::{EvalError, Evaluated, NOTHING_RUNS};
use super::literal::Raw;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::wide_enums;
use crate::session::error::Code;
use crate::session::expression::join;
use crate::session::type_names;

/// Whether this is a `T?` that has a struct, which is to be read through [`inside`].
pub fn is_struct(value: &RawValue) -> bool {
    let short = value.short_type();
    short.strip_suffix('?').is_some_and(|inner| !type_names::is_primitive(inner)) && value.parsed() != Raw::Null
}

/// The struct inside of `value`, a `T?` at `path`; `None` where nothing can be called.
pub async fn inside(reader: &Reader, value: &RawValue, path: &str) -> Option<Evaluated> {
    let load_path = join(path, "GetValueOrDefault()");
    let inner = reader.evaluate(&load_path, Access::Run).await.ok()?;
    let inner = wide_enums::whole(reader, inner, &load_path).await;
    let inner = inner.declared_as(value.type_name.trim_end_matches('?'));
    Some(Evaluated { value: RawValue { name: value.name.clone(), ..inner }, load_path })
}

/// A value as it is shown.
pub enum Shown {
    /// No nullable struct, or null, or one that adapters read right.
    AsIs,
    Opened(Box<Evaluated>),
    /// What the adapter says of it is wrong, and a stop report makes no call.
    Unread,
}

/// Looks into `value`, which is at `path`, where values were asked for.
pub async fn shown(reader: &Reader, value: &RawValue, path: &str) -> Shown {
    if !is_struct(value) {
        return Shown::AsIs;
    }
    // one that evaluates C# reads it without a call
    let may_look = reader.asked || reader.capabilities.supports_csharp_expressions;
    let opened = if may_look { inside(reader, value, path).await } else { None };
    opened.map_or(Shown::Unread, |opened| Shown::Opened(Box::new(opened)))
}

/// `Value` and `HasValue`, which adapters say do not exist. `None`: not a `T?`, or another member.
pub async fn member(reader: &Reader, at: &Evaluated, name: &str) -> Option<Result<Evaluated, EvalError>> {
    let of = at.value.type_name.strip_suffix('?')?;
    let has_value = at.value.parsed() != Raw::Null;
    let known = |type_name: &str, value: String| {
        Ok(Evaluated {
            value: RawValue { type_name: type_name.to_owned(), value, ..RawValue::default() },
            load_path: join(&at.load_path, name),
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
            None => Err(EvalError::certain(Code::EvaluationFailed, NOTHING_RUNS)),
        },
        "Value" => known(of, at.value.value.clone()),
        _ => return None,
    })
}
