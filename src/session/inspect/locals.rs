//! The variables of a frame, previewed side by side within a budget.

use std::time::Duration;

use super::access::ReadError;
use super::literal;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::side_by_side;
use super::stack_frame::StackFrame;
use super::{exact, preview, text};
use crate::session::report::Variable;

/// Locals that a stop report shows.
pub const SHOWN: usize = 20;
/// Locals that are compared with what they were at the last stop in the frame.
pub const COMPARED: usize = 200;
/// Time for all previews of a stop, where the reader has no budget of its own; what is not read by then shows as `{…}`. The first evaluation of netcoredbg alone
/// takes 98-270 ms (vendor-notes.md), and 3 s on a machine that is busy with a build.
pub const BUDGET: Duration = Duration::from_secs(5);

/// The frame's variables in the adapter's order, `this` first; at most `limit`, and how many more there are.
/// Those that have no value yet are left out.
pub async fn read(reader: &Reader, limit: usize, unassigned: &[String]) -> Result<(Vec<Variable>, usize), ReadError> {
    let mut all = reader.variables().await?;
    all.retain(|variable| !unassigned.contains(&variable.name));
    all.sort_by_key(|variable| variable.name != "this");
    let more = all.len().saturating_sub(limit);
    all.truncate(limit);
    Ok((previews(reader, &all).await, more))
}

/// Variables of a frame that have no value yet.
pub fn unassigned(reader: &Reader, frame: &StackFrame) -> Vec<String> {
    let Some(path) = frame.path.as_deref() else { return Vec::new() };
    let place = (frame.line, frame.column);
    let mut names = reader.modules.unassigned(path, place);
    // the engine of its own has the exception for the variable of a `catch` before the code that stores it has run
    if reader.capabilities.supports_clr_exceptions
        && let Some(caught) = reader.modules.caught(path, place)
    {
        names.retain(|name| *name != caught);
    }
    names
}

/// Previews of `values`, each addressed by its own name.
pub async fn previews(reader: &Reader, values: &[RawValue]) -> Vec<Variable> {
    let deadline = reader.budget.deadline().unwrap_or_else(|| tokio::time::Instant::now() + BUDGET);
    let completing = text::completed_variables(reader, values.to_vec());
    let values = tokio::time::timeout_at(deadline, completing).await.unwrap_or_else(|_| values.to_vec());
    let values = declared(reader, values);
    side_by_side(values.iter().map(|value| async move {
        let reading = async {
            let value = exact::loaded(reader, value.clone(), &value.name).await;
            preview::variable(reader, &value, &value.name, literal::SHORT).await
        };
        let shown = tokio::time::timeout_at(deadline, reading).await.unwrap_or_else(|_| preview::unread(value));
        Variable { identity: value.identity, ..shown }
    }))
    .await
}

/// Variables of the frame with the names that the source gives to the elements of tuples.
pub fn declared(reader: &Reader, values: Vec<RawValue>) -> Vec<RawValue> {
    let declared = reader.declared();
    let named = |value: RawValue| match reader.modules.declared_of(&value.name, &declared) {
        Some(type_) => value.declared_as(&type_.to_string()),
        None => value,
    };
    values.into_iter().map(named).collect()
}
