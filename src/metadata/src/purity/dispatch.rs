//! What a call of a framework's method may run of the program.
//!
//! A method of the table is pure for objects of the framework that know nothing of the program. It may dispatch on the objects that
//! it is given, and some objects pass a call on to what the program put behind them: those are judged by [`Question::quiet`] and
//! [`Question::forwarded`].

use super::collections::{LISTS, WRAPPERS, is_passed_on};
use super::cultural::{is_cultural, is_framework_culture, is_ordinal};
use super::framework::{copies, is_interface, is_number as is_framework_number, listed, lists, named, row};
use super::hooks::asks_no_hook;
use super::quiet::{Ambient, asked_by};
use super::values::{Value, name, referent};
use super::written::{fills_own_span, written_argument};
use super::{Content, Impurity, Judged, Question, elements, is_framework_comparer, short};
use crate::signatures::{Primitive, TypeSig};

/// Calls that look at the whole of their receiver.
const OF_THE_WHOLE: &[&str] = &["ToString", "Equals", "GetHashCode", "CompareTo", "ToStringAndClear"];

/// Queries that enumerate, and hand elements to delegates, but ask nothing of them.
#[rustfmt::skip]
const NEUTRAL_QUERIES: &[&str] = &[
    "Select", "Where", "Any", "All", "First", "FirstOrDefault", "Last", "LastOrDefault", "Single", "SingleOrDefault", "Count", "LongCount",
    "Skip", "SkipLast", "SkipWhile", "Take", "TakeLast", "TakeWhile", "ToList", "ToArray", "Reverse", "Concat", "Append", "Prepend", "Sum",
    "Average", "ElementAt", "ElementAtOrDefault", "Zip", "Aggregate", "Cast", "OfType", "DefaultIfEmpty", "Chunk", "AsEnumerable", "Empty",
    "Range", "Repeat", "Index",
];
/// Queries that ask what their selector gives for an element, and of the element nothing.
#[rustfmt::skip]
const BY_KEY: &[&str] = &[
    "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending", "GroupBy", "ToDictionary", "ToLookup", "DistinctBy", "MinBy", "MaxBy",
];
/// Methods of collections, whichever they are, that ask nothing of elements.
#[rustfmt::skip]
const NEUTRAL: &[&str] = &[
    "get_Count", "get_Capacity", "get_Length", "get_Current", "get_First", "get_Last", "get_Value", "get_Key", "get_Next", "get_Previous",
    "get_List", "get_Keys", "get_Values", "get_IsEmpty", "get_IsReadOnly", "get_Comparer", "get_Empty", "get_Default", "MoveNext",
    "GetEnumerator", "ToArray", "Clear", "GetRange", "Slice", "AsReadOnly", "Peek", "TryPeek", "Enqueue", "Push", "Dequeue", "TryDequeue",
    "Pop", "TryPop", "AddFirst", "AddLast", "Reverse", "RemoveAt", "RemoveRange", "Exists", "Find", "FindAll", "FindIndex", "FindLast",
    "FindLastIndex", "TrueForAll", "ConvertAll", "RemoveAll", "Deconstruct", "CopyTo", "Dispose", "get_UnorderedItems",
];
/// What is neutral of collections whose elements have positions, and no keys.
const POSITIONAL: &[&str] = &[".ctor", "get_Item", "set_Item", "Add", "AddRange", "Insert"];
#[rustfmt::skip]
const POSITIONED: &[&str] = &[
    "System.Collections.Generic.List`1", "System.Collections.Generic.IList`1", "System.Collections.Generic.IReadOnlyList`1",
    "System.Collections.Generic.Queue`1", "System.Collections.Generic.Stack`1", "System.Collections.Generic.LinkedList`1",
    "System.Collections.ObjectModel.ReadOnlyCollection`1", "System.Collections.ObjectModel.Collection`1",
    "System.Collections.ObjectModel.ObservableCollection`1", "System.Collections.Immutable.ImmutableArray`1",
    "System.Collections.Immutable.ImmutableList`1", "System.Collections.ArrayList", "System.Collections.IList",
    "System.Collections.Generic.KeyValuePair`2", "System.Collections.BitArray",
];

/// Memory may be that of a manager of the program.
const MEMORY: [&str; 2] = ["System.Memory`1", "System.ReadOnlyMemory`1"];
const MANAGER: &str = "System.Buffers.MemoryManager`1";

/// Methods of dictionaries that compare keys alone.
const KEYED: [&str; 7] = ["get_Item", "set_Item", "Add", "TryAdd", "ContainsKey", "TryGetValue", "Contains"];

