//! The exception a thread stopped at.

use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use tokio::time::Instant;

use crate::dap;
use crate::session::ids::ThreadId;
use crate::session::report::Exception;
use crate::session::sources::Sources;
use clr_metadata::is_framework;

use super::access::{Access, ReadError};
use super::frames::Stack;
use super::literal::Raw;
use super::reader::Reader;
use super::{message, own_message};
use crate::session::expression::join;

/// What the adapter reports of the exception, and how it was noticed.
#[derive(Debug, Clone)]
pub struct Thrown {
    pub exception: Exception,
    /// The adapter's answer came only when its own limit for a call in the program had ended one.
    pub hung: bool,
}

/// Both adapters give up a call in the program after 5 s or more (vendor-notes.md). netcoredbg 3.1.2 gets there when another
/// thread throws while it runs the exception's getters, and the program then does not go on (2026-11-21).
const CALLS_END: Duration = Duration::from_secs(5);

/// What `stopped.text` says: the type and whether it is unhandled, no message yet.
pub fn announced(text: &str) -> Option<Thrown> {
    let unhandled = text.starts_with("An unhandled exception of type '");
    let of_user_code = text.starts_with("An exception of type '") && text.ends_with("not handled in user code");
    if !unhandled && !of_user_code && !text.starts_with("Exception thrown: '") {
        return None;
    }
    let type_name = text.split('\'').nth(1).filter(|name| !name.is_empty())?.to_owned();
    Some(Thrown { exception: Exception { type_name, unhandled, ..Exception::default() }, hung: false })
}

/// Completes what was announced without running anything in the program. `None` where that is not all that
/// [`read`] would report: an inner exception, or one that was thrown elsewhere first, whose place only its stack trace has.
pub async fn load(reader: &Reader, stack: &Stack, announced: &Thrown) -> Option<Thrown> {
    if stack.throws_in_catch {
        return None;
    }
    let field = |path| reader.evaluate(path, Access::Load);
    let (message, inner, traced) = futures::join!(
        field("$exception._message"),
        field("$exception._innerException"),
        // the low byte of the number of frames that the exception has come through (CoreCLR, object.h, StackTraceArray)
        field("$exception._stackTrace[0]"),
    );
    let message = match message.ok()?.parsed() {
        Raw::Text(text) => text,
        // its getter makes one
        Raw::Null if is_of_framework(reader, &announced.exception.type_name) => return None,
        Raw::Null => String::new(),
        _ => return None,
    };
    let fresh = announced.exception.unhandled || traced.ok()?.value == "1";
    if !matches!(inner.ok()?.parsed(), Raw::Null) || !fresh {
        return None;
    }
    let mut thrown = announced.clone();
    thrown.exception.message = Some(limited(message));
    complete_messages(reader, &mut thrown.exception).await;
    own_message::settle(reader, &mut thrown.exception).await;
    Some(thrown)
}

/// Whether a type is one of the framework's that derives from another exception: most have words of their own for no message.
fn is_of_framework(reader: &Reader, type_name: &str) -> bool {
    let found = reader.modules.universe().find_type(type_name).map(|(assembly, _)| is_framework(assembly.path()));
    found == Some(true) && type_name != "System.Exception"
}

/// Gives exceptions the messages that they have, where an adapter reports what their constructor was given.
pub async fn complete_messages(reader: &Reader, exception: &mut Exception) {
    complete(reader, exception, "$exception".to_owned()).await;
}

fn complete<'a>(reader: &'a Reader, exception: &'a mut Exception, path: String) -> BoxFuture<'a, ()> {
    async move {
        if let Some(shown) = exception.message.clone().filter(|_| message::is_completed(reader, &exception.type_name))
            && let Ok(given) = reader.evaluate(&join(&path, "_message"), Access::Load).await
            && let Raw::Text(given) = given.parsed()
            && limited(given.clone()) == shown
            && let Ok(value) = reader.evaluate(&path, Access::Load).await
        {
            exception.message = Some(limited(message::completed(reader, &value, &path, given).await));
        }
        let is_many = exception.inner.len() > 1;
        for (at, inner) in exception.inner.iter_mut().enumerate() {
            let path = match is_many {
                true => format!("{path}._innerExceptions[{at}]"),
                false => join(&path, "_innerException"),
            };
            complete(reader, inner, path).await;
        }
    }
    .boxed()
}

