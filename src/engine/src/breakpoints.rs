//! Breakpoints: what is wanted, where in loaded code it is, and what a hit comes to.
//!
//! A place in code is armed once, however many breakpoints are there: a `Site`. Hits are decided on the runtime's callback thread;
//! only what takes code of the program to decide is handed over.

mod conditions;
mod counters;
mod functions;
mod judged;
mod lines;
mod operands;
mod placeless;
mod remembered;
mod traces;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clr_metadata::MethodId;

pub use conditions::{LogMessage, Part};
use counters::Counters;
pub use dap_wire::HitCondition;
use dap_wire::{ConditionCounts, HitCount, HitCounter, NO_PLACE, Trace};
pub use judged::Judged;
pub use lines::{Resolved, ambiguity, documents, is_meant, statements};
use operands::Operands;
pub use operands::{is_breakpoint, renew};
pub use remembered::{FieldHome, Holds, Homes, Memory, VariableHome};
pub use traces::Traces;

use crate::com::{self, Interface as _};
use crate::modules::{Module, Modules};
use crate::target::SourceFileMap;

/// What a client asks for at a line or a function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    pub line: u32,
    pub column: Option<u32>,
    /// Of a function breakpoint.
    pub function: Option<String>,
    pub condition: Option<String>,
    pub hit_condition: Option<HitCondition>,
    /// Where its hits are counted, if not with the breakpoint alone.
    pub counter: Option<HitCounter>,
    pub log_message: Option<LogMessage>,
    /// What is read at its hits instead of a stop.
    pub trace: Option<Trace>,
    /// Its expressions run only what is known to change nothing.
    pub is_pure: bool,
    /// Why it is not set.
    pub refusal: Option<String>,
}

impl Wanted {
    fn is_at(&self, other: &Self) -> bool {
        (self.line, self.column, &self.function) == (other.line, other.column, &other.function)
    }

    /// Whether both evaluate the same.
    pub fn evaluates(&self, other: &Self) -> bool {
        let trace = |of: &Self| of.trace.as_ref().map(|trace| trace.trace);
        (&self.condition, &self.log_message, trace(self), self.is_pure)
            == (&other.condition, &other.log_message, trace(other), other.is_pure)
    }
}

#[derive(Default)]
pub struct Breakpoint {
    /// Ours, from 1; kept while the same place is wanted.
    pub id: i64,
    pub wanted: Wanted,
    pub resolved: Option<Resolved>,
    /// Why it could not be armed, or the last fault of its condition.
    pub fault: Option<String>,
    /// Several documents fit its path: one that is bound stays where it is, any other one is not bound.
    pub ambiguity: Option<String>,
    /// Where no counter of the client's counts them.
    hits: u64,
    /// By its condition, as long as there is one at this place.
    pub judged: Judged,
    /// Of its condition.
    pub memory: Memory,
    /// Of what is read or logged at its hits.
    pub message_memory: Memory,
    sites: Vec<SiteKey>,
}

/// Module, method token, IL offset.
type SiteKey = (u32, u32, u32);

struct Site {
    key: SiteKey,
    com: com::FunctionBreakpoint,
}

/// A place that steps and starts need for themselves.
#[derive(Clone)]
pub struct Mark {
    key: SiteKey,
}

#[derive(Default)]
pub struct Breakpoints {
    last: i64,
    /// By the path as the client spelled it.
    files: BTreeMap<String, Vec<Breakpoint>>,
    functions: Vec<Breakpoint>,
    counters: Counters,
    /// What was read at hits.
    pub traces: Traces,
    pub operands: Operands,
    sites: Vec<Site>,
    marks: Vec<Mark>,
    /// Methods that steps pass over are not the user's code: nothing stops in them.
    pub just_my_code: bool,
    /// Where the client has the sources.
    pub sources: SourceFileMap,
    /// The program's entry point, until it is reached.
    pub entry: Option<Mark>,
}

