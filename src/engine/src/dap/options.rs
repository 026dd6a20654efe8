//! The arguments of `launch` and `attach`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use crate::presentation::{Runs, View};
use crate::start::ProgramSpec;
use crate::target::{NotMine, Options, SourceFileMap};

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
    source_file_map: BTreeMap<String, Value>,
    expression_evaluation_options: Asked,
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
    #[serde(default)]
    source_file_map: BTreeMap<String, Value>,
    expression_evaluation_options: Option<Asked>,
}

/// What evaluations may do, as other debuggers for .NET have it; what is not said is allowed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Asked {
    allow_implicit_func_eval: Option<bool>,
    allow_to_string: Option<bool>,
    show_raw_values: bool,
}

impl Asked {
    fn view(self) -> View {
        let runs = if self.allow_implicit_func_eval.unwrap_or(true) { Runs::Pure } else { Runs::Nothing };
        View { runs, strings: self.allow_to_string.unwrap_or(true), is_raw: self.show_raw_values, ..View::default() }
    }
}

/// Paths that are texts; VS Code's own settings may hold more.
fn source_map(entries: &BTreeMap<String, Value>) -> SourceFileMap {
    let text = |(from, to): (&String, &Value)| Some((from.clone(), to.as_str()?.to_owned()));
    SourceFileMap::new(entries.iter().filter_map(text))
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
            sources: source_map(&self.source_file_map),
        }
    }

    /// How values are shown.
    pub fn view(&self) -> View {
        self.expression_evaluation_options.view()
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
            sources: if self.source_file_map.is_empty() { before.sources } else { source_map(&self.source_file_map) },
        }
    }

    /// How values are shown, where it says so.
    pub fn view(&self) -> Option<View> {
        self.expression_evaluation_options.map(Asked::view)
    }
}
