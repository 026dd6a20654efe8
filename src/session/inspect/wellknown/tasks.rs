//! Tasks, cancellation, lazy values, threads and timers.

use super::known::{Named, Part};
use crate::session::inspect::field_values::Fields;
use crate::session::inspect::literal::{self, quote_cut};

/// Characters of an inner exception's message.
const MESSAGE: usize = 60;
/// Characters of a message that are shown however long all before it is.
const SHORTEST: usize = 12;

type Members = Option<Named>;

fn shown(name: &'static str, text: impl ToString) -> (&'static str, Part) {
    (name, Part::Shown(text.to_string()))
}

/// What Task.Status computes of `m_stateFlags` (Task.cs).
pub fn status(flags: i128) -> &'static str {
    let has = |flag: i128| flags & flag != 0;
    match () {
        () if has(0x20_0000) => "Faulted",
        () if has(0x40_0000) => "Canceled",
        () if has(0x100_0000) => "RanToCompletion",
        () if has(0x80_0000) => "WaitingForChildrenToComplete",
        () if has(0x2_0000) => "Running",
        () if has(0x1_0000) => "WaitingToRun",
        () if has(0x200_0000) => "WaitingForActivation",
        () => "Created",
    }
}

/// Fields: m_stateFlags, m_result; then of a faulted one how many exceptions it holds, the first one, and that one's message.
pub(super) fn task(fields: &Fields) -> Members {
    let status = status(fields.integer(0)?);
    let mut members = vec![shown("Status", status)];
    match status {
        // a task without a result has a field of a type that says so
        "RanToCompletion" if fields.get(1).is_some_and(|result| !result.value.type_name.contains("VoidTaskResult")) => {
            members.push(("Result", Part::Field(1)));
        }
        "Faulted" => members.extend(aggregate(fields).map(|text| shown("Exception", text))),
        _ => {}
    }
    Some(members)
}

pub(super) fn is_faulted(fields: &Fields) -> bool {
    fields.integer(0).is_some_and(|flags| status(flags) == "Faulted")
}

/// Fields: _result, _obj, and the two of a task behind it.
pub(super) fn value_task(fields: &Fields) -> Members {
    if fields.is_null(1) {
        let mut members = vec![shown("Status", "RanToCompletion")];
        if fields.get(0).is_some() {
            members.push(("Result", Part::Field(0)));
        }
        return Some(members);
    }
    let status = status(fields.integer(2)?);
    let mut members = vec![shown("Status", status)];
    if status == "RanToCompletion" && fields.get(3).is_some() {
        members.push(("Result", Part::Field(3)));
    }
    Some(members)
}

pub(super) fn wraps_task(fields: &Fields) -> bool {
    fields.is_set(1)
}

/// What the getter of a faulted task makes: an exception around those that the task holds.
fn aggregate(fields: &Fields) -> Option<String> {
    /// Characters of it that stand in a line beside the status.
    const ROOM: usize = 63;
    let count = match fields.integer(2) {
        Some(count) if count > 1 => format!("({count})"),
        _ => String::new(),
    };
    let rest = if count.is_empty() { "" } else { ", …" };
    let text = |message| Some(format!("AggregateException{count} [{}{rest}]", exception(fields, 3, message)?));
    let bare = text(0)?.chars().count();
    text(ROOM.saturating_sub(bare).max(SHORTEST))
}

/// `ArgumentException "bad id"` of an exception at `at` and its message behind it.
fn exception(fields: &Fields, at: usize, message: usize) -> Option<String> {
    let type_name = fields.get(at).filter(|_| fields.is_set(at))?.value.short_type();
    Some(match fields.text(at + 1) {
        Some(text) => format!("{type_name} {}", quote_cut(&text, message).0),
        None => type_name,
    })
}

/// Fields: _message, _innerException, that one's _message; then _paramName or _innerExceptions.
pub(super) fn thrown(fields: &Fields) -> Members {
    let mut members = Vec::new();
    if let Some(message) = fields.text(0) {
        members.push(shown("Message", quote_cut(&message, literal::SHORT).0));
    }
    if fields.get(3).is_none() || !fields.get(3).is_some_and(|field| field.value.value.starts_with('{')) {
        members.extend(exception(fields, 1, MESSAGE).map(|text| shown("InnerException", text)));
    }
    if fields.is_set(3) {
        let name = if fields.text(3).is_some() { "ParamName" } else { "InnerExceptions" };
        members.push((name, Part::Field(3)));
    }
    Some(members)
}

/// Fields: _state (null once the value is there), _value.
pub(super) fn lazy(fields: &Fields) -> Members {
    fields.get(0)?;
    Some(match fields.is_null(0) {
        true => vec![shown("IsValueCreated", true), ("Value", Part::Field(1))],
        false => vec![shown("IsValueCreated", false)],
    })
}

/// Fields: _state of the source. An enum since .NET 10.
pub(super) fn cancellation_source(fields: &Fields) -> Members {
    let state = fields.get(0)?.value.value.trim();
    Some(vec![shown("IsCancellationRequested", !matches!(state, "0" | "NotCanceledState"))])
}

/// Fields: _source (null for CancellationToken.None), its _state.
pub(super) fn cancellation_token(fields: &Fields) -> Members {
    if fields.is_null(0) {
        return Some(vec![shown("IsCancellationRequested", false)]);
    }
    cancellation_source(&Fields(fields.0.get(1..)?.to_vec()))
}

/// The upper bit of m_combinedState.
pub(super) fn is_set(fields: &Fields) -> Members {
    Some(vec![shown("IsSet", fields.integer(0)? as i32 & i32::MIN != 0)])
}

/// Fields: _managedThreadId, _name.
pub(super) fn thread(fields: &Fields) -> Members {
    let mut members = vec![shown("ManagedThreadId", fields.integer(0)?)];
    if fields.is_set(1) {
        members.push(("Name", Part::Field(1)));
    }
    Some(members)
}

/// Milliseconds; the largest number is "never".
pub(super) fn timer(fields: &Fields) -> Members {
    let time = |milliseconds: i128| match milliseconds {
        0xffff_ffff | -1 => "never".to_owned(),
        milliseconds => super::times::time_span(milliseconds * 10_000),
    };
    Some(vec![shown("DueTime", time(fields.integer(0)?)), shown("Period", time(fields.integer(1)?))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_what_the_flags_say() {
        for (flags, expected) in [
            (16_777_216, "RanToCompletion"),
            (16_793_600, "RanToCompletion"),
            (33_555_456, "WaitingForActivation"),
            (0x20_0000 | 0x400_0000, "Faulted"),
            (0x40_0000, "Canceled"),
            (0x1_0000 | 0x2_0000, "Running"),
            (0x1_0000, "WaitingToRun"),
            (0, "Created"),
        ] {
            assert_eq!(status(flags), expected, "{flags:#x}");
        }
    }
}
