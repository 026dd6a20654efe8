//! The content of an explanation. Plain data; `mcp` gives it its two renderings.

use super::Verdict;
use crate::session::ids::{EventSeq, StateName};
use crate::session::report::{Breakpoint, Location, SourceLine, StopReason, Variable};

/// breakpoint_explain.
#[derive(Debug, Clone)]
pub struct Explanation {
    pub breakpoint: Breakpoint,
    /// `None`: there is nothing wrong with it.
    pub verdict: Option<Verdict>,
    /// The next cause that holds, where the verdict is about the run only.
    pub also: Option<Verdict>,
    pub state: StateName,
    /// The stop that counted last.
    pub last_hit: Option<EventSeq>,
    pub message: String,
    /// The next call.
    pub hint: String,
    pub evidence: Evidence,
}

/// What a verdict rests on; only what matters for it is there.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// File name of the assembly.
    pub module: Option<String>,
    /// The PDB's path of the source.
    pub document: Option<String>,
    /// Documents that it may be, best first.
    pub documents: Vec<String>,
    pub more_documents: usize,
    /// What the build has and what was found instead: hashes of a source, ids of a PDB.
    pub expected: Option<String>,
    pub found: Option<String>,
    /// `Type.Method` that the line, or the nearest code, belongs to.
    pub method: Option<String>,
    pub attribute: Option<String>,
    pub nearest: Vec<SourceLine>,
    pub evaluations: Option<u64>,
    /// Operands of a condition when it was false.
    pub values: Vec<Variable>,
    /// The evaluator's words.
    pub error: Option<String>,
    pub exit_code: Option<i32>,
    pub signal: Option<String>,
    /// Why and where it stopped instead.
    pub reason: Option<StopReason>,
    pub location: Option<Location>,
    /// .NET processes that the process has started: pid and name.
    pub processes: Vec<(u32, String)>,
}
