//! Elements that hang in nodes, of lists and of trees. Walked by fields, one node after the other, no further than a page needs.

use super::collections::Element;
use super::fields::{self, Field, Fields, Spec};
use super::literal::Raw;
use super::raw_value::RawValue;
use super::reader::{ReadError, Reader, join};

/// Nodes that are walked to count what keeps no count, in a stop report and where values were asked for.
const COUNTED: [u64; 2] = [25, 1_000];

/// How a collection of the framework hangs together (.NET 8 and 10).
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// From the collection to the first node.
    pub root: Spec,
    pub links: Links,
    pub items: Items,
    /// From the collection to its count; none: it keeps none.
    pub count: Option<Spec>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Ends at null, or at the node that it began with.
    Chain(Spec),
    /// As a chain, but the last node holds nothing: its link is null.
    Sentinel(Spec),
    /// Left, right; ends at null.
    Tree(Spec, Spec),
    /// Left, right; ends at a node without height.
    EmptyLeaves(Spec, Spec),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Items {
    Value(Spec),
    /// Key, value.
    Entry(Spec, Spec),
    /// The node itself, under its key.
    Keyed(Spec),
    /// A value, and a tree of those with the same hash.
    Bucket(Spec, Spec),
    /// Key, value of the first; and a tree of pairs with the same hash.
    EntryBucket(Spec, Spec, Spec),
}

const IMMUTABLE: Links = Links::EmptyLeaves("_left", "_right");
const SORTED: Links = Links::Tree("Left()", "Right()");

pub static LINKED_LIST: Layout =
    Layout { root: "head", links: Links::Chain("next"), items: Items::Value("item"), count: Some("count") };
pub static CONCURRENT_STACK: Layout =
    Layout { root: "_head", links: Links::Chain("_next"), items: Items::Value("_value"), count: None };
pub static SORTED_SET: Layout =
    Layout { root: "root", links: SORTED, items: Items::Value("Item()"), count: Some("count") };
pub static SORTED_DICTIONARY: Layout = Layout {
    root: "_set.root",
    links: SORTED,
    items: Items::Entry("Item().key", "Item().value"),
    count: Some("_set.count"),
};
pub static IMMUTABLE_LIST: Layout =
    Layout { root: "_root", links: IMMUTABLE, items: Items::Value("_key"), count: Some("_root._count") };
pub static IMMUTABLE_SORTED_DICTIONARY: Layout =
    Layout { root: "_root", links: IMMUTABLE, items: Items::Entry("_key", "_value"), count: Some("_count") };
pub static IMMUTABLE_HASH_SET: Layout = Layout {
    root: "_root",
    links: IMMUTABLE,
    items: Items::Bucket("_value._firstValue", "_value._additionalElements"),
    count: Some("_count"),
};
pub static IMMUTABLE_DICTIONARY: Layout = Layout {
    root: "_root",
    links: IMMUTABLE,
    items: Items::EntryBucket("_value._firstValue.key", "_value._firstValue.value", "_value._additionalElements"),
    count: Some("_count"),
};
pub static IMMUTABLE_STACK: Layout =
    Layout { root: "", links: Links::Sentinel("_tail"), items: Items::Value("_head"), count: None };

pub static LOOKUP: Layout = Layout {
    root: "_lastGrouping._next",
    links: Links::Chain("_next"),
    items: Items::Keyed("_key"),
    count: Some("_count"),
};

/// A collection opened: its first node, and how many elements it has.
#[derive(Debug, Clone)]
pub struct Walk {
    layout: &'static Layout,
    root: Option<(RawValue, String)>,
    pub count: u64,
    /// Whether `count` is all, not only as far as was walked.
    pub counted: bool,
}

/// A node, and where it is.
pub type At = (RawValue, String);

