//! Changing breakpoints, before, during and after a run.

use super::inputs::Done;
use super::{Actor, Purpose};
use crate::dap::{self, DapError};
use crate::session::breakpoints::plan::Plan;
use crate::session::breakpoints::table::Surroundings;
use crate::session::breakpoints::{Binding, Entry, Role, Table, Target};
use crate::session::command::{Answer, Setting};
use crate::session::ids::BreakpointId;
use crate::session::modules::is_framework;
use crate::session::report::{Breakpoint, Why};
use crate::session::state::State;
use crate::session::sync::{self, Synced};
use crate::session::view::Event;

/// Lines remembered as just removed.
const MOST_REMOVED: usize = 64;

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
        match placed {
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

    pub(super) fn remember_removed(&mut self, lines: impl IntoIterator<Item = (String, u32)>) {
        self.recently_removed.extend(lines);
        while self.recently_removed.len() > MOST_REMOVED {
            self.recently_removed.pop_front();
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
        self.remember_removed(places_of(&entry));
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
        while !self.syncing {
            if let Some(link) = self.link.as_ref().filter(|_| !self.is_ended()) {
                let mut plan =
                    Plan::of(&self.table, &link.quirks, &self.modules, matches!(self.purpose, Purpose::Attach(_)));
                if self.bare {
                    plan.drop_conditions();
                }
                if plan != self.plan {
                    let client = link.client.clone();
                    let old = std::mem::replace(&mut self.plan, plan.clone());
                    self.syncing = true;
                    return self.job(async move { Done::Synced(sync::changes(&client, &old, &plan).await) });
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
        self.syncing = false;
        if let Ok(synced) = result {
            self.take_answers(synced);
        }
        self.sync();
    }

    /// The adapter of these edits is no more: their callers are answered by what is wanted.
    pub(super) fn end_edits(&mut self) {
        self.syncing = false;
        self.sync();
    }

    /// What the adapter said to a `setBreakpoints`.
    pub(super) fn take_answers(&mut self, synced: Synced) {
        for path in &synced.documents {
            self.adapter_lines.retain(|(known, _), _| known != path);
        }
        for (path, line, got) in synced.lines {
            self.adapter_lines.insert((path, line), got);
        }
        if synced.functions_sent {
            self.adapter_functions.clear();
        }
        self.adapter_functions.extend(synced.functions);
        self.adopt_answers();
    }

    /// An event may overtake the answer that names its id, or be older than what we make of that answer: while one is
    /// under way, events wait for it.
    pub(super) fn on_breakpoint_event(&mut self, got: dap::Breakpoint) {
        self.breakpoint_events.push(got);
    }

    pub(super) fn take_breakpoint_events(&mut self) {
        if self.syncing || matches!(self.machine.state(), State::Starting { .. }) {
            return;
        }
        for got in std::mem::take(&mut self.breakpoint_events) {
            self.take_breakpoint_event(got);
        }
    }

    fn take_breakpoint_event(&mut self, got: dap::Breakpoint) {
        let Some(id) = got.id else { return };
        let known = self.adapter_lines.values_mut().chain(self.adapter_functions.values_mut());
        let Some(known) = known.into_iter().find(|known| known.id == Some(id)) else { return };
        let bound = got.verified && !known.verified;
        known.verified = got.verified;
        known.line = got.line.or(known.line);
        known.source = got.source.clone().or(known.source.take());
        known.message.clone_from(&got.message);
        if let Some(words) = got.message.as_deref().and_then(condition_words) {
            let ids: Vec<BreakpointId> = self
                .table
                .users()
                .filter(|entry| self.adapter_ids(entry).contains(&id))
                .map(|entry| entry.id)
                .collect();
            for id in ids {
                self.condition_failed(id, &words);
            }
        }
        if self.adopt_answers() && !self.is_hot() {
            self.after_edit(|_| {});
        }
        if bound {
            let told = self.table.entries.iter().find_map(|entry| {
                let at = self.adapter_ids(entry).iter().position(|known| *known == id)?;
                let places = entry.stop_places();
                let (path, line) = places.get(at).or(places.first())?;
                Some((entry.id.0, (*path).to_owned(), *line))
            });
            if let Some((id, path, line)) = told {
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

    /// Each entry's fate, read off the adapter's answers. Answers whether one has to be taken from the adapter again.
    pub(super) fn adopt_answers(&mut self) -> bool {
        let mut misplaced = false;
        let (lines, functions) = (&self.adapter_lines, &self.adapter_functions);
        let answer = |binding: Binding<'_>| match binding {
            Binding::Function(name) => functions.get(name),
            Binding::Line(path, line) => lines.get(&(path.to_owned(), line)),
        };
        for entry in &mut self.table.entries {
            if matches!(entry.target, Target::Function(_)) && !entry.methods.places.is_empty() {
                adopt_methods(entry, answer);
                continue;
            }
            let answer = entry.bindings().into_iter().next().and_then(answer);
            let Some(answer) = answer.filter(|_| entry.spec.enabled && !entry.misplaced) else { continue };
            let bound = answer.source.as_ref().and_then(|source| source.path.as_deref());
            entry.misplaced = answer.verified && entry.is_bound_elsewhere(bound);
            if entry.misplaced {
                misplaced = true;
                entry.verified = false;
                entry.pending = true;
                continue;
            }
            entry.verified = answer.verified;
            if !answer.verified {
                entry.bound = None;
                let hopeless = Some(Why::NoCode) == entry.why
                    || matches!(
                        entry.why,
                        Some(Why::TextGone | Why::Optimized | Why::NoSymbols | Why::SymbolsMismatch)
                    );
                entry.pending = match entry.target {
                    Target::Function(_) => !entry.methods.is_hopeless(),
                    _ => !hopeless,
                };
                if entry.why == Some(Why::NotLaunched)
                    || (entry.why.is_none() && matches!(entry.target, Target::Function(_)))
                {
                    entry.why = Some(Why::ModuleNotLoaded);
                    entry.message =
                        answer.message.clone().filter(|words| !words.contains("No symbols have been loaded"));
                }
                continue;
            }
            entry.pending = false;
            entry.bound = answer.line.and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0);
            if entry.why != Some(Why::SourceChanged) {
                entry.why = None;
                entry.message = None;
                entry.nearest.clear();
            }
            if let (Target::Unplaced { given, line }, Some(source)) = (&entry.target, &answer.source)
                && let Some(path) = &source.path
            {
                entry.target = Target::Source {
                    path: path.clone(),
                    given: given.clone(),
                    line: line.unwrap_or(1),
                    code_line: entry.bound,
                };
            }
        }
        misplaced
    }

    /// The adapter's numbers for an entry, in the order of its bindings.
    pub(super) fn adapter_ids(&self, entry: &Entry) -> Vec<i64> {
        entry.bindings().into_iter().filter_map(|binding| self.adapter_answer(binding)?.id).collect()
    }

    pub(super) fn adapter_answer(&self, binding: Binding<'_>) -> Option<&dap::Breakpoint> {
        match binding {
            Binding::Function(name) => self.adapter_functions.get(name),
            Binding::Line(path, line) => self.adapter_lines.get(&(path.to_owned(), line)),
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
        self.tell_places();
        self.adopt_answers();
        if self.is_live() && !self.is_hot() {
            self.after_edit(|_| {});
        }
    }

    /// A change sent to a program whose conditions are hot would kill the adapter: the next quiet stop brings it.
    fn is_hot(&self) -> bool {
        matches!(self.machine.state(), State::Running { .. }) && self.judges_conditions()
    }
}

/// Each method's fate, and what of it is the breakpoint's.
fn adopt_methods<'a>(entry: &mut Entry, answer: impl Fn(Binding<'_>) -> Option<&'a dap::Breakpoint>) {
    if !entry.spec.enabled {
        return;
    }
    for place in &mut entry.methods.places {
        let got = answer(place.binding());
        // an adapter that moves it binds another method
        let stays = |line: i64| line <= 0 || line == i64::from(place.line);
        place.verified = got.is_some_and(|got| got.verified && got.line.is_none_or(stays));
    }
    entry.verified = entry.methods.places.iter().any(|place| place.verified);
    entry.pending = !entry.verified;
    if entry.verified {
        entry.why = None;
        entry.message = None;
    } else if entry.why.is_none() || entry.why == Some(Why::NotLaunched) {
        entry.why = Some(Why::ModuleNotLoaded);
    }
}

/// Where stops of it may still be on their way.
pub(super) fn places_of(entry: &Entry) -> Vec<(String, u32)> {
    entry.stop_places().into_iter().map(|(path, line)| (path.to_owned(), line)).collect()
}

/// The error in both adapters' words for a condition that has no value.
fn condition_words(message: &str) -> Option<String> {
    let rest = message.split_once("The error returned was '")?.1;
    let words = rest.rsplit_once('\'').map_or(rest, |(words, _)| words);
    Some(words.trim_start_matches("error: ").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_evaluators_words_are_found_in_the_adapters_message() {
        let message = "The condition for a breakpoint failed to execute. The condition was 'x > 1'. The error returned was \
                       'error: The name 'x' does not exist in the current context'. - Program.cs:5";
        assert_eq!(condition_words(message).as_deref(), Some("The name 'x' does not exist in the current context"));
        assert_eq!(condition_words("pending"), None);
    }
}
