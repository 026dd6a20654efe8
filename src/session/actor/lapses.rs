//! Resumes a stopped attached program after a while without calls.

use std::time::Duration;

use tokio::time::Instant;

use super::Actor;
use crate::session::command::Inspect;
use crate::session::lapse::Lapsed;
use crate::session::spec::Purpose;
use crate::session::state::Input;
use crate::session::view::Event;

/// How often a stop is looked at while a call is in progress.
const GLANCE: Duration = Duration::from_secs(1);

/// How a stop stands.
enum Standing {
    /// Somebody is at it.
    InUse,
    /// It may stand until then, if no call comes.
    Until(Instant, Duration),
}

impl Actor {
    /// `None`: there is no stop, or it may stand for ever.
    fn standing(&self) -> Option<Standing> {
        let Purpose::Attach(spec) = &self.purpose else { return None };
        let limit = spec.max_stop?;
        let published = self.stop.published()?;
        let busy = self.stop.is_read() || self.adapter_breakpoints.is_changing() || !self.queue.is_empty();
        let silent = self.directory.calls().silent_since().filter(|_| !busy && self.waiters.is_empty());
        Some(silent.map_or(Standing::InUse, |silent| {
            Standing::Until(silent.max(self.last_command).max(published.at) + limit, limit)
        }))
    }

    /// When to look again.
    pub(super) fn lapse_deadline(&self) -> Option<Instant> {
        Some(match self.standing()? {
            Standing::InUse => Instant::now() + GLANCE,
            Standing::Until(at, _) => at,
        })
    }

    /// Lets the program go on when nobody asked for anything for too long.
    pub(super) fn check_lapse(&mut self) {
        let Some(Standing::Until(at, limit)) = self.standing() else { return };
        let now = Instant::now();
        let Some(published) = self.stop.published().filter(|_| now >= at) else { return };
        let lapsed = Lapsed::new(published.completed.clone(), published.seq, limit, now);
        let text = Some(lapsed.words());
        self.note_event(Event { type_name: "resumed_by_itself", stream: "execution", text, ..Event::default() });
        self.apply(Input::Lapsed(Box::new(lapsed)));
        self.step = None;
        self.go_on();
    }

    /// A stop lapsed, and no call came since.
    pub(super) fn is_unattended(&self) -> bool {
        let silent = self.directory.calls().silent_since().map(|since| since.max(self.last_command));
        self.waiters.is_empty() && self.machine.lapsed().is_some_and(|lapsed| lapsed.is_silent(silent))
    }

    /// On from a stop that nobody is there to hear of: it is counted.
    pub(super) fn pass_unattended(&mut self) {
        self.apply(Input::Passed);
        self.step = None;
        self.go_on();
    }

    /// What the next answer about this session says, whatever it is about.
    pub(super) fn unreported_lapse(&self) -> Option<String> {
        self.machine.lapsed().filter(|lapsed| !lapsed.is_reported()).map(Lapsed::words)
    }

    /// Answers from what is left of a stop that is over, or hands the question back.
    pub(super) fn answer_from_lapsed(&self, what: Inspect) -> Option<Inspect> {
        let Some(lapsed) = self.machine.lapsed() else { return Some(what) };
        match what {
            Inspect::Stack(query, answer) => match lapsed.stack(&query) {
                Some(view) => drop(answer.send(Ok(view))),
                None => return Some(Inspect::Stack(query, answer)),
            },
            Inspect::Variables(query, answer) => match lapsed.variables(&query) {
                Some(view) => drop(answer.send(Ok(view))),
                None => return Some(Inspect::Variables(query, answer)),
            },
            other => return Some(other),
        }
        None
    }
}
