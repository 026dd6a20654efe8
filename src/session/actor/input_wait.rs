//! A program that waits for input which only its client can give: a wait for its next stop is answered with that, once.
//!
//! The race to remember: input that was just written is not read yet. So the program must have done nothing between two looks.

use std::time::Duration;

use tokio::time::Instant;

use super::Actor;
use crate::process;
use crate::session::state::State;

/// Between two looks.
const GLANCE: Duration = Duration::from_millis(250);
/// What a program may have run in between that does nothing.
const IDLE: Duration = Duration::from_millis(10);

/// Made anew when the program is given something, or resumed.
#[derive(Debug, Default)]
pub(super) struct InputWait {
    next: Option<Instant>,
    /// How long it had run when it was first seen to wait.
    seen: Option<Duration>,
    waits: bool,
    /// Waits after that last as long as they were asked to.
    is_reported: bool,
}

impl InputWait {
    /// It waits, and no report has said so.
    pub(super) fn is_unreported(&self) -> bool {
        self.waits && !self.is_reported
    }

    pub(super) fn mark_reported(&mut self) {
        self.is_reported |= self.waits;
    }

    pub(super) fn take_back(&mut self) {
        self.is_reported = false;
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.next
    }

    /// `ran`: how long the program ran in all, where it reads its stdin now.
    fn look(&mut self, now: Instant, ran: impl FnOnce() -> Option<Duration>) {
        match self.next {
            Some(at) if now < at => return,
            Some(_) => {
                let ran = ran();
                self.waits = ran.zip(self.seen).is_some_and(|(ran, before)| ran.saturating_sub(before) < IDLE);
                self.seen = ran;
            }
            None => {}
        }
        self.next = (!self.waits).then_some(now + GLANCE);
    }
}

impl Actor {
    /// Looks whether it waits for input, while somebody waits for it.
    pub(super) fn check_input(&mut self) {
        let input = &mut self.program.input;
        let is_waited_for = self.waiters.iter().any(|waiter| waiter.deadline.is_some());
        let runs = matches!(self.machine.state(), State::Running { .. });
        match self.program.pid {
            Some(pid) if is_waited_for && runs && self.program.stdin.is_open() && !input.waits => {
                input.look(Instant::now(), || process::reads_stdin(pid).then(|| process::busy_time(pid)));
            }
            _ => (input.next, input.seen) = (None, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_program_waits_that_read_and_did_nothing_between_two_looks() {
        let mut wait = InputWait::default();
        let mut now = Instant::now();
        let looks = [(Some(40 * MS), false), (Some(40 * MS), false), (Some(90 * MS), false), (None, false)];
        for (ran, waits) in looks.into_iter().chain([(Some(95 * MS), false), (Some(99 * MS), true)]) {
            wait.look(now, || ran);
            assert_eq!(wait.is_unreported(), waits, "{ran:?}");
            now = wait.deadline().unwrap_or(now);
        }
        assert_eq!(wait.deadline(), None, "it is known, and not looked at any more");
        wait.mark_reported();
        assert!(!wait.is_unreported());
        wait.take_back();
        assert!(wait.is_unreported());
    }

    #[test]
    fn looks_have_time_between_them() {
        let mut wait = InputWait::default();
        let now = Instant::now();
        wait.look(now, || panic!("the first look only sets the time"));
        wait.look(now + GLANCE / 2, || panic!("too early"));
        assert_eq!(wait.deadline(), Some(now + GLANCE));
    }
}
