//! Changing the workspace: through the session that is meant, whose program resolves locations; without any, here.

use std::collections::VecDeque;

use super::Registry;
use crate::session::breakpoints::explain::{self, Explanation};
use crate::session::breakpoints::listing::{self, BreakpointList};
use crate::session::breakpoints::place::Surroundings;
use crate::session::breakpoints::{Entry, Role, Table, WantedBreakpoint};
use crate::session::command::Setting;
use crate::session::error::{Code, SessionError};
use crate::session::handle::SessionHandle;
use crate::session::ids::BreakpointId;
use crate::session::redacted::Redact;
use crate::session::reply::Reply;
use crate::session::report::{Breakpoint, ExceptionRule, RuleSet};
use crate::session::spec::BreakpointSpec;
use crate::session::view::WatchView;

impl Registry {
    /// An answer without any session.
    fn known<T: Redact>(&self, mut answer: T) -> Reply<T> {
        answer.redact(self.redaction());
        Reply::ready(Ok(answer))
    }

    /// Sets a breakpoint for all sessions, or for the one that is named. Works with no session too.
    pub fn set_breakpoint(&self, session: Option<&str>, spec: BreakpointSpec) -> Reply<Breakpoint> {
        Reply::of(|| {
            let Some(handle) = self.meant(session)? else {
                let entry = self.place_here(spec)?;
                let set = self.directory.workspace().set(&entry, None);
                let view = Entry { id: set.id, ..entry }.view(&self.sources(), false);
                return Ok(self.known(Breakpoint { note: set.note, ..view }));
            };
            let others = if session.is_none() { self.others_of(&handle) } else { VecDeque::new() };
            Ok(handle.set_breakpoint(Setting { spec, limited: session.is_some(), others }))
        })
    }

    pub fn enable_breakpoint(&self, session: Option<&str>, id: BreakpointId, enabled: bool) -> Reply<Breakpoint> {
        Reply::of(|| {
            let Some(handle) = self.meant_for(session, id)? else {
                self.directory.workspace().enable(id, enabled)?;
                return Ok(self.known(self.unplaced(id)?.view(&self.sources(), false)));
            };
            Ok(handle.enable_breakpoint(id, enabled))
        })
    }

    /// `None` = all, or with a session all that are limited to it. Answers the ids removed.
    pub fn remove_breakpoints(&self, session: Option<&str>, id: Option<BreakpointId>) -> Reply<Vec<BreakpointId>> {
        Reply::of(|| match self.meant(session)? {
            Some(handle) => Ok(handle.remove_breakpoints(id, session.is_some())),
            None => Ok(Reply::ready(self.directory.workspace().remove(id, None))),
        })
    }

    /// Why a breakpoint does not stop the program.
    pub fn explain_breakpoint(&self, session: Option<&str>, id: BreakpointId) -> Reply<Explanation> {
        Reply::of(|| match self.meant_for(session, id)? {
            Some(handle) => Ok(handle.explain_breakpoint(id)),
            None => Ok(self.known(explain::before(self.unplaced(id)?, &self.sources()))),
        })
    }

    /// All of the workspace, as the live sessions have them, else as those that are over had them; `file`: only those of it. A named
    /// session reports what it has, or had. The sessions are asked before this returns.
    pub fn list_breakpoints(
        &self,
        session: Option<&str>,
        file: Option<String>,
    ) -> impl Future<Output = Result<BreakpointList, SessionError>> + Send + use<> {
        let asked = match session {
            None => Ok(self.directory.all().into_iter().rev().collect()),
            named => self.meant(named).map(|meant| meant.into_iter().collect::<Vec<_>>()),
        };
        let replies = asked.map(|asked| asked.iter().map(SessionHandle::list_breakpoints).collect::<Vec<_>>());
        let workspace = self.directory.workspace().clone();
        let named = session.map(str::to_owned);
        let redaction = self.redaction().clone();
        async move {
            let mut views = Vec::new();
            for reply in replies? {
                views.push(reply.await?);
            }
            // one that has ended stops at nothing any more
            let lives = views.iter().find(|session| session.state.is_live()).or(views.first());
            let rule = workspace.exceptions(lives.map(|session| &session.id));
            let mut list = workspace.read(|workspace| {
                let is_asked = |wanted: &&WantedBreakpoint| match (&wanted.only, &named) {
                    (Some(only), Some(named)) => only.0 == *named,
                    _ => true,
                };
                let wanted: Vec<_> = workspace.all().iter().filter(is_asked).cloned().collect();
                listing::merge(&wanted, views, rule, file.as_deref())
            });
            list.breakpoints.redact(&redaction);
            Ok(list)
        }
    }

    /// Says where exceptions stop programs.
    ///
    /// # Errors
    /// `invalid_argument` for what cannot be the name of a type.
    pub fn set_exceptions(&self, session: Option<&str>, rule: ExceptionRule) -> Reply<RuleSet> {
        Reply::of(|| {
            rule.check()?;
            let Some(handle) = self.meant(session)? else {
                self.directory.workspace().set_exceptions(rule.clone(), None);
                return Ok(Reply::ready(Ok(RuleSet { rule, note: None })));
            };
            Ok(handle.set_exceptions(rule, session.is_some()))
        })
    }

    /// Where exceptions stop the session that is meant; `None`: nobody said it.
    pub fn exception_rule(&self, session: Option<&str>) -> Option<ExceptionRule> {
        let meant = self.meant(session).ok().flatten();
        self.directory.workspace().exceptions(meant.as_ref().map(SessionHandle::id))
    }

    pub fn set_watches(&self, session: Option<&str>, expressions: Vec<String>) -> Reply<WatchView> {
        Reply::of(|| {
            let Some(handle) = self.meant(session)? else {
                self.directory.workspace().set_watches(expressions.clone(), None);
                return Ok(Reply::ready(Ok(WatchView { expressions, values: Vec::new() })));
            };
            Ok(handle.set_watches(expressions, session.is_some()))
        })
    }

    /// [`Self::meant`] for one breakpoint: a session that alone has it is meant where none is named.
    fn meant_for(&self, session: Option<&str>, id: BreakpointId) -> Result<Option<SessionHandle>, SessionError> {
        let only = self.directory.workspace().get(id)?.only.map(|only| only.0);
        self.meant(session.or(only.as_deref()))
    }

    /// Whom to ask for a place that the newest session does not know: the other live ones, and it again.
    fn others_of(&self, meant: &SessionHandle) -> VecDeque<SessionHandle> {
        let mut others: VecDeque<SessionHandle> =
            self.directory.live().into_iter().filter(|other| other.id() != meant.id()).collect();
        if !others.is_empty() {
            others.push_back(meant.clone());
        }
        others
    }

    /// With no program there is only the file itself to look at.
    fn place_here(&self, spec: BreakpointSpec) -> Result<Entry, SessionError> {
        let base = self.settings().base();
        Table::prepare(spec, Role::User, &Surroundings { sources: &self.sources(), modules: None, base: &base })
    }

    fn unplaced(&self, id: BreakpointId) -> Result<Entry, SessionError> {
        let wanted = self.directory.workspace().get(id)?;
        Entry::of(&wanted).ok_or_else(|| {
            SessionError::new(
                Code::InternalError,
                format!("breakpoint {id} was removed while it was being set"),
                "set it again",
            )
        })
    }
}
