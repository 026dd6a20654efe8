//! `stackTrace`: the frames of a thread, in front of them those that an exception recorded, behind them the async methods that wait for them.
//!
//! With `justMyCode` an editor gets what is not the user's code as one line, as debuggers for .NET show it. A client that shows raw
//! values gets every frame, named as metadata has it.

use std::collections::HashMap;
use std::sync::Arc;

use clr_metadata::SequencePoint;
use dap_wire::{StackFrame, StackTraceArguments, StackTraceResponse, UNKNOWN_CONTINUATION};

use super::frame_names::Naming;
use super::recorded::Recorded;
use super::references::{FIRST_RECORDED, References, WAITS};
use super::server::{Answer, Server, body, refused};
use super::sources::Sources;
use crate::awaiters::{self, Awaiter};
use crate::frames::{Frame, Location};
use crate::modules::Module;
use crate::stopped::Stopped;

const EXTERNAL: &str = "[External Code]";
/// What stands between the frames of a stack and the async methods that wait for them.
const ASYNC_CALLERS: &str = "[Async Call Stack]";
/// Of the protocol: a line that nobody selects.
const LABEL: &str = "label";
/// Of the protocol: a frame for who wants to see it.
const SUBTLE: &str = "subtle";

/// A line of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// By its position, recorded ones first.
    Frame(usize),
    /// The first of frames that are not the user's code.
    External(usize),
    /// What comes behind it waits for what is above.
    Waits,
    /// By its position among those that wait.
    Awaiter(usize),
    /// What goes on behind those, and says nothing of who waits.
    Unknown,
}

impl Server {
    pub(super) fn stack_trace(&mut self, arguments: &StackTraceArguments) -> Answer {
        let thread = u32::try_from(arguments.thread_id).unwrap_or(0);
        self.paused()?;
        let recorded = self.recorded(thread);
        let start = arguments.start_frame.and_then(|start| usize::try_from(start).ok()).unwrap_or(0);
        let levels = arguments.levels.and_then(|levels| usize::try_from(levels).ok()).filter(|levels| *levels > 0);
        let is_for_people = !self.shows_raw;
        let naming = if is_for_people { Naming::for_people(arguments.format) } else { Naming::OfMetadata };
        let shows_all = arguments.format.is_some_and(|format| format.include_all);
        self.with_pause(|server, pause| {
            let failed = |error| refused("the stack cannot be read", error);
            let asked = pause.stopped.thread(thread).map_err(failed)?;
            let folds = is_for_people && !shows_all && pause.stopped.target().options.just_my_code;
            let mut printer = Printer {
                stopped: &pause.stopped,
                thread,
                references: &mut pause.references,
                sources: &mut server.sources,
                naming,
                is_for_people,
            };
            if recorded.is_empty() && (start, levels) == (0, Some(1)) {
                // of a hit that does not stop the client reads this frame alone: no walk over the rest, and so no number of all
                if let Ok(top) = asked.frame(0) {
                    let is_shown = !folds || is_users(&top);
                    let frame = if is_shown { printer.physical(&top) } else { printer.external(top.index) };
                    return body(StackTraceResponse { stack_frames: vec![frame], ..StackTraceResponse::default() });
                }
            }
            let stack = asked.stack().map_err(failed)?;
            let mut lines = lines(&recorded, &stack, folds);
            let on_stack = lines.len();
            let chain = awaiters::of_thread(&pause.stopped, &asked);
            let awaiters = chain.as_ref().map(|chain| chain.awaiters.as_slice()).unwrap_or_default();
            let shown = awaiters.iter().enumerate().filter(|(_, awaiter)| !folds || awaiter.location().is_some());
            let mut waiting: Vec<Line> = shown.map(|(at, _)| Line::Awaiter(at)).collect();
            let unknown = chain.as_ref().and_then(|chain| chain.unknown.as_deref());
            waiting.extend(unknown.map(|_| Line::Unknown));
            if !waiting.is_empty() {
                lines.push(Line::Waits);
                lines.append(&mut waiting);
            }
            let wanted = lines.iter().skip(start).take(levels.unwrap_or(usize::MAX));
            let frames = wanted.filter_map(|line| match *line {
                Line::Waits => Some(printer.label(WAITS, ASYNC_CALLERS)),
                Line::Unknown => unknown.map(|type_| printer.unknown(awaiters::FIRST + awaiters.len(), type_)),
                Line::Awaiter(at) => awaiters.get(at).map(|awaiter| printer.awaiter(awaiters::FIRST + at, awaiter)),
                Line::External(at) if at < recorded.len() => Some(printer.external(FIRST_RECORDED + at)),
                Line::External(at) => Some(printer.external(at - recorded.len())),
                Line::Frame(at) => match recorded.get(at) {
                    Some(frame) => Some(printer.recorded(at, frame)),
                    None => stack.get(at - recorded.len()).map(|frame| printer.physical(frame)),
                },
            });
            body(StackTraceResponse {
                stack_frames: frames.collect(),
                total_frames: i64::try_from(lines.len()).ok(),
                clr_frames_on_stack: chain
                    .filter(|chain| chain.is_whole || chain.unknown.is_some() || !chain.awaiters.is_empty())
                    .and_then(|_| i64::try_from(on_stack).ok()),
                clr_has_more_frames: pause.stopped.is_overflowed(thread),
            })
        })
    }
}

