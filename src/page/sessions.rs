//! The sessions of all clients, and the one that a page is about.

use serde::Deserialize;

use super::Shown;
use crate::session::report::StateView;
use crate::session::{LookQuery, LookView, Registry, SessionHandle};

/// Lines of source on each side of the current one, of output, and events of the timeline.
const CONTEXT: u32 = 12;
const OUTPUT: usize = 200;
const EVENTS: usize = 40;

/// What the address of a page chooses.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice {
    /// `2-s1`.
    pub session: String,
    /// Text that lines of output have to contain.
    pub output: String,
    /// The code of what went wrong with an act.
    pub fault: String,
}

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
            context: CONTEXT,
            output_lines: OUTPUT,
            search: (!search.is_empty()).then(|| search.to_owned()),
            events: EVENTS,
        };
        self.handle.look(query).await.ok()
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
