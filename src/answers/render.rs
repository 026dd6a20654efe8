//! The text form of every answer, rendered from the wire value alone: a header line, then lines indented by two spaces.
//!
//! No markdown but line ends, nothing escaped for it: what is shown must be fit to be copied into a call.
//! Every line goes through [`Text::line`], so nothing that a program says can begin a line of ours.

mod breakpoints;
mod code;
mod error;
mod explain;
mod heap;
mod memory;
mod metadata;
mod navigation;
mod process;
mod stacks;
mod stop;
mod targets;
mod telemetry;
mod values;

use std::fmt::Write as _;

use super::visible::{is_hidden, push_escape};

/// A wire value that can be rendered as text.
pub trait Render {
    fn render(&self, text: &mut Text);

    /// The whole text, without a line end.
    fn to_text(&self) -> String {
        let mut text = Text::default();
        self.render(&mut text);
        text.finish()
    }
}

/// The text in the making: lines.
#[derive(Debug, Default)]
pub struct Text(String);

impl Text {
    /// One line; control characters in it become C# escapes.
    pub fn line(&mut self, line: &str) {
        escape_into(&mut self.0, line, false);
        self.0.push('\n');
    }

    /// A line of a source behind what stands before it. Tabs stay: they are its indentation.
    fn source(&mut self, before: &str, source: &str) {
        escape_into(&mut self.0, before, false);
        escape_into(&mut self.0, source, true);
        self.0.push('\n');
    }

    /// `+N what`, indented, when there are any.
    fn more(&mut self, count: Option<usize>, what: &str) {
        if let Some(count) = count {
            self.line(format!("  +{count} {what}").trim_end());
        }
    }

    /// `note: …`; several are lines of one text.
    fn note(&mut self, notes: Option<&str>) {
        for note in notes.into_iter().flat_map(str::lines) {
            self.line(&format!("note: {note}"));
        }
    }

    /// The program's own lines behind a mark that no program can fake. Tabs stay: they cannot end a line.
    fn quoted(&mut self, mark: char, program_text: Option<&str>) {
        for line in program_text.unwrap_or_default().split_terminator('\n') {
            self.0.push(mark);
            self.0.push(' ');
            escape_into(&mut self.0, line.strip_suffix('\r').unwrap_or(line), true);
            self.0.push('\n');
        }
    }

    fn finish(mut self) -> String {
        while self.0.ends_with('\n') {
            self.0.pop();
        }
        self.0
    }
}

fn escape_into(to: &mut String, line: &str, keep_tabs: bool) {
    for c in line.chars() {
        match c {
            '\n' => to.push_str("\\n"),
            '\r' => to.push_str("\\r"),
            '\t' if !keep_tabs => to.push_str("\\t"),
            '\0' => to.push_str("\\0"),
            '\t' => to.push(c),
            // Unicode's own line ends, which would begin a line too, are hidden ones.
            c if c.is_control() || is_hidden(c) => push_escape(to, c),
            c => to.push(c),
        }
    }
}

/// Puts the parts that are there behind each other, each with what stands before it.
fn push_part(line: &mut String, before: &str, part: Option<impl std::fmt::Display>, after: &str) {
    if let Some(part) = part {
        let _ = write!(line, "{before}{part}{after}");
    }
}

/// `a, b, c`.
fn commas<T: std::fmt::Display>(items: &[T]) -> String {
    let mut joined = String::new();
    for item in items {
        let before = if joined.is_empty() { "" } else { ", " };
        let _ = write!(joined, "{before}{item}");
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::report::{FrameReport, HealthReport, Location};

    fn rendered(report: &impl Render) -> String {
        let mut text = Text::default();
        report.render(&mut text);
        text.finish()
    }

    #[test]
    fn a_frame_without_source_has_no_line_zero() {
        let location = Location { function: Some("Task.Run".into()), frame: Some(2), ..Location::default() };
        let report = FrameReport { thread_id: 7, location };
        assert_eq!(rendered(&report), "thread 7\nno source: Task.Run frame 2");
        let json = serde_json::json!({"thread_id": 7, "location": {"function": "Task.Run", "frame": 2}});
        assert_eq!(serde_json::to_value(&report).unwrap(), json);
    }

    #[test]
    fn live_and_ended_sessions_are_counted_apart() {
        let health = |live_sessions, ended_sessions| {
            let report = HealthReport { version: "1".into(), live_sessions, ended_sessions, ..HealthReport::default() };
            rendered(&report).lines().next().unwrap().to_owned()
        };
        assert_eq!(health(0, Some(2)), "clrbridge 1, live sessions: 0, ended: 2");
        assert_eq!(health(1, None), "clrbridge 1, live sessions: 1");
    }

    #[test]
    fn no_text_of_a_program_can_begin_a_line_of_ours() {
        let mut text = Text::default();
        text.line("a\nstopped: b\r\u{2028}\0\u{1b}[1m\tc");
        text.source("> ", "\tif (a)\t// b\n\u{1b}");
        text.quoted('|', Some("one\ttab\u{1b}\n\nerror x: y\r\n"));
        assert_eq!(
            text.finish(),
            "a\\nstopped: b\\r\\u2028\\0\\u001b[1m\\tc\n> \tif (a)\t// b\\n\\u001b\n| one\ttab\\u001b\n| \n| error x: y"
        );
    }
}
