//! The `launch` and `attach` arguments that all known adapters understand: netcoredbg's keys, a subset of vsdbg's.
//!
//! Never a null: a null in `env` drops the whole environment silently, one elsewhere fails the request.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::profile::Profile;

/// A program that the adapter is to start itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaunchPlan {
    /// Absolute. Adapters run `dotnet <dll>` and look for `dotnet` on the PATH of their own environment.
    pub dll: PathBuf,
    pub args: Vec<String>,
    /// Absolute and existing: a missing one is ignored silently.
    pub cwd: PathBuf,
    /// Added to the adapter's environment; a variable can only be removed there.
    pub env: Vec<(String, String)>,
    pub stop_at_entry: bool,
    pub just_my_code: bool,
}

impl Profile {
    /// The arguments of `launch`.
    pub fn launch_arguments(&self, plan: &LaunchPlan) -> Value {
        let env: Map<String, Value> =
            plan.env.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
        let mut arguments = json!({
            "program": plan.dll.to_string_lossy(),
            "args": plan.args,
            "cwd": plan.cwd.to_string_lossy(),
            "env": env,
            "stopAtEntry": plan.stop_at_entry,
            "justMyCode": plan.just_my_code,
        });
        let Some(more) = arguments.as_object_mut() else { return arguments };
        if self.quirks.takes_evaluation_options {
            // A stop runs no code of the program: no debugger displays, no `ToString`, no proxies.
            let quiet = json!({ "allowImplicitFuncEval": false, "allowToString": false, "showRawValues": true });
            more.insert("expressionEvaluationOptions".into(), quiet);
        }
        arguments
    }

    /// The arguments of `attach`: a number, since text that is not a number kills netcoredbg.
    pub fn attach_arguments(&self, pid: u32) -> Value {
        json!({ "processId": pid })
    }

    /// Why a program that the adapter starts itself would get other arguments than `args`, if it would.
    pub fn changed_argument<'a>(&self, mut args: impl Iterator<Item = &'a String>) -> Option<String> {
        let quirks = self.quirks.arguments;
        let why = |arg: &str| match arg {
            "" if quirks.empty => Some("is empty and would be dropped"),
            _ if quirks.quotes && arg.contains('"') => Some("has a double quote, which would be lost"),
            _ if quirks.backslashes && arg.contains('\\') => {
                Some("has a backslash, which would be doubled or would join this argument to the next")
            }
            _ if quirks.blank_and_last_backslash && arg.contains(' ') && arg.ends_with('\\') => {
                Some("has a space and ends with a backslash, and would be dropped")
            }
            _ => None,
        };
        args.find_map(|arg| Some(format!("argument {arg:?} {}", why(arg)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Command, Quirks, dncdbg, netcoredbg};

    fn profile(name: &str, quirks: Quirks) -> Profile {
        Profile { name: name.into(), command: Command::default(), version: None, quirks, recording: None }
    }

    fn both() -> [Profile; 2] {
        [profile("netcoredbg", netcoredbg::quirks()), profile("dncdbg", dncdbg::quirks())]
    }

    fn has_null(value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::Array(items) => items.iter().any(has_null),
            Value::Object(members) => members.values().any(has_null),
            Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        }
    }

    #[test]
    fn no_argument_is_ever_null() {
        let plans = [
            LaunchPlan::default(),
            LaunchPlan {
                dll: "/a b/é.dll".into(),
                args: vec![String::new(), "x".into()],
                cwd: "/a b".into(),
                env: vec![("A".into(), String::new()), ("B".into(), "ü".into())],
                stop_at_entry: true,
                just_my_code: true,
            },
        ];
        for profile in both() {
            for plan in &plans {
                let arguments = profile.launch_arguments(plan);
                assert!(!has_null(&arguments), "{arguments}");
                assert!(arguments["env"].as_object().unwrap().values().all(Value::is_string));
            }
            assert_eq!(profile.attach_arguments(4711), json!({"processId": 4711}));
        }
    }

    #[test]
    fn arguments_that_would_change_are_found() {
        // (argument, netcoredbg changes it, dncdbg changes it), as measured.
        let cases = [
            ("a b", false, false),
            ("it's", false, false),
            ("$HOME `x` a;b", false, false),
            ("\"q\"", false, true),
            ("two \"w x\"", false, true),
            ("", false, true),
            ("a\\b", true, false),
            ("back\\", true, false),
            ("sp back\\", true, true),
            ("\\\"", true, true),
        ];
        let [netcoredbg, dncdbg] = both();
        for (arg, by_netcoredbg, by_dncdbg) in cases {
            let args = ["fine".to_owned(), arg.to_owned()];
            assert_eq!(netcoredbg.changed_argument(args.iter()).is_some(), by_netcoredbg, "netcoredbg {arg:?}");
            assert_eq!(dncdbg.changed_argument(args.iter()).is_some(), by_dncdbg, "dncdbg {arg:?}");
        }
        let changed = dncdbg.changed_argument(["x".to_owned(), String::new()].iter());
        assert_eq!(changed.as_deref(), Some("argument \"\" is empty and would be dropped"));
    }
}
