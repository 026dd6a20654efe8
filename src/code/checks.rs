//! What builds said, remembered for the next question.

use std::collections::HashMap;
use std::path::PathBuf;

use tempfile::TempDir;
use tokio::sync::Mutex;

use super::diagnosis::Diagnosis;

/// What is remembered of builds; survives a reload of the same workspace.
#[derive(Debug, Default)]
pub(super) struct Checks {
    /// Held during a build: two at once would write the same outputs. A dropped call lets it go with its build.
    pub(super) inner: Mutex<Remembered>,
}

#[derive(Debug, Default)]
pub(super) struct Remembered {
    /// Where the compiler's logs go; removed with us.
    pub(super) logs: Option<TempDir>,
    /// By the project that was asked for, `None` = all; with the fingerprint of the inputs from before the build.
    pub(super) known: HashMap<Option<PathBuf>, (u64, Diagnosis)>,
}
