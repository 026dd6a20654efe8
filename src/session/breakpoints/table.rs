//! All wanted breakpoints of a session, or of the next one.

use super::entry::{Entry, Role, Target};
use super::place;
use crate::session::error::{Code, SessionError};
use crate::session::ids::BreakpointId;
use crate::session::modules::{Modules, Surveyed, SymbolsFault};
use crate::session::report::{Breakpoint, ExceptionRule, Why};
use crate::session::sources::Sources;
use crate::session::spec::BreakpointSpec;

/// Breakpoints in the order they were set.
#[derive(Debug, Clone, Default)]
pub struct Table {
    pub entries: Vec<Entry>,
    pub exceptions: Option<ExceptionRule>,
    last_id: u32,
}

/// What placing needs to know.
pub struct Surroundings<'a> {
    pub sources: &'a Sources,
    /// `None` before a program is known.
    pub modules: Option<&'a Modules>,
    /// Relative paths are taken against it.
    pub base: &'a std::path::Path,
}

impl Table {
    /// Adds a breakpoint, or answers the one that is the same already (same place and role; its conditions are updated).
    ///
    /// # Errors
    /// `file_not_found`, `text_not_found`, `text_ambiguous`, `invalid_condition`, `invalid_argument`.
    pub fn add(
        &mut self,
        spec: BreakpointSpec,
        role: Role,
        around: &Surroundings<'_>,
    ) -> Result<BreakpointId, SessionError> {
        let found = place::find(&spec.place, around)?;
        let id = BreakpointId(self.last_id + 1);
        let mut entry = Entry::new(id, role, spec, found.target)?;
        entry.text = found.text;
        if around.modules.is_some() {
            judge(&mut entry, around);
        }
        let same = self.entries.iter_mut().find(|other| {
            role == Role::User
                && other.role == Role::User
                && same_place(&other.target, &entry.target)
                && other.log.is_some() == entry.log.is_some()
        });
        if let Some(other) = same {
            let (id, bound, verified, pending) = (other.id, other.bound, other.verified, other.pending);
            let mut new = Entry { id, bound, verified, pending, ..entry };
            if other.spec.condition == new.spec.condition && other.spec.hit_condition == new.spec.hit_condition {
                // else they were hits of another breakpoint
                (new.hits, new.last_hit) = (other.hits.clone(), other.last_hit);
            }
            *other = new;
            return Ok(id);
        }
        if role == Role::User {
            self.last_id += 1;
        } else {
            entry.id = BreakpointId(0);
        }
        let id = entry.id;
        self.entries.push(entry);
        Ok(id)
    }

    /// Takes over breakpoints that were set before there was a session.
    pub fn adopt(&mut self, other: Self) {
        for mut entry in other.entries {
            if self.entries.iter().any(|mine| mine.id == entry.id) {
                self.last_id += 1;
                entry.id = BreakpointId(self.last_id);
            }
            self.last_id = self.last_id.max(entry.id.0);
            self.entries.push(entry);
        }
        self.last_id = self.last_id.max(other.last_id);
        if other.exceptions.is_some() {
            self.exceptions = other.exceptions;
        }
    }

    /// Places everything anew: the program's documents are known now, or were rebuilt.
    pub fn place_again(&mut self, around: &Surroundings<'_>) {
        for entry in &mut self.entries {
            place::again(entry, around);
            judge(entry, around);
        }
    }

    /// A module of the framework was loaded, which has no lines but may have a method that is wanted.
    pub(crate) fn look_into(&mut self, module: &clr_metadata::Assembly) {
        for entry in &mut self.entries {
            let Target::Function(name) = &entry.target else { continue };
            entry.methods.look_into(name, module);
            if let Some((why, message)) = entry.methods.why(name).filter(|_| !entry.verified) {
                entry.why = Some(why);
                entry.message = Some(message);
            }
        }
    }

    /// Whether a function breakpoint has not found its method.
    pub(crate) fn misses_methods(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.target, Target::Function(_)) && entry.methods.places.is_empty())
    }

    /// # Errors
    /// `breakpoint_not_found`.
    pub fn user(&mut self, id: BreakpointId) -> Result<&mut Entry, SessionError> {
        let known: Vec<u32> = self.users().map(|entry| entry.id.0).collect();
        match self.entries.iter_mut().find(|entry| entry.role == Role::User && entry.id == id) {
            Some(entry) => Ok(entry),
            None => Err(unknown(id, &known)),
        }
    }

    /// Removes one, or all (`None`); answers what was removed.
    ///
    /// # Errors
    /// `breakpoint_not_found`.
    pub fn remove(&mut self, id: Option<BreakpointId>) -> Result<Vec<BreakpointId>, SessionError> {
        if let Some(id) = id {
            self.user(id)?;
        }
        let gone = |entry: &Entry| entry.role == Role::User && id.is_none_or(|id| entry.id == id);
        let removed = self.entries.iter().filter(|entry| gone(entry)).map(|entry| entry.id).collect();
        self.entries.retain(|entry| !gone(entry));
        Ok(removed)
    }

    pub fn users(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.role == Role::User)
    }

    /// Those of one file, or all.
    pub fn list(&self, file: Option<&str>, sources: &Sources) -> Vec<Breakpoint> {
        self.users()
            .map(|entry| entry.view(sources, true))
            .filter(|view| {
                file.is_none_or(|wanted| {
                    view.file
                        .as_deref()
                        .is_some_and(|file| place::is_suffix(wanted, file) || place::is_suffix(file, wanted))
                })
            })
            .collect()
    }
}

