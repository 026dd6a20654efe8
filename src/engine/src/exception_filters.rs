//! Which exceptions stop the program.

use std::collections::HashSet;

use regex::Regex;

use crate::com::{self, ExceptionStage};

/// The filter of every exception that is thrown, as clients name it.
pub const ALL: &str = "all";
/// The filter of those that leave the user's code.
pub const USER_UNHANDLED: &str = "user-unhandled";

/// How a condition is written.
pub const SYNTAX: &str = "full type names, separated by commas: `Ns.Type` is that type alone, `is Ns.Type` also those derived from it, \
     `Ns.*` all types in that namespace and those nested in it; a `!` before the list means all types but these; `message /regex/` at the end \
     also requires a matching message";

/// What a rule is asked about. Only what its conditions need is read.
pub trait Judged {
    fn type_name(&self) -> &str;
    /// Those that it derives from.
    fn bases(&self) -> &[String];
    fn message(&self) -> &str;
}

/// What a filter means: types, or all but these, and messages.
#[derive(Debug, Clone, Default)]
pub struct Rule {
    names: Vec<Name>,
    is_excluding: bool,
    message: Option<Regex>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    Type(String),
    Derived(String),
    /// With its dot.
    Namespace(String),
}

impl Rule {
    /// As [`SYNTAX`] says; nothing means all.
    ///
    /// # Errors
    /// The pattern of the message is none.
    pub fn parse(condition: &str) -> Result<Self, String> {
        let (condition, message) = split_message(condition.trim());
        let message = message.map(|pattern| {
            Regex::new(pattern).map_err(|error| format!("'{pattern}' is not a valid regular expression: {error}"))
        });
        let (is_excluding, list) = condition.strip_prefix('!').map_or((false, condition), |list| (true, list));
        let mut names = Vec::new();
        let mut derived = false;
        for word in list.split([',', ' ']).filter(|word| !word.is_empty()) {
            let name = match word.strip_suffix('*').filter(|namespace| namespace.ends_with('.')) {
                _ if word == "is" => {
                    derived = true;
                    continue;
                }
                Some(namespace) => Name::Namespace(namespace.to_owned()),
                None if derived => Name::Derived(word.to_owned()),
                None => Name::Type(word.to_owned()),
            };
            derived = false;
            names.push(name);
        }
        Ok(Self { names, is_excluding, message: message.transpose()? })
    }

    pub fn means(&self, thrown: &impl Judged) -> bool {
        let is = |name: &Name| match name {
            Name::Type(name) => name == thrown.type_name(),
            Name::Derived(name) => name == thrown.type_name() || thrown.bases().contains(name),
            Name::Namespace(start) => thrown.type_name().starts_with(start.as_str()),
        };
        let is_meant = self.names.is_empty() || self.names.iter().any(is) != self.is_excluding;
        is_meant && self.message.as_ref().is_none_or(|pattern| pattern.is_match(thrown.message()))
    }
}

/// The pattern between slashes behind the word `message`, at the end.
fn split_message(condition: &str) -> (&str, Option<&str>) {
    let found = || {
        let from = condition.find("message /")?;
        let names = condition.get(..from)?;
        let pattern = condition.get(from + "message /".len()..)?.strip_suffix('/')?;
        (names.is_empty() || names.ends_with([' ', ','])).then_some((names, Some(pattern)))
    };
    found().unwrap_or((condition, None))
}

/// What a client wants to stop at. What nobody catches stops always.
#[derive(Default)]
pub struct Filters {
    pub thrown: Vec<Rule>,
    pub user_unhandled: Vec<Rule>,
    /// Threads whose exception has met the user's code.
    in_user_code: HashSet<u32>,
    /// The last exception that was reported as one that leaves the user's code: a handle that does not keep it alive.
    reported: Option<com::ReferenceValue>,
}

impl Filters {
    pub fn clear(&mut self) {
        self.thrown.clear();
        self.user_unhandled.clear();
    }

    /// # Errors
    /// The filter's name is unknown, or its condition is none.
    pub fn add(&mut self, filter: &str, condition: &str) -> Result<(), String> {
        let rules = match filter {
            ALL => &mut self.thrown,
            USER_UNHANDLED => &mut self.user_unhandled,
            other => {
                return Err(format!("no exception filter '{other}'; known filters: {ALL}, {USER_UNHANDLED}"));
            }
        };
        rules.push(Rule::parse(condition)?);
        Ok(())
    }

