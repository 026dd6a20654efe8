//! Where collections of the framework keep their elements: in nodes, in parts of arrays, in buckets.

use super::field_values::Spec;

/// Where such a collection keeps its elements (.NET 8 and 10).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scattered {
    Nodes(&'static Layout),
    /// Part of an array, or arrays side by side.
    Arrays(Arrays),
    /// ConcurrentDictionary.
    Buckets,
    /// ConcurrentQueue.
    Queue,
    /// ConcurrentBag.
    Bag,
    /// ImmutableQueue: a stack to take from and one to put on.
    TwoStacks,
    /// Hashtable.
    Table,
    /// BitArray.
    Bits,
    /// Span: only its first element has a name.
    Span,
    /// A struct with `[InlineArray]`: its field is the first of so many elements.
    InlineArray {
        first: String,
        /// What the elements are declared as.
        type_name: String,
        count: u64,
    },
}

/// `keys`: where elements are addressed by key. Without `size` the array is full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrays {
    pub keys: Option<Spec>,
    pub items: Spec,
    pub start: Option<Spec>,
    pub size: Option<Spec>,
}

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
/// Of an exception's `Data`.
pub static LIST_DICTIONARY: Layout =
    Layout { root: "head", links: Links::Chain("next"), items: Items::Entry("key", "value"), count: Some("count") };
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
