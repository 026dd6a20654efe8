//! Breakpoints and the rule for exceptions.

use super::{Render, Text, commas, push_part};
use crate::answers::report::{Breakpoint, BreakpointListReport, ExceptionRuleReport, ExceptionsReport, RemovedReport};

impl Breakpoint {
    /// `of`: the session that is over, and of which the hits are (`s1, exited`).
    fn render_behind(&self, text: &mut Text, before: &str, of: Option<&str>) {
        let mut line = format!("{before}{}", self.id);
        push_part(&mut line, " ", self.file.as_deref(), "");
        push_part(&mut line, ":", self.line, "");
        push_part(&mut line, " ", self.function.as_deref(), "");
        push_part(&mut line, " (", self.method_count, " methods)");
        push_part(&mut line, " (requested ", self.requested_line, ")");
        push_part(&mut line, " (moved from ", self.moved_from, ")");
        if self.enabled == Some(false) {
            // whether it would bind is known only while it is enabled
            line.push_str(", disabled");
            push_part(&mut line, ": ", self.why.as_deref(), "");
        } else if self.verified {
            push_part(&mut line, ", ", self.why.as_deref(), "");
        } else {
            line.push_str(if self.pending { ", pending" } else { ", unverified" });
            push_part(&mut line, ": ", self.why.as_deref(), "");
        }
        push_part(&mut line, ", ", self.temporary.then_some("temporary"), "");
        push_part(&mut line, ", ", self.only_changes.then_some("only changes"), "");
        push_part(&mut line, ", only in ", self.limited_to.as_deref(), "");
        if let Some(hits) = self.hits {
            push_hits(&mut line, hits);
            push_part(&mut line, "", self.since_restart.then_some(" since the restart"), "");
            push_part(&mut line, " in ", self.session_id.as_deref().or(of), "");
        }
        if let Some(times) = self.condition_false {
            line.push_str(&format!(", condition false {}", times_of(times)));
        }
        for other in &self.other_sessions {
            push_hits(&mut line, other.hits);
            push_part(&mut line, " in ", Some(&other.session_id), "");
            push_part(&mut line, ", ", other.state.as_deref(), "");
        }
        // what the caller wrote comes last: it may read like anything of the above
        push_part(&mut line, ", if ", self.condition.as_deref(), "");
        push_part(&mut line, ", hit condition ", self.hit_condition.as_deref(), "");
        push_part(&mut line, ", log ", self.log.as_deref(), "");
        push_part(&mut line, "  ", self.source.as_deref(), "");
        text.line(&line);
        if let Some(message) = &self.message {
            text.line(&format!("  {message}"));
        }
        for place in &self.places {
            text.line(&format!("  {place}"));
        }
        if let Some(more) =
            self.method_count.and_then(|all| all.checked_sub(self.places.len())).filter(|more| *more > 0)
            && !self.places.is_empty()
        {
            text.line(&format!("  and {more} more"));
        }
        for near in &self.nearest {
            text.line(&format!("  near {}  {}", near.line, near.source));
        }
        text.note(self.note.as_deref());
    }
}

fn push_hits(line: &mut String, hits: u64) {
    match hits {
        0 => line.push_str(", never hit"),
        hits => line.push_str(&format!(", hit {}", times_of(hits))),
    }
}

fn times_of(count: u64) -> String {
    if count == 1 { "1 time".to_owned() } else { format!("{count} times") }
}

impl Render for Breakpoint {
    fn render(&self, text: &mut Text) {
        self.render_behind(text, "breakpoint ", None);
    }
}

impl ExceptionRuleReport {
    pub(super) fn render_line(&self, text: &mut Text) {
        text.line(format!("exceptions {} {}", self.mode, commas(&self.types)).trim_end());
    }
}

impl Render for ExceptionsReport {
    fn render(&self, text: &mut Text) {
        self.exceptions.render_line(text);
        text.note(self.note.as_deref());
    }
}

impl Render for BreakpointListReport {
    fn render(&self, text: &mut Text) {
        let of =
            self.session_id.as_ref().zip(self.state.as_ref()).map(|(session, state)| format!("{session}, {state}"));
        for breakpoint in &self.breakpoints {
            breakpoint.render_behind(text, "", of.as_deref());
        }
        if self.breakpoints.is_empty() {
            text.line("no breakpoints");
        }
        if let Some(rule) = &self.exceptions {
            rule.render_line(text);
        }
    }
}

impl Render for RemovedReport {
    fn render(&self, text: &mut Text) {
        match (self.removed.as_slice(), &self.note) {
            ([], None) => text.line("nothing to remove"),
            ([], Some(_)) => text.line("no breakpoint to remove"),
            (removed, _) => text.line(&format!("removed {}", commas(removed))),
        }
        text.note(self.note.as_deref());
    }
}
