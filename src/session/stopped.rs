//! A stop as the adapter announced it: the state holds it, and what completes a stop begins with it.

use std::sync::Arc;
use std::time::Instant;

use super::ids::{EventSeq, StopEpoch, ThreadId};

/// A stop as the adapter announced it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    pub epoch: StopEpoch,
    pub seq: EventSeq,
    pub thread: ThreadId,
    pub reason: crate::dap::StopReason,
    pub hit: Arc<AdapterHits>,
    /// The adapter's words for an exception, where it has some.
    pub text: Option<String>,
    /// What the calls of a step returned, and whether there were more.
    pub returned: Returned,
    /// Since when the program ran, for those who do not hear of this stop. `None`: it came while starting.
    pub ran_since: Option<Instant>,
}

/// What an adapter says of the breakpoints that were hit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AdapterHits {
    /// Its ids of them, where it names them.
    pub ids: Vec<i64>,
    /// Those of their hits that it counted.
    pub counted: Vec<crate::dap::HitCount>,
}

/// What the calls of a step returned, and whether there were more.
pub type Returned = Arc<(Vec<crate::dap::ReturnedValue>, bool)>;
