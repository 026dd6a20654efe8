//! variable_set: written by the adapter, read back by us: its own answer often shows the old value (vendor-notes.md).

use super::values::resolve;
use crate::dap::{self, request};
use crate::session::context::{StopContext, adapter_words};
use crate::session::error::{Code, SessionError};
use crate::session::ids::StateName;
use crate::session::inspect::evaluate::Evaluated;
use crate::session::inspect::expression::is_path;
use crate::session::inspect::shape::MemberKind;
use crate::session::inspect::{Access, ReadError, Reader, evaluate, literal, preview};
use crate::session::report::{Content, Variable};
use crate::session::spec::FrameRef;
use crate::session::view::SetView;

pub(super) async fn set(context: &StopContext, at: FrameRef, path: &str, value: &str) -> Result<SetView, SessionError> {
    let reader = context.reader_at(at).await?;
    if !reader.capabilities.supports_set_expression {
        return Err(SessionError::new(
            Code::UnsupportedByAdapter,
            "the debug adapter cannot set variables (it lacks setExpression)",
            "use another backend",
        ));
    }
    let (path, value) = (path.trim(), value.trim());
    if !is_path(path) {
        return Err(SessionError::new(
            Code::InvalidPath,
            format!("`{path}` is not a path"),
            "pass a name, .member or [index]: order.Customer",
        ));
    }
    if value.is_empty() {
        return Err(SessionError::argument("value", "the value is empty", "write it as C#: 7, \"text\", null"));
    }
    let before = resolve(&reader, path, true).await?;
    let was = shown(&reader, &before).await;
    if let Err(error) = assign(&reader, path, value, &before).await {
        return Err(refused(path, value, &was, error));
    }
    let after = resolve(&reader, path, true).await?;
    let now = shown(&reader, &after).await;
    Ok(SetView { path: path.to_owned(), value: text(&now), type_name: now.type_name.clone(), was: text(&was) })
}

/// As the caller spells it; where the adapter refuses that, by the fields that the value was read from, then by the property's
/// setter. The first refusal is the one told.
async fn assign(reader: &Reader, path: &str, value: &str, before: &Evaluated) -> Result<(), ReadError> {
    let value = spelled(value, before);
    if let Some(words) = wrong_enum(reader, path, before).await {
        return Err(ReadError::Refused(words));
    }
    let Err(refusal) = expression(reader, path, &value).await else { return Ok(()) };
    if matches!(refusal, ReadError::Gone(_)) {
        return Err(refusal);
    }
    if before.load_path != path && expression(reader, &before.load_path, &value).await.is_ok() {
        return Ok(());
    }
    let Some((receiver, name)) = path.rsplit_once('.') else { return Err(refusal) };
    let Ok(owner) = evaluate::evaluate(reader, receiver, true).await else { return Err(refusal) };
    if owner.load_path != receiver && expression(reader, &format!("{}.{name}", owner.load_path), &value).await.is_ok() {
        return Ok(());
    }
    let setter = format!("{}.set_{name}({value})", owner.load_path);
    match reader.evaluate(&setter, Access::Run).await {
        Ok(answer) if evaluate::thrown(reader, &setter, &answer).await.is_none() => Ok(()),
        _ => Err(refusal),
    }
}

/// netcoredbg passes a number of its own to the setter of an enum's property (3.1.2, 2026-11-22); dncdbg knows no enum by name.
async fn wrong_enum(reader: &Reader, path: &str, before: &Evaluated) -> Option<String> {
    let (literal::Raw::Enum(_), Some((receiver, name))) = (before.value.parsed(), path.rsplit_once('.')) else {
        return None;
    };
    let owner = evaluate::evaluate(reader, receiver, true).await.ok()?;
    let shape = reader.modules.shape(&owner.value.type_name);
    let is_property = shape.members.iter().any(|member| member.name == name && member.kind != MemberKind::Field);
    is_property.then(|| format!("`{name}` is an enum property, and adapters pass its setter a wrong number"))
}

async fn expression(reader: &Reader, path: &str, value: &str) -> Result<(), ReadError> {
    let arguments = dap::SetExpressionArguments {
        expression: path.to_owned(),
        value: value.to_owned(),
        frame_id: Some(reader.frame_id),
    };
    reader.client.request::<request::SetExpression>(arguments).await?;
    Ok(())
}

/// Members of an enum by their full names: adapters know no `using`.
fn spelled(value: &str, before: &Evaluated) -> String {
    let full = before.value.type_name.trim_end_matches('?');
    let literal::Raw::Enum(_) = before.value.parsed() else { return value.to_owned() };
    let name = value.rsplit('.').next().unwrap_or(value);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let of_the_type = value == name
        || full == value.trim_end_matches(name).trim_end_matches('.')
        || full.ends_with(&format!(".{}", value.trim_end_matches(name).trim_end_matches('.')));
    if is_name && of_the_type { format!("{full}.{name}") } else { value.to_owned() }
}

async fn shown(reader: &Reader, found: &Evaluated) -> Variable {
    preview::variable(reader, &found.value, &found.load_path, literal::LONG).await
}

fn text(variable: &Variable) -> String {
    match &variable.content {
        Content::Value(value) => value.clone(),
        Content::Error(words) => format!("!{words}"),
        Content::Cycle(path) => path.clone(),
        Content::Members(_) => "{…}".into(),
    }
}

fn refused(path: &str, value: &str, was: &Variable, error: ReadError) -> SessionError {
    let ReadError::Refused(words) = error else { return adapter_words(&error) };
    let type_name = was.type_name.clone().unwrap_or_else(|| "this type".into());
    let hint = if value == "null" {
        "adapters cannot assign null; assign a variable that is null".to_owned()
    } else if words.contains("cannot be assigned") {
        "it is read-only, or an element of a collection: set a field of it instead".to_owned()
    } else {
        format!("the value's type must be exactly {type_name}: 7, 7L, 2.5m, 'c', \"text\", Namespace.Enum.Member")
    };
    let words = match words.trim_start_matches("error: ") {
        "" | "0x80070057" | "0x80004005" | "0x80131303" => "the value does not fit".to_owned(),
        other => other.to_owned(),
    };
    SessionError::new(Code::NotAssignable, format!("{path} = {value}: {words}"), hint).in_state(StateName::Stopped)
}
