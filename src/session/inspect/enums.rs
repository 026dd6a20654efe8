//! Members of enums by their names in the source. One adapter knows none of them, the other passes a wrong number where it is given
//! one for an argument (vendor-notes.md), so their numbers come from metadata.

use std::sync::Arc;

use super::evaluate::{Evaluated, evaluate};
use super::expression::{Segment, segments};
use super::operators::enums::EnumType;
use super::operators::{Known, Operand};
use super::reader::{RawValue, Reader};

/// What a path like `Color.Blue` names, where that is a member of an enum. As in C#, a variable `Color` of the type `Color` is no
/// obstacle (ECMA-334, 12.8.7.2), any other of that name is.
pub async fn member(reader: &Reader, expression: &str) -> Option<Evaluated> {
    let pieces = segments(expression)?;
    let (Some(Segment::Name(member)), true) = (pieces.last(), pieces.len() > 1) else { return None };
    let (type_name, _) = expression.rsplit_once('.')?;
    let type_ = named(reader, type_name)?;
    let (_, number) = type_.members.iter().find(|(name, _)| name == member)?;
    let first = type_name.split('.').next()?;
    let variable = reader.variables().await.ok()?.into_iter().find(|variable| variable.name == first);
    let is_in_the_way = variable.is_some_and(|variable| {
        type_name != first || variable.type_name.trim_end_matches('?') != type_.name && variable.short_type() != first
    });
    (!is_in_the_way).then(|| Evaluated { value: value(&type_, *number), load_path: format!("{}.{member}", type_.name) })
}

/// `access.HasFlag(Access.Read)`, which adapters cannot call with a member of an enum; `None` where it is not that.
pub async fn has_flag(reader: &Reader, expression: &str, run: bool) -> Option<Evaluated> {
    let (receiver, flag) = expression.strip_suffix(')')?.rsplit_once(".HasFlag(")?;
    let mut sides = Vec::new();
    for side in [receiver, flag] {
        let read = Box::pin(evaluate(reader, side, run)).await.ok()?;
        sides.push(number_of(reader, &read.value)?);
    }
    let [(type_, value), (other, flag)] = sides.as_slice() else { return None };
    let text = (type_ == other).then(|| (value & flag == *flag).to_string())?;
    Some(Evaluated {
        value: RawValue { type_name: "bool".into(), value: text.clone(), ..RawValue::default() },
        load_path: text,
    })
}

/// The enum that the frame's source means by a name.
pub fn named(reader: &Reader, name: &str) -> Option<Arc<EnumType>> {
    let name = name.trim();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '@');
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let all = reader.modules.enums_named(name);
    if let [only] = &*all {
        return Some(only.clone());
    }
    let first = name.split('.').next()?;
    let place = reader.place.as_deref().filter(|_| !all.is_empty())?;
    let scoped = reader.modules.type_in_scope(&place.path, (place.line, place.column), first)?;
    reader.modules.enum_type(&format!("{scoped}{}", name.get(first.len()..)?))
}

/// What an adapter would have said of it.
fn value(type_: &EnumType, number: i128) -> RawValue {
    RawValue { type_name: type_.name.clone(), value: type_.printed(number), ..RawValue::default() }
}

/// An operand that an adapter read, with its number where it is an enum.
pub fn known(reader: &Reader, operand: Operand) -> Operand {
    match operand.read.as_ref().and_then(|read| number_of(reader, read)) {
        Some((type_, number)) => Operand { known: Known::Enum(type_, number), ..operand },
        None => operand,
    }
}

/// The number of an enum's value, with its type.
pub fn number_of(reader: &Reader, value: &RawValue) -> Option<(Arc<EnumType>, i128)> {
    let super::literal::Raw::Enum(printed) = value.parsed() else { return None };
    let type_ = reader.modules.enum_type(value.type_name.trim_end_matches('?'))?;
    // of 64 bits an adapter prints only half (vendor-notes.md)
    if type_.underlying.bits() == 64 && printed.parse::<i128>().is_ok() {
        return None;
    }
    let number = type_.number(&printed)?;
    Some((type_, number))
}
