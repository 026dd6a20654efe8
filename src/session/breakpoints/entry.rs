//! One wanted breakpoint: what the client asked for, where it lies, what the adapter made of it.

use super::condition_counts::ConditionCounts;
use super::function::{Binding, Methods};
use super::hit_condition;
use super::hits::Hits;
use super::last_log::LastLog;
use super::log_faults::LogFaults;
use super::log_message::LogMessage;
use super::step_end::Stepping;
use super::target::Target;
use super::tracing::Tracing;
use super::wanted::WantedBreakpoint;
use crate::dap::HitCondition;
use crate::session::error::SessionError;
use crate::session::ids::{BreakpointId, EventSeq};
use crate::session::report::SourceLine;
use crate::session::report::{Breakpoint, Why};
use crate::session::sources::Sources;
use crate::session::spec::{BreakpointSpec, Place};

/// Methods of a function breakpoint that are named.
const PLACES: usize = 8;

/// Whose breakpoint it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The client's: listed, counted.
    User,
    /// debug_run_to: gone at the next stop.
    RunTo,
    /// Where a step ends that the adapter cannot make: gone at the next stop.
    StepEnd,
    /// stop_at_entry: gone once hit.
    Entry,
}

/// One breakpoint as one session has it. Those of the client are made from the workspace's.
#[derive(Debug, Clone)]
pub struct Entry {
    pub id: BreakpointId,
    pub role: Role,
    /// The adapter's name of what the line means but does not bind: a lambda in a statement that begins before, or one that has the text
    /// which was asked for; a record's constructor.
    pub name: Option<String>,
    /// The first line of the lambda around the line, which has a name to be bound by.
    pub lambda_begin: Option<u32>,
    /// What to say of the piece of text that it was set by.
    pub text_note: Option<String>,
    /// A record begins on the line, whose constructor has no name to be bound by: where it has its first line, if that is another one.
    pub record: Option<Option<u32>>,
    /// Of [`Role::StepEnd`]: whose step ends here.
    pub stepping: Option<Stepping>,
    pub spec: BreakpointSpec,
    pub target: Target,
    /// What the name of a function breakpoint means.
    pub methods: Methods,
    /// The trimmed text of the line when it was set: the line moves with it.
    pub text: Option<String>,
    /// The file here, where a build gave it another path.
    pub file: Option<String>,
    /// A program, of this session or another, was built from its file.
    pub at_home: bool,
    /// Of the workspace's breakpoint that this was made from.
    pub version: u32,
    pub hit_condition: Option<HitCondition>,
    pub log: Option<LogMessage>,
    pub hits: Hits,
    /// The stop of the last hit; a stop that nobody heard of has a number too.
    pub last_hit: Option<EventSeq>,
    /// Why its condition had no value, when it was last evaluated.
    pub condition_error: Option<String>,
    /// Of the condition, where it is evaluated by us.
    pub condition_counts: ConditionCounts,
    /// Its condition is kept from the adapter, so that it is counted.
    pub counted: bool,
    /// The adapter could not evaluate its condition, so we do from then on.
    pub adapter_refuses: bool,
    /// The adapter bound it to another file of that name (dncdbg): it is kept from it until a build has this one.
    pub misplaced: bool,
    /// What an adapter may read of its message.
    pub tracing: Tracing,
    /// Lines of text that it wrote.
    pub logs: u64,
    /// The last of them.
    pub last_log: LastLog,
    /// What of them had no value.
    pub faults: LogFaults,
    /// The adapter's line, once it has bound.
    pub bound: Option<u32>,
    pub verified: bool,
    pub pending: bool,
    pub why: Option<Why>,
    pub message: Option<String>,
    pub nearest: Vec<SourceLine>,
    pub moved_from: Option<u32>,
}

