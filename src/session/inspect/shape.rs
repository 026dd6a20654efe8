//! What metadata says about a type: how its values are shown and which members may be read without running code.

mod known;
mod read;

use super::display::Piece;
use super::layouts::{self, Arrays, Scattered};
use super::wellknown::known::Known;
use super::wellknown::table;
use crate::session::type_names;

pub use known::KnownShapes;

/// Which members one has is decided while the program runs.
pub const EXPANDO: &str = "System.Dynamic.ExpandoObject";

/// One instance member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub kind: MemberKind,
    /// The field that a load reads: its own name, the one a getter loads, `<Name>k__BackingField`. `None` where a getter computes.
    pub field: Option<String>,
    /// The declared type, as C# prints it with namespaces and with the names of the elements of tuples.
    pub declared: String,
    /// A number, bool, char, string, enum or the like: shown first in a preview.
    pub simple: bool,
    /// DebuggerBrowsable(Never).
    pub hidden: bool,
    /// A field that a property of the object shows already.
    pub repeats: bool,
    /// Where a base has something else under its name, the type that declares it, as a cast names it: the object may stand at an expression
    /// of that base's type.
    pub owner: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberKind {
    Field,
    /// A getter that only loads a field.
    Loads,
    /// A getter that runs code.
    Computed,
    /// A parameter of the primary constructor that methods use: a field `<name>P`, which no expression can name.
    Captured,
}

impl Member {
    /// Where it is, of the object at `parent`. A captured parameter of `this` is a variable of the frame.
    pub fn load_path(&self, parent: &str) -> String {
        match self.kind {
            MemberKind::Captured if parent == "this" => self.name.clone(),
            _ => crate::session::expression::member(&self.receiver(parent), &self.name),
        }
    }

    /// The object at `parent` as an expression of a type in which its name means this member.
    pub fn receiver(&self, parent: &str) -> String {
        self.owner.as_ref().map_or_else(|| parent.to_owned(), |owner| cast(owner, parent))
    }
}

/// A member of a base that a type nearer to the object's own has another one of the same name of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shadowed {
    pub member: Member,
    /// The base, as a cast names it.
    pub owner: String,
}

impl Shadowed {
    /// `x (Base)`
    pub fn name(&self) -> String {
        format!("{} ({})", self.member.name, type_names::short(&self.owner))
    }

    /// Where it is, of the object at `parent`.
    pub fn path(&self, parent: &str) -> String {
        crate::session::expression::member(&cast(&self.owner, parent), &self.member.name)
    }
}

fn cast(type_: &str, of: &str) -> String {
    format!("(({type_}){of})")
}

/// How values of a type are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Form {
    /// Type, members.
    Object,
    /// `[a, b]`
    Collection(Collection),
    /// One of the framework's plain values, in C# or ISO form.
    Wellknown(&'static Known),
    /// Fields `prefix` + 1, 2, … 7, and `rest` for more than seven.
    Tuple {
        items: usize,
        prefix: &'static str,
        rest: &'static str,
    },
    Delegate,
    /// What a `System.Dynamic.ExpandoObject` was given.
    Expando,
    /// A type of the framework: nothing of its inside is for people.
    Opaque,
    /// No metadata.
    #[default]
    Unknown,
}

