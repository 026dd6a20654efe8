//! Where an evaluation found what it read, so that the same can be read again from a few bytes of memory.
//!
//! Code that is not optimized keeps each variable at one distance from its frame pointer, and objects of a type have their fields at
//! one distance from where they begin.

use std::sync::Arc;

use clr_csharp::constant::Constant;
use clr_csharp::types::{FieldRef, Type};
use clr_csharp::value::Value;
use clr_metadata::{Primitive, TypeSig};

use super::reading::{constant, constant_at};
use crate::breakpoints::{FieldHome, Holds, Homes, VariableHome};
use crate::com::memory::{self, word};
use crate::com::{self, Interface as _, element};
use crate::stopped::Stopped;
use crate::values::{Content, Located, Place, Root, Scalar, Step, of_bits};

/// Units of a text that is read here.
const LONGEST: usize = 1 << 16;
/// In place of the address of a type, where a struct has none before it.
const STRUCT: u64 = 0;

impl Homes {
    /// Notes where a variable was read.
    pub fn add_variable(&mut self, stopped: &Stopped, frame_pointer: u64, position: usize, place: &Place) {
        let home = || {
            let Root::Variable { .. } = place.root else { return None };
            let mut value = Place::of(place.root.clone()).read(stopped).ok()?;
            let distance = value.com().address().ok().filter(|&it| it != 0)?.wrapping_sub(frame_pointer);
            let mut through = Vec::new();
            for step in &place.steps {
                let Step::Field { .. } = step else { return None };
                value.com().cast::<com::ReferenceValue>().ok()?;
                let object = value.target().ok()??.com().address().ok()?;
                let inner = step.follow(&value).ok()?;
                through.push((word(stopped.target().pid, object)?, inner.com().address().ok()?.wrapping_sub(object)));
                value = inner;
            }
            Some(VariableHome { distance, through, holds: Holds::of(&value)? })
        };
        if let Some(home) = home() {
            self.variables.insert(position, home);
        }
    }

    /// Notes where a field of an object was read.
    pub fn add_field(&mut self, stopped: &Stopped, of: &Place, field: &FieldRef, place: &Place) {
        let mut home = || {
            let Some(Step::Field { class, .. }) = place.steps.last() else { return None };
            let value = of.read(stopped).ok()?;
            let object = value.target().ok()??;
            let address = object.com().address().ok()?;
            let inner = place.read(stopped).ok()?;
            let offset = inner.com().address().ok()?.wrapping_sub(address);
            let begin = match value.com().cast::<com::ReferenceValue>() {
                Ok(_) => word(stopped.target().pid, address)?,
                Err(_) if value.is_unboxed() => STRUCT,
                Err(_) => return None,
            };
            let key = (begin, field.owner.clone(), field.field.id);
            self.fields.insert(key, FieldHome { offset, holds: Holds::of(&inner)?, class: class.clone() })
        };
        home();
    }

    /// Notes which type an object has.
    pub fn add_type(&mut self, stopped: &Stopped, of: &Place, type_: &Type) {
        let address = || of.read(stopped).ok()?.target().ok()??.com().address().ok();
        if let Some(begin) = address().and_then(|address| word(stopped.target().pid, address)) {
            self.types.insert(begin, type_.clone());
        }
    }

    /// A variable of a frame; objects by their addresses.
    pub fn variable(&self, pid: u32, frame_pointer: u64, position: usize) -> Option<Value<u64>> {
        let home = self.variables.get(&position)?;
        let mut address = frame_pointer.wrapping_add(home.distance);
        for (type_, offset) in &home.through {
            let object = word(pid, address).filter(|&object| object != 0)?;
            if word(pid, object)? != *type_ {
                return None;
            }
            address = object.wrapping_add(*offset);
        }
        home.holds.value(|offset| word(pid, address.wrapping_add(offset)))
    }

    /// A field of what lies at an address, and the class that has it.
    pub fn field(&self, pid: u32, of: Located, field: &FieldRef) -> Option<(Value<u64>, &com::Class)> {
        let (begin, address) = match of {
            Located::Object(object) => (word(pid, object)?, object),
            Located::Struct(address) => (STRUCT, address),
        };
        let home = self.fields.get(&(begin, field.owner.clone(), field.field.id))?;
        let begin = address.wrapping_add(home.offset);
        Some((home.holds.value(|offset| word(pid, begin.wrapping_add(offset)))?, &home.class))
    }

    pub fn type_of(&self, pid: u32, object: u64) -> Option<&Type> {
        self.types.get(&word(pid, object)?)
    }

    /// The text of what is known to be a string. The length is behind the type's address, the units behind that.
    pub fn text(&self, pid: u32, object: u64) -> Option<Arc<[u16]>> {
        self.type_of(pid, object).filter(|type_| **type_ == Type::STRING)?;
        let length = (word(pid, object.wrapping_add(8))? & 0xffff_ffff) as usize;
        let mut bytes = vec![0; length.checked_mul(2).filter(|_| length <= LONGEST)?];
        if memory::read(pid, object.wrapping_add(12), &mut bytes) != bytes.len() {
            return None;
        }
        let unit = |unit: &[u8]| unit.iter().rev().fold(0, |all, byte| all << 8 | u16::from(*byte));
        Some(bytes.chunks_exact(2).map(unit).collect())
    }
}

impl Holds {
    /// `None`: a struct, also one of which a literal says all, as of a nullable, or what refers to a variable.
    pub fn of(value: &crate::values::Value<'_>) -> Option<Self> {
        let com = value.com();
        let kind = com.kind().ok()?;
        if matches!(kind, element::BYREF | element::PTR | element::FNPTR) {
            return None;
        }
        if com.cast::<com::ReferenceValue>().is_ok() {
            return Some(Self::Object);
        }
        // what such a value holds begins behind a flag, and is not always there
        if value.is_nullable() {
            return None;
        }
        match value.content().ok()? {
            Content::Scalar(Scalar::Enum(definition, number)) => {
                let inner = definition.view().fields().into_iter().find(|field| field.name == "value__")?;
                let TypeSig::Primitive(primitive) = inner.type_ else { return None };
                match constant_at(value, &Scalar::Enum(definition, number)) {
                    Constant::Enum(type_, _) => Some(Self::Enum(type_, primitive)),
                    _ => None,
                }
            }
            Content::Scalar(Scalar::Decimal(_)) => Some(Self::Decimal),
            Content::Scalar(_) if kind != element::VALUETYPE => {
                u8::try_from(kind).ok().and_then(Primitive::from_code).map(Self::Number)
            }
            _ => None,
        }
    }

    /// `word`: the eight bytes at a distance from where it begins, the lowest first.
    pub fn value(&self, word: impl Fn(u64) -> Option<u64>) -> Option<Value<u64>> {
        let bits = word(0)?;
        Some(match self {
            Self::Object if bits == 0 => Value::NULL,
            Self::Object => Value::Object(bits),
            Self::Number(primitive) => Value::Constant(constant(&of_bits(*primitive, bits)?)),
            Self::Enum(type_, primitive) => match of_bits(*primitive, bits)? {
                Scalar::Int(_, number) => Value::Constant(Constant::Enum(type_.clone(), number)),
                _ => return None,
            },
            // flags, the upper third, the rest (Decimal.cs)
            Self::Decimal => {
                let scalar = Scalar::decimal(i128::from(bits as u32), i128::from(bits >> 32), i128::from(word(8)?));
                Value::Constant(constant(&scalar))
            }
        })
    }
}
