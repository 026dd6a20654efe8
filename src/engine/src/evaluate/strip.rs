//! The elements of an array, read as one piece of memory.

use clr_csharp::value::Value;

use crate::breakpoints::Holds;
use crate::com::memory;
use crate::stopped::Stopped;
use crate::values::{Content, Place, Step};

/// Fewer are read one by one.
const FEW: usize = 4;
const MOST_BYTES: usize = 256 << 20;

/// Elements of one size, side by side.
pub struct Strip {
    begin: u64,
    stride: usize,
    bytes: Vec<u8>,
}

/// What each element has at one distance from its begin.
pub struct Part {
    offset: usize,
    holds: Option<Holds>,
    is_struct: bool,
}

impl Part {
    /// Whether it is a struct with fields, and always there: a `T?` may hold none.
    pub fn is_struct(&self) -> bool {
        self.is_struct
    }
}

impl Strip {
    /// `None`: they are few, or their memory cannot be read at once.
    pub fn read(stopped: &Stopped, array: &Place, start: usize, count: usize) -> Option<Self> {
        if count < FEW {
            return None;
        }
        let Ok(Content::Array(elements)) = array.read(stopped).and_then(|value| value.content()) else { return None };
        let address = |at: usize| elements.at(u32::try_from(at).ok()?).ok()?.com().address().ok().filter(|&it| it != 0);
        let begin = address(start)?;
        let stride = usize::try_from(address(start + 1)?.checked_sub(begin)?).ok()?;
        let size = stride.checked_mul(count).filter(|&size| size <= MOST_BYTES)?;
        let mut bytes = vec![0; size];
        (memory::read(stopped.target().pid, begin, &mut bytes) == size).then_some(Self { begin, stride, bytes })
    }

    /// The whole element, or a part of it: what the first one has at that place.
    pub fn part(&self, stopped: &Stopped, first: &Place) -> Option<Part> {
        let value = first.read(stopped).ok()?;
        let offset = usize::try_from(value.com().address().ok()?.checked_sub(self.begin)?).ok()?;
        let holds = Holds::of(&value);
        let is_struct = holds.is_none() && value.is_unboxed() && !value.is_nullable();
        (offset < self.stride).then_some(Part { offset, holds, is_struct })
    }

    pub fn address(&self, at: usize) -> u64 {
        self.begin.wrapping_add((at * self.stride) as u64)
    }

    /// `None`: it is a struct.
    pub fn at(&self, at: usize, part: &Part) -> Option<Value<u64>> {
        let begin = at.checked_mul(self.stride)?.checked_add(part.offset)?;
        part.holds.as_ref()?.value(|offset| {
            let mut word = [0; 8];
            let from = self.bytes.get(begin.checked_add(usize::try_from(offset).ok()?)?..)?;
            for (to, from) in word.iter_mut().zip(from) {
                *to = *from;
            }
            Some(u64::from_le_bytes(word))
        })
    }
}

/// The element at a position of an array.
pub fn element(array: &Place, at: usize) -> Place {
    array.then(Step::Element(u32::try_from(at).unwrap_or(u32::MAX)))
}
