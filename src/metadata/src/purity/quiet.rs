//! Which objects call no code of the program when the framework asks them for their text, hash, order, equality or elements.

use std::sync::Arc;

use super::collections::{LISTS, is_enumerable, is_passed_on};
use super::framework::{is_interface, row};
use super::values::referent;
use super::{Impurity, Judged, Question, elements, short};
use crate::assembly::Assembly;
use crate::signatures::{Primitive, TypeName, TypeSig};
use crate::tokens::{MethodId, TypeId};

/// Types whose objects make no calls to the program's code, beside those that have rows.
#[rustfmt::skip]
const QUIET: &[&str] = &[
    "System.StringComparison", "System.DayOfWeek", "System.DateTimeKind", "System.MidpointRounding", "System.StringSplitOptions",
    "System.Globalization.NumberStyles", "System.Globalization.DateTimeStyles", "System.Text.RegularExpressions.RegexOptions",
    "System.RuntimeFieldHandle", "System.RuntimeTypeHandle", "System.RuntimeType", "System.TypeCode", "System.UriKind", "System.UriPartial", "System.Base64FormattingOptions",
    "System.OrdinalCaseSensitiveComparer", "System.OrdinalIgnoreCaseComparer", "System.Globalization.CompareOptions", "System.Globalization.CompareInfo",
    "System.Reflection.RuntimePropertyInfo", "System.Reflection.RtFieldInfo", "System.Reflection.MdFieldInfo", "System.Reflection.RuntimeMethodInfo", "System.Reflection.RuntimeConstructorInfo",
    "System.Reflection.RuntimeEventInfo", "System.Reflection.RuntimeParameterInfo",
];

/// Types that say nothing of the objects in them.
#[rustfmt::skip]
const OPAQUE: &[&str] = &[
    "System.Object", "System.ValueType", "System.Array", "System.Collections.ArrayList", "System.Collections.Hashtable",
    "System.Collections.ICollection", "System.Collections.IList", "System.IDisposable", "System.Collections.Hashtable+KeyCollection",
    "System.Collections.Hashtable+ValueCollection",
];

/// Whom collections, texts and conversions ask, and what they ask.
#[rustfmt::skip]
pub(super) const CALLED_BACK: &[&str] = &[
    "Equals", "GetHashCode", "ToString", "CompareTo", "Compare", "TryFormat", "GetFormat", "Format", "GetTypeCode", "ToBoolean", "ToByte",
    "ToChar", "ToDateTime", "ToDecimal", "ToDouble", "ToInt16", "ToInt32", "ToInt64", "ToSByte", "ToSingle", "ToType", "ToUInt16", "ToUInt32",
    "ToUInt64",
];
/// The same of those that only compare for equality.
const EQUALITY: &[&str] = &["Equals", "GetHashCode"];
/// The same of those that only ask an object for its text.
pub(super) const TEXT: &[&str] = &["ToString", "TryFormat", "GetFormat", "Format"];

/// Methods of collections without an order that compare what they are given with what they hold.
const LOOKING_UP: &[&str] =
    &["Contains", "ContainsKey", "ContainsValue", "IndexOf", "LastIndexOf", "TryGetValue", "get_Item", "Find"];

/// What a method of the framework asks of the objects that it is called on, given, or holds.
pub(super) fn asked_by(type_: &str, method: &str) -> &'static [&'static str] {
    let is_object = matches!(type_, "System.Object" | "System.ValueType");
    // behind an interface or a wrapper may be what has one
    let may_have_order = type_.contains("Sorted") || is_interface(type_) || type_.contains(".ObjectModel.");
    let has_no_order = type_.starts_with("System.Collections.") && !may_have_order;
    match method {
        "Equals" | "GetHashCode" if is_object || type_ == "System.Collections.Generic.EqualityComparer`1" => EQUALITY,
        "ToString" if is_object => TEXT,
        _ if has_no_order && LOOKING_UP.contains(&method) => EQUALITY,
        _ => CALLED_BACK,
    }
}