const NODE: &str = "System.Text.Json.Nodes.JsonNode";
/// Those that hold no object but nodes, or what was parsed.
const PLAIN_NODES: [&str; 3] = [
    "System.Text.Json.Nodes.JsonObject",
    "System.Text.Json.Nodes.JsonArray",
    "System.Text.Json.Nodes.JsonValueOfElement",
];
/// Of a sorted set: the class in it.
const VIEW: &str = "TreeSubSet";
/// Those over other lists are of classes of their own.
const ARRAY_LIST: &str = "System.Collections.ArrayList";
const AGGREGATE: &str = "System.AggregateException";

/// Comparers of which the framework has one for each type; only what derives from them can stand in for it.
const DEFAULTS: [&str; 2] = ["System.Collections.Generic.EqualityComparer`1", "System.Collections.Generic.Comparer`1"];

/// Asks a dictionary for what lies under a key as `TryGetValue` of the dictionary does, and nothing more.
const LOOKED_UP: &str = "GetValueOrDefault";
const EXTENSIONS: &str = "System.Collections.Generic.CollectionExtensions";
const LOOKS_UP: &str = "TryGetValue";

/// What a method is called on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Receiver<'a> {
    /// That the object is known to have.
    pub type_: &'a TypeSig,
    /// It is of no other type.
    pub is_exact: bool,
    /// The same of one that keeps its elements, see [`Question::keeps_elements`].
    pub keeps_elements: bool,
    /// The object itself, where the stopped program shows it.
    pub held: Option<&'a Content>,
}

