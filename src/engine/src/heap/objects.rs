//! The objects of a type, and where on the heap an object is.

use super::{Cut, Found, Heap, HeapError, Pace};
use crate::com::{self, HeapRegion, Interface as _, region};
use crate::stopped::Stopped;
use crate::types;
use clr_metadata::TypeSig;

/// Objects of a type that are looked at, at most.
const MOST: usize = 10_000_000;

/// The objects of the types that a name stands for.
pub struct Objects {
    pub found: Vec<Found>,
    /// The types by their number, with their names.
    pub types: Vec<(u32, String, TypeSig)>,
    pub cut: Option<Cut>,
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
    /// Those of a type and of the classes derived from it. The name may omit namespaces and type arguments.
    ///
    /// # Errors
    /// [`HeapError`]
    pub fn objects(&mut self, type_name: &str, pace: Pace<'_>) -> Result<Objects, HeapError> {
        let (mut found, mut wanted) = (Vec::new(), Vec::new());
        let mut is_full = false;
        let cut = self.walk(pace, |types, object| {
            while wanted.len() < types.count() {
                wanted.push(types.is_named(wanted.len() as u32, type_name));
            }
            if wanted.get(object.type_ as usize) == Some(&true) {
                is_full |= found.len() >= MOST;
                if !is_full {
                    found.push(object);
                }
            }
        })?;
        let numbers = (0_u32..).zip(&wanted).filter(|(_, is_wanted)| **is_wanted).map(|(number, _)| number);
        let types = numbers.map(|it| (it, self.types.name(it).to_string(), self.types.signature(it))).collect();
        Ok(Objects { found, types, cut: cut.or(is_full.then_some(Cut::Objects)) })
    }
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

/// Whether a name that a person gave means a type: namespaces and type arguments may be missing.
pub(super) fn stands_for(name: &str, full: &str) -> bool {
    let blank = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let (name, full) = (blank(name), blank(full));
    let ends = |full: &str| {
        full.strip_suffix(name.as_str()).is_some_and(|before| {
            // a `.` within type arguments begins another type's name
            (before.is_empty() || before.ends_with('.')) && before.matches('<').count() == before.matches('>').count()
        })
    };
    ends(&full) || ends(&types::without_arguments(&full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_omit_namespaces_and_type_arguments() {
        for (name, full) in [
            ("Session", "Shop.Session"),
            ("Shop.Session", "Shop.Session"),
            ("List", "System.Collections.Generic.List<Shop.Session>"),
            ("List<Shop.Session>", "System.Collections.Generic.List<Shop.Session>"),
            ("Dictionary<string,int>", "System.Collections.Generic.Dictionary<string, int>"),
            ("Entry[]", "System.Collections.Generic.Dictionary<string, int>.Entry[]"),
            ("int[]", "int[]"),
            ("string", "string"),
        ] {
            assert!(stands_for(name, full), "{name} {full}");
        }
        for (name, full) in [
            ("Session", "Shop.ShortSession"),
            ("Session", "System.Collections.Generic.List<Shop.Session>"),
            ("Session>", "System.Collections.Generic.List<Shop.Session>"),
            ("Shop", "Shop.Session"),
        ] {
            assert!(!stands_for(name, full), "{name} {full}");
        }
    }

    #[test]
    fn the_region_of_an_address_is_its_generation() {
        let region = |start, end, generation| HeapRegion { start, end, generation, heap: 0 };
        let regions = [region(0x10, 0x20, 2), region(0x20, 0x30, 3)];
        assert_eq!(generation(&regions, 0x1f), Some(Generation::Number(2)));
        assert_eq!(generation(&regions, 0x20), Some(Generation::Large));
        assert_eq!(generation(&regions, 0x30), None);
    }
}
