//! What an onlooker sees: all from what the actor knows already. The adapter is not asked, so looking never delays the program or its
//! clients; nothing is marked as reported, so clients still hear of everything.

use std::collections::BTreeSet;

use super::Actor;
use crate::session::ids::ThreadId;
use crate::session::output_log::Selection;
use crate::session::report::{OutputTail, Stop};
use crate::session::spec::{LookQuery, SourceQuery};
use crate::session::view::{LookView, SourceView};

/// Bytes of output that are looked through.
const OUTPUT: u64 = 256 * 1024;

impl Actor {
    pub(super) fn look(&mut self, query: &LookQuery) -> LookView {
        let breakpoints = self.breakpoints().breakpoints;
        let present = self.stop.published().map(|published| published.seq);
        let stop = query.at.or(present).and_then(|seq| self.snapshots.get(seq).ok());
        let stop = stop.map(|kept| match Some(kept.reported.seq) == present {
            true => Stop::clone(kept.latest()),
            false => Stop::clone(&kept.reported),
        });
        let wanted = query.frame.filter(|(seq, _)| stop.as_ref().is_some_and(|stop| stop.seq == *seq));
        let below = wanted.and_then(|(_, frame)| stop.as_ref()?.place_below(frame).map(|place| (frame, place)));
        let top = stop.as_ref().and_then(|stop| stop.location.as_ref());
        let place = below.map(|(_, place)| place).or_else(|| top.map(|top| (top.file.as_str(), top.line)));
        let source = place.and_then(|place| self.source_at(place, query.context));
        let frame = below.map(|(frame, _)| frame);
        LookView {
            state: self.snapshot.get(),
            began: self.log.began(),
            source,
            frame,
            is_past: stop.as_ref().is_some_and(|stop| Some(stop.seq) != present),
            stop,
            stops: self.snapshots.list(),
            breakpoints: breakpoints.into_iter().map(|(view, _)| view).collect(),
            output: self.last_output(query),
            events: self.log.last_of("execution", query.events),
            threads: self.threads_begun(),
        }
    }

    fn source_at(&self, (file, line): (&str, u32), context: u32) -> Option<SourceView> {
        let query = SourceQuery { file: Some(file.to_owned()), line: Some(line), context };
        let source = self.source(&query).ok()?;
        Some(SourceView { current_line: Some(line), ..source })
    }

    fn last_output(&self, query: &LookQuery) -> OutputTail {
        let search = query.search.as_deref().map(|text| regex::RegexBuilder::new(&regex::escape(text)));
        let wanted = Selection {
            stdout: true,
            stderr: true,
            since: self.output.latest_run().max(self.output.end().saturating_sub(OUTPUT)),
            max_lines: None,
            tail: Some(query.output_lines),
            search: search.and_then(|mut text| text.case_insensitive(true).build().ok()),
            max_size: OUTPUT as usize,
        };
        if !self.output.is_in_memory(wanted.since) {
            return OutputTail::default();
        }
        self.output.excerpt(&wanted).read(&wanted).unwrap_or_default()
    }

    fn threads_begun(&self) -> Vec<ThreadId> {
        let mut live = BTreeSet::new();
        for event in self.log.of("threads") {
            let Some(thread) = event.thread else { continue };
            if event.type_name == "thread_exited" {
                live.remove(&thread)
            } else {
                live.insert(thread)
            };
        }
        live.into_iter().collect()
    }
}
