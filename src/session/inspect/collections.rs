//! Elements of arrays and framework collections, read from the fields that hold them: no enumerator or indexer runs.

mod entries;

use futures::stream::{self, StreamExt};
use tokio::time::Instant;

use super::access::{Access, ReadError};
use super::backing::{AT_ONCE, Backing};
use super::element::Element;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::scattered::Opened;
use super::shape::Collection;
use super::text;
use super::{literal, preview};
use crate::session::expression::join;
use crate::session::type_names;
use entries::{EntryFields, read_entries, read_keys};

/// Slots that the first step of a walk looks at, where a step costs a request and where it costs one for each slot.
const STEP: u64 = 2_000;
/// An adapter with paging walks to the page from the array's begin each time, so steps grow.
const LONGEST_STEP: u64 = 32_000;
const STEP_OF_ENTRIES: u64 = 64;
const STEP_OF_NODES: u64 = 16;

/// Elements that one request of an adapter without paging brings (dncdbg: the first 25 and a `[More]`).
pub const UNPAGED: u64 = 25;

/// Which elements are to be shown.
pub type Wanted<'a> = &'a (dyn Fn(&Element) -> bool + Sync);

/// What a walk over a collection found.
#[derive(Debug, Clone, Default)]
pub struct Found {
    pub elements: Vec<Element>,
    /// Elements looked at.
    pub looked: u64,
    /// Where to go on; `None` at the end.
    pub next: Option<u64>,
}

/// The array or collection behind a value, ready to be paged.
#[derive(Debug, Clone)]
pub struct Elements {
    pub count: u64,
    source: Source,
    /// What elements are declared as; empty where that is not known.
    type_name: String,
}

#[derive(Debug, Clone)]
enum Source {
    Array(Backing),
    /// Indices into an array from `head`, round its end.
    Ring {
        array: Backing,
        head: u64,
        length: u64,
    },
    Reversed(Backing),
    Hash {
        entries: Backing,
        slots: u64,
        holes: bool,
        fields: EntryFields,
    },
    Sorted {
        keys: Backing,
        values: Backing,
    },
    Scattered(Box<Opened>),
}

impl Elements {
    /// Whether a page is one request.
    pub fn is_array(&self) -> bool {
        matches!(self.source, Source::Array(_))
    }

    /// The one-dimensional array that holds the elements in their order.
    pub fn array_path(&self) -> Option<&str> {
        match &self.source {
            Source::Array(array) if array.rank == 1 => Some(&array.path),
            _ => None,
        }
    }

    /// Whether `count` is all elements. What keeps no count is counted only so far.
    pub fn counted(&self) -> bool {
        match &self.source {
            Source::Scattered(opened) => opened.counted(),
            _ => true,
        }
    }

    /// How many elements can be read, from the first on.
    pub fn readable(&self) -> u64 {
        match &self.source {
            Source::Scattered(opened) => opened.readable(),
            _ => self.count,
        }
    }

    /// Why not all can be read, of the value that the caller calls `path`.
    pub fn unreadable(&self, path: &str) -> Option<String> {
        match &self.source {
            Source::Scattered(opened) => opened.unreadable(path),
            _ => None,
        }
    }

    /// The first characters of a span of them, at most `limit`, where all can be read.
    pub async fn characters(&self, reader: &Reader, limit: usize) -> Option<String> {
        match &self.source {
            Source::Scattered(opened) if self.type_name == "char" => opened.characters(reader, limit).await,
            _ => None,
        }
    }

    /// An array whose `variables` are its elements.
    pub fn of_array(value: &RawValue, path: &str, dimensions: &[u64]) -> Self {
        let source = Source::Array(Backing::of(value, path, dimensions));
        let element = value.type_name.rsplit_once('[').map_or("", |(element, _)| element);
        Self { count: dimensions.iter().product(), source, type_name: element.to_owned() }
    }

    /// Opens a collection of the framework.
    pub async fn of_collection(
        reader: &Reader,
        collection: &Collection,
        value: &RawValue,
        path: &str,
    ) -> Result<Self, ReadError> {
        let mut arguments = type_names::generic_arguments(&value.type_name);
        if matches!(collection, Collection::Views { part: "key", .. }) {
            arguments.truncate(1);
        }
        let opened = Self::opened(reader, collection, value, path).await?;
        Ok(Self { type_name: arguments.pop().unwrap_or_default(), ..opened })
    }

