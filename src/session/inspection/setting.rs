//! variable_set: written by the adapter, read back by us: its own answer often shows the old value (vendor-notes.md).

use super::values::resolve;
use crate::dap::{self, request};
use crate::session::context::{StopContext, adapter_words};
use crate::session::error::{Code, SessionError};
use crate::session::ids::StateName;
use crate::session::inspect::evaluate::Evaluated;
use crate::session::inspect::expression::is_path;
use crate::session::inspect::shape::MemberKind;
use crate::session::inspect::{Access, ReadError, Reader, constant, evaluate, literal, preview, spelling};
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
    let converted = constant::converted(value, &before.value.short_type(), &reader.quirks);
    let sent = match converted.map_err(ReadError::Refused) {
        Ok(constant) => constant,
        Err(error) => return Err(refused(path, value, &before, error)),
    };
    let spelled =
        sent.clone().unwrap_or_else(|| spelling::spell(&spelled(&reader, value, &before), &reader.quirks, false));
    if let Err(error) = assign(&reader, path, &spelled, &before).await {
        let error = match no_setter(&reader, path).await {
            Some(words) if matches!(error, ReadError::Refused(_)) => ReadError::Refused(words),
            _ => error,
        };
        return Err(refused(path, value, &before, error));
    }
    let after = resolve(&reader, path, true).await?;
    let now = shown(&reader, &after).await;
    // a struct that a property returned is a copy, and both adapters report success for setting that
    if let Some(sent) = sent
        && text(&now) == text(&was)
        && !is_same_number(&sent, &text(&now))
    {
        let owner = path.rsplit_once('.').map_or(path, |(owner, _)| owner);
        return Err(SessionError::new(
            Code::NotAssignable,
            format!("{path} is still {}: a copy was set, `{owner}` is not stored there", text(&now)),
            format!("assign {owner} as a whole"),
        )
        .in_state(StateName::Stopped));
    }
    Ok(SetView { path: path.to_owned(), value: text(&now), type_name: now.type_name.clone(), was: text(&was) })
}

/// How our engine begins what a setter threw.
const THREW: &str = "the setter threw ";

/// As the caller spells it; where the adapter refuses that, by the fields that the value was read from, then by the property's
/// setter. The first refusal is the one told.
async fn assign(reader: &Reader, path: &str, value: &str, before: &Evaluated) -> Result<(), ReadError> {
    if let Some(words) = wrong_enum(reader, path, before).await {
        return Err(ReadError::Refused(words));
    }
    let Err(refusal) = expression(reader, &spelling::spell(path, &reader.quirks, false), value).await else {
        return Ok(());
    };
    // what a setter refuses goes round it by no field, and it runs once
    if matches!(&refusal, ReadError::Gone(_)) || matches!(&refusal, ReadError::Refused(words) if words.contains(THREW))
    {
        return Err(refusal);
    }
    let located = evaluate::located(reader, path).await;
    for other in [Some(before.load_path.clone()), located].into_iter().flatten() {
        if other != path && expression(reader, &other, value).await.is_ok() {
            return Ok(());
        }
    }
    let Some((receiver, name)) = path.rsplit_once('.') else { return Err(refusal) };
    let Ok(owner) = evaluate::evaluate(reader, receiver, true).await else { return Err(refusal) };
    if owner.load_path != receiver && expression(reader, &format!("{}.{name}", owner.load_path), value).await.is_ok() {
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
    let (receiver, name) = path.rsplit_once('.').filter(|_| !reader.quirks.sets_enum_properties)?;
    reader.modules.enum_type(before.value.type_name.trim_end_matches('?'))?;
    let is_property = match evaluate::evaluate(reader, receiver, true).await {
        Ok(owner) => {
            let shape = reader.modules.shape(&owner.value.type_name);
            shape.members.iter().any(|member| member.name == name && member.kind != MemberKind::Field)
        }
        // a type
        Err(_) => reader.modules.has_static_property(receiver, name),
    };
    is_property.then(|| format!("`{name}` is an enum property, and adapters pass its setter a wrong number"))
}

/// What no adapter can assign by the property's name, by its declaration.
async fn no_setter(reader: &Reader, path: &str) -> Option<String> {
    let (receiver, name) = path.rsplit_once('.')?;
    let owner = evaluate::evaluate(reader, receiver, true).await.ok()?;
    let accessors = reader.modules.accessors(&owner.value.type_name, name)?;
    if accessors.contains("init;") {
        return Some(format!("`{name}` is init-only, and the adapter cannot call its setter"));
    }
    (!accessors.contains("set;")).then(|| format!("`{name}` cannot be assigned: it has no setter"))
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
fn spelled(reader: &Reader, value: &str, before: &Evaluated) -> String {
    let full = before.value.type_name.trim_end_matches('?');
    let literal::Raw::Enum(_) = before.value.parsed() else { return value.to_owned() };
    let name = value.rsplit('.').next().unwrap_or(value);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_variable = || {
        let type_ = reader.modules.enum_type(full);
        type_.is_some_and(|type_| type_.members.iter().all(|(member, _)| member != name))
    };
    let of_the_type = value == name && !is_variable()
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

/// Whether two literals are one number, whatever their suffixes and digits.
fn is_same_number(left: &str, right: &str) -> bool {
    let number = |literal: &str| literal.trim_end_matches(char::is_alphabetic).parse::<f64>().ok();
    left == right || number(left).is_none_or(|left| number(right) == Some(left))
}

fn refused(path: &str, value: &str, before: &Evaluated, error: ReadError) -> SessionError {
    let ReadError::Refused(words) = error else { return adapter_words(&error) };
    let type_name = before.value.short_type();
    let is_enum = matches!(before.value.parsed(), literal::Raw::Enum(_));
    let names_member = is_enum && words.contains("does not exist in the current context");
    let hint = if value == "null" {
        "adapters cannot assign null; assign a variable that is null".to_owned()
    } else if ["cannot be assigned", "init-only", "enum property"].iter().any(|part| words.contains(part)) {
        "set a field that it is computed from, or replace the object".to_owned()
    } else if words.contains(THREW) {
        "assign a value that the setter accepts".to_owned()
    } else if is_enum {
        format!("assign a variable or field of type {type_name}")
    } else {
        format!("assign a constant or a variable of type {type_name}")
    };
    let words = match words.trim_start_matches("error: ") {
        "" | "0x80070057" | "0x80004005" | "0x80131303" | "0x80131c31" => "the value does not fit".to_owned(),
        words if words.contains("Implicit function evaluation") => {
            "the adapter makes no call for an assignment".to_owned()
        }
        words if words.contains("not implemented") || words.contains("Failed to parse") => {
            "the adapter cannot evaluate this value".to_owned()
        }
        _ if names_member => "the adapter knows no members of enums".to_owned(),
        words if words.contains("does not exist in the current context") => {
            "the adapter cannot assign to this path or does not know a name in the value".to_owned()
        }
        other => other.to_owned(),
    };
    SessionError::new(Code::NotAssignable, format!("{path} = {value}: {words}"), hint).in_state(StateName::Stopped)
}
