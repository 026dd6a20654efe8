//! Why there is no debug adapter to start.

use std::path::PathBuf;

/// `Display` says what is, [`BackendError::hint`] what to do next.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// Code `backend_not_found`: nothing set, nothing found.
    #[error("no .NET debug adapter found in --{name}, {variable}, PATH or {store}")]
    NotFound { name: &'static str, variable: &'static str, store: String },
    /// Code `backend_not_found`: a place that was set is wrong. What was set is never skipped silently.
    #[error("{setting}={} {reason}", path.display())]
    WrongPath { setting: String, path: PathBuf, reason: String },
    /// Code `invalid_argument`.
    #[error("unknown backend {0:?}")]
    Unknown(String),
    /// Code `backend_unusable`.
    #[error("{what}: {reason}")]
    Unusable { what: String, reason: String },
    /// Code `backend_unusable`: a file of its archive.
    #[error("{missing} is not in the same folder as {}, so no program can be started", program.display())]
    Incomplete { program: PathBuf, missing: &'static str },
}

impl BackendError {
    /// What to do next, in words that can be typed.
    pub fn hint(&self) -> String {
        match self {
            Self::NotFound { name, variable, .. } => {
                format!("put {name} on PATH or set {variable}; run `clrbridge doctor`")
            }
            Self::WrongPath { setting, .. } => {
                format!("correct {setting} or omit it; run `clrbridge doctor`")
            }
            Self::Unknown(_) => {
                let names: Vec<&str> = super::names().collect();
                format!("use auto, {}, external or replay:FILE", names.join(", "))
            }
            Self::Incomplete { program, missing } => format!(
                "put {missing} back into {}, or unpack the whole archive again; keep its files together and put a symlink on PATH; \
                 `clrbridge doctor` shows the command",
                program.parent().unwrap_or(program).display()
            ),
            Self::Unusable { .. } => "run `clrbridge doctor`".into(),
        }
    }
}