fn unknown(id: BreakpointId, known: &[u32]) -> SessionError {
    let list = known.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let hint =
        if known.is_empty() { "there are none; breakpoint_set makes one".into() } else { format!("there are {list}") };
    SessionError::new(Code::BreakpointNotFound, format!("there is no breakpoint {id}"), hint)
}

fn same_place(a: &Target, b: &Target) -> bool {
    match (a, b) {
        (Target::Source { path: a, line: x, .. }, Target::Source { path: b, line: y, .. }) => a == b && x == y,
        (Target::Function(a), Target::Function(b)) => a == b,
        (Target::Unplaced { given: a, line: x }, Target::Unplaced { given: b, line: y }) => a == b && x == y,
        _ => false,
    }
}

/// What symbols say of a place: the line with code, or why there is none.
fn judge(entry: &mut Entry, around: &Surroundings<'_>) {
    let Some(modules) = around.modules else { return };
    if entry.why == Some(Why::TextGone) {
        return;
    }
    entry.why = None;
    entry.message = None;
    entry.nearest.clear();
    if let Target::Function(name) = &entry.target {
        entry.methods.find(name, &modules.survey(), around.sources);
        if let Some((why, message)) = entry.methods.why(name) {
            entry.why = Some(why);
            entry.message = Some(message);
        }
        return;
    }
    let Target::Source { path, line, code_line, .. } = &mut entry.target else {
        if let Target::Unplaced { given, .. } = &entry.target {
            entry.why = Some(Why::FileUnknown);
            entry.message = Some(modules.unknown_file(given));
        }
        return;
    };
    *code_line = None;
    let survey = modules.survey();
    let found = survey.document(path);
    entry.misplaced &= found.is_none();
    let Some((known, document)) = found else {
        let fault = survey.suspect(std::path::Path::new(path));
        let (why, message) = match fault {
            Some((known, fault)) => symbols_words(known, &fault),
            None => (Why::FileUnknown, modules.unknown_file(path)),
        };
        entry.why = Some(why);
        entry.message = Some(message);
        return;
    };
    match modules.code_line(path, *line) {
        Some(found) => *code_line = Some(found),
        None => {
            entry.why = Some(Why::NoCode);
            entry.pending = false;
            let total = around.sources.lines(std::path::Path::new(path)).map(|lines| lines.len());
            let has = total.map(|total| format!("; the file has {total} lines")).unwrap_or_default();
            entry.message = Some(format!("no code at or after line {line}{has}"));
            entry.nearest = modules
                .nearest_lines(path, *line, 2)
                .into_iter()
                .map(|line| crate::session::error::SourceLine {
                    line,
                    source: around.sources.told(path, line).unwrap_or_default(),
                })
                .collect();
            return;
        }
    }
    let changed = around.sources.bytes(path).and_then(|bytes| document.matches(&bytes)) == Some(false);
    if let Some(fault) = known.fault() {
        let (why, message) = symbols_words(known, &fault);
        entry.why = Some(why);
        entry.message = Some(message);
    } else if changed {
        entry.why = Some(Why::SourceChanged);
        entry.message = Some("the file was edited after the build, lines may be off; debug_restart builds it".into());
    } else if !known.loaded {
        entry.why = Some(Why::ModuleNotLoaded);
        entry.message = Some(format!("binds when {} is loaded", known.file_name()));
    } else if !known.assembly.is_debug_build() {
        entry.why = Some(Why::Optimized);
        entry.message = Some(format!(
            "{} is optimized code: build it as Debug, or launch with just_my_code=false",
            known.file_name()
        ));
    }
}

fn symbols_words(known: &Surveyed, fault: &SymbolsFault) -> (Why, String) {
    let name = known.file_name();
    match fault {
        SymbolsFault::Mismatch { .. } => {
            (Why::SymbolsMismatch, format!("the PDB beside {name} is of another build: build it again"))
        }
        SymbolsFault::Missing => {
            (Why::NoSymbols, format!("{name} has no PDB: build it with DebugType portable or embedded"))
        }
    }
}