impl Question<'_> {
    /// Whether a call of a framework's method is pure. `arguments` without the receiver.
    pub(super) fn framework_call(
        &mut self,
        declaring: &TypeSig,
        method: &str,
        receiver: Receiver<'_>,
        arguments: &[Value],
        is_static: bool,
    ) -> Judged {
        let before = std::mem::replace(&mut self.asks, asked_by(declaring.full_name().unwrap_or_default(), method));
        let judged = self.framework_call_asking(declaring, method, receiver, arguments, is_static);
        self.asks = before;
        judged
    }

    fn framework_call_asking(
        &mut self,
        declaring: &TypeSig,
        method: &str,
        of: Receiver<'_>,
        arguments: &[Value],
        is_static: bool,
    ) -> Judged {
        let Receiver { type_: receiver, is_exact, keeps_elements, held } = of;
        let called = || {
            let type_ = declaring.full_name().unwrap_or("an array");
            format!("{}.{}", short(type_), super::shown(method))
        };
        let unknown = || Impurity(format!("{} is not known to be pure", called()));
        if let TypeSig::Array(_) | TypeSig::MultiArray { .. } = referent(declaring) {
            return self.framework_call(&named("System.Array"), method, of, arguments, is_static);
        }
        let type_ = declaring.full_name().ok_or_else(unknown)?;
        if let (EXTENSIONS, LOOKED_UP, [dictionary, key, ..]) = (type_, method, arguments)
            && let Some(looked_up) = dictionary.type_().map(referent)
            && looked_up.full_name().is_some_and(|name| {
                // what the program derives from it may look up by code of its own
                lists(name, LOOKS_UP) && (dictionary.is_exact || is_interface(name) || self.is_exact(looked_up))
            })
        {
            let (looked_up, key) = (looked_up.clone(), std::slice::from_ref(key));
            let held = dictionary.held.as_ref().filter(|_| !dictionary.owned);
            let receiver = Receiver { type_: &looked_up, is_exact: false, keeps_elements: false, held };
            return self.framework_call(&looked_up, LOOKS_UP, receiver, key, false);
        }
        // of an object in it, what a serializer makes of that
        let is_plain_node = || is_exact && receiver.full_name().is_some_and(|name| PLAIN_NODES.contains(&name));
        if (type_, method) == (NODE, "GetValueKind") && self.purity.hierarchy().makes_nodes && !is_plain_node() {
            return Err(unknown());
        }
        // by a name it may load what is not there yet
        if (type_, method, is_static) == ("System.Type", "GetType", true) {
            return Err(unknown());
        }
        if type_ == AGGREGATE && self.keeps_exceptions(method, arguments) {
            return Ok(());
        }
        let is_exception = || method == ".ctor" && type_.starts_with("System.") && type_.ends_with("Exception");
        let copies = copies(type_, method);
        let writes = match row(type_) {
            Some(_) if copies => true,
            Some(_) if converts_number(type_, method, arguments) => false,
            Some(_) if fills_own_span(method, arguments) => false,
            Some(methods) => listed(methods, method).ok_or_else(unknown)?,
            None if is_exception() => false,
            None => return Err(unknown()),
        };
        // its receiver is judged by whoever knows whether it is owned
        if writes && (is_static || copies) {
            match arguments.first() {
                Some(target) if target.owned => {}
                _ => return Err(Impurity(format!("{} writes to its argument", called()))),
            }
        }
        if let Some(what) = written_argument(type_, method, arguments) {
            return Err(Impurity(format!("{} writes to {what} passed to it", called())));
        }
        // of delegates the methods are compared, and what these are called on by reference
        let compares_delegates = type_.ends_with("Delegate") && method.starts_with("op_");
        let looks_at_references =
            compares_delegates || method == "ReferenceEquals" || method == "GetType" || by_reference(type_, method);
        if looks_at_references || type_ == "System.Threading.Volatile" {
            return Ok(());
        }
        let why = |impurity: Impurity| Impurity(format!("{} may call other code: {impurity}", called()));
        let is_neutral = is_neutral(type_, method);
        let is_query = type_.starts_with("System.Linq.") && !type_.starts_with("System.Linq.Expressions.");
        let is_collection = !is_exception() && (type_.starts_with("System.Collections.") || is_query);
        let asked = match (copies, arguments) {
            (true, _) => &[],
            _ if type_ == "System.Array" && method == "Copy" => &[],
            // what lies under a key is kept or given back
            (_, [key, _]) if is_collection && !is_static && KEYED.contains(&method) => std::slice::from_ref(key),
            _ => arguments,
        };
        let is_of_delegate = asks_identity(type_, method);
        let of_collections = Self::asked_of_collections(type_, method);
        for (at, argument) in asked.iter().enumerate() {
            let judged = match (type_, at) {
                _ if is_of_delegate && argument.type_().is_some_and(|type_| self.is_delegate(type_)) => Ok(()),
                ("System.Convert", 0) if method != "ToString" => self.converted(argument),
                ("System.Linq.Enumerable", 0) if BY_KEY.contains(&method) && self.has_selector(asked) => {
                    self.enumerable_value(argument, of_collections)
                }
                _ if is_neutral => self.enumerable_value(argument, of_collections),
                _ if is_collection || asks_elements(method) => {
                    self.quiet_value(argument, of_collections).and_then(|()| self.quiet_own_elements(argument))
                }
                _ => self.quiet_value(argument, of_collections),
            };
            judged.map_err(why)?;
        }
        let is_bare = is_exact && is_bare_object(receiver);
        if OF_THE_WHOLE.contains(&method) && !is_static && type_ != "System.Type" && !is_collection && !is_bare {
            self.quiet(receiver).map_err(why)?;
        }
        // an object of the framework that is known to be no other overrides nothing
        let may_hook = !is_static && !asks_no_hook(type_, method);
        if may_hook && !(is_exact && self.own_base(receiver).is_none()) {
            self.hooks(receiver).map_err(why)?;
        }
        if let ("get_Message", Some(class)) = (method, receiver.full_name()) {
            self.told_by_message(class, is_exact, held).map_err(why)?;
        }
        // nothing to compare yet
        let makes_empty = method == ".ctor" && arguments.iter().all(is_number);
        if is_collection && !is_neutral {
            // of a class of the program by the collection that it derives from
            let base =
                self.own_base(receiver).filter(|base| name(base).is_some_and(|named| !named.arguments.is_empty()));
            let receiver = base.as_ref().unwrap_or(receiver);
            let given = arguments;
            let arguments = name(referent(receiver)).map(|named| named.arguments.as_slice()).unwrap_or_default();
            let key = arguments.first();
            // one of the framework's asks what it is given, and nothing else
            let is_comparer = DEFAULTS.contains(&type_) && receiver.full_name().is_some_and(is_framework_comparer);
            match (key, arguments) {
                _ if is_static || makes_empty || is_comparer => {}
                (Some(key), [_]) if is_of_delegate && self.is_delegate(key) => {}
                // of what lies under a key nothing is asked
                (Some(key), [_, _]) if KEYED.contains(&method) => self.quiet(key).map_err(why)?,
                _ if is_of_texts_or_numbers(receiver) => {}
                _ => self.quiet_parts(receiver).map_err(why)?,
            }
            let is_default = DEFAULTS.contains(&type_) && !self.purity.hierarchy().makes_comparers;
            // what has positions compares by the default comparer; one that is passed was judged as an argument
            let has_comparer =
                !POSITIONED.contains(&type_) && method != ".ctor" && !self.is_default_query(type_, method, given);
            if is_default && !is_comparer {
                self.virtuals(type_, None, &|_| true).map_err(why)?;
            } else if !is_comparer && has_comparer && !(self.held.framework_comparer && self.path.is_empty()) {
                self.comparers_of(held, key).map_err(why)?;
            }
        }
        let is_no_view = is_exact && !receiver.full_name().is_some_and(|name| name.ends_with(VIEW));
        let may_be_view = !is_no_view && self.may_be_view(type_);
        if may_be_view && is_neutral && !(self.held.framework_comparer && self.path.is_empty()) {
            let element = elements::of_collection(receiver);
            let key = element.as_ref().or(name(referent(receiver)).and_then(|named| named.arguments.first()));
            self.comparers_of(held, key).map_err(why)?;
        }
        let of_text = type_ == "System.String" && is_ordinal(method, arguments);
        if (is_cultural(type_, method) || may_be_view) && !of_text {
            let culture = self.held.framework_culture || arguments.iter().any(is_framework_culture);
            let calendar = self.held.framework_culture && !arguments.iter().any(|it| self.is_provider(it));
            self.ambient(type_, Ambient { culture, calendar }).map_err(why)?;
        }
        let keeps_its_own = || Self::keeps_elements(receiver) || receiver.full_name() == Some(ARRAY_LIST);
        if keeps_elements || is_exact && keeps_its_own() || self.is_exact(receiver) {
            return Ok(());
        }
        // an object that is known by a more exact interface may be less
        let known = receiver.full_name().filter(|name| LISTS.contains(name)).unwrap_or(type_);
        self.forwarded(known, method, elements::of_collection(receiver).as_ref()).map_err(why)?;
        let type_ = known;
        if is_interface(type_) && !LISTS.contains(&type_) && self.purity.hierarchy().has_below(type_) {
            return Err(Impurity(format!("{} may be implemented by the program", called())));
        }
        Ok(())
    }

    /// The type of the framework, or the base of it, that has the method in the table; that of arrays is `System.Array`.
    pub(super) fn listing(&self, type_: &TypeSig, name: &str) -> Option<TypeSig> {
        if let TypeSig::Array(_) | TypeSig::MultiArray { .. } = type_ {
            return self.listing(&named("System.Array"), name);
        }
        let full_name = type_.full_name()?;
        if lists(full_name, name) || full_name == AGGREGATE && self.keeps_exceptions(name, &[]) {
            return Some(type_.clone());
        }
        let mut bases = self.purity.universe.base_chain(full_name);
        if bases.is_empty() && full_name.ends_with("Exception") {
            bases.push("System.Exception".into());
        }
        bases.push("System.Object".into());
        bases.into_iter().find(|base| lists(base, name)).map(|base| named(&base))
    }

    /// Whether a method of an exception around others asks nothing of those: of a sequence its constructor would run the enumerator.
    fn keeps_exceptions(&self, method: &str, arguments: &[Value]) -> bool {
        match method {
            ".ctor" => arguments.iter().all(is_array_or_text),
            "get_InnerExceptions" => true,
            "Flatten" => !self.purity.hierarchy().has_below(AGGREGATE),
            _ => false,
        }
    }

    /// Whether a method of the framework writes to the object that it is called on.
    pub(super) fn framework_writes(declaring: &TypeSig, method: &str) -> bool {
        let type_ = declaring.full_name().unwrap_or("System.Array");
        row(type_).and_then(|methods| listed(methods, method)) == Some(true)
    }

    /// Whether an object of that static type can only be one of the framework that keeps its elements itself.
    fn is_exact(&self, receiver: &TypeSig) -> bool {
        let has_below = || referent(receiver).full_name().is_some_and(|name| self.purity.hierarchy().has_below(name));
        Self::keeps_elements(referent(receiver)) && !has_below()
    }

    /// Whether objects of just that type are the framework's and keep their elements themselves.
    pub(super) fn keeps_elements(type_: &TypeSig) -> bool {
        match type_ {
            TypeSig::Array(_) | TypeSig::MultiArray { .. } => true,
            TypeSig::Named(named) => {
                let full_name = named.full_name.as_str();
                row(full_name).is_some()
                    && !is_interface(full_name)
                    && !WRAPPERS.contains(&full_name)
                    && !MEMORY.contains(&full_name)
            }
            _ => false,
        }
    }

    /// What the program put behind an object that passes its calls on, or that is known by an interface only: by the methods of
    /// that name which its own collections have.
    fn forwarded(&mut self, type_: &str, method: &str, element: Option<&TypeSig>) -> Judged {
        if MEMORY.contains(&type_) {
            return self.virtuals(MANAGER, None, &|_| true);
        }
        if !is_passed_on(type_) {
            return Ok(());
        }
        LISTS.iter().try_for_each(|base| self.virtuals(base, element, &|name| name == method))
    }
}

