//! The program as a process, and the server's health.

use super::{Render, Text, commas, push_part};
use crate::answers::report::{
    Event, EventsReport, HealthReport, InputReport, ModulesReport, OutputReport, SessionsReport, StateReport,
    ThrownEntry,
};

impl Render for StateReport {
    fn render(&self, text: &mut Text) {
        let mut line = format!("state {}", self.state);
        if self.session_id.is_none() {
            line.push_str(": no session");
        }
        push_part(&mut line, " (", self.phase.as_deref(), ")");
        push_part(&mut line, " for ", self.running_ms, " ms");
        push_part(&mut line, ": ", self.reason.as_deref(), "");
        push_part(&mut line, ": code ", self.exit_code, "");
        push_part(&mut line, ": by ", self.signal.as_deref(), "");
        push_part(&mut line, ": ", self.why.as_deref(), "");
        push_part(&mut line, ", session ", self.session_id.as_deref(), "");
        push_part(&mut line, ", pid ", self.pid, "");
        push_part(&mut line, ", thread ", self.thread_id, "");
        push_part(&mut line, ", seq ", self.seq, "");
        push_part(&mut line, ", ", self.program.as_deref(), "");
        push_part(&mut line, ", backend ", self.backend.as_deref(), "");
        push_part(&mut line, ", started by ", self.started_by.as_deref(), "");
        text.line(&line);
        if let Some(location) = &self.location {
            location.render_lines(text);
        }
        if let Some(root) = &self.root {
            text.line(&format!("root {root}"));
        }
        if let Some(count) = self.breakpoint_count {
            let mut line = format!("breakpoints {count}");
            push_part(&mut line, ", unverified ", self.unverified, "");
            text.line(&line);
        }
        text.note(self.note.as_deref());
    }
}

impl Render for OutputReport {
    fn render(&self, text: &mut Text) {
        if let Some(bytes) = self.omitted_bytes {
            text.line(&format!("({bytes} bytes omitted)"));
        }
        text.quoted('|', self.stdout.as_deref());
        text.quoted('!', self.stderr.as_deref());
        let nothing = self.omitted_bytes.is_none() && self.stdout.is_none() && self.stderr.is_none();
        let run = self.run.map(|run| format!(", run {run}")).unwrap_or_default();
        text.line(&format!("{}cursor {}{run}", if nothing { "nothing new, " } else { "" }, self.cursor));
        text.note(self.note.as_deref());
    }
}

impl Render for InputReport {
    fn render(&self, text: &mut Text) {
        text.line(&format!("written {}{}", self.written, if self.closed { ", closed" } else { "" }));
    }
}

impl Render for ModulesReport {
    fn render(&self, text: &mut Text) {
        for module in &self.modules {
            let symbols = if module.symbols { "symbols" } else { "no symbols" };
            text.line(&format!("{} {symbols} {}", module.name, module.path));
        }
        if self.modules.is_empty() {
            text.line("no modules");
        }
        if let Some(count) = self.system_omitted {
            text.line(&format!("+{count} system modules omitted"));
        }
    }
}

impl Render for EventsReport {
    fn render(&self, text: &mut Text) {
        for event in &self.events {
            event.render_line(text);
        }
        let mut facts = Vec::new();
        if self.events.is_empty() {
            facts.push(if self.thrown.is_empty() { "no events" } else { "no stop at an exception" }.to_owned());
        }
        if self.has_more {
            facts.push("has_more".to_owned());
        }
        facts.extend(self.oldest_seq.map(|seq| format!("oldest {seq}")));
        facts.push(format!("latest {}", self.latest_seq));
        text.line(&commas(&facts));
        if let Some(count) = self.thrown_count {
            text.line(&format!("thrown: {count}"));
        }
        for group in &self.thrown {
            group.render_lines(text);
        }
        text.note(self.note.as_deref());
    }
}

impl ThrownEntry {
    fn render_lines(&self, text: &mut Text) {
        let mut line = format!("  {} {}", self.count, self.type_name);
        if let [only] = self.messages.as_slice() {
            push_part(&mut line, ": ", only.times.is_none().then_some(&only.text), "");
        }
        text.line(&line);
        for message in self.messages.iter().filter(|message| message.times.is_some()) {
            let mut line = String::from("    ");
            push_part(&mut line, "", message.times, " ");
            push_part(&mut line, "", Some(&message.text), "");
            text.line(&line);
        }
        if let Some(count) = self.other_messages {
            text.line(&format!("    {count} other messages"));
        }
        let mut line = String::from("    thrown");
        push_part(&mut line, " in ", self.function.as_deref(), "");
        push_part(&mut line, " ", self.at.as_deref(), "");
        push_part(&mut line, " by ", self.thrown_in.as_deref(), "");
        push_part(&mut line, ", caught in ", self.caught_in.as_deref(), "");
        push_part(&mut line, " ", self.caught_at.as_deref(), "");
        line.push_str(if self.unhandled { ", unhandled" } else { "" });
        text.line(&line);
    }
}

impl Event {
    fn render_line(&self, text: &mut Text) {
        let mut line = format!("{} {}ms {}", self.seq, self.ms, self.type_name);
        push_part(&mut line, " ", self.reason.as_deref(), "");
        push_part(&mut line, " breakpoint ", self.breakpoint_id, "");
        push_part(&mut line, " thread ", self.thread_id, "");
        push_part(&mut line, " ", self.at.as_deref(), "");
        push_part(&mut line, " code ", self.exit_code, "");
        push_part(&mut line, " in ", self.took_ms, " ms");
        push_part(&mut line, " by ", self.client.as_deref(), "");
        push_part(&mut line, " ", self.text.as_deref(), "");
        text.line(&line);
    }
}

impl Render for SessionsReport {
    fn render(&self, text: &mut Text) {
        for session in &self.sessions {
            let mut line = session.session_id.clone();
            push_part(&mut line, " ", session.state.as_deref(), "");
            push_part(&mut line, " pid ", session.pid, "");
            push_part(&mut line, " ", session.program.as_deref(), "");
            text.line(&line);
        }
        if self.sessions.is_empty() {
            text.line("no sessions");
        }
    }
}

impl Render for HealthReport {
    fn render(&self, text: &mut Text) {
        let mut head = format!("clrbridge {}, live sessions: {}", self.version, self.live_sessions);
        push_part(&mut head, ", ended: ", self.ended_sessions, "");
        text.line(&head);
        let mut line = format!("up for {} s", self.uptime_s);
        push_part(&mut line, ", memory: ", self.memory_bytes, " bytes");
        text.line(&line);
        for backend in &self.backends {
            let mut line = format!("backend {}", backend.name);
            push_part(&mut line, " ", backend.version.as_deref(), "");
            push_part(&mut line, " ", Some(&backend.path), "");
            push_part(&mut line, " problem: ", backend.problem.as_deref(), "");
            text.line(&line);
        }
        if self.backends.is_empty() {
            text.line("no adapter found");
        }
        if !self.streams.is_empty() {
            text.line(&format!("streams {}", commas(&self.streams)));
        }
        if !self.limits.is_empty() {
            text.line("limits:");
            for limit in &self.limits {
                text.line(&format!("  {} {}", limit.name, limit.limit));
            }
        }
    }
}
