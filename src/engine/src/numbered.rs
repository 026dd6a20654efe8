//! Numbers for the objects that variables hold, by which a client tells whether one holds another object than at an earlier stop.
//!
//! A weak handle is behind each, so a number keeps nothing alive, and follows its object when a collection moves it.

use std::collections::HashMap;

use crate::com::{self, Interface as _, element};

/// Objects with a number at a time: each takes a handle of the program.
const MOST: usize = 4096;

#[derive(Default)]
pub struct Numbered {
    handles: Vec<com::ReferenceValue>,
    /// Where they are, as long as nothing runs.
    places: HashMap<u64, usize>,
    era: u64,
    /// How often all were given up, as there were too many.
    round: u32,
}

impl Numbered {
    /// The number of the object at an address, in an era in which nothing has run. Those of different rounds, in the upper half, say
    /// nothing of each other. `None` for what is compared by its value: text, and what is boxed.
    pub fn number(&mut self, era: u64, address: u64, object: impl FnOnce() -> Option<com::Value>) -> Option<u64> {
        if self.era != era {
            self.era = era;
            let now =
                self.handles.iter().enumerate().filter_map(|(at, handle)| Some((handle.target_address().ok()?, at)));
            self.places = now.collect();
        }
        let at = match self.places.get(&address) {
            Some(&at) => at,
            None => {
                let object = object()?;
                let kind = object.kind().ok()?;
                if !matches!(kind, element::CLASS | element::OBJECT | element::SZARRAY | element::ARRAY) {
                    return None;
                }
                if self.handles.len() >= MOST {
                    self.give_up();
                }
                self.handles.push(object.cast::<com::HeapValue2>().ok()?.create_handle(com::WEAK).ok()?);
                let at = self.handles.len() - 1;
                self.places.insert(address, at);
                at
            }
        };
        Some(u64::from(self.round) << 32 | (at as u64 + 1))
    }

    fn give_up(&mut self) {
        self.places.clear();
        self.round = self.round.wrapping_add(1);
        for handle in self.handles.drain(..) {
            let _ = handle.cast::<com::HandleValue>().and_then(|handle| handle.dispose());
        }
    }
}
