//! Snapshots, what differs between them, and streams.

use super::{Render, Text, push_part, values::section};
use crate::answers::report::{SnapshotDiffReport, SnapshotReport, StatePathReport, StreamEntry, StreamsReport};

impl Render for SnapshotReport {
    fn render(&self, text: &mut Text) {
        self.stop.render(text);
        if let Some(oldest) = self.oldest_seq {
            text.line(&format!("oldest {oldest}"));
        }
    }
}

impl Render for StatePathReport {
    fn render(&self, text: &mut Text) {
        let mut line = format!("{}:", self.path);
        push_part(&mut line, " ", self.type_name.as_deref(), "");
        push_part(&mut line, if self.type_name.is_some() { "(" } else { " (" }, self.count, ")");
        push_part(&mut line, " ", self.value.as_deref(), "");
        push_part(&mut line, " !", self.error.as_deref(), "");
        push_part(&mut line, " (", self.length, " chars)");
        section(text, &line, &self.members);
        if self.members.is_empty() {
            text.line(&line);
        }
        text.line(&format!("seq {}", self.seq));
        text.note(self.note.as_deref());
    }
}

impl Render for SnapshotDiffReport {
    fn render(&self, text: &mut Text) {
        let what = match self.total_changes {
            0 => "no changes".to_owned(),
            1 => "1 change".to_owned(),
            many => format!("{many} changes"),
        };
        text.line(&format!("seq {} to {}: {what}", self.base_seq, self.target_seq));
        for (head, entries) in [("changed:", &self.changed), ("added:", &self.added), ("removed:", &self.removed)] {
            section(text, head, entries);
        }
        if self.truncated {
            let listed = self.changed.len() + self.added.len() + self.removed.len();
            text.line(&format!("truncated: +{} more", self.total_changes.saturating_sub(listed)));
        }
        text.note(self.note.as_deref());
    }
}

impl Render for StreamsReport {
    fn render(&self, text: &mut Text) {
        for stream in &self.event_streams {
            stream.render_line(text);
        }
        self.snapshots.render_line(text);
    }
}

impl StreamEntry {
    fn render_line(&self, text: &mut Text) {
        let mut line = format!("{} {}", self.name, self.count);
        push_part(&mut line, ", oldest ", self.oldest_seq, "");
        push_part(&mut line, ", latest ", self.latest_seq, "");
        text.line(&line);
    }
}
