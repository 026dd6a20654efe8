//! Why an expression has no value, in words.

use clr_csharp::world::Failure;

use crate::calls::CallError;
use crate::com::HResult;
use crate::values::WriteError;

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// The compiler's words, or the like.
    #[error("{0}")]
    Failed(String),
    /// It takes code of the program, which may not run here.
    #[error("The expression causes side effects and will not be evaluated.")]
    NeedsCall,
    /// Only what changes nothing is allowed.
    #[error("`{part}` may have side effects: {why}")]
    SideEffects { part: String, why: String },
    #[error("{0}")]
    Call(#[from] CallError),
}

impl From<HResult> for EvalError {
    fn from(error: HResult) -> Self {
        Self::Call(CallError::Refused(error))
    }
}

impl From<WriteError> for EvalError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Runtime(error) => error.into(),
            // whether a cast exists decides which number the compiler gives it
            words @ WriteError::Type { .. } => Self::Failed(words.to_string()),
        }
    }
}

impl EvalError {
    pub(crate) fn failed(words: impl Into<String>) -> Self {
        Self::Failed(words.into())
    }

    /// Of an expression that is written so.
    pub(super) fn of(failure: Failure<Self>, text: &str) -> Self {
        match failure {
            Failure::Null { at, name } => match text.get(at) {
                Some(part) => Self::Failed(format!("`{part}` is null, so it has no `{name}`")),
                None => Failure::Null { at: 0..0, name }.into(),
            },
            Failure::Outside { at, index, count } => {
                let part = text.get(at).unwrap_or(text);
                let elements = if count == 1 { "element" } else { "elements" };
                Self::Failed(format!(
                    "System.IndexOutOfRangeException: index {index} is out of range; `{part}` has {count} {elements}"
                ))
            }
            Failure::SideEffects { at, why } => {
                let part = at.and_then(|at| text.get(at)).unwrap_or(text).to_owned();
                Self::SideEffects { part, why }
            }
            other => other.into(),
        }
    }
}

impl From<Failure<Self>> for EvalError {
    fn from(failure: Failure<Self>) -> Self {
        match failure {
            Failure::World(error) => error,
            other => Self::Failed(other.to_string()),
        }
    }
}
