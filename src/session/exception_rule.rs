//! Which exceptions a rule means.

use super::error::SessionError;
use super::modules::Modules;
use super::report::ExceptionRule;

impl ExceptionRule {
    /// # Errors
    /// `invalid_argument` for what cannot be the name of a type.
    pub fn check(&self) -> Result<(), SessionError> {
        match self.types.iter().find(|name| *name != "*" && !is_type_name(excluded(name).unwrap_or(name))) {
            None => Ok(()),
            Some(name) => Err(SessionError::argument(
                "types",
                format!("`{name}` is not a valid type name"),
                "write types as `System.IO.IOException` or `IOException`; `*` means all, `!IOException` excludes one",
            )),
        }
    }

    /// The types that it names, whether to stop for them or not.
    pub(crate) fn named(&self) -> impl Iterator<Item = &str> {
        let names = self.types.iter().map(|name| excluded(name).unwrap_or(name));
        names.filter(|name| *name != "*")
    }

    /// Whether it means an exception of this type: one of the types named, and none of those left out.
    pub(crate) fn means(&self, modules: &Modules, type_name: &str) -> bool {
        let (omitted, named): (Vec<&str>, Vec<&str>) =
            self.types.iter().map(String::as_str).partition(|name| excluded(name).is_some());
        let omitted: Vec<&str> = omitted.into_iter().filter_map(excluded).collect();
        let is_one_of = |names: &[&str]| modules.is_one_of(type_name, names, self.include_subtypes);
        (named.is_empty() || is_one_of(&named)) && !is_one_of(&omitted)
    }

    /// Whether an adapter can match the types itself: it compares full names and knows no subtypes.
    pub(crate) fn is_exact(&self) -> bool {
        !self.include_subtypes && self.types.iter().all(|name| name.contains('.') && excluded(name).is_none())
    }
}

/// `!Type` leaves a type out.
fn excluded(name: &str) -> Option<&str> {
    name.strip_prefix('!').map(str::trim)
}

fn is_type_name(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '`'))
    };
    name.split(['.', '+']).all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::report::ExceptionMode;

    fn rule(types: &[&str]) -> ExceptionRule {
        let types = types.iter().map(|name| (*name).to_owned()).collect();
        ExceptionRule { types, mode: ExceptionMode::Thrown, include_subtypes: true }
    }

    #[test]
    fn a_type_is_meant_when_it_is_named_and_not_left_out() {
        let modules = Modules::default();
        for (types, name, expected) in [
            (vec!["*"], "A.B", true),
            (vec!["B"], "A.B", true),
            (vec!["A.C"], "A.B", false),
            (vec!["*", "!A.B"], "A.B", false),
            (vec!["!B"], "A.B", false),
            (vec!["!C"], "A.B", true),
            (vec!["A.B", "!A.B"], "A.B", false),
        ] {
            assert_eq!(rule(&types).means(&modules, name), expected, "{types:?}");
        }
    }

    #[test]
    fn what_is_no_type_name_is_refused() {
        for name in ["*", "System.IO.IOException", "!IOException", "Outer+Inner", "Box`1", "_x"] {
            assert!(rule(&[name]).check().is_ok(), "{name}");
        }
        for name in ["", "!", "!!X", "A B", "A.", "-A", "not A", "**", "1A"] {
            assert!(rule(&[name]).check().is_err(), "{name}");
        }
    }
}
