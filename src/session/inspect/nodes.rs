//! Elements that hang in nodes, of lists and of trees. Walked by fields, one node after the other, no further than a page needs.
//!
//! Walks are remembered while the program stands, so that a page or a search goes on where the last one ended; and one that the
//! time cuts short answers what it has. The race to remember: whoever sets a value makes all of them wrong.

use super::access::ReadError;
use super::element::Element;
use super::field_values::{Field, Fields, Spec};
use super::fields;
use super::layouts::{Items, Layout, Links};
use super::literal::Raw;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::walks::{At, Item, SharedWalk, Walked};
use crate::session::expression::join;

/// Nodes that are walked to count what keeps no count, in a stop report and where values were asked for.
const COUNTED: [u64; 2] = [25, 1_000];

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
