//! `name: Type(count) value (length chars) (was old)`.

use super::{Render, Text, commas, push_part};
use crate::answers::report::{EvaluateReport, SetReport, Variable, VariablesReport, WatchReport};

impl Variable {
    /// Writes the value at `indent` blanks, its members below it.
    pub(super) fn render_at(&self, text: &mut Text, indent: &str) {
        self.render_behind(text, indent);
    }

    /// The same behind any beginning of a line; members get two blanks more.
    pub(super) fn render_behind(&self, text: &mut Text, before: &str) {
        let mut line = format!("{before}{}:", self.name);
        self.push_value(&mut line);
        text.line(&line);
        let deeper = format!("{before}  ");
        for member in &self.members {
            member.render_behind(text, &deeper);
        }
    }

    fn push_value(&self, line: &mut String) {
        push_part(line, " ", self.type_name.as_deref(), "");
        push_part(line, if self.type_name.is_some() { "(" } else { " (" }, self.count, ")");
        push_part(line, " ", self.value.as_deref(), "");
        push_part(line, " !", self.error.as_deref(), "");
        push_part(line, " = ", self.cycle.as_deref(), "");
        push_part(line, " (", self.length, " chars)");
        push_part(line, " (was ", self.was.as_deref(), ")");
        push_part(line, " ", self.unassigned.then_some("(not assigned yet)"), "");
        push_part(line, " ", self.is_static.then_some("(static)"), "");
        push_part(line, " @", self.path.as_deref(), "");
    }
}

/// A headed list of values; nothing when there are none.
pub(super) fn section(text: &mut Text, head: &str, variables: &[Variable]) {
    if !variables.is_empty() {
        text.line(head);
        for variable in variables {
            variable.render_at(text, "  ");
        }
    }
}

impl Render for VariablesReport {
    fn render(&self, text: &mut Text) {
        let indent = if self.path.is_some() { "  " } else { "" };
        if let Some(path) = &self.path {
            let mut head = format!("{path}:");
            push_part(&mut head, " ", self.type_name.as_deref(), "");
            push_part(&mut head, if self.type_name.is_some() { "(" } else { " (" }, self.count, ")");
            push_part(&mut head, " ", self.identity.as_deref(), "");
            push_part(&mut head, " at ", self.address.as_deref(), "");
            push_part(&mut head, ", ", self.bytes, " bytes");
            push_part(&mut head, ", generation ", self.generation.as_deref(), "");
            push_part(&mut head, " from ", self.start, "");
            push_part(&mut head, " min ", self.min.as_deref(), "");
            push_part(&mut head, " max ", self.max.as_deref(), "");
            push_part(&mut head, " mean ", self.mean.as_deref(), "");
            push_part(&mut head, " ", self.null_count, " null");
            text.line(&head);
        }
        let variables = self.variables.as_deref().unwrap_or_default();
        let what = if self.path.is_some() { "members" } else { "variables" };
        if variables.is_empty() && self.elements.is_empty() {
            match (self.searched, self.count) {
                (Some(_), _) => text.line(&format!("{indent}nothing matches")),
                (None, None) if self.hidden.is_none() => text.line(&format!("{indent}no {what}")),
                (None, _) => {}
            }
        }
        for variable in variables {
            variable.render_at(text, indent);
        }
        if !self.elements.is_empty() {
            text.line(&format!("{indent}{}", commas(&self.elements)));
        }
        if let Some(hidden) = self.hidden {
            text.line(&format!("{indent}+{hidden} hidden"));
        }
        if let Some(searched) = self.searched {
            text.line(&match self.count {
                Some(count) => format!("{indent}searched {searched} of {count}"),
                None => format!("{indent}searched {searched} of {} {what}", searched + self.hidden.unwrap_or(0)),
            });
        }
        if let Some(next) = self.next_start {
            text.line(&format!("{indent}next start={next}"));
        }
        text.note(self.note.as_deref());
    }
}

