//! What decides on a call beside types: which comparer a collection was made with, which culture the thread has. Only loads, and a
//! getter of the framework.

use clr_metadata::Held;

use crate::session::inspect::evaluate::Evaluated;
use crate::session::inspect::literal::Raw;
use crate::session::inspect::reader::{Access, Reader};

/// Where collections keep their comparer (.NET 8 to 10). That of a `TreeSet` of pairs holds the one for keys.
const COMPARERS: [(&str, &str); 6] = [
    ("System.Collections.Generic.Dictionary<", "_comparer"),
    ("System.Collections.Generic.HashSet<", "_comparer"),
    ("System.Collections.Generic.SortedDictionary<", "_set.comparer.keyComparer"),
    ("System.Collections.Generic.SortedSet<", "comparer"),
    ("System.Collections.Generic.SortedList<", "comparer"),
    ("System.Collections.Concurrent.ConcurrentDictionary<", "_tables._comparer"),
];

/// Comparers that ask the keys themselves, or compare texts without a culture.
const FRAMEWORK: [&str; 10] = [
    "System.Collections.Generic.NonRandomizedStringEqualityComparer",
    "System.Collections.Generic.GenericEqualityComparer<",
    "System.Collections.Generic.ObjectEqualityComparer<",
    "System.Collections.Generic.EnumEqualityComparer<",
    "System.Collections.Generic.ByteEqualityComparer",
    "System.Collections.Generic.StringEqualityComparer",
    "System.Collections.Generic.GenericComparer<",
    "System.Collections.Generic.ObjectComparer<",
    "System.Collections.Generic.EnumComparer<",
    "System.Ordinal",
];

/// What the receiver of a call holds.
pub(super) async fn by(reader: &Reader, receiver: &Evaluated) -> Held {
    let (framework_comparer, framework_culture) =
        futures::join!(has_framework_comparer(reader, receiver), has_framework_culture(reader));
    Held { framework_comparer, framework_culture }
}

async fn has_framework_comparer(reader: &Reader, receiver: &Evaluated) -> bool {
    let type_name = receiver.value.type_name.as_str();
    let Some((_, path)) = COMPARERS.iter().find(|(start, _)| type_name.starts_with(start)) else { return false };
    match reader.load(&format!("{}.{path}", receiver.load_path)).await {
        // the default one of the keys' type
        Ok(comparer) if comparer.parsed() == Raw::Null => true,
        Ok(comparer) => FRAMEWORK.iter().any(|known| comparer.type_name.starts_with(known)),
        Err(_) => false,
    }
}

/// What nobody but the thread holds.
pub(super) async fn by_thread(reader: &Reader) -> Held {
    Held { framework_culture: has_framework_culture(reader).await, ..Held::default() }
}

async fn has_framework_culture(reader: &Reader) -> bool {
    const CULTURE: &str = "System.Globalization.CultureInfo";
    let current = reader.evaluate(&format!("{CULTURE}.CurrentCulture"), Access::Run).await;
    current.is_ok_and(|culture| culture.type_name == CULTURE && culture.parsed() != Raw::Null)
}
