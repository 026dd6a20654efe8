//! Why a program cannot be started or attached to. Each variant is one error code of the tool surface.

use std::path::PathBuf;

/// One message of the compiler or of MSBuild; lines and columns are 1-based, absent where it names no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Relative to the project's folder where it lies under it; `None` for messages without a file.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// `CS0103`; empty if there is none.
    pub code: String,
    pub message: String,
}

impl Diagnostic {
    /// `file:line:column`, as far as known; empty without a file.
    pub fn at(&self) -> String {
        let mut at = self.file.clone().unwrap_or_default();
        for number in [self.line, self.column].into_iter().flatten() {
            at.push_str(&format!(":{number}"));
        }
        at
    }
}

/// `Display` says what is, with numbers and paths; [`DotnetError::hint`] what to do next.
#[derive(Debug, thiserror::Error)]
pub enum DotnetError {
    /// Code `program_not_found`.
    #[error("{path} does not exist{}", did_you_mean(nearest))]
    ProgramNotFound { path: String, nearest: Vec<String> },
    /// Code `program_not_found`, with `build=never`.
    #[error("{} does not exist: {project} has not been built for {configuration}", dll.display())]
    NotBuilt { dll: PathBuf, project: String, configuration: String },
    /// Code `not_dotnet_program`.
    #[error("{path} {reason}")]
    NotDotnetProgram { path: String, reason: String, hint: String },
    /// Code `runtime_not_found`: no dotnet at all, or not the framework that the program asks for.
    #[error("{message}")]
    RuntimeNotFound { message: String, hint: String },
    /// Code `build_failed`.
    #[error("{command}: {}", build_summary(errors, raw_tail))]
    BuildFailed {
        /// As a person would type it, in the project's folder.
        command: String,
        /// The folder that relative files of `errors` are relative to.
        root: PathBuf,
        errors: Vec<Diagnostic>,
        /// The last lines of the build's output; the only words there are when `errors` is empty.
        raw_tail: String,
        /// An output of an earlier build exists.
        old_output: bool,
    },
    /// Code `invalid_argument`.
    #[error("{message}")]
    InvalidArgument { argument: String, message: String, hint: String },
    /// Code `process_not_found`.
    #[error("{message}")]
    ProcessNotFound { message: String, hint: String },
    /// Code `not_managed`: no CoreCLR in it, or one that cannot be debugged.
    #[error("process {pid} ({name}) {reason}")]
    NotManaged { pid: u32, name: String, reason: String, hint: String },
    /// Code `permission_denied`.
    #[error("process {pid} ({name}) {reason}")]
    PermissionDenied { pid: u32, name: String, reason: String, hint: String },
    /// Code `attach_failed`: managed, but in a state in which an attach would hang.
    #[error("process {pid} ({name}) {reason}")]
    NotAttachable { pid: u32, name: String, reason: String, hint: String },
    /// Code `attach_failed`: a second debugger would be refused after 10 s and would break the first (vendor-notes.md, dangers, no. 18).
    #[error("process {pid} ({name}) is already being debugged by {}", debugger(*by, by_name))]
    AlreadyDebugged {
        pid: u32,
        name: String,
        by: Option<u32>,
        by_name: String,
        /// That debugger detaches by itself: its server has ended.
        detaches: bool,
    },
    /// Code `invalid_argument`: a name that several processes have.
    #[error("{} .NET processes match {name}", matches.len())]
    Ambiguous { name: String, matches: Vec<(u32, String)> },
    /// Code `internal_error`, unless the caller knows better.
    #[error("{doing}: {source}")]
    Io { doing: String, source: std::io::Error },
}

/// Whether a program of .NET ended because its library for languages is missing.
fn lacks_icu(output: &str) -> bool {
    output.contains("ICU package") || output.contains("System.Globalization.GlobalizationMode")
}

