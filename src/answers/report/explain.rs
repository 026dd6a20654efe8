//! breakpoint_explain: the verdict and its evidence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::breakpoints::SourceLine;
use super::stacks::Location;
use super::values::Variable;
use super::{absent, each, some_count};
use crate::session;

/// Why a breakpoint is not hit, with only the evidence relevant to the verdict.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainReport {
    pub id: u32,
    /// Absent: nothing is wrong with it.
    #[serde(skip_serializing_if = "absent")]
    pub verdict: Option<String>,
    /// The next cause, where the verdict is about the run only.
    #[serde(skip_serializing_if = "absent")]
    pub also: Option<String>,
    pub verified: bool,
    pub state: String,
    #[serde(skip_serializing_if = "absent")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub requested_line: Option<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub condition: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub hit_condition: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub hits: Option<u64>,
    /// Position of the last hit in the event log.
    #[serde(skip_serializing_if = "absent")]
    pub last_hit_seq: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub enabled: Option<bool>,
    pub message: String,
    #[serde(skip_serializing_if = "absent")]
    pub module: Option<String>,
    /// The PDB's path, where it is not that of `file`.
    #[serde(skip_serializing_if = "absent")]
    pub document: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub documents: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub more_documents: Option<usize>,
    /// The hash or PDB id of the build.
    #[serde(skip_serializing_if = "absent")]
    pub expected: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub found: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub method: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub attribute: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub nearest: Vec<SourceLine>,
    #[serde(skip_serializing_if = "absent")]
    pub evaluations: Option<u64>,
    #[serde(default, skip_serializing_if = "absent")]
    pub values: Vec<Variable>,
    #[serde(skip_serializing_if = "absent")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub exit_code: Option<i32>,
    #[serde(skip_serializing_if = "absent")]
    pub signal: Option<String>,
    /// Why and where it stopped instead.
    #[serde(skip_serializing_if = "absent")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub location: Option<Location>,
    #[serde(default, skip_serializing_if = "absent")]
    pub children: Vec<ChildProcess>,
    /// The next call.
    pub hint: String,
}

/// A .NET process that the debugged one has started.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChildProcess {
    pub pid: u32,
    pub name: String,
}

impl From<session::Explanation> for ExplainReport {
    fn from(explanation: session::Explanation) -> Self {
        let (breakpoint, seen) = (explanation.breakpoint, explanation.evidence);
        let word = |verdict: session::Verdict| verdict.as_str().to_owned();
        Self {
            id: breakpoint.id,
            verdict: explanation.verdict.map(word),
            also: explanation.also.map(word),
            verified: breakpoint.verified,
            state: explanation.state.as_str().into(),
            file: breakpoint.file,
            line: breakpoint.line,
            function: breakpoint.function,
            requested_line: breakpoint.requested_line,
            condition: breakpoint.condition,
            hit_condition: breakpoint.hit_condition,
            hits: some_count(breakpoint.hits),
            last_hit_seq: explanation.last_hit.map(|seq| seq.0),
            enabled: breakpoint.disabled.then_some(false),
            message: explanation.message,
            module: seen.module,
            document: seen.document,
            documents: seen.documents,
            more_documents: some_count(seen.more_documents),
            expected: seen.expected,
            found: seen.found,
            method: seen.method,
            attribute: seen.attribute,
            nearest: each(seen.nearest),
            evaluations: seen.evaluations,
            values: each(seen.values),
            error: seen.error,
            exit_code: seen.exit_code,
            signal: seen.signal,
            reason: seen.reason.map(|reason| reason.as_str().into()),
            location: seen.location.map(Location::from),
            children: seen.processes.into_iter().map(|(pid, name)| ChildProcess { pid, name }).collect(),
            hint: explanation.hint,
        }
    }
}
