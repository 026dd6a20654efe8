//! Misbehaving tools, for tests of the call pipeline.

use std::cell::Cell;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use crate::answers::report::SessionsReport;
use crate::config::Tier;
use crate::mcp::tool::{ACT, Call, READ, Row, Shared, Tool};
use crate::session::SessionError;

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(Row("trial_panic", "Panics", Tier::Extra, READ), "Panics.", fail).shares(Shared::default()),
        Tool::new(Row("trial_wait", "Waits", Tier::Extra, ACT), "Never ends.", wait).shares(Shared::default()),
    ]
}

#[derive(Deserialize, JsonSchema)]
struct NoArgs {}

async fn fail(_: Call, _: NoArgs) -> Result<SessionsReport, SessionError> {
    tokio::task::yield_now().await;
    panic!("a tool panics, as the test wants");
}

thread_local! {
    /// How often the work of trial_wait was dropped on this thread, which is one test's.
    pub(in crate::mcp) static DROPPED: Cell<usize> = const { Cell::new(0) };
}

struct CountsItsEnd;

impl Drop for CountsItsEnd {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

async fn wait(call: Call, _: NoArgs) -> Result<SessionsReport, SessionError> {
    let _end = CountsItsEnd;
    call.phase.send_replace("building x".into());
    std::future::pending().await
}
