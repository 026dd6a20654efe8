//! The stack that an exception recorded, where the thread's own has no source: one that nobody caught came through `await`s, and the
//! methods that threw it have long returned.

use super::evaluation::CALL;
use super::server::{Pause, Server};
use crate::com::ExceptionStage;
use crate::evaluate::{Evaluated, Evaluation, Limited};
use crate::target::Cause;

/// A line of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub name: String,
    pub path: Option<String>,
    pub line: u32,
}

impl Server {
    /// Read once a stop, and only of the thread that threw: another's stack says nothing of the exception.
    pub(super) fn recorded(&mut self, thread: u32) -> Vec<Recorded> {
        let read = self.with_pause(|server, pause| {
            if thread != pause.thread || pause.cause != Cause::Exception(ExceptionStage::Unhandled) {
                return Ok(Vec::new());
            }
            if let Some(known) = &pause.recorded {
                return Ok(known.clone());
            }
            let found = if has_source(pause) { Vec::new() } else { read(server, pause) };
            pause.recorded = Some(found.clone());
            Ok(found)
        });
        read.unwrap_or_default()
    }
}

/// Whether a frame of the thread that threw has one.
fn has_source(pause: &Pause) -> bool {
    let stack = pause.stopped.thread(pause.thread).and_then(|thread| thread.stack()).unwrap_or_default();
    stack.iter().any(|frame| frame.location().is_some())
}

fn read(server: &mut Server, pause: &mut Pause) -> Vec<Recorded> {
    let mut calls = Limited { waiter: server, limit: CALL };
    let mut evaluation = Evaluation::new(&mut pause.stopped, pause.thread, 0, Some(&mut calls));
    match evaluation.text("$exception.StackTrace") {
        Ok(Evaluated::Value(answer)) => evaluation.string(&answer).map(|text| parse(&text)).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Lines of `   at Ns.Type.Method(Int32 x) in /path/File.cs:line 12`, in whatever language: the first word is left out.
fn parse(trace: &str) -> Vec<Recorded> {
    let one = |line: &str| {
        let (_, rest) = line.trim().split_once(' ')?;
        let (name, place) = match rest.rsplit_once(" in ") {
            Some((name, place)) => (name, place.rsplit_once(":line ")),
            None => (rest, None),
        };
        let place = place.and_then(|(path, line)| Some((path.to_owned(), line.trim().parse().ok()?)));
        let (path, line) = place.map_or((None, 0), |(path, line)| (Some(path), line));
        // `--- End of stack trace from previous location ---`
        name.ends_with(')').then(|| Recorded { name: name.to_owned(), path, line })
    };
    trace.lines().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_from_a_stack_trace() {
        let trace = "   at Shop.Program.Deep(Int32 depth) in /src/a b/Program.cs:line 124\n--- End of stack trace from previous location ---\n   at System.Foo.Bar()";
        let expected = [
            Recorded {
                name: "Shop.Program.Deep(Int32 depth)".into(),
                path: Some("/src/a b/Program.cs".into()),
                line: 124,
            },
            Recorded { name: "System.Foo.Bar()".into(), path: None, line: 0 },
        ];
        assert_eq!(parse(trace), expected);
    }
}
