//! Why a workspace cannot be loaded or asked. Each variant is one error code of the tool surface.

use crate::dotnet::DotnetError;
use crate::dotnet::error::did_you_mean;

/// `Display` says what is; [`CodeError::hint`] what to do next.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// Code `file_not_found`.
    #[error("{path} does not exist{}", did_you_mean(nearest))]
    FileNotFound { path: String, nearest: Vec<String> },
    /// Code `invalid_path`: it is there, but is not a solution, project or folder of projects, or cannot be read as one.
    #[error("{path} {reason}")]
    InvalidPath { path: String, reason: String, hint: String },
    /// Code `no_workspace`.
    #[error("{message}")]
    NoWorkspace { message: String, hint: String },
    /// Code `invalid_argument`.
    #[error("{message}")]
    InvalidArgument { argument: String, message: String, hint: String },
    /// Code `build_failed`: there is nothing to build with.
    #[error("{message}")]
    CannotBuild { message: String, hint: String },
    /// The code of the layer below.
    #[error(transparent)]
    Dotnet(#[from] DotnetError),
}

impl CodeError {
    /// What to do next, in words that can be typed.
    pub fn hint(&self) -> String {
        match self {
            Self::FileNotFound { nearest, .. } => match nearest.first() {
                Some(name) => format!("use {name}, or an absolute path"),
                None => "pass the path of a .sln, .slnx, .csproj or folder; relative paths start at the client's root"
                    .into(),
            },
            Self::InvalidPath { hint, .. }
            | Self::NoWorkspace { hint, .. }
            | Self::InvalidArgument { hint, .. }
            | Self::CannotBuild { hint, .. } => hint.clone(),
            Self::Dotnet(DotnetError::BuildFailed { .. }) => {
                "fix the build errors, then call code_get_diagnostics again".into()
            }
            Self::Dotnet(error) => error.hint(),
        }
    }
}
