//! What a collection holds by its type: an object of the program that holds something else cannot stand behind it.

use super::hierarchy::Hierarchy;
use super::values::{name, referent};
use crate::names::index_key;
use crate::signatures::{Primitive, TypeName, TypeSig};

const GENERIC: &str = "System.Collections.Generic.";
const WRAPPING: &str = "System.Collections.ObjectModel.";

/// The type of the elements of a collection that is known by an interface, or wraps one that is.
pub(super) fn of_collection(type_: &TypeSig) -> Option<TypeSig> {
    let named = name(type_)?;
    let (full, _) = named.full_name.split_once('`').unwrap_or((&named.full_name, ""));
    let is_wrapper = full.starts_with(WRAPPING);
    let is_interface = || full.strip_prefix(GENERIC).is_some_and(|last| last.starts_with('I'));
    if full.ends_with("Comparer") || full.ends_with("Enumerator") || !(is_wrapper || is_interface()) {
        return None;
    }
    match named.arguments.as_slice() {
        [element] => Some(element.clone()),
        [_, _] => Some(TypeSig::Named(TypeName {
            full_name: format!("{GENERIC}KeyValuePair`2"),
            arguments: named.arguments.clone(),
            is_value_type: true,
        })),
        _ => None,
    }
}

impl Hierarchy {
    /// Whether what is declared to hold the one may hold the other: the same, or objects of a type below it.
    pub(super) fn may_hold(&self, declared: &TypeSig, held: &TypeSig) -> bool {
        let (declared, held) = (referent(declared), referent(held));
        if is_open(declared) || is_open(held) || is_same(declared, held) {
            return true;
        }
        if is_value(declared) || is_value(held) {
            return false;
        }
        match (declared, held) {
            (TypeSig::Primitive(Primitive::Object), _) => true,
            (_, TypeSig::Primitive(Primitive::Object)) | (TypeSig::Primitive(_), _) => false,
            (TypeSig::Array(declared), TypeSig::Array(held)) => self.may_hold(declared, held),
            (TypeSig::Named(declared), TypeSig::Named(held)) => {
                let is_own = |named: &TypeName| self.defines(&named.full_name);
                match (is_own(declared), is_own(held)) {
                    (_, true) => self.is_below(&held.full_name, &declared.full_name),
                    (true, false) => false,
                    (false, false) => true,
                }
            }
            (TypeSig::Named(declared), _) => !self.defines(&declared.full_name),
            _ => true,
        }
    }
}

/// Whether it depends on a type that is not known here.
fn is_open(type_: &TypeSig) -> bool {
    match referent(type_) {
        TypeSig::Primitive(_) => false,
        TypeSig::Array(element) | TypeSig::MultiArray { element, .. } => is_open(element),
        TypeSig::Named(named) => named.arguments.iter().any(is_open),
        _ => true,
    }
}

/// Whether both are one closed type.
pub(super) fn is_same(one: &TypeSig, other: &TypeSig) -> bool {
    match (one, other) {
        (TypeSig::Array(one), TypeSig::Array(other)) => is_same(referent(one), referent(other)),
        _ => {
            let arguments = |type_: &TypeSig| name(type_).map(|named| named.arguments.clone()).unwrap_or_default();
            let key = |type_: &TypeSig| type_.full_name().map(index_key);
            let (mine, its) = (arguments(one), arguments(other));
            key(one).is_some_and(|mine| key(other) == Some(mine))
                && mine.len() == its.len()
                && mine.iter().zip(&its).all(|(one, other)| is_same(referent(one), referent(other)))
        }
    }
}

fn is_value(type_: &TypeSig) -> bool {
    match type_ {
        TypeSig::Primitive(primitive) => !matches!(primitive, Primitive::Object | Primitive::String),
        TypeSig::Named(named) => named.is_value_type,
        _ => false,
    }
}