fn lines(recorded: &[Recorded], stack: &[Frame<'_>], folds: bool) -> Vec<Line> {
    let all = recorded.len() + stack.len();
    if !folds {
        return (0..all).map(Line::Frame).collect();
    }
    // a stack may have 100,000 frames of one place
    let mut known = HashMap::new();
    let of_users = recorded.iter().map(|frame| frame.path.is_some()).chain(stack.iter().map(|frame| {
        let data = frame.data();
        *known.entry((data.module.id, data.method, data.offset)).or_insert_with(|| is_users(frame))
    }));
    folded(of_users)
}

/// What is not the user's as one line wherever it stands together.
fn folded(of_users: impl Iterator<Item = bool>) -> Vec<Line> {
    let mut lines = Vec::new();
    for (at, is_users) in of_users.enumerate() {
        match (is_users, lines.last()) {
            (true, _) => lines.push(Line::Frame(at)),
            (false, Some(Line::External(_))) => {}
            (false, _) => lines.push(Line::External(at)),
        }
    }
    lines
}

/// Whether it is code of the user's, with a line in a source.
fn is_users(frame: &Frame<'_>) -> bool {
    let data = frame.data();
    data.module.is_users(data.method) && frame.location().is_some()
}

/// Writes frames as the protocol has them.
struct Printer<'a> {
    stopped: &'a Stopped,
    thread: u32,
    references: &'a mut References,
    sources: &'a mut Sources,
    naming: Naming,
    is_for_people: bool,
}

impl Printer<'_> {
    fn physical(&mut self, frame: &Frame<'_>) -> StackFrame {
        StackFrame {
            id: self.references.frame(self.thread, frame.index),
            name: self.naming.name(self.stopped, self.thread, frame),
            clr_left: frame.data().is_left,
            ..self.placed(&frame.data().module, frame.location().as_ref())
        }
    }

    /// A method that waits, where it does.
    fn awaiter(&mut self, index: usize, awaiter: &Awaiter<'_>) -> StackFrame {
        let id = self.references.frame(self.thread, index);
        let Some(definition) = awaiter.definition() else {
            return StackFrame { id, name: awaiter.machine.type_name(), ..StackFrame::default() };
        };
        let module = &definition.module;
        let resumed = definition.view().methods().find(|&it| definition.assembly.method(it).name() == "MoveNext");
        let name = resumed.map(|method| self.naming.of_method(module, method));
        let name = name.unwrap_or_else(|| awaiter.machine.type_name());
        StackFrame { id, name, clr_others_wait: awaiter.others, ..self.placed(module, awaiter.location().as_ref()) }
    }

    /// What goes on behind those that wait.
    fn unknown(&mut self, index: usize, type_name: &str) -> StackFrame {
        StackFrame {
            id: self.references.frame(self.thread, index),
            name: format!("{UNKNOWN_CONTINUATION}{type_name}"),
            presentation_hint: self.is_for_people.then(|| SUBTLE.to_owned()),
            ..StackFrame::default()
        }
    }

    fn placed(&mut self, module: &Arc<Module>, location: Option<&Location>) -> StackFrame {
        let at = |number: fn(&SequencePoint) -> u32| location.map(|location| i64::from(number(&location.point)));
        let is_subtle = self.is_for_people && location.is_none();
        StackFrame {
            source: location.map(|location| self.sources.of(module, &location.path)),
            line: at(|point| point.line).unwrap_or(0),
            column: at(|point| point.column).unwrap_or(0),
            end_line: at(|point| point.end_line),
            end_column: at(|point| point.end_column),
            module_id: Some(module.id.to_string()),
            presentation_hint: is_subtle.then(|| SUBTLE.to_owned()),
            ..StackFrame::default()
        }
    }

    fn recorded(&mut self, at: usize, frame: &Recorded) -> StackFrame {
        StackFrame {
            id: self.references.frame(self.thread, FIRST_RECORDED + at),
            name: frame.name.clone(),
            source: frame.path.as_deref().map(|path| self.sources.file(path)),
            line: frame.line.into(),
            // no column and no module: by that a client knows a line of a trace
            module_id: Some(String::new()),
            ..StackFrame::default()
        }
    }

    fn external(&mut self, index: usize) -> StackFrame {
        self.label(index, EXTERNAL)
    }

    fn label(&mut self, index: usize, name: &str) -> StackFrame {
        StackFrame {
            id: self.references.frame(self.thread, index),
            name: name.into(),
            presentation_hint: Some(LABEL.into()),
            ..StackFrame::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_are_not_the_users_are_one_line_where_they_stand_together() {
        let of_users = [false, false, true, true, false, true, false, false];
        let expected =
            [Line::External(0), Line::Frame(2), Line::Frame(3), Line::External(4), Line::Frame(5), Line::External(6)];
        assert_eq!(folded(of_users.into_iter()), expected);
    }
}
