//! Values of the program, in C# notation, whatever their type: strings here, so a number of ours is never mistaken for one of theirs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{absent, each, some_count};
use crate::session;

/// A named value: exactly one of `value`, `error`, `cycle`, `members` is there (none only for an object without members).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Variable {
    pub name: String,
    #[serde(rename = "type", skip_serializing_if = "absent")]
    pub type_name: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub count: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub value: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub cycle: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub members: Vec<Variable>,
    #[serde(skip_serializing_if = "absent")]
    pub length: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub was: Option<String>,
    #[serde(rename = "static", default, skip_serializing_if = "absent")]
    pub is_static: bool,
    #[serde(default, skip_serializing_if = "absent")]
    pub unassigned: bool,
    #[serde(skip_serializing_if = "absent")]
    pub path: Option<String>,
}

/// variables_get and object_inspect.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VariablesReport {
    #[serde(skip_serializing_if = "absent")]
    pub path: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "absent")]
    pub type_name: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub count: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub identity: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub address: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub bytes: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub generation: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub start: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub null_count: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub min: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub max: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub mean: Option<String>,
    /// Left out beside elements that are plain literals; `[]` where there is nothing at all.
    #[serde(default, skip_serializing_if = "absent")]
    #[schemars(with = "Vec<Variable>")]
    pub variables: Option<Vec<Variable>>,
    #[serde(default, skip_serializing_if = "absent")]
    pub elements: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub hidden: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub searched: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub next_start: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
    /// Fewer are shown than were read. Every answer may have it, so the schema has it from there.
    #[serde(default, skip_serializing_if = "absent")]
    #[schemars(skip)]
    pub truncated: bool,
    /// Where a page begins that starts with one of those shown.
    #[serde(skip)]
    pub positions: Vec<u64>,
}

impl VariablesReport {
    /// How many are shown one after the other.
    pub fn shown(&self) -> usize {
        self.variables.as_ref().map_or(0, Vec::len).max(self.elements.len())
    }

    /// The first `count` of what is shown, with the place to go on; `None` where that cannot be named.
    pub fn first(&self, count: usize, reason: &str) -> Option<Self> {
        let mut first = self.clone();
        let next = match self.positions.get(count) {
            Some(position) => *position,
            None if self.positions.is_empty() && self.searched.is_none() => {
                self.start.unwrap_or_default() + u64::try_from(count).ok()?
            }
            None => return None,
        };
        first.elements.truncate(count);
        first.variables.iter_mut().for_each(|variables| variables.truncate(count));
        first.next_start = Some(next);
        first.truncated = true;
        // said of all already
        first.searched = None;
        first.note = Some(self.note.iter().map(String::as_str).chain([reason]).collect::<Vec<_>>().join("; "));
        Some(first)
    }
}

/// evaluate: one value, or `results` for several expressions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvaluateReport {
    #[serde(rename = "type", skip_serializing_if = "absent")]
    pub type_name: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub count: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub value: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub length: Option<u64>,
    /// Of an assignment: the value before.
    #[serde(skip_serializing_if = "absent")]
    pub was: Option<String>,
    /// A path to the result of a long expression.
    #[serde(skip_serializing_if = "absent")]
    pub path: Option<String>,
    /// Elements of one shape, instead of `value`: a row each.
    #[serde(default, skip_serializing_if = "absent")]
    pub column_names: Vec<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub rows: Vec<Vec<String>>,
    /// Where variables_get goes on, by `path`.
    #[serde(skip_serializing_if = "absent")]
    pub next_start: Option<u64>,
    #[serde(default, skip_serializing_if = "absent")]
    pub results: Vec<Variable>,
}

/// variable_set: read back after the write.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SetReport {
    pub path: String,
    #[serde(rename = "type", skip_serializing_if = "absent")]
    pub type_name: Option<String>,
    pub value: String,
    /// Omitted: the assignment added the key.
    #[serde(default, skip_serializing_if = "absent")]
    pub was: Option<String>,
}

/// watch_set; values when the program is stopped.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchReport {
    #[serde(default, skip_serializing_if = "absent")]
    pub expressions: Vec<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub watches: Vec<Variable>,
}

impl From<session::Variable> for Variable {
    fn from(variable: session::Variable) -> Self {
        let mut wire = Self {
            name: variable.name,
            type_name: variable.type_name,
            count: variable.count,
            length: variable.length,
            was: variable.was,
            is_static: variable.is_static,
            unassigned: variable.unassigned,
            path: variable.path,
            ..Self::default()
        };
        match variable.content {
            session::Content::Value(value) => wire.value = Some(value),
            session::Content::Error(error) => wire.error = Some(error),
            session::Content::Cycle(path) => wire.cycle = Some(path),
            session::Content::Members(members) => wire.members = each(members),
        }
        wire
    }
}

