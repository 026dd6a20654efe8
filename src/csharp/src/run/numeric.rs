//! Methods of integers and of references that are computed here: no code need run for them.

use std::cmp::Ordering;

use clr_metadata::Primitive;

use crate::constant::{Constant, Scalar};
use crate::types::{MethodRef, Type};
use crate::value::Value;
use crate::world::{Found, World};

use super::Run;

impl<W: World> Run<'_, W> {
    /// `None`: it is another method, or of other values.
    pub(super) fn of_numbers(
        &mut self,
        receiver: Option<&Value<W::Handle>>,
        method: &MethodRef,
        arguments: &[Value<W::Handle>],
    ) -> Found<Value<W::Handle>, W> {
        let name = method.method.name.as_str();
        Ok(match (receiver, name, arguments) {
            (None, "Max" | "Min", [one, other]) if method.owner.is("System.Math") => {
                integers(one, other).map(|(_, left, right)| {
                    let is_first = if name == "Max" { left >= right } else { left <= right };
                    if is_first { one.clone() } else { other.clone() }
                })
            }
            (Some(own), "CompareTo", [other]) => {
                integers(own, other).and_then(|(type_, left, right)| Some(Value::int(order(type_, left, right)?)))
            }
            (None, "ReferenceEquals", [one, other]) if method.owner == Type::OBJECT => {
                let is_known = |it: &Value<W::Handle>| it.is_null() || matches!(it, Value::Object(_));
                match is_known(one) && is_known(other) {
                    true => Some(Value::bool(self.is_same(one, other, false)?)),
                    false => None,
                }
            }
            _ => None,
        })
    }
}

/// Two of one type.
fn integers<H>(one: &Value<H>, other: &Value<H>) -> Option<(Primitive, i128, i128)> {
    match (one, other) {
        (
            Value::Constant(Constant::Scalar(Scalar::Int(type_, left))),
            Value::Constant(Constant::Scalar(Scalar::Int(of, right))),
        ) if type_ == of => Some((*type_, *left, *right)),
        _ => None,
    }
}

/// As `CompareTo` gives it: of small types the difference.
fn order(type_: Primitive, left: i128, right: i128) -> Option<i32> {
    match type_ {
        Primitive::I1 | Primitive::U1 | Primitive::I2 | Primitive::U2 => i32::try_from(left - right).ok(),
        _ => Some(match left.cmp(&right) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }),
    }
}
