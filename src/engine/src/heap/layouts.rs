//! Where the objects of a type hold references to others, and the names of the fields there.
//!
//! The places are those that the garbage collector itself goes by: they stand before each method table (`gcdesc.h` of the runtime, the
//! same from .NET 5 to 10). The debugging library does not describe all fields: it gives no type where the exact one was never needed,
//! as of `Dictionary<K, V>._entries` of reference types.

use crate::com::{self, TypeId, element, memory};

/// The references within an array's elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elements {
    /// From the object's start.
    pub first: u32,
    pub size: u32,
    /// From an element's start.
    pub slots: Vec<u32>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// From the object's start, where its method table is.
    pub slots: Vec<u32>,
    pub elements: Option<Elements>,
}

/// Of a method table's first word.
const HAS_ELEMENTS: u32 = 0x8000_0000;
const HAS_REFERENCES: u32 = 0x0100_0000;
/// The size of an element, of a method table that has elements.
const ELEMENT_SIZE: u32 = 0xffff;
/// A description with more parts is not valid.
const MOST: u64 = 1 << 16;
const WORD: u32 = 8;

impl Layout {
    pub fn of(pid: u32, table: u64) -> Self {
        Self::read(|address| memory::word(pid, address), table).unwrap_or_default()
    }

    fn read(word: impl Fn(u64) -> Option<u64>, table: u64) -> Option<Self> {
        let head = word(table)?;
        let (flags, base_size) = (head as u32, head >> 32);
        if flags & HAS_REFERENCES == 0 {
            return Some(Self::default());
        }
        let below = |words: u64| word(table.checked_sub(words * u64::from(WORD))?);
        let parts = below(1)?.cast_signed();
        if parts.unsigned_abs() > MOST {
            return None;
        }
        let mut layout = Self::default();
        if parts < 0 {
            // structs in an array: so many references, then so many bytes without, and so on to the end of an element
            let (mut slots, mut size) = (Vec::new(), 0_u32);
            for part in 0..parts.unsigned_abs() {
                let part = below(3 + part)?;
                for _ in 0..part as u32 {
                    slots.push(size);
                    size = size.checked_add(WORD)?;
                }
                size = size.checked_add((part >> 32) as u32)?;
            }
            // the description begins with the first reference, wherever that is in the element
            let first = u32::try_from(base_size.checked_sub(u64::from(WORD))?).ok()?;
            let before = u32::try_from(below(2)?).ok()?.checked_sub(first)?;
            slots.iter_mut().for_each(|slot| *slot += before);
            layout.elements = Some(Elements { first, size, slots });
            return Some(layout);
        }
        for part in 0..parts.unsigned_abs() {
            let start = u32::try_from(below(2 + 2 * part)?).ok()?;
            if flags & HAS_ELEMENTS != 0 {
                // structs too, where they are nothing but references
                let size = (flags & ELEMENT_SIZE).max(WORD);
                let slots = (0..size / WORD).map(|at| at * WORD).collect();
                layout.elements = Some(Elements { first: start, size, slots });
                continue;
            }
            // kept less the size of an object
            let length = below(3 + 2 * part)?.wrapping_add(base_size);
            let count = u32::try_from(length / u64::from(WORD)).ok().filter(|count| u64::from(*count) <= MOST)?;
            layout.slots.extend((0..count).map(|at| start + at * WORD));
        }
        layout.slots.sort_unstable();
        Some(layout)
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty() && self.elements.is_none()
    }
}

/// Structs within structs, and bases of bases; real ones stay far below.
const DEPTH: usize = 64;

/// On the way to what is at an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// By the type that declares it, and its token.
    Field(TypeId, u32),
    /// Of an inline array.
    Element(u32),
}

