//! A condition that is asked again where it was asked before: its names are resolved, and what it reads lies where it lay.
//!
//! The first stack walk after a stop costs the runtime's library a millisecond (275 reads of the target's memory; .NET 10). So a
//! condition notes where it found its variables: code that is not optimized keeps each at one distance from its frame pointer, and
//! objects of a type have their fields at one distance from where they begin. The next time it reads registers and a few bytes. What
//! it does not find that way is evaluated as at the first time.

use std::fmt;
use std::sync::Arc;

use clr_csharp::constant::Constant;
use clr_csharp::run::Limits;
use clr_csharp::types::{FieldRef, MethodRef, Type};
use clr_csharp::value::Value;
use clr_csharp::world::{Evaluated, Failure, Found, World};
use clr_metadata::{Assembly, MethodId, Primitive, TypeSig};

use super::reading::constant;
use crate::breakpoints::{Holds, Homes, Memory, VariableHome};
use crate::com::memory::word;
use crate::com::{self, Interface as _, element};
use crate::stopped::Stopped;
use crate::values::{Content, Place, Root, Scalar, Step, of_bits};

/// After so many evaluations that were not remembered wholly nothing is tried any more.
const MOST_MISSES: u32 = 8;
/// Units of a text that is read here.
const LONGEST: usize = 1 << 16;

impl Memory {
    /// Whether the condition holds; `None`: it has to be evaluated.
    pub fn recall(&mut self, stopped: &Stopped, thread: u32) -> Option<bool> {
        if self.known.is_empty() {
            return None;
        }
        let target = stopped.target();
        let registers = target.process().ok()?.registers(thread).ok()?;
        let known = self.known.get_mut(&registers.instruction_pointer).filter(|it| it.misses < MOST_MISSES)?;
        let loaded = target.take_types()?;
        let answer = (loaded.version == known.version).then(|| {
            let mut recalled =
                Recalled { homes: &known.homes, pid: target.pid, frame_pointer: registers.frame_pointer };
            known.condition.holds(&mut recalled, &loaded.types, Limits::default()).ok()
        });
        target.keep_types(loaded);
        known.misses = match answer.flatten() {
            Some(_) => 0,
            None => known.misses + 1,
        };
        answer.flatten()
    }
}

/// Whether the variables of a thread's innermost frame stay where they are: its code is not optimized, and no type parameter decides.
pub fn is_steady(stopped: &Stopped, thread: u32) -> bool {
    let Ok(frame) = stopped.thread(thread).and_then(|thread| thread.frame(0)) else { return false };
    let settings = frame.data().module.com.cast::<com::Module2>();
    let flags = settings.and_then(|module| module.jit_flags()).unwrap_or(0);
    flags & com::JIT_DISABLE_OPTIMIZATION == com::JIT_DISABLE_OPTIMIZATION && frame.type_arguments().is_empty()
}

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
            Some(VariableHome { distance, through, holds: holds(&value)? })
        };
        if let Some(home) = home() {
            self.variables.insert(position, home);
        }
    }

    /// Notes where a field of an object was read.
    pub fn add_field(&mut self, stopped: &Stopped, of: &Place, field: &FieldRef, place: &Place) {
        let mut home = || {
            let value = of.read(stopped).ok()?;
            value.com().cast::<com::ReferenceValue>().ok()?;
            let object = value.target().ok()??;
            let address = object.com().address().ok()?;
            let inner = place.read(stopped).ok()?;
            let offset = inner.com().address().ok()?.wrapping_sub(address);
            let key = (word(stopped.target().pid, address)?, field.owner.clone(), field.field.id);
            self.fields.insert(key, (offset, holds(&inner)?))
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
}

/// `None`: a struct, or what refers to a variable.
fn holds(value: &crate::values::Value<'_>) -> Option<Holds> {
    let com = value.com();
    let kind = com.kind().ok()?;
    if matches!(kind, element::BYREF | element::PTR | element::FNPTR) {
        return None;
    }
    if com.cast::<com::ReferenceValue>().is_ok() {
        return Some(Holds::Object);
    }
    match value.content().ok()? {
        Content::Scalar(Scalar::Enum(definition, _)) => {
            let inner = definition.view().fields().into_iter().find(|field| field.name == "value__")?;
            let TypeSig::Primitive(primitive) = inner.type_ else { return None };
            Some(Holds::Enum(Type::of(&Scalar::Enum(definition, 0).signature()), primitive))
        }
        Content::Scalar(_) if kind != element::VALUETYPE => {
            u8::try_from(kind).ok().and_then(Primitive::from_code).map(Holds::Number)
        }
        _ => None,
    }
}

/// The program as far as it is remembered.
struct Recalled<'a> {
    homes: &'a Homes,
    pid: u32,
    frame_pointer: u64,
}

/// It is not remembered.
struct Forgotten;