/// Asks for the exception of a thread. Runs getters of the exception in the program (both adapters).
pub async fn read(reader: &Reader, sources: &Sources, thread: ThreadId) -> Result<Thrown, ReadError> {
    if !reader.capabilities.supports_exception_info_request {
        return Err(ReadError::Refused("it does not support exceptionInfo".into()));
    }
    let asked = Instant::now();
    let info =
        reader.client.request::<dap::request::ExceptionInfo>(dap::ThreadArguments { thread_id: thread.0 }).await?;
    let name = info.exception_id.strip_prefix("CLR/").unwrap_or(&info.exception_id).to_owned();
    let mut exception = match &info.details {
        Some(details) => from_details(details, sources, reader.quirks.exceptions_are_escaped),
        None => Exception { message: Some(info.description.clone().unwrap_or_default()), ..Exception::default() },
    };
    if exception.type_name.is_empty() {
        exception.type_name = name;
    }
    exception.unhandled = info.break_mode == dap::ExceptionBreakMode::Unhandled;
    Ok(Thrown { exception, hung: asked.elapsed() >= CALLS_END })
}

/// `is_escaped`: the message has C# escapes.
fn from_details(details: &dap::ExceptionDetails, sources: &Sources, is_escaped: bool) -> Exception {
    let message = details.message.clone().unwrap_or_default();
    let plain = if is_escaped { super::literal::unquote(&format!("\"{message}\"")) } else { None };
    Exception {
        type_name: details.full_type_name.clone().or_else(|| details.type_name.clone()).unwrap_or_default(),
        message: Some(limited(plain.unwrap_or(message))),
        unhandled: false,
        at: details.stack_trace.as_deref().and_then(|trace| first_place(trace, sources)),
        members: Vec::new(),
        inner: details.inner_exception.iter().map(|inner| from_details(inner, sources, is_escaped)).collect(),
    }
}

/// At most 1,000 characters.
fn limited(message: String) -> String {
    if message.chars().count() <= 1000 {
        return message;
    }
    let mut cut: String = message.chars().take(999).collect();
    cut.push('…');
    cut
}

/// `file:line` of the first line of a stack trace that has one. dncdbg's line ends are the two characters `\n`.
pub fn first_place(trace: &str, sources: &Sources) -> Option<String> {
    trace.replace("\\n", "\n").lines().find_map(|line| {
        let (_, place) = line.rsplit_once(" in ")?;
        let (file, number) = place.trim().rsplit_once(":line ")?;
        let number: u32 = number.trim().parse().ok()?;
        Some(format!("{}:{number}", sources.relative(file)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_is_read_from_the_words_of_the_stop() {
        for (text, expected) in [
            ("Exception thrown: 'Shop.Sold`1[System.Int32]' in Shop.dll", Some(("Shop.Sold`1[System.Int32]", false))),
            ("An unhandled exception of type 'A.B' occurred in <unknown module>", Some(("A.B", true))),
            ("An exception of type 'A' occurred in A.dll but was not handled in user code", Some(("A", false))),
            ("An exception of type 'A' occurred in A.dll", None),
            ("Exception thrown: '' in A.dll", None),
            ("Exception thrown", None),
        ] {
            let read = announced(text).map(|thrown| (thrown.exception.type_name, thrown.exception.unhandled));
            assert_eq!(read, expected.map(|(name, unhandled)| (name.to_owned(), unhandled)), "{text}");
        }
    }

    #[test]
    fn the_place_is_the_first_line_with_source() {
        let sources = Sources::default();
        let trace = "   at System.Foo.Bar()\n   at Exceptions.Program.Inner() in /src/Program.cs:line 50\n   at X in /a.cs:line 2";
        assert_eq!(first_place(trace, &sources).as_deref(), Some("/src/Program.cs:50"));
        assert_eq!(first_place(&trace.replace('\n', "\\n"), &sources).as_deref(), Some("/src/Program.cs:50"));
        assert_eq!(first_place("   at Foo.Bar()", &sources), None);
    }

    #[test]
    fn a_message_is_what_the_program_said() {
        let inner = dap::ExceptionDetails { message: Some(r"at c:\\dir".into()), ..Default::default() };
        let details = dap::ExceptionDetails {
            message: Some(r#"say \"hi\"\nnext"#.into()),
            inner_exception: vec![inner],
            ..Default::default()
        };
        let read = |is_escaped| from_details(&details, &Sources::default(), is_escaped);
        assert_eq!(read(true).message.unwrap(), "say \"hi\"\nnext");
        assert_eq!(read(true).inner[0].message.clone().unwrap(), r"at c:\dir");
        assert_eq!(read(false).message.unwrap(), r#"say \"hi\"\nnext"#);
    }
}
