//! Where values leave a session: every answer of an actor is a [`Redact`], and [`super::reply::Reply`] applies it. Within the session
//! all is as it is, so conditions and comparisons see true values.
//!
//! By name only strings are secret, and arrays of bytes and characters; any text may hold what looks like a secret.

mod memory;
mod names;
mod values;
mod words;

use std::sync::Arc;

use super::breakpoints::explain::Explanation;
use super::breakpoints::listing::SessionBreakpoints;
use super::error::{Details, SessionError};
use super::ids::BreakpointId;
use super::report::{
    Breakpoint, Exception, Frame, Outcome, OutputTail, Report, RuleSet, Stop, StopValues, TraceLine, Variable,
};
use super::view::*;
use crate::redaction::Redaction;
use names::is_secret;
use values::{element, is_raw};
pub(crate) use values::{quotes, value, variable};

/// An answer that says nothing that looks like a secret.
pub(crate) trait Redact {
    fn redact(&mut self, by: &Redaction);
}

fn variables(all: &mut [Variable], parent: &str, by: &Redaction) {
    all.iter_mut().for_each(|it| variable(it, parent, by));
}

fn words(text: &mut Option<String>, by: &Redaction) {
    if let Some(text) = text {
        by.redact(text);
    }
}

impl<T: Redact> Redact for Result<T, SessionError> {
    fn redact(&mut self, by: &Redaction) {
        match self {
            Ok(answer) => answer.redact(by),
            Err(error) => error.redact(by),
        }
    }
}

impl<T: Redact> Redact for Box<T> {
    fn redact(&mut self, by: &Redaction) {
        (**self).redact(by);
    }
}

impl<T: Redact> Redact for Vec<T> {
    fn redact(&mut self, by: &Redaction) {
        self.iter_mut().for_each(|it| it.redact(by));
    }
}

impl<T: Redact> Redact for Option<T> {
    fn redact(&mut self, by: &Redaction) {
        self.iter_mut().for_each(|it| it.redact(by));
    }
}

/// No values of a program: types, places, sizes.
macro_rules! plain {
    ($($name:ty),* $(,)?) => { $(impl Redact for $name { fn redact(&mut self, _: &Redaction) {} })* };
}

plain!(
    BreakpointId,
    FrameView,
    SourceView,
    InputView,
    ModulesView,
    LoadedModules,
    HeapStatsView,
    GcRootsView,
    StreamsView,
    StopEntry
);

impl Redact for SessionError {
    fn redact(&mut self, by: &Redaction) {
        by.redact(&mut self.message);
        by.redact(&mut self.hint);
        if let Some(Details::AdapterLost { stderr, output, .. }) = self.details.as_deref_mut() {
            words(stderr, by);
            output.redact(by);
        }
    }
}

impl Redact for Report {
    fn redact(&mut self, by: &Redaction) {
        match &mut self.outcome {
            Outcome::Stopped(stop) => stop.redact(by),
            Outcome::Exited(exit) => exit.exception.redact(by),
            Outcome::StillRunning { ready, .. } => words(ready, by),
            Outcome::Disconnected { .. } => {}
        }
        self.breakpoints.redact(by);
        self.tracepoints.redact(by);
        self.output.redact(by);
        words(&mut self.note, by);
    }
}

impl Redact for Stop {
    fn redact(&mut self, by: &Redaction) {
        match &mut self.values {
            StopValues::Locals(locals, _) | StopValues::Changed(locals, ..) => variables(locals, "", by),
            StopValues::None => {}
        }
        self.exception.redact(by);
        variables(&mut self.watches, "", by);
        variables(&mut self.returned, "", by);
        self.stack.redact(by);
    }
}

impl Redact for Exception {
    fn redact(&mut self, by: &Redaction) {
        if let Some(message) = &mut self.message {
            by.redact(message);
        }
        variables(&mut self.members, "", by);
        self.inner.redact(by);
    }
}

impl Redact for Frame {
    fn redact(&mut self, by: &Redaction) {
        variables(&mut self.locals, "", by);
    }
}

impl Redact for OutputTail {
    fn redact(&mut self, by: &Redaction) {
        by.redact(&mut self.stdout);
        by.redact(&mut self.stderr);
        words(&mut self.note, by);
    }
}

impl Redact for TraceLine {
    fn redact(&mut self, by: &Redaction) {
        by.redact(&mut self.text);
    }
}

impl Redact for Breakpoint {
    fn redact(&mut self, by: &Redaction) {
        words(&mut self.condition, by);
        words(&mut self.log, by);
        words(&mut self.message, by);
        words(&mut self.note, by);
    }
}

