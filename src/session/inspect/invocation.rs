//! One invocation of an `async` method among others.
//!
//! While it waits it is on no stack, and it resumes on any thread at any depth. No adapter distinguishes invocations; their values do.

use super::reader::Reader;
use super::stack_frame::StackFrame;
use crate::session::modules::Suspension;

/// What is known of an invocation at one of its statements. Two with equal values look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    raw_name: String,
    /// The statement where it was seen contains an `await`.
    pub awaits: bool,
    /// That statement is the last of the method.
    pub ends: bool,
    /// Names and values, as the adapter shows them, that stay until it goes on behind that statement.
    values: Vec<(String, String)>,
    /// Names of those that stay until it ends.
    fixed: Vec<String>,
}

impl Invocation {
    /// The one that runs in `frame`; `None` where the method is not `async`, or cannot be read.
    pub async fn of(reader: &Reader, frame: &StackFrame) -> Option<Self> {
        let path = frame.path.as_deref()?;
        let Suspension { awaits, ends, kept, fixed } = reader.modules.suspension(path, (frame.line, frame.column))?;
        let mut values = if kept.is_empty() { Vec::new() } else { scalars(&reader.at(frame)).await? };
        values.retain(|(name, _)| kept.contains(name));
        Some(Self { raw_name: frame.raw_name.clone(), awaits, ends, values, fixed })
    }

    /// The same, to be known by what stays until it ends.
    pub fn until_its_end(mut self) -> Self {
        self.values.retain(|(name, _)| self.fixed.contains(name));
        self
    }

    /// Some value distinguishes it from others.
    pub fn is_distinct(&self) -> bool {
        !self.values.is_empty()
    }

    /// Whether it may be the one that runs in `frame`.
    pub async fn runs_in(&self, reader: &Reader, frame: &StackFrame) -> bool {
        let alike =
            async |now: Option<Vec<_>>| now.is_some_and(|now| self.values.iter().all(|value| now.contains(value)));
        frame.raw_name == self.raw_name && (!self.is_distinct() || alike(scalars(&reader.at(frame)).await).await)
    }
}

/// The frame's variables without members: what others hold may change meanwhile.
async fn scalars(reader: &Reader) -> Option<Vec<(String, String)>> {
    let all = reader.variables().await.ok()?.into_iter();
    Some(all.filter(|variable| variable.reference == 0).map(|variable| (variable.name, variable.value)).collect())
}
