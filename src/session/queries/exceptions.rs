//! exception_get_context: the exception with what its type adds, its inner ones, and the frames with their variables.

use crate::session::context::{StopContext, adapter_words};
use crate::session::error::{Code, SessionError};
use crate::session::ids::StateName;
use crate::session::inspect::frames::at;
use crate::session::inspect::shape::MemberKind;
use crate::session::inspect::{Access, Budget, ReadError, Reader, literal, locals, own_message, preview, text};
use crate::session::report::{Exception, Variable};
use crate::session::spec::ExceptionQuery;
use crate::session::view::ExceptionView;

/// Frames unless the caller says otherwise.
const FRAMES: usize = 10;
/// Inner exceptions likewise.
const INNER: usize = 5;

pub(super) async fn get(context: &StopContext, query: &ExceptionQuery) -> Result<ExceptionView, SessionError> {
    let thread = context.thread;
    let thrown = match context.exception(thread).await {
        Ok(thrown) => thrown,
        Err(ReadError::Refused(_)) => {
            return Err(SessionError::new(
                Code::NoException,
                "the program is not stopped at an exception",
                "breakpoint_set_exception makes the program stop on exceptions; debug_state shows why it stopped",
            )
            .in_state(StateName::Stopped));
        }
        Err(error) => return Err(adapter_words(&error)),
    };
    // the exception itself was read by the adapter, with a limit of its own
    let reads = context.reader.within(Budget::of(None));
    let mut described = thrown.exception;
    let stack = context.stack(thread).await.map_err(|error| adapter_words(&error))?;
    let located = stack.located().cloned();
    if described.at.is_none() {
        described.at = located.as_ref().map(|frame| at(frame, &context.sources)).filter(|at| !at.is_empty());
    }
    if let Some(top) = located.as_ref().or(stack.frames.first()) {
        let reader = reads.at(top);
        if let Some(shown) = described.message.take() {
            described.message = Some(whole_message(&reader, shown).await);
        }
        add_members(&reader, &mut described, "$exception", query.max_inner_exceptions.unwrap_or(INNER)).await;
        own_message::settle(&reader.asked(), &mut described).await;
    }
    let mut frames = Vec::new();
    let most = query.max_frames.unwrap_or(FRAMES);
    for frame in stack.shown().take(most) {
        let mut line = stack.line(frame, &context.sources);
        line.source = frame.path.as_deref().and_then(|path| context.sources.shown_line(path, frame.line));
        if frames.len() < query.include_variables_for_frames {
            let reader = reads.at(frame);
            let open = locals::unassigned(&reader, frame);
            line.locals = locals::read(&reader, locals::SHOWN, &open).await.map(|(list, _)| list).unwrap_or_default();
        }
        frames.push(line);
    }
    Ok(ExceptionView {
        exception: described,
        thread: (thread, context.thread_name(thread).await),
        more_frames: stack.shown().count() - frames.len() + stack.unread(),
        frames,
        external_frames: stack.external().count(),
        note: stack.uncounted_note(),
    })
}

/// The message where it is the field's: adapters print it up to a NUL.
async fn whole_message(reader: &Reader, shown: String) -> String {
    let path = "$exception._message";
    let is_field = |value: literal::Raw| matches!(value, literal::Raw::Text(text) if text == shown);
    match reader.evaluate(path, Access::Load).await {
        Ok(value) if !reader.read_only && is_field(value.parsed()) => {
            text::whole(reader, path, &shown).await.unwrap_or(shown)
        }
        _ => shown,
    }
}

/// What the exception's type itself adds to System.Exception, read without running code, and its inner ones.
async fn add_members(reader: &Reader, exception: &mut Exception, path: &str, inner: usize) {
    exception.members = members(reader, &exception.type_name, path).await;
    exception.inner.truncate(inner);
    let mut path = path.to_owned();
    let mut at = &mut exception.inner;
    for _ in 0..inner {
        let Some(next) = at.first_mut() else { break };
        path.push_str("._innerException");
        next.members = members(reader, &next.type_name, &path).await;
        at = &mut next.inner;
    }
}

async fn members(reader: &Reader, type_name: &str, path: &str) -> Vec<Variable> {
    let shape = reader.shape(type_name);
    let mut list = Vec::new();
    for member in shape.preview().into_iter().filter(|member| member.name != "Message") {
        let path = format!("{path}.{}", member.name);
        let access = if member.kind == MemberKind::Field { Access::Load } else { Access::Run };
        if let Ok(mut value) = reader.evaluate(&path, access).await {
            value.name.clone_from(&member.name);
            list.push(preview::variable(reader, &value, &path, literal::SHORT).await);
        }
    }
    list
}
