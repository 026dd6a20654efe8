//! Arguments that several tools take: breakpoints and exception rules as launch and attach take them, places, limits of numbers.

use std::time::Duration;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use super::yes;
use crate::session::{BreakpointSpec, ExceptionMode, ExceptionRule, FrameRef, Place, SessionError, ThreadId};

/// How long waiting tools wait when the caller does not say.
pub(super) const PATIENCE: Option<Duration> = Some(Duration::from_secs(30));

/// DAP's lines are 32-bit in the adapters.
pub(super) const MOST_LINE: u32 = 2_147_483_647;

/// One of `breakpoints[]`, and what breakpoint_set takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct BreakpointItem {
    #[schemars(length(min = 1))]
    file: Option<String>,
    #[schemars(range(min = 1, max = MOST_LINE))]
    line: Option<u32>,
    #[schemars(length(min = 1))]
    text: Option<String>,
    #[schemars(length(min = 1))]
    function: Option<String>,
    condition: Option<String>,
    #[schemars(extend("x-unlisted" = true))]
    hit_condition: Option<String>,
    #[serde(default)]
    #[schemars(extend("x-unlisted" = true))]
    temporary: bool,
    #[serde(default = "yes")]
    #[schemars(extend("x-unlisted" = true))]
    enabled: bool,
    #[serde(default)]
    #[schemars(extend("x-unlisted" = true))]
    allow_side_effects: bool,
}

impl BreakpointItem {
    pub(super) fn into_spec(self, argument: &str) -> Result<BreakpointSpec, SessionError> {
        Ok(BreakpointSpec {
            condition: self.condition.filter(|it| !it.trim().is_empty()),
            hit_condition: self.hit_condition.filter(|it| !it.trim().is_empty()),
            temporary: self.temporary,
            enabled: self.enabled,
            allow_side_effects: self.allow_side_effects,
            ..BreakpointSpec::at(place(argument, self.file, self.line, self.text, self.function)?)
        })
    }
}

/// All of `breakpoints[]`.
pub(super) fn specs(items: Vec<BreakpointItem>) -> Result<Vec<BreakpointSpec>, SessionError> {
    let named = |(index, item): (usize, BreakpointItem)| item.into_spec(&format!("breakpoints[{index}]"));
    items.into_iter().enumerate().map(named).collect()
}

/// `file` with `line` and/or `text`, or `function`. `argument` is what they belong to; empty: the call itself.
pub(super) fn place(
    argument: &str,
    file: Option<String>,
    line: Option<u32>,
    text: Option<String>,
    function: Option<String>,
) -> Result<Place, SessionError> {
    const TAKES: &str = "pass `file` with `line` or `text` (part of the line), or `function`";
    let wrong = |name: &str, what: String| {
        let path = if argument.is_empty() { name.to_owned() } else { format!("{argument}.{name}") };
        let message = if argument.is_empty() { what } else { format!("{argument}: {what}") };
        Err(SessionError::argument(&path, message, TAKES))
    };
    match (file, function) {
        (Some(_), Some(_)) => wrong("function", "`file` and `function` cannot be combined".into()),
        (None, Some(_)) if line.is_some() => wrong("line", "`line` needs `file`, not `function`".into()),
        (None, Some(_)) if text.is_some() => wrong("text", "`text` needs `file`, not `function`".into()),
        (None, Some(function)) => Ok(Place::Function(function)),
        (Some(_), None) if line.is_none() && text.is_none() => wrong("line", "`file` needs `line` or `text`".into()),
        (Some(_), None) if text.as_deref().is_some_and(|text| text.trim().is_empty()) => {
            wrong("text", "`text` is blank".into())
        }
        (Some(file), None) => Ok(Place::Source { file, line, text }),
        (None, None) => wrong("file", "`file` or `function` is required".into()),
    }
}

/// Which exceptions stop the program.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ExceptionArgs {
    /// Full or short names; `*` = all (default).
    #[serde(default)]
    types: Vec<String>,
    #[serde(default)]
    mode: Mode,
    #[serde(default = "yes")]
    include_subtypes: bool,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    #[default]
    Thrown,
    UserUnhandled,
    Unhandled,
    Never,
}

impl From<ExceptionArgs> for ExceptionRule {
    fn from(args: ExceptionArgs) -> Self {
        Self {
            types: if args.types.is_empty() { vec!["*".into()] } else { args.types },
            mode: match args.mode {
                Mode::Thrown => ExceptionMode::Thrown,
                Mode::UserUnhandled => ExceptionMode::UserUnhandled,
                Mode::Unhandled => ExceptionMode::Unhandled,
                Mode::Never => ExceptionMode::Never,
            },
            include_subtypes: args.include_subtypes,
        }
    }
}

/// The frame that `thread_id` and `frame` name.
pub(super) fn frame_ref(thread: Option<u32>, frame: Option<u32>) -> FrameRef {
    FrameRef { thread: thread_id(thread), frame: frame.and_then(|frame| usize::try_from(frame).ok()) }
}

pub(super) fn thread_id(thread: Option<u32>) -> Option<ThreadId> {
    thread.map(|id| ThreadId(i64::from(id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_line_of_a_file_or_a_function() {
        let some = |word: &str| Some(word.to_owned());
        for (file, line, text, function, wrong) in [
            (some("a.cs"), Some(1), None, None, None),
            (some("a.cs"), None, some("x"), None, None),
            (some("a.cs"), Some(1), some("x"), None, None),
            (None, None, None, some("A.B"), None),
            (some("a.cs"), None, None, None, Some("line")),
            (some("a.cs"), None, some("  "), None, Some("text")),
            (some("a.cs"), Some(1), None, some("A.B"), Some("function")),
            (None, Some(1), None, some("A.B"), Some("line")),
            (None, None, some("x"), some("A.B"), Some("text")),
            (None, None, None, None, Some("file")),
            (None, Some(1), None, None, Some("file")),
        ] {
            let got = place("", file.clone(), line, text.clone(), function.clone());
            let argument = got.err().map(|error| match error.details.map(|it| *it) {
                Some(crate::session::Details::Argument { argument, .. }) => argument,
                other => panic!("{other:?}"),
            });
            assert_eq!(argument.as_deref(), wrong, "{file:?} {line:?} {text:?} {function:?}");
        }
    }
}
