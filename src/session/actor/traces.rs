//! The last lines that tracepoints wrote.

use std::collections::VecDeque;

use crate::session::ids::EventSeq;
use crate::session::report::TraceLine;

/// Lines that are kept.
const KEPT: usize = 1_000;

#[derive(Default)]
pub(super) struct Traces {
    /// With their numbers, from 1.
    lines: VecDeque<(u64, TraceLine)>,
    count: u64,
}

impl Traces {
    pub(super) fn push(&mut self, line: TraceLine) {
        self.count += 1;
        self.lines.push_back((self.count, line));
        if self.lines.len() > KEPT {
            self.lines.pop_front();
        }
    }

    /// Lines written so far.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The last `most` lines behind number `since`, how many came before those, and the position before the first that
    /// is kept.
    pub(super) fn since(&self, since: u64, most: usize) -> (Vec<TraceLine>, usize, Option<EventSeq>) {
        let new: Vec<&TraceLine> =
            self.lines.iter().filter(|(number, _)| *number > since).map(|(_, line)| line).collect();
        let shown = new.get(new.len().saturating_sub(most)..).unwrap_or_default();
        let total = usize::try_from(self.count.saturating_sub(since)).unwrap_or(usize::MAX);
        let more = total.saturating_sub(shown.len());
        let first = new.first().map(|line| EventSeq(line.seq.0.saturating_sub(1))).filter(|_| more > 0);
        (shown.iter().map(|line| (*line).clone()).collect(), more, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::ids::{BreakpointId, ThreadId};

    #[test]
    fn the_last_lines_are_shown_and_those_before_them_counted() {
        let mut traces = Traces::default();
        for seq in 1..=1_005 {
            let line =
                TraceLine { id: BreakpointId(1), seq: EventSeq(seq), thread: ThreadId(1), text: seq.to_string() };
            traces.push(line);
        }
        let (shown, more, first) = traces.since(2, 3);
        assert_eq!(shown.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["1003", "1004", "1005"]);
        assert_eq!((more, first), (1_000, Some(EventSeq(5))));
        assert_eq!(traces.since(1_004, 3).1, 0);
    }
}