    async fn opened(reader: &Reader, collection: &Collection, value: &RawValue, path: &str) -> Result<Self, ReadError> {
        let of = |count, source| Self { count, source, type_name: String::new() };
        let (mut holder, mut path) = (value.clone(), path.to_owned());
        let mut collection = collection.clone();
        // a wrapper in a wrapper in a wrapper is as far as anybody goes
        for _ in 0..3 {
            let (field, view) = match &collection {
                Collection::Wraps(field) => (*field, None),
                Collection::Views { of, part } => (*of, Some(*part)),
                _ => break,
            };
            let [inner] = reader.fields(&holder, &path, [field]).await;
            (holder, path) = (inner?, join(&path, field));
            if let literal::Raw::Array(dimensions) = holder.parsed() {
                return Ok(Self::of_array(&holder, &path, &dimensions));
            }
            collection = match reader.shape(&holder.type_name).form.clone() {
                super::shape::Form::Collection(Collection::Hash { next, .. }) if view.is_some() => {
                    Collection::Hash { key: view.unwrap_or_default(), value: None, next }
                }
                super::shape::Form::Collection(inner) if view.is_none() => inner,
                _ => return Err(ReadError::Refused(format!("{path} is not a readable collection"))),
            };
        }
        match collection {
            Collection::Group => {
                let group = Collection::List { items: "_elements", size: "_count" };
                Box::pin(Self::opened(reader, &group, &holder, &path)).await
            }
            Collection::List { items, size } => {
                let [count, held] = reader.fields(&holder, &path, [size, items]).await;
                Ok(of(integer(&path, count)?, Source::Array(backing(held?, &path, items))))
            }
            Collection::Hash { key, value, next } => {
                let [slots, free, held] = reader.fields(&holder, &path, ["_count", "_freeCount", "_entries"]).await;
                let (slots, free) = (integer(&path, slots)?, integer(&path, free)?);
                let entries = backing(held?, &path, "_entries");
                let fields = EntryFields { key, value, next };
                let source = Source::Hash { entries, slots, holes: free > 0, fields };
                Ok(of(slots.saturating_sub(free), source))
            }
            Collection::Queue => {
                let [size, head, held] = reader.fields(&holder, &path, ["_size", "_head", "_array"]).await;
                let (size, head, held) = (integer(&path, size)?, integer(&path, head)?, held?);
                let length = match held.parsed() {
                    literal::Raw::Array(dimensions) => dimensions.iter().product(),
                    _ => size,
                };
                let array = backing(held, &path, "_array");
                Ok(of(size, Source::Ring { array, head, length: length.max(1) }))
            }
            Collection::Stack => {
                let [size, held] = reader.fields(&holder, &path, ["_size", "_array"]).await;
                Ok(of(integer(&path, size)?, Source::Reversed(backing(held?, &path, "_array"))))
            }
            Collection::SortedList => {
                let [size, keys, values] = reader.fields(&holder, &path, ["_size", "keys", "values"]).await;
                let (keys, values) = (backing(keys?, &path, "keys"), backing(values?, &path, "values"));
                Ok(of(integer(&path, size)?, Source::Sorted { keys, values }))
            }
            Collection::Scattered(scattered) => {
                let opened = Opened::open(reader, &scattered, &holder, &path).await?;
                Ok(of(opened.count, Source::Scattered(Box::new(opened))))
            }
            Collection::Wraps(_) | Collection::Views { .. } => {
                Err(ReadError::Refused(format!("{path} is nested too deeply")))
            }
        }
    }

    /// Whether elements are named by their position alone: then one is where its number says.
    pub fn is_sequence(&self) -> bool {
        match &self.source {
            Source::Array(_) | Source::Ring { .. } | Source::Reversed(_) => true,
            Source::Hash { fields, .. } => fields.value.is_none(),
            Source::Sorted { .. } => false,
            Source::Scattered(opened) => !opened.is_keyed(),
        }
    }

    /// Whether [`Self::with_hidden_fields`] is another way to the elements.
    pub fn has_hidden_fields(&self) -> bool {
        !matches!(self.source, Source::Scattered(_))
    }

    /// Where a walk has to start to find this element first.
    pub fn position(&self, element: &Element) -> Option<u64> {
        let array = match &self.source {
            Source::Hash { entries, .. } => entries,
            _ if element.is_keyed => return None,
            source => {
                let index: i64 = element.name.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
                let first = if let Source::Array(array) = source { array.first } else { 0 };
                return u64::try_from(index - first).ok();
            }
        };
        let slot = element.load_path.strip_prefix(&array.path)?.strip_prefix('[')?;
        slot.split(']').next()?.parse().ok()
    }

