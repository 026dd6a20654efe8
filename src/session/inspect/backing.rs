//! The array that holds a collection's elements, read in slices by what the adapter does fastest.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures::stream::{self, StreamExt};

use super::access::{Access, ReadError};
use super::element::Element;
use super::raw_value::RawValue;
use super::reader::Reader;

/// Requests on their way at once: enough to keep an adapter busy, few enough to be over soon when the time is.
pub const AT_ONCE: usize = 16;

/// Pages that are walked through to get at one.
const FAR: u64 = 400;

/// The child that stands for all that one answer of an adapter without paging does not bring.
const MORE: &str = "[More]";

/// An array of the program.
#[derive(Debug, Clone)]
pub struct Backing {
    pub path: String,
    pub rank: usize,
    /// The index of its first element; of an array of one dimension.
    pub first: i64,
    /// Where listings begin: position of the first element -> reference. Adapters without paging chain them by `[More]`.
    known: Arc<Mutex<BTreeMap<u64, i64>>>,
}

impl Backing {
    pub fn new(reference: i64, path: String, rank: usize) -> Self {
        Self { path, rank, first: 0, known: Arc::new(Mutex::new(BTreeMap::from([(0, reference)]))) }
    }

    /// The array that a value is, read at `path`.
    pub fn of(value: &RawValue, path: &str, dimensions: &[u64]) -> Self {
        let first = value.first_indices().first().copied().unwrap_or_default();
        Self { first, ..Self::new(value.reference, path.to_owned(), dimensions.len()) }
    }

    /// Opened so that its objects list the compiler's fields too, where the adapter can do that.
    pub async fn with_hidden_fields(self, reader: &Reader) -> Self {
        if reader.quirks.hidden_fields_suffix.is_none() {
            return self;
        }
        match reader.open(&self.path).await {
            Ok(opened) if opened.reference != 0 => {
                Self { first: self.first, ..Self::new(opened.reference, self.path, self.rank) }
            }
            _ => self,
        }
    }

    /// The elements from `start`, at most `count`; fewer when the adapter gives fewer at once.
    pub async fn slice(&self, reader: &Reader, start: u64, count: u64) -> Result<Vec<Element>, ReadError> {
        if reader.quirks.paging {
            return self.listed(reader, self.nearest(0).1, Some((start, count)), 0).await;
        }
        loop {
            let (from, reference) = self.nearest(start);
            let page = reader.quirks.page.unwrap_or(usize::MAX) as u64;
            // a page is read in a fifth of the time of an evaluation (dncdbg, 2026-11-22), but a long way there takes all the time
            if self.rank == 1 && (start - from) / page > count.saturating_mul(5).min(FAR) {
                return self.one_by_one(reader, start, count).await;
            }
            let elements = self.listed(reader, reference, None, from).await?;
            let end = from + elements.len() as u64;
            if start < end || elements.is_empty() || self.nearest(start).0 == from {
                let skipped = usize::try_from(start - from).unwrap_or(usize::MAX);
                return Ok(elements
                    .into_iter()
                    .skip(skipped)
                    .take(usize::try_from(count).unwrap_or(usize::MAX))
                    .collect());
            }
        }
    }

    /// The first elements, `count` of them where there are so many, as far as the reader's time goes.
    pub async fn first(&self, reader: &Reader, count: u64) -> Result<Vec<Element>, ReadError> {
        self.range(reader, 0, count).await
    }

    /// `count` elements from `start`, as far as the reader's time goes.
    pub async fn range(&self, reader: &Reader, start: u64, count: u64) -> Result<Vec<Element>, ReadError> {
        let mut elements = Vec::new();
        while (elements.len() as u64) < count && !reader.budget.is_spent() {
            let read = elements.len() as u64;
            match self.slice(reader, start.saturating_add(read), count - read).await {
                Ok(slice) if !slice.is_empty() => elements.extend(slice),
                Err(error) if !reader.budget.is_spent() => return Err(error),
                _ => break,
            }
            if reader.quirks.paging {
                // that was all of it, or all there is
                break;
            }
        }
        Ok(elements)
    }

    /// The listing that begins last before a position.
    fn nearest(&self, position: u64) -> (u64, i64) {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.range(..=position).next_back().map_or((0, 0), |(at, reference)| (*at, *reference))
    }

    async fn listed(
        &self,
        reader: &Reader,
        reference: i64,
        range: Option<(u64, u64)>,
        from: u64,
    ) -> Result<Vec<Element>, ReadError> {
        let children = reader.children(reference, range).await?;
        let mut elements = Vec::with_capacity(children.len());
        let mut more = None;
        for value in children {
            if value.name == MORE {
                more = Some(value.reference);
            } else if value.name.starts_with('[') {
                let load_path = format!("{}{}", self.path, value.name);
                elements.push(Element { name: value.name.clone(), is_keyed: false, value, load_path, key: None });
            }
        }
        if let Some(more) = more {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(from + elements.len() as u64, more);
        }
        Ok(elements)
    }

    async fn one_by_one(&self, reader: &Reader, start: u64, count: u64) -> Result<Vec<Element>, ReadError> {
        let reads = (start..start.saturating_add(count)).map(|at| async move {
            let name = format!("[{}]", i128::from(at) + i128::from(self.first));
            let load_path = format!("{}{name}", self.path);
            let value = reader.evaluate(&load_path, Access::Load).await?;
            Ok(Element { name, is_keyed: false, value, load_path, key: None })
        });
        let mut reads = stream::iter(reads.collect::<Vec<_>>()).buffered(AT_ONCE);
        let mut elements = Vec::new();
        while let Some(read) = reads.next().await {
            match read {
                Ok(element) => elements.push(element),
                Err(_) if !elements.is_empty() && reader.budget.is_spent() => break,
                Err(error) => return Err(error),
            }
        }
        Ok(elements)
    }
}
