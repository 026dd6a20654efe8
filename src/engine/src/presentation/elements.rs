//! Collections of the framework by their elements.

use clr_csharp::types::PAIR;
use clr_csharp::value::{Content as Made, Value};

use super::rows::{Access, Opens, Row};
use super::{Presenter, Seen};
use crate::evaluate::{Answer, DATA};
use crate::values::{Place, Shown};

/// Elements that are listed at once; those behind them are in one row.
pub(super) const PAGE: usize = 1_000;
/// Whose nodes are those of another set, and not all of them.
const PART_OF_A_SET: &str = "System.Collections.Generic.SortedSet`1+TreeSubSet";
/// Collections that C# takes a position of in brackets.
const BY_POSITION: [&str; 4] = [
    "System.Collections.Generic.List`1",
    "System.Collections.Immutable.ImmutableArray`1",
    "System.ArraySegment`1",
    "System.Collections.ObjectModel.ReadOnlyCollection`1",
];
const BY_KEY: [&str; 4] = [
    "System.Collections.Generic.Dictionary`2",
    "System.Collections.Generic.SortedDictionary`2",
    "System.Collections.Generic.SortedList`2",
    DATA,
];

impl Presenter<'_> {
    /// From that position on, of a collection whose layout is known.
    pub(super) fn elements(&mut self, seen: &Seen, start: usize) -> Option<Vec<Row>> {
        // a class of the program's that derives from a collection is one
        let level = seen.levels.iter().find(|level| level.definition.module.is_framework)?;
        let name = level.definition.view().full_name();
        if name == PART_OF_A_SET {
            return None;
        }
        let limit = start.saturating_add(PAGE).saturating_add(1);
        let arguments = level.type_.arguments().to_vec();
        let found = self.evaluation.elements_by(&seen.place, &name, arguments, limit).ok()??;
        let has_more = found.len() == limit;
        let mut rows = Vec::new();
        for (at, element) in found.into_iter().enumerate().skip(start).take(PAGE) {
            rows.push(self.element(&name, at, element));
        }
        if has_more {
            let start = start + PAGE;
            let rest = Opens::Rest { place: seen.place.clone(), start };
            rows.push(Row { kind: Some("class"), ..Row::new(format!("[{start}..]"), Shown::default(), rest) });
        }
        Some(rows)
    }

    /// # Errors
    /// It is no such collection any more.
    pub fn rest(&mut self, place: &Place, start: usize) -> Result<Vec<Row>, String> {
        let rows = self.seen(place).and_then(|seen| self.elements(&seen, start));
        rows.ok_or_else(|| "the elements cannot be read".to_owned())
    }

    fn element(&mut self, collection: &str, at: usize, element: Value<Place>) -> Row {
        let any = Access { before: "System.Linq.Enumerable.ElementAt(".into(), behind: format!(", {at})") };
        let Some((key, value)) = self.pair(&element).filter(|_| BY_KEY.contains(&collection)) else {
            let access = match BY_POSITION.contains(&collection) {
                true => Access::behind(format!("[{at}]")),
                false => any,
            };
            let row = self.row_of_value(format!("[{at}]"), element);
            return Row { access: Some(access), ..row };
        };
        let key = self.answer_summary(&key, 0).0.shown;
        // a key that is a literal of C#
        let is_literal = matches!(key.type_name.as_str(), "string" | "int" | "long" | "bool") && key.text != "null";
        let access = match is_literal && matches!(self.view.numbers, clr_csharp::specifiers::Specifier::Decimal) {
            true => Access::behind(format!("[{}]", key.text)),
            false => any.then(&Access::behind(".Value")),
        };
        let row = self.row_of_value(format!("[{}]", key.text), value.value);
        // its elements have no positions
        let access = Some(access).filter(|_| is_literal || collection != DATA);
        Row { access, ..row }
    }

    fn row_of_value(&mut self, name: String, value: Value<Place>) -> Row {
        let answer = answer(value);
        let row = self.row_of_answer(&name, &answer);
        let place = match answer.value {
            Value::Object(place) => Some(place),
            _ => None,
        };
        // it is known by its key or position, whatever its type would call it
        Row { name, place, ..row }
    }

    /// Key and value of an entry.
    fn pair(&self, element: &Value<Place>) -> Option<(Answer, Answer)> {
        match element {
            Value::Made(made) if made.type_.is(PAIR) => match &made.content {
                Made::Tuple(parts) => match parts.as_slice() {
                    [key, value] => Some((answer(key.clone()), answer(value.clone()))),
                    _ => None,
                },
                _ => None,
            },
            Value::Object(place) => {
                let seen = self.seen(place)?;
                seen.is_of(PAIR)?;
                let part = |name: &str| self.evaluation.held(&self.evaluation.part(&seen.place, name).ok()?).ok();
                Some((answer(part("key")?), answer(part("value")?)))
            }
            _ => None,
        }
    }
}

/// Of which only the value says the type.
fn answer(value: Value<Place>) -> Answer {
    Answer { value, type_: clr_csharp::types::Type::Late }
}
