//! What a reading may do, and why it fails.

use crate::dap::DapError;

/// May reading run code of the program?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Fields, and getters that the metadata says only load one. What a stop report uses.
    Load,
    /// Getters, indexers and calls too.
    Run,
}

/// The adapter's refusal in its own words, or its end.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ReadError {
    #[error("{0}")]
    Refused(String),
    /// It did not return, and the adapter gave it up. It must not be asked again.
    #[error("{0}")]
    Aborted(String),
    #[error("{0}")]
    Gone(String),
}

impl From<DapError> for ReadError {
    fn from(error: DapError) -> Self {
        match error {
            DapError::Refused { message, .. } => Self::Refused(message),
            gone @ DapError::Gone { .. } => Self::Gone(gone.to_string()),
            // it answered, only not in a way that we understand
            other => Self::Refused(other.to_string()),
        }
    }
}
