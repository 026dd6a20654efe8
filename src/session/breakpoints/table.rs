//! All breakpoints of one session: the workspace's that it takes, and its own for steps and stops at entry.

use std::collections::HashMap;

use super::attributes::{hides_line, left_out};
use super::entry::{Entry, Role};
use super::function::Methods;
use super::place::{self, Surroundings};
use super::target::Target;
use super::wanted::WantedBreakpoint;
use crate::session::counted::counted;
use crate::session::error::{Code, SessionError};
use crate::session::ids::BreakpointId;
use crate::session::modules::{LambdaAround, Modules, RecordLine, StopsBefore, Surveyed, SymbolsFault};
use crate::session::report::{ExceptionRule, Why};
use crate::session::sources::Sources;
use crate::session::spec::{BreakpointSpec, Place};

/// Breakpoints in the order they were set.
#[derive(Debug, Clone, Default)]
pub struct Table {
    pub entries: Vec<Entry>,
    /// What the names of those mean that were set after the session's end: each list asks, and a search for a method takes long.
    later: HashMap<BreakpointId, Methods>,
    pub exceptions: Option<ExceptionRule>,
}

impl Table {
    /// Places and judges a breakpoint; it is in no list yet.
    ///
    /// # Errors
    /// `file_not_found`, `text_not_found`, `text_ambiguous`, `invalid_condition`, `invalid_argument`.
    pub fn prepare(spec: BreakpointSpec, role: Role, around: &Surroundings<'_>) -> Result<Entry, SessionError> {
        let found = place::find(&spec.place, around)?;
        let mut entry = Entry::new(BreakpointId(0), role, spec, found.target)?;
        entry.text = found.text;
        if around.modules.is_some() {
            judge(&mut entry, around);
        }
        Ok(entry)
    }

    /// Adds a breakpoint that is not the client's.
    ///
    /// # Errors
    /// As [`Self::prepare`].
    pub fn add(&mut self, spec: BreakpointSpec, role: Role, around: &Surroundings<'_>) -> Result<(), SessionError> {
        self.entries.push(Self::prepare(spec, role, around)?);
        Ok(())
    }

    /// Whether these are not what it was made from.
    pub fn is_behind(&self, wanted: &[WantedBreakpoint]) -> bool {
        let as_wanted =
            |entry: &Entry| wanted.iter().any(|wanted| wanted.id == entry.id && wanted.version == entry.version);
        self.users().count() != wanted.len() || !self.users().all(as_wanted)
    }

    /// Takes over what the workspace wants: what is new is placed, what is gone is answered.
    pub fn follow(&mut self, wanted: &[WantedBreakpoint], around: &Surroundings<'_>) -> Vec<Entry> {
        let gone = self.renew(wanted);
        for new in wanted {
            if self.users().any(|entry| entry.id == new.id) {
                continue;
            }
            let Some(mut entry) = Entry::of(new) else { continue };
            place::again(&mut entry, around);
            judge(&mut entry, around);
            self.entries.push(entry);
        }
        gone
    }

    /// The same without what is new: for a session that is over.
    pub fn renew(&mut self, wanted: &[WantedBreakpoint]) -> Vec<Entry> {
        for entry in self.entries.iter_mut().filter(|entry| entry.role == Role::User) {
            match wanted.iter().find(|wanted| wanted.id == entry.id) {
                Some(wanted) if wanted.version != entry.version => entry.renew(wanted),
                _ => {}
            }
        }
        self.later.retain(|id, _| wanted.iter().any(|wanted| wanted.id == *id));
        let is_gone =
            |entry: &mut Entry| entry.role == Role::User && !wanted.iter().any(|wanted| wanted.id == entry.id);
        self.entries.extract_if(.., is_gone).collect()
    }

    /// What was set after the session's end, as its program would have it; `None` for what cannot be a breakpoint.
    pub fn later(&mut self, wanted: &WantedBreakpoint, around: &Surroundings<'_>) -> Option<Entry> {
        let mut entry = Entry::of(wanted)?;
        entry.methods = self.later.remove(&wanted.id).unwrap_or_default();
        place::again(&mut entry, around);
        judge(&mut entry, around);
        if !matches!(entry.why, Some(Why::NoCode | Why::TextGone)) {
            (entry.why, entry.message) = (Some(Why::NotLaunched), None);
        }
        self.later.insert(wanted.id, entry.methods.clone());
        Some(entry)
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

    pub fn users(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.role == Role::User)
    }
}

fn unknown(id: BreakpointId, known: &[u32]) -> SessionError {
    let list = known.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let hint = if known.is_empty() {
        "no breakpoints; breakpoint_set creates one".into()
    } else {
        format!("known breakpoints: {list}")
    };
    SessionError::new(Code::BreakpointNotFound, format!("no breakpoint {id}"), hint)
}

