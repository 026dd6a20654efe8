//! The arguments of `launch` and `attach`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use crate::start::ProgramSpec;
use crate::target::{NotMine, Options};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LaunchArguments {
    program: PathBuf,
    args: Vec<String>,
    cwd: Option<PathBuf>,
    env: BTreeMap<String, Value>,
    stop_at_entry: bool,
    just_my_code: Option<bool>,
    /// Not of other adapters: what is not my code, as [`NotMine`] has it.
    #[serde(default)]
    not_my_code: Option<Vec<String>>,
    enable_step_filtering: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttachArguments {
    pub process_id: ProcessId,
    just_my_code: Option<bool>,
    /// Not of other adapters: what is not my code, as [`NotMine`] has it.
    #[serde(default)]
    not_my_code: Option<Vec<String>>,
    enable_step_filtering: Option<bool>,
}

/// A number, or its digits.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum ProcessId {
    Number(u32),
    Text(String),
}

impl ProcessId {
    pub fn number(&self) -> Option<u32> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok(),
        }
    }
}

impl LaunchArguments {
    pub fn options(&self) -> Options {
        Options {
            stop_at_entry: self.stop_at_entry,
            just_my_code: self.just_my_code.unwrap_or(true),
            not_mine: NotMine(self.not_my_code.clone().unwrap_or_default()),
            filter_steps: self.enable_step_filtering.unwrap_or(true),
        }
    }

    pub fn spec(&self) -> ProgramSpec {
        // a value that is no text has its JSON; null removes the variable
        let text = |value: &Value| match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        ProgramSpec {
            program: self.program.clone(),
            args: self.args.clone(),
            cwd: self.cwd.clone().filter(|folder| !folder.as_os_str().is_empty()),
            env: self.env.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
        }
    }
}

impl AttachArguments {
    /// Those of a `launch` before it hold where it says nothing.
    pub fn options(&self, before: Option<Options>) -> Options {
        let before = before.unwrap_or_default();
        Options {
            stop_at_entry: false,
            just_my_code: self.just_my_code.unwrap_or(before.just_my_code),
            not_mine: self.not_my_code.clone().map_or(before.not_mine, NotMine),
            filter_steps: self.enable_step_filtering.unwrap_or(before.filter_steps),
        }
    }
}
