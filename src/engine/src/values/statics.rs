//! Static fields and constants of types.

use clr_metadata::{AttributeValue, Primitive, TypeSig};

use super::layout::{self, Member};
use super::thread_statics::is_of_threads;
use super::{Child, Content, Place, Root, Scalar, Shown, Value};
use crate::com;
use crate::stopped::Stopped;
use crate::types::{self, Definition};

/// Static fields and constants of a type and of its bases.
pub fn statics(stopped: &Stopped, thread: u32, type_: &com::Type) -> Vec<Child> {
    types::chain(stopped.target(), type_).iter().flat_map(|type_| own_statics(stopped, thread, type_)).collect()
}

/// Those of a type alone.
pub fn own_statics(stopped: &Stopped, thread: u32, type_: &com::Type) -> Vec<Child> {
    let Some(definition) = types::definition(stopped.target(), type_) else { return Vec::new() };
    let members = layout::members(&definition).into_iter().filter(|member| member.is_static);
    let child = |member: Member| match member.is_literal {
        true => constant(&definition, &member),
        false => stored(stopped, thread, type_, &member),
    };
    members.map(child).collect()
}

/// Whether the static initializer of a type has begun. That of a generic type has code for each of its instances, of which the
/// runtime reports none: there a static field that holds something does, as before it none can.
pub fn is_initialized(stopped: &Stopped, thread: u32, type_: &com::Type) -> bool {
    let Some(definition) = types::definition(stopped.target(), type_) else { return true };
    let Some(initializer) = types::initializer(&definition) else { return true };
    match type_.type_parameters().is_ok_and(|arguments| !arguments.rest::<com::Type>().is_empty()) {
        false => types::has_begun(&definition.module, initializer),
        true => {
            let fields =
                layout::members(&definition).into_iter().filter(|member| member.is_static && !member.is_literal);
            let mut places = fields.map(|member| place(thread, type_, &member));
            places.any(|place| place.read(stopped).is_ok_and(|value| holds_something(stopped, &value, DEEPEST)))
        }
    }
}

/// Structs within structs.
const DEEPEST: u32 = 8;

fn holds_something(stopped: &Stopped, value: &Value<'_>, depth: u32) -> bool {
    match value.content() {
        Ok(Content::Scalar(scalar)) => scalar.bytes().is_some_and(|(_, bytes)| bytes.iter().any(|&byte| byte != 0)),
        Ok(Content::Text(_) | Content::Array(_)) => true,
        Ok(Content::Object(object)) => {
            let Some(definition) = types::definition(stopped.target(), &object.type_) else { return false };
            // a struct is there before, with nothing in it
            !definition.view().is_value_type()
                || depth > 0 && {
                    let fields = layout::members(&definition).into_iter().filter(|member| !member.is_static);
                    let mut values = fields.filter_map(|member| object.field(&member.name));
                    values.any(|value| holds_something(stopped, &value, depth - 1))
                }
        }
        Ok(Content::Null | Content::Pointer(_)) | Err(_) => false,
    }
}

fn place(thread: u32, type_: &com::Type, member: &Member) -> Place {
    Place::of(Root::Static { thread, type_: type_.clone(), field: member.id })
}

fn stored(stopped: &Stopped, thread: u32, type_: &com::Type, member: &Member) -> Child {
    let place = place(thread, type_, member);
    let shown = match place.read(stopped) {
        _ if !is_initialized(stopped, thread, type_) => {
            Shown { text: "<error: not initialized yet>".into(), ..Shown::default() }
        }
        Ok(value) => value.show(),
        Err(com::HResult::STATIC_UNAVAILABLE) if is_of_threads(stopped, type_, member.id) => {
            untouched(stopped, type_, member)
        }
        Err(error) => Shown::unread(error),
    };
    Child {
        name: member.name.clone(),
        shown,
        access: format!("{}.{}", types::name(stopped.target(), type_), member.name),
        place: Some(place),
        is_property: member.is_property,
    }
}

/// What the one of a thread holds that nothing of the thread has looked at: the default of its type.
fn untouched(stopped: &Stopped, type_: &com::Type, member: &Member) -> Shown {
    let definition = types::definition(stopped.target(), type_);
    let declared = definition.and_then(|it| it.view().fields().into_iter().find(|field| field.id == member.id));
    let Some(declared) = declared.map(|field| field.type_) else {
        return Shown::unread(com::HResult::STATIC_UNAVAILABLE);
    };
    let text = match &declared {
        TypeSig::Primitive(Primitive::Boolean) => "false".to_owned(),
        TypeSig::Primitive(Primitive::Char) => Scalar::Char(0).to_string(),
        TypeSig::Primitive(Primitive::String | Primitive::Object) | TypeSig::Array(_) => "null".to_owned(),
        TypeSig::Primitive(_) => "0".to_owned(),
        TypeSig::Named(name) if !name.is_value_type => "null".to_owned(),
        _ => "<error: this thread has not used it yet>".to_owned(),
    };
    Shown { text, type_name: types::text(&declared), ..Shown::default() }
}

fn constant(definition: &Definition, member: &Member) -> Child {
    let declared = definition.view().fields().into_iter().find(|field| field.id == member.id);
    let type_name = declared.map(|field| types::text(&field.type_)).unwrap_or_default();
    let value = definition.assembly.constant(member.id);
    let is_enum = definition.view().is_enum();
    let text = match value {
        Some(AttributeValue::Int(number)) if is_enum => Scalar::Enum(definition.clone(), number).to_string(),
        Some(value) => constant_text(&value),
        None => "<error: it has no value>".into(),
    };
    Child {
        name: member.name.clone(),
        shown: Shown { text, type_name, ..Shown::default() },
        place: None,
        access: format!("{}.{}", definition.view().full_name().replace('+', "."), member.name),
        is_property: false,
    }
}

/// A constant as it would read were it a variable.
fn constant_text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::Bool(value) => value.to_string(),
        AttributeValue::Char(unit) => Scalar::Char(u32::from(*unit) as u16).to_string(),
        AttributeValue::Int(number) => number.to_string(),
        AttributeValue::String(Some(text)) => super::quote(&text.encode_utf16().collect::<Vec<u16>>()),
        AttributeValue::String(None) => "null".into(),
        other => format!("{other:?}"),
    }
}
