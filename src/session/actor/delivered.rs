//! What was delivered to a session's clients: a wait begins there, and an answer that never arrived is sent again.

use std::collections::HashSet;

use super::waits::ReportedFrame;
use crate::session::ids::EventSeq;
use crate::session::report::Receipt;

#[derive(Default)]
pub(super) struct Delivered {
    upto: Receipt,
    /// Where the present run began.
    run_began: Receipt,
    frame: ReportedFrame,
    /// Sources of which a report said that they were edited after the build.
    edited: HashSet<String>,
    /// A wait was called off, or its answer did not arrive: the next report says so.
    lost_answer: bool,
}

impl Delivered {
    pub(super) fn upto(&self) -> Receipt {
        self.upto
    }

    pub(super) fn frame(&self) -> &ReportedFrame {
        &self.frame
    }

    pub(super) fn lost_answer(&self) -> bool {
        self.lost_answer
    }

    /// Another run: what was said before it is not reported again. Ends are of the run before, so the stop stays.
    pub(super) fn begin_run(&mut self, output: u64, trace: u64) {
        self.run_began = Receipt { stop: self.upto.stop, output, trace };
        *self = Self { upto: self.run_began, run_began: self.run_began, ..Self::default() };
    }

    /// A report went out.
    pub(super) fn mark(&mut self, receipt: Receipt, frame: Option<ReportedFrame>) {
        self.upto = receipt;
        self.lost_answer = false;
        if let Some(frame) = frame {
            self.frame = frame;
        }
    }

    /// `debug_state` and inspection report a stop too.
    pub(super) fn mark_stop(&mut self, seq: EventSeq) {
        self.upto.stop = self.upto.stop.max(seq);
    }

    /// A report did not arrive; `before`: what had been reported before it.
    pub(super) fn take_back(&mut self, before: Receipt) {
        self.upto.stop = self.upto.stop.min(before.stop);
        // what a run before this one said is not said again
        self.upto.output = self.upto.output.min(before.output.max(self.run_began.output));
        self.upto.trace = self.upto.trace.min(before.trace.max(self.run_began.trace));
        self.frame = ReportedFrame::default();
        self.lost_answer = true;
    }

    /// Whether a report of this run said that the source was edited after the build.
    pub(super) fn reported_edited(&self, file: &str) -> bool {
        self.edited.contains(file)
    }

    pub(super) fn mark_edited(&mut self, file: Option<String>) {
        self.edited.extend(file);
    }

    /// A wait ended with nobody there.
    pub(super) fn wait_called_off(&mut self) {
        self.lost_answer = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receipt(stop: u64, output: u64, trace: u64) -> Receipt {
        Receipt { stop: EventSeq(stop), output, trace }
    }

    #[test]
    fn what_did_not_arrive_is_reported_again_but_not_what_an_earlier_run_said() {
        let mut delivered = Delivered::default();
        let before = delivered.upto();
        delivered.mark(receipt(3, 100, 2), None);
        delivered.begin_run(120, 2);
        delivered.mark(receipt(5, 150, 4), None);
        delivered.take_back(before);
        assert_eq!(delivered.upto(), receipt(0, 120, 2));
        assert!(delivered.lost_answer());
        delivered.mark(receipt(5, 150, 4), None);
        assert!(!delivered.lost_answer());
    }
}
