//! A stop as the adapter announced it: the state holds it, and what completes a stop begins with it.

use std::time::Instant;

use super::ids::{EventSeq, StopEpoch, ThreadId};

/// A stop as the adapter announced it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    pub epoch: StopEpoch,
    pub seq: EventSeq,
    pub thread: ThreadId,
    pub reason: crate::dap::StopReason,
    /// Adapter ids of the breakpoints hit, where it names them.
    pub hit_ids: Vec<i64>,
    /// The adapter's words for an exception, where it has some.
    pub text: Option<String>,
    /// What the calls of a step returned, and whether there were more.
    pub returned: Returned,
    /// Since when the program ran, for those who do not hear of this stop. `None`: it came while starting.
    pub ran_since: Option<Instant>,
}

/// What the calls of a step returned, and whether there were more.
pub type Returned = std::sync::Arc<(Vec<crate::dap::ReturnedValue>, bool)>;
