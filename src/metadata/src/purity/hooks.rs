//! What code of the framework asks of the objects that it is called on, and of those that these hold, although no call names it.
//!
//! The framework's code is not read. Which of the methods that a program overrides it calls is listed here by class; where the class that
//! an object of the program derives from has a text, equality or hash of its own, any override of the object may be called for it.

use std::collections::HashSet;
use std::sync::Arc;

use super::framework::row;
use super::is_framework;
use super::values::referent;
use crate::assembly::Assembly;
use crate::signatures::{Primitive, TypeSig};
use crate::tokens::TypeId;
use crate::universe::{Base, TypeUniverse};

/// Classes of which any method may call the overridden ones of its object: those of these names, `*`: whichever they are.
const HOOKS: &[(&str, &[&str])] = &[
    ("System.Globalization.CultureInfo", &["*"]),
    ("System.Globalization.Calendar", &["*"]),
    ("System.Text.Encoding", &["*"]),
    ("System.Text.EncoderFallback", &["*"]),
    ("System.Text.DecoderFallback", &["*"]),
    ("System.StringComparer", &["*"]),
    ("System.Type", &["*"]),
    ("System.Reflection.MemberInfo", &["*"]),
    ("System.Reflection.ParameterInfo", &["*"]),
    ("System.Reflection.Assembly", &["*"]),
    ("System.IO.TextWriter", &["*"]),
    ("System.IO.StringWriter", &["*"]),
    ("System.Collections.Hashtable", &["GetHash", "KeyEquals"]),
    ("System.Collections.ObjectModel.KeyedCollection`2", &["GetKeyForItem"]),
];

/// Methods of those that call none.
const ASK_NO_HOOK: &[(&str, &str)] = &[("System.Globalization.CultureInfo", "get_Name")];

/// Classes that call any override of their objects where these are asked for their text, equality or hash.
const ASKED_FOR_ALL: &[&str] = &["System.Exception", "System.UriParser"];

/// Overrides that nobody calls unless the program does.
const NOT_CALLED: &[&str] = &["GetObjectData", "Finalize", "Dispose"];

/// What the text, equality or hash of an object of one class asks of other objects: the beginning of the first class's name, the class
/// or interface of the others, and what they are asked, `*`: anything that the program overrides.
const HANDED_ON: &[(&str, &str, &str)] = &[
    ("System.Exception", "System.Exception", "*"),
    ("System.IFormatProvider", "System.ICustomFormatter", "Format"),
    ("System.Globalization.CultureInfo", "System.Globalization.Calendar", "*"),
    ("System.Globalization.DateTimeFormatInfo", "System.Globalization.Calendar", "*"),
    ("System.Text.Encoding", "System.Text.EncoderFallback", "*"),
    ("System.Text.Encoding", "System.Text.DecoderFallback", "*"),
    ("System.Xml.Linq.X", "System.Xml.Linq.XObject", "*"),
    ("System.ComponentModel.Component", "System.ComponentModel.ISite", "get_Name"),
    ("System.ComponentModel.MarshalByValueComponent", "System.ComponentModel.ISite", "get_Name"),
    ("System.Uri", "System.UriParser", "*"),
    ("System.Memory`1", "System.Buffers.MemoryManager`1", "*"),
    ("System.ReadOnlyMemory`1", "System.Buffers.MemoryManager`1", "*"),
    (DELEGATOR, "System.Type", "*"),
];
/// Asks for all that it is asked for the type that it was made around.
pub(super) const DELEGATOR: &str = "System.Reflection.TypeDelegator";

/// Classes of which is known, by the lists above, all that their texts, equality and hashes ask; beside those of exceptions.
const KNOWN: &[&str] = &[
    "System.Attribute",
    "System.Globalization.",
    "System.Text.",
    "System.StringComparer",
    "System.Type",
    "System.Reflection.",
    "System.Uri",
    "System.Xml.Linq.X",
    "System.ComponentModel.Component",
    "System.ComponentModel.MarshalByValueComponent",
    "System.IO.",
    "System.Data.Common.DbConnectionStringBuilder",
];

/// Bases whose objects are asked nothing that the program did not write.
const ROOTS: &[&str] =
    &["System.Object", "System.ValueType", "System.Enum", "System.Delegate", "System.MulticastDelegate"];

/// What anybody asks of an object.
const OF_OBJECTS: &[&str] = &["ToString", "Equals", "GetHashCode", "CompareTo", "TryFormat"];

/// Exceptions whose messages have the text of an object, and where they keep that (.NET 8 to 10).
pub(super) const TOLD: [(&str, &str); 2] = [
    ("System.ArgumentOutOfRangeException", "_actualValue"),
    ("System.Runtime.CompilerServices.SwitchExpressionException", "<UnmatchedValue>k__BackingField"),
];

/// The field of an exception whose object its message tells of.
pub fn told_field(class: &str) -> Option<&'static str> {
    TOLD.iter().find(|(owner, _)| class == *owner).map(|(_, field)| *field)
}

/// Whether objects of a class tell of one that they are given.
pub(super) fn tells(class: &str) -> bool {
    told_field(class).is_some()
}

/// Whether a method of the framework may call an overridden one of that name on the object that it is called on. `ancestors`: of the
/// type that overrides it.
pub(super) fn is_hook(ancestors: &HashSet<String>, name: &str) -> bool {
    let is_called = |(class, names): &(&str, &[&str])| {
        ancestors.contains(*class) && (names.contains(&"*") || names.contains(&name))
    };
    !NOT_CALLED.contains(&name) && HOOKS.iter().any(is_called)
}

pub(super) fn asks_no_hook(class: &str, method: &str) -> bool {
    ASK_NO_HOOK.contains(&(class, method))
}

