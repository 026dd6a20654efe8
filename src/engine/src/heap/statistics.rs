//! How many objects of which types there are, and what they take.

use std::collections::HashMap;

use super::{Cut, Heap, HeapError, Pace};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeTotal {
    pub name: String,
    pub count: u64,
    pub bytes: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The largest first.
    pub types: Vec<TypeTotal>,
    pub count: u64,
    pub bytes: u64,
    /// Space between objects that nothing uses.
    pub free: u64,
    pub cut: Option<Cut>,
}

/// The runtime's name for a gap between objects.
const GAP: &str = "Free";

impl Heap<'_> {
    /// # Errors
    /// [`HeapError`]
    pub fn statistics(&mut self, pace: Pace<'_>) -> Result<Statistics, HeapError> {
        let mut totals: Vec<(u64, u64)> = Vec::new();
        let cut = self.walk(pace, |_, found| {
            let index = found.type_ as usize;
            if totals.len() <= index {
                totals.resize(index + 1, (0, 0));
            }
            if let Some((count, bytes)) = totals.get_mut(index) {
                *count += 1;
                *bytes += found.size;
            }
        })?;
        let mut by_name: HashMap<String, (u64, u64)> = HashMap::new();
        let mut all = Statistics { cut, ..Statistics::default() };
        for (index, (count, bytes)) in (0_u32..).zip(totals) {
            let name = self.types.name(index);
            if &*name == GAP {
                all.free += bytes;
                continue;
            }
            all.count += count;
            all.bytes += bytes;
            // modules may have types of one name
            let total = by_name.entry(name.to_string()).or_default();
            total.0 += count;
            total.1 += bytes;
        }
        all.types = by_name.into_iter().map(|(name, (count, bytes))| TypeTotal { name, count, bytes }).collect();
        all.types.sort_by(|a, b| (b.bytes, b.count, &a.name).cmp(&(a.bytes, a.count, &b.name)));
        Ok(all)
    }
}