impl DotnetError {
    /// What to do next, in words that can be typed.
    pub fn hint(&self) -> String {
        match self {
            Self::ProgramNotFound { nearest, .. } => match nearest.first() {
                Some(name) => format!("use {name}, or an absolute path"),
                None => {
                    "pass the path of a dll, a project or its folder; relative paths start at the client's root".into()
                }
            },
            Self::NotBuilt { .. } => "omit `build` so that the project is built, or pass another configuration".into(),
            Self::NotDotnetProgram { hint, .. }
            | Self::RuntimeNotFound { hint, .. }
            | Self::InvalidArgument { hint, .. }
            | Self::ProcessNotFound { hint, .. }
            | Self::NotManaged { hint, .. }
            | Self::PermissionDenied { hint, .. }
            | Self::NotAttachable { hint, .. } => hint.clone(),
            // the SDK itself died of it: nothing in the project is wrong
            Self::BuildFailed { raw_tail, .. } if lacks_icu(raw_tail) => {
                "install ICU (libicu), or set DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 in the environment of clrbridge: the SDK cannot run without it"
                    .into()
            }
            Self::BuildFailed { old_output: true, .. } => {
                "fix the build errors, then call debug_launch again; build=\"never\" starts the old dll".into()
            }
            Self::BuildFailed { .. } => "fix the build errors, then call debug_launch again".into(),
            Self::AlreadyDebugged { detaches: true, .. } => {
                "that debugger detaches by itself: call debug_attach again in a few seconds".into()
            }
            Self::AlreadyDebugged { by, by_name, .. } => {
                format!("end that debugger first: {}", debugger(*by, by_name))
            }
            Self::Ambiguous { matches, .. } => {
                let list: Vec<String> = matches.iter().take(4).map(|(pid, line)| format!("{pid} {line}")).collect();
                let more = matches.len().saturating_sub(4);
                let rest = if more > 0 { format!("; {more} more") } else { String::new() };
                format!("use pid: {}{rest}", list.join("; "))
            }
            Self::Io { .. } => "fix the cause given in the message, then call again".into(),
        }
    }

    pub(crate) fn io(doing: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Io { doing, source }
    }
}

fn debugger(pid: Option<u32>, name: &str) -> String {
    pid.map_or_else(|| name.to_owned(), |pid| format!("process {pid} ({name})"))
}

/// The end of a message about what does not exist; nothing without suggestions.
pub(crate) fn did_you_mean(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(", ")) }
}

fn build_summary(errors: &[Diagnostic], raw_tail: &str) -> String {
    match errors.len() {
        0 if lacks_icu(raw_tail) => "the .NET SDK found no ICU library".into(),
        0 => match raw_tail.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => format!("failed: {}", line.trim()),
            None => "failed without a message".into(),
        },
        1 => "1 error".into(),
        count => format!("{count} errors"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debugger_that_detaches_by_itself_is_waited_for() {
        let taken = |detaches| {
            let name = || "dotnet".to_owned();
            DotnetError::AlreadyDebugged { pid: 7, name: name(), by: Some(8), by_name: name(), detaches }
        };
        assert_eq!(taken(true).hint(), "that debugger detaches by itself: call debug_attach again in a few seconds");
        assert_eq!(taken(false).hint(), "end that debugger first: process 8 (dotnet)");
    }

    #[test]
    fn build_that_died_without_icu_blames_no_source() {
        let failed = |raw_tail: &str| DotnetError::BuildFailed {
            command: "dotnet build".into(),
            root: PathBuf::new(),
            errors: Vec::new(),
            raw_tail: raw_tail.into(),
            old_output: true,
        };
        let died =
            failed("Process terminated. Couldn't find a valid ICU package installed on the system.\n   at X..cctor()");
        assert_eq!(died.to_string(), "dotnet build: the .NET SDK found no ICU library");
        assert!(died.hint().starts_with("install ICU"), "{}", died.hint());
        assert!(failed("error CS1002").hint().starts_with("fix the build errors"));
    }
}