impl Render for EvaluateReport {
    fn render(&self, text: &mut Text) {
        for result in &self.results {
            result.render_at(text, "");
        }
        let mut line = String::new();
        push_part(&mut line, "", self.type_name.as_deref(), "");
        push_part(&mut line, "(", self.count, ")");
        let before = if line.is_empty() { "" } else { " " };
        push_part(&mut line, before, self.value.as_deref(), "");
        push_part(&mut line, " (", self.length, " chars)");
        push_part(&mut line, " (was ", self.was.as_deref(), ")");
        push_part(&mut line, " @", self.path.as_deref(), "");
        if !line.is_empty() {
            text.line(&line);
        }
        for row in std::iter::once(&self.column_names).filter(|names| !names.is_empty()).chain(&self.rows) {
            text.line(&format!("  {}", row.join(" | ")));
        }
        if let Some(next) = self.next_start {
            text.line(&format!("next start={next}"));
        }
    }
}

impl Render for SetReport {
    fn render(&self, text: &mut Text) {
        let mut line = format!("{}:", self.path);
        push_part(&mut line, " ", self.type_name.as_deref(), "");
        push_part(&mut line, " ", Some(&self.value), "");
        match &self.was {
            Some(was) => push_part(&mut line, " (was ", Some(was), ")"),
            None => line.push_str(" (added)"),
        }
        text.line(&line);
    }
}

impl Render for WatchReport {
    fn render(&self, text: &mut Text) {
        if self.expressions.is_empty() {
            text.line("no watches");
        } else if self.watches.is_empty() {
            text.line(&format!("watches: {}", commas(&self.expressions)));
        } else {
            section(text, "watches:", &self.watches);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::VariablesView;

    fn rendered(view: VariablesView) -> (String, String) {
        let report = VariablesReport::from(view);
        let mut text = Text::default();
        report.render(&mut text);
        (serde_json::to_string(&report).unwrap(), text.finish())
    }

    #[test]
    fn elements_of_one_shape_are_rows_below_their_names() {
        let words = |all: [&str; 2]| all.map(str::to_owned).to_vec();
        let report = EvaluateReport {
            count: Some(5),
            path: Some("$1".into()),
            column_names: words(["Id", "Name"]),
            rows: vec![words(["1", "null"]), words(["2", "\"b\""])],
            next_start: Some(2),
            ..EvaluateReport::default()
        };
        let mut text = Text::default();
        report.render(&mut text);
        assert_eq!(text.finish().trim(), "(5) @$1\n  Id | Name\n  1 | null\n  2 | \"b\"\nnext start=2");
    }

    #[test]
    fn nothing_to_list_is_an_empty_list_and_a_sentence() {
        let (json, text) = rendered(VariablesView::default());
        assert_eq!((json.as_str(), text.trim()), ("{\"variables\":[]}", "no variables"));
        let of =
            |elements: Vec<String>| VariablesView { path: Some("line".into()), elements, ..VariablesView::default() };
        let (json, text) = rendered(of(Vec::new()));
        assert_eq!((json.as_str(), text.trim()), ("{\"path\":\"line\",\"variables\":[]}", "line:\n  no members"));
        let (_, text) = rendered(VariablesView { hidden: 1, ..of(Vec::new()) });
        assert_eq!(text.trim(), "line:\n  +1 hidden");
        let none = |count| VariablesView { searched: Some(12), count, hidden: 1, ..of(Vec::new()) };
        let (json, text) = rendered(none(None));
        assert_eq!(json, "{\"path\":\"line\",\"variables\":[],\"hidden\":1,\"searched\":12}");
        assert_eq!(text.trim(), "line:\n  nothing matches\n  +1 hidden\n  searched 12 of 13 members");
        let (_, text) = rendered(none(Some(20)));
        assert_eq!(text.trim(), "line: (20)\n  nothing matches\n  +1 hidden\n  searched 12 of 20");
        let (_, text) = rendered(VariablesView { path: None, hidden: 0, ..none(None) });
        assert_eq!(text.trim(), "nothing matches\nsearched 12 of 12 variables");
        let (json, _) = rendered(of(vec!["1".into()]));
        assert_eq!(json, "{\"path\":\"line\",\"elements\":[\"1\"]}");
    }
}
