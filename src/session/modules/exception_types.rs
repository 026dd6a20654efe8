//! Whether the names of an exception rule are exception types of the program.

use super::Modules;

/// Names like one that no type has.
const NEAREST: usize = 3;
/// How like it they are.
const LIKENESS: f64 = 0.8;

const EXCEPTION: &str = "System.Exception";

impl Modules {
    /// One sentence on names that mean no exception type of the loaded modules; `None` where all do, or no module is known.
    pub(crate) fn unknown_exceptions<'a>(&self, names: impl Iterator<Item = &'a str>) -> Option<String> {
        let universe = self.lock().universe.clone();
        if self.loaded_count() == 0 {
            return None;
        }
        let is_exception = |name: &str| is_exception(name, &universe.base_chain(name));
        let is_other = |name: &String| is_other(name, &universe.base_chain(name));
        let sentences = names.filter_map(|name| {
            let found: Vec<String> = match universe.find_type(name) {
                Some((assembly, id)) => vec![assembly.type_(id).full_name()],
                None if name.contains('.') => Vec::new(),
                None => {
                    let found = universe.find_types_by_short_name(name).into_iter();
                    found.map(|(assembly, id)| assembly.type_(id).full_name()).collect()
                }
            };
            match found.first() {
                Some(first) => found.iter().all(is_other).then(|| format!("{first} is not an exception type")),
                None => {
                    let nearest = self.nearest_exceptions(name, is_exception);
                    let nearest = match nearest.as_slice() {
                        [] => String::new(),
                        names => format!(" (did you mean {}?)", names.join(", ")),
                    };
                    Some(format!("no loaded module has a type {name}{nearest}, but one loaded later may"))
                }
            }
        });
        let sentences: Vec<String> = sentences.collect();
        (!sentences.is_empty()).then(|| sentences.join("; "))
    }

    /// Full names of the exception types most like `name`, best first.
    fn nearest_exceptions(&self, name: &str, is_exception: impl Fn(&str) -> bool) -> Vec<String> {
        let universe = self.lock().universe.clone();
        let last = |name: &str| name.rsplit(['.', '+']).next().unwrap_or(name).to_lowercase();
        let wanted = last(name);
        let mut like: Vec<(i64, String)> = Vec::new();
        for assembly in universe.assemblies() {
            for type_ in assembly.types() {
                let full = type_.full_name();
                let likeness = strsim::normalized_damerau_levenshtein(&wanted, &last(&full));
                if likeness >= LIKENESS {
                    like.push((-((likeness * 1000.0) as i64), full));
                }
            }
        }
        like.sort_unstable();
        like.dedup();
        like.into_iter().map(|(_, name)| name).filter(|name| is_exception(name)).take(NEAREST).collect()
    }
}

/// `bases`: nearest first, as far as their modules are loaded.
fn is_exception(name: &str, bases: &[String]) -> bool {
    name == EXCEPTION || bases.iter().any(|base| base == EXCEPTION)
}

/// A base in a module that is not loaded says nothing.
fn is_other(name: &str, bases: &[String]) -> bool {
    !is_exception(name, bases) && bases.last().is_some_and(|base| base == "System.Object")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_derives_from_exception_is_one_also_where_all_its_bases_are_known() {
        let bases = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert!(!is_other("System.Exception", &bases(&["System.Object"])));
        assert!(!is_other("Shop.Error", &bases(&["System.SystemException", "System.Exception", "System.Object"])));
        assert!(is_other("Shop.Order", &bases(&["System.Object"])));
        assert!(!is_other("Shop.Error", &bases(&["Elsewhere.Base"])), "its base is not loaded");
    }

    #[test]
    fn a_name_that_is_no_exception_of_the_program_is_reported_with_the_nearest() {
        let modules = Modules::default();
        assert_eq!(modules.unknown_exceptions(["Nothing"].into_iter()), None, "no module is known");
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/assemblies/Exceptions.dll");
        modules.add(&serde_json::from_value(json!({"id": path, "name": "Exceptions.dll", "path": path})).unwrap());
        for (name, expected) in [
            ("ShopException", None),
            ("Exceptions.ShopException", None),
            (
                "ShopExeption",
                Some(
                    "no loaded module has a type ShopExeption (did you mean Exceptions.ShopException?), but one loaded later may",
                ),
            ),
            (
                "Shop.ShopException",
                Some(
                    "no loaded module has a type Shop.ShopException (did you mean Exceptions.ShopException?), but one loaded later may",
                ),
            ),
            ("Exceptions.Program", Some("Exceptions.Program is not an exception type")),
            ("Zebra", Some("no loaded module has a type Zebra, but one loaded later may")),
        ] {
            assert_eq!(modules.unknown_exceptions([name].into_iter()).as_deref(), expected);
        }
    }
}
