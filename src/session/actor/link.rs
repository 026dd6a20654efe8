//! Our side of the adapter.

use std::sync::Arc;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::backend::{Profile, Quirks};
use crate::dap::{self, Client};
use crate::process::{Child, Claim, ExitStatus, StderrTail};
use crate::session::startup::Method;
use crate::transport::record::Tap;

/// The adapter of this run.
pub(super) struct Link {
    pub client: Client,
    pub quirks: Arc<Quirks>,
    pub profile: Profile,
    pub method: Method,
    pub adapter: Option<Child>,
    /// On the program: no other server of ours attaches to it meanwhile.
    pub claim: Option<Claim>,
    pub stderr: Option<StderrTail>,
    pub tap: Option<Tap>,
    pub initialized: watch::Sender<bool>,
    /// As `initialize` answered, and as later events changed them.
    pub capabilities: Arc<dap::Capabilities>,
    /// Its exit, and when we heard of it.
    pub exited: Option<(ExitStatus, Instant)>,
    /// When it last answered anything: one that works off a long row of requests is busy, not hung.
    pub heard: Instant,
    /// The request that it gave up on and may not have come back from.
    pub gave_up_on: Option<(&'static str, String)>,
    /// Its stdout is at its end since then.
    pub closed: Option<Instant>,
    /// What it was asked when it went away.
    pub last_asked: Vec<(&'static str, String)>,
}

impl Link {
    /// What it was asked first and has not answered; its times count from its last answer to anything.
    pub(super) fn owed(&self) -> Option<dap::Owed> {
        let of =
            |owed: dap::Owed| dap::Owed { asked: owed.asked.max(self.heard), due: owed.due.max(self.heard), ..owed };
        self.client.oldest_pending().map(of)
    }
}
