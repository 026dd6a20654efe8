//! The exception a thread stopped at.

use crate::dap;
use crate::session::ids::ThreadId;
use crate::session::report::Exception;
use crate::session::sources::Sources;

use super::reader::{ReadError, Reader};

/// What the adapter tells of the exception, and how it was noticed.
#[derive(Debug, Clone)]
pub struct Thrown {
    pub exception: Exception,
    pub mode: dap::ExceptionBreakMode,
}

/// Asks for the exception of a thread. Runs getters of the exception in the program (both adapters).
pub async fn read(reader: &Reader, sources: &Sources, thread: ThreadId) -> Result<Thrown, ReadError> {
    let info =
        reader.client.request::<dap::request::ExceptionInfo>(dap::ThreadArguments { thread_id: thread.0 }).await?;
    let name = info.exception_id.strip_prefix("CLR/").unwrap_or(&info.exception_id).to_owned();
    let mut exception = match &info.details {
        Some(details) => from_details(details, sources),
        None => Exception { message: info.description.clone().unwrap_or_default(), ..Exception::default() },
    };
    if exception.type_name.is_empty() {
        exception.type_name = name;
    }
    exception.unhandled = info.break_mode == dap::ExceptionBreakMode::Unhandled;
    Ok(Thrown { exception, mode: info.break_mode })
}

fn from_details(details: &dap::ExceptionDetails, sources: &Sources) -> Exception {
    Exception {
        type_name: details.full_type_name.clone().or_else(|| details.type_name.clone()).unwrap_or_default(),
        message: limited(details.message.clone().unwrap_or_default()),
        unhandled: false,
        at: details.stack_trace.as_deref().and_then(|trace| first_place(trace, sources)),
        members: Vec::new(),
        inner: details.inner_exception.iter().map(|inner| from_details(inner, sources)).collect(),
    }
}

/// At most 1,000 characters (answers.md rule 13).
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
        sources.is_users(file).then(|| format!("{}:{number}", sources.relative(file)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_the_first_line_with_source() {
        let sources = Sources::default();
        let trace = "   at System.Foo.Bar()\n   at Exceptions.Program.Inner() in /src/Program.cs:line 50\n   at X in /a.cs:line 2";
        assert_eq!(first_place(trace, &sources).as_deref(), Some("/src/Program.cs:50"));
        assert_eq!(first_place(&trace.replace('\n', "\\n"), &sources).as_deref(), Some("/src/Program.cs:50"));
        assert_eq!(first_place("   at Foo.Bar()", &sources), None);
    }
}
