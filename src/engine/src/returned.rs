//! What the calls of the step that ended returned, under the names that expressions take: `$returned1`, `$returned2`, … and `$returned`
//! for the last one.

use clr_metadata::VariableRoot;

use crate::com::{self, Interface as _, memory};
use crate::stepping::{OF_STRUCT, UNREADABLE};
use crate::stopped::Stopped;
use crate::target::{Kept, Returned};
use crate::values::{Place, Root};

impl Stopped {
    /// Makes values of what is bytes only: of a number, and of a struct where the variable that it was stored in has it.
    pub fn keep_returned(&mut self, thread: u32, returned: Vec<Returned>) {
        let eval = self.thread(thread).and_then(|thread| thread.com.create_eval()).ok();
        for mut returned in returned {
            let made = match &returned.kept {
                Some(Kept::Scalar { kind, bytes }) => eval.as_ref().and_then(|eval| {
                    let value = eval.create_value(*kind, None).ok()?;
                    value.cast::<com::GenericValue>().and_then(|value| value.set_bytes(bytes)).ok()?;
                    Some(Kept::Value(value))
                }),
                Some(Kept::Struct { slot, stack_end, bytes }) => self
                    .place_of(thread)
                    .filter(|at| at.stack_end == *stack_end && self.has(thread, *slot, bytes))
                    .map(|_| Kept::Variable { thread, slot: *slot }),
                Some(Kept::Unread { slot, stack_end, ends_at, has_returned }) => {
                    let at = self.place_of(thread);
                    let is_behind = at.is_some_and(|at| at.stack_end == *stack_end && ends_at.contains(&at.offset));
                    // in what the statement calls, or where an exception led
                    if !is_behind && !has_returned {
                        continue;
                    }
                    slot.filter(|_| is_behind).map(|slot| Kept::Variable { thread, slot })
                }
                Some(Kept::Object(_) | Kept::Value(_) | Kept::Variable { .. }) | None => {
                    self.returned.push(returned);
                    continue;
                }
            };
            returned.kept = made;
            self.returned.push(returned);
        }
        self.give_reason_once();
    }

    /// Of several that cannot be read for one reason the first says it.
    fn give_reason_once(&mut self) {
        let unread = self.returned.iter_mut().filter(|it| it.kept.is_none() && it.text == OF_STRUCT);
        unread.skip(1).for_each(|it| it.text = UNREADABLE.to_owned());
    }

    /// Where a thread stands.
    fn place_of(&self, thread: u32) -> Option<At> {
        let top = self.thread(thread).ok()?.top().ok()?;
        let native: com::NativeFrame = top.data().il.cast().ok()?;
        Some(At { stack_end: native.stack_end().ok()?, offset: top.data().offset })
    }

    /// Whether a local variable of the innermost frame holds these bytes.
    fn has(&self, thread: u32, slot: u16, bytes: &[u8]) -> bool {
        let has = || {
            let value = self.thread(thread).ok()?.top().ok()?.data().il.local(slot.into()).ok()?;
            let mut now = vec![0; bytes.len()];
            let is_read = memory::read(self.target().pid, value.address().ok()?, &mut now) == now.len();
            Some(is_read && value.size().ok()? as usize == now.len() && now == bytes)
        };
        has() == Some(true)
    }

    /// The name of each value, and where it is, if it can be read again.
    pub fn returned_names(&self) -> impl Iterator<Item = (String, Option<Place>)> {
        let places = self.returned.iter().map(|it| match it.kept.as_ref()? {
            Kept::Object(handle) => Some(Place::of(Root::Kept(handle.cast().ok()?))),
            Kept::Value(value) => Some(Place::of(Root::Kept(value.clone()))),
            Kept::Variable { thread, slot } => {
                let root = VariableRoot::Slot(*slot);
                Some(Place::of(Root::Variable { thread: *thread, frame: 0, root }))
            }
            Kept::Scalar { .. } | Kept::Struct { .. } | Kept::Unread { .. } => None,
        });
        places.enumerate().map(|(index, place)| (format!("$returned{}", index + 1), place))
    }

    /// The variables that an expression may name.
    pub fn returned_places(&self) -> Vec<(String, Place)> {
        let mut named: Vec<_> = self.returned_names().filter_map(|(name, place)| Some((name, place?))).collect();
        let last = self.returned_names().last().and_then(|(_, place)| place);
        named.extend(last.map(|place| ("$returned".to_owned(), place)));
        named
    }
}

/// The innermost frame of a thread: where its stack ends, and its place in the IL.
struct At {
    stack_end: u64,
    offset: u32,
}
