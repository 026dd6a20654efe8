//! The heap.

use super::{Render, Text, push_part};
use crate::answers::report::{GcRootsReport, HeapFindReport, HeapStatsReport, HeapTypeEntry};

/// `+3`, `-3`, `0`.
fn signed(change: Option<i64>) -> Option<String> {
    change.map(|change| if change > 0 { format!("+{change}") } else { change.to_string() })
}

fn objects(count: u64) -> String {
    format!("{count} object{}", if count == 1 { "" } else { "s" })
}

impl Render for HeapStatsReport {
    fn render(&self, text: &mut Text) {
        let mut line = match &self.heap_id {
            Some(id) => format!("heap {id}: "),
            None => "heap: ".to_owned(),
        };
        line.push_str(&objects(self.count));
        push_part(&mut line, " (", signed(self.count_change), ")");
        push_part(&mut line, ", ", Some(self.bytes), " bytes");
        push_part(&mut line, " (", signed(self.bytes_change), ")");
        push_part(&mut line, ", free ", self.free_bytes, "");
        text.line(&line);
        for entry in &self.heap_types {
            entry.render_line(text);
        }
        text.more(self.more_types, "types");
        text.note(self.note.as_deref());
    }
}

impl HeapTypeEntry {
    fn render_line(&self, text: &mut Text) {
        let mut line = format!("  {}", self.bytes);
        push_part(&mut line, " (", signed(self.bytes_change), ")");
        push_part(&mut line, " in ", Some(self.count), "");
        push_part(&mut line, " (", signed(self.count_change), ")");
        push_part(&mut line, "  ", Some(&self.type_name), "");
        text.line(&line);
    }
}

impl Render for HeapFindReport {
    fn render(&self, text: &mut Text) {
        text.line(&format!("matched {} of {}", self.matched, objects(self.count)));
        for entry in &self.objects {
            entry.object.render_at(text, "  ");
        }
        for entry in &self.heap_groups {
            entry.group.render_behind(text, &format!("  {} ({} bytes, {})  ", entry.count, entry.bytes, entry.example));
        }
        match self.heap_groups.is_empty() {
            true => {
                let matched = usize::try_from(self.matched).ok();
                let more = matched.and_then(|matched| matched.checked_sub(self.objects.len()));
                text.more(more.filter(|more| *more > 0), "");
            }
            false => text.more(self.more_groups.and_then(|more| usize::try_from(more).ok()), "groups"),
        }
        if !self.matched_types.is_empty() {
            text.line(&format!("types: {}", self.matched_types.join("; ")));
        }
        text.note(self.note.as_deref());
    }
}

impl Render for GcRootsReport {
    fn render(&self, text: &mut Text) {
        let mut line = objects(self.count);
        push_part(&mut line, ", ", self.unreachable, " unreachable (garbage)");
        text.line(&line);
        for entry in &self.chains {
            text.line(&format!("  {}: {}  ({})", entry.count, entry.chain, entry.example));
        }
        text.more(self.more_chains.and_then(|more| usize::try_from(more).ok()), "chains");
        text.note(self.note.as_deref());
    }
}
