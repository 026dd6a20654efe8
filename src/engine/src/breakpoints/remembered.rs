//! What a breakpoint remembers of its expressions: where their variables lay. `evaluate/recalled.rs` reads them there again.

use std::collections::HashMap;
use std::fmt;

use clr_csharp::run::Prepared;
use clr_csharp::types::Type;
use clr_metadata::{FieldId, Primitive};

use crate::com;

/// Places at which one breakpoint's expressions are remembered: it may be bound in several methods.
const MOST_PLACES: usize = 16;

/// What a place holds.
#[derive(Debug, Clone)]
pub enum Holds {
    Number(Primitive),
    Enum(Type, Primitive),
    Decimal,
    /// A reference.
    Object,
}

/// From the frame pointer, through the objects that captured it, each with the address of its type and the offset in it.
#[derive(Debug, Clone)]
pub struct VariableHome {
    pub distance: u64,
    pub through: Vec<(u64, u64)>,
    pub holds: Holds,
}

#[derive(Clone)]
pub struct FieldHome {
    pub offset: u64,
    pub holds: Holds,
    pub class: com::Class,
}

impl fmt::Debug for FieldHome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldHome").field("offset", &self.offset).field("holds", &self.holds).finish_non_exhaustive()
    }
}

/// Where an evaluation found what it read.
#[derive(Debug, Default)]
pub struct Homes {
    /// By position in the scope.
    pub variables: HashMap<usize, VariableHome>,
    /// By the address of the object's type (0 of a struct), the type that declares the field, and the field.
    pub fields: HashMap<(u64, Type, FieldId), FieldHome>,
    /// By the address that objects begin with.
    pub types: HashMap<u64, Type>,
}

#[derive(Debug)]
pub struct Known {
    /// Of the modules that it was bound with.
    pub version: u32,
    pub prepared: Vec<Prepared>,
    pub homes: Homes,
    pub misses: u32,
}

/// What a breakpoint remembers of its condition, or of a message's expressions, by the instruction at which they were evaluated.
#[derive(Debug, Default)]
pub struct Memory {
    pub known: HashMap<u64, Known>,
    /// How often in a row a message's values could not be read at a hit.
    pub futile: u32,
}

impl Memory {
    /// For the next time; `version` is that of the modules it was bound with.
    pub fn keep(&mut self, at: com::Registers, version: u32, prepared: Vec<Prepared>, homes: Homes) {
        if self.known.len() >= MOST_PLACES && !self.known.contains_key(&at.instruction_pointer) {
            return;
        }
        let old = self.known.remove(&at.instruction_pointer).filter(|old| old.version == version);
        let (mut homes, mut misses) = (homes, 0);
        if let Some(old) = old {
            misses = old.misses;
            // which way an evaluation goes may differ each time
            homes.variables.extend(old.homes.variables);
            homes.fields.extend(old.homes.fields);
            homes.types.extend(old.homes.types);
        }
        self.known.insert(at.instruction_pointer, Known { version, prepared, homes, misses });
    }
}