    /// Whether an exception stops. Who catches it matters once its handler is found; of one that leaves a static constructor none may be.
    pub fn stop(
        &mut self,
        thread: u32,
        stage: ExceptionStage,
        thrown: &impl Judged,
        is_caught_by_user: impl FnOnce() -> bool,
        leaves_initializer: impl FnOnce() -> bool,
    ) -> bool {
        let means = |rules: &[Rule]| rules.iter().any(|rule| rule.means(thrown));
        match stage {
            ExceptionStage::Unhandled => true,
            ExceptionStage::FirstChance => {
                self.in_user_code.remove(&thread);
                means(&self.thrown)
            }
            ExceptionStage::UserFirstChance => {
                let stops = means(&self.user_unhandled) && leaves_initializer();
                if !stops {
                    self.in_user_code.insert(thread);
                }
                stops
            }
            ExceptionStage::HandlerFound => {
                self.in_user_code.remove(&thread) && means(&self.user_unhandled) && !is_caught_by_user()
            }
        }
    }

    /// Whether the exception at that address of this stop was reported before as one that leaves the user's code; if not, it is now, by a
    /// handle that does not keep it alive.
    pub fn reports_again(&mut self, address: u64, handle: impl FnOnce() -> Option<com::ReferenceValue>) -> bool {
        let is_known = self.reported.as_ref().is_some_and(|reported| reported.target_address() == Ok(address));
        if !is_known {
            self.reported = handle();
        }
        is_known
    }

    /// Whether the type's name or the handler need not be looked at.
    pub fn is_idle(&self) -> bool {
        self.thrown.is_empty() && self.user_unhandled.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Seen(&'static str, Vec<String>, &'static str);

    impl Judged for Seen {
        fn type_name(&self) -> &str {
            self.0
        }

        fn bases(&self) -> &[String] {
            &self.1
        }

        fn message(&self) -> &str {
            self.2
        }
    }

    fn seen() -> Seen {
        Seen("A.In.B", vec!["A.Base".into(), "System.Exception".into()], "no such order: 7")
    }

    #[test]
    fn a_rule_names_types_or_leaves_them_out() {
        for (condition, expected) in [
            ("", true),
            ("A.In.B", true),
            ("A.C, A.In.B", true),
            ("A.C", false),
            ("!A.In.B", false),
            ("!A.C A.D", true),
            ("A.Base", false),
            ("is A.Base", true),
            ("A.C, is A.Base", true),
            ("is A.C, A.Base", false),
            ("!is System.Exception", false),
            ("A.*", true),
            ("A.In.*", true),
            ("A.I.*", false),
            ("message /order: \\d/", true),
            ("message /^order/", false),
            ("A.In.* message /order/", true),
            ("A.C, message /order/", false),
            ("!A.C message /a/b/", false),
        ] {
            assert_eq!(Rule::parse(condition).unwrap().means(&seen()), expected, "{condition}");
        }
        assert!(Rule::parse("message /(/").unwrap_err().contains("not a valid regular expression"));
    }

    #[test]
    fn what_leaves_user_code_for_a_handler_of_others_stops() {
        let mut filters = Filters::default();
        filters.add(USER_UNHANDLED, "").unwrap();
        assert!(filters.add("thrown", "").is_err());
        let mut seen = |stages: &[(ExceptionStage, bool)]| {
            stages.iter().map(|&(stage, users)| filters.stop(1, stage, &seen(), || users, || false)).collect::<Vec<_>>()
        };
        use ExceptionStage::*;
        assert_eq!(
            seen(&[(FirstChance, false), (UserFirstChance, false), (HandlerFound, false)]),
            [false, false, true]
        );
        assert_eq!(
            seen(&[(FirstChance, false), (UserFirstChance, false), (HandlerFound, true)]),
            [false, false, false]
        );
        assert_eq!(seen(&[(FirstChance, false), (HandlerFound, false)]), [false, false]);
        assert_eq!(seen(&[(FirstChance, false), (Unhandled, false)]), [false, true]);
    }
}
