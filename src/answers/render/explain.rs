//! The explanation of a breakpoint.

use super::{Render, Text, commas, push_part};
use crate::answers::report::ExplainReport;

impl Render for ExplainReport {
    fn render(&self, text: &mut Text) {
        text.line(&self.head());
        text.line(&format!("  {}", self.message));
        self.render_build(text);
        self.render_code(text);
        self.render_run(text);
        text.line(&format!("next: {}", self.hint));
    }
}

impl ExplainReport {
    fn head(&self) -> String {
        let mut head = format!("breakpoint {}", self.id);
        push_part(&mut head, " ", self.file.as_deref(), "");
        push_part(&mut head, ":", self.line, "");
        push_part(&mut head, " ", self.function.as_deref(), "");
        push_part(&mut head, " (requested ", self.requested_line, ")");
        push_part(&mut head, " ", (!self.verified).then_some("unverified"), "");
        push_part(&mut head, " if ", self.condition.as_deref(), "");
        push_part(&mut head, " hit condition ", self.hit_condition.as_deref(), "");
        push_part(&mut head, " hit ", self.hits, "");
        push_part(&mut head, " at seq ", self.last_hit_seq, "");
        push_part(&mut head, " ", (self.enabled == Some(false)).then_some("disabled"), "");
        // the sentence below says it; the names are those of the structured answer
        let causes = [&self.verdict, &self.also].into_iter().flatten().filter(|cause| **cause != self.state);
        let causes: Vec<String> = causes.cloned().collect();
        push_part(&mut head, ": ", (!causes.is_empty()).then(|| causes.join(" and ")), "");
        push_part(&mut head, ", program ", (self.state != "not_attached").then_some(&self.state), "");
        push_part(&mut head, ", ", (self.state == "not_attached").then_some(&self.state), "");
        head
    }

    /// Assembly, documents, hashes.
    fn render_build(&self, text: &mut Text) {
        let mut part = |name: &str, value: Option<&str>| {
            if let Some(value) = value {
                text.line(&format!("  {name} {value}"));
            }
        };
        part("module", self.module.as_deref());
        part("document", self.document.as_deref());
        if !self.documents.is_empty() {
            let more = self.more_documents.map_or_else(String::new, |more| format!(" (+{more} more)"));
            part("did you mean", Some(&format!("{}?{more}", self.documents.join(", "))));
        }
        part("expected", self.expected.as_deref());
        part("found", self.found.as_deref());
    }

    /// What the line is.
    fn render_code(&self, text: &mut Text) {
        let mut method = String::new();
        push_part(&mut method, "  method ", self.method.as_deref(), "");
        push_part(&mut method, " [", self.attribute.as_deref(), "]");
        if !method.is_empty() {
            text.line(&method);
        }
        for near in &self.nearest {
            text.line(&format!("  near {}  {}", near.line, near.source));
        }
    }

    /// What happened.
    fn render_run(&self, text: &mut Text) {
        if let Some(evaluations) = self.evaluations {
            let times = if evaluations == 1 { "time" } else { "times" };
            text.line(&format!("  evaluated {evaluations} {times}"));
        }
        for value in &self.values {
            value.render_at(text, "  ");
        }
        if let Some(error) = &self.error {
            text.line(&format!("  {error}"));
        }
        let mut end = String::new();
        push_part(&mut end, "  exit code ", self.exit_code, "");
        push_part(&mut end, "  ended by ", self.signal.as_deref(), "");
        if !end.is_empty() {
            text.line(&end);
        }
        if let Some(reason) = &self.reason {
            text.line(&format!("stopped: {reason}"));
        }
        if let Some(location) = &self.location {
            location.render_lines(text);
        }
        if !self.children.is_empty() {
            let named: Vec<String> =
                self.children.iter().map(|child| format!("{} {}", child.pid, child.name)).collect();
            text.line(&format!("  started {}", commas(&named)));
        }
    }
}
