//! The arithmetic: sizes and alignments in, offsets out. Knows no file.

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) size: u32,
    pub(super) alignment: u32,
    pub(super) kind: NeedKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NeedKind {
    /// An object.
    Reference,
    /// A number, an enum, a pointer, a reference to a variable: of size 1, 2, 4 or 8.
    Primitive,
    Struct {
        has_references: bool,
    },
}

impl Need {
    pub(super) fn has_references(self) -> bool {
        matches!(self.kind, NeedKind::Reference | NeedKind::Struct { has_references: true })
    }
}

/// Offsets in the order of the fields, and what the whole takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) offsets: Vec<u32>,
    /// Bytes up to the end of the last field; of a value type, of the whole.
    pub(super) bytes: u32,
    pub(super) alignment: u32,
}

const POINTER: u32 = 8;
/// `FIELD_OFFSET_LAST_REAL_OFFSET` of CoreCLR's field.h: offsets have 27 bits.
const MAX_BYTES: u32 = (1 << 27) - 7;

/// `HandleSequentialLayout`: as declared, each at its alignment, limited by the packing (0 = none).
pub(super) fn sequential(needs: &[Need], start: u32, packing: u32, size: u32, is_value_type: bool) -> Option<Placed> {
    let packing = if packing == 0 { u32::MAX } else { packing };
    let (mut at, mut largest) = (start, 1);
    let mut offsets = Vec::with_capacity(needs.len());
    for need in needs {
        let alignment = need.alignment.clamp(1, packing);
        largest = largest.max(alignment);
        at = at.checked_next_multiple_of(alignment)?;
        offsets.push(at);
        at = bounded(at.checked_add(need.size)?)?;
    }
    let bytes = whole(at, start, size, largest, is_value_type)?;
    Some(Placed { offsets, bytes, alignment: largest })
}

/// `HandleExplicitLayout`: where the file says.
pub(super) fn explicit(
    needs: &[(Need, u32)],
    start: u32,
    packing: u32,
    size: u32,
    is_value_type: bool,
) -> Option<Placed> {
    let packing = if packing == 0 { u32::MAX } else { packing };
    let (mut end, mut largest) = (start, 1);
    let mut offsets = Vec::with_capacity(needs.len());
    for (need, offset) in needs {
        let offset = start.checked_add(*offset)?;
        // References must be aligned, whatever the packing says.
        let least = if need.has_references() { POINTER } else { 1 };
        largest = largest.max(need.alignment.clamp(1, packing)).max(least);
        end = end.max(bounded(offset.checked_add(need.size)?)?);
        offsets.push(offset);
    }
    let bytes = whole(end, start, size, largest, is_value_type)?;
    Some(Placed { offsets, bytes, alignment: largest })
}

/// The size that source asks for is taken as it is, unless the fields need more.
fn whole(end: u32, start: u32, size: u32, alignment: u32, is_value_type: bool) -> Option<u32> {
    let bytes = match size {
        0 => end.checked_next_multiple_of(alignment)?,
        size => end.max(start.checked_add(size)?),
    };
    bounded(if is_value_type { bytes.max(1) } else { bytes })
}

/// `HandleAutoLayout`: what fits into the gap behind the base, then references, the rest from the largest size down, structs last.
pub(super) fn auto(needs: &[Need], start: u32, is_value_type: bool) -> Option<Placed> {
    let mut offsets: Vec<Option<u32>> = vec![None; needs.len()];
    let mut at = fill_gap(needs, start, &mut offsets);
    for size in [8, 4, 2, 1] {
        let of_size = |need: &Need, references: bool| {
            need.size == size
                && match need.kind {
                    NeedKind::Reference => references,
                    NeedKind::Primitive => !references,
                    NeedKind::Struct { .. } => false,
                }
        };
        let is_open = |offset: &Option<u32>| offset.is_none();
        if !needs
            .iter()
            .zip(&offsets)
            .any(|(need, offset)| is_open(offset) && (of_size(need, true) || of_size(need, false)))
        {
            continue;
        }
        at = at.checked_next_multiple_of(size)?;
        for references in [true, false] {
            for (need, offset) in needs.iter().zip(&mut offsets) {
                if is_open(offset) && of_size(need, references) {
                    *offset = Some(at);
                    at = bounded(at.checked_add(size)?)?;
                }
            }
        }
    }
    let mut largest = 1;
    for (need, offset) in needs.iter().zip(&mut offsets) {
        match need.kind {
            NeedKind::Struct { has_references } => {
                let alignment = if has_references { POINTER } else { need.alignment.max(1) };
                largest = largest.max(alignment);
                at = at.checked_next_multiple_of(alignment)?;
                *offset = Some(at);
                at = bounded(at.checked_add(need.size)?)?;
            }
            _ => largest = largest.max(POINTER),
        }
    }
    let offsets = offsets.into_iter().collect::<Option<Vec<u32>>>()?;
    if !is_value_type {
        return Some(Placed { offsets, bytes: at, alignment: POINTER });
    }
    let bytes = at.max(1);
    let has_references = needs.iter().any(|need| need.has_references());
    // Small structs are rounded up to a power of two, larger ones to the alignment of their fields.
    let round = match bytes {
        bytes if bytes <= POINTER => bytes.next_power_of_two(),
        _ if has_references => POINTER,
        _ => largest,
    };
    Some(Placed { offsets, bytes: bounded(bytes.checked_next_multiple_of(round)?)?, alignment: round })
}