impl Walk {
    /// Opens `value` at `path`.
    pub async fn open(
        reader: &Reader,
        layout: &'static Layout,
        value: &RawValue,
        path: &str,
    ) -> Result<Self, ReadError> {
        let refused = |what: &str| ReadError::Refused(format!("{} of {path} cannot be read", what.replace("()", "")));
        let root = match layout.root {
            "" => Some((value.clone(), path.to_owned())),
            root => {
                let read = fields::read(reader, value, path, &[root]).await;
                let field = read.get(0).ok_or_else(|| refused(root))?;
                (!read.is_null(0)).then(|| (field.value.clone(), field.path.clone()))
            }
        };
        let mut walk = Self { layout, root, count: 0, counted: true };
        match layout.count {
            _ if walk.root.is_none() => {}
            Some(count) => {
                let read = fields::read(reader, value, path, &[count]).await;
                walk.count =
                    read.integer(0).and_then(|count| u64::try_from(count).ok()).ok_or_else(|| refused(count))?;
            }
            None => {
                let most = COUNTED.get(usize::from(reader.asked)).copied().unwrap_or_default();
                walk.count = walk.nodes(reader, most).await?.len() as u64;
                walk.counted = walk.count < most;
            }
        }
        Ok(walk)
    }

    /// Whether nodes hold keys and values.
    pub fn is_keyed(&self) -> bool {
        matches!(self.layout.items, Items::Entry(..) | Items::Keyed(_) | Items::EntryBucket(..))
    }

    /// Elements from `start`, at most `count`.
    pub async fn page(&self, reader: &Reader, start: u64, count: u64) -> Result<Vec<Element>, ReadError> {
        let wanted = start.saturating_add(count);
        let nodes = self.nodes(reader, wanted).await?;
        let mut elements = Vec::new();
        // a node holds one element or more: those before the page may hold all of it
        for (node, path) in &nodes {
            if elements.len() as u64 >= wanted {
                break;
            }
            self.items(reader, node, path, &mut elements).await?;
        }
        Ok(elements
            .into_iter()
            .enumerate()
            .skip(usize::try_from(start).unwrap_or(usize::MAX))
            .take(usize::try_from(count).unwrap_or(usize::MAX))
            .map(|(at, item)| item.named(at))
            .collect())
    }

    /// The first nodes that hold something, in the order of their elements.
    async fn nodes(&self, reader: &Reader, most: u64) -> Result<Vec<At>, ReadError> {
        let Some(root) = self.root.clone() else { return Ok(Vec::new()) };
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        match self.layout.links {
            Links::Chain(next) => chain(reader, root, next, most, self.layout.count.map(|_| self.count)).await,
            Links::Sentinel(next) => {
                let mut nodes = chain(reader, root, next, most.saturating_add(1), None).await?;
                if nodes.len() <= most {
                    nodes.pop();
                }
                nodes.truncate(most);
                Ok(nodes)
            }
            Links::Tree(left, right) => in_order(reader, root, [left, right], false, most).await,
            Links::EmptyLeaves(left, right) => in_order(reader, root, [left, right], true, most).await,
        }
    }

    async fn items(&self, reader: &Reader, node: &RawValue, path: &str, into: &mut Vec<Item>) -> Result<(), ReadError> {
        let missing = || ReadError::Refused(format!("{path} cannot be read"));
        let take = |read: &Fields, at: usize| read.get(at).cloned().ok_or_else(missing);
        match self.layout.items {
            Items::Value(value) => {
                let read = fields::read(reader, node, path, &[value]).await;
                into.push(Item { key: None, value: take(&read, 0)? });
            }
            Items::Entry(key, value) => {
                let read = fields::read(reader, node, path, &[key, value]).await;
                into.push(Item { key: Some(take(&read, 0)?), value: take(&read, 1)? });
            }
            Items::Keyed(key) => {
                let read = fields::read(reader, node, path, &[key]).await;
                let value = Field { value: node.clone(), path: path.to_owned(), elements: Vec::new() };
                into.push(Item { key: Some(take(&read, 0)?), value });
            }
            Items::Bucket(value, others) => {
                let read = fields::read(reader, node, path, &[value, others]).await;
                into.push(Item { key: None, value: take(&read, 0)? });
                for (node, path) in same_hash(reader, &read, 1).await? {
                    let read = fields::read(reader, &node, &path, &["_key"]).await;
                    into.push(Item { key: None, value: take(&read, 0)? });
                }
            }
            Items::EntryBucket(key, value, others) => {
                let read = fields::read(reader, node, path, &[key, value, others]).await;
                into.push(Item { key: Some(take(&read, 0)?), value: take(&read, 1)? });
                for (node, path) in same_hash(reader, &read, 2).await? {
                    let read = fields::read(reader, &node, &path, &["_key.key", "_key.value"]).await;
                    into.push(Item { key: Some(take(&read, 0)?), value: take(&read, 1)? });
                }
            }
        }
        Ok(())
    }
}

