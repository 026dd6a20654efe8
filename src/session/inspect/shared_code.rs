//! Type arguments of what code gives that is compiled once for all classes: the runtime knows them as `System.__Canon`, and adapters
//! print that or a question mark.

const SHARED: &str = "System.__Canon";

/// Whether an adapter prints such a type.
pub(super) fn is_open(type_name: &str) -> bool {
    type_name.contains(SHARED) || type_name.contains("<?") || type_name.contains(", ?")
}

/// With question marks for what is not known.
pub(super) fn unnamed(type_name: &str) -> String {
    type_name.replace(SHARED, "?")
}

/// A type whose arguments are not known, as one that can be looked up: shared code is that of any class.
pub(super) fn of_any_class(type_name: &str) -> String {
    unnamed(type_name).replace("<?", "<object").replace(", ?", ", object")
}
