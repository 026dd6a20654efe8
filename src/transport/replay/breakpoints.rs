//! Breakpoints at places or functions the recorder knew, asked for in another combination.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{
    matching::{Position, file_name},
    script::{Kind, Script, Step},
};

/// Ids for breakpoints that no recording knows, above those of any adapter.
const FIRST_OWN_ID: i64 = 1_000_000;

/// What is known of breakpoints: from the recorded answers, and from events already played.
#[derive(Debug, Default)]
pub(super) struct Book {
    /// Place to (recorded answer, index of the step that gave it).
    places: HashMap<Place, (Value, usize)>,
    /// By id, as the latest played event has it.
    now: HashMap<i64, Value>,
    own_ids: HashMap<Place, i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    Line(String, i64),
    Function(String),
}

impl Book {
    pub(super) fn new(script: &Script) -> Self {
        let mut book = Self::default();
        for (index, step) in script.steps.iter().enumerate().filter(|(_, step)| step.kind == Kind::Breakpoints) {
            let answers = step.result().and_then(|body| body.get("breakpoints")?.as_array()).into_iter().flatten();
            for (place, answer) in places(&step.arguments).into_iter().zip(answers) {
                if let Some(place) = place {
                    book.places.entry(place).or_insert_with(|| (answer.clone(), index));
                }
            }
        }
        book
    }

    /// A `breakpoint` event went out.
    pub(super) fn reported(&mut self, event: &Value) {
        let breakpoint = event.pointer("/body/breakpoint");
        if let Some((id, breakpoint)) = breakpoint.and_then(|breakpoint| Some((id(breakpoint)?, breakpoint))) {
            self.now.insert(id, breakpoint.clone());
        }
    }

    /// The body of an answer: one entry for each breakpoint asked for.
    pub(super) fn answer(&mut self, script: &Script, position: &Position, arguments: &Value) -> Value {
        let entries: Vec<Value> =
            places(arguments).into_iter().map(|place| self.entry(script, position, place)).collect();
        json!({"breakpoints": entries})
    }

    fn entry(&mut self, script: &Script, position: &Position, place: Option<Place>) -> Value {
        let Some(place) = place else {
            return json!({"verified": false, "message": "neither a line nor a name"});
        };
        let Some((recorded, index)) = self.places.get(&place) else {
            let next = FIRST_OWN_ID + i64::try_from(self.own_ids.len()).unwrap_or(0);
            let id = *self.own_ids.entry(place.clone()).or_insert(next);
            let mut entry = json!({"id": id, "verified": false, "message": super::UNKNOWN});
            if let (Place::Line(_, line), Some(map)) = (place, entry.as_object_mut()) {
                map.insert("line".to_owned(), Value::from(line));
            }
            return entry;
        };
        let known = id(recorded).and_then(|id| {
            // The events of a step that is not played would never come: they count as if they had.
            let skipped = script.steps.get(*index).filter(|_| !position.is_used(*index));
            self.now.get(&id).cloned().or_else(|| verified_within(skipped?, id))
        });
        known.unwrap_or_else(|| recorded.clone())
    }
}

fn verified_within(step: &Step, wanted: i64) -> Option<Value> {
    step.events("breakpoint")
        .filter_map(|event| event.pointer("/body/breakpoint"))
        .rfind(|breakpoint| id(breakpoint) == Some(wanted))
        .cloned()
}

fn id(breakpoint: &Value) -> Option<i64> {
    breakpoint.get("id")?.as_i64()
}

/// One for each breakpoint asked for, `None` for what makes no sense.
fn places(arguments: &Value) -> Vec<Option<Place>> {
    let file = file_name(arguments);
    let wanted = arguments.get("breakpoints").and_then(Value::as_array).into_iter().flatten();
    wanted
        .map(|breakpoint| {
            let line = breakpoint.get("line").and_then(Value::as_i64).map(|line| Place::Line(file.clone(), line));
            line.or_else(|| Some(Place::Function(breakpoint.get("name")?.as_str()?.to_owned())))
        })
        .collect()
}
