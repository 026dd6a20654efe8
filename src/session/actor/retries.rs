//! Retries starts that failed before the program did anything.

use std::time::Duration;

use tokio::time::Instant;

use super::Actor;
use super::waits::WaitKind;
use crate::session::command::Waiting;
use crate::session::error::{Code, SessionError};
use crate::session::spec::BuildMode;
use crate::session::spec::Purpose;
use crate::session::startup::Method;

/// An adapter's launch that shows no module by then hangs (measured: 1 of 60 and 2 of 60).
const WATCHDOG: Duration = Duration::from_secs(3);
/// The same for a program that was held: seen once in 500 starts on a busy machine (netcoredbg 3.1.2, `scripts/soak`).
const WATCHDOG_HELD: Duration = Duration::from_secs(10);
/// Starts of one launch, where the first did nothing of the program's.
const STARTS: u32 = 3;

impl Actor {
    /// From the end of the handshake on.
    pub(super) fn watch_start(&mut self) {
        if self.may_hang() {
            let adapters = self.link.as_ref().is_some_and(|link| link.method == Method::Adapter);
            self.program.watchdog = Some(Instant::now() + if adapters { WATCHDOG } else { WATCHDOG_HELD });
        }
    }

    /// Whether what we started has shown no sign of life yet, and would have: no managed code runs before a module is reported.
    fn may_hang(&self) -> bool {
        let reports_modules = self.link.as_ref().is_some_and(|link| link.quirks.reports_modules);
        reports_modules && matches!(self.purpose, Purpose::Launch(_)) && self.modules.loaded_count() == 0
    }

    /// A start that shows no sign of life is tried again.
    pub(super) fn check_watchdog(&mut self) {
        if self.program.watchdog.is_none_or(|due| Instant::now() < due) {
            return;
        }
        self.program.watchdog = None;
        self.start_again_or(SessionError::new(
            Code::StartTimeout,
            format!("startup hung {STARTS} times: the process was created but loaded no module"),
            "does the program start without a debugger? If so, debug_launch again",
        ));
    }

    /// Ends what was started and starts it anew, for the caller who waits; `error` when that was tried often enough.
    pub(super) fn start_again_or(&mut self, error: SessionError) {
        self.program.failed_starts += 1;
        if self.program.failed_starts >= STARTS {
            return self.start_failed(error);
        }
        tracing::warn!(%error, "starting the program again");
        let again = self.waiters.iter().any(|waiter| matches!(waiter.kind, WaitKind::Restart));
        let waiting = match self.waiters.iter().position(|waiter| waiter.kind.opens()) {
            Some(at) => self.waiters.remove(at).into_waiting(),
            // its caller has been answered `still_running` already: the new start is for the next who waits
            None => {
                let (answer, _) = tokio::sync::oneshot::channel();
                Waiting { include: Default::default(), wait: Default::default(), answer, is_unheard: false }
            }
        };
        self.end_processes_now();
        self.begin(Some(BuildMode::Never), waiting, again);
    }
}
