//! The signals that ask us to end.

use futures::future::{FutureExt, select_all};
use tokio::signal::unix::{SignalKind, signal};

use super::signal_name;

/// Ends with the first SIGTERM, SIGINT or SIGHUP; gives its number. Listening begins with the call, not with the first poll,
/// and takes away their default action for good. A signal that our starter had ignored (`nohup`) stays ignored. Must be
/// called inside a runtime.
pub fn shutdown() -> impl Future<Output = i32> + Send + 'static {
    let mut streams = Vec::new();
    for number in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        if is_ignored(number) {
            continue;
        }
        match signal(SignalKind::from_raw(number)) {
            Ok(stream) => streams.push((number, stream)),
            // It keeps its default action, which ends us as well, only less tidily.
            Err(error) => {
                tracing::warn!(signal = signal_name(number), %error, "cannot listen for a signal")
            }
        }
    }
    async move {
        if streams.is_empty() {
            return std::future::pending().await;
        }
        let arrivals = streams.iter_mut().map(|(number, stream)| {
            let number = *number;
            async move {
                stream.recv().await;
                number
            }
            .boxed()
        });
        select_all(arrivals).await.0
    }
}

fn is_ignored(number: i32) -> bool {
    // SAFETY: `sigaction` is plain data, zero is a valid value; with a null second argument the call only reads.
    unsafe {
        let mut current: libc::sigaction = std::mem::zeroed();
        libc::sigaction(number, std::ptr::null(), &mut current) == 0 && current.sa_sigaction == libc::SIG_IGN
    }
}
