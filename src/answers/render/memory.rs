//! Memory, and what refers to an object.

use super::{Render, Text, push_part};
use crate::answers::report::{MemoryReport, ReferencesReport};

impl Render for MemoryReport {
    fn render(&self, text: &mut Text) {
        text.line(&format!("{} bytes at {}", self.bytes, self.address));
        self.data.lines().for_each(|line| text.line(line));
        text.note(self.note.as_deref());
    }
}

impl Render for ReferencesReport {
    fn render(&self, text: &mut Text) {
        self.object.render_at(text, "");
        let mut line = format!("{} bytes", self.bytes);
        push_part(&mut line, ", generation ", self.generation.as_deref(), "");
        text.line(&line);
        let head = match (self.held.is_empty(), self.outbound) {
            (false, false) => "referred to by:",
            (false, true) => "refers to:",
            (true, false) => "no object refers to it",
            (true, true) => "it refers to no object",
        };
        text.line(head);
        for held in &self.held {
            text.line(&format!("  {} through {}", held.count, held.through));
            held.examples.iter().for_each(|object| object.render_at(text, "    "));
        }
        if !self.roots.is_empty() {
            text.line(&format!("roots: {}", self.roots.join("; ")));
        }
        text.note(self.note.as_deref());
    }
}