impl fmt::Display for Forgotten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not remembered")
    }
}

fn forgotten<T>() -> Result<T, Failure<Forgotten>> {
    Err(Failure::World(Forgotten))
}

impl Recalled<'_> {
    fn word(&self, address: u64) -> Result<u64, Failure<Forgotten>> {
        word(self.pid, address).ok_or(Failure::World(Forgotten))
    }

    fn held(&self, address: u64, holds: &Holds) -> Evaluated<Self> {
        let bits = self.word(address)?;
        let scalar = |primitive: Primitive| of_bits(primitive, bits).ok_or(Failure::World(Forgotten));
        Ok(match holds {
            Holds::Object if bits == 0 => Value::NULL,
            Holds::Object => Value::Object(bits),
            Holds::Number(primitive) => Value::Constant(constant(&scalar(*primitive)?)),
            Holds::Enum(type_, primitive) => match scalar(*primitive)? {
                Scalar::Int(_, number) => Value::Constant(Constant::Enum(type_.clone(), number)),
                _ => return forgotten(),
            },
        })
    }
}

impl World for Recalled<'_> {
    /// The address of an object.
    type Handle = u64;
    type Error = Forgotten;

    fn variable(&mut self, position: usize) -> Evaluated<Self> {
        let Some(home) = self.homes.variables.get(&position) else { return forgotten() };
        let mut address = self.frame_pointer.wrapping_add(home.distance);
        for (type_, offset) in &home.through {
            let object = self.word(address)?;
            if object == 0 || self.word(object)? != *type_ {
                return forgotten();
            }
            address = object.wrapping_add(*offset);
        }
        self.held(address, &home.holds)
    }

    fn set_variable(&mut self, _: usize, _: &Value<u64>) -> Result<(), Failure<Forgotten>> {
        forgotten()
    }

    fn field(&mut self, of: Option<&u64>, field: &FieldRef) -> Evaluated<Self> {
        let Some(&object) = of else { return forgotten() };
        let key = (self.word(object)?, field.owner.clone(), field.field.id);
        let Some((offset, holds)) = self.homes.fields.get(&key) else { return forgotten() };
        self.held(object.wrapping_add(*offset), holds)
    }

    fn set_field(&mut self, _: Option<&u64>, _: &FieldRef, _: &Value<u64>) -> Result<(), Failure<Forgotten>> {
        forgotten()
    }

    fn element(&mut self, _: &u64, _: usize) -> Evaluated<Self> {
        forgotten()
    }

    fn set_element(&mut self, _: &u64, _: usize, _: &Value<u64>) -> Result<(), Failure<Forgotten>> {
        forgotten()
    }

    fn dimensions(&mut self, _: &u64) -> Found<Vec<(i32, usize)>, Self> {
        forgotten()
    }

    /// The length is behind the type's address, the units behind that.
    fn text(&mut self, of: &u64) -> Result<Option<Arc<[u16]>>, Failure<Forgotten>> {
        if self.type_of(of)? != Type::STRING {
            return Ok(None);
        }
        let length = (self.word(of.wrapping_add(8))? & 0xffff_ffff) as usize;
        if length > LONGEST {
            return forgotten();
        }
        let mut bytes = vec![0; length * 2];
        if com::memory::read(self.pid, of.wrapping_add(12), &mut bytes) != bytes.len() {
            return forgotten();
        }
        Ok(Some(
            bytes
                .chunks_exact(2)
                .map(|unit| unit.iter().rev().fold(0, |all, byte| all << 8 | u16::from(*byte)))
                .collect(),
        ))
    }

    fn type_of(&mut self, of: &u64) -> Result<Type, Failure<Forgotten>> {
        let begin = self.word(*of)?;
        self.homes.types.get(&begin).cloned().ok_or(Failure::World(Forgotten))
    }

    fn unboxed(&mut self, _: &u64) -> Found<Constant, Self> {
        forgotten()
    }

    fn is_same(&mut self, one: &u64, other: &u64) -> Result<bool, Failure<Forgotten>> {
        Ok(one == other)
    }

    fn has_begun(&mut self, _: &Arc<Assembly>, _: MethodId) -> bool {
        false
    }

    fn elements(&mut self, _: &u64, _: usize) -> Found<Vec<Value<u64>>, Self> {
        forgotten()
    }

    fn call(&mut self, _: &MethodRef, _: Option<&Value<u64>>, _: &mut [Value<u64>]) -> Evaluated<Self> {
        forgotten()
    }

    fn new_object(&mut self, _: &Type, _: Option<&MethodRef>, _: &[Value<u64>]) -> Evaluated<Self> {
        forgotten()
    }

    fn copy(&mut self, _: &Value<u64>) -> Evaluated<Self> {
        forgotten()
    }

    fn new_array(&mut self, _: &Type, _: &[Value<u64>]) -> Evaluated<Self> {
        forgotten()
    }
}
