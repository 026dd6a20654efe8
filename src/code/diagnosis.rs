//! What a build says of code.

use std::path::PathBuf;
use std::sync::Arc;

pub use crate::dotnet::diagnostics::Severity;

/// One message; lines and columns are 1-based, absent where it names no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeDiagnostic {
    pub severity: Severity,
    pub file: Option<PathBuf>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// `CS0103`; empty if there is none.
    pub code: String,
    pub message: String,
    /// The project file (or solution) that was built.
    pub project: PathBuf,
}

/// What a build said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// Each once over all target frameworks; the worst first, then by file and line.
    pub diagnostics: Arc<[CodeDiagnostic]>,
    /// Names of projects that the build did not compile: an earlier one failed, or they compile nothing.
    pub not_compiled: Vec<String>,
    /// Nothing had changed since the build that said it.
    pub cached: bool,
}
