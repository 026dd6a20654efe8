//! How many elements the concurrent collections have, and which a dictionary has, by their fields: their own code takes locks, which a
//! thread that stands still may hold for good. And sorted sets, whose `Count` first looks after their views.

use clr_csharp::value::Value;

use super::{EvalError, Evaluation};
use crate::values::{Content, Place, Step};

/// Segments of one collection, each of which is twice as long as the one before or belongs to a thread; nodes of a stack.
const MOST_SEGMENTS: usize = 2_048;
/// Of a hash table, each of which is a read.
const MOST_BUCKETS: usize = 20_000;

impl Evaluation<'_> {
    /// `None`: it is no such collection.
    pub(super) fn count_of(&self, of: &Place) -> Result<Option<usize>, EvalError> {
        let Content::Object(object) = of.read(self.stopped)?.content()? else { return Ok(None) };
        let Some(definition) = object.definition().filter(|it| it.module.is_framework) else { return Ok(None) };
        let name = definition.view().full_name();
        // that of a sorted dictionary is of a class of its own; the views of one count what lies within them
        if matches!(name.as_str(), "System.Collections.Generic.SortedSet`1" | "System.Collections.Generic.TreeSet`1") {
            return Ok(usize::try_from(self.number(of, "count")?).ok());
        }
        let count = match name.strip_prefix("System.Collections.Concurrent.") {
            Some("ConcurrentDictionary`2") => {
                let counts = self.part(&self.part(of, "_tables")?, "_countPerLock")?;
                let counts = self.elements_of(&counts, usize::MAX)?.unwrap_or_default();
                counts.iter().filter_map(Value::as_integer).sum()
            }
            Some("ConcurrentQueue`1") => {
                self.sum(self.part(of, "_head")?, "_nextSegment", |segment| self.in_segment(segment))?
            }
            Some("ConcurrentBag`1") => self.sum(self.part(of, "_workStealingQueues")?, "_nextQueue", |queue| {
                Ok(self.number(queue, "_tailIndex")?.wrapping_sub(self.number(queue, "_headIndex")?))
            })?,
            Some("ConcurrentStack`1") => self.sum(self.part(of, "_head")?, "_next", |_| Ok(1))?,
            Some("BlockingCollection`1") => return self.count_of(&self.part(of, "_collection")?),
            _ => return Ok(None),
        };
        Ok(usize::try_from(count).ok())
    }

    /// Keys and values of a concurrent dictionary, in the order of its enumerator. `None`: it is too large to be read here.
    pub(super) fn concurrent_pairs(
        &self,
        of: &Place,
        limit: usize,
    ) -> Result<Option<Vec<[Value<Place>; 2]>>, EvalError> {
        let buckets = self.part(&self.part(of, "_tables")?, "_buckets")?;
        let Content::Array(array) = buckets.read(self.stopped)?.content()? else { return Ok(None) };
        if array.count() as usize > MOST_BUCKETS {
            return Ok(None);
        }
        let mut found = Vec::new();
        for bucket in 0..array.count() {
            let mut node = self.part(&buckets.then(Step::Element(bucket)), "_node")?;
            while found.len() < limit && !node.read(self.stopped)?.is_null() {
                found.push([self.held(&self.part(&node, "_key")?)?, self.held(&self.part(&node, "_value")?)?]);
                node = self.part(&node, "_next")?;
            }
        }
        Ok(Some(found))
    }

    /// Of a segment of a queue, which is a ring.
    fn in_segment(&self, segment: &Place) -> Result<i32, EvalError> {
        let ends = self.part(segment, "_headAndTail")?;
        let (head, tail) = (self.number(&ends, "Head")?, self.number(&ends, "Tail")?);
        let is_closed = self.number(segment, "_frozenForEnqueues")? != 0;
        // the tail of one that is closed was moved on by twice its length
        let closed = if is_closed { self.number(segment, "_slotsMask")?.wrapping_add(1).wrapping_mul(2) } else { 0 };
        Ok(tail.wrapping_sub(head).wrapping_sub(closed))
    }

    /// Of all segments from the first on; there may be none.
    fn sum(
        &self,
        first: Place,
        next: &str,
        count: impl Fn(&Place) -> Result<i32, EvalError>,
    ) -> Result<i128, EvalError> {
        let (mut at, mut sum) = (first, 0);
        for _ in 0..MOST_SEGMENTS {
            if at.read(self.stopped)?.is_null() {
                return Ok(sum);
            }
            sum += i128::from(count(&at)?);
            at = self.part(&at, next)?;
        }
        Err(EvalError::failed("the collection cannot be read"))
    }

    fn number(&self, of: &Place, name: &str) -> Result<i32, EvalError> {
        let value = self.held(&self.part(of, name)?)?;
        let number = value.as_integer().or_else(|| value.as_bool().map(i128::from));
        let missing = || EvalError::failed(format!("the field '{name}' cannot be read"));
        // they count on past the largest number
        number.and_then(|number| i32::try_from(number).ok()).ok_or_else(missing)
    }
}
