//! The objects of a type, and where on the heap an object is.

use super::{Cut, Found, Heap, HeapError, Pace, named_types};
use crate::com::{self, HeapRegion, Interface as _, region};
use crate::stopped::Stopped;
use clr_metadata::TypeSig;

/// Objects of a type that are looked at, at most.
const MOST: usize = 10_000_000;

/// The objects of the types that a name stands for.
pub struct Objects {
    pub found: Vec<Found>,
    pub types: Vec<ObjectType>,
    pub cut: Option<Cut>,
}

/// A type of which objects were found.
pub struct ObjectType {
    pub number: u32,
    pub name: String,
    pub own: TypeSig,
    /// What was asked for: itself, a base or an interface of it.
    pub asked: TypeSig,
}

/// The part of the heap that an object is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    Number(u32),
    Large,
    Pinned,
    Frozen,
}

impl Heap<'_> {
    /// Those of a class and of the classes derived from it, or those that implement an interface. The name may omit namespaces and
    /// type arguments.
    ///
    /// # Errors
    /// [`HeapError`]
    pub fn objects(&mut self, type_name: &str, pace: Pace<'_>) -> Result<Objects, HeapError> {
        let (mut found, mut wanted) = (Vec::new(), Vec::new());
        let mut is_full = false;
        let mut cut = self.walk(pace, |types, object| {
            while wanted.len() < types.count() {
                wanted.push(types.named(wanted.len() as u32, type_name));
            }
            is_full |= !keep(&wanted, &mut found, object);
        })?;
        if cut.is_none() && wanted.iter().all(Option::is_none) {
            wanted = self.types.with_interface(type_name);
            if wanted.iter().any(Option::is_some) {
                cut = self.walk(pace, |_, object| is_full |= !keep(&wanted, &mut found, object))?;
            }
        }
        named_types::narrow(&mut wanted, type_name, self.scope.as_ref());
        found.retain(|object| wanted.get(object.type_ as usize).is_some_and(Option::is_some));
        let described = |(number, asked): (u32, Option<TypeSig>)| {
            let (name, own) = (self.types.name(number).to_string(), self.types.signature(number));
            asked.map(|asked| ObjectType { number, name, own, asked })
        };
        let types = (0_u32..).zip(wanted).filter_map(described).collect();
        Ok(Objects { found, types, cut: cut.or(is_full.then_some(Cut::Objects)) })
    }
}

/// Keeps an object of a wanted type; false where there are too many.
fn keep(wanted: &[Option<TypeSig>], found: &mut Vec<Found>, object: Found) -> bool {
    let is_wanted = wanted.get(object.type_ as usize).is_some_and(Option::is_some);
    let has_room = found.len() < MOST;
    if is_wanted && has_room {
        found.push(object);
    }
    !is_wanted || has_room
}

/// Where the object at an address is.
pub fn generation(regions: &[HeapRegion], address: u64) -> Option<Generation> {
    let region = regions.iter().find(|region| (region.start..region.end).contains(&address))?;
    Some(match region.generation {
        region::LARGE => Generation::Large,
        region::PINNED => Generation::Pinned,
        region::FROZEN => Generation::Frozen,
        number => Generation::Number(number),
    })
}

/// The parts of the heap of a stop.
pub fn regions(stopped: &Stopped) -> com::Result<Vec<HeapRegion>> {
    stopped.target().process()?.cast::<com::Process5>()?.heap_regions()?.all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_region_of_an_address_is_its_generation() {
        let region = |start, end, generation| HeapRegion { start, end, generation, heap: 0 };
        let regions = [region(0x10, 0x20, 2), region(0x20, 0x30, 3)];
        assert_eq!(generation(&regions, 0x1f), Some(Generation::Number(2)));
        assert_eq!(generation(&regions, 0x20), Some(Generation::Large));
        assert_eq!(generation(&regions, 0x30), None);
    }
}
