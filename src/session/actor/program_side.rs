//! What is known of the debuggee's process.

use std::sync::Arc;

use tokio::time::Instant;

use super::input_wait::InputWait;
use super::program_end::ProgramEnd;
use super::program_stdin::ProgramStdin;
use crate::process::Held;
use crate::session::report::AttachedProcess;

/// The debuggee.
#[derive(Default)]
pub(super) struct ProgramSide {
    pub pid: Option<u32>,
    /// As debug_state reports it.
    pub name: Option<String>,
    /// What was found there, where it is not ours.
    pub attached_to: Option<AttachedProcess>,
    pub held: Option<Arc<Held>>,
    pub stdin: ProgramStdin,
    pub input: InputWait,
    pub end: ProgramEnd,
    /// The adapter's word, where it started the program.
    pub exit_code: Option<i64>,
    /// When a start that shows no sign of life is tried again: no module, no stop, no output.
    pub watchdog: Option<Instant>,
    /// Starts before this one that came to nothing.
    pub failed_starts: u32,
}
