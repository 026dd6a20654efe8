//! The facts behind a verdict, read off the disk: whose document it is, what was compiled, which method the line belongs to.

use std::path::{Path, PathBuf};

use super::code::{is_elsewhere, method_name};
use super::{Condition, Document, Evidence, Facts, Run, Symbols, causes};
use crate::session::breakpoints::attributes::hiding_attribute;
use crate::session::breakpoints::{Entry, Target, function};
use crate::session::ids::{EventSeq, StateName};
use crate::session::modules::{Modules, Survey, Surveyed, SymbolsFault, common_tail};
use crate::session::report::{Breakpoint, Exit, Location, SourceLine, StopReason, Why};
use crate::session::sources::Sources;
use clr_metadata::MethodId;

/// Documents that are named.
const DOCUMENTS: usize = 4;
/// Digits of a hash that are reported.
const DIGITS: usize = 16;

/// What the owner of the breakpoint knows, at the moment of the call.
pub(crate) struct Asked {
    pub entry: Entry,
    pub run: Run,
    /// The adapter says that it is bound, or said so when the program ended.
    pub bound: bool,
    pub state: StateName,
    /// The last stop that counted for it.
    pub last_hit: Option<EventSeq>,
    pub exit: Exit,
    /// The stop that was reported last, while the program stands there.
    pub stop: Option<(StopReason, Option<Location>)>,
    pub attached: bool,
    pub just_my_code: bool,
    pub pid: Option<u32>,
    /// The program's entry assembly, or what was launched.
    pub program: Option<PathBuf>,
    /// The condition is the adapter's to evaluate, but for what was counted here.
    pub uncounted: bool,
    pub modules: Modules,
    pub sources: Sources,
}

/// Facts, and everything seen on the way to them.
pub(super) struct Scene {
    pub asked: Asked,
    pub breakpoint: Breakpoint,
    pub facts: Facts,
    pub seen: Evidence,
    /// Where it would stop, if that is another line than was asked for.
    pub code_line: Option<u32>,
    /// The line has code, and the adapter bound it to another method's all the same.
    pub misplaced: bool,
    /// What is known of a function breakpoint's name.
    pub message: Option<String>,
    /// The name most like it.
    pub similar: Option<String>,
}

impl Scene {
    pub(super) fn read(asked: Asked, sdk_tool: bool, processes: Vec<(u32, String)>) -> Self {
        let entry = &asked.entry;
        let breakpoint = entry.view(&asked.sources, false);
        let counts = entry.condition_counts.counts();
        let condition = match (&entry.spec.condition, entry.hit_condition) {
            _ if entry.condition_error.is_some() => Condition::Failed,
            (_, Some(count)) if breakpoint.hits > 0 && !count.has_held(breakpoint.hits) => Condition::NeverHeld,
            (Some(_), _) if breakpoint.hits == 0 && counts.evaluations > 0 => Condition::NeverHeld,
            (Some(_), _) if breakpoint.hits == 0 && asked.uncounted => Condition::Uncounted,
            _ => Condition::None,
        };
        let mut scene = Self {
            facts: Facts {
                run: asked.run,
                enabled: entry.spec.enabled,
                verified: asked.bound,
                hits: breakpoint.hits,
                attached: asked.attached,
                just_my_code: asked.just_my_code,
                sdk_tool,
                changed: entry.why == Some(Why::TextGone),
                placeless: entry.is_placeless(),
                condition,
                ..Facts::default()
            },
            seen: Evidence {
                evaluations: (counts.evaluations > 0).then_some(counts.evaluations),
                values: counts.values,
                error: entry.condition_error.clone().filter(|_| condition == Condition::Failed),
                exit_code: asked.exit.exit_code,
                signal: asked.exit.signal.clone(),
                reason: asked.stop.as_ref().map(|(reason, _)| *reason),
                location: asked.stop.as_ref().and_then(|(_, location)| location.clone()),
                processes,
                ..Evidence::default()
            },
            code_line: None,
            misplaced: false,
            message: None,
            similar: None,
            breakpoint,
            asked,
        };
        scene.read_place();
        scene
    }

    fn read_place(&mut self) {
        let mut survey = self.asked.modules.survey();
        if survey.is_empty() {
            return;
        }
        match self.asked.entry.target.clone() {
            Target::Source { path, line, .. } => self.read_line(&mut survey, &path, line),
            Target::Unplaced { given, .. } => self.read_stranger(&survey, &given),
            Target::Function(name) => self.read_function(&mut survey, &name),
        }
    }

    fn read_line(&mut self, survey: &mut Survey, path: &str, line: u32) {
        if survey.document(path).is_none() {
            survey.add_neighbors();
        }
        let Some((known, document)) = survey.document(path) else {
            return self.read_stranger(survey, path);
        };
        let Some(pdb) = known.assembly.pdb() else { return };
        self.facts.document = Document::Known;
        self.seen.document = (path != self.asked.sources.shown(path)).then(|| path.to_owned());
        self.read_module(known);
        if known.refused {
            self.read_fault(known.fault());
        }
        self.read_hash(document);
        let lines = pdb.executable_lines(document.id);
        let has_code = lines.binary_search(&line).is_ok();
        let meant = pdb.breakpoint_line(document.id, line);
        // an adapter's mistake is a fact too
        let code_line = self.asked.entry.bound.filter(|bound| lines.binary_search(bound).is_ok()).or(meant);
        if let Some(code_line) = code_line {
            let on_line = pdb.line_to_methods(document.id, code_line);
            self.read_methods(known, &on_line.into_iter().map(|(method, _)| method).collect::<Vec<_>>());
        }
        self.code_line = code_line.filter(|code_line| *code_line != line);
        let text = self.asked.sources.line(path, line).unwrap_or_default();
        let text = if has_code { String::new() } else { text };
        let elsewhere = self.code_line.is_some_and(|found| is_elsewhere(pdb, document.id, line, &text, found));
        self.misplaced = has_code && elsewhere;
        self.facts.none_behind = code_line.is_none();
        self.facts.no_code = code_line.is_none() || elsewhere;
        let mut nearest = pdb.nearest_lines(document.id, line, 3);
        nearest.retain(|candidate| *candidate != line);
        nearest.sort_by_key(|candidate| candidate.abs_diff(line));
        nearest.truncate(2);
        let text = |line| self.asked.sources.shown_line(path, line).unwrap_or_default();
        self.seen.nearest = nearest.into_iter().map(|line| SourceLine { line, source: text(line) }).collect();
    }