impl Breakpoints {
    /// Replaces those of one file; arms them in what is loaded. The program stands still, or there is none yet.
    pub fn set_lines(&mut self, path: &str, wanted: Vec<Wanted>, modules: &Modules) -> Vec<&Breakpoint> {
        let old = self.files.remove(path).unwrap_or_default();
        let new = self.replaced(old, wanted);
        self.files.insert(path.to_owned(), new);
        let all = modules.all();
        let documents = lines::documents(&all, path, &self.sources);
        for module in &all {
            self.bind_file((path, &documents), module);
        }
        self.disarm_unused();
        self.files.get(path).map(|list| list.iter().collect()).unwrap_or_default()
    }

    /// Replaces all function breakpoints.
    pub fn set_functions(&mut self, wanted: Vec<Wanted>, modules: &Modules) -> Vec<&Breakpoint> {
        let old = std::mem::take(&mut self.functions);
        self.functions = self.replaced(old, wanted);
        for module in modules.all() {
            self.bind_functions(&module);
        }
        self.disarm_unused();
        self.functions.iter().collect()
    }

    fn replaced(&mut self, mut old: Vec<Breakpoint>, wanted: Vec<Wanted>) -> Vec<Breakpoint> {
        let mut take = |wanted: Wanted| match old.iter().position(|old| old.wanted.is_at(&wanted)) {
            Some(at) => {
                let mut kept = old.swap_remove(at);
                if !kept.wanted.evaluates(&wanted) {
                    kept.fault = None;
                    (kept.memory, kept.message_memory) = Default::default();
                }
                kept.wanted = wanted;
                if kept.wanted.refusal.is_some() {
                    (kept.sites, kept.resolved) = Default::default();
                }
                kept
            }
            None => {
                self.last += 1;
                Breakpoint { id: self.last, wanted, ..Breakpoint::default() }
            }
        };
        wanted.into_iter().map(&mut take).collect()
    }

    /// A module was loaded, one of these: arms what is wanted in it. Returns the breakpoints that changed.
    pub fn bind(&mut self, module: &Arc<Module>, modules: &Modules) -> Vec<i64> {
        let paths: Vec<String> = self.files.keys().cloned().collect();
        let all = if module.has_source() { modules.all() } else { Vec::new() };
        let bind = |path: &String| self.bind_file((path, &lines::documents(&all, path, &self.sources)), module);
        let mut changed: Vec<i64> = paths.iter().flat_map(bind).collect();
        changed.extend(self.bind_functions(module));
        changed
    }

    /// A module was unloaded: drops its places.
    pub fn unbind(&mut self, module: u32) -> Vec<i64> {
        let mut changed = Vec::new();
        for breakpoint in self.files.values_mut().flatten().chain(&mut self.functions) {
            let before = breakpoint.sites.len();
            breakpoint.sites.retain(|site| site.0 != module);
            if breakpoint.sites.len() != before && breakpoint.sites.is_empty() {
                breakpoint.resolved = None;
                changed.push(breakpoint.id);
            }
        }
        self.sites.retain(|site| site.key.0 != module);
        changed
    }

    /// `documents`: those of all modules that the path means.
    fn bind_file(&mut self, (path, documents): (&str, &BTreeSet<String>), module: &Arc<Module>) -> Vec<i64> {
        let Some(list) = self.files.get_mut(path).filter(|_| module.has_source()) else { return Vec::new() };
        let (sites, just_my_code) = (&mut self.sites, self.just_my_code);
        let ambiguity = lines::ambiguity(documents, path);
        let only = documents.first().filter(|_| ambiguity.is_none());
        let arm = |breakpoint: &mut Breakpoint| {
            if breakpoint.wanted.refusal.is_some() {
                return None;
            }
            let news = (breakpoint.ambiguity != ambiguity).then_some(breakpoint.id);
            breakpoint.ambiguity.clone_from(&ambiguity);
            let bound = breakpoint.resolved.as_ref().map(|resolved| resolved.path.clone());
            let Some(document) = bound.or_else(|| only.cloned()) else { return news };
            let Some((resolved, mut places)) = lines::resolve(module, &document, &breakpoint.wanted) else {
                return news;
            };
            places.retain(|(method, _)| !is_passed_over(module, *method, just_my_code));
            armed(breakpoint, resolved, &places, module, sites).or(news)
        };
        list.iter_mut().filter_map(arm).collect()
    }

