//! What an evaluation may take.

use std::time::Instant;

use crate::memory;

/// What ends an evaluation that takes too much.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Nodes that are evaluated.
    pub steps: u64,
    /// Elements that one collection may have, and characters that a text may.
    pub elements: usize,
    /// Bytes that this process may allocate meanwhile, by whatever runs in it.
    pub memory: usize,
    pub until: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 50_000_000, elements: 1_000_000, memory: 512 << 20, until: None }
    }
}

/// What an evaluation says that [`Limits::until`] ended.
pub const TOO_LONG: &str = "the evaluation took too long and was stopped";

/// How often the clock is looked at.
const STEPS_PER_LOOK: u64 = 16;

/// What an evaluation has taken.
pub(super) struct Spent {
    steps: u64,
    /// Bytes that were allocated before it began.
    allocated: usize,
}

impl Spent {
    pub(super) fn new() -> Self {
        Self { steps: 0, allocated: memory::allocated() }
    }

    /// One step more.
    ///
    /// # Errors
    /// What there is too much of.
    pub(super) fn step(&mut self, limits: &Limits) -> Result<(), String> {
        self.steps += 1;
        if self.steps > limits.steps {
            return Err(format!("the evaluation took more than {} steps and was stopped", limits.steps));
        }
        if memory::allocated().saturating_sub(self.allocated) > limits.memory {
            let most = limits.memory >> 20;
            return Err(format!("the evaluation took more than {most} MB of memory and was stopped"));
        }
        let is_late = |until: Instant| Instant::now() >= until;
        if self.steps.is_multiple_of(STEPS_PER_LOOK) && limits.until.is_some_and(is_late) {
            return Err(TOO_LONG.to_owned());
        }
        Ok(())
    }
}
