//! The end of the debuggee's process, and when all is known of it: its pipes are at their end, or silent, or were open for too long, and an
//! adapter that counts has said what it counted.

use std::time::Duration;

use tokio::time::Instant;

use crate::process::ExitStatus;

/// After the program's end its pipes are read until they are silent this long: a grandchild may hold them open.
const QUIET: Duration = Duration::from_millis(200);
/// And no longer than this: a grandchild may talk for ever.
const DRAINED: Duration = Duration::from_secs(2);
/// Between `exited` and `terminated`, in whichever order they come.
const BOTH_SAID: Duration = Duration::from_millis(100);

/// For an adapter to say what it counted.
const COUNTED: Duration = Duration::from_millis(500);

/// Only the first word of an end counts.
#[derive(Debug, Default)]
pub(super) struct ProgramEnd {
    ended: Option<Ended>,
    /// Pipes of ours that are not at their end.
    open_pipes: usize,
    /// The adapter has not said yet what it counted.
    is_counting: bool,
}

#[derive(Debug)]
struct Ended {
    status: Option<ExitStatus>,
    /// When it was reaped; `None`: the adapter says that it ended, and nobody knows its pipes.
    reaped: Option<Instant>,
    /// Silent until then, its pipes count as empty.
    silent_until: Instant,
}

impl ProgramEnd {
    pub(super) fn pipe_opened(&mut self) {
        self.open_pipes += 1;
    }

    pub(super) fn pipe_ended(&mut self) {
        self.open_pipes = self.open_pipes.saturating_sub(1);
    }

    /// The process is gone. `status`: where it is our child.
    pub(super) fn reaped(&mut self, status: Option<ExitStatus>, now: Instant) {
        self.ended.get_or_insert(Ended { status, reaped: Some(now), silent_until: now + QUIET });
    }

    /// The adapter says so. It does twice, in either order, and the exit code may come with the second.
    pub(super) fn announced(&mut self, now: Instant) {
        self.ended.get_or_insert(Ended { status: None, reaped: None, silent_until: now + BOTH_SAID });
    }

    /// The adapter was asked what it counted.
    pub(super) fn count(&mut self) {
        self.is_counting = true;
    }

    /// It said so, or never will.
    pub(super) fn counted(&mut self) {
        self.is_counting = false;
    }

    /// The program wrote something.
    pub(super) fn heard(&mut self, now: Instant) {
        if let Some(ended) = &mut self.ended {
            ended.silent_until = now + QUIET;
        }
    }

    /// It ended; its output may still be on its way.
    pub(super) fn is_known(&self) -> bool {
        self.ended.is_some()
    }

    pub(super) fn status(&self) -> Option<ExitStatus> {
        self.ended.as_ref()?.status
    }

    /// When the end is to be reported, with all output; `None`: the program has not ended.
    pub(super) fn complete_at(&self) -> Option<Instant> {
        let ended = self.ended.as_ref()?;
        let complete = match ended.reaped {
            Some(reaped) if self.open_pipes == 0 => reaped,
            Some(reaped) => ended.silent_until.min(reaped + DRAINED),
            None => ended.silent_until,
        };
        let counted = ended.reaped.filter(|_| self.is_counting).map(|reaped| reaped + COUNTED);
        Some(counted.map_or(complete, |counted| counted.max(complete)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn an_end_is_complete_with_the_last_pipe() {
        let now = Instant::now();
        let mut end = ProgramEnd::default();
        end.pipe_opened();
        end.pipe_opened();
        assert_eq!((end.is_known(), end.complete_at()), (false, None));
        end.reaped(Some(ExitStatus::Code(3)), now);
        end.pipe_ended();
        assert_eq!(end.complete_at(), Some(now + QUIET), "one is still open");
        end.pipe_ended();
        assert_eq!((end.complete_at(), end.status()), (Some(now), Some(ExitStatus::Code(3))));
        end.pipe_ended();
        assert_eq!(end.complete_at(), Some(now));
    }

    #[test]
    fn a_grandchild_that_talks_holds_an_end_up_for_two_seconds_at_most() {
        let now = Instant::now();
        let mut end = ProgramEnd::default();
        end.pipe_opened();
        end.heard(now);
        end.reaped(None, now);
        for at in [150, 300, 450] {
            end.heard(now + at * MS);
            assert_eq!(end.complete_at(), Some(now + at * MS + QUIET));
        }
        end.heard(now + 1_990 * MS);
        assert_eq!(end.complete_at(), Some(now + DRAINED));
    }

    #[test]
    fn an_adapter_that_counts_has_half_a_second_to_say_what() {
        let now = Instant::now();
        let mut end = ProgramEnd::default();
        end.count();
        assert_eq!(end.complete_at(), None);
        end.reaped(None, now);
        assert_eq!(end.complete_at(), Some(now + COUNTED));
        end.counted();
        assert_eq!(end.complete_at(), Some(now));
    }

    #[test]
    fn the_first_word_of_an_end_counts() {
        let now = Instant::now();
        let mut end = ProgramEnd::default();
        end.announced(now);
        end.announced(now + 50 * MS);
        end.reaped(Some(ExitStatus::Code(1)), now + 60 * MS);
        assert_eq!((end.complete_at(), end.status()), (Some(now + BOTH_SAID), None));
    }
}
