//! Type arguments of what code gives that is compiled once for all classes: the runtime knows them as `System.__Canon`, and adapters
//! print that or a question mark. What is called declares which they are.

use super::effects::parse::parse;
use super::evaluate::Evaluated;
use super::passed_enums::Known;
use super::reader::Reader;
use super::type_names::definition;

const SHARED: &str = "System.__Canon";

/// The value of an expression with the type arguments that its declarations give, else with the names of the parameters.
pub(super) async fn named(reader: &Reader, expression: &str, mut found: Evaluated) -> Evaluated {
    let type_name = &found.value.type_name;
    if !type_name.contains(SHARED) && !type_name.contains("<?") && !type_name.contains(", ?") {
        return found;
    }
    let declared = match (parse(expression), Known::of(reader).await) {
        (Some(part), Ok(known)) => known.argument(&part).map(|declared| declared.to_string()),
        _ => None,
    };
    found.value.type_name = match declared.filter(|declared| definition(declared) == definition(type_name)) {
        Some(declared) => declared,
        None => type_name.replace(SHARED, "?"),
    };
    found
}

/// A type whose arguments are not known, as one that can be looked up: shared code is that of any class.
pub(super) fn of_any_class(type_name: &str) -> String {
    type_name.replace("<?", "<object").replace(", ?", ", object")
}
