//! Failed calls.

use super::{Render, Text};
use crate::answers::tool_error::{ErrorDetails, ToolError};

impl Render for ToolError {
    fn render(&self, text: &mut Text) {
        let state = self.state.as_ref().map(|state| format!(" [{state}]")).unwrap_or_default();
        text.line(&format!("error {}: {}{state}", self.code, self.message));
        if let Some(details) = &self.details {
            details.render_lines(text, &format!("{}\n{}", self.message, self.hint));
        }
        if !self.hint.is_empty() {
            text.line(&format!("next: {}", self.hint));
        }
    }
}

impl ErrorDetails {
    /// `message`: the error's own; what it contains already is not repeated.
    fn render_lines(&self, text: &mut Text, message: &str) {
        if let Some(root) = &self.root {
            text.line(&format!("root {root}"));
        }
        for error in &self.errors {
            let said = [error.at.as_str(), &error.code].into_iter().filter(|part| !part.is_empty());
            let said = said.collect::<Vec<_>>().join(" ");
            let before = if said.is_empty() { String::new() } else { format!("{said}: ") };
            text.line(&format!("  {before}{}", error.message));
        }
        text.more(self.more_errors, "more");
        for line in &self.matches {
            text.line(&format!("  {}  {}", line.line, line.source));
        }
        text.more(self.more_matches, "more");
        for line in &self.nearest {
            text.line(&format!("  near {}  {}", line.line, line.source));
        }
        let words = [
            ("argument", self.argument.clone()),
            ("did you mean", self.did_you_mean.clone()),
            ("request", self.request.clone()),
            ("exit code", self.exit_code.map(|code| code.to_string())),
            ("signal", self.signal.clone()),
        ];
        for (what, word) in words {
            if let Some(word) = word.filter(|word| !message.contains(word.as_str())) {
                text.line(&format!("  {what} {word}"));
            }
        }
        if let Some(stderr) = &self.stderr {
            text.line("adapter stderr:");
            text.quoted('!', Some(stderr));
        }
        if let Some(output) = &self.output {
            output.render_section(text);
        }
    }
}
