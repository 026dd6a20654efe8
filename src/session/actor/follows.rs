//! The workspace's breakpoints, rule and watches in this session: taken over at a start, and whenever they change.
//!
//! The race to remember: a change by another session comes at any time; like every edit it waits for its turn, and what cannot be
//! brought to the adapter now comes with the next stop.

use super::Actor;
use super::done::Done;
use super::edits::places_of;
use crate::dap::DapError;
use crate::session::breakpoints::listing::SessionBreakpoints;
use crate::session::breakpoints::place::Surroundings;
use crate::session::breakpoints::{Entry, Role, Target};
use crate::session::command::{Command, RuleSetting};
use crate::session::error::SessionError;
use crate::session::ids::BreakpointId;
use crate::session::report::{Breakpoint, ExceptionRule, RuleSet, Why};
use crate::session::sync::{self, Wanted};

impl Actor {
    /// Notes what others changed; the change itself is an edit in its turn.
    pub(super) fn keep_up(&mut self) {
        let revision = self.workspace.revision();
        if revision == self.followed || !self.is_live() {
            return;
        }
        self.followed = revision;
        let rule = self.workspace.exceptions(Some(&self.id));
        let behind = self.table.is_behind(&self.workspace.of(&self.id)) || rule != self.table.exceptions;
        if behind && !self.queue.iter().any(|command| matches!(command, Command::Follow)) {
            self.queue.push_back(Command::Follow);
        }
    }

    pub(super) fn follow(&mut self) {
        self.follow_breakpoints();
        let rule = self.workspace.exceptions(Some(&self.id));
        if rule != self.table.exceptions {
            self.take_rule(rule, None);
        }
        self.edit(|_| {});
    }

    /// The table as the workspace wants it. A session that is over keeps its record: expected nothing new.
    pub(super) fn follow_breakpoints(&mut self) {
        let wanted = self.workspace.of(&self.id);
        if self.is_ended() {
            self.table.renew(&wanted);
            return;
        }
        let base = self.settings.base();
        let known = self.known_modules().cloned();
        let around = Surroundings { sources: &self.sources, modules: known.as_ref(), base: &base };
        let gone = self.table.follow(&wanted, &around);
        self.adapter_breakpoints.remember_removed(gone.iter().flat_map(places_of));
        self.publish_places();
    }

    /// Where this program has its files and lines is where later sessions look first.
    pub(super) fn publish_places(&self) {
        for entry in self.table.users().filter(|entry| entry.at_home && !entry.is_foreign()) {
            if entry.why != Some(Why::TextGone) {
                self.workspace.moved(&self.kept(entry));
            }
        }
    }

    /// As the workspace keeps it: with the file here, where a build gave it another path.
    pub(super) fn kept(&self, entry: &Entry) -> Entry {
        let mut kept = entry.clone();
        if let Target::Source { path, code_line, .. } = &mut kept.target {
            let file = self.sources.shown(path);
            kept.file = (file != *path).then_some(file);
            *code_line = None;
        }
        kept
    }

    /// A breakpoint as this session has it, or would have it: one that was set after the end, the next start takes.
    pub(super) fn entry_of(&mut self, id: BreakpointId) -> Result<Entry, SessionError> {
        let wanted = self.workspace.get(id)?;
        let missing = match self.table.user(id) {
            Ok(entry) => return Ok(entry.clone()),
            Err(missing) => missing,
        };
        let base = self.settings.base();
        let known = self.known_modules().cloned();
        let around = Surroundings { sources: &self.sources, modules: known.as_ref(), base: &base };
        self.table.later(&wanted, &around).ok_or(missing)
    }

    pub(super) fn view_of(&mut self, id: BreakpointId) -> Result<Breakpoint, SessionError> {
        let mut view = self.entry_of(id)?.view(&self.sources, false);
        if self.directory.live_count() > 1 {
            view.session = Some(self.id.clone());
        }
        view.limited_to = self.workspace.get(id)?.only;
        Ok(view)
    }

    pub(super) fn breakpoints(&mut self) -> SessionBreakpoints {
        let mut breakpoints = Vec::new();
        for wanted in self.workspace.of(&self.id) {
            // "never hit" says something only where it could have been
            let is_there = self.table.user(wanted.id).is_ok_and(|entry| !entry.is_foreign());
            if let Ok(entry) = self.entry_of(wanted.id) {
                let view = Breakpoint { since_restart: self.output.has_restarted(), ..entry.view(&self.sources, true) };
                breakpoints.push((view, is_there));
            }
        }
        SessionBreakpoints { id: self.id.clone(), state: self.machine.state().name(), breakpoints }
    }

    /// Whether an entry is reported by the answer that opens this session: not one that belongs to another program.
    pub(super) fn concerns(&self, entry: &Entry) -> bool {
        entry.role == Role::User && (!entry.is_foreign() || self.start.has_given(entry.id))
    }

    pub(super) fn set_exceptions(&mut self, setting: RuleSetting) {
        self.take_rule(Some(setting.rule.clone()), Some(setting));
    }

    /// The rule goes to the adapter; when that has taken it, to the workspace.
    fn take_rule(&mut self, rule: Option<ExceptionRule>, setting: Option<RuleSetting>) {
        let wanted = Wanted::of(rule.as_ref());
        let before = std::mem::replace(&mut self.table.exceptions, rule);
        let client = self
            .link
            .as_ref()
            .filter(|_| self.is_live() && wanted != *self.adapter_breakpoints.filters())
            .map(|link| link.client.clone());
        let Some(client) = client else { return self.rule_taken(setting) };
        self.adapter_breakpoints.begin_filters(before, wanted.clone());
        self.job(async move { Done::ExceptionsSet(sync::exceptions(&client, &wanted).await, setting) });
    }

    fn rule_taken(&mut self, setting: Option<RuleSetting>) {
        let Some(RuleSetting { rule, limited, answer }) = setting else { return };
        self.workspace.set_exceptions(rule.clone(), limited.then(|| self.id.clone()));
        let note = self.modules.unknown_exceptions(rule.named());
        drop(answer.send(Ok(RuleSet { rule, note })));
    }

    pub(super) fn on_exceptions_set(&mut self, result: Result<(), DapError>, setting: Option<RuleSetting>) {
        let Err(error) = result else {
            self.adapter_breakpoints.filters_taken();
            return self.rule_taken(setting);
        };
        if let Some(rule) = self.adapter_breakpoints.filters_refused() {
            self.table.exceptions = rule;
        }
        let words = crate::session::context::adapter_words(&crate::session::inspect::ReadError::from(error));
        match setting {
            Some(setting) => drop(setting.answer.send(Err(words))),
            None => {
                tracing::warn!(session = %self.id, error = %words, "the adapter rejected the workspace's exception rule")
            }
        }
    }
}
