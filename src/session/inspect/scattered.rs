//! Collections that are neither a list nor a hash table: what opens them, and a page of their elements.

use super::access::{Access, ReadError};
use super::backing::Backing;
use super::concurrent::{self, Segment};
use super::element::Element;
use super::field_values::{Field, Spec};
use super::fields;
use super::layouts::{self, Arrays, Scattered};
use super::literal::Raw;
use super::nodes::Walk;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::side_by_side;
use super::walks::Item;
use crate::session::expression::join;

/// One opened.
#[derive(Debug, Clone)]
pub struct Opened {
    pub count: u64,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Empty,
    Walk(Walk),
    /// With the first index.
    Arrays {
        keys: Option<Backing>,
        items: Backing,
        start: u64,
    },
    Buckets {
        buckets: Backing,
        count: u64,
    },
    Segments(Vec<Segment>),
    TwoStacks {
        front: Box<Walk>,
        back: Box<Walk>,
    },
    Table {
        slots: Backing,
        count: u64,
    },
    Bits {
        path: String,
        words: Vec<u64>,
        width: u64,
    },
    Span {
        path: String,
        /// The others can be read too.
        is_whole: bool,
    },
    InlineArray {
        path: String,
        /// The field that is the first element.
        first: String,
        type_name: String,
        /// The others can be read.
        is_whole: bool,
    },
}

impl Opened {
    pub async fn open(reader: &Reader, scattered: &Scattered, value: &RawValue, path: &str) -> Result<Self, ReadError> {
        let refused = || ReadError::Refused(format!("{path} cannot be read through its fields"));
        let number = |number: Option<i128>| number.and_then(|number| u64::try_from(number).ok()).ok_or_else(refused);
        let read = async |specs: &[Spec]| fields::read(reader, value, path, specs).await;
        match scattered {
            Scattered::Nodes(layout) => Self::walking(Walk::open(reader, layout, value, path).await?),
            Scattered::Arrays(arrays) => Self::of_arrays(reader, arrays, value, path).await.ok_or_else(refused),
            Scattered::Buckets => {
                let found = read(&["_tables._countPerLock[]", "_tables._buckets"]).await;
                let count = found.integers(0).ok_or_else(refused)?.iter().sum();
                let (buckets, length) = found.get(1).and_then(array).ok_or_else(refused)?;
                Ok(Self { count, source: Source::Buckets { buckets, count: length } })
            }
            Scattered::Queue => Ok(Self::of_segments(concurrent::queue_segments(reader, path).await?)),
            Scattered::Bag => Ok(Self::of_segments(concurrent::bag_segments(reader, path).await?)),
            Scattered::TwoStacks => {
                let found = read(&["_forwards", "_backwards"]).await;
                let open = async |at: usize| {
                    let field = found.get(at).ok_or_else(refused)?;
                    Walk::open(reader, &layouts::IMMUTABLE_STACK, &field.value, &field.path).await
                };
                let (front, back) = (Box::new(open(0).await?), Box::new(open(1).await?));
                Ok(Self { count: front.count + back.count, source: Source::TwoStacks { front, back } })
            }
            Scattered::Table => {
                let found = read(&["_count", "_buckets"]).await;
                let (slots, length) = found.get(1).and_then(array).ok_or_else(refused)?;
                Ok(Self { count: number(found.integer(0))?, source: Source::Table { slots, count: length } })
            }
            Scattered::Bits => {
                // 32-bit words until .NET 9, bytes since
                let found = read(&["_bitLength|m_length", "m_array[]|_array[]"]).await;
                let held = found.get(1).ok_or_else(refused)?;
                let width = if held.value.short_type().starts_with("byte") { 8 } else { 32 };
                let words = found.integers(1).ok_or_else(refused)?;
                Ok(Self {
                    count: number(found.integer(0))?,
                    source: Source::Bits { path: path.to_owned(), words, width },
                })
            }
            Scattered::Span => {
                let found = read(&["_length"]).await;
                let count = number(found.integer(0))?;
                let is_whole = is_indexed(reader, path, count).await;
                Ok(Self { count, source: Source::Span { path: path.to_owned(), is_whole } })
            }
            Scattered::InlineArray { first, type_name, count } => {
                let is_whole = is_indexed(reader, path, *count).await;
                let (path, first, type_name) = (path.to_owned(), first.clone(), type_name.clone());
                let source = Source::InlineArray { path, first, type_name, is_whole };
                Ok(Self { count: *count, source })
            }
        }
    }

