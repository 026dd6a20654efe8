//! Elements of arrays and framework collections, read from the fields that hold them: no enumerator or indexer runs.

use futures::future::join_all;

use super::literal;
use super::reader::{Access, RawValue, ReadError, Reader, join};
use super::scattered::Opened;
use super::shape::Collection;

/// Elements that one request of an adapter without paging brings (dncdbg: the first 25 and a `[More]`).
pub const UNPAGED: u64 = 25;

/// One element, under the name that addresses it.
#[derive(Debug, Clone)]
pub struct Element {
    /// `[0]`, `[0, 1]`, `["ada"]`.
    pub name: String,
    /// The name is a key, not a position.
    pub is_keyed: bool,
    pub value: RawValue,
    /// A path that only loads (`names._items[0]`); the public one is parent + name.
    pub load_path: String,
}

/// The array or collection behind a value, ready to be paged.
#[derive(Debug, Clone)]
pub struct Elements {
    pub count: u64,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Array {
        reference: i64,
        path: String,
        rank: usize,
    },
    /// Indices into an array: head, length, step.
    Ring {
        path: String,
        head: u64,
        length: u64,
    },
    Reversed {
        path: String,
    },
    Hash {
        reference: i64,
        path: String,
        slots: u64,
        holes: bool,
        key: &'static str,
        value: Option<&'static str>,
        next: &'static str,
    },
    Sorted {
        path: String,
    },
    Scattered(Box<Opened>),
}

impl Elements {
    /// Whether a page is one request.
    pub fn is_array(&self) -> bool {
        matches!(self.source, Source::Array { .. })
    }

    /// Whether `count` is all elements. What keeps no count is counted only so far.
    pub fn counted(&self) -> bool {
        match &self.source {
            Source::Scattered(opened) => opened.counted(),
            _ => true,
        }
    }

    /// An array whose `variables` are its elements.
    pub fn of_array(value: &RawValue, path: &str, dimensions: &[u64]) -> Self {
        Self {
            count: dimensions.iter().product(),
            source: Source::Array { reference: value.reference, path: path.to_owned(), rank: dimensions.len() },
        }
    }

    /// Opens a collection of the framework.
    pub async fn of_collection(
        reader: &Reader,
        collection: &Collection,
        value: &RawValue,
        path: &str,
    ) -> Result<Self, ReadError> {
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
            collection = match reader.modules.shape(&holder.type_name).form.clone() {
                super::shape::Form::Collection(Collection::Hash { next, .. }) if view.is_some() => {
                    Collection::Hash { key: view.unwrap_or_default(), value: None, next }
                }
                super::shape::Form::Collection(inner) if view.is_none() => inner,
                _ => return Err(ReadError::Refused(format!("{path} is no collection that can be read"))),
            };
        }
        match collection {
            Collection::List { items, size } => {
                let [count, held] = reader.fields(&holder, &path, [size, items]).await;
                let source = Source::Array { reference: held?.reference, path: join(&path, items), rank: 1 };
                Ok(Self { count: integer(&path, count)?, source })
            }
            Collection::Hash { key, value, next } => {
                let [slots, free, held] = reader.fields(&holder, &path, ["_count", "_freeCount", "_entries"]).await;
                let (slots, free) = (integer(&path, slots)?, integer(&path, free)?);
                Ok(Self {
                    count: slots.saturating_sub(free),
                    source: Source::Hash {
                        reference: held?.reference,
                        path: join(&path, "_entries"),
                        slots,
                        holes: free > 0,
                        key,
                        value,
                        next,
                    },
                })
            }
            Collection::Queue => {
                let [size, head, held] = reader.fields(&holder, &path, ["_size", "_head", "_array"]).await;
                let (size, head) = (integer(&path, size)?, integer(&path, head)?);
                let length = match held?.parsed() {
                    literal::Raw::Array(dimensions) => dimensions.iter().product(),
                    _ => size,
                };
                let path = join(&path, "_array");
                Ok(Self { count: size, source: Source::Ring { path, head, length: length.max(1) } })
            }
            Collection::Stack => {
                let [size] = reader.fields(&holder, &path, ["_size"]).await;
                Ok(Self { count: integer(&path, size)?, source: Source::Reversed { path: join(&path, "_array") } })
            }
            Collection::SortedList => {
                let [size] = reader.fields(&holder, &path, ["_size"]).await;
                Ok(Self { count: integer(&path, size)?, source: Source::Sorted { path } })
            }
            Collection::Scattered(scattered) => {
                let opened = Opened::open(reader, &scattered, &holder, &path).await?;
                Ok(Self { count: opened.count, source: Source::Scattered(Box::new(opened)) })
            }
            Collection::Wraps(_) | Collection::Views { .. } => {
                Err(ReadError::Refused(format!("{path} is wrapped too deeply")))
            }
        }
    }

    /// Elements from `start`, at most `count`.
    pub async fn page(&self, reader: &Reader, start: u64, count: u64) -> Result<Vec<Element>, ReadError> {
        let count = count.min(self.count.saturating_sub(start));
        if count == 0 {
            return Ok(Vec::new());
        }
        match &self.source {
            Source::Array { reference, path, rank } => array_page(reader, *reference, path, *rank, start, count).await,
            Source::Ring { path, head, length } => {
                indexed(reader, path, (start..start + count).map(|i| (i, (head + i) % length))).await
            }
            Source::Reversed { path } => {
                indexed(reader, path, (start..start + count).map(|i| (i, self.count - 1 - i))).await
            }
            Source::Hash { reference, path, slots, holes, key, value, next } => {
                let fields = HashFields { key, value: *value, next };
                hash_page(reader, *reference, path, *slots, *holes, &fields, start, count).await
            }
            Source::Scattered(opened) => opened.page(reader, start, count).await,
            Source::Sorted { path } => {
                let keys = indexed(reader, &join(path, "keys"), (start..start + count).map(|i| (i, i))).await?;
                let values = indexed(reader, &join(path, "values"), (start..start + count).map(|i| (i, i))).await?;
                Ok(keys.iter().zip(values).map(|(key, value)| value.keyed(&key.value)).collect())
            }
        }
    }
}

