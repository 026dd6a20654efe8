//! The stop report.

use super::{Render, Text, push_part, stacks::render_awaiting, values::section};
use crate::answers::report::{Output, StopReport};

impl Render for StopReport {
    fn render(&self, text: &mut Text) {
        text.line(&self.head());
        if let Some(ready) = &self.ready {
            text.line(&format!("ready {ready}"));
        }
        if let Some(root) = &self.root {
            text.line(&format!("root {root}"));
        }
        for breakpoint in &self.breakpoints {
            breakpoint.render(text);
        }
        if let Some(rule) = &self.exceptions {
            rule.render_line(text);
        }
        if let Some(exception) = &self.exception {
            exception.render_behind(text, "");
        }
        if let Some(location) = &self.location {
            location.render_lines(text);
        }
        section(text, "locals:", &self.locals);
        text.more(self.more_locals.filter(|_| !self.locals.is_empty()), "more");
        section(text, "changed:", &self.changed);
        text.more(self.unchanged, "unchanged");
        text.more(self.more_locals.filter(|_| self.locals.is_empty()), "locals not compared");
        section(text, "returned:", &self.returned);
        if self.more_returned {
            text.line("  and more");
        }
        section(text, "watches:", &self.watches);
        let values = !(self.locals.is_empty() && self.changed.is_empty() && self.watches.is_empty());
        if !self.stack.is_empty() || values && self.external_frames.is_some() {
            text.line("stack:");
            for frame in &self.stack {
                frame.render_lines(text);
            }
        }
        text.more(self.external_frames, "external");
        text.more(self.more_frames, "more");
        render_awaiting(text, &self.awaited_by, self.more_awaiting);
        if !self.tracepoints.is_empty() {
            text.line("tracepoints:");
            if let Some(more) = self.more_tracepoints {
                let mut earlier = format!("  {more} before these");
                push_part(&mut earlier, ": ", self.earlier_tracepoints.as_deref(), "");
                text.line(&earlier);
            }
            for line in &self.tracepoints {
                let mut head = format!("  {}", line.id);
                push_part(&mut head, " thread ", line.thread_id, "");
                text.line(&format!("{head}: {}", line.text));
            }
        }
        if let Some(output) = &self.output {
            output.render_section(text);
        }
        text.note(self.note.as_deref());
    }
}

impl StopReport {
    fn head(&self) -> String {
        let mut facts = Vec::new();
        if let Some(reason) = &self.reason {
            let mut why = reason.clone();
            for (at, id) in self.breakpoint_ids.iter().enumerate() {
                push_part(&mut why, " ", Some(id), "");
                push_part(&mut why, " (hit count ", self.hit_counts.get(at), ")");
            }
            push_part(&mut why, " (hit count ", self.hit_count, ")");
            facts.push(why);
        }
        facts.extend(self.exit_code.map(|code| format!("code {code}")));
        facts.extend(self.signal.as_ref().map(|signal| format!("by {signal}")));
        facts.extend(self.since.map(|since| format!("since {since}")));
        facts.extend(self.session_id.as_ref().map(|id| format!("session {id}")));
        facts.extend(self.pid.map(|pid| format!("pid {pid}")));
        facts.extend(self.process_name.clone());
        facts.extend(self.runtime_version.as_ref().map(|version| format!(".NET {version}")));
        facts.extend(self.thread_id.map(|id| {
            let mut thread = format!("thread {id}");
            push_part(&mut thread, " ", self.thread_name.as_deref(), "");
            thread
        }));
        facts.extend(self.seq.map(|seq| format!("seq {seq}")));
        facts.extend(self.elapsed_ms.map(|ms| format!("{ms} ms")));
        // An end of which only the position is known reads as a plain sentence.
        let plain = self.reason.is_none() && self.exit_code.is_none() && self.signal.is_none() && self.since.is_none();
        if facts.is_empty() {
            return self.outcome.clone();
        }
        format!("{}{} {}", self.outcome, if plain { "," } else { ":" }, facts.join(", "))
    }
}

impl Output {
    pub(super) fn render_section(&self, text: &mut Text) {
        match self.omitted_bytes {
            None => text.line("output:"),
            Some(bytes) => {
                let mut line = format!("output: ({bytes} bytes before this omitted");
                push_part(&mut line, ", cursor ", self.cursor, "");
                line.push(')');
                text.line(&line);
            }
        }
        text.quoted('|', self.stdout.as_deref());
        text.quoted('!', self.stderr.as_deref());
    }
}