    /// The same, opened so that objects list the compiler's fields too, where the adapter can do that.
    pub async fn with_hidden_fields(self, reader: &Reader) -> Self {
        let source = match self.source {
            Source::Scattered(opened) => Source::Scattered(opened),
            Source::Array(array) => Source::Array(array.with_hidden_fields(reader).await),
            Source::Ring { array, head, length } => {
                Source::Ring { array: array.with_hidden_fields(reader).await, head, length }
            }
            Source::Reversed(array) => Source::Reversed(array.with_hidden_fields(reader).await),
            Source::Hash { entries, slots, holes, fields } => {
                Source::Hash { entries: entries.with_hidden_fields(reader).await, slots, holes, fields }
            }
            Source::Sorted { keys, values } => Source::Sorted { keys, values: values.with_hidden_fields(reader).await },
        };
        Self { source, ..self }
    }

    /// Elements from `start`, at most `count`.
    pub async fn page(&self, reader: &Reader, start: u64, count: u64) -> Result<Vec<Element>, ReadError> {
        Ok(self.find(reader, start, count, None).await?.elements)
    }

    /// The elements from `start` that are wanted, at most `count`, as far as the reader's time goes. Of a hash table with removed
    /// entries `start` counts these too, so that a walk can go on where another ended.
    pub async fn find(
        &self,
        reader: &Reader,
        start: u64,
        count: u64,
        wanted: Option<Wanted<'_>>,
    ) -> Result<Found, ReadError> {
        let end = match &self.source {
            Source::Hash { slots, .. } => *slots,
            _ => self.count,
        };
        let mut found = Found::default();
        let mut at = start.min(end);
        let mut longest = match self.source {
            Source::Scattered(_) => STEP_OF_NODES,
            _ => STEP,
        };
        'walk: while at < end && (found.elements.len() as u64) < count && !reader.budget.is_spent() {
            let missing = count - found.elements.len() as u64;
            let most = if wanted.is_some() { longest } else { missing.min(longest) };
            let began = Instant::now();
            let first = at;
            let step = match self.step(reader, at, most.min(end - at), wanted.is_some()).await {
                Ok(step) if !step.is_empty() => step,
                // what was found before the time was over is an answer
                Err(error) if !reader.budget.is_spent() => return Err(error),
                _ => break,
            };
            let is_whole = match self.source {
                Source::Hash { .. } => false,
                Source::Scattered(_) => true,
                _ => reader.quirks.paging,
            };
            let step = match wanted {
                Some(_) => with_names(reader, whole_texts(reader, self, at, step).await).await,
                None => step,
            };
            let is_short = is_whole && (step.len() as u64) < most.min(end - at);
            for (slot, element) in step {
                if let Some(element) = element {
                    found.looked += 1;
                    if wanted.is_none_or(|wanted| wanted(&element)) {
                        match complete(reader, element).await {
                            Ok(mut element) => {
                                element.value = element.value.declared_as(&self.type_name);
                                found.elements.push(element);
                            }
                            Err(error) if !reader.budget.is_spent() => return Err(error),
                            Err(_) => break 'walk,
                        }
                    }
                }
                at = slot + 1;
                if found.elements.len() as u64 == count {
                    break;
                }
            }
            longest = longest.max((longest * 2).min(LONGEST_STEP)).min(reader.budget.room(at - first, began.elapsed()));
            // it has no more, whatever its count says
            if is_short && !matches!(self.source, Source::Ring { .. } | Source::Reversed(_)) {
                break;
            }
        }
        // behind the last element of a hash there may be slots that are free
        let has_all = start == 0 && found.looked >= self.count;
        found.next = (at < end && !has_all).then_some(at);
        Ok(found)
    }

    /// The next slots with what is in them; not more than were asked for. `few`: only few of them will be shown.
    async fn step(
        &self,
        reader: &Reader,
        at: u64,
        most: u64,
        few: bool,
    ) -> Result<Vec<(u64, Option<Element>)>, ReadError> {
        let numbered = |elements: Vec<Element>| {
            let named =
                |(index, element): (u64, Element)| (index, Some(Element { name: format!("[{index}]"), ..element }));
            (at..).zip(elements).map(named).collect()
        };
        match &self.source {
            Source::Array(array) => {
                let elements = array.slice(reader, at, most).await?;
                Ok((at..).zip(elements.into_iter().map(Some)).collect())
            }
            Source::Ring { array, head, length } => {
                let first = (head + at) % length;
                Ok(numbered(array.slice(reader, first, most.min(length - first)).await?))
            }
            Source::Reversed(array) => {
                let count = most.min(UNPAGED);
                let (above, below) = (self.count - at, self.count - at - count);
                let mut elements = Vec::new();
                while below + (elements.len() as u64) < above {
                    let from = below + elements.len() as u64;
                    let slice = array.slice(reader, from, above - from).await?;
                    if slice.is_empty() {
                        break;
                    }
                    elements.extend(slice);
                }
                elements.reverse();
                Ok(numbered(elements))
            }
            Source::Scattered(opened) => {
                let elements = opened.page(reader, at, most).await?;
                Ok((at..).zip(elements.into_iter().map(Some)).collect())
            }
            Source::Sorted { keys, values } => {
                let values = values.slice(reader, at, most).await?;
                let keys = keys.slice(reader, at, values.len() as u64).await?;
                let keyed = keys.iter().zip(values).map(|(key, value)| value.keyed(&key.value, &key.load_path));
                Ok((at..).zip(keyed.map(Some)).collect())
            }
            Source::Hash { entries, holes, fields, .. } => {
                if few && reader.capabilities.supports_csharp_expressions {
                    // without System.Linq in the program there is no such query
                    if let Ok(read) = read_keys(reader, &entries.path, (at, most), *holes, *fields).await {
                        return Ok(read);
                    }
                }
                let most = most.min(STEP_OF_ENTRIES);
                // of an entry that is not shown the key alone is read
                if few && !reader.quirks.listing_is_cheap {
                    let slots = (at..at + most).map(|slot| (slot, format!("{}[{slot}]", entries.path), None)).collect();
                    return read_entries(reader, slots, *holes, *fields).await;
                }
                let listed = entries.slice(reader, at, most).await?;
                let slots =
                    (at..).zip(listed).map(|(slot, entry)| (slot, entry.load_path, Some(entry.value.reference)));
                read_entries(reader, slots.collect(), *holes, *fields).await
            }
        }
    }
}