    fn bind_functions(&mut self, module: &Arc<Module>) -> Vec<i64> {
        let (sites, just_my_code) = (&mut self.sites, self.just_my_code);
        let arm = |breakpoint: &mut Breakpoint| {
            if breakpoint.wanted.refusal.is_some() {
                return None;
            }
            let name = breakpoint.wanted.function.clone()?;
            let (resolved, mut places) = functions::resolve(module, &name)?;
            places.retain(|(method, _)| !is_passed_over(module, *method, just_my_code));
            armed(breakpoint, resolved, &places, module, sites)
        };
        self.functions.iter_mut().filter_map(arm).collect()
    }

    /// A breakpoint by its id.
    pub fn get(&self, id: i64) -> Option<&Breakpoint> {
        self.files.values().flatten().chain(&self.functions).find(|breakpoint| breakpoint.id == id)
    }

    pub fn get_mut(&mut self, id: i64) -> Option<&mut Breakpoint> {
        self.files.values_mut().flatten().chain(&mut self.functions).find(|breakpoint| breakpoint.id == id)
    }

    /// The number that the next hit of a breakpoint has, with the counter that was wanted when it was hit: it may be changed while a hit is
    /// decided.
    pub fn next_hit(&self, id: i64, counter: Option<HitCounter>) -> Option<u64> {
        let breakpoint = self.get(id)?;
        Some(match counter {
            Some(HitCounter { counter, before }) => 1 + before + self.counters.hits(counter),
            None => 1 + breakpoint.hits,
        })
    }

    /// One hit more. What its counter says now, if it has one, and whether the client is to be notified of that.
    pub fn count(&mut self, id: i64, counter: Option<HitCounter>) -> (Option<HitCount>, bool) {
        if let Some(breakpoint) = self.get_mut(id) {
            breakpoint.hits += 1;
        }
        let Some(HitCounter { counter, .. }) = counter else { return (None, false) };
        let (hits, is_news) = self.counters.count(counter);
        (Some(HitCount { counter, hits }), is_news)
    }

    /// Counters that the client has not been given yet.
    pub fn take_counted(&mut self) -> Vec<HitCount> {
        self.counters.take_news()
    }

    /// Counts of conditions that the client has not been given yet.
    pub fn take_news(&mut self) -> Vec<(i64, ConditionCounts)> {
        let all = self.files.values_mut().flatten().chain(&mut self.functions);
        all.filter_map(Breakpoint::take_news).collect()
    }

    /// Those at the place that was hit.
    pub fn at(&self, hit: &com::FunctionBreakpoint) -> Vec<i64> {
        let Some(site) = self.sites.iter().find(|site| site.com.is(hit)) else { return Vec::new() };
        let all = self.files.values().flatten().chain(&self.functions);
        all.filter(|breakpoint| breakpoint.sites.contains(&site.key)).map(|breakpoint| breakpoint.id).collect()
    }

    /// Arms a place for ourselves.
    pub fn mark(&mut self, module: &Arc<Module>, method: MethodId, offset: u32) -> com::Result<Mark> {
        let key = (module.id, method.token().0, offset);
        arm(&mut self.sites, module, key)?;
        let mark = Mark { key };
        self.marks.push(mark.clone());
        Ok(mark)
    }

    pub fn unmark(&mut self, mark: &Mark) {
        if let Some(at) = self.marks.iter().position(|other| other.key == mark.key) {
            self.marks.swap_remove(at);
        }
        self.disarm_unused();
    }

    pub fn is_at(&self, mark: &Mark, hit: &com::FunctionBreakpoint) -> bool {
        self.sites.iter().any(|site| site.key == mark.key && site.com.is(hit))
    }

