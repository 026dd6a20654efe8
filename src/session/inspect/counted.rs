//! How many elements a collection has whose own `Count` may not run: that of a concurrent one takes its locks, which a thread that
//! stands still may hold for good, and freezes or marks its segments. Its fields say the same.

use super::effects::parse::{self, Kind};
use super::evaluate::{Evaluated, evaluate};
use super::path;
use super::reader::Reader;
use super::shape::Form;

/// The value of `receiver.Count`; `None` for any other expression, and where the fields are not known.
pub async fn value(reader: &Reader, expression: &str) -> Option<Evaluated> {
    let whole = parse::parse(expression)?;
    let Kind::Member(receiver, name) = &whole.kind else { return None };
    if name != "Count" {
        return None;
    }
    let at = Box::pin(evaluate(reader, &receiver.text, false)).await.ok()?;
    // what wraps another collection would ask that one, which may be the program's own
    let is_concurrent = at.value.type_name.starts_with("System.Collections.Concurrent.");
    if !is_concurrent || !matches!(reader.modules.shape(&at.value.type_name).form, Form::Collection(_)) {
        return None;
    }
    path::follow(reader, at, name).await.ok()
}
