//! Errors of the layers below, in the words and codes of the surface.

use crate::backend::BackendError;
use crate::dotnet::{DotnetError, error::Diagnostic};
use crate::session::error::{BuildDiagnostic, Code, Details, SessionError};

/// Compiler messages reported; the rest is a count.
const BUILD_ERRORS: usize = 10;

pub(crate) fn dotnet_error(error: &DotnetError) -> SessionError {
    let code = match error {
        DotnetError::ProgramNotFound { .. } | DotnetError::NotBuilt { .. } => Code::ProgramNotFound,
        DotnetError::NotDotnetProgram { .. } => Code::NotDotnetProgram,
        DotnetError::RuntimeNotFound { .. } => Code::RuntimeNotFound,
        DotnetError::BuildFailed { .. } => Code::BuildFailed,
        DotnetError::InvalidArgument { .. } | DotnetError::Ambiguous { .. } => Code::InvalidArgument,
        DotnetError::ProcessNotFound { .. } => Code::ProcessNotFound,
        DotnetError::NotManaged { .. } => Code::NotManaged,
        DotnetError::PermissionDenied { .. } => Code::PermissionDenied,
        DotnetError::NotAttachable { .. } => Code::AttachFailed,
        DotnetError::AlreadyDebugged { .. } => Code::AlreadyAttached,
        DotnetError::Io { .. } => Code::LaunchFailed,
    };
    let failure = SessionError::new(code, error.to_string(), error.hint());
    match error {
        DotnetError::BuildFailed { root, errors, raw_tail, .. } => {
            let mut list: Vec<BuildDiagnostic> = errors.iter().take(BUILD_ERRORS).map(diagnostic).collect();
            if list.is_empty() && !raw_tail.trim().is_empty() {
                let tail: Vec<&str> = raw_tail.trim().lines().rev().take(10).collect();
                let message = tail.into_iter().rev().collect::<Vec<_>>().join("\n");
                list.push(BuildDiagnostic { at: String::new(), code: String::new(), message });
            }
            failure.with(Details::Build {
                root: root.display().to_string(),
                errors: list,
                more_errors: errors.len().saturating_sub(BUILD_ERRORS),
            })
        }
        DotnetError::InvalidArgument { argument, .. } => {
            failure.with(Details::Argument { argument: argument.clone(), did_you_mean: None })
        }
        DotnetError::Ambiguous { .. } => {
            failure.with(Details::Argument { argument: "process_name".into(), did_you_mean: None })
        }
        _ => failure,
    }
}

fn diagnostic(from: &Diagnostic) -> BuildDiagnostic {
    BuildDiagnostic { at: from.at(), code: from.code.clone(), message: from.message.clone() }
}

pub(crate) fn backend_error(error: &BackendError) -> SessionError {
    let code = match error {
        BackendError::NotFound { .. } | BackendError::WrongPath { .. } => Code::BackendNotFound,
        BackendError::Unknown(_) => Code::InvalidArgument,
        BackendError::Unusable { .. } | BackendError::Incomplete { .. } => Code::BackendUnusable,
    };
    SessionError::new(code, error.to_string(), error.hint())
}