    fn walking(walk: Walk) -> Result<Self, ReadError> {
        Ok(Self { count: walk.count, source: Source::Walk(walk) })
    }

    fn of_segments(segments: Vec<Segment>) -> Self {
        Self { count: segments.iter().map(|segment| segment.count).sum(), source: Source::Segments(segments) }
    }

    async fn of_arrays(reader: &Reader, arrays: &Arrays, value: &RawValue, path: &str) -> Option<Self> {
        let specs = [Some(arrays.items), arrays.keys, arrays.start, arrays.size];
        let found = fields::read(reader, value, path, &specs.map(Option::unwrap_or_default)).await;
        if found.is_null(0) {
            return Some(Self { count: 0, source: Source::Empty });
        }
        let (items, length) = found.get(0).and_then(array)?;
        let number = |at: usize| found.integer(at).and_then(|number| u64::try_from(number).ok());
        let count = match arrays.size {
            Some(_) => number(3)?,
            None => length,
        };
        // the upper bit of a Memory's index says that its array is pinned
        let start = if arrays.start.is_some() { number(2)? & 0x7fff_ffff } else { 0 };
        let keys = match arrays.keys {
            Some(_) => Some(found.get(1).and_then(array)?.0),
            None => None,
        };
        Some(Self { count, source: Source::Arrays { keys, items, start } })
    }

    /// Whether `count` is all elements, not only as many as were walked.
    pub fn counted(&self) -> bool {
        match &self.source {
            Source::Walk(walk) => walk.counted,
            Source::TwoStacks { front, back } => front.counted && back.counted,
            _ => true,
        }
    }

    /// How many elements can be read, from the first on.
    pub fn readable(&self) -> u64 {
        match &self.source {
            Source::Span { is_whole: false, .. } | Source::InlineArray { is_whole: false, .. } => self.count.min(1),
            _ => self.count,
        }
    }

    /// Why not all can be read, of the value that the caller calls `path`.
    pub fn unreadable(&self, path: &str) -> Option<String> {
        match &self.source {
            Source::Span { is_whole: false, .. } if self.count > 1 => Some(format!(
                "only the first element of a span can be read without running code; evaluate `{path}.ToArray()` for all"
            )),
            Source::InlineArray { is_whole: false, .. } => {
                Some(format!("only the first of the {} elements of this inline array can be read here", self.count))
            }
            _ => None,
        }
    }