    /// All of them, before a detach.
    pub fn disarm_all(&mut self) {
        self.files.clear();
        self.functions.clear();
        self.marks.clear();
        self.disarm_unused();
    }

    fn disarm_unused(&mut self) {
        let (files, functions, marks) = (&self.files, &self.functions, &self.marks);
        let is_used = |key: &SiteKey| {
            marks.iter().any(|mark| mark.key == *key)
                || files.values().flatten().chain(functions).any(|breakpoint| breakpoint.sites.contains(key))
        };
        self.sites.retain(|site| {
            let keep = is_used(&site.key);
            if !keep {
                let _ = site.com.activate(false);
            }
            keep
        });
    }
}

/// The breakpoint's id if its places changed.
fn armed(
    breakpoint: &mut Breakpoint,
    resolved: Resolved,
    places: &[(MethodId, u32)],
    module: &Arc<Module>,
    sites: &mut Vec<Site>,
) -> Option<i64> {
    let (before, mut is_new) = (breakpoint.resolved.is_some(), false);
    let mut placeless = Vec::new();
    for &(method, offset) in places {
        let key = (module.id, method.token().0, offset);
        let is_known = breakpoint.sites.contains(&key);
        let armed = if is_known { Ok(()) } else { arm(sites, module, key) };
        // what is compiled later may have one
        if armed.is_ok() && !is_known {
            breakpoint.sites.push(key);
        }
        is_new |= !is_known;
        match (placeless::why(module, method, offset), armed) {
            (Some(words), _) => placeless.push(words),
            (None, Ok(())) => {}
            (None, Err(error)) => breakpoint.fault = Some(format!("The breakpoint could not be set: {error}")),
        }
    }
    if let Some(words) = placeless.pop().filter(|_| placeless.len() + 1 == places.len()) {
        (breakpoint.resolved, breakpoint.fault) = (None, Some(words));
    } else if breakpoint.resolved.is_none() && !breakpoint.sites.is_empty() {
        breakpoint.resolved = Some(resolved);
        breakpoint.fault.take_if(|words| words.starts_with(NO_PLACE));
    }
    (is_new || before != breakpoint.resolved.is_some()).then_some(breakpoint.id)
}

/// `[DebuggerHidden]`, and with just my code `[DebuggerNonUserCode]` and the like.
fn is_passed_over(module: &Module, method: MethodId, just_my_code: bool) -> bool {
    let Some(assembly) = module.assembly() else { return false };
    let method = assembly.method(method);
    if just_my_code { method.is_stepped_over() } else { method.is_debugger_hidden() }
}

fn arm(sites: &mut Vec<Site>, module: &Arc<Module>, key: SiteKey) -> com::Result<()> {
    if sites.iter().any(|site| site.key == key) {
        return Ok(());
    }
    let breakpoint = module.function(key.1)?.il_code()?.create_breakpoint(key.2)?;
    breakpoint.activate(true)?;
    sites.push(Site { key, com: breakpoint });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_is_counted_as_it_was_wanted_when_it_was_hit() {
        let (mut breakpoints, modules) = (Breakpoints::default(), Modules::default());
        let counter = |counter| Some(HitCounter { counter, before: 4 });
        let mut set = |counter| {
            let wanted = Wanted { line: 3, counter, ..Wanted::default() };
            breakpoints.set_lines("Program.cs", vec![wanted], &modules).first().map(|it| it.id).unwrap()
        };
        let id = set(counter(7));
        // another one of the line takes the counter away while the hit is decided
        assert_eq!(set(None), id);
        assert_eq!(breakpoints.next_hit(id, counter(7)), Some(5));
        assert_eq!(breakpoints.count(id, counter(7)), (Some(HitCount { counter: 7, hits: 1 }), true));
        assert_eq!(breakpoints.next_hit(id, counter(7)), Some(6));
        assert_eq!(breakpoints.next_hit(id + 1, counter(7)), None, "it was removed");
    }
}
