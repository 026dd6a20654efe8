//! Getters that threw: adapters answer with the exception object as if it were the value (vendor-notes.md).

use super::evaluate::exception_message;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::shape::{MemberKind, Shape};
use crate::session::report::{Content, Variable};

/// `NotSupportedException: this property always throws`, where that is what a member of an object has for a value.
pub async fn member(reader: &Reader, shape: &Shape, child: &RawValue) -> Option<Variable> {
    let member = shape.members.iter().find(|member| member.name == child.name)?;
    if member.kind == MemberKind::Field {
        return None;
    }
    error(reader, &member.declared, child).await
}

/// The same of a static member of `owner`.
pub async fn static_member(reader: &Reader, owner: &str, child: &RawValue) -> Option<Variable> {
    error(reader, &reader.modules.static_property(owner, &child.name)?, child).await
}

async fn error(reader: &Reader, declared: &str, child: &RawValue) -> Option<Variable> {
    let is_exception = |type_name: &str| reader.shape(type_name).is_exception;
    if !child.value.starts_with('{') || !is_exception(&child.type_name) || is_exception(declared) {
        return None;
    }
    let message = exception_message(reader, child.reference).await.unwrap_or_default();
    let content = Content::Error(format!("{}: {message}", child.short_type()));
    Some(Variable { name: child.name.clone(), content, ..Variable::default() })
}
