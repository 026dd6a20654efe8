//! How the demo looks: plain text, colored on a terminal unless NO_COLOR says otherwise.

use std::io::{self, Write as _, stdout};

use serde_json::Value;

use crate::environment::process_env;

/// Columns of a call before its arguments get lines of their own.
const WIDTH: usize = 100;

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "1;31";
const GREEN: &str = "32";
const YELLOW: &str = "33";
const CYAN: &str = "36";

/// Where the story is written to: stdout.
pub(super) struct Page {
    terminal: bool,
    colored: bool,
}

impl Page {
    /// <https://no-color.org>: any value but an empty one.
    pub(super) fn new(terminal: bool) -> Self {
        let refused = process_env("NO_COLOR").is_some();
        let dumb = process_env("TERM").is_some_and(|term| term == "dumb");
        Self { terminal, colored: terminal && !refused && !dumb }
    }

    pub(super) fn title(&self, text: &str) -> io::Result<()> {
        writeln!(stdout(), "{}", self.paint(BOLD, text))
    }

    pub(super) fn note(&self, text: &str) -> io::Result<()> {
        writeln!(stdout(), "{}", self.paint(DIM, text))
    }

    pub(super) fn call(&self, thought: &str, tool: &str, arguments: &Value) -> io::Result<()> {
        let mut out = stdout();
        writeln!(out, "\n{}", self.paint(BOLD, thought))?;
        writeln!(out, "{}", self.paint(CYAN, &format!("{tool} {}", shown_arguments(tool, arguments))))?;
        out.flush()
    }

    /// Only on a terminal: it does not belong in a log.
    pub(super) fn phase(&self, text: &str) -> io::Result<()> {
        if !self.terminal || text.is_empty() {
            return Ok(());
        }
        self.note(&format!("  ... {text}"))
    }

    pub(super) fn answer(&self, text: &str, failed: bool) -> io::Result<()> {
        let mut out = stdout();
        for (at, line) in text.lines().enumerate() {
            let style = match at {
                _ if failed => Some(RED),
                0 => Some(GREEN),
                _ if line.starts_with("> ") || line.contains(" (was ") => Some(YELLOW),
                _ => None,
            };
            let line = style.map_or_else(|| line.to_owned(), |style| self.paint(style, line));
            writeln!(out, "  {line}")?;
        }
        out.flush()
    }

    fn paint(&self, style: &str, text: &str) -> String {
        if self.colored { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// The arguments on one line, or each on its own.
fn shown_arguments(tool: &str, arguments: &Value) -> String {
    let line = arguments.to_string();
    match arguments {
        Value::Object(members) if tool.len() + 1 + line.len() > WIDTH => {
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("  {}: {value}", Value::from(name.as_str()))).collect();
            format!("{{\n{}\n}}", members.join(",\n"))
        }
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_arguments_get_lines_of_their_own_and_stay_json() {
        assert_eq!(shown_arguments("debug_step", &json!({"mode": "over"})), r#"{"mode":"over"}"#);
        let long = json!({"program": "Shop", "breakpoints": ["x".repeat(WIDTH)]});
        let text = shown_arguments("debug_launch", &long);
        assert_eq!(text.lines().count(), 4);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), long);
    }

    #[test]
    fn nothing_is_painted_where_no_terminal_is() {
        assert_eq!(Page::new(false).paint(BOLD, "x"), "x");
        assert_eq!(Page { terminal: true, colored: true }.paint(BOLD, "x"), "\x1b[1mx\x1b[0m");
    }
}