fn by_reference(type_: &str, method: &str) -> bool {
    matches!(
        (type_, method),
        ("System.Runtime.CompilerServices.RuntimeHelpers", "GetHashCode")
            | ("System.Threading.Monitor", "IsEntered")
            // the elements are taken as they are
            | ("System.TupleExtensions", _)
            // a number or text in it is read, or what is in it is of another type
            | ("System.Text.Json.Nodes.JsonNode", "op_Explicit")
            // a delegate is kept, for what changes later or is asked for first
            | ("System.Threading.AsyncLocal`1" | "System.Lazy`1", ".ctor")
            // the argument is compared with null, or its type named
            | ("System.ArgumentNullException", "ThrowIfNull")
            | ("System.ObjectDisposedException", "ThrowIf")
            // they hand on what they are given or hold
            | ("System.WeakReference`1", "TryGetTarget")
            | ("System.Span`1" | "System.ReadOnlySpan`1", ".ctor")
    )
}

/// Whether a method asks its arguments for their text, equality and hash alone: those of a delegate run nothing, as its methods and what
/// they are called on are compared by reference.
fn asks_identity(type_: &str, method: &str) -> bool {
    match type_ {
        "System.Text.StringBuilder" => method == "Append",
        "System.String" => ["Concat", "Format", "Join"].contains(&method),
        "System.Runtime.CompilerServices.DefaultInterpolatedStringHandler" => method == "AppendFormatted",
        "System.Collections.Generic.EqualityComparer`1" => ["Equals", "GetHashCode"].contains(&method),
        _ => false,
    }
}

