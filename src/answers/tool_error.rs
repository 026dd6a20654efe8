//! A failed call as clients see it: a stable code, what happened, the state where that matters, and the next call, ready to be copied.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::report::{Output, SourceLine};
use crate::session::{self, SessionError};

/// The structured content of a failed call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Error")]
pub struct ToolError {
    pub code: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    pub hint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<ErrorDetails>,
}

/// What some codes carry beside their words; which fields are there depends on the code.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<BuildError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_errors: Option<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<SourceLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_matches: Option<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<SourceLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub did_you_mean: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// The adapter's last words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// The program's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Output>,
}

/// One message of the compiler; MSBuild itself may name neither place nor code.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BuildError {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
    pub message: String,
}

impl From<SessionError> for ToolError {
    fn from(error: SessionError) -> Self {
        Self {
            code: error.code.as_str().into(),
            message: error.message,
            state: error.state.map(|state| state.as_str().into()),
            hint: error.hint,
            details: error
                .details
                .map(|details| ErrorDetails::from(*details))
                .filter(|it| *it != ErrorDetails::default()),
        }
    }
}

impl From<session::Details> for ErrorDetails {
    fn from(details: session::Details) -> Self {
        let none = Self::default();
        match details {
            session::Details::Build { root, errors, more_errors } => Self {
                root: Some(root).filter(|root| !root.is_empty()),
                errors: errors.into_iter().map(BuildError::from).collect(),
                more_errors: Some(more_errors).filter(|more| *more > 0),
                ..none
            },
            session::Details::Matches { matches, more_matches } => Self {
                matches: matches.into_iter().map(SourceLine::from).collect(),
                more_matches: Some(more_matches).filter(|more| *more > 0),
                ..none
            },
            session::Details::Nearest(lines) => {
                Self { nearest: lines.into_iter().map(SourceLine::from).collect(), ..none }
            }
            session::Details::Argument { argument, did_you_mean } => {
                Self { argument: Some(argument), did_you_mean, ..none }
            }
            session::Details::AdapterLost { request, exit_code, signal, stderr, output } => Self {
                request,
                exit_code,
                signal,
                stderr: stderr.filter(|text| !text.is_empty()),
                output: Output::of(output),
                ..none
            },
        }
    }
}

impl From<session::error::BuildDiagnostic> for BuildError {
    fn from(diagnostic: session::error::BuildDiagnostic) -> Self {
        Self { at: diagnostic.at, code: diagnostic.code, message: diagnostic.message }
    }
}