impl Redact for SessionBreakpoints {
    fn redact(&mut self, by: &Redaction) {
        self.breakpoints.iter_mut().for_each(|(breakpoint, _)| breakpoint.redact(by));
    }
}

impl Redact for RuleSet {
    fn redact(&mut self, by: &Redaction) {
        words(&mut self.note, by);
    }
}

impl Redact for Explanation {
    fn redact(&mut self, by: &Redaction) {
        self.breakpoint.redact(by);
        by.redact(&mut self.message);
        variables(&mut self.evidence.values, "", by);
        words(&mut self.evidence.error, by);
    }
}

impl Redact for VariablesView {
    fn redact(&mut self, by: &Redaction) {
        let parent = self.path.clone().unwrap_or_default();
        variables(&mut self.variables, &parent, by);
        if is_secret(&parent, by) && self.type_name.as_deref().is_some_and(is_raw) && !self.elements.is_empty() {
            self.elements = vec!["••• (redacted)".into()];
        }
        let mut follows_flag = false;
        for (at, text) in self.elements.iter_mut().enumerate() {
            element(text, &format!("{parent}[{at}]"), &mut follows_flag, by);
        }
        words(&mut self.note, by);
    }
}

impl Redact for EvaluateView {
    fn redact(&mut self, by: &Redaction) {
        match self {
            Self::One(result) => variable(result, "", by),
            Self::Several(results) => variables(results, "", by),
        }
    }
}

impl Redact for SetView {
    fn redact(&mut self, by: &Redaction) {
        for text in std::iter::once(&mut self.value).chain(&mut self.was) {
            value(text, &self.path, self.type_name.as_deref(), None, by);
        }
    }
}

impl Redact for WatchView {
    fn redact(&mut self, by: &Redaction) {
        variables(&mut self.values, "", by);
    }
}

impl Redact for StackView {
    fn redact(&mut self, by: &Redaction) {
        self.frames.redact(by);
        words(&mut self.note, by);
    }
}

impl Redact for ThreadsView {
    fn redact(&mut self, by: &Redaction) {
        self.groups.iter_mut().for_each(|group| variables(&mut group.values, "", by));
        self.deadlocks.iter_mut().for_each(|words| by.redact(words));
    }
}

impl Redact for ExceptionView {
    fn redact(&mut self, by: &Redaction) {
        self.exception.redact(by);
        self.frames.redact(by);
    }
}

impl Redact for HeapFindView {
    fn redact(&mut self, by: &Redaction) {
        self.objects.iter_mut().for_each(|object| variable(&mut object.variable, "", by));
        self.groups.iter_mut().for_each(|group| variable(&mut group.value, "", by));
        for (_, why) in self.failed.iter_mut().chain(&mut self.ungrouped) {
            by.redact(why);
        }
    }
}

impl Redact for ReferencesView {
    fn redact(&mut self, by: &Redaction) {
        let by_field = |object: &mut Variable, through: Option<&str>| {
            let field = through.and_then(|through| through.rsplit('.').next()).map(|it| it.trim_end_matches("[*]"));
            let own = field.map(|field| std::mem::replace(&mut object.name, field.to_owned()));
            variable(object, "", by);
            object.name = own.unwrap_or_else(|| std::mem::take(&mut object.name));
        };
        for held in &mut self.references {
            match self.outbound {
                true => held.objects.iter_mut().for_each(|object| by_field(object, Some(&held.through))),
                false => {
                    by_field(&mut self.object.variable, Some(&held.through));
                    held.objects.iter_mut().for_each(|object| by_field(object, None));
                }
            }
        }
        by_field(&mut self.object.variable, None);
    }
}

impl Redact for OutputView {
    fn redact(&mut self, by: &Redaction) {
        self.0.redact(by);
    }
}

impl Redact for EventsView {
    fn redact(&mut self, by: &Redaction) {
        self.events.redact(by);
    }
}

impl Redact for ThrownView {
    fn redact(&mut self, by: &Redaction) {
        self.groups.iter_mut().flat_map(|group| &mut group.messages).for_each(|(text, _)| by.redact(text));
    }
}

impl Redact for Event {
    fn redact(&mut self, by: &Redaction) {
        words(&mut self.text, by);
    }
}

impl Redact for LookView {
    fn redact(&mut self, by: &Redaction) {
        self.stop.redact(by);
        self.breakpoints.redact(by);
        self.output.redact(by);
        self.events.redact(by);
    }
}

impl Redact for SnapshotsView {
    fn redact(&mut self, by: &Redaction) {
        // those that are kept stay as they are
        for kept in &mut self.stops {
            Arc::make_mut(&mut kept.reported).redact(by);
            if let Some(revised) = &mut kept.revised {
                Arc::make_mut(revised).redact(by);
            }
        }
    }
}
