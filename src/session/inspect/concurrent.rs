//! Elements of the concurrent collections: buckets of chains, and segments that are rings.

use super::access::ReadError;
use super::backing::Backing;
use super::field_values::{Fields, Spec};
use super::fields;
use super::nodes::chain;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::side_by_side;
use super::walks::Item;
use crate::session::expression::join;

/// Buckets of one round.
const BUCKETS: u64 = 64;

/// Entries of a ConcurrentDictionary: an array of buckets, each a chain.
pub async fn buckets(reader: &Reader, buckets: &Backing, count: u64, wanted: usize) -> Result<Vec<Item>, ReadError> {
    let mut items = Vec::new();
    let mut first = 0;
    while first < count && items.len() < wanted {
        let round = buckets.range(reader, first, BUCKETS.min(count - first)).await?;
        if round.is_empty() {
            break;
        }
        first += round.len() as u64;
        let heads = round
            .iter()
            .map(|bucket| async move { fields::read(reader, &bucket.value, &bucket.load_path, &["_node"]).await });
        for bucket in side_by_side(heads).await {
            let Some(head) = bucket.get(0).filter(|_| bucket.is_set(0)) else { continue };
            let head = (head.value.clone(), head.path.clone());
            for (node, path) in chain(reader, head, "_next", usize::MAX, None).await? {
                let mut read = fields::read(reader, &node, &path, &["_key", "_value"]).await.0.into_iter();
                if let (key, Some(Some(value))) = (read.next().flatten(), read.next()) {
                    items.push(Item { key, value });
                }
            }
        }
    }
    Ok(items)
}

/// Where the elements of a ConcurrentQueue or a ConcurrentBag are, oldest segment first: array, first index, mask, how many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub array: String,
    pub head: u64,
    pub mask: u64,
    pub count: u64,
    /// Behind the index, to the element.
    pub item: &'static str,
    pub newest_first: bool,
}

impl Segment {
    /// The paths of its elements.
    pub fn paths(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.count).map(|at| {
            let at = if self.newest_first { self.count - 1 - at } else { at };
            format!("{}[{}]{}", self.array, (self.head.wrapping_add(at)) & self.mask, self.item)
        })
    }
}

/// Segments of a ConcurrentQueue at `path`.
pub async fn queue_segments(reader: &Reader, path: &str) -> Result<Vec<Segment>, ReadError> {
    const SPECS: &[Spec] =
        &["_headAndTail.Head", "_headAndTail.Tail", "_slotsMask", "_frozenForEnqueues", "_nextSegment"];
    segments(reader, join(path, "_head"), SPECS, |read, path| {
        let (head, mask) = (read.integer(0)? as i32, read.integer(2)? as u64);
        // a segment that is closed has its tail moved on by twice its length
        let closed = if read.flag(3)? { (mask as i32 + 1).wrapping_mul(2) } else { 0 };
        let count = (read.integer(1)? as i32).wrapping_sub(head).wrapping_sub(closed);
        let array = join(path, "_slots");
        let count = u64::try_from(count).unwrap_or(0);
        Some(Segment { array, head: head as u64, mask, count, item: ".Item", newest_first: false })
    })
    .await
}

/// Queues of the threads of a ConcurrentBag at `path`.
pub async fn bag_segments(reader: &Reader, path: &str) -> Result<Vec<Segment>, ReadError> {
    const SPECS: &[Spec] = &["_headIndex", "_tailIndex", "_mask", "_nextQueue", "_nextQueue"];
    segments(reader, join(path, "_workStealingQueues"), SPECS, |read, path| {
        let head = read.integer(0)? as i32;
        let count = u64::try_from((read.integer(1)? as i32).wrapping_sub(head)).unwrap_or(0);
        let (array, mask) = (join(path, "_array"), read.integer(2)? as u64);
        Some(Segment { array, head: head as u64, mask, count, item: "", newest_first: true })
    })
    .await
}

/// A chain of segments, the last of `specs` leads to the next.
async fn segments(
    reader: &Reader,
    first: String,
    specs: &'static [Spec],
    segment: fn(&Fields, &str) -> Option<Segment>,
) -> Result<Vec<Segment>, ReadError> {
    /// More than two billion elements have.
    const MOST: usize = 2_048;
    let mut list = Vec::new();
    let mut path = first;
    while list.len() < MOST {
        let read = fields::read(reader, &RawValue::default(), &path, specs).await;
        if read.get(0).is_none() && list.is_empty() {
            // a bag that nothing was put into has no queue
            break;
        }
        list.push(segment(&read, &path).ok_or_else(|| ReadError::Refused(format!("{path} cannot be read")))?);
        let next = specs.len() - 1;
        if !read.is_set(next) {
            break;
        }
        path = join(&path, specs.get(next).copied().unwrap_or_default());
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_a_ring() {
        let segment = Segment {
            array: "q._head._slots".into(),
            head: 31,
            mask: 31,
            count: 3,
            item: ".Item",
            newest_first: false,
        };
        let paths: Vec<String> = segment.paths().collect();
        assert_eq!(paths, ["q._head._slots[31].Item", "q._head._slots[0].Item", "q._head._slots[1].Item"]);
        let newest = Segment { newest_first: true, item: "", ..segment };
        assert_eq!(newest.paths().next().as_deref(), Some("q._head._slots[1]"));
    }
}