/// Sequences of which the framework makes only such as keep their elements.
const GROUPS: [&str; 2] = ["System.Linq.IGrouping`2", "System.Linq.ILookup`2"];
/// What whoever goes through a collection asks of it.
pub(super) const ENUMERATED: &[&str] = &["GetEnumerator", "get_Count", "get_Item", "CopyTo"];
/// The same of whoever makes a collection of another one: dictionaries are copied by their keys and values.
const COPIED: &[&str] = &["GetEnumerator", "get_Count", "get_Item", "CopyTo", "get_Keys", "get_Values"];
/// The same of whoever looks for an element.
const SEARCHED: &[&str] = &["GetEnumerator", "get_Count", "get_Item", "CopyTo", "Contains"];

const SORTED_SET: &str = "System.Collections.Generic.SortedSet`1";
const DICTIONARIES: [&str; 2] = ["System.Collections.IDictionary", "System.Collections.Generic.IDictionary`2"];

const COMPARERS: &[&str] = &[
    "System.Collections.Generic.IEqualityComparer`1",
    "System.Collections.Generic.IComparer`1",
    "System.Collections.IEqualityComparer",
    "System.Collections.IComparer",
];

/// Of the thread.
pub(super) const CULTURE: &str = "System.Globalization.CultureInfo";
/// Of a culture, whichever class that is: it is asked how times are written.
const CALENDAR: &str = "System.Globalization.Calendar";

/// Types of the table whose texts are made of objects of the program that nobody knows.
const TELLS_ALL: &str = "System.Linq.Expressions.";
const NODES: &str = "System.Text.Json.Nodes.";

/// Classes from which a program may derive what the framework then asks although no call names it, by the beginning of the name of the
/// type that asks: the culture of the thread, the parser of a scheme, what stands in for bytes that cannot be decoded.
const AMBIENT: [(&str, &str); 5] = [
    ("", CULTURE),
    ("", CALENDAR),
    ("System.Uri", "System.UriParser"),
    ("System.Text.Enc", "System.Text.EncoderFallback"),
    ("System.Text.Enc", "System.Text.DecoderFallback"),
];

