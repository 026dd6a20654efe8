//! Signals that ask the process to end. All cancel one token, so there is one way out.

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Exit code of a command that a signal ended.
pub(super) const EXIT_CODE: u8 = 130;

/// Cancels `end` at the first SIGTERM, SIGINT or SIGHUP. The handlers are in place when this returns.
#[cfg(unix)]
pub(super) fn cancel_on_signal(end: CancellationToken) -> std::io::Result<JoinHandle<()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
        end.cancel();
    }))
}

/// Cancels `end` at the first Ctrl-C.
#[cfg(not(unix))]
pub(super) fn cancel_on_signal(end: CancellationToken) -> std::io::Result<JoinHandle<()>> {
    Ok(tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            end.cancel();
        }
    }))
}
