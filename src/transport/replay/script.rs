//! A recording cut into steps: a request, its response, and the events that it set off.

use std::collections::HashMap;

use bytes::Bytes;
use serde_json::Value;

use super::recording::{Entry, Recording};

/// The whole part of the adapter.
#[derive(Debug, Default)]
pub(super) struct Script {
    /// Said before any request.
    pub opening: Vec<Item>,
    pub steps: Vec<Step>,
}

/// One request and what followed.
#[derive(Debug)]
pub(super) struct Step {
    pub command: String,
    pub kind: Kind,
    pub arguments: Value,
    /// In the order recorded; the response stands among the events.
    pub items: Vec<Item>,
    pub asked_in: Period,
    /// The step that had moved the program last.
    pub after: Option<usize>,
    /// Where the program is once the items are played; counts for steps that move it.
    pub leads_to: Period,
}

#[derive(Debug)]
pub(super) enum Item {
    Event { message: Value, body: Bytes },
    Response(Value),
    StdinClosed,
    Exit(i32),
}

impl Item {
    pub(super) fn is_event(&self) -> bool {
        matches!(self, Self::Event { .. })
    }
}

/// A stretch of time in which the same questions have the same answers: one stop, or one run between two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Period {
    pub number: usize,
    pub running: bool,
}

/// What a request does to the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Initialize,
    Start,
    ConfigurationDone,
    Resume,
    Pause,
    End,
    Breakpoints,
    ExceptionFilters,
    Inspection,
    Assignment,
    Other,
}

impl Kind {
    pub(super) fn of(command: &str) -> Self {
        match command {
            "initialize" => Self::Initialize,
            "launch" | "attach" => Self::Start,
            "configurationDone" => Self::ConfigurationDone,
            "continue" | "next" | "stepIn" | "stepOut" => Self::Resume,
            "pause" => Self::Pause,
            "disconnect" | "terminate" => Self::End,
            "setBreakpoints" | "setFunctionBreakpoints" => Self::Breakpoints,
            "setExceptionBreakpoints" => Self::ExceptionFilters,
            "threads" | "stackTrace" | "scopes" | "variables" | "evaluate" | "exceptionInfo" | "modules" => {
                Self::Inspection
            }
            "setVariable" | "setExpression" => Self::Assignment,
            _ => Self::Other,
        }
    }

    /// Whether the program is somewhere else afterwards.
    pub(super) fn moves(self) -> bool {
        matches!(self, Self::Start | Self::ConfigurationDone | Self::Resume | Self::Pause | Self::End)
    }
}

impl Step {
    pub(super) fn response(&self) -> Option<&Value> {
        self.items.iter().find_map(|item| match item {
            Item::Response(message) => Some(message),
            _ => None,
        })
    }

    pub(super) fn succeeded(&self) -> bool {
        self.response().is_some_and(succeeded)
    }

    /// The body of the response, if it was a success.
    pub(super) fn result(&self) -> Option<&Value> {
        self.response().filter(|message| succeeded(message))?.get("body")
    }

    /// Events of this name among the items.
    pub(super) fn events<'a>(&'a self, name: &'a str) -> impl DoubleEndedIterator<Item = &'a Value> {
        self.items.iter().filter_map(move |item| match item {
            Item::Event { message, .. } if event_name(message) == name => Some(message),
            _ => None,
        })
    }
}

pub(super) fn event_name(message: &Value) -> &str {
    message.get("event").and_then(Value::as_str).unwrap_or_default()
}

fn succeeded(message: &Value) -> bool {
    message.get("success").and_then(Value::as_bool) == Some(true)
}

impl Script {
    pub(super) fn new(recording: Recording) -> Self {
        let successes: Vec<i64> = recording
            .entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Adapter { message, .. } if succeeded(message) => message.get("request_seq")?.as_i64(),
                _ => None,
            })
            .collect();
        let mut builder = Builder::default();
        for entry in recording.entries {
            match entry {
                Entry::Request(message) => builder.request(&message, &successes),
                Entry::Adapter { message, body } => builder.adapter(message, body),
                Entry::StdinClosed => builder.follow(Item::StdinClosed),
                Entry::Exit(code) => builder.follow(Item::Exit(code)),
                // an event by now
                Entry::ProgramExit(_) => {}
            }
        }
        builder.finish()
    }
}

#[derive(Default)]
struct Builder {
    script: Script,
    by_seq: HashMap<i64, usize>,
    /// The step that last moved the program.
    mover: Option<usize>,
    now: Period,
}

impl Builder {
    fn request(&mut self, message: &Value, successes: &[i64]) {
        let command = message.get("command").and_then(Value::as_str).unwrap_or_default().to_owned();
        let kind = Kind::of(&command);
        let arguments = message.get("arguments").cloned().unwrap_or_default();
        let index = self.script.steps.len();
        let seq = message.get("seq").and_then(Value::as_i64);
        if kind.moves() {
            self.arrive();
            self.mover = Some(index);
        }
        self.script.steps.push(Step {
            command,
            kind,
            arguments,
            items: Vec::new(),
            asked_in: self.now,
            after: self.mover,
            leads_to: self.now,
        });
        let Some(seq) = seq else { return };
        self.by_seq.insert(seq, index);
        if matches!(kind, Kind::Resume | Kind::ConfigurationDone) && successes.contains(&seq) {
            self.now = Period { number: self.now.number + 1, running: true };
        }
    }

    fn adapter(&mut self, message: Value, body: Bytes) {
        if message.get("type").and_then(Value::as_str) == Some("response") {
            let step =
                message.get("request_seq").and_then(Value::as_i64).and_then(|seq| self.by_seq.get(&seq).copied());
            if let Some(step) = step.and_then(|index| self.script.steps.get_mut(index)) {
                step.items.push(Item::Response(message));
            }
            return;
        }
        let name = event_name(&message).to_owned();
        let at_breakpoints = self.script.steps.last().is_some_and(|step| step.kind == Kind::Breakpoints);
        // While the program runs, only the verification of a breakpoint is the doing of a question asked meanwhile:
        // the rest must not be lost when a client does not ask that question.
        let mover = self.mover.filter(|_| self.now.running && !(at_breakpoints && name == "breakpoint"));
        match name.as_str() {
            "stopped" => self.now = Period { number: self.now.number + 1, running: false },
            "continued" => self.now.running = true,
            "exited" | "terminated" => self.now.running = false,
            _ => {}
        }
        let item = Item::Event { message, body };
        match mover.and_then(|index| self.script.steps.get_mut(index)) {
            Some(step) => step.items.push(item),
            None => self.follow(item),
        }
    }

    /// Puts an item behind the latest request.
    fn follow(&mut self, item: Item) {
        match self.script.steps.last_mut() {
            Some(step) => step.items.push(item),
            None => self.script.opening.push(item),
        }
    }

    /// The latest mover has done all it did.
    fn arrive(&mut self) {
        if let Some(step) = self.mover.and_then(|index| self.script.steps.get_mut(index)) {
            step.leads_to = self.now;
        }
    }

    fn finish(mut self) -> Script {
        self.arrive();
        self.script
    }
}