/// A count or an index that a collection at `path` keeps.
fn integer(path: &str, read: Result<RawValue, ReadError>) -> Result<u64, ReadError> {
    let read = read?;
    read.value.parse().map_err(|_| ReadError::Refused(format!("{path} keeps {} for a count", read.value)))
}

async fn array_page(
    reader: &Reader,
    reference: i64,
    path: &str,
    rank: usize,
    start: u64,
    count: u64,
) -> Result<Vec<Element>, ReadError> {
    if !reader.quirks.paging && start + count > UNPAGED && rank == 1 {
        return indexed(reader, path, (start..start + count).map(|i| (i, i))).await;
    }
    let skip = if reader.quirks.paging { 0 } else { usize::try_from(start).unwrap_or(usize::MAX) };
    let children = reader.children(reference, Some((start, count))).await?;
    Ok(children
        .into_iter()
        .filter(|child| child.name.starts_with('[') && child.name != "[More]")
        .skip(skip)
        .take(usize::try_from(count).unwrap_or(usize::MAX))
        .map(|value| Element {
            name: value.name.clone(),
            is_keyed: false,
            load_path: format!("{path}{}", value.name),
            value,
        })
        .collect())
}

/// Elements one by one: (shown index, index in the array).
async fn indexed(
    reader: &Reader,
    path: &str,
    indices: impl Iterator<Item = (u64, u64)>,
) -> Result<Vec<Element>, ReadError> {
    let reads = indices.map(|(shown, at)| async move {
        let load_path = format!("{path}[{at}]");
        let value = reader.evaluate(&load_path, Access::Load).await?;
        Ok(Element::at(shown, value, load_path))
    });
    join_all(reads).await.into_iter().collect()
}

struct HashFields {
    key: &'static str,
    value: Option<&'static str>,
    next: &'static str,
}

#[expect(clippy::too_many_arguments, reason = "the fields of one variant of Source")]
async fn hash_page(
    reader: &Reader,
    reference: i64,
    path: &str,
    slots: u64,
    holes: bool,
    fields: &HashFields,
    start: u64,
    count: u64,
) -> Result<Vec<Element>, ReadError> {
    // without removed entries the slots are the elements; else all slots before have to be looked at
    let (from, slots) = if holes { (0, slots) } else { (start, count) };
    let entries = array_page(reader, reference, path, 1, from, slots).await?;
    let reads = entries.into_iter().map(|entry| async move {
        let children = reader.children(entry.value.reference, None).await?;
        Ok::<_, ReadError>((entry, children))
    });
    let mut live = Vec::new();
    for read in join_all(reads).await {
        let (entry, children) = read?;
        let field = |name: &str| children.iter().find(|child| child.name == name);
        let alive = field(fields.next).and_then(|next| next.value.parse::<i64>().ok()).is_none_or(|next| next >= -1);
        if !alive {
            continue;
        }
        let shown = field(fields.value.unwrap_or(fields.key)).cloned().unwrap_or_default();
        live.push((entry, field(fields.key).cloned(), shown));
    }
    let skip = if holes { usize::try_from(start).unwrap_or(usize::MAX) } else { 0 };
    let first = if holes { start } else { from };
    Ok(live
        .into_iter()
        .skip(skip)
        .take(usize::try_from(count).unwrap_or(usize::MAX))
        .enumerate()
        .map(|(at, (entry, key, value))| {
            let load_path = join(&entry.load_path, fields.value.unwrap_or(fields.key));
            let element = Element::at(first + at as u64, value, load_path);
            match (&key, fields.value) {
                (Some(key), Some(_)) => element.keyed(key),
                _ => element,
            }
        })
        .collect())
}

impl Element {
    /// The element with this position.
    pub fn at(position: u64, value: RawValue, load_path: String) -> Self {
        Self { name: format!("[{position}]"), is_keyed: false, value, load_path }
    }

    /// Under its key, `["ada"]`, where that is a plain literal; else it keeps its position.
    pub fn keyed(mut self, key: &RawValue) -> Self {
        let literal = literal::plain("", &key.type_name, &key.value, literal::SHORT).map(|key| key.content);
        if let Some(crate::session::report::Content::Value(literal)) = literal {
            self.name = format!("[{literal}]");
            self.is_keyed = true;
        }
        self
    }
}
