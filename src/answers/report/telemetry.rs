//! Stops as they were: a snapshot, a part of one, what differs between two; and the streams of the event log.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stop::stopped;
use super::{StopReport, Variable, absent, each, some_count};
use crate::answers::snapshot::{Difference, Missed, Part};
use crate::session::{
    self, Code, Content, EventSeq, KeptStop, SessionError, SnapshotsView, StateName, Stop, StopValues,
};

/// debug_get_snapshot: a stop as it was reported. `oldest_seq` where older ones were dropped.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotReport {
    #[serde(flatten)]
    pub stop: StopReport,
    #[serde(skip_serializing_if = "absent")]
    pub oldest_seq: Option<u64>,
}

/// debug_get_state_path: a value, or the `members` of a group or an object.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StatePathReport {
    /// The stop.
    pub seq: u64,
    pub path: String,
    #[serde(rename = "type", skip_serializing_if = "absent")]
    pub type_name: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub count: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub value: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub length: Option<u64>,
    #[serde(default, skip_serializing_if = "absent")]
    pub members: Vec<Variable>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

/// debug_diff_snapshots.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotDiffReport {
    pub base_seq: u64,
    pub target_seq: u64,
    /// Listed or not.
    pub total_changes: usize,
    /// By their paths, as names, with `was`.
    #[serde(default, skip_serializing_if = "absent")]
    pub changed: Vec<Variable>,
    #[serde(default, skip_serializing_if = "absent")]
    pub added: Vec<Variable>,
    #[serde(default, skip_serializing_if = "absent")]
    pub removed: Vec<Variable>,
    #[serde(default, skip_serializing_if = "absent")]
    pub truncated: bool,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

/// debug_list_streams.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StreamsReport {
    pub event_streams: Vec<StreamEntry>,
    pub snapshots: StreamEntry,
}

/// What is kept of a stream.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StreamEntry {
    pub name: String,
    pub count: u64,
    #[serde(skip_serializing_if = "absent")]
    pub oldest_seq: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub latest_seq: Option<u64>,
}

/// The parts of a stop report that a scope may name.
const SCOPES: &str = "location, exception, locals, watches, stack";

impl SnapshotReport {
    /// `scope`: one part, or one entry of it (`locals.order`). `is_latest`: no other stop was asked for.
    pub fn new(view: &SnapshotsView, scope: Option<&str>, is_latest: bool) -> Result<Self, SessionError> {
        let kept = only(view)?;
        let stop = &*kept.reported;
        let mut wire = stopped(stop.clone());
        if let Some(scope) = scope {
            wire = narrowed(wire, scope, stop.seq)?;
        }
        let notes = [past(view.state).filter(|_| is_latest), set_afterwards(kept)];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        wire.note = Some(notes.join("; ")).filter(|note| !note.is_empty());
        Ok(Self { stop: wire, oldest_seq: view.oldest.map(|seq| seq.0) })
    }
}

/// The stop that was asked for.
fn only(view: &SnapshotsView) -> Result<&KeptStop, SessionError> {
    let missing = || SessionError::new(Code::InternalError, "no stop was returned", "please report it");
    view.stops.first().ok_or_else(missing)
}

/// The locals that are no longer as they were reported.
fn set_afterwards(kept: &KeptStop) -> Option<String> {
    let locals = |stop: &Stop| match &stop.values {
        StopValues::Locals(locals, _) => locals.clone(),
        _ => Vec::new(),
    };
    let (before, now) = (locals(&kept.reported), locals(kept.revised.as_ref()?));
    let set = before.iter().zip(&now).filter(|(before, now)| before.content != now.content);
    let names: Vec<&str> = set.map(|(before, _)| before.name.as_str()).collect();
    (!names.is_empty()).then(|| format!("after this stop was reported, a client changed {}", names.join(", ")))
}

fn past(state: StateName) -> Option<String> {
    (state != StateName::Stopped)
        .then(|| format!("this is the latest stop; the program is no longer stopped (state: {})", state.as_str()))
}

fn narrowed(whole: StopReport, scope: &str, seq: EventSeq) -> Result<StopReport, SessionError> {
    let (part, entry) = match scope.split_once('.') {
        Some((part, entry)) => (part, Some(entry)),
        None => (scope, None),
    };
    let (outcome, stop_seq) = (whole.outcome, whole.seq);
    let chosen = |all: Vec<Variable>| all.into_iter().filter(|it| entry.is_none_or(|entry| it.name == entry)).collect();
    let mut kept = match part {
        "location" => StopReport { location: whole.location.filter(|_| entry.is_none()), ..StopReport::default() },
        "exception" => StopReport { exception: whole.exception.filter(|_| entry.is_none()), ..StopReport::default() },
        "locals" => StopReport {
            locals: chosen(whole.locals),
            more_locals: whole.more_locals.filter(|_| entry.is_none()),
            ..StopReport::default()
        },
        "watches" => StopReport { watches: chosen(whole.watches), ..StopReport::default() },
        "stack" => {
            let is_meant = |frame: &super::Frame| {
                entry.is_none_or(|entry| frame.frame.is_some_and(|number| number.to_string() == entry))
            };
            StopReport {
                stack: whole.stack.into_iter().filter(is_meant).collect(),
                external_frames: whole.external_frames.filter(|_| entry.is_none()),
                more_frames: whole.more_frames.filter(|_| entry.is_none()),
                ..StopReport::default()
            }
        }
        _ => StopReport::default(),
    };
    if kept == StopReport::default() {
        let hint = format!(
            "the scopes are {SCOPES}; one entry of a scope also works, e.g. locals.order; debug_get_state_path reads deeper"
        );
        return Err(SessionError::new(Code::ScopeNotFound, format!("no {scope} in the snapshot of seq {seq}"), hint));
    }
    (kept.outcome, kept.seq) = (outcome, stop_seq);
    Ok(kept)
}