/// What symbols say of a place: the line with code, or why there is none.
pub(crate) fn judge(entry: &mut Entry, around: &Surroundings<'_>) {
    let Some(modules) = around.modules else { return };
    if matches!(entry.why, Some(Why::TextGone | Why::FileAmbiguous)) {
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
    (entry.name, entry.record, entry.text_note) = (None, None, None);
    let survey = modules.survey();
    let found = survey.document(path);
    entry.at_home |= found.is_some();
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
        Some(found) => {
            *code_line = Some(found);
            entry.name = modules.lambda_at(path, found);
            entry.lambda_begin = modules.lambda_begin(path, found);
            match modules.record_at(path, found) {
                Some(RecordLine::Named(name)) => entry.name = Some(name),
                Some(RecordLine::Unnamed(begin)) => entry.record = Some(begin),
                None => {}
            }
            if entry.name.is_none() && found == *line {
                (entry.name, entry.text_note) = in_lambda(&entry.spec.place, path, found, around.sources, modules);
            }
        }
        None => {
            entry.why = Some(Why::NoCode);
            entry.pending = false;
            entry.message = Some(none_behind(path, *line, around.sources));
            entry.nearest = modules
                .nearest_lines(path, *line, 2)
                .into_iter()
                .map(|line| crate::session::report::SourceLine {
                    line,
                    source: around.sources.shown_line(path, line).unwrap_or_default(),
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
        entry.message =
            Some("the file changed after the build, so lines may be off: build and restart the program".into());
    } else if !known.loaded {
        entry.why = Some(Why::ModuleNotLoaded);
        entry.message = Some(format!("binds when {} is loaded", known.file_name()));
    } else if !known.assembly.is_debug_build() {
        entry.why = Some(Why::Optimized);
        entry.message = Some(super::function::optimized(&known.file_name()));
    } else if let Some(hidden_by) = code_line.and_then(|line| hides_line(&known.assembly, document.id, line)) {
        entry.why = Some(Why::NotUserCode);
        entry.message = Some(left_out("the method", hidden_by));
    }
}

/// The lambda that the text which was asked for is part of, on a line that it shares with the statement around it; and what to say, as
/// of a text that belongs to a later statement of the line.
fn in_lambda(
    place: &Place,
    path: &str,
    line: u32,
    sources: &Sources,
    modules: &Modules,
) -> (Option<String>, Option<String>) {
    let column = || {
        let Place::Source { text: Some(piece), .. } = place else { return None };
        let lines = sources.lines(std::path::Path::new(path))?;
        let code = lines.get((line as usize).checked_sub(1)?)?;
        let before = code.get(..code.find(piece.trim())?)?;
        u32::try_from(before.encode_utf16().count() + 1).ok()
    };
    let Some(at) = column().map(|column| (line, column)) else { return (None, None) };
    match modules.lambda_around(path, at) {
        None => {
            let words = modules.stops_before(path, at).map(|before| match before {
                StopsBefore::Statement => {
                    "stops at the first statement of the line, before the one with the text".to_owned()
                }
                StopsBefore::Method { first, own } => format!(
                    "stops at the first statement of the line, in {first}; the text is in {own}: set a breakpoint on that function, or put it on a line of its own"
                ),
            });
            (None, words)
        }
        Some(LambdaAround::First(name)) => {
            (Some(name), Some("stops in the lambda that the text is part of".to_owned()))
        }
        Some(LambdaAround::Behind) => {
            let words =
                "stops at the statement around the lambda; put the lambda's code on a line of its own to stop in it";
            (None, Some(words.to_owned()))
        }
    }
}

/// Of a line that no code stands at or behind: no build of the file as it is will bind it.
pub(super) fn none_behind(path: &str, line: u32, sources: &Sources) -> String {
    let total = sources.lines(std::path::Path::new(path)).map(|lines| lines.len());
    let has = total.map(|total| format!("; the file has {}", counted(total, "line"))).unwrap_or_default();
    format!("no code at or after line {line}{has}")
}

fn symbols_words(known: &Surveyed, fault: &SymbolsFault) -> (Why, String) {
    let name = known.file_name();
    match fault {
        SymbolsFault::Mismatch { .. } => {
            (Why::SymbolsMismatch, format!("the PDB of {name} is from another build: rebuild it"))
        }
        SymbolsFault::Missing => {
            (Why::NoSymbols, format!("{name} has no PDB: build it with DebugType portable or embedded"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::workspace::Workspace;
    use std::path::Path;

    #[test]
    fn what_a_name_means_that_was_set_after_the_end_is_kept_until_it_is_removed() {
        let modules = Modules::default();
        modules.preload(Path::new("tests/data/functions/Functions.dll"));
        let (sources, base) = (Sources::default(), Path::new("/"));
        let around = Surroundings { sources: &sources, modules: Some(&modules), base };
        let mut workspace = Workspace::default();
        let spec = BreakpointSpec::at(Place::Function("Nowhere.Nothing".into()));
        workspace.set(&Table::prepare(spec, Role::User, &around).unwrap(), None);
        let mut table = Table::default();
        for _ in 0..2 {
            let entry = table.later(&workspace.all()[0], &around).unwrap();
            assert_eq!(entry.why, Some(Why::NoCode), "{entry:?}");
            let kept = &table.later[&entry.id];
            assert!(kept.is_searched() && entry.methods.is_searched());
        }
        assert!(table.users().next().is_none(), "it is no part of the record");
        table.renew(&[]);
        assert!(table.later.is_empty());
    }
}
