//! The sessions of all clients, and the one that a page is about.

use super::Shown;
use super::choice::Choice;
use super::stops::{CHANGES, Compared, DEPTH};
use crate::answers::report::SnapshotDiffReport;
use crate::session::report::StateView;
use crate::session::{LookQuery, LookView, Registry, SessionHandle};

/// Lines of source on each side of the current one, of output, and events of the timeline.
const CONTEXT: u32 = 12;
const OUTPUT: usize = 200;
const EVENTS: usize = 40;

pub(super) struct Session {
    /// As addresses name it: the number of its client's sessions, and its id among them.
    pub key: String,
    pub state: StateView,
    pub handle: SessionHandle,
    pub registry: Registry,
}

impl Session {
    pub(super) async fn look(&self, choice: &Choice) -> Option<Box<LookView>> {
        let search = choice.output.trim();
        let query = LookQuery {
            at: choice.at(),
            frame: choice.frame(),
            context: CONTEXT,
            output_lines: OUTPUT,
            search: (!search.is_empty()).then(|| search.to_owned()),
            events: EVENTS,
        };
        self.handle.look(query).await.ok()
    }

    /// The stop that is compared with, beside the one that is shown.
    pub(super) async fn compared(&self, choice: &Choice, look: &LookView) -> Option<Compared> {
        let wanted = [choice.with()?, look.stop.as_ref()?.seq].map(Some);
        let found = self.handle.snapshots(wanted.to_vec()).await;
        let found = found.and_then(|view| SnapshotDiffReport::new(&view, DEPTH, CHANGES));
        Some(found.map_err(|error| error.message))
    }

    pub(super) fn id(&self) -> &str {
        &self.handle.id().0
    }

    /// `Shop`, for titles.
    pub(super) fn program(&self) -> &str {
        let program = self.state.program.as_deref().unwrap_or("a program");
        program.rsplit(['/', '\\']).next().unwrap_or(program)
    }
}

/// Those of each client together, oldest first.
pub(super) fn all(shown: &Shown) -> Vec<Session> {
    let mut sessions = Vec::new();
    for (number, registry) in (shown.registries)() {
        for handle in registry.handles() {
            sessions.push(Session {
                key: format!("{number}-{}", handle.id()),
                state: handle.peek(),
                handle,
                registry: registry.clone(),
            });
        }
    }
    sessions
}

/// The one that is asked for, else the newest that lives, else the newest.
pub(super) fn chosen<'a>(sessions: &'a [Session], choice: &Choice) -> Option<&'a Session> {
    let asked = sessions.iter().find(|session| session.key == choice.session);
    asked.or_else(|| sessions.iter().rev().find(|session| session.state.state.is_live())).or(sessions.last())
}
