//! What besides types determines what a call runs: which comparer a collection was made with, which culture the thread has.

/// What the object that is called, and its thread, hold at this moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Held {
    /// It compares its keys by a comparer of the framework, not one that the program gave it.
    pub framework_comparer: bool,
    /// The culture of the thread is the framework's own class.
    pub framework_culture: bool,
}

/// Where collections keep their comparer (.NET 8 to 10). That of a `TreeSet` of pairs holds the one for keys.
const FIELDS: [(&str, &[&str]); 13] = [
    ("System.Collections.Generic.Dictionary", &["_comparer"]),
    ("System.Collections.Generic.HashSet", &["_comparer"]),
    ("System.Collections.Generic.SortedDictionary", &["_set", "comparer", "keyComparer"]),
    ("System.Collections.Generic.SortedSet", &["comparer"]),
    ("System.Collections.Generic.SortedList", &["comparer"]),
    ("System.Collections.Concurrent.ConcurrentDictionary", &["_tables", "_comparer"]),
    ("System.Collections.Generic.OrderedDictionary", &["_comparer"]),
    ("System.Collections.Immutable.ImmutableSortedDictionary", &["_keyComparer"]),
    ("System.Collections.Immutable.ImmutableSortedSet", &["_comparer"]),
    ("System.Collections.Frozen.FrozenDictionary", &["<Comparer>k__BackingField"]),
    ("System.Collections.Frozen.FrozenSet", &["<Comparer>k__BackingField"]),
    ("System.Linq.Lookup", &["_comparer"]),
    ("System.Linq.CollectionLookup", &["_comparer"]),
];

/// Comparers that ask the keys themselves, or compare texts without a culture.
const COMPARERS: [&str; 10] = [
    "System.Collections.Generic.NonRandomizedStringEqualityComparer",
    "System.Collections.Generic.GenericEqualityComparer",
    "System.Collections.Generic.ObjectEqualityComparer",
    "System.Collections.Generic.EnumEqualityComparer",
    "System.Collections.Generic.ByteEqualityComparer",
    "System.Collections.Generic.StringEqualityComparer",
    "System.Collections.Generic.GenericComparer",
    "System.Collections.Generic.ObjectComparer",
    "System.Collections.Generic.EnumComparer",
    "System.Ordinal",
];

/// The fields, one in the other, that lead from a collection to its comparer; null there is the default one of the keys' type.
/// `type_name`: as metadata or C# has it.
pub fn comparer_fields(type_name: &str) -> Option<&'static [&'static str]> {
    FIELDS.iter().find(|(known, _)| *known == without_arguments(type_name)).map(|(_, fields)| *fields)
}

/// Whether a comparer runs no code but that of its keys.
pub fn is_framework_comparer(type_name: &str) -> bool {
    // a nested one begins with the name of what it is in
    COMPARERS.iter().any(|known| type_name.starts_with(known))
}

fn without_arguments(type_name: &str) -> &str {
    type_name.split(['`', '<', '[']).next().unwrap_or(type_name)
}