impl StatePathReport {
    pub fn new(view: &SnapshotsView, path: &str) -> Result<Self, SessionError> {
        let stop = only(view)?.latest();
        let whole = Part::of(stop);
        let (part, path) = whole.at(path).map_err(|missed| not_found(&missed, stop.seq))?;
        let own = Variable::from(part.variable.clone());
        let members = part.parts.iter().map(|part| Variable::from(part.variable.clone())).collect();
        Ok(Self {
            seq: stop.seq.0,
            path,
            type_name: own.type_name,
            count: own.count,
            value: own.value.filter(|_| part.parts.is_empty()),
            error: own.error,
            length: own.length,
            members,
            note: past(view.state),
        })
    }
}

/// Names that an error lists.
const NAMED: usize = 20;

fn not_found(missed: &Missed, seq: EventSeq) -> SessionError {
    let rest = missed.rest.trim_start_matches('.');
    let mut names: Vec<&str> = missed.nearest.parts.iter().map(|part| part.variable.name.as_str()).collect();
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let place = if missed.path.is_empty() { String::new() } else { format!(" in {}", missed.path) };
    let message = match &missed.nearest.variable.content {
        Content::Value(value) if names.is_empty() => {
            format!("no {rest}{place} at seq {seq}: the snapshot of {} has only {value}", missed.path)
        }
        _ if names.is_empty() => format!("no {rest}{place} at seq {seq}: it is empty"),
        _ => format!("no {rest}{place} at seq {seq}; it has {}{more}", names.join(", ")),
    };
    let hint = "a snapshot has what stop reports show; variables_get reads more at the current stop, and watch_set adds \
                expressions to later ones";
    SessionError::new(Code::PathNotFound, message, hint)
}

impl SnapshotDiffReport {
    /// Of the two stops of the view.
    pub fn new(view: &SnapshotsView, max_depth: usize, max_changes: usize) -> Result<Self, SessionError> {
        let [base, target] = view.stops.as_slice() else {
            return Err(SessionError::new(
                Code::InternalError,
                "a comparison needs exactly two stops",
                "please report it",
            ));
        };
        // what a client set at the earlier one is no change that the program made
        let (base, target) = match base.reported.seq.cmp(&target.reported.seq) {
            Ordering::Less => (base.latest(), &target.reported),
            Ordering::Equal => (&base.reported, &target.reported),
            Ordering::Greater => (&base.reported, target.latest()),
        };
        let (old, new) = (Part::of(base), Part::of(target));
        let found = old.differences(&new, max_depth);
        let total_changes = found.len();
        let mut report = Self {
            base_seq: base.seq.0,
            target_seq: target.seq.0,
            total_changes,
            truncated: total_changes > max_changes,
            note: elsewhere(base, target),
            ..Self::default()
        };
        for difference in found.into_iter().take(max_changes) {
            let list = match (difference.base, difference.target) {
                (None, _) => &mut report.added,
                (_, None) => &mut report.removed,
                _ => &mut report.changed,
            };
            list.push(changed(difference));
        }
        Ok(report)
    }
}

/// Equal names are not the same variables there.
fn elsewhere(base: &Stop, target: &Stop) -> Option<String> {
    let thread = |stop: &Stop| stop.thread.as_ref().map(|(id, _)| *id);
    let function = |stop: &Stop| stop.location.as_ref().and_then(|it| it.function.clone());
    let differ = match (thread(base) != thread(target), function(base) != function(target)) {
        (true, _) => "on different threads",
        (_, true) => "in different functions",
        _ => return None,
    };
    Some(format!("the stops are {differ}: locals of the same name are different variables"))
}

/// Under its path, as at the target; what was removed, as at the base. Where an element that is not shown differs, both look the same.
fn changed(it: Difference) -> Variable {
    let text = |part: &Part| match &part.variable.content {
        Content::Value(text) | Content::Cycle(text) => Some(text.clone()),
        Content::Error(words) => Some(format!("!{words}")),
        Content::Members(_) => None,
    };
    let was = it.target.and(it.base).and_then(text);
    let shown = it.target.or(it.base).map(|part| part.variable.clone()).unwrap_or_default();
    Variable { name: it.path, was, ..Variable::from(shown) }
}

impl StreamsReport {
    /// `calls`: what is kept of the stream that no session has.
    pub fn new(view: session::StreamsView, calls: session::StreamView) -> Self {
        let streams = view.streams.into_iter().filter(|stream| stream.name != calls.name).chain([calls.clone()]);
        Self { event_streams: each(streams.collect()), snapshots: view.snapshots.into() }
    }
}

impl From<session::StreamView> for StreamEntry {
    fn from(view: session::StreamView) -> Self {
        Self {
            name: view.name.into(),
            count: view.count as u64,
            oldest_seq: some_count(view.oldest.0),
            latest_seq: some_count(view.latest.0),
        }
    }
}