/// The steps that lead to what is at an offset of an object or element. Several where structs lie within. `length`: of a type that is
/// an inline array, how many elements it has.
pub fn path(process: &com::Process5, id: TypeId, offset: u32, length: impl Fn(TypeId) -> Option<u32>) -> Vec<Step> {
    let mut path = Vec::new();
    let Ok(head) = process.type_layout(id) else { return path };
    let is_array = matches!(head.kind, element::SZARRAY | element::ARRAY);
    let (mut declaring, mut offset) = match is_array {
        true => match process.array_layout(id) {
            Ok(array) if array.kind == element::VALUETYPE => (array.element, offset),
            _ => return path,
        },
        // a boxed struct's fields begin behind the method table
        false if head.kind == element::VALUETYPE => (id, offset.saturating_sub(head.box_offset)),
        false => (id, offset),
    };
    while path.len() < DEPTH {
        let Some((by, field)) = nearest(process, declaring, offset) else { break };
        let mut inside = offset - field.offset;
        match length(by).and_then(|length| stride(process, by, length)) {
            Some(stride) => {
                path.push(Step::Element(inside / stride));
                inside %= stride;
            }
            None => path.push(Step::Field(by, field.token)),
        }
        if field.kind != element::VALUETYPE {
            break;
        }
        (declaring, offset) = (field.type_, inside);
    }
    path
}

/// Bytes of an element of an inline array.
fn stride(process: &com::Process5, id: TypeId, length: u32) -> Option<u32> {
    // as large as in a box, with an object's header and method table
    let bytes = process.type_layout(id).ok()?.size.checked_sub(2 * WORD)?;
    bytes.checked_div(length).filter(|stride| *stride > 0)
}

/// The field of a type or of its bases that begins last at or before an offset.
fn nearest(process: &com::Process5, id: TypeId, offset: u32) -> Option<(TypeId, com::FieldLayout)> {
    let mut nearest: Option<(TypeId, com::FieldLayout)> = None;
    let mut declaring = id;
    for _ in 0..DEPTH {
        let layout = process.type_layout(declaring).ok()?;
        for field in process.type_fields(declaring, layout.fields).unwrap_or_default() {
            if field.offset <= offset && nearest.is_none_or(|(_, known)| known.offset < field.offset) {
                nearest = Some((declaring, field));
            }
        }
        if layout.parent == TypeId::default() || layout.parent == declaring {
            break;
        }
        declaring = layout.parent;
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: u64 = 0x1000;

    /// The words before a method table, the nearest first, and its head.
    fn layout(head: u64, before: &[u64]) -> Layout {
        let word = |address: u64| match (TABLE - address) / 8 {
            0 => Some(head),
            words => before.get(words as usize - 1).copied(),
        };
        Layout::read(word, TABLE).unwrap()
    }

    #[test]
    fn fields_are_ranges_of_words() {
        // 40 bytes; two references from 8, one from 24
        let head = (40 << 32) | u64::from(HAS_REFERENCES);
        let before = [2, 24, (8_u64).wrapping_sub(40), 8, (16_u64).wrapping_sub(40)];
        assert_eq!(layout(head, &before), Layout { slots: vec![8, 16, 24], elements: None });
        assert!(layout(40 << 32, &before).is_empty());
    }

    #[test]
    fn elements_are_references_or_structs_that_hold_some() {
        let head = (24 << 32) | u64::from(HAS_REFERENCES | HAS_ELEMENTS | 8);
        let objects = Elements { first: 16, size: 8, slots: vec![0] };
        assert_eq!(layout(head, &[1, 16, 0]).elements, Some(objects));
        // pairs of references
        let head_of_pairs = (24 << 32) | u64::from(HAS_REFERENCES | HAS_ELEMENTS | 16);
        let pairs = Elements { first: 16, size: 16, slots: vec![0, 8] };
        assert_eq!(layout(head_of_pairs, &[1, 16, 0]).elements, Some(pairs));
        // one reference and 8 bytes, then two references: 32 bytes
        let structs = Elements { first: 16, size: 32, slots: vec![0, 16, 24] };
        let before = [(-2_i64).cast_unsigned(), 16, (8 << 32) | 1, 2];
        assert_eq!(layout(head, &before).elements, Some(structs));
        // 16 bytes of numbers, then two references: up to those of the next element
        let behind = Elements { first: 16, size: 32, slots: vec![16, 24] };
        assert_eq!(layout(head, &[(-1_i64).cast_unsigned(), 32, (16 << 32) | 2]).elements, Some(behind));
    }
}
