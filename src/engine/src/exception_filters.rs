//! Which exceptions stop the program.

use std::collections::HashSet;

use crate::com::ExceptionStage;

/// The filter of every exception that is thrown, as clients name it.
pub const ALL: &str = "all";
/// The filter of those that leave the user's code.
pub const USER_UNHANDLED: &str = "user-unhandled";

/// Types that a filter means: full names, or all but these.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rule {
    names: Vec<String>,
    is_excluding: bool,
}

impl Rule {
    /// `A.B, C.D`, or `!A.B` for all others; nothing means all.
    pub fn parse(condition: &str) -> Self {
        let condition = condition.trim();
        let (is_excluding, list) = condition.strip_prefix('!').map_or((false, condition), |list| (true, list));
        let names = list.split([',', ' ']).map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
        Self { names: names.collect(), is_excluding }
    }

    pub fn means(&self, type_name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| name == type_name) != self.is_excluding
    }
}

/// What a client wants to stop at. What nobody catches stops always.
#[derive(Debug, Default)]
pub struct Filters {
    pub thrown: Vec<Rule>,
    pub user_unhandled: Vec<Rule>,
    /// Threads whose exception has met the user's code.
    in_user_code: HashSet<u32>,
}

impl Filters {
    pub fn clear(&mut self) {
        self.thrown.clear();
        self.user_unhandled.clear();
    }

    /// # Errors
    /// The filter's name is unknown.
    pub fn add(&mut self, filter: &str, condition: &str) -> Result<(), String> {
        let rules = match filter {
            ALL => &mut self.thrown,
            USER_UNHANDLED => &mut self.user_unhandled,
            other => {
                return Err(format!("no exception filter '{other}'; known filters: {ALL}, {USER_UNHANDLED}"));
            }
        };
        rules.push(Rule::parse(condition));
        Ok(())
    }

    /// Whether an exception stops. `handler_is_users` matters once the handler is found.
    pub fn stop(&mut self, thread: u32, stage: ExceptionStage, type_name: &str, handler_is_users: bool) -> bool {
        let means = |rules: &[Rule]| rules.iter().any(|rule| rule.means(type_name));
        match stage {
            ExceptionStage::Unhandled => true,
            ExceptionStage::FirstChance => {
                self.in_user_code.remove(&thread);
                means(&self.thrown)
            }
            ExceptionStage::UserFirstChance => {
                self.in_user_code.insert(thread);
                false
            }
            ExceptionStage::HandlerFound => {
                self.in_user_code.remove(&thread) && !handler_is_users && means(&self.user_unhandled)
            }
        }
    }

    /// Whether the type's name or the handler need not be looked at.
    pub fn is_idle(&self) -> bool {
        self.thrown.is_empty() && self.user_unhandled.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_names_types_or_leaves_them_out() {
        for (condition, type_name, expected) in [
            ("", "A.B", true),
            ("A.B", "A.B", true),
            ("A.C, A.B", "A.B", true),
            ("A.C", "A.B", false),
            ("!A.B", "A.B", false),
            ("!A.C A.D", "A.B", true),
        ] {
            assert_eq!(Rule::parse(condition).means(type_name), expected, "{condition}");
        }
    }

    #[test]
    fn what_leaves_user_code_for_a_handler_of_others_stops() {
        let mut filters = Filters::default();
        filters.add(USER_UNHANDLED, "").unwrap();
        assert!(filters.add("thrown", "").is_err());
        let mut seen = |stages: &[(ExceptionStage, bool)]| {
            stages.iter().map(|&(stage, users)| filters.stop(1, stage, "A.B", users)).collect::<Vec<_>>()
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