/// One element, not yet named by its place.
pub struct Item {
    pub key: Option<Field>,
    pub value: Field,
}

impl Item {
    /// Under its key, or its position.
    pub fn named(self, at: usize) -> Element {
        let element = Element::at(at as u64, self.value.value, self.value.path);
        match &self.key {
            Some(key) => element.keyed(&key.value, &key.path),
            None => element,
        }
    }
}

/// `most` nodes of a chain; a ring ends after the `length` that it is said to have.
pub async fn chain(
    reader: &Reader,
    root: At,
    next: Spec,
    most: usize,
    length: Option<u64>,
) -> Result<Vec<At>, ReadError> {
    let most = length.map_or(most, |length| most.min(usize::try_from(length).unwrap_or(usize::MAX)));
    let mut nodes = Vec::new();
    let mut at = Some(root);
    while let Some((node, path)) = at.take().filter(|_| nodes.len() < most) {
        if nodes.len() + 1 < most {
            at = link(reader, &node, &path, &[next]).await?.into_iter().next().flatten();
        }
        nodes.push((node, path));
    }
    Ok(nodes)
}

/// Nodes from the left; `empty_leaves`: a node without height holds nothing and ends the branch.
async fn in_order(
    reader: &Reader,
    root: At,
    links: [Spec; 2],
    empty_leaves: bool,
    most: usize,
) -> Result<Vec<At>, ReadError> {
    let mut nodes = Vec::new();
    let mut waiting: Vec<(At, Option<At>)> = Vec::new();
    let mut down = Some(root);
    while nodes.len() < most {
        while let Some((node, path)) = down.take() {
            let (left, right) = match empty_leaves {
                true => match branches(reader, &node, &path, links).await? {
                    Some(ends) => ends,
                    None => continue,
                },
                false => {
                    let mut ends = link(reader, &node, &path, &links).await?.into_iter();
                    (ends.next().flatten(), ends.next().flatten())
                }
            };
            down = left;
            waiting.push(((node, path), right));
        }
        let Some((node, right)) = waiting.pop() else { break };
        nodes.push(node);
        down = right;
    }
    Ok(nodes)
}

/// Both ends of a node of an immutable tree; `None` for an empty one. Told by the height, as dncdbg displays an empty node by
/// its key, which may be `null`.
async fn branches(
    reader: &Reader,
    node: &RawValue,
    path: &str,
    [left, right]: [Spec; 2],
) -> Result<Option<(Option<At>, Option<At>)>, ReadError> {
    let read = fields::read(reader, node, path, &["_height", left, right]).await;
    let height = read.integer(0).ok_or_else(|| ReadError::Refused(format!("{path} cannot be read")))?;
    let end = |at: usize| read.get(at).map(|field| (field.value.clone(), field.path.clone()));
    Ok(match height {
        0 => None,
        1 => Some((None, None)),
        _ => Some((end(1), end(2))),
    })
}

/// Where links lead; `None` for null.
async fn link(reader: &Reader, node: &RawValue, path: &str, links: &[Spec]) -> Result<Vec<Option<At>>, ReadError> {
    let read = fields::read(reader, node, path, links).await;
    let ends = links.iter().enumerate().map(|(at, link)| match read.get(at) {
        Some(field) if field.value.parsed() == Raw::Null => Ok(None),
        Some(field) => Ok(Some((field.value.clone(), field.path.clone()))),
        None => Err(ReadError::Refused(format!("{} cannot be read", join(path, &link.replace("()", ""))))),
    });
    ends.collect()
}

/// The tree of further elements with one hash, mostly none.
async fn same_hash(reader: &Reader, read: &Fields, at: usize) -> Result<Vec<At>, ReadError> {
    match read.get(at).filter(|_| read.is_set(at)) {
        None => Ok(Vec::new()),
        Some(field) => {
            let root = (field.value.clone(), field.path.clone());
            in_order(reader, root, ["_left", "_right"], true, usize::MAX).await
        }
    }
}
