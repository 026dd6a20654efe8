//! What an evaluation gives: a value, or why there is none.

use super::access::ReadError;
use super::raw_value::RawValue;
use crate::session::error::Code;

/// Why an expression has no value. `code` is one of the surface's evaluation codes.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub struct EvalError {
    pub code: Code,
    pub message: String,
    /// It is the truth, whatever the adapter says.
    pub is_certain: bool,
}

impl EvalError {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), is_certain: false }
    }

    pub fn certain(code: Code, message: impl Into<String>) -> Self {
        Self { is_certain: true, ..Self::new(code, message) }
    }
}

impl From<ReadError> for EvalError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Refused(words) => Self::new(Code::EvaluationFailed, words),
            ReadError::Aborted(words) => Self::new(Code::EvaluationTimeout, words),
            ReadError::Gone(words) => Self::new(Code::AdapterLost, words),
        }
    }
}

/// A value and an expression that only loads it again (for previews).
#[derive(Debug, Clone)]
pub struct Evaluated {
    pub value: RawValue,
    pub load_path: String,
}

/// Both adapters' words where nothing can be called.
pub const RUNS_NOTHING: &str = "causes side effects and will not be evaluated";
/// E_INVALIDARG, of a call: both adapters look for a method that takes exactly these types.
pub(super) const NO_OVERLOAD: &str = "0x80070057";
/// Why no getter and no method answers. Also at a breakpoint: .NET 8 stops before instructions that it does not interrupt (copies of
/// large structs), and calls nothing there.
pub const NOTHING_RUNS: &str = "calls are not possible at this stop: the thread is in native code (a wait, a system call) or at an \
                                instruction that the runtime does not interrupt; fields are readable";