/// Where a framework collection keeps its elements (System.Private.CoreLib and System.Collections, .NET 8 and 10).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Collection {
    /// `items` is an array, `size` its used length.
    List {
        items: &'static str,
        size: &'static str,
    },
    /// Entries with `next` >= -1 are live; `value` only for dictionaries.
    Hash {
        key: &'static str,
        value: Option<&'static str>,
        next: &'static str,
    },
    /// A ring.
    Queue,
    /// Newest first.
    Stack,
    /// Wraps another collection in this field.
    Wraps(&'static str),
    /// Two arrays.
    SortedList,
    /// The keys or values of the dictionary in the field `of`.
    Views {
        of: &'static str,
        part: &'static str,
    },
    /// The elements of one key, of `GroupBy` and `ToLookup`.
    Group,
    Scattered(Scattered),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shape {
    pub form: Form,
    /// Fields first, then properties, each from the most derived type down to its bases.
    pub members: Vec<Member>,
    /// What bases have under the name of a member.
    pub shadowed: Vec<Shadowed>,
    /// Underlying names are reported by the adapter; this only says that it is an enum.
    pub is_enum: bool,
    pub is_exception: bool,
    /// Of an exception: a type of the program's own overrides `Message`, so what `System.Exception` keeps is not what it says.
    pub overrides_message: bool,
    /// Of an exception: what its nearest base in the table of the framework's types shows.
    pub exception: Option<&'static Known>,
    pub is_value_type: bool,
    /// The user's `[DebuggerDisplay]`, where it only loads.
    pub display: Option<Vec<Piece>>,
}

impl Shape {
    /// Every member loads only: listing them runs no code worth the name.
    pub fn all_safe(&self) -> bool {
        !matches!(self.form, Form::Unknown | Form::Opaque | Form::Delegate)
            && self.members.iter().all(|member| member.kind != MemberKind::Computed)
    }

    /// Whether the getter of an exception's message is the one that all have.
    pub fn message_is_inherited(&self) -> bool {
        !self.members.iter().any(|member| member.name == "Message")
    }

    /// The members of a preview in its order: simple properties, simple fields, then the rest.
    pub fn preview(&self) -> Vec<&Member> {
        let mut list: Vec<&Member> = self
            .members
            .iter()
            .filter(|member| member.kind != MemberKind::Computed && !member.hidden && !member.repeats)
            .collect();
        list.sort_by_key(|member| (!member.simple, member.kind == MemberKind::Field));
        list
    }
}

/// The form of a framework type by its full name without arguments (`System.Collections.Generic.Dictionary.KeyCollection`), and
/// its arguments.
pub fn framework_form(definition: &str, arguments: &[String]) -> Option<Form> {
    let argument = match arguments {
        [argument] => Some(argument.as_str()),
        _ => None,
    };
    if let Some(known) = table::find(definition, argument) {
        return Some(Form::Wellknown(known));
    }
    match definition {
        "System.ValueTuple" => Some(Form::Tuple { items: arguments.len(), prefix: "Item", rest: "Rest" }),
        "System.Tuple" => Some(Form::Tuple { items: arguments.len(), prefix: "m_Item", rest: "m_Rest" }),
        EXPANDO => Some(Form::Expando),
        _ => collection(definition).map(Form::Collection),
    }
}

fn collection(definition: &str) -> Option<Collection> {
    const LIST: Collection = Collection::List { items: "_items", size: "_size" };
    let nodes = |layout| Collection::Scattered(Scattered::Nodes(layout));
    let arrays = |arrays| Collection::Scattered(Scattered::Arrays(arrays));
    let slice = |items, start, size| arrays(Arrays { keys: None, items, start: Some(start), size: Some(size) });
    if let Some(name) = definition.strip_prefix("System.Collections.Generic.") {
        return Some(match name {
            "List" => LIST,
            "Dictionary" => Collection::Hash { key: "key", value: Some("value"), next: "next" },
            "Dictionary.KeyCollection" => Collection::Views { of: "_dictionary", part: "key" },
            "Dictionary.ValueCollection" => Collection::Views { of: "_dictionary", part: "value" },
            "HashSet" => Collection::Hash { key: "Value", value: None, next: "Next" },
            "Queue" | "Deque" => Collection::Queue,
            "Stack" => Collection::Stack,
            "SortedList" => Collection::SortedList,
            "SortedSet" => nodes(&layouts::SORTED_SET),
            "SortedDictionary" => nodes(&layouts::SORTED_DICTIONARY),
            "LinkedList" => nodes(&layouts::LINKED_LIST),
            "PriorityQueue" => Collection::List { items: "_nodes", size: "_size" },
            _ => return None,
        });
    }
    if let Some(name) = definition.strip_prefix("System.Collections.Immutable.") {
        return Some(match name {
            "ImmutableArray" => Collection::Wraps("array"),
            "ImmutableArray.Builder" => Collection::List { items: "_elements", size: "_count" },
            "ImmutableList" => nodes(&layouts::IMMUTABLE_LIST),
            "ImmutableSortedSet" => nodes(&layouts::IMMUTABLE_LIST),
            "ImmutableSortedDictionary" => nodes(&layouts::IMMUTABLE_SORTED_DICTIONARY),
            "ImmutableHashSet" => nodes(&layouts::IMMUTABLE_HASH_SET),
            "ImmutableDictionary" => nodes(&layouts::IMMUTABLE_DICTIONARY),
            "ImmutableStack" => nodes(&layouts::IMMUTABLE_STACK),
            "ImmutableQueue" => Collection::Scattered(Scattered::TwoStacks),
            _ => return None,
        });
    }
    Some(match definition {
        "System.Collections.ObjectModel.ReadOnlyCollection" => Collection::Wraps("list"),
        "System.Collections.ObjectModel.Collection" | "System.Collections.ObjectModel.ObservableCollection" => {
            Collection::Wraps("items")
        }
        "System.Collections.ObjectModel.ReadOnlyDictionary" => Collection::Wraps("m_dictionary"),
        "System.Collections.ArrayList" => LIST,
        "System.Collections.SortedList" => Collection::SortedList,
        "System.Collections.Specialized.OrderedDictionary" => Collection::Wraps("_objectsArray"),
        "System.Collections.Specialized.NameObjectCollectionBase" => Collection::Wraps("_entriesArray"),
        "System.Collections.Specialized.StringDictionary" => Collection::Wraps("contents"),
        "System.Collections.Specialized.StringCollection" => Collection::Wraps("data"),
        "System.Collections.ListDictionaryInternal" | "System.Collections.Specialized.ListDictionary" => {
            nodes(&layouts::LIST_DICTIONARY)
        }
        "System.Collections.Hashtable" => Collection::Scattered(Scattered::Table),
        "System.Collections.BitArray" => Collection::Scattered(Scattered::Bits),
        "System.Collections.Concurrent.ConcurrentDictionary" => Collection::Scattered(Scattered::Buckets),
        "System.Collections.Concurrent.ConcurrentQueue" => Collection::Scattered(Scattered::Queue),
        "System.Collections.Concurrent.ConcurrentBag" => Collection::Scattered(Scattered::Bag),
        "System.Collections.Concurrent.ConcurrentStack" => nodes(&layouts::CONCURRENT_STACK),
        "System.Collections.Concurrent.BlockingCollection" => Collection::Wraps("_collection"),
        "System.Collections.Frozen.FrozenDictionary" => {
            arrays(Arrays { keys: Some("_keys|_hashTable.HashCodes()"), items: "_values", start: None, size: None })
        }
        "System.Collections.Frozen.FrozenSet" => {
            arrays(Arrays { keys: None, items: "_items|_hashTable.HashCodes()", start: None, size: None })
        }
        "System.Linq.Lookup" | "System.Linq.CollectionLookup" => nodes(&layouts::LOOKUP),
        "System.Linq.Grouping" => Collection::Group,
        "System.Threading.Channels.Channel" => Collection::Wraps("_items"),
        "System.ArraySegment" => slice("_array", "_offset", "_count"),
        "System.Memory" | "System.ReadOnlyMemory" => slice("_object", "_index", "_length"),
        "System.Span" | "System.ReadOnlySpan" => Collection::Scattered(Scattered::Span),
        _ => return None,
    })
}
