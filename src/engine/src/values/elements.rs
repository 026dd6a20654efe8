//! Elements of an array, read from memory: the runtime is asked once a page and once a type, not once an element.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{Array, Content, Scalar, Shown, Value, quote, scalar};
use crate::com::{self, HResult, element, memory};
use crate::types;

/// Reads elements as [`Value::show`] shows them.
pub(super) struct Elements<'a, 's> {
    array: &'a Array<'s>,
    /// Of the whole array's first element.
    address: u64,
    stride: u64,
    kind: Kind,
    block: RefCell<Block>,
}

/// What an element's bytes show of it.
enum Kind {
    /// Nothing: the runtime reports each.
    Unknown,
    Primitive {
        code: u32,
        type_name: String,
    },
    /// Texts by number.
    Enum {
        code: u32,
        type_name: String,
        definition: types::Definition,
        texts: RefCell<HashMap<i128, String>>,
    },
    Decimal(String),
    /// All look like this one.
    Struct(Shown),
    /// What is known of the objects of a type, by its method table.
    Reference {
        null: RefCell<Option<Shown>>,
        known: RefCell<HashMap<u64, Known>>,
    },
}

#[derive(Clone)]
enum Known {
    /// The runtime reports each.
    Nothing,
    /// A string.
    Text(String),
    /// All look like this one; its address is that far behind the reference.
    Object(Shown, u64),
}

/// Elements that were read at once.
#[derive(Default)]
struct Block {
    first: u32,
    bytes: Vec<u8>,
}

/// Bytes of a block, about.
const BLOCK: u64 = 64 << 10;

impl<'a, 's> Elements<'a, 's> {
    pub(super) fn of(array: &'a Array<'s>) -> Self {
        let described = Self::describe(array);
        let (address, stride, kind) = described.unwrap_or((0, 0, Kind::Unknown));
        Self { array, address, stride, kind, block: RefCell::default() }
    }

    /// What the runtime reports for the type and the first element.
    fn describe(array: &Array<'_>) -> com::Result<(u64, u64, Kind)> {
        let sample = array.at(0)?;
        let (address, size) = (sample.com().address()?, u64::from(sample.com().size()?));
        let stride = match array.at(1) {
            Ok(second) => second.com().address()?.wrapping_sub(address),
            Err(_) => size,
        };
        if address == 0 || stride < size || size == 0 {
            return Err(HResult::INVALID_ARGUMENT);
        }
        let type_ = array.type_.first_parameter()?;
        let type_name = || types::name(array.stopped.target(), &type_);
        let kind = match type_.kind()? {
            code @ (element::BOOLEAN..=element::R8 | element::I | element::U) => {
                Kind::Primitive { code, type_name: type_name() }
            }
            element::STRING | element::CLASS | element::OBJECT | element::SZARRAY | element::ARRAY => {
                Kind::Reference { null: RefCell::default(), known: RefCell::default() }
            }
            element::VALUETYPE => Self::of_struct(&sample),
            _ => Kind::Unknown,
        };
        Ok((address, stride, kind))
    }

    fn of_struct(sample: &Value<'_>) -> Kind {
        // it has a value or not
        if sample.is_nullable() {
            return Kind::Unknown;
        }
        match sample.content() {
            Ok(Content::Scalar(Scalar::Enum(definition, _))) => {
                let number = sample.raw_object().and_then(|object| object.field("value__"));
                match number.and_then(|number| number.com().kind().ok()) {
                    Some(code) => {
                        Kind::Enum { code, type_name: sample.type_name(), definition, texts: RefCell::default() }
                    }
                    None => Kind::Unknown,
                }
            }
            Ok(Content::Scalar(Scalar::Decimal(_))) => Kind::Decimal(sample.type_name()),
            Ok(Content::Object(_)) => Kind::Struct(sample.show()),
            _ => Kind::Unknown,
        }
    }

    pub(super) fn show(&self, position: u32) -> Shown {
        self.read(position).unwrap_or_else(|| self.ask(position))
    }

    /// The way that needs no knowledge of layouts.
    pub(super) fn ask(&self, position: u32) -> Shown {
        match self.array.at(position) {
            Ok(value) => value.show(),
            Err(error) => Shown::unread(error),
        }
    }

    fn read(&self, position: u32) -> Option<Shown> {
        let plain = |text: String, type_name: &String| Shown { text, type_name: type_name.clone(), ..Shown::default() };
        Some(match &self.kind {
            Kind::Unknown => return None,
            Kind::Primitive { code, type_name } => {
                plain(scalar::of_bytes(*code, self.bytes(position)?.get(..)?)?.to_string(), type_name)
            }
            Kind::Enum { code, type_name, definition, texts } => {
                let Scalar::Int(_, number) = scalar::of_bytes(*code, self.bytes(position)?.get(..)?)? else {
                    return None;
                };
                let mut texts = texts.borrow_mut();
                let text = texts.entry(number).or_insert_with(|| Scalar::Enum(definition.clone(), number).to_string());
                plain(text.clone(), type_name)
            }
            Kind::Decimal(type_name) => {
                // flags, high, low: `System.Decimal` is marshalled as it lies
                let bytes = self.bytes(position)?;
                let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
                let low = u64::from_le_bytes(bytes.get(8..16)?.try_into().ok()?);
                let flags = i128::from(word(0)?.cast_signed());
                plain(Scalar::decimal(flags, i128::from(word(4)?), i128::from(low)).to_string(), type_name)
            }
            Kind::Struct(shown) => {
                let address = shown.address.map(|_| self.address + self.stride * u64::from(position));
                Shown { address, ..shown.clone() }
            }
            Kind::Reference { null, known } => {
                let object = u64::from_le_bytes(self.bytes(position)?.get(..8)?.try_into().ok()?);
                if object == 0 {
                    return Some(null.borrow_mut().get_or_insert_with(|| self.ask(position)).clone());
                }
                self.object(position, object, &mut known.borrow_mut())?
            }
        })
    }

