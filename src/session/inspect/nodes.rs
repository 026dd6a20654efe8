//! Elements that hang in nodes, of lists and of trees. Walked by fields, one node after the other, no further than a page needs.
//!
//! Walks are remembered while the program stands, so that a page or a search goes on where the last one ended; and one that the
//! time cuts short answers what it has. The race to remember: whoever sets a value makes all of them wrong.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use tokio::sync::Mutex;

use super::access::ReadError;
use super::element::Element;
use super::fields::{self, Field, Fields, Spec};
use super::literal::Raw;
use super::raw_value::RawValue;
use super::reader::Reader;
use crate::session::expression::join;

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
    walked: SharedWalk,
}

/// A node, and where it is.
pub type At = (RawValue, String);

/// The walks of one stop, by frame and path.
#[derive(Debug, Clone, Default)]
pub struct Walks(Arc<std::sync::Mutex<HashMap<(i64, String), SharedWalk>>>);

type SharedWalk = Arc<Mutex<Walked>>;

impl Walks {
    fn of(&self, frame: i64, path: &str) -> SharedWalk {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry((frame, path.to_owned())).or_default().clone()
    }

    /// A value was set, or code ran that may have set some.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// How far a walk is.
#[derive(Debug, Default)]
struct Walked {
    /// Nodes that hold something, in the order of their elements.
    nodes: Vec<At>,
    /// What the first of them hold, and how many of them that is.
    items: Vec<Item>,
    taken: usize,
    branch: Branch,
}

/// Where a tree is walked on, from the left.
#[derive(Debug, Default)]
struct Branch {
    begun: bool,
    /// Nodes to the left of which all is walked, each with what is to the right.
    waiting: Vec<(At, Option<At>)>,
    down: Option<At>,
}

impl Walk {
    /// Opens `value` at `path`.
    pub async fn open(
        reader: &Reader,
        layout: &'static Layout,
        value: &RawValue,
        path: &str,
    ) -> Result<Self, ReadError> {
        let refused = |what: &str| ReadError::Refused(format!("{} of {path} cannot be read", what.replace("()", "")));
        let is_read_by_getters = matches!(layout.links, Links::Tree(left, _) if left.ends_with("()"));
        let mut root = match layout.root {
            "" => Some((value.clone(), path.to_owned())),
            root => {
                let read = fields::read(reader, value, path, &[root]).await;
                let field = read.get(0).ok_or_else(|| refused(root))?;
                (!read.is_null(0)).then(|| (field.value.clone(), field.path.clone()))
            }
        };
        // so that its nodes list the fields behind their getters, where the adapter has to be asked for that
        if let Some((opened, path)) = root.as_mut().filter(|_| is_read_by_getters && reader.has_hidden_fields())
            && let Ok(hidden) = reader.open(path).await
        {
            *opened = hidden;
        }
        let mut walk = Self { layout, root, count: 0, counted: true, walked: reader.walks.of(reader.frame_id, path) };
        match layout.count {
            _ if walk.root.is_none() => {}
            Some(count) => {
                let read = fields::read(reader, value, path, &[count]).await;
                walk.count =
                    read.integer(0).and_then(|count| u64::try_from(count).ok()).ok_or_else(|| refused(count))?;
            }
            None => {
                let most = COUNTED.get(usize::from(reader.asked)).copied().unwrap_or_default();
                let mut walked = walk.walked.lock().await;
                walk.walk(reader, most, &mut walked).await?;
                walk.count = (walked.nodes.len() as u64).min(most);
                drop(walked);
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
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let wanted = size(start.saturating_add(count));
        let mut walked = self.walked.lock().await;
        let ended = self.walk(reader, start.saturating_add(count), &mut walked).await;
        let ended = match ended {
            Ok(()) => self.take(reader, wanted, &mut walked).await,
            error => error,
        };
        let page: Vec<Element> = walked
            .items
            .iter()
            .cloned()
            .enumerate()
            .skip(size(start))
            .take(size(count))
            .map(|(at, item)| item.named(at))
            .collect();
        // what was found before the time was over is an answer
        if reader.budget.is_spent() { Ok(page) } else { ended.map(|()| page) }
    }

    /// Until `wanted` elements are known: a node holds one or more, so those before the page may hold all of it.
    async fn take(&self, reader: &Reader, wanted: usize, walked: &mut Walked) -> Result<(), ReadError> {
        while walked.items.len() < wanted
            && let Some((node, path)) = walked.nodes.get(walked.taken).cloned()
        {
            // all of a node or nothing: a call may end in the midst
            let mut items = Vec::new();
            self.items(reader, &node, &path, &mut items).await?;
            walked.items.append(&mut items);
            walked.taken += 1;
        }
        Ok(())
    }

    /// Until `most` nodes are known that hold something.
    async fn walk(&self, reader: &Reader, most: u64, walked: &mut Walked) -> Result<(), ReadError> {
        let Some(root) = self.root.clone() else { return Ok(()) };
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        match self.layout.links {
            Links::Chain(next) if walked.nodes.len() < most => {
                walked.nodes = chain(reader, root, next, most, self.layout.count.map(|_| self.count)).await?;
            }
            Links::Sentinel(next) if walked.nodes.len() < most => {
                let mut nodes = chain(reader, root, next, most.saturating_add(1), None).await?;
                if nodes.len() <= most {
                    nodes.pop();
                }
                nodes.truncate(most);
                walked.nodes = nodes;
            }
            Links::Chain(_) | Links::Sentinel(_) => {}
            Links::Tree(left, right) => return in_order(reader, root, [left, right], false, most, walked).await,
            Links::EmptyLeaves(left, right) => return in_order(reader, root, [left, right], true, most, walked).await,
        }
        Ok(())
    }

    async fn items(&self, reader: &Reader, node: &RawValue, path: &str, into: &mut Vec<Item>) -> Result<(), ReadError> {
        let missing = || ReadError::Refused(format!("{path} cannot be read"));
        let take = |read: &Fields, at: usize| read.get(at).cloned().ok_or_else(missing);
        match self.layout.items {
            Items::Value(value) => {
                let read = fields::read_node(reader, node, path, &[value]).await;
                into.push(Item { key: None, value: take(&read, 0)? });
            }
            Items::Entry(key, value) => {
                let read = fields::read_node(reader, node, path, &[key, value]).await;
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
#[derive(Debug, Clone)]
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

/// On from where it is to `most` nodes; `empty_leaves`: a node without height holds nothing and ends the branch.
async fn in_order(
    reader: &Reader,
    root: At,
    links: [Spec; 2],
    empty_leaves: bool,
    most: usize,
    walked: &mut Walked,
) -> Result<(), ReadError> {
    let Walked { nodes, branch, .. } = walked;
    if !std::mem::replace(&mut branch.begun, true) {
        branch.down = Some(root);
    }
    while nodes.len() < most {
        while let Some((node, path)) = branch.down.clone() {
            let ends = match empty_leaves {
                true => branches(reader, &node, &path, links).await?,
                false => {
                    let mut ends = link(reader, &node, &path, &links).await?.into_iter();
                    Some((ends.next().flatten(), ends.next().flatten()))
                }
            };
            // only now: a walk that fails here can be tried again
            branch.down = None;
            if let Some((left, right)) = ends {
                branch.down = left;
                branch.waiting.push(((node, path), right));
            }
        }
        let Some((node, right)) = branch.waiting.pop() else { break };
        nodes.push(node);
        branch.down = right;
    }
    Ok(())
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
    let read = fields::read_node(reader, node, path, links).await;
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
            let mut walked = Walked::default();
            in_order(reader, root, ["_left", "_right"], true, usize::MAX, &mut walked).await?;
            Ok(walked.nodes)
        }
    }
}
