//! Breakpoints, tracepoints and the rule for exceptions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{absent, each, some_count};
use crate::session;

/// A breakpoint or tracepoint: the answer of breakpoint_set, tracepoint_set, breakpoint_enable, and an entry of lists.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Breakpoint {
    pub id: u32,
    pub verified: bool,
    /// It may bind later; nothing to do.
    #[serde(default, skip_serializing_if = "absent")]
    pub pending: bool,
    #[serde(skip_serializing_if = "absent")]
    pub why: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub function: Option<String>,
    /// Of a function breakpoint with another number of methods than one.
    #[serde(skip_serializing_if = "absent")]
    pub method_count: Option<usize>,
    #[serde(default, skip_serializing_if = "absent")]
    pub places: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub requested_line: Option<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub moved_from: Option<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub condition: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub hit_condition: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub log: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub hits: Option<u64>,
    /// The program was restarted, and the hits are those of its latest run.
    #[serde(default, skip_serializing_if = "absent")]
    pub since_restart: bool,
    /// Times that the condition was false there; absent: never, or not known.
    #[serde(skip_serializing_if = "absent")]
    pub condition_false: Option<u64>,
    /// The session this refers to, while several are live.
    #[serde(skip_serializing_if = "absent")]
    pub session_id: Option<String>,
    /// Hits in other sessions.
    #[serde(default, skip_serializing_if = "absent")]
    pub other_sessions: Vec<SessionHits>,
    /// The only session it applies to.
    #[serde(skip_serializing_if = "absent")]
    pub limited_to: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub enabled: Option<bool>,
    #[serde(default, skip_serializing_if = "absent")]
    pub temporary: bool,
    /// A tracepoint that logs no line twice running.
    #[serde(default, skip_serializing_if = "absent")]
    pub only_changes: bool,
    #[serde(skip_serializing_if = "absent")]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub message: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub nearest: Vec<SourceLine>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

/// How often one session came there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionHits {
    pub session_id: String,
    pub hits: u64,
    /// Of one that is over.
    #[serde(skip_serializing_if = "absent")]
    pub state: Option<String>,
}

/// A line of a source file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceLine {
    pub line: u32,
    pub source: String,
}

/// breakpoint_list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BreakpointListReport {
    /// An ended session: verified and hits as of its end.
    #[serde(skip_serializing_if = "absent")]
    pub session_id: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub state: Option<String>,
    pub breakpoints: Vec<Breakpoint>,
    #[serde(skip_serializing_if = "absent")]
    pub exceptions: Option<ExceptionRuleReport>,
}

/// Which exceptions stop the program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExceptionRuleReport {
    pub mode: String,
    #[serde(default, skip_serializing_if = "absent")]
    pub types: Vec<String>,
}

/// What an adapter takes for a throw, whether it stops or not: the runtime asks it each time.
const COST: &str =
    "under a debugger each exception that the program throws costs 1 to 6 ms, including those that do not stop it";

/// breakpoint_set_exception.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExceptionsReport {
    pub exceptions: ExceptionRuleReport,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

/// breakpoint_remove.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RemovedReport {
    pub removed: Vec<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

impl From<session::Breakpoint> for Breakpoint {
    fn from(breakpoint: session::Breakpoint) -> Self {
        Self {
            id: breakpoint.id,
            verified: breakpoint.verified,
            pending: breakpoint.pending,
            why: breakpoint.why.map(|why| why.as_str().into()),
            file: breakpoint.file,
            line: breakpoint.line,
            function: breakpoint.function,
            method_count: Some(breakpoint.methods).filter(|methods| *methods > 0),
            places: breakpoint.places,
            requested_line: breakpoint.requested_line,
            moved_from: breakpoint.moved_from,
            condition: breakpoint.condition,
            hit_condition: breakpoint.hit_condition,
            log: breakpoint.log,
            hits: if breakpoint.counted { Some(breakpoint.hits) } else { some_count(breakpoint.hits) },
            since_restart: breakpoint.since_restart && (breakpoint.counted || breakpoint.hits > 0),
            condition_false: breakpoint.condition_false,
            session_id: breakpoint.session.map(|id| id.0),
            other_sessions: each(breakpoint.also),
            limited_to: breakpoint.limited_to.map(|id| id.0),
            enabled: breakpoint.disabled.then_some(false),
            temporary: breakpoint.temporary,
            only_changes: breakpoint.only_changes,
            source: breakpoint.source,
            message: breakpoint.message,
            nearest: each(breakpoint.nearest),
            note: breakpoint.note,
        }
    }
}

impl From<session::report::SourceLine> for SourceLine {
    fn from(line: session::report::SourceLine) -> Self {
        Self { line: line.line, source: line.source }
    }
}

impl From<session::ExceptionRule> for ExceptionRuleReport {
    fn from(rule: session::ExceptionRule) -> Self {
        Self { mode: rule.mode.as_str().into(), types: rule.types }
    }
}

impl From<session::RuleSet> for ExceptionsReport {
    fn from(set: session::RuleSet) -> Self {
        let cost = (set.rule.mode == session::ExceptionMode::Thrown).then(|| COST.to_owned());
        let note = set.note.into_iter().chain(cost).collect::<Vec<_>>().join("\n");
        Self { exceptions: set.rule.into(), note: Some(note).filter(|note| !note.is_empty()) }
    }
}

impl From<session::SessionHits> for SessionHits {
    fn from(other: session::SessionHits) -> Self {
        Self { session_id: other.session.0, hits: other.hits, state: other.over.map(|state| state.as_str().into()) }
    }
}

impl From<session::BreakpointList> for BreakpointListReport {
    fn from(list: session::BreakpointList) -> Self {
        let (session_id, state) = list.ended.map(|(id, state)| (id.0, state.as_str().to_owned())).unzip();
        let exceptions = list.exceptions.map(ExceptionRuleReport::from);
        Self { session_id, state, breakpoints: each(list.breakpoints), exceptions }
    }
}

impl RemovedReport {
    /// Those that were removed; `staying`: the exception rule that no removal ends.
    pub fn new(ids: Vec<session::BreakpointId>, staying: Option<session::ExceptionRule>) -> Self {
        let stops = |rule: &session::ExceptionRule| {
            matches!(rule.mode, session::ExceptionMode::Thrown | session::ExceptionMode::UserUnhandled)
        };
        let note = staying.filter(stops).map(|rule| {
            format!(
                "exception breakpoints stay ({}: {}); breakpoint_set_exception with mode unhandled, the default, ends them",
                rule.mode.as_str(),
                rule.types.join(", ")
            )
        });
        Self { removed: ids.into_iter().map(|id| id.0).collect(), note }
    }
}