impl Question<'_> {
    /// Whether equality, hashing, order and text of values of a type run no impure code of the program.
    pub(super) fn quiet(&mut self, type_: &TypeSig) -> Judged {
        let unknown = |what: &dyn std::fmt::Display| Err(Impurity(format!("{what} cannot be analyzed")));
        match referent(type_) {
            TypeSig::Primitive(Primitive::Object | Primitive::TypedReference) => unknown(&"an object of unknown type"),
            TypeSig::Primitive(_) => Ok(()),
            TypeSig::Array(element) => self.quiet(element),
            TypeSig::MultiArray { element, .. } => self.quiet(element),
            TypeSig::Named(named) if OPAQUE.contains(&named.full_name.as_str()) => {
                unknown(&"an object of unknown type")
            }
            TypeSig::Named(named) => self.quiet_named(named),
            TypeSig::TypeParameter(_) | TypeSig::MethodParameter(_) => unknown(&"a type parameter"),
            other => unknown(other),
        }
    }

    /// The same for a method that may ask for less.
    pub(super) fn quiet_for(&mut self, type_: &TypeSig, declaring: &str, method: &str) -> Judged {
        let before = std::mem::replace(&mut self.asks, asked_by(declaring, method));
        let judged = self.quiet(type_);
        self.asks = before;
        judged
    }

    /// The same of what objects of a generic type hold.
    pub(super) fn quiet_parts(&mut self, type_: &TypeSig) -> Judged {
        match referent(type_) {
            TypeSig::Named(named) if !named.arguments.is_empty() => {
                named.arguments.iter().try_for_each(|argument| self.quiet(argument))
            }
            other => self.quiet(other),
        }
    }

    fn quiet_named(&mut self, named: &TypeName) -> Judged {
        if let Some((assembly, id)) = self.own_named(&named.full_name) {
            let view = assembly.type_(id);
            if view.is_enum() {
                return Ok(());
            }
            if view.is_delegate() {
                return Err(Impurity(format!("{} is a delegate, which may run any code", view.short_name())));
            }
            self.called_back(&named.full_name, None)?;
            self.not_derived(&assembly, id)?;
            return match view.is_value_type() {
                true => self.quiet_fields(&assembly, id, &named.arguments),
                false => Ok(()),
            };
        }
        let exact = with_arity(named);
        if exact.starts_with(TELLS_ALL) || exact.starts_with(NODES) && self.purity.hierarchy().makes_nodes {
            return Err(Impurity(format!("{} may hold any object, which is asked for its text", short(&exact))));
        }
        let is_known = row(&exact).is_some() && !is_interface(&exact) || QUIET.contains(&exact.as_str());
        // one that was made elsewhere may be a query with any code behind it
        let is_list = row(&exact).is_some() && is_interface(&exact) && !is_enumerable(&exact);
        if is_known || is_list {
            self.called_back(&exact, elements::of_collection(&TypeSig::Named(named.clone())).as_ref())?;
            // of the other half of the entries nothing is asked
            let asked = match half_of_entries(&exact) {
                Some(half) => named.arguments.get(half..=half).unwrap_or(&named.arguments),
                None => &named.arguments,
            };
            return asked.iter().try_for_each(|argument| self.quiet(argument));
        }
        let is_enum = self.purity.universe.find_type(&named.full_name).is_some_and(|(it, id)| it.type_(id).is_enum());
        if is_enum { Ok(()) } else { Err(Impurity(format!("{} cannot be analyzed", short(&named.full_name)))) }
    }

    /// Whether going through an object of that type, if it can be gone through, runs no impure code of the program.
    pub(super) fn enumerable(&mut self, type_: &TypeSig) -> Judged {
        self.gone_through(type_, ENUMERATED)
    }

    /// The same of what else is asked of a collection than its elements.
    pub(super) fn gone_through(&mut self, type_: &TypeSig, asked: &[&str]) -> Judged {
        let unknown = |what: &str| Err(Impurity(format!("{what} cannot be analyzed")));
        let named = match referent(type_) {
            // an element: sequences are passed as such
            TypeSig::Primitive(_) | TypeSig::Array(_) | TypeSig::MultiArray { .. } => return Ok(()),
            TypeSig::Named(named) => named,
            _ => return unknown("a type parameter"),
        };
        if named.full_name == "System.Object" {
            return Ok(());
        }
        if let Some((assembly, id)) = self.own_named(&named.full_name) {
            let view = assembly.type_(id);
            if view.is_delegate() {
                return Err(Impurity(format!("{} is a delegate, which may run any code", view.short_name())));
            }
            self.virtuals(&named.full_name, None, &|name| asked.contains(&name))?;
            let ancestors = self.purity.hierarchy().ancestors_below(&named.full_name, None);
            // its keys and values may be collections of the program too
            if asked == COPIED && DICTIONARIES.iter().any(|it| ancestors.contains(*it)) {
                let wanted = |name: &str| ENUMERATED.contains(&name);
                return LISTS.iter().try_for_each(|base| self.virtuals(base, None, &wanted));
            }
            return Ok(());
        }
        let exact = with_arity(named);
        let has_own = || self.purity.hierarchy().has_below(&exact) || !self.purity.unknown.is_empty();
        if GROUPS.contains(&exact.as_str()) && !has_own() {
            return Ok(());
        }
        if is_enumerable(&exact) {
            return Err(Impurity("a sequence that the expression did not create may run arbitrary code".into()));
        }
        let held = elements::of_collection(type_);
        let wanted = |name: &str| asked.contains(&name);
        if self.may_be_view(&exact) {
            self.comparers(held.as_ref().or(named.arguments.first()))?;
        }
        match row(&exact) {
            Some(_) if is_passed_on(&exact) => {
                LISTS.iter().try_for_each(|base| self.virtuals(base, held.as_ref(), &wanted))
            }
            Some(_) => self.virtuals(&exact, held.as_ref(), &wanted),
            None => self.quiet_named(named),
        }
    }

    fn own_named(&self, full_name: &str) -> Option<(Arc<Assembly>, TypeId)> {
        let found = self.purity.universe.find_type(full_name)?;
        (!super::is_framework(found.0.path())).then_some(found)
    }

    /// Whether a collection may be a view of a sorted set.
    pub(super) fn may_be_view(&self, full_name: &str) -> bool {
        self.purity.hierarchy().makes_views && (full_name.starts_with(SORTED_SET) || LISTS.contains(&full_name))
    }

    /// The program's own virtual methods of some names, at and below a type; of collections in those that may have such elements.
    pub(super) fn virtuals(
        &mut self,
        full_name: &str,
        element: Option<&TypeSig>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Judged {
        self.all_virtuals(self.purity.hierarchy().virtuals(full_name, element, wanted, false))
    }

    /// `None`: not all types were looked at.
    pub(super) fn all_virtuals(&mut self, found: Option<Vec<(Arc<Assembly>, MethodId)>>) -> Judged {
        for (assembly, method) in found.ok_or_else(too_many)? {
            // whoever has a collection copied gives the array for it
            let owned = if assembly.method(method).name().ends_with("CopyTo") { 0b10 } else { 0 };
            self.own(&assembly, method, owned)?;
        }
        Ok(())
    }

    /// A collection may have been given a comparer of the program, for keys of that type where it is known.
    pub(super) fn comparers(&mut self, key: Option<&TypeSig>) -> Judged {
        if self.purity.hierarchy().makes_comparers {
            return Err(Impurity(
                "the collection may use a comparer that the program created from a delegate, which may run any code"
                    .into(),
            ));
        }
        for comparer in COMPARERS {
            let wanted = |name: &str| CALLED_BACK.contains(&name);
            let found = self.purity.hierarchy().virtuals(comparer, None, &wanted, false).ok_or_else(too_many)?;
            for (assembly, method) in found {
                if key.is_none_or(|key| self.may_take(&assembly, method, key)) {
                    self.own(&assembly, method, 0)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a comparer's method can be handed a key. Keys of numbers and texts are taken by what is declared for just them,
    /// or for an interface or object that they are too; by nothing that is declared for another value or a class of the program.
    fn may_take(&self, assembly: &Assembly, method: MethodId, key: &TypeSig) -> bool {
        let is_text = |type_: &TypeSig| match type_ {
            TypeSig::Primitive(Primitive::String) => true,
            TypeSig::Named(named) => named.full_name == "System.String",
            _ => false,
        };
        let key_is_known = is_text(key) || matches!(key, TypeSig::Primitive(kind) if *kind != Primitive::Object);
        let Some(signature) = assembly.method(method).signature().filter(|_| key_is_known) else { return true };
        match signature.parameters.first().map(referent) {
            Some(taken) if is_text(taken) => is_text(key),
            Some(TypeSig::Primitive(Primitive::Object)) | None => true,
            Some(taken @ TypeSig::Primitive(_)) => taken == key,
            Some(TypeSig::Array(_) | TypeSig::MultiArray { .. }) => false,
            Some(TypeSig::Named(named)) => match self.own_named(&named.full_name) {
                Some((assembly, id)) => assembly.type_(id).is_interface(),
                None => true,
            },
            Some(_) => true,
        }
    }

    /// What a type of the framework asks of the program unasked, beside what is known to be the framework's own.
    pub(super) fn ambient(&mut self, asking: &str, known: Ambient) -> Judged {
        let is_known = |class: &str| match class {
            CULTURE => known.culture,
            CALENDAR => known.calendar,
            _ => false,
        };
        let asked = AMBIENT.iter().filter(|(start, class)| asking.starts_with(start) && !is_known(class));
        asked.into_iter().try_for_each(|(_, class)| self.virtuals(class, None, &|_| true))
    }

    /// What a method of the framework asks of a collection that it is given.
    pub(super) fn asked_of_collections(type_: &str, method: &str) -> &'static [&'static str] {
        match (type_, method) {
            ("System.Linq.Enumerable", "Contains") => SEARCHED,
            (_, ".ctor") => COPIED,
            _ => ENUMERATED,
        }
    }
}

/// What is the framework's own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ambient {
    /// The culture that a call asks.
    pub culture: bool,
    /// The calendar of that.
    pub calendar: bool,
}

/// Which argument the elements of a dictionary's keys or values are.
fn half_of_entries(full_name: &str) -> Option<usize> {
    match full_name.rsplit('+').next() {
        Some("KeyCollection" | "KeyList") => Some(0),
        Some("ValueCollection" | "ValueList") => Some(1),
        _ => None,
    }
}

pub(super) fn too_many() -> Impurity {
    Impurity("there are too many types to analyze".into())
}

/// An instantiation as text may lack the arity: `System.Collections.Generic.List` with one argument.
fn with_arity(named: &TypeName) -> String {
    match named.full_name.contains('`') || named.arguments.is_empty() {
        true => named.full_name.clone(),
        false => format!("{}`{}", named.full_name, named.arguments.len()),
    }
}
