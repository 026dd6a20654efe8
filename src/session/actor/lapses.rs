//! Resumes a stopped attached program after a while without calls.

use std::time::Duration;

use tokio::time::Instant;

use super::Actor;
use crate::session::command::Inspect;
use crate::session::lapse::Lapsed;
use crate::session::spec::Purpose;
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
        let Some(published) = self.stop.published().filter(|_| Instant::now() >= at) else { return };
        let lapsed = Lapsed::new(published.completed.clone(), limit);
        let text = Some(lapsed.words());
        self.note_event(Event { type_name: "resumed_by_itself", stream: "execution", text, ..Event::default() });
        self.lapsed = Some(lapsed);
        self.step = None;
        self.go_on();
    }

    /// Answers from what is left of a stop that is over, or hands the question back.
    pub(super) fn answer_from_lapsed(&self, what: Inspect) -> Option<Inspect> {
        let Some(lapsed) = &self.lapsed else { return Some(what) };
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
