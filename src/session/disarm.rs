//! Breakpoints in hot code: how to detect that a hit is being evaluated, and how to remove them.
//!
//! The race to remember: a condition is being evaluated whenever we look, by the adapter or for us. A change of the breakpoints
//! then crashes the adapter (vendor-notes.md, dangers, no. 13), as does a disconnect (no. 14), and a pause may stop the program
//! twice. Only taking the conditions off the lines is safe: the next hit stops, and then there is nothing to evaluate.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::breakpoints::plan::Plan;
use super::sync;
use crate::dap::Client;
use crate::process;

/// While the adapter does so much in [`GLANCE`] it is judging hits.
const BUSY: Duration = Duration::from_millis(2);
const GLANCE: Duration = Duration::from_millis(50);
/// For each change, and for the last evaluation to end.
const LIMIT: Duration = Duration::from_secs(1);

/// Whether the adapter, a process, has hits to judge.
pub(super) async fn is_busy(adapter: u32) -> bool {
    let before = process::busy_time(adapter);
    tokio::time::sleep(GLANCE).await;
    process::busy_time(adapter).saturating_sub(before) > BUSY
}

/// Takes all breakpoints from an adapter that has those of `plan`, so that it can be asked to let the program go.
pub(super) async fn all(client: &Client, plan: &Plan, adapter: Option<u32>) {
    if *plan == Plan::default() {
        return;
    }
    let mut conditions_stripped = plan.clone();
    conditions_stripped.drop_conditions();
    send(client, plan, &conditions_stripped).await;
    if let Some(adapter) = adapter {
        let limit = Instant::now() + LIMIT;
        while is_busy(adapter).await && Instant::now() < limit {}
    }
    send(client, &conditions_stripped, &Plan::default()).await;
}

async fn send(client: &Client, from: &Plan, to: &Plan) {
    if timeout(LIMIT, sync::changes(client, from, to)).await.is_err() {
        tracing::debug!("the adapter did not change its breakpoints before the disconnect");
    }
}
