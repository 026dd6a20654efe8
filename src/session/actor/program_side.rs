//! What is known of the debuggee's process.

use std::sync::Arc;

use tokio::time::Instant;

use super::input_wait::InputWait;
use super::program_stdin::ProgramStdin;
use crate::process::{ExitStatus, Held};
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
    /// Pipes of ours that are not at their end.
    pub open_pipes: usize,
    /// It ended; the output may still be on its way since the second moment.
    pub exited: Option<(Option<ExitStatus>, Instant)>,
    /// When it was reaped.
    pub ended_at: Option<Instant>,
    /// The adapter's word, where it started the program.
    pub exit_code: Option<i64>,
    /// When a start that shows no sign of life is tried again: no module, no stop, no output.
    pub watchdog: Option<Instant>,
    /// Starts before this one that came to nothing.
    pub failed_starts: u32,
}
