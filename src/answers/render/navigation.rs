//! Declarations and uses in the workspace.

use super::code::skipped;
use super::{Render, Text, commas, push_part};
use crate::answers::report::{DefinitionEntry, DefinitionsReport, UsageEntry, UsagesReport};

impl Render for DefinitionsReport {
    fn render(&self, text: &mut Text) {
        for definition in &self.definitions {
            definition.render_lines(text);
        }
        text.more(self.more_definitions, "more");
        skipped(text, &self.skipped, self.more_skipped);
    }
}

impl DefinitionEntry {
    fn render_lines(&self, text: &mut Text) {
        let mut line = String::new();
        push_part(&mut line, "", self.kind.as_deref(), " ");
        line.push_str(&self.symbol);
        push_part(&mut line, " ", self.file.as_deref(), "");
        push_part(&mut line, ":", self.line, "");
        push_part(&mut line, " of ", self.assembly.as_deref(), "");
        text.line(&line);
        if let Some(source) = &self.source {
            text.source("> ", source);
        }
        if let Some(signature) = &self.signature {
            text.line(&format!("  {signature}"));
        }
    }
}

impl Render for UsagesReport {
    fn render(&self, text: &mut Text) {
        text.line(&format!("{}: {}", self.symbol, self.count));
        if !self.overloads.is_empty() {
            text.line(&format!("and {}", commas(&self.overloads)));
        }
        text.more(self.more_overloads, "more overloads");
        for file in &self.files {
            text.line(&file.file);
            for usage in &file.usages {
                usage.render_line(text);
            }
        }
        if let Some(start) = self.next_start {
            text.line(&format!("  more from start {start}"));
        }
        if !self.changed_files.is_empty() {
            text.line(&format!(
                "changed since the build; lines may be off and new code missing: {}",
                commas(&self.changed_files)
            ));
        }
        text.more(self.more_changed_files, "more changed files");
        for assembly in &self.without_lines {
            let uses = if assembly.count == 1 { "use" } else { "uses" };
            text.line(&format!("  {} has no symbols: {} {uses}", assembly.assembly, assembly.count));
        }
        text.more(self.more_without_lines, "more without symbols");
        if !self.through_dynamic.is_empty() {
            text.line(&format!("  through dynamic, possibly: {}", self.through_dynamic.join(", ")));
        }
        text.more(self.more_through_dynamic, "more through dynamic");
        skipped(text, &self.skipped, self.more_skipped);
    }
}

impl UsageEntry {
    fn render_line(&self, text: &mut Text) {
        let mut line = format!("  {}", self.line);
        for (at, column) in self.columns.iter().enumerate() {
            push_part(&mut line, if at == 0 { ":" } else { "," }, Some(column), "");
        }
        push_part(&mut line, " ", self.kind.as_deref(), "");
        push_part(&mut line, " ", self.form.as_deref(), "");
        push_part(&mut line, " ", self.inside.as_deref(), "");
        push_part(&mut line, " via ", self.via.as_deref(), "");
        push_part(&mut line, " (", self.from.as_deref(), ")");
        push_part(&mut line, "  ", self.source.as_deref(), "");
        text.line(&line);
    }
}
