//! Which run of the program wrote what: a restart begins another one.

/// Where the output of each run but the first begins.
#[derive(Debug, Clone, Default)]
pub(super) struct Runs(Vec<u64>);

impl Runs {
    pub(super) fn begin(&mut self, at: u64) {
        self.0.push(at);
    }

    pub(super) fn latest(&self) -> u64 {
        self.0.last().copied().unwrap_or(0)
    }

    pub(super) fn begins_at(&self, at: u64) -> bool {
        self.0.binary_search(&at).is_ok()
    }

    /// The number of the run that wrote what is there, from 1.
    pub(super) fn of(&self, at: u64) -> usize {
        1 + self.0.partition_point(|start| *start <= at)
    }

    pub(super) fn are_several(&self) -> bool {
        !self.0.is_empty()
    }
}
