//! What the calls of the step that ended returned, under the names that expressions take: `$returned1`, `$returned2`, … and `$returned`
//! for the last one.

use crate::com::{self, Interface as _};
use crate::stopped::Stopped;
use crate::target::Kept;
use crate::values::{Place, Root};

impl Stopped {
    /// Makes values of what is bytes only.
    pub fn keep_scalars(&mut self, thread: u32) {
        if !self.returned.iter().any(|it| matches!(it.kept, Some(Kept::Scalar { .. }))) {
            return;
        }
        let Ok(eval) = self.thread(thread).and_then(|thread| thread.com.create_eval()) else { return };
        for returned in &mut self.returned {
            let Some(Kept::Scalar { kind, bytes }) = &returned.kept else { continue };
            let made = eval.create_value(*kind, None).and_then(|value| {
                value.cast::<com::GenericValue>()?.set_bytes(bytes)?;
                Ok(value)
            });
            returned.kept = made.ok().map(Kept::Value);
        }
    }

    /// The name of each value, and where it is, if it can be read again.
    pub fn returned_names(&self) -> impl Iterator<Item = (String, Option<Place>)> {
        let places = self.returned.iter().map(|it| match it.kept.as_ref()? {
            Kept::Object(handle) => Some(Place::of(Root::Kept(handle.cast().ok()?))),
            Kept::Value(value) => Some(Place::of(Root::Kept(value.clone()))),
            Kept::Scalar { .. } => None,
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
