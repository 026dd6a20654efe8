//! The history as a file: JSON and CSV for programs, Markdown for people, and a script that makes the same calls again.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::history::Call;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Csv,
    Markdown,
    Script,
}

impl Format {
    /// Each with the name of its file and its content type.
    const ALL: [(Self, &str, &str); 4] = [
        (Self::Json, "history.json", "application/json"),
        (Self::Csv, "history.csv", "text/csv"),
        (Self::Markdown, "history.md", "text/markdown"),
        (Self::Script, "history.sh", "text/x-shellscript"),
    ];

    /// By the end of an address: `history.json`, or the bare ending.
    pub(super) fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, file, _)| file.strip_prefix("history.") == Some(name));
        found.map(|(format, ..)| *format)
    }

    fn row(self) -> (&'static str, &'static str) {
        let found = Self::ALL.iter().find(|(format, ..)| *format == self);
        found.map_or(("history", "text/plain"), |(_, name, content_type)| (name, content_type))
    }

    pub(super) fn name(self) -> &'static str {
        self.row().0
    }

    pub(super) fn content_type(self) -> &'static str {
        self.row().1
    }
}

/// Oldest first.
pub(super) fn text<'a>(format: Format, calls: impl Iterator<Item = &'a Call>) -> String {
    match format {
        Format::Json => {
            let calls: Vec<Value> = calls.map(object).collect();
            serde_json::to_string_pretty(&calls).unwrap_or_default() + "\n"
        }
        Format::Csv => csv(calls),
        Format::Markdown => markdown(calls),
        Format::Script => script(calls),
    }
}

/// Arguments as they were given, where they were kept whole.
fn arguments(call: &Call) -> Option<Value> {
    serde_json::from_str(&call.arguments).ok().filter(|_| !call.is_cut)
}

fn object(call: &Call) -> Value {
    let given = arguments(call).unwrap_or_else(|| json!(format!("{}…", call.arguments)));
    json!({
        "seq": call.seq,
        "began_ms": milliseconds(call.began),
        "took_ms": milliseconds(call.took),
        "client": call.client,
        "tool": call.tool,
        "arguments": given,
        "outcome": call.outcome,
    })
}

fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn csv<'a>(calls: impl Iterator<Item = &'a Call>) -> String {
    let mut text = String::from("seq,began_ms,took_ms,client,tool,outcome,arguments\r\n");
    for call in calls {
        let texts = [call.client.as_deref().unwrap_or_default(), &call.tool, &call.outcome, &call.arguments];
        let cells: Vec<String> = texts.iter().map(|text| cell(text)).collect();
        let (began, took) = (milliseconds(call.began), milliseconds(call.took));
        let _ = write!(text, "{},{began},{took},{}\r\n", call.seq, cells.join(","));
    }
    text
}

/// Spreadsheets take what begins like this for a formula, which may read files and open addresses: a quote makes it a text.
fn cell(text: &str) -> String {
    let is_formula = text.trim_start().starts_with(['=', '+', '-', '@']) || text.starts_with(['\t', '\r', '\n']);
    let guard = if is_formula { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

fn markdown<'a>(calls: impl Iterator<Item = &'a Call>) -> String {
    let mut text = String::from("# Calls\n");
    for call in calls {
        let client = call.client.as_deref().map(|client| format!(", by {}", code(client))).unwrap_or_default();
        let (outcome, took) = (code(&call.outcome), milliseconds(call.took));
        let _ = write!(text, "\n## {} {}\n\n{outcome} after {took} ms{client}\n", call.seq, code(&call.tool));
        let given = arguments(call).and_then(|given| serde_json::to_string_pretty(&given).ok());
        let given = given.unwrap_or_else(|| format!("{}…", call.arguments));
        if given != "{}" {
            let fence = "`".repeat(longest_run(&given, '`').max(2) + 1);
            let _ = write!(text, "\n{fence}json\n{given}\n{fence}\n");
        }
    }
    text
}

/// In backticks that it does not contain, on one line.
fn code(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let ticks = "`".repeat(longest_run(&line, '`') + 1);
    let space = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    format!("{ticks}{space}{line}{space}{ticks}")
}

fn longest_run(text: &str, of: char) -> usize {
    text.split(|c| c != of).map(str::len).max().unwrap_or(0)
}

/// All in one process, so that they are about one session, as they were. JSON has no line breaks, so no line of it ends the input.
fn script<'a>(calls: impl Iterator<Item = &'a Call>) -> String {
    let mut lines = String::new();
    let mut cut = Vec::new();
    for call in calls {
        match arguments(call) {
            Some(given) => {
                let _ = writeln!(lines, "{}", json!({"tool": call.tool, "arguments": given}));
            }
            None => cut.push(call.seq.to_string()),
        }
    }
    let missing = match cut.as_slice() {
        [] => String::new(),
        cut => format!("# call {} is missing: its arguments were too long to keep\n", cut.join(", ")),
    };
    format!(
        "#!/bin/sh\n# Repeats the calls of a clrbridge session.\n{missing}clrbridge call - <<'END_OF_CALLS'\n{lines}END_OF_CALLS\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(client: &str, tool: &str, arguments: &str) -> Call {
        Call {
            seq: 3,
            tool: tool.into(),
            arguments: arguments.into(),
            client: Some(client.into()),
            outcome: "ok".into(),
            ..Call::default()
        }
    }

    #[test]
    fn a_cell_of_csv_is_never_a_formula_and_never_ends_early() {
        for (text, expected) in [
            ("plain", "\"plain\""),
            ("=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\""),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("\t=1", "\"'\t=1\""),
            ("  =1", "\"'  =1\""),
            ("\r\n=1", "\"'\r\n=1\""),
            ("a\",\"=1", "\"a\"\",\"\"=1\""),
        ] {
            assert_eq!(cell(text), expected, "{text:?}");
        }
        let text = csv([call("=x", "evaluate", "{\"a\":1}")].iter());
        assert_eq!(text.lines().nth(1), Some("3,0,0,\"'=x\",\"evaluate\",\"ok\",\"{\"\"a\"\":1}\""));
    }

    #[test]
    fn a_script_makes_each_call_again_and_says_which_it_cannot() {
        let whole = call("x", "evaluate", "{\"expression\":\"'$(rm -rf /)' \\n END_OF_CALLS\"}");
        let cut = Call { is_cut: true, ..call("x", "evaluate", "{\"expression\":\"aa") };
        let text = script([whole, cut].iter());
        assert!(text.contains("# call 3 is missing:"), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.last(), Some(&"END_OF_CALLS"));
        assert_eq!(lines.iter().filter(|line| **line == "END_OF_CALLS").count(), 1);
        let made: Value = serde_json::from_str(lines[lines.len() - 2]).unwrap();
        assert_eq!(made["arguments"]["expression"], "'$(rm -rf /)' \n END_OF_CALLS");
    }

    #[test]
    fn markdown_keeps_what_was_given_inside_its_fences() {
        let text = markdown([call("a`b", "evaluate", "{\"expression\":\"```\\n# not a title\"}")].iter());
        assert!(text.contains("by ``a`b``") && text.contains("\n````json\n"), "{text}");
        assert!(!text.lines().any(|line| line == "# not a title"), "{text}");
    }

    #[test]
    fn json_is_read_back() {
        let text = text(Format::Json, [call("x", "evaluate", "{\"a\":1}")].iter());
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&read[0]["seq"], &read[0]["arguments"]["a"]), (&json!(3), &json!(1)));
        assert_eq!(Format::named("csv"), Some(Format::Csv));
        assert_eq!(Format::named("../etc/passwd"), None);
    }
}