    fn object(&self, position: u32, object: u64, known: &mut HashMap<u64, Known>) -> Option<Shown> {
        let head = Head::read(self.pid(), object)?;
        let known = match known.entry(head.method_table) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.learn(position, object, &head)),
        };
        match known {
            Known::Nothing => None,
            Known::Text(type_name) => {
                let text = quote(&head.text(self.pid(), object)?);
                Some(Shown { text, type_name: type_name.clone(), ..Shown::default() })
            }
            Known::Object(shown, behind) => {
                Some(Shown { address: shown.address.map(|_| object + *behind), ..shown.clone() })
            }
        }
    }

    /// From one that the runtime reports.
    fn learn(&self, position: u32, object: u64, head: &Head) -> Known {
        let Ok(value) = self.array.at(position) else { return Known::Nothing };
        match value.content() {
            // the layout is not promised, so it must hold for the first
            Ok(Content::Text(units)) if head.text(self.pid(), object) == Some(units.clone()) => {
                Known::Text(value.type_name())
            }
            // a `Type` or a delegate looks as what it stands for
            Ok(Content::Object(learned)) if super::reflected::text(&learned).is_none() => {
                let shown = value.show();
                match shown.address.map(|address| address.checked_sub(object)) {
                    Some(Some(behind)) => Known::Object(shown, behind),
                    Some(None) => Known::Nothing,
                    None => Known::Object(shown, 0),
                }
            }
            _ => Known::Nothing,
        }
    }

    fn pid(&self) -> u32 {
        self.array.stopped.target().pid
    }

    /// Of one element; a block of them is read at once.
    fn bytes(&self, position: u32) -> Option<[u8; 16]> {
        let mut block = self.block.borrow_mut();
        let size = usize::try_from(self.stride).ok()?;
        let at = |block: &Block| Some(position.checked_sub(block.first)? as usize * size);
        let is_read = at(&block).is_some_and(|at| at + size <= block.bytes.len());
        if !is_read {
            let left = u64::from(self.array.count().saturating_sub(position));
            let length = (BLOCK / self.stride).max(1).min(left) * self.stride;
            block.first = position;
            block.bytes.resize(usize::try_from(length).ok()?, 0);
            let got = memory::read(self.pid(), self.address + self.stride * u64::from(position), &mut block.bytes);
            block.bytes.truncate(got);
        }
        let at = at(&block)?;
        let mut bytes = [0; 16];
        let read = block.bytes.get(at..at + size)?;
        let length = size.min(bytes.len());
        bytes.get_mut(..length)?.copy_from_slice(read.get(..length)?);
        Some(bytes)
    }
}

/// The first bytes of an object. A string is its method table, the number of its units, the units (coreclr's vm/object.h, 64 bits).
struct Head {
    method_table: u64,
    length: u32,
    units: [u8; Self::UNITS],
}

impl Head {
    const AHEAD: usize = 12;
    /// Most strings are short: read with the rest.
    const UNITS: usize = 64;

    fn read(pid: u32, object: u64) -> Option<Self> {
        let mut bytes = [0; Self::AHEAD + Self::UNITS];
        // the memory may end behind a short one
        if memory::read(pid, object, &mut bytes) < Self::AHEAD + Self::UNITS {
            bytes = [0; Self::AHEAD + Self::UNITS];
            let head = bytes.get_mut(..Self::AHEAD)?;
            if memory::read(pid, object, head) < Self::AHEAD {
                return None;
            }
            let length = u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?) as usize;
            let short = bytes.get_mut(Self::AHEAD..)?.get_mut(..length.saturating_mul(2).min(Self::UNITS))?;
            // what is no string may end before
            let _ = memory::read(pid, object + Self::AHEAD as u64, short);
        }
        Some(Self {
            method_table: u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?),
            length: u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?),
            units: bytes.get(Self::AHEAD..)?.try_into().ok()?,
        })
    }

    /// The units of a string; `None` where they cannot be read.
    fn text(&self, pid: u32, object: u64) -> Option<Vec<u16>> {
        let size = (self.length as usize).checked_mul(2)?;
        let longer;
        let bytes = match self.units.get(..size) {
            Some(bytes) => bytes,
            // .NET allows no longer ones
            None if self.length > 0x3fff_ffdf => return None,
            None => {
                let mut bytes = vec![0; size];
                if memory::read(pid, object + Self::AHEAD as u64, &mut bytes) < size {
                    return None;
                }
                longer = bytes;
                &longer
            }
        };
        Some(
            bytes
                .chunks_exact(2)
                .map(|pair| pair.iter().rev().fold(0, |unit, byte| unit << 8 | u16::from(*byte)))
                .collect(),
        )
    }
}
