//! Hits of tracepoints that the adapter read without a stop: their lines are written here.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Actor;
use crate::dap;
use crate::session::breakpoints::Entry;
use crate::session::ids::{BreakpointId, ThreadId};
use crate::session::stopping::ReadMessage;

/// Messages that are remembered beside those of the table: hits of one that was changed or removed may be on their way.
const FORMER: usize = 64;

/// By their numbers.
#[derive(Default)]
pub(super) struct ReadMessages(BTreeMap<u64, ReadMessage>);

impl ReadMessages {
    /// What the adapter may be asked to read.
    pub(super) fn remember(&mut self, entries: &[Entry]) {
        for entry in entries.iter().filter(|entry| entry.log.is_some()) {
            if !self.0.contains_key(&entry.tracing.number())
                && let Some(message) = ReadMessage::of(entry)
            {
                self.0.insert(entry.tracing.number(), message);
            }
        }
        let is_current = |number: &u64| entries.iter().any(|entry| entry.tracing.number() == *number);
        let former: Vec<u64> = self.0.keys().filter(|number| !is_current(number)).copied().collect();
        for number in former.iter().take(former.len().saturating_sub(FORMER)) {
            self.0.remove(number);
        }
    }
}

impl Actor {
    pub(super) fn were_read(&mut self, hits: &[dap::TracedHit]) {
        self.program.watchdog = None;
        for hit in hits {
            let Some(message) = self.read_messages.0.get(&hit.trace) else { continue };
            let (id, line) = (message.id, message.line(&hit.values, &self.settings.redaction));
            let wrote = line.is_some();
            if let Some(text) = line {
                let seq = self.trace(id, ThreadId(hit.thread_id), text, Duration::from_micros(hit.age));
                self.note_hit(id, seq);
            }
            // what a former message wrote is none of the lines that may still be written
            let entry = self.table.user(id).ok().filter(|entry| entry.tracing.number() == hit.trace);
            if let Some(entry) = entry {
                entry.tracing.was_read();
                self.count_log(id, wrote);
            }
        }
    }

    /// A hit stopped, though the adapter may have been asked to read it.
    pub(super) fn had_to_stop(&mut self, id: BreakpointId) {
        if self.adapter_breakpoints.plan().reads(id)
            && let Ok(entry) = self.table.user(id)
        {
            entry.tracing.had_to_stop();
        }
    }
}