pub(super) fn has_hooks(ancestors: &HashSet<String>) -> bool {
    HOOKS.iter().any(|(class, _)| ancestors.contains(*class))
}

/// The same of one that is asked for its text, equality or hash.
pub(super) fn is_asked_for_all(ancestors: &HashSet<String>, name: &str) -> bool {
    !NOT_CALLED.contains(&name) && ASKED_FOR_ALL.iter().any(|class| ancestors.contains(*class))
}

/// Whether whoever makes a text, or compares, may call an override of that name: nobody does so by a setter.
pub(super) fn is_called(name: &str) -> bool {
    let is_setter = ["set_", "add_", "remove_"].iter().any(|start| name.starts_with(start));
    !NOT_CALLED.contains(&name) && !is_setter
}

/// Whom objects of some classes ask for what they are asked: a class or interface, and a method of it or `*`.
pub(super) fn handed_on(classes: &HashSet<String>) -> Vec<(&'static str, &'static str)> {
    let is_of = |start: &str| match start {
        "System.Xml.Linq.X" => classes.iter().any(|class| class.starts_with(start)),
        _ => classes.contains(start),
    };
    HANDED_ON.iter().filter(|(class, ..)| is_of(class)).map(|(_, asked, name)| (*asked, *name)).collect()
}

/// The class of the lists above that a class of the framework derives from, where its file is not at hand.
pub(super) fn family(class: &str) -> Option<&'static str> {
    match class {
        _ if class.ends_with("Exception") => Some("System.Exception"),
        _ if class.starts_with("System.Text.") && class.ends_with("Encoding") => Some("System.Text.Encoding"),
        _ if class.starts_with("System.Globalization.") && class.ends_with("Calendar") => {
            Some("System.Globalization.Calendar")
        }
        _ if class.starts_with("System.Xml.Linq.X") => Some("System.Xml.Linq.XObject"),
        DELEGATOR | "System.Reflection.TypeInfo" => Some("System.Type"),
        _ => None,
    }
}

/// What the framework's code asks where an object of the program is asked for its text, equality or hash.
#[derive(Debug, Clone, Default)]
pub(super) struct Beyond {
    /// It may call whatever the object overrides.
    pub asks_overrides: bool,
    /// The class whose code may call anything else.
    pub unknown: Option<String>,
}

impl Beyond {
    /// `bases`: of the type, from the nearest up.
    pub(super) fn of(universe: &TypeUniverse, (assembly, id): (&Assembly, TypeId), bases: &[Base]) -> Self {
        let mut found = Self::default();
        if assembly.type_(id).is_interface() {
            return found;
        }
        let mut overridden = HashSet::new();
        let mut add = |assembly: &Assembly, id: TypeId| {
            let methods = assembly.type_(id).methods().map(|method| assembly.method(method));
            let own = methods.filter(|method| method.is_virtual() && !method.is_new_slot());
            overridden.extend(own.map(|method| method.name().to_owned()));
        };
        add(assembly, id);
        let is_own = |base: &&Base| base.found.as_ref().is_some_and(|(assembly, _)| !is_framework(assembly.path()));
        for (assembly, id) in bases.iter().take_while(is_own).filter_map(|base| base.found.as_ref()) {
            add(assembly, *id);
        }
        let beyond: Vec<&Base> = bases.iter().skip_while(is_own).collect();
        for (at, base) in beyond.iter().enumerate() {
            let class = base.name.full_name.as_str();
            if ROOTS.contains(&class) {
                break;
            }
            let is_known = class.ends_with("Exception") || KNOWN.iter().any(|start| class.starts_with(start));
            let declares = match &base.found {
                Some((assembly, id)) => {
                    let mut methods = assembly.type_(*id).methods().map(|method| assembly.method(method));
                    methods.any(|it| {
                        it.is_virtual() && !it.is_abstract() && is_asked(it.name()) && !overridden.contains(it.name())
                    })
                }
                // of what has a row is known that it declares none
                None => is_known || row(class).is_none(),
            };
            if declares {
                found.asks_overrides = true;
                let mut from_here = beyond.iter().skip(at);
                if !is_known && from_here.any(|base| holds_objects(universe, base)) {
                    found.unknown.get_or_insert_with(|| class.to_owned());
                }
            }
        }
        found
    }
}

/// Also of an explicit implementation: `System.IComparable.CompareTo`.
fn is_asked(name: &str) -> bool {
    OF_OBJECTS.contains(&name.rsplit('.').next().unwrap_or(name))
}

/// Whether objects of a class of the framework have fields that may hold objects of the program.
fn holds_objects(universe: &TypeUniverse, base: &Base) -> bool {
    if ROOTS.contains(&base.name.full_name.as_str()) {
        return false;
    }
    let Some((assembly, id)) = &base.found else { return true };
    let fields = assembly.type_(*id).fields().into_iter().filter(|field| !field.is_static);
    let mut types = fields.map(|field| field.type_.substitute(&base.name.arguments, &[]));
    types.any(|type_| !is_plain(universe, &type_))
}

fn is_plain(universe: &TypeUniverse, type_: &TypeSig) -> bool {
    match referent(type_) {
        TypeSig::Primitive(primitive) => !matches!(primitive, Primitive::Object | Primitive::TypedReference),
        TypeSig::Array(element) => is_plain(universe, element),
        TypeSig::Named(named) if named.full_name == "System.String" => true,
        TypeSig::Named(named) if named.is_value_type => {
            let is_enum = || {
                let found = universe.find_type(&named.full_name);
                found.is_some_and(|(assembly, id): (Arc<Assembly>, TypeId)| assembly.type_(id).is_enum())
            };
            (row(&named.full_name).is_some() || is_enum()) && named.arguments.iter().all(|it| is_plain(universe, it))
        }
        _ => false,
    }
}
