//! Ending what a session started, in the order that leaves nothing behind and nothing frozen (design 5).
//!
//! Held launch: the program's group is killed, the adapter's stdin closed, then the adapter killed. Adapter launch: it is
//! asked first, as the program is its child. Attached: asked, given time, and killed only then: a killed adapter leaves
//! its target frozen or unattachable for good (measured.md 0 no. 19).

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::startup::Method;
use crate::dap::{self, Client, request};
use crate::process::{self, Child, Held};

/// For the `disconnect` response.
const ASKED: Duration = Duration::from_secs(2);
/// For an adapter whose stdin was closed: both end within 60 ms (measured.md 11).
const CLOSED: Duration = Duration::from_millis(500);
/// The same where killing it would do harm.
const CLOSED_ATTACHED: Duration = Duration::from_secs(3);

pub(super) struct Leaving {
    pub method: Method,
    pub client: Client,
    pub adapter: Option<Child>,
    pub program: Option<Arc<Held>>,
    pub pid: Option<u32>,
    /// The program goes on without us.
    pub let_go: bool,
    /// The adapter evaluates conditions while the program runs: a disconnect then crashes it (measured.md 0 no. 14).
    pub had_conditions: bool,
    /// Documents that have breakpoints.
    pub documents: Vec<String>,
}

pub(super) async fn leave(of: Leaving) {
    match (of.method, of.let_go) {
        (Method::Held, false) => {
            if let Some(program) = &of.program {
                program.child.kill_group();
            }
            close(&of, CLOSED).await;
            if let Some(program) = &of.program
                && timeout(CLOSED, program.child.exited()).await.is_err()
            {
                tracing::warn!(pid = program.child.pid, "the killed program is not gone yet");
            }
        }
        (Method::Held | Method::Attached, true) => {
            if of.had_conditions {
                disarm(&of).await;
            }
            ask(&of, false).await;
            close(&of, CLOSED_ATTACHED).await;
        }
        (Method::Attached, false) => {
            if let Some(pid) = of.pid
                && let Err(error) = process::kill(pid, libc::SIGKILL)
            {
                tracing::debug!(pid, %error, "the attached program could not be killed");
            }
            ask(&of, true).await;
            close(&of, CLOSED).await;
        }
        (Method::Adapter | Method::Replay, _) => {
            ask(&of, true).await;
            close(&of, CLOSED).await;
            if let Some(pid) = of.pid.filter(|pid| of.method == Method::Adapter && process::alive(*pid))
                && let Err(error) = process::kill(pid, libc::SIGKILL)
            {
                tracing::debug!(pid, %error, "the program could not be killed");
            }
        }
    }
}

/// Pauses and clears the breakpoints, so that no condition is being evaluated when the adapter goes.
async fn disarm(of: &Leaving) {
    let limit = Duration::from_secs(1);
    if let Ok(Ok(answer)) = timeout(limit, of.client.request::<request::Threads>(())).await
        && let Some(thread) = answer.threads.first()
    {
        let arguments = dap::ThreadArguments { thread_id: thread.id };
        if timeout(limit, of.client.request::<request::Pause>(arguments)).await.is_err() {
            tracing::debug!("the program did not pause before the disconnect");
        }
    }
    for path in &of.documents {
        let none = dap::SetBreakpointsArguments {
            source: dap::Source::file(path.clone()),
            breakpoints: Vec::new(),
            source_modified: None,
        };
        if timeout(limit, of.client.request::<request::SetBreakpoints>(none)).await.is_err() {
            tracing::debug!("the breakpoints were not cleared before the disconnect");
        }
    }
}

async fn ask(of: &Leaving, terminate: bool) {
    let arguments = dap::DisconnectArguments {
        terminate_debuggee: (of.method == Method::Attached || !terminate).then_some(terminate),
        ..dap::DisconnectArguments::default()
    };
    if timeout(ASKED, of.client.request::<request::Disconnect>(arguments)).await.is_err() {
        tracing::debug!("`disconnect` was not answered within 2 s");
    }
}

/// Closes the adapter's stdin and waits for its end, then kills it.
async fn close(of: &Leaving, limit: Duration) {
    of.client.close();
    let Some(adapter) = &of.adapter else { return };
    if timeout(limit, adapter.exited()).await.is_ok() {
        return;
    }
    if of.method == Method::Attached {
        tracing::warn!(pid = of.pid, "the adapter did not let go of the program, which may be frozen now");
    }
    adapter.kill_group();
    if timeout(limit, adapter.exited()).await.is_err() {
        tracing::warn!(pid = adapter.pid, "the killed adapter is not gone yet");
    }
}