    /// The first characters of a span of them, at most `limit`.
    pub async fn characters(&self, reader: &Reader, limit: usize) -> Option<String> {
        let Source::Span { path, is_whole: true } = &self.source else { return None };
        let start = format!("{path}.Slice(0, {}).ToString()", self.count.min(limit as u64));
        match reader.evaluate(&start, Access::Load).await.ok()?.parsed() {
            Raw::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether elements are named by their keys.
    pub fn is_keyed(&self) -> bool {
        match &self.source {
            Source::Walk(walk) => walk.is_keyed(),
            Source::Arrays { keys, .. } => keys.is_some(),
            Source::Buckets { .. } | Source::Table { .. } => true,
            _ => false,
        }
    }

    /// Elements from `start`, at most `count`; both lie within the collection.
    pub async fn page(&self, reader: &Reader, start: u64, count: u64) -> Result<Vec<Element>, ReadError> {
        let (first, most) = (size(start), size(count));
        let at = |index: u64, path: String| async move {
            let value = reader.evaluate(&path, Access::Load).await?;
            Ok(Element::at(index, value, path))
        };
        match &self.source {
            Source::Empty => Ok(Vec::new()),
            Source::Walk(walk) => walk.page(reader, start, count).await,
            Source::Arrays { keys: None, items, start: offset } => {
                let read = items.range(reader, offset + start, count).await?.into_iter();
                Ok((start..).zip(read).map(|(at, it)| Element::at(at, it.value, it.load_path)).collect())
            }
            Source::Arrays { keys: Some(keys), items, .. } => {
                let keys = keys.range(reader, start, count).await?;
                let values = items.range(reader, start, count).await?;
                Ok(keys.into_iter().zip(values).map(|(key, it)| it.keyed(&key.value, &key.load_path)).collect())
            }
            Source::Buckets { buckets, count } => {
                let items = concurrent::buckets(reader, buckets, *count, first.saturating_add(most)).await?;
                Ok(items.into_iter().enumerate().skip(first).take(most).map(|(at, item)| item.named(at)).collect())
            }
            Source::Segments(segments) => {
                let paths = segments.iter().flat_map(Segment::paths).enumerate().skip(first).take(most);
                side_by_side(paths.map(|(index, path)| at(index as u64, path))).await.into_iter().collect()
            }
            Source::TwoStacks { front, back } => {
                let mut all = front.page(reader, 0, front.count).await?;
                // what was put on last is on top
                let mut behind = back.page(reader, 0, back.count).await?;
                behind.reverse();
                all.append(&mut behind);
                let named = all.into_iter().enumerate().skip(first).take(most);
                Ok(named.map(|(index, element)| Element::at(index as u64, element.value, element.load_path)).collect())
            }
            Source::Table { slots, count } => table_page(reader, slots, *count, first, most).await,
            Source::Bits { path, words, width } => Ok((start..start + count)
                .filter_map(|index| {
                    let set = words.get(size(index / width))? >> (index % width) & 1 == 1;
                    let value = RawValue { type_name: "bool".into(), value: set.to_string(), ..RawValue::default() };
                    Some(Element::at(index, value, format!("{path}[{index}]")))
                })
                .collect()),
            Source::Span { path, is_whole: false } if start == 0 => {
                let path = join(path, "_reference");
                let value = reader.evaluate(&path, Access::Load).await?;
                Ok(vec![Element::at(0, value, path)])
            }
            Source::Span { path, is_whole: false } => Err(ReadError::Refused(format!(
                "only the first element of {path} is accessible by name; use its ToArray() or ToString()"
            ))),
            Source::Span { path, .. } => indexed(reader, path, start, count).await,
            Source::InlineArray { path, first, is_whole: false, .. } if start == 0 => {
                Ok(vec![at(0, join(path, first)).await?])
            }
            Source::InlineArray { path, is_whole: false, .. } => {
                Err(ReadError::Refused(format!("only the first element of the inline array {path} can be read here")))
            }
            Source::InlineArray { path, type_name, .. } => {
                let mut page = indexed(reader, path, start, count).await?;
                // an expression that gives null has no type of its own
                let nulls = page.iter_mut().filter(|element| element.value.parsed() == Raw::Null);
                nulls.for_each(|element| element.value.type_name.clone_from(type_name));
                Ok(page)
            }
        }
    }
}

/// Whether `path[i]` can be read for all `count`: not by adapters without an indexer for it, nor where elements are structs that they
/// cannot copy.
async fn is_indexed(reader: &Reader, path: &str, count: u64) -> bool {
    count == 1 || {
        let last = format!("{path}[{}]", count.saturating_sub(1));
        reader.capabilities.supports_csharp_expressions && reader.evaluate(&last, Access::Load).await.is_ok()
    }
}

async fn indexed(reader: &Reader, path: &str, start: u64, count: u64) -> Result<Vec<Element>, ReadError> {
    let read = (start..start + count).map(|index| async move {
        let path = format!("{path}[{index}]");
        let value = reader.evaluate(&path, Access::Load).await?;
        Ok(Element::at(index, value, path))
    });
    side_by_side(read).await.into_iter().collect()
}

/// Entries of a Hashtable: slots whose key is neither null nor the mark of a removed one.
async fn table_page(
    reader: &Reader,
    slots: &Backing,
    count: u64,
    first: usize,
    most: usize,
) -> Result<Vec<Element>, ReadError> {
    let mut slots = slots.range(reader, 0, count).await?;
    // its enumerator goes from the last slot to the first
    slots.reverse();
    let reads = slots
        .iter()
        .map(|slot| async move { fields::read(reader, &slot.value, &slot.load_path, &["key", "val"]).await });
    let live = side_by_side(reads).await.into_iter().filter_map(|read| {
        let removed = read.get(0)?.value.short_type().ends_with("Bucket[]");
        let mut fields = (!removed && read.is_set(0)).then_some(read.0)?.into_iter();
        Some(Item { key: fields.next().flatten(), value: fields.next().flatten()? })
    });
    Ok(live.enumerate().skip(first).take(most).map(|(at, item)| item.named(at)).collect())
}

/// An array, and how many elements it has.
fn array(field: &Field) -> Option<(Backing, u64)> {
    let Raw::Array(dimensions) = field.value.parsed() else { return None };
    Some((Backing::of(&field.value, &field.path, &dimensions), dimensions.iter().product()))
}

fn size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
