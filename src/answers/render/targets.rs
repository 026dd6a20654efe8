//! What can be debugged.

use super::code::skipped;
use super::{Render, Text, push_part};
use crate::answers::report::{ProcessesReport, ProfileEntry, TargetsReport};

impl Render for ProcessesReport {
    fn render(&self, text: &mut Text) {
        for process in &self.processes {
            let mut line = format!("{} {}", process.pid, process.name);
            push_part(&mut line, " .NET ", process.runtime_version.as_deref(), "");
            line.push_str(&format!(", user {}", process.user));
            push_part(&mut line, ", session ", process.session_id.as_deref(), "");
            push_part(&mut line, ", not attachable: ", process.not_attachable.as_deref(), "");
            text.line(&line);
            text.line(&format!("  {}", process.command_line));
        }
        if self.processes.is_empty() {
            text.line("no .NET processes");
        }
        text.more(self.more_processes, "more processes");
    }
}

impl Render for TargetsReport {
    fn render(&self, text: &mut Text) {
        text.line(&format!("root {}", self.root));
        for target in &self.targets {
            target.project.render_lines(text, target.test_framework.as_deref());
            for profile in &target.launch_profiles {
                text.line(&format!("  profile {}", profile.words()));
            }
            text.more(target.more_profiles, "more profiles");
            if let Some(why) = &target.no_profiles {
                text.line(&format!("  launchSettings.json {why}"));
            }
        }
        if self.targets.is_empty() {
            text.line("no projects that can be started");
        }
        text.more(self.more_targets, "more");
        text.more(self.libraries, if self.libraries == Some(1) { "library" } else { "libraries" });
        if !self.configurations.is_empty() {
            text.line(".vscode/launch.json:");
        }
        for configuration in &self.configurations {
            text.line(&format!("  {}", configuration.words()));
        }
        text.more(self.more_configurations, "more");
        skipped(text, &self.skipped, self.more_skipped);
    }
}

impl ProfileEntry {
    fn words(&self) -> String {
        let mut line = self.name.clone();
        push_part(&mut line, ": ", self.program.as_deref(), "");
        let args: Vec<String> = self.args.iter().map(|arg| format!("{arg:?}")).collect();
        push_part(&mut line, ", args ", Some(args.join(" ")).filter(|args| !args.is_empty()), "");
        push_part(&mut line, ", cwd ", self.cwd.as_deref(), "");
        for (name, value) in &self.env {
            line.push_str(&format!(", {name}={value}"));
        }
        push_part(&mut line, " (", self.why.as_deref(), ")");
        line
    }
}