impl From<session::VariablesView> for VariablesReport {
    fn from(view: session::VariablesView) -> Self {
        let (min, max, mean) = match view.summary {
            Some((min, max, mean)) => (Some(min), Some(max), Some(mean)),
            None => (None, None, None),
        };
        let (identity, address, bytes, generation) = match view.object {
            Some(place) => (Some(place.identity), Some(place.address), Some(place.bytes), place.generation),
            None => Default::default(),
        };
        Self {
            path: view.path,
            type_name: view.type_name,
            count: view.count,
            start: some_count(view.start),
            null_count: some_count(view.null_count),
            min,
            max,
            mean,
            variables: Some(view.variables)
                .filter(|variables| !variables.is_empty() || view.elements.is_empty())
                .map(each),
            elements: view.elements,
            hidden: some_count(view.hidden),
            searched: view.searched,
            next_start: view.next_start,
            note: view.note,
            truncated: false,
            positions: view.positions,
            identity,
            address,
            bytes,
            generation,
        }
    }
}

/// Letters of an expression that an answer repeats. Whoever asked has the list.
const REPEATED: usize = 40;
/// Of a longer one, its end, where those of a list differ.
const END: usize = 20;

/// The values of a list of expressions: a long expression is named by its place in the list and its end, `[3] …lines[2].Price`.
pub(super) fn named_by_place(results: Vec<session::Variable>) -> Vec<Variable> {
    let mut results: Vec<Variable> = each(results);
    for (at, result) in results.iter_mut().enumerate() {
        let length = result.name.chars().count();
        if length > REPEATED {
            let end: String = result.name.chars().skip(length - END).collect();
            result.name = format!("[{at}] …{}", end.trim_start());
        }
    }
    results
}

/// The names of members, and for each element their values.
fn table(elements: &[Variable]) -> (Vec<String>, Vec<Vec<String>>) {
    let columns = elements.first().map(|element| element.members.iter().map(|member| member.name.clone()).collect());
    let cell = |member: &Variable| member.value.clone().unwrap_or_default();
    let rows = elements.iter().map(|element| element.members.iter().map(cell).collect());
    (columns.unwrap_or_default(), rows.collect())
}

impl From<session::EvaluateView> for EvaluateReport {
    fn from(view: session::EvaluateView) -> Self {
        match view {
            session::EvaluateView::Several(results) => Self { results: named_by_place(results), ..Self::default() },
            session::EvaluateView::One(variable) => {
                let variable = Variable::from(variable);
                let (column_names, rows) = table(&variable.members);
                let next = variable.count.filter(|count| variable.path.is_some() && *count > rows.len() as u64);
                Self {
                    next_start: next.filter(|_| !rows.is_empty()).map(|_| rows.len() as u64),
                    column_names,
                    rows,
                    type_name: variable.type_name,
                    count: variable.count,
                    value: variable.value,
                    length: variable.length,
                    was: variable.was,
                    path: variable.path,
                    results: Vec::new(),
                }
            }
        }
    }
}

impl From<session::SetView> for SetReport {
    fn from(view: session::SetView) -> Self {
        Self { path: view.path, type_name: view.type_name, value: view.value, was: view.was }
    }
}

impl From<session::WatchView> for WatchReport {
    fn from(view: session::WatchView) -> Self {
        Self { expressions: view.expressions, watches: each(view.values) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_one_shape_have_their_names_once() {
        let of = |name: &str, value: &str| {
            let content = session::Content::Value(value.to_owned());
            session::Variable { name: name.to_owned(), content, ..session::Variable::default() }
        };
        let element = |id: &str| {
            let content = session::Content::Members(vec![of("Id", id), of("Name", "null")]);
            session::Variable { content, ..session::Variable::default() }
        };
        let content = session::Content::Members(vec![element("1"), element("2")]);
        let mut all =
            session::Variable { content, count: Some(5), path: Some("$1".into()), ..session::Variable::default() };
        let report = EvaluateReport::from(session::EvaluateView::One(all.clone()));
        assert_eq!(
            serde_json::to_string(&report).unwrap(),
            r#"{"count":5,"path":"$1","column_names":["Id","Name"],"rows":[["1","null"],["2","null"]],"next_start":2}"#
        );
        // nothing names the rest of what cannot be evaluated again
        all.path = None;
        assert_eq!(EvaluateReport::from(session::EvaluateView::One(all)).next_start, None);
    }

    #[test]
    fn long_expressions_are_named_by_their_place_and_end() {
        let name = |name: &str| session::Variable { name: name.to_owned(), ..session::Variable::default() };
        let long = "this._scheduler._stages[17]._buffers[3]._entries[42].Key.Name";
        let named = named_by_place(vec![name("order.Total"), name(long), name(&"x".repeat(40))]);
        let names: Vec<&str> = named.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["order.Total", "[1] …entries[42].Key.Name", &"x".repeat(40)]);
    }
}