/// Elements of an array that are looked through, each string with all of its text. Keys of a hash table are looked through as they
/// are shown: to ask for all of them takes longer than to read them.
async fn whole_texts(
    reader: &Reader,
    elements: &Elements,
    from: u64,
    step: Vec<(u64, Option<Element>)>,
) -> Vec<(u64, Option<Element>)> {
    let Some(array) = elements.array_path() else { return step };
    let (slots, page): (Vec<u64>, Vec<Element>) =
        step.into_iter().filter_map(|(slot, element)| Some((slot, element?))).unzip();
    let page = text::completed_page(reader, Some((array, from)), page).await;
    slots.into_iter().zip(page.into_iter().map(Some)).collect()
}

async fn with_names(reader: &Reader, step: Vec<(u64, Option<Element>)>) -> Vec<(u64, Option<Element>)> {
    if step.iter().flat_map(|(_, element)| element).all(|element| element.is_keyed || element.key.is_none()) {
        return step;
    }
    let (slots, page): (Vec<u64>, Vec<Element>) =
        step.into_iter().filter_map(|(slot, element)| Some((slot, element?))).unzip();
    slots.into_iter().zip(named(reader, page).await.into_iter().map(Some)).collect()
}

/// An element of which only the key was read so far.
async fn complete(reader: &Reader, element: Element) -> Result<Element, ReadError> {
    if element.value != RawValue::default() {
        return Ok(element);
    }
    Ok(Element { value: reader.evaluate(&element.load_path, Access::Load).await?, ..element })
}

fn backing(held: RawValue, path: &str, field: &str) -> Backing {
    Backing::new(held.reference, join(path, field), 1)
}

/// A count or an index that a collection at `path` keeps.
fn integer(path: &str, read: Result<RawValue, ReadError>) -> Result<u64, ReadError> {
    let read = read?;
    read.value.parse().map_err(|_| ReadError::Refused(format!("{path} has the invalid count {}", read.value)))
}

/// Each under its key, those with keys of several members too: `[(1, 2)]`, `[Key {Id=1}]`.
pub async fn named(reader: &Reader, page: Vec<Element>) -> Vec<Element> {
    let names = page.iter().map(|element| async move {
        let (key, path) = element.key.as_ref().filter(|_| !element.is_keyed)?;
        Some(format!("[{}]", Box::pin(preview::key(reader, key, path)).await))
    });
    let names: Vec<Option<String>> = stream::iter(names.collect::<Vec<_>>()).buffered(AT_ONCE).collect().await;
    let named = page.into_iter().zip(names).map(|(element, name)| match name {
        Some(name) => Element { name, is_keyed: true, ..element },
        None => element,
    });
    named.collect()
}