impl Entry {
    /// What it is called.
    pub fn what(&self) -> &'static str {
        if self.log.is_some() { "tracepoint" } else { "breakpoint" }
    }

    /// Whether the adapter says that optimized code has dropped its line.
    pub fn is_placeless(&self) -> bool {
        self.message.as_ref().is_some_and(|words| words.starts_with(crate::dap::NO_PLACE))
    }

    /// The tool that sets it.
    pub fn tool(&self) -> &'static str {
        if self.log.is_some() { "tracepoint_set" } else { "breakpoint_set" }
    }

    /// # Errors
    /// `invalid_condition` or `invalid_argument` for what cannot be a condition, count or message.
    pub fn new(id: BreakpointId, role: Role, spec: BreakpointSpec, target: Target) -> Result<Self, SessionError> {
        if let Some(condition) = &spec.condition {
            super::condition::check(condition)?;
        }
        let hit_condition = spec.hit_condition.as_deref().map(hit_condition::parsed).transpose()?;
        let log = spec.log.as_deref().map(LogMessage::parse).transpose()?;
        Ok(Self {
            id,
            role,
            name: None,
            lambda_begin: None,
            record: None,
            text_note: None,
            stepping: None,
            target,
            methods: Methods::default(),
            text: None,
            file: None,
            at_home: false,
            version: 0,
            hit_condition,
            log,
            hits: Hits::default(),
            last_hit: None,
            condition_error: None,
            condition_counts: ConditionCounts::default(),
            counted: false,
            adapter_refuses: false,
            misplaced: false,
            tracing: Tracing::new(spec.max_hits),
            logs: 0,
            last_log: LastLog::default(),
            faults: LogFaults::default(),
            bound: None,
            verified: false,
            pending: true,
            why: Some(Why::NotLaunched),
            message: None,
            nearest: Vec::new(),
            moved_from: None,
            spec,
        })
    }

    /// `None` for what cannot be one; the workspace takes only what was checked.
    pub fn of(wanted: &WantedBreakpoint) -> Option<Self> {
        let entry = Self::new(wanted.id, Role::User, wanted.spec.clone(), wanted.target.clone()).ok()?;
        let (text, file) = (wanted.text.clone(), wanted.file.clone());
        Some(Self { text, file, at_home: wanted.at_home, version: wanted.version, ..entry })
    }

    /// Whether it lies where the workspace's breakpoint does.
    pub(crate) fn is_where(&self, wanted: &WantedBreakpoint) -> bool {
        match (&wanted.target, &self.target) {
            (Target::Source { path: wanted_path, line, .. }, Target::Source { path, line: own, .. }) => {
                let (wanted_path, path) =
                    (wanted.file.as_ref().unwrap_or(wanted_path), self.file.as_ref().unwrap_or(path));
                wanted_path == path && line == own && !self.is_another_line(wanted) && !self.is_another_piece(wanted)
            }
            (Target::Function(wanted), Target::Function(own)) => wanted == own,
            (Target::Unplaced { given: wanted, line }, Target::Unplaced { given, line: own }) => {
                wanted == given && line == own
            }
            _ => false,
        }
    }

    /// Whether the file was edited in between, so that one number means two lines.
    fn is_another_line(&self, wanted: &WantedBreakpoint) -> bool {
        matches!((&wanted.text, &self.text), (Some(wanted), Some(own)) if wanted != own)
    }

    /// Whether one of them may be in a lambda of their line, and the other around it.
    fn is_another_piece(&self, wanted: &WantedBreakpoint) -> bool {
        let piece = |spec: &BreakpointSpec| match &spec.place {
            Place::Source { text, .. } => text.as_deref().map(|text| text.trim().to_owned()),
            Place::Function(_) => None,
        };
        wanted.text.as_deref().is_some_and(|line| line.contains("=>")) && piece(&wanted.spec) != piece(&self.spec)
    }

    /// It was set again, or switched on or off. Hits stay its own unless it asks for something else now.
    pub fn renew(&mut self, wanted: &WantedBreakpoint) {
        let Some(new) = Self::of(wanted) else { return };
        let asks_the_same =
            self.spec.condition == new.spec.condition && self.spec.hit_condition == new.spec.hit_condition;
        if !asks_the_same {
            self.hits = Hits::default();
            self.last_hit = None;
            self.condition_counts = ConditionCounts::default();
            self.condition_error = None;
            self.adapter_refuses = false;
        }
        if !new.spec.enabled {
            self.verified = false;
            self.bound = None;
        }
        self.logs = 0;
        self.faults = LogFaults::default();
        self.last_log = LastLog::default();
        (self.spec, self.hit_condition, self.log, self.tracing) = (new.spec, new.hit_condition, new.log, new.tracing);
        self.version = new.version;
    }

    /// Its file is one of another program, as far as is known.
    pub fn is_foreign(&self) -> bool {
        self.at_home && !self.verified && self.why == Some(Why::FileUnknown)
    }

    /// The document and line that are sent to an adapter.
    pub fn sent(&self) -> Option<(&str, u32)> {
        match &self.target {
            Target::Source { path, line, code_line, .. } => Some((path, code_line.unwrap_or(*line))),
            _ => None,
        }
    }

    /// All that an adapter is sent for it.
    pub fn bindings(&self) -> Vec<Binding<'_>> {
        match &self.target {
            Target::Function(name) => self.methods.bindings(name),
            Target::Unplaced { given, line } => vec![Binding::Line(given, line.unwrap_or(1))],
            Target::Source { .. } => match &self.name {
                Some(name) => vec![Binding::Function(name)],
                None => self.sent().map(|(path, line)| Binding::Line(path, line)).into_iter().collect(),
            },
        }
    }

    /// Where the program stops for it.
    pub fn stop_places(&self) -> Vec<(&str, u32)> {
        match (self.sent(), self.stop_line()) {
            (Some((path, _)), Some(line)) => vec![(path, line)],
            _ => self.methods.places.iter().map(|place| (place.path.as_str(), place.line)).collect(),
        }
    }

    /// The line where the program stops for it.
    pub fn stop_line(&self) -> Option<u32> {
        self.bound.or(self.sent().map(|(_, line)| line))
    }

    /// Something has to be decided at each hit.
    pub fn is_emulated(&self) -> bool {
        self.hit_condition.is_some() || self.log.is_some() || self.spec.max_hits.is_some()
    }

    /// Whether it is disabled because it wrote as many lines as it may.
    fn is_at_its_limit(&self) -> bool {
        !self.spec.enabled && self.spec.max_hits.is_some_and(|most| self.logs >= most)
    }

    /// What to say of one that wrote as many lines as it may.
    pub fn limit_words(&self) -> String {
        let most = self.spec.max_hits.unwrap_or_default();
        format!(
            "it reached max_hits ({most}); breakpoint_enable lets it log {most} more, tracepoint_set changes the limit"
        )
    }

    /// Whether the adapter bound it to another document than it was sent.
    pub fn is_bound_elsewhere(&self, bound: Option<&str>) -> bool {
        let (Some((sent, _)), Some(bound)) = (self.sent(), bound) else { return false };
        sent.starts_with('/') && bound.starts_with('/') && !sent.eq_ignore_ascii_case(bound)
    }

    /// What clients see. `listed`: in a list, which leaves out the source text.
    pub fn view(&self, sources: &Sources, listed: bool) -> Breakpoint {
        let mut view = Breakpoint {
            id: self.id.0,
            verified: self.verified,
            pending: self.pending && !self.verified,
            why: self
                .is_at_its_limit()
                .then_some(Why::MaxHits)
                .or(self.why)
                .or(self.condition_error.as_ref().map(|_| Why::InvalidCondition)),
            // of one that stops elsewhere than asked the list says so too
            message: self
                .message
                .clone()
                .filter(|_| !listed || self.verified && self.why.is_none())
                .or_else(|| self.is_at_its_limit().then(|| self.limit_words()))
                .or_else(|| self.condition_error.clone())
                .or_else(|| self.methods.note())
                .or_else(|| self.text_note.clone()),
            condition: self.spec.condition.clone(),
            hit_condition: self.spec.hit_condition.clone(),
            log: self.spec.log.clone(),
            only_changes: self.spec.only_changes,
            hits: self.hits.total(),
            condition_false: self.condition_counts.falses(),
            disabled: !self.spec.enabled,
            temporary: self.spec.temporary,
            moved_from: self.moved_from,
            nearest: self.nearest.clone(),
            ..Breakpoint::default()
        };
        match &self.target {
            Target::Function(name) => {
                view.function = Some(name.clone());
                self.view_methods(&mut view, sources, listed);
            }
            Target::Unplaced { given, line } => {
                view.file = Some(given.clone());
                view.line = *line;
            }
            Target::Source { path, given, line, .. } => {
                let relative = sources.relative(path);
                view.file = Some(if sources.root().is_some() || self.verified { relative } else { given.clone() });
                let stops = if self.verified { self.stop_line().unwrap_or(*line) } else { *line };
                view.line = Some(stops);
                view.requested_line = (stops != *line).then_some(*line);
                if !listed && self.why != Some(Why::NoCode) {
                    view.source = sources.shown_line(path, stops);
                }
            }
        }
        if listed {
            view.nearest.clear();
        }
        view
    }

    /// One method is reported as a line is, several are counted, and named where it is not one of a list.
    fn view_methods(&self, view: &mut Breakpoint, sources: &Sources, listed: bool) {
        if let [place] = self.methods.places.as_slice() {
            view.file = Some(sources.relative(&place.path));
            view.line = Some(place.line);
            return;
        }
        view.methods = self.methods.places.len() + self.methods.unbound;
        if !listed {
            let places = self.methods.places.iter().take(PLACES);
            view.places = places
                .map(|place| format!("{} {}:{}", place.method, sources.relative(&place.path), place.line))
                .collect();
        }
    }
}
