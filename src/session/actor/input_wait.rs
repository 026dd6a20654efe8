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
    told: bool,
}

impl InputWait {
    /// It waits, and no report has said so.
    pub(super) fn is_untold(&self) -> bool {
        self.waits && !self.told
    }

    pub(super) fn mark_told(&mut self) {
        self.told |= self.waits;
    }

    pub(super) fn take_back(&mut self) {
        self.told = false;
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.next
    }

    fn look(&mut self, now: Instant, pid: u32) {
        match self.next {
            Some(at) if now < at => return,
            Some(_) if process::reads_stdin(pid) => {
                let ran = process::busy_time(pid);
                self.waits = self.seen.is_some_and(|before| ran.saturating_sub(before) < IDLE);
                self.seen = Some(ran);
            }
            Some(_) => self.seen = None,
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
                input.look(Instant::now(), pid);
            }
            _ => (input.next, input.seen) = (None, None),
        }
    }
}
