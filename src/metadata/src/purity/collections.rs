//! Collections of the framework by what may be behind them: some answer by what a collection of the program answers.

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

/// A sequence of any kind: what goes through it may be the code of whoever made it.
pub(super) fn is_enumerable(full_name: &str) -> bool {
    full_name.ends_with(".IEnumerable`1")
        || full_name.ends_with(".IEnumerable")
        || full_name.starts_with("System.Linq.I")
}
