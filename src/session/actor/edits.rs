//! Changing breakpoints, before, during and after a run.

use super::Actor;
use super::done::Done;
use crate::dap::{self, DapError};
use crate::session::breakpoints::place::Surroundings;
use crate::session::breakpoints::plan::Plan;
use crate::session::breakpoints::{Entry, Role, Table, foreseen};
use crate::session::command::{Answer, Setting};
use crate::session::ids::BreakpointId;
use crate::session::report::Breakpoint;
use crate::session::spec::Purpose;
use crate::session::state::State;
use crate::session::sync::{self, Synced};
use crate::session::view::Event;
use clr_metadata::is_framework;

impl Actor {
    /// Placed here, or by another live session that knows the file; then it is the workspace's.
    pub(super) fn set_breakpoint(&mut self, mut setting: Box<Setting>, answer: Answer<Breakpoint>) {
        let base = self.settings.base();
        let known = self.known_modules().cloned();
        let around = Surroundings { sources: &self.sources, modules: known.as_ref(), base: &base };
        let placed = Table::prepare(setting.spec.clone(), Role::User, &around);
        if !placed.as_ref().is_ok_and(|entry| entry.at_home)
            && let Some(other) = setting.others.pop_front()
        {
            return other.pass_breakpoint(setting, answer);
        }
        let checked = placed.and_then(|entry| match &known {
            Some(modules) => foreseen::check(&entry, modules).map(|()| entry),
            None => Ok(entry),
        });
        match checked {
            Err(error) => drop(answer.send(Err(error))),
            Ok(entry) => {
                let set = self.workspace.set(&self.kept(&entry), setting.limited.then(|| self.id.clone()));
                self.follow_breakpoints();
                self.edit(move |actor| {
                    let view = actor.view_of(set.id);
                    drop(answer.send(view.map(|view| Breakpoint { note: set.note, ..view })));
                });
            }
        }
    }

    /// The program's modules, once anything is known of them.
    pub(super) fn known_modules(&self) -> Option<&crate::session::modules::Modules> {
        let known = !self.modules.document_paths().is_empty() || self.modules.loaded_count() > 0;
        known.then_some(&self.modules)
    }

    pub(super) fn enable_breakpoint(&mut self, id: BreakpointId, enabled: bool, answer: Answer<Breakpoint>) {
        if let Err(error) = self.workspace.enable(id, enabled) {
            return drop(answer.send(Err(error)));
        }
        self.follow_breakpoints();
        self.edit(move |actor| drop(answer.send(actor.view_of(id))));
    }

    pub(super) fn remove_breakpoints(
        &mut self,
        id: Option<BreakpointId>,
        limited: bool,
        answer: Answer<Vec<BreakpointId>>,
    ) {
        match self.workspace.remove(id, limited.then_some(&self.id)) {
            Err(error) => drop(answer.send(Err(error))),
            Ok(removed) => {
                self.follow_breakpoints();
                self.edit(move |_| drop(answer.send(Ok(removed))));
            }
        }
    }

    /// Drops an entry that is spent.
    pub(super) fn forget(&mut self, at: usize) {
        let entry = self.table.entries.remove(at);
        if entry.role == Role::User
            && let Err(error) = self.workspace.remove(Some(entry.id), None)
        {
            tracing::debug!(%error, "another session already used it");
        }
        self.adapter_breakpoints.remember_removed(places_of(&entry));
    }

    /// Brings the adapter up to date, then calls `then`.
    pub(super) fn edit(&mut self, then: impl FnOnce(&mut Self) + Send + 'static) {
        if self.is_live() { self.after_edit(then) } else { then(self) }
    }

    /// The same for edits that the actor makes itself. Each `then` comes after those before it.
    pub(super) fn after_edit(&mut self, then: impl FnOnce(&mut Self) + Send + 'static) {
        self.after_sync.push_back(Box::new(then));
        self.sync();
    }

    /// Sends what the adapter has not, one change at a time; then does what waits for it.
    fn sync(&mut self) {
        while !self.adapter_breakpoints.is_syncing() {
            if let Some(link) = self.link.as_ref().filter(|_| !self.is_ended()) {
                let attached = matches!(self.purpose, Purpose::Attach(_));
                let adapter = (&*link.quirks, &*link.capabilities);
                let plan = Plan::of(&self.table, adapter, &self.modules, attached);
                self.read_messages.remember(&self.table.entries);
                if let Some((old, new)) = self.adapter_breakpoints.begin_change(plan) {
                    let client = link.client.clone();
                    return self.job(async move { Done::Synced(sync::changes(&client, &old, &new).await) });
                }
                self.adopt_answers();
            }
            match self.after_sync.pop_front() {
                Some(then) => then(self),
                None => return,
            }
        }
    }

    pub(super) fn on_synced(&mut self, result: Result<Synced, DapError>) {
        self.adapter_breakpoints.end_change(result.ok());
        self.adopt_answers();
        self.sync();
    }

