//! Signals that ask the process to end. All cancel one token, so there is one way out.

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::process::signals;

/// Exit code of a command that a signal ended.
pub(super) const EXIT_CODE: u8 = 130;

/// Cancels `end` at the first SIGTERM, SIGINT or SIGHUP that our starter did not ignore. We listen when this returns.
pub(super) fn cancel_on_signal(end: CancellationToken) -> JoinHandle<()> {
    let asked = signals::shutdown();
    tokio::spawn(async move {
        asked.await;
        end.cancel();
    })
}
