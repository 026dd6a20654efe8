//! Places, frames, threads, exceptions.

use super::{Render, Text, push_part};
use crate::answers::report::{
    Exception, ExceptionReport, Frame, FrameReport, Location, SourceReport, StackReport, ThreadGroup, ThreadsReport,
    WaitEntry,
};

impl Location {
    pub(super) fn render_lines(&self, text: &mut Text) {
        let place = (!self.file.is_empty()).then(|| format!("{}:{}", self.file, self.line));
        let mut line = place.unwrap_or_else(|| "no source:".to_owned());
        push_part(&mut line, ":", self.column, "");
        push_part(&mut line, " ", self.kind.as_deref(), "");
        push_part(&mut line, " ", self.function.as_deref(), "");
        push_part(&mut line, " frame ", self.frame, "");
        push_part(&mut line, " in ", self.inside.as_deref(), "");
        text.line(&line);
        if let Some(source) = &self.source {
            text.source("> ", source);
        }
    }
}

impl Frame {
    pub(super) fn render_lines(&self, text: &mut Text) {
        let mut line = String::from("  ");
        push_part(&mut line, "", self.frame, " ");
        push_part(&mut line, "", self.kind.as_deref(), " ");
        line.push_str(&self.function);
        push_part(&mut line, " ", self.at.as_deref(), "");
        push_part(&mut line, "  ", self.source.as_deref(), "");
        push_part(&mut line, " ", self.resumes.then_some("(resumed the frame above, no caller of it)"), "");
        push_part(&mut line, " (and ", self.others_await, " more await the same)");
        text.line(&line);
        for local in &self.locals {
            local.render_at(text, "    ");
        }
    }
}

/// The methods that await what a stack shows.
pub(super) fn render_awaiting(text: &mut Text, awaited_by: &[Frame], more: Option<usize>) {
    if !awaited_by.is_empty() {
        text.line("awaited by:");
    }
    for frame in awaited_by {
        frame.render_lines(text);
    }
    text.more(more, "more");
}

impl Exception {
    /// `before` repeats on every line of an inner exception, so that its members cannot be taken for the outer one's.
    pub(super) fn render_behind(&self, text: &mut Text, before: &str) {
        let mut line = format!("{before}{}", self.type_name);
        push_part(&mut line, ": ", self.message.as_deref().filter(|message| !message.is_empty()), "");
        push_part(&mut line, " ", self.unhandled.then_some("(unhandled)"), "");
        push_part(&mut line, " at ", self.at.as_deref(), "");
        text.line(&line);
        let below = format!("{before}  ");
        for member in &self.members {
            member.render_behind(text, &below);
        }
        let inner = format!("{before}  inner ");
        for exception in &self.inner {
            exception.render_behind(text, &inner);
        }
    }
}

fn thread_line(text: &mut Text, id: i64, name: Option<&str>) {
    let mut line = format!("thread {id}");
    push_part(&mut line, " ", name, "");
    text.line(&line);
}

impl Render for StackReport {
    fn render(&self, text: &mut Text) {
        thread_line(text, self.thread_id, self.thread_name.as_deref());
        for frame in &self.frames {
            frame.render_lines(text);
        }
        text.more(self.external_frames, "external");
        text.more(self.more_frames, "more");
        render_awaiting(text, &self.awaited_by, self.more_awaiting);
        text.note(self.note.as_deref());
    }
}

impl Render for ThreadsReport {
    fn render(&self, text: &mut Text) {
        text.line(&format!("{} thread{}", self.count, if self.count == 1 { "" } else { "s" }));
        for deadlock in &self.deadlocks {
            text.line(&format!("deadlock: {deadlock}"));
        }
        for group in &self.threads {
            group.render_lines(text);
        }
        if !self.waits.is_empty() {
            text.line("waits:");
        }
        for wait in &self.waits {
            wait.render_line(text);
        }
        if let Some(paused) = self.paused_ms {
            text.line(&format!("paused for {paused} ms, running again"));
        }
    }
}

impl WaitEntry {
    fn render_line(&self, text: &mut Text) {
        let mut line = format!("  {}", self.waits_for);
        push_part(&mut line, ", held by ", self.held_by, "");
        push_part(&mut line, ", run by ", self.run_by, "");
        push_part(&mut line, ", awaits what ", self.awaits_thread, " runs");
        line.push(':');
        push_part(&mut line, " ", self.count, " threads,");
        push_part(&mut line, " ", self.ranges.as_deref(), "; first");
        for (index, id) in self.ids.iter().enumerate() {
            push_part(&mut line, if index == 0 { " " } else { ", " }, Some(id), "");
        }
        text.line(&line);
    }
}

impl ThreadGroup {
    fn render_lines(&self, text: &mut Text) {
        let mut line = String::from(if self.current { "*" } else { " " });
        push_part(&mut line, " ", self.count, " threads: ");
        push_part(&mut line, "", self.ranges.as_deref(), "; first");
        for (index, id) in self.ids.iter().enumerate() {
            line.push_str(if index == 0 { " " } else { ", " });
            push_part(&mut line, "", Some(id), "");
            push_part(&mut line, " ", self.names.get(index), "");
        }
        text.line(&line);
        match &self.function {
            None => text.line("    no user code"),
            Some(function) => {
                let mut line = String::from("    ");
                push_part(&mut line, "", self.kind.as_deref(), " ");
                line.push_str(function);
                push_part(&mut line, " ", self.at.as_deref(), "");
                push_part(&mut line, "  ", self.source.as_deref(), "");
                push_part(&mut line, "  in ", self.inside.as_deref(), "");
                text.line(&line);
            }
        }
        for value in &self.values {
            value.render_at(text, "    ");
        }
    }
}

impl Render for ExceptionReport {
    fn render(&self, text: &mut Text) {
        self.exception.render_behind(text, "");
        thread_line(text, self.thread_id, self.thread_name.as_deref());
        for frame in &self.frames {
            frame.render_lines(text);
        }
        text.more(self.external_frames, "external");
        text.more(self.more_frames, "more");
        text.note(self.note.as_deref());
    }
}

impl Render for SourceReport {
    fn render(&self, text: &mut Text) {
        if let Some(function) = &self.function {
            let mut line = function.clone();
            push_part(&mut line, " in ", self.module.as_deref(), "");
            text.line(&line);
        }
        if let (Some(file), Some(start)) = (&self.file, self.start_line) {
            text.line(file);
            for (number, source) in (start..).zip(&self.source_lines) {
                let mark = if self.current_line == Some(number) { '>' } else { ' ' };
                match source.trim_end() {
                    "" => text.line(&format!("{mark} {number}")),
                    source => text.source(&format!("{mark} {number}  "), source),
                }
            }
            if self.source_lines.is_empty() {
                text.line(&format!("  no lines from {start}"));
            }
        }
        if let Some(signature) = &self.signature {
            text.line(signature);
        }
        for (number, type_name) in self.il_locals.iter().enumerate() {
            text.line(&format!("  local {number}: {type_name}"));
        }
        for line in &self.il {
            text.line(&format!("  {line}"));
        }
        text.more(self.more_il, "lines of IL");
        text.note(self.note.as_deref());
    }
}

impl Render for FrameReport {
    fn render(&self, text: &mut Text) {
        thread_line(text, self.thread_id, None);
        self.location.render_lines(text);
    }
}