/// A base may end where nothing large is aligned: small fields go there as long as larger ones follow.
fn fill_gap(needs: &[Need], start: u32, offsets: &mut [Option<u32>]) -> u32 {
    let mut at = start;
    // Each round places a field.
    while let Some(size) = size_for_gap(needs, offsets, at) {
        let fitting =
            needs.iter().zip(offsets.iter_mut()).find(|(need, offset)| offset.is_none() && is_number(need, size));
        let Some((_, offset)) = fitting else { break };
        *offset = Some(at);
        at += size;
    }
    at
}

/// The size of the next field for the gap at `at`, if one belongs there.
fn size_for_gap(needs: &[Need], offsets: &[Option<u32>], at: u32) -> Option<u32> {
    let has = |size: u32| needs.iter().zip(offsets).any(|(need, offset)| offset.is_none() && is_number(need, size));
    for log in 0..3u32 {
        if at.is_multiple_of(2 << log) {
            continue;
        }
        if !(log + 1..=3).any(|larger| has(1 << larger)) {
            return None;
        }
        let small = (0..=log).rev().map(|log| 1 << log).find(|size| at.is_multiple_of(*size) && has(*size));
        if small.is_some() {
            return small;
        }
    }
    None
}

/// A field of its own size; structs stand apart.
fn is_number(need: &Need, size: u32) -> bool {
    need.size == size && !matches!(need.kind, NeedKind::Struct { .. })
}

fn bounded(bytes: u32) -> Option<u32> {
    (bytes <= MAX_BYTES).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(size: u32) -> Need {
        Need { size, alignment: size, kind: NeedKind::Primitive }
    }

    fn reference() -> Need {
        Need { size: 8, alignment: 8, kind: NeedKind::Reference }
    }

    fn structure(size: u32, alignment: u32, has_references: bool) -> Need {
        Need { size, alignment, kind: NeedKind::Struct { has_references } }
    }

    #[test]
    fn classes_have_references_first_and_then_the_large() {
        let needs = [number(1), number(8), reference(), number(4), structure(12, 4, false), reference()];
        let placed = auto(&needs, 0, false).unwrap();
        assert_eq!(placed.offsets, [28, 16, 0, 24, 32, 8]);
        assert_eq!(placed.bytes, 44);
    }

    #[test]
    fn the_gap_behind_a_base_is_filled() {
        for (start, needs, offsets) in [
            (4, vec![number(8), number(4)], vec![8, 4]),
            (4, vec![number(8), number(1)], vec![8, 4]),
            (1, vec![number(8), number(1), number(2), number(4)], vec![8, 1, 2, 4]),
            (1, vec![number(1), number(1)], vec![1, 2]),
            // A small field leaves the place misaligned: more of them follow.
            (5, vec![number(4), number(1), number(1), number(1), number(1)], vec![8, 5, 6, 7, 12]),
            (6, vec![number(8), number(4), number(1), number(1)], vec![8, 16, 6, 7]),
            (1, vec![number(8), number(4), number(2)], vec![8, 16, 20]),
            (2, vec![number(8), number(4), number(2)], vec![8, 4, 2]),
            (4, vec![reference(), number(2)], vec![8, 4]),
            (8, vec![number(1)], vec![8]),
        ] {
            assert_eq!(auto(&needs, start, false).unwrap().offsets, offsets, "{start} {needs:?}");
        }
    }

    #[test]
    fn sequential_structs_are_padded_as_in_c() {
        let needs = [number(1), number(8), number(2)];
        assert_eq!(
            sequential(&needs, 0, 0, 0, true).unwrap(),
            Placed { offsets: vec![0, 8, 16], bytes: 24, alignment: 8 }
        );
        assert_eq!(
            sequential(&needs, 0, 1, 0, true).unwrap(),
            Placed { offsets: vec![0, 1, 9], bytes: 11, alignment: 1 }
        );
        assert_eq!(
            sequential(&needs, 0, 2, 0, true).unwrap(),
            Placed { offsets: vec![0, 2, 10], bytes: 12, alignment: 2 }
        );
        assert_eq!(sequential(&[], 0, 0, 0, true).unwrap().bytes, 1);
    }

    #[test]
    fn sizes_beyond_what_the_runtime_takes_are_refused() {
        let huge = structure(MAX_BYTES, 8, false);
        assert!(sequential(&[huge, huge], 0, 0, 0, true).is_none());
        assert!(auto(&[huge, huge], 0, true).is_none());
        assert!(explicit(&[(huge, u32::MAX)], 0, 0, 0, true).is_none());
        assert!(sequential(&[], 0, 0, u32::MAX, true).is_none());
    }
}
