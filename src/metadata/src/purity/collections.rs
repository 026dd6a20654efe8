//! Collections of the framework by what may be behind them: some answer by what a collection of the program answers.

use super::framework::{is_interface, row};
use super::values::referent;
use crate::names::is_state_machine;
use crate::signatures::TypeSig;

/// Interfaces of collections. What is known by one of them may be a wrapper over any of them.
#[rustfmt::skip]
pub(super) const LISTS: &[&str] = &[
    "System.Collections.Generic.ICollection`1", "System.Collections.Generic.IList`1", "System.Collections.Generic.IDictionary`2",
    "System.Collections.Generic.ISet`1", "System.Collections.Generic.IReadOnlyCollection`1", "System.Collections.Generic.IReadOnlyList`1",
    "System.Collections.Generic.IReadOnlyDictionary`2", "System.Collections.Generic.IReadOnlySet`1", "System.Collections.ICollection",
    "System.Collections.IList", "System.Collections.IDictionary",
];

/// Objects of the framework that pass calls on to a collection that they were made over.
#[rustfmt::skip]
pub(super) const WRAPPERS: &[&str] = &[
    "System.Collections.ObjectModel.ReadOnlyCollection`1", "System.Collections.ObjectModel.Collection`1",
    "System.Collections.ObjectModel.ObservableCollection`1", "System.Collections.ObjectModel.ReadOnlyDictionary`2",
    "System.Collections.ArrayList",
];
/// Whether an object of that type may answer by what a collection of the program answers.
pub(super) fn is_passed_on(type_: &str) -> bool {
    WRAPPERS.contains(&type_) || LISTS.contains(&type_)
}

/// Namespaces of the framework whose sequences keep their elements, beside those of the table.
const KEEPING: &[&str] = &[
    "System.Collections.",
    "System.Linq.Grouping",
    "System.Linq.Lookup",
    "System.Linq.CollectionLookup",
    "System.Linq.IGrouping",
    "System.Linq.ILookup",
    "System.Text.RegularExpressions.",
    "System.Data.DataRowCollection",
    "System.Data.DataColumnCollection",
    "System.Data.DataTableCollection",
    "System.Net.Http.Headers.",
    "Microsoft.Extensions.Primitives.",
    "Microsoft.AspNetCore.Http.",
];

/// Whether going through an object that is known by a type of the framework gives elements that it keeps: queries and iterators compute
/// theirs, by whatever code they were given.
pub(super) fn keeps_sequence(type_: &TypeSig) -> bool {
    let Some(full_name) = referent(type_).full_name() else {
        return matches!(referent(type_), TypeSig::Array(_) | TypeSig::MultiArray { .. });
    };
    let is_group = full_name.starts_with("System.Linq.I");
    let is_kept = row(full_name).is_some() || KEEPING.iter().any(|start| full_name.starts_with(start));
    // of the interfaces only those that no query has
    let is_open = is_interface(full_name) && !LISTS.contains(&full_name) && !is_group;
    is_kept && !is_open && !is_state_machine(full_name)
}

/// A sequence of any kind: what goes through it may be the code of whoever made it.
pub(super) fn is_enumerable(full_name: &str) -> bool {
    full_name.ends_with(".IEnumerable`1")
        || full_name.ends_with(".IEnumerable")
        || full_name.starts_with("System.Linq.I")
}
