//! The current stop: what was reported of it, how it is read, and who reads it.
//!
//! A stop is first read (it may not be reported at all), then reported; commands that change what others would read run alone.

use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use super::waits::Published;
use crate::session::context::StopContext;
use crate::session::ids::ThreadId;

#[derive(Default)]
pub(super) struct CurrentStop {
    published: Option<Published>,
    context: Option<StopContext>,
    /// The choice of a frame that is under way.
    selection: Option<oneshot::Receiver<(ThreadId, usize)>>,
    /// Commands that read it now.
    readers: usize,
    /// The one reader changes what others would read.
    exclusive: bool,
}

impl CurrentStop {
    /// A stop that is judged before anybody hears of it.
    pub(super) fn arrive(&mut self, context: StopContext) {
        self.context = Some(context);
        self.published = None;
    }

    /// It is reported. A pause is reported for another thread than it hit where that one has user code.
    pub(super) fn publish(&mut self, published: Published) {
        if let Some(context) = &mut self.context {
            context.thread = published.completed.thread;
        }
        self.published = Some(published);
    }

    /// The program goes on; what is known of the stop comes back should the adapter refuse that.
    pub(super) fn leave(&mut self) -> (Option<Published>, Option<StopContext>) {
        self.selection = None;
        (self.published.take(), self.context.take())
    }

    /// The adapter refused to go on: the stop stands as it was reported.
    pub(super) fn stand_again(&mut self, published: Published, context: Option<StopContext>) {
        self.published = Some(published);
        self.context = context;
    }

    pub(super) fn published(&self) -> Option<&Published> {
        self.published.as_ref()
    }

    /// To read a stop that was reported.
    pub(super) fn readable(&self) -> Option<StopContext> {
        self.context.clone().filter(|_| self.published.is_some())
    }

    /// To read a stop that nobody hears of.
    pub(super) fn unseen(&self) -> Option<StopContext> {
        self.context.clone()
    }

    pub(super) fn begin_reading(&mut self, exclusive: bool) {
        self.readers += 1;
        self.exclusive |= exclusive;
    }

    pub(super) fn end_reading(&mut self) {
        self.readers = self.readers.saturating_sub(1);
        self.exclusive &= self.readers > 0;
    }

    pub(super) fn is_read(&self) -> bool {
        self.readers > 0
    }

    pub(super) fn is_changed(&self) -> bool {
        self.exclusive
    }

    /// A frame is being chosen, for this stop only.
    pub(super) fn choose(&mut self, choice: oneshot::Receiver<(ThreadId, usize)>) {
        self.selection = Some(choice);
    }

    /// A frame that was chosen becomes the default.
    pub(super) fn take_choice(&mut self) {
        let Some(choice) = &mut self.selection else { return };
        match choice.try_recv() {
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Closed) => {}
            Ok(chosen) => {
                if let Some(context) = &mut self.context {
                    context.selected = Some(chosen);
                }
            }
        }
        self.selection = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_changes_it_is_alone_until_it_ends() {
        let mut stop = CurrentStop::default();
        assert!(!stop.is_read());
        stop.begin_reading(false);
        stop.begin_reading(false);
        stop.end_reading();
        assert!(stop.is_read() && !stop.is_changed(), "one still reads");
        stop.end_reading();
        assert!(!stop.is_read());

        stop.begin_reading(true);
        assert!(stop.is_changed());
        stop.end_reading();
        assert!(!stop.is_changed(), "who reads next changes nothing");
    }

    #[test]
    fn a_choice_is_for_the_stop_at_which_it_was_asked() {
        let mut stop = CurrentStop::default();
        let (chosen, choice) = oneshot::channel();
        stop.choose(choice);
        stop.leave();
        assert!(chosen.send((ThreadId(1), 2)).is_err(), "the next stop has a frame of its own");
    }
}
