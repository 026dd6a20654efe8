//! What every question about the heap has in common: whether the adapter can read it, how long that may take, how its objects are shown.

use std::time::Duration;

use super::numbered::Numbered;
use super::resolved::resolve;
use crate::dap::{self, DapError, MayRun};
use crate::session::context::{StopContext, adapter_words};
use crate::session::error::{Code, SessionError};
use crate::session::ids::StateName;
use crate::session::inspect::{ReadError, Reader, evaluate, literal, preview};
use crate::session::report::{Content, Variable};
use crate::session::view::HeapObject;

/// What a walk gets unless the caller says otherwise.
const TIME: Duration = Duration::from_secs(10);
/// An adapter that does not answer for longer is taken for dead.
const MOST_TIME: Duration = Duration::from_secs(15);
/// # Errors
/// The adapter cannot read the heap.
pub(super) fn supported(context: &StopContext, tool: &str) -> Result<(), SessionError> {
    if context.reader.capabilities.supports_clr_heap {
        return Ok(());
    }
    let message = format!("this adapter cannot read the heap, which {tool} needs");
    let hint = "debug_launch with backend: builtin; to attach, start clrbridge with --backend builtin";
    Err(SessionError::new(Code::UnsupportedByAdapter, message, hint).in_state(StateName::Stopped))
}

pub(super) fn limit(timeout: Option<Duration>) -> Duration {
    timeout.unwrap_or(TIME).min(MOST_TIME)
}

pub(super) fn limit_ms(timeout: Option<Duration>) -> Option<u64> {
    u64::try_from(limit(timeout).as_millis()).ok()
}

/// What the adapter finds the object of a path by, and what it may run for it: what evaluate takes and runs.
///
/// # Errors
/// Those of evaluate.
pub(super) async fn expression(
    reader: &Reader,
    path: &str,
    (numbered, context): (&Numbered, &StopContext),
) -> Result<String, SessionError> {
    let resolved = numbered.resolved(path.trim(), (context, reader.frame_id))?;
    Ok(resolve(reader, &resolved, false).await?.load_path)
}

pub(super) fn may_run(reader: &Reader) -> Option<MayRun> {
    Some(if reader.read_only { MayRun::Nothing } else { MayRun::Pure })
}

/// The adapter says itself what is wrong with a question.
pub(super) fn refusable<T>(answer: Result<T, DapError>) -> Result<T, SessionError> {
    answer.map_err(|error| match ReadError::from(error) {
        ReadError::Refused(words) => SessionError::new(
            Code::EvaluationFailed,
            words,
            "heap_stats lists the types on the heap; variables_get lists the variables",
        )
        .in_state(StateName::Stopped),
        other => adapter_words(&other),
    })
}

/// An object of the heap with what it is, under the name that paths and expressions take.
pub(super) async fn shown(reader: &Reader, object: dap::HeapObject) -> HeapObject {
    let mut variable = match evaluate::evaluate(reader, &object.name, false).await {
        Ok(found) => preview::variable(reader, &found.value, &found.load_path, literal::SHORT).await,
        Err(error) => Variable { content: Content::Error(error.to_string()), ..Variable::default() },
    };
    variable.name = object.name;
    HeapObject { variable, bytes: object.size, generation: object.generation }
}
