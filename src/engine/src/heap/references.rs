//! The references that an object holds, from memory.

use super::layouts::Layout;
use super::memory::Window;

/// Where an array keeps its length.
const COUNT: u64 = 8;

/// Where an object holds a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Edge {
    /// At an offset.
    Field(u32),
    /// At an offset of an element.
    Element(u32),
    /// It is the key of a dependent handle, which keeps the other alive.
    Dependent,
}

/// Gives every reference of the object at `address` to `act`, nulls excepted.
pub fn each(window: &mut Window, layout: &Layout, address: u64, size: u64, mut act: impl FnMut(Edge, u64)) {
    let length = usize::try_from(size).unwrap_or(usize::MAX).min(Window::MOST);
    if !layout.slots.is_empty()
        && let Some(bytes) = window.bytes(address, length)
    {
        slots(bytes, &layout.slots, |at, target| act(Edge::Field(at), target));
    }
    let Some(of) = &layout.elements else { return };
    let Some(count) = window.u32(address.wrapping_add(COUNT)) else { return };
    let element = (of.size as usize).max(1);
    let most = u32::try_from(Window::MOST / element).unwrap_or(u32::MAX).max(1);
    let mut from = 0;
    while from < count {
        let many = most.min(count - from);
        let start = address.wrapping_add(u64::from(of.first)).wrapping_add(u64::from(from) * u64::from(of.size));
        if let Some(bytes) = window.bytes(start, many as usize * element) {
            for element in bytes.chunks_exact(element) {
                slots(element, &of.slots, |at, target| act(Edge::Element(at), target));
            }
        }
        from += many;
    }
}

fn slots(bytes: &[u8], slots: &[u32], mut act: impl FnMut(u32, u64)) {
    for &slot in slots {
        let at = slot as usize;
        let word = bytes.get(at..at + 8).and_then(|word| word.try_into().ok()).map_or(0, u64::from_le_bytes);
        if word != 0 {
            act(slot, word);
        }
    }
}
