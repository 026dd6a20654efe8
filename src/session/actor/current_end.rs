//! The end under way: processes that are being ended, a restart that waits for that, and whether anything may start after it.

use crate::session::command::Waiting;
use crate::session::spec::BuildMode;
use crate::session::teardown::LetGo;

/// While processes are being ended no start begins.
#[derive(Default)]
pub(super) struct CurrentEnd {
    is_tearing: bool,
    /// Begins when they are gone.
    restart: Option<(Option<BuildMode>, Waiting)>,
    server_ends: bool,
    let_go: Option<LetGo>,
}

impl CurrentEnd {
    /// Processes are being ended.
    pub(super) fn begin(&mut self) {
        self.is_tearing = true;
        self.let_go = None;
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.is_tearing
    }

    /// Nobody waits until they are gone.
    pub(super) fn wait_no_longer(&mut self) {
        self.is_tearing = false;
    }

    /// They are gone, but for a program that was to go on: what is to start now.
    pub(super) fn finish(&mut self, let_go: Option<LetGo>) -> Option<(Option<BuildMode>, Waiting)> {
        self.is_tearing = false;
        self.let_go = let_go;
        self.restart.take()
    }

    /// What became of the program, where it was to go on.
    pub(super) fn let_go(&self) -> Option<LetGo> {
        self.let_go
    }

    /// Starts when the end is through: [`Self::finish`] returns it.
    pub(super) fn restart_after(&mut self, build: Option<BuildMode>, waiting: Waiting) {
        self.restart = Some((build, waiting));
    }

    /// Who waits for a restart that is not to begin any more.
    pub(super) fn call_off_restart(&mut self) -> Option<Waiting> {
        self.restart.take().map(|(_, waiting)| waiting)
    }

    /// No start follows.
    pub(super) fn end_server(&mut self) {
        self.server_ends = true;
    }

    pub(super) fn server_ends(&self) -> bool {
        self.server_ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting() -> Waiting {
        let (answer, _) = tokio::sync::oneshot::channel();
        Waiting { include: Default::default(), wait: Default::default(), answer, is_unheard: false }
    }

    #[test]
    fn a_restart_begins_once_and_only_after_the_end() {
        let mut end = CurrentEnd::default();
        end.begin();
        end.restart_after(Some(BuildMode::Never), waiting());
        assert!(end.is_under_way());
        assert!(matches!(end.finish(None), Some((Some(BuildMode::Never), _))));
        assert!(!end.is_under_way() && end.finish(None).is_none());
    }

    #[test]
    fn a_restart_that_is_called_off_does_not_begin() {
        let mut end = CurrentEnd::default();
        end.begin();
        end.restart_after(None, waiting());
        assert!(end.call_off_restart().is_some());
        assert!(end.is_under_way(), "the processes are still being ended");
        assert!(end.finish(None).is_none() && end.call_off_restart().is_none());
    }
}