    /// A path that no PDB has.
    fn read_stranger(&mut self, survey: &Survey, path: &str) {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let mut named = survey.named(name);
        named.sort_by_key(|document| std::cmp::Reverse(common_tail(path, &document.path)));
        if let Some((known, fault)) = survey.suspect(Path::new(path)) {
            self.read_module(known);
            self.read_fault(Some(fault));
        }
        self.facts.document = if named.is_empty() { Document::None } else { Document::SameName };
        if let Some(document) = named.first() {
            self.read_hash(document);
            // that it differs from another file is no change of this one
            self.facts.changed = false;
        }
        self.seen.more_documents = named.len().saturating_sub(DOCUMENTS);
        self.seen.documents = match named.is_empty() {
            true => survey.similar(name, DOCUMENTS),
            false => named.iter().take(DOCUMENTS).map(|document| document.path.clone()).collect(),
        };
    }

    fn read_function(&mut self, survey: &mut Survey, name: &str) {
        let mut methods = self.asked.entry.methods.clone();
        methods.find(name, survey, &self.asked.sources);
        if methods.places.is_empty() {
            survey.add_neighbors();
            methods.find(name, survey, &self.asked.sources);
        }
        self.facts.document = Document::Known;
        self.facts.loaded = true;
        if let Some((why, message)) = methods.why(name) {
            self.facts.no_code = why == Why::NoCode;
            self.facts.symbols = if why == Why::NoSymbols { Symbols::Missing } else { Symbols::Good };
            self.message = Some(message);
            self.similar = methods.similar().map(str::to_owned);
        }
        let Ok(query) = function::query(name) else { return };
        let mut known = survey.assemblies().iter().map(|known| (known, known.assembly.methods_called(&query)));
        let places = methods.places;
        let place = places.iter().find(|place| place.loaded).or(places.first());
        let found = known.find(|(known, methods)| {
            !methods.is_empty() && place.is_none_or(|place| place.module == known.file_name())
        });
        let Some((known, methods)) = found else { return };
        let code: Vec<MethodId> = methods.iter().map(|method| known.assembly.method(*method).code_method()).collect();
        self.read_module(known);
        self.read_fault(known.fault());
        self.read_methods(known, &code);
    }

    fn read_module(&mut self, known: &Surveyed) {
        self.facts.loaded = known.loaded;
        self.facts.optimized = !known.assembly.is_debug_build();
        self.seen.module = Some(known.file_name());
    }

    fn read_fault(&mut self, fault: Option<SymbolsFault>) {
        self.facts.symbols = match fault {
            None => Symbols::Good,
            Some(SymbolsFault::Missing) => Symbols::Missing,
            Some(SymbolsFault::Mismatch { expected, found }) => {
                (self.seen.expected, self.seen.found) = (Some(expected), Some(found));
                Symbols::Mismatch
            }
        };
    }

    /// The file as it is now against what was compiled.
    fn read_hash(&mut self, document: &clr_metadata::Document) {
        let Target::Source { path, .. } = &self.asked.entry.target else { return };
        let Some(found) = self.asked.sources.bytes(path).and_then(|bytes| document.hash_of(&bytes)) else { return };
        if found != document.hash {
            self.facts.changed = true;
            if self.facts.symbols == Symbols::Good {
                (self.seen.expected, self.seen.found) =
                    (Some(hash_text(document, &document.hash)), Some(hash_text(document, &found)));
            }
        }
    }

    fn read_methods(&mut self, known: &Surveyed, methods: &[MethodId]) {
        let assembly = &known.assembly;
        let Some(&first) = methods.first() else { return };
        self.seen.method = Some(method_name(assembly, first));
        if let Some((attribute, hidden)) = hiding_attribute(assembly, first) {
            self.facts.hidden = hidden;
            self.seen.attribute = Some(attribute.to_owned());
        }
        let entry = assembly.entry_point();
        self.facts.startup = methods.iter().any(|&method| {
            let written = assembly.kickoff_of(method).unwrap_or(method);
            Some(written) == entry || assembly.method(written).name() == ".cctor"
        });
    }
}

/// `sha256:` and the first digits.
fn hash_text(document: &clr_metadata::Document, hash: &[u8]) -> String {
    let kind = match document.hash_algorithm {
        clr_metadata::HashAlgorithm::Sha1 => "sha1",
        _ => "sha256",
    };
    let digits: String = hash.iter().take(DIGITS / 2).map(|byte| format!("{byte:02x}")).collect();
    format!("{kind}:{digits}")
}

/// The verdict and, where it is about the run only, the next cause.
pub(super) fn decide(facts: &Facts) -> (Option<super::Verdict>, Option<super::Verdict>) {
    let mut causes = causes(facts);
    let first = causes.next();
    let about_run = matches!(first, Some(super::Verdict::NotStarted | super::Verdict::Exited));
    (first, causes.next().filter(|_| about_run))
}
