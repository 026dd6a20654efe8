//! How often the condition of a breakpoint was evaluated, and how often it was false: hits that nobody else hears of.

use dap_wire::ConditionCounts;

use super::Breakpoint;

/// Counted at each hit, so it is two additions; a client is notified once until it was given the counts.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Judged {
    evaluations: u64,
    falses: u64,
    is_announced: bool,
}

impl Judged {
    /// One evaluation. Whether it has to be announced.
    pub fn count(&mut self, was_false: bool) -> bool {
        self.evaluations += 1;
        self.falses += u64::from(was_false);
        !std::mem::replace(&mut self.is_announced, true)
    }
}

impl Breakpoint {
    /// What its client has not been given yet.
    pub(super) fn take_news(&mut self) -> Option<(i64, ConditionCounts)> {
        let is_news = std::mem::take(&mut self.judged.is_announced);
        let condition = self.wanted.condition.clone().filter(|_| is_news)?;
        let Judged { evaluations, falses, .. } = self.judged;
        Some((self.id, ConditionCounts { condition, evaluations, falses }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_announced_once_until_they_were_given() {
        let mut judged = Judged::default();
        assert_eq!([true, true, false].map(|was_false| judged.count(was_false)), [true, false, false]);
        assert_eq!(judged, Judged { evaluations: 3, falses: 2, is_announced: true });
    }
}
