//! Which recorded step answers a request.

use serde_json::Value;

use super::script::{Kind, Period, Script, Step};

/// Where a replay is.
#[derive(Debug, Default)]
pub(super) struct Position {
    pub period: Period,
    /// The step that brought us here.
    pub mover: Option<usize>,
    /// By index of the step.
    pub used: Vec<bool>,
}

impl Position {
    pub(super) fn is_used(&self, index: usize) -> bool {
        self.used.get(index).copied().unwrap_or(false)
    }

    /// Marks a step as played, and goes where it leads.
    pub(super) fn take(&mut self, index: usize, step: &Step) {
        if let Some(used) = self.used.get_mut(index) {
            *used = true;
        }
        if step.kind.moves() {
            self.period = step.leads_to;
            self.mover = Some(index);
        }
    }
}

/// The step to play for a request that is no inspection, if the recording has one.
pub(super) fn find(script: &Script, position: &Position, command: &str, arguments: &Value) -> Option<usize> {
    let kind = Kind::of(command);
    let unused = || script.steps.iter().enumerate().filter(|(index, _)| !position.is_used(*index));
    let same_command = || unused().filter(|(_, step)| step.command == command);
    let first = |found: Option<(usize, &Step)>| found.map(|(index, _)| index);
    let here = |step: &Step| step.asked_in.running == position.period.running;
    match kind {
        Kind::Start => first(same_command().next().or_else(|| unused().find(|(_, step)| step.kind == Kind::Start))),
        Kind::Resume => {
            // Never backwards: what was recorded before is over.
            let ahead =
                || unused().filter(|(index, step)| position.mover.is_none_or(|mover| *index > mover) && here(step));
            let same = ahead().find(|(_, step)| step.command == command);
            first(same.or_else(|| ahead().find(|(_, step)| step.kind == Kind::Resume)))
        }
        Kind::Pause => {
            let exact = same_command().find(|(_, step)| here(step) && step.arguments == *arguments);
            let good = || same_command().find(|(_, step)| here(step) && step.succeeded());
            first(exact.or_else(good).or_else(|| same_command().next()))
        }
        Kind::Breakpoints => first(same_command().find(|(_, step)| same_breakpoints(&step.arguments, arguments))),
        Kind::ExceptionFilters => {
            first(same_command().find(|(_, step)| without_empty(&step.arguments) == without_empty(arguments)))
        }
        Kind::Assignment => {
            let equal = || same_command().filter(|(_, step)| same_assignment(&step.arguments, arguments));
            first(equal().find(|(_, step)| step.asked_in == position.period))
        }
        // Questions of these kinds differ from client to client in what does not matter (paths, ids, environment).
        Kind::Initialize | Kind::ConfigurationDone | Kind::End | Kind::Other => {
            // Of equals the first recorded, and `max_by_key` takes the last.
            same_command().rev_by_score(arguments)
        }
        Kind::Inspection => None,
    }
}

trait ByScore {
    fn rev_by_score(self, arguments: &Value) -> Option<usize>;
}

impl<'a, I: Iterator<Item = (usize, &'a Step)>> ByScore for I {
    fn rev_by_score(self, arguments: &Value) -> Option<usize> {
        self.max_by_key(|(index, step)| (score(&step.arguments, arguments), std::cmp::Reverse(*index)))
            .map(|(index, _)| index)
    }
}

/// Exactly equal, then the same keys, then merely the same command.
fn score(recorded: &Value, asked: &Value) -> u8 {
    let (recorded, asked) = (without_empty(recorded), without_empty(asked));
    let keys =
        |value: &Value| value.as_object().map(|map| map.keys().cloned().collect::<std::collections::BTreeSet<_>>());
    if recorded == asked {
        2
    } else if keys(&recorded) == keys(&asked) {
        1
    } else {
        0
    }
}

/// No arguments, empty ones, and keys that say nothing are the same thing.
fn without_empty(arguments: &Value) -> Value {
    let empty = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    match arguments {
        Value::Object(map) => {
            map.iter().filter(|(_, value)| !empty(value)).map(|(key, value)| (key.clone(), value.clone())).collect()
        }
        Value::Null => Value::Object(serde_json::Map::new()),
        other => other.clone(),
    }
}

/// Same file name, same breakpoints in the same order: the answer has one entry for each.
fn same_breakpoints(recorded: &Value, asked: &Value) -> bool {
    recorded.get("breakpoints") == asked.get("breakpoints") && file_name(recorded) == file_name(asked)
}

/// The last component of `source.path`, in lower case: the program may lie elsewhere now.
pub(super) fn file_name(arguments: &Value) -> String {
    let path = arguments.pointer("/source/path").and_then(Value::as_str).unwrap_or_default();
    path.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase()
}

fn same_assignment(recorded: &Value, asked: &Value) -> bool {
    ["name", "expression", "value"].iter().all(|key| recorded.get(key) == asked.get(key))
}
