//! The workspace.

use super::{Render, Text, commas, push_part};
use crate::answers::report::{DiagnosticEntry, DiagnosticsReport, ProjectEntry, SkippedEntry, WorkspaceReport};

impl Render for WorkspaceReport {
    fn render(&self, text: &mut Text) {
        let mut head = format!("root {}", self.root);
        push_part(&mut head, ", ", self.path.as_deref(), "");
        text.line(&head);
        for project in &self.projects {
            project.render_lines(text, None);
        }
        text.more(self.more_projects, "more projects");
        skipped(text, &self.skipped, self.more_skipped);
    }
}

pub(super) fn skipped(text: &mut Text, skipped: &[SkippedEntry], more: Option<usize>) {
    if !skipped.is_empty() {
        text.line("skipped:");
    }
    for skipped in skipped {
        text.line(&format!("  {} {}", skipped.path, skipped.why));
    }
    text.more(more, "more");
}

impl ProjectEntry {
    pub(super) fn render_lines(&self, text: &mut Text, test_framework: Option<&str>) {
        let mut line = self.name.clone();
        push_part(&mut line, " ", self.kind.as_deref(), "");
        push_part(&mut line, " (", test_framework, ")");
        push_part(&mut line, " ", self.framework.as_deref(), "");
        if !self.frameworks.is_empty() {
            push_part(&mut line, " (of ", Some(commas(&self.frameworks)), ")");
        }
        push_part(&mut line, " ", Some(&self.state), "");
        push_part(&mut line, ": ", self.why.as_deref(), "");
        if self.symbols {
            line.push_str(", symbols");
        }
        push_part(&mut line, ", no symbols: ", self.no_symbols.as_deref(), "");
        if self.referenced {
            line.push_str(", referenced");
        }
        text.line(&line);
        let mut places = format!("  {}", self.path);
        push_part(&mut places, " -> ", self.dll.as_deref(), "");
        text.line(&places);
    }
}

impl Render for DiagnosticsReport {
    fn render(&self, text: &mut Text) {
        let mut head = format!("errors {}, warnings {}", self.error_count, self.warning_count);
        push_part(&mut head, ", infos ", self.info_count, "");
        push_part(&mut head, ", hidden ", self.hidden_count, "");
        if self.cached {
            head.push_str(", cached");
        }
        text.line(&head);
        text.line(&format!("root {}", self.root));
        for diagnostic in &self.diagnostics {
            diagnostic.render_line(text);
        }
        text.more(self.more_diagnostics, "more");
        if !self.not_compiled.is_empty() {
            text.line(&format!("not compiled: {}", commas(&self.not_compiled)));
        }
        text.more(self.more_not_compiled, "more not compiled");
    }
}

impl DiagnosticEntry {
    fn render_line(&self, text: &mut Text) {
        let mut line = format!("  {}", self.severity);
        push_part(&mut line, " ", self.at.as_deref().or(self.project.as_deref()), "");
        push_part(&mut line, " ", self.code.as_deref(), "");
        push_part(&mut line, ": ", Some(&self.message), "");
        text.line(&line);
    }
}