    /// The adapter of these edits is gone: their callers are answered by what is wanted.
    pub(super) fn end_edits(&mut self) {
        self.adapter_breakpoints.end_change(None);
        self.sync();
    }

    /// Each entry's fate, read off the adapter's answers. Answers whether one has to be taken from the adapter again.
    pub(super) fn adopt_answers(&mut self) -> bool {
        let binds_copies = self.link.as_ref().is_some_and(|link| link.quirks.lines_of_records_bind_copies);
        // what the adapter judges from now on, nobody counts unless it does
        let plan = self.adapter_breakpoints.plan();
        let judged_there = |entry: &&mut Entry| entry.spec.condition.is_some() && plan.decides(entry);
        if !self.adapter_counts() {
            self.table.entries.iter_mut().filter(judged_there).for_each(|entry| entry.condition_counts.is_partial());
        }
        self.adapter_breakpoints.adopt(&mut self.table.entries, binds_copies)
    }

    /// Whether the adapter reports how often the conditions that it judges were false.
    pub(super) fn adapter_counts(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.capabilities.supports_clr_condition_counts)
    }

    pub(super) fn take_breakpoint_events(&mut self) {
        if matches!(self.machine.state(), State::Starting { .. }) {
            return;
        }
        for got in self.adapter_breakpoints.take_events() {
            self.take_breakpoint_event(got);
        }
    }

    fn take_breakpoint_event(&mut self, got: dap::Breakpoint) {
        let Some((id, bound)) = self.adapter_breakpoints.update(&got) else { return };
        if let Some(news) = self.adapter_breakpoints.newly_judged(&got) {
            let judged = |entry: &&Entry| {
                entry.spec.condition.as_ref() == Some(&news.condition)
                    && self.adapter_breakpoints.ids(entry).contains(&id)
            };
            self.table.entries.iter().filter(judged).for_each(|entry| entry.condition_counts.add(&news));
        }
        let is_counted = self.adapter_counts();
        if got.message.as_deref().is_some_and(refuses_condition) {
            let refused = |entry: &&mut Entry| self.adapter_breakpoints.ids(entry).contains(&id);
            // the stop follows, and with it what we make of the condition
            self.table.entries.iter_mut().filter(refused).for_each(|entry| {
                entry.adapter_refuses = true;
                if !is_counted {
                    entry.condition_counts.is_partial();
                }
            });
        }
        if self.adopt_answers() && !self.is_hot() {
            self.after_edit(|_| {});
        }
        if bound {
            let unbound = self.table.entries.iter().find_map(|entry| {
                let at = self.adapter_breakpoints.ids(entry).iter().position(|known| *known == id)?;
                let places = entry.stop_places();
                let (path, line) = places.get(at).or(places.first())?;
                Some((entry.id.0, (*path).to_owned(), *line))
            });
            if let Some((id, path, line)) = unbound {
                self.note_event(Event {
                    type_name: "breakpoint_bound",
                    stream: "breakpoints",
                    breakpoint: Some(id),
                    at: Some(format!("{}:{line}", self.sources.relative(&path))),
                    ..Event::default()
                });
            }
        }
    }

    /// A module without lines came: it may have the method that a function breakpoint names.
    pub(super) fn look_for_methods(&mut self, module: &dap::Module) {
        let Some(path) = module.path.as_deref().map(std::path::Path::new) else { return };
        match is_framework(path) {
            true => {
                if let Ok(assembly) = clr_metadata::Assembly::open(path) {
                    self.table.look_into(&assembly);
                }
            }
            false => self.place_again(),
        }
    }

    /// A module with symbols came: what had no document may have one now.
    pub(super) fn place_again(&mut self) {
        if self.sources.root().is_none() {
            self.sources.set_root(self.sources.root_of(&self.modules.document_paths()));
        }
        let base = self.settings.base();
        let around = Surroundings { sources: &self.sources, modules: Some(&self.modules), base: &base };
        self.table.place_again(&around);
        self.publish_places();
        self.adopt_answers();
        if self.is_live() && !self.is_hot() {
            self.after_edit(|_| {});
        }
    }

    /// A change sent to a program whose conditions are hot would kill the adapter: the next quiet stop brings it.
    fn is_hot(&self) -> bool {
        matches!(self.machine.state(), State::Running { .. }) && self.adapter_breakpoints.judges_conditions()
    }
}

/// Where stops of it may still be on their way.
pub(super) fn places_of(entry: &Entry) -> Vec<(String, u32)> {
    entry.stop_places().into_iter().map(|(path, line)| (path.to_owned(), line)).collect()
}

/// Whether a breakpoint's message says, in all adapters' words, that its condition has no value there. The adapter then stops, and
/// dncdbg drops the condition.
fn refuses_condition(message: &str) -> bool {
    message.contains("The condition for a breakpoint failed to ")
}