/// `int.CreateSaturating(2.5)`: whose conversions it calls are known where both are the framework's.
fn converts_number(type_: &str, method: &str, arguments: &[Value]) -> bool {
    let is_known = |value: &Value| value.type_().and_then(TypeSig::full_name).is_some_and(is_framework_number);
    ["CreateChecked", "CreateSaturating", "CreateTruncating"].contains(&method)
        && is_framework_number(type_)
        && arguments.iter().all(is_known)
}

/// Of an object that is of no other type there is nothing to ask.
pub(super) fn is_bare_object(type_: &TypeSig) -> bool {
    referent(type_).full_name() == Some("System.Object")
}

fn is_array_or_text(value: &Value) -> bool {
    matches!(value.type_(), Some(TypeSig::Array(_) | TypeSig::Primitive(Primitive::String)))
}

/// Of texts that are made of the elements of a sequence.
fn asks_elements(method: &str) -> bool {
    ["Join", "Concat", "AppendJoin"].contains(&method)
}

fn is_neutral(type_: &str, method: &str) -> bool {
    let compares = match type_ {
        "System.Collections.Generic.LinkedList`1" => method == "Find",
        "System.Collections.Generic.PriorityQueue`2" => ["Enqueue", "Dequeue", "TryDequeue"].contains(&method),
        _ => false,
    };
    if compares {
        return false;
    }
    if type_ == "System.Linq.Enumerable" {
        return NEUTRAL_QUERIES.contains(&method);
    }
    type_.starts_with("System.Collections.")
        && (NEUTRAL.contains(&method) || POSITIONAL.contains(&method) && POSITIONED.contains(&type_))
}

/// Classes of frozen sets without type arguments are made for texts, compared by their units, and for numbers alone (.NET 8 to 10).
fn is_of_texts_or_numbers(receiver: &TypeSig) -> bool {
    name(referent(receiver)).is_some_and(|named| {
        let last = named.full_name.strip_prefix("System.Collections.Frozen.").unwrap_or_default();
        named.arguments.is_empty() && last.contains("FrozenSet")
    })
}

fn is_number(value: &Value) -> bool {
    let is_number = |primitive: &Primitive| !matches!(primitive, Primitive::String | Primitive::Object);
    matches!(value.type_().map(referent), Some(TypeSig::Primitive(primitive)) if is_number(primitive))
}
