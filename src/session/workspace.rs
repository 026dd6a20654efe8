//! What the client wants of every program that this server debugs: breakpoints, tracepoints, the rule for exceptions, watches.
//!
//! Set once, they hold for every launch, attach and restart until they are removed, as in an IDE. Ids are minted here, stable, and
//! never used again. It knows no adapter: each session has a [`Table`](super::breakpoints::Table) of its own, made from this, with
//! what its adapter says and its hits. The race to remember: sessions take changes over when they can, so a table may be out of date;
//! `version` shows that.

mod scoped;
mod shared;

use super::breakpoints::{Entry, WantedBreakpoint, set_again};
use super::error::{Code, SessionError};
use super::ids::{BreakpointId, SessionId};
use super::report::ExceptionRule;
use scoped::Scoped;
pub(crate) use shared::SharedWorkspace;

/// A breakpoint that was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetBreakpoint {
    pub id: BreakpointId,
    /// What was there before.
    pub note: Option<String>,
    /// That was another condition, text or limit, which is gone now.
    pub replaced: bool,
}

#[derive(Debug, Default)]
pub struct Workspace {
    breakpoints: Vec<WantedBreakpoint>,
    last_id: u32,
    exceptions: Scoped<ExceptionRule>,
    watches: Scoped<Vec<String>>,
}

impl Workspace {
    /// Sets what a session, or nobody, has placed. One at the same place, of the same kind and for the same sessions is updated.
    pub fn set(&mut self, placed: &Entry, only: Option<SessionId>) -> SetBreakpoint {
        let is_tracepoint = placed.spec.log.is_some();
        let mut there = self.breakpoints.iter_mut().filter(|other| other.only == only && placed.is_where(other));
        if let Some(other) = there.find(|other| other.is_tracepoint() == is_tracepoint) {
            let was = set_again::was(&other.spec, &placed.spec);
            other.spec = placed.spec.clone();
            other.target = placed.target.clone();
            other.file.clone_from(&placed.file);
            other.text.clone_from(&placed.text);
            other.at_home |= placed.at_home;
            other.version += 1;
            let replaced = was.is_some();
            let note = Some(was.unwrap_or_else(|| "already set".into()));
            return SetBreakpoint { id: other.id, note, replaced };
        }
        let beside = self.breakpoints.iter().find(|other| other.only == only && placed.is_where(other));
        let note = beside.map(|other| match other.is_tracepoint() {
            true => format!("tracepoint {} also logs there", other.id),
            false => format!("breakpoint {} also stops there", other.id),
        });
        self.last_id += 1;
        let id = BreakpointId(self.last_id);
        self.breakpoints.push(WantedBreakpoint {
            id,
            spec: placed.spec.clone(),
            target: placed.target.clone(),
            file: placed.file.clone(),
            text: placed.text.clone(),
            at_home: placed.at_home,
            only,
            version: 0,
        });
        SetBreakpoint { id, note, replaced: false }
    }

    /// A session found its file, or its line in a new build: later ones begin from there.
    pub fn moved(&mut self, placed: &Entry) {
        if let Some(known) = self.breakpoints.iter_mut().find(|known| known.id == placed.id) {
            known.target = placed.target.clone();
            known.file.clone_from(&placed.file);
            known.text.clone_from(&placed.text);
            known.at_home = true;
        }
    }

    /// # Errors
    /// `breakpoint_not_found`.
    pub fn enable(&mut self, id: BreakpointId, enabled: bool) -> Result<(), SessionError> {
        self.get(id)?;
        for known in self.breakpoints.iter_mut().filter(|known| known.id == id) {
            known.spec.enabled = enabled;
            // also when it was so: a session may have switched it off (`max_hits`)
            known.version += 1;
        }
        Ok(())
    }

    /// Removes one, or all (`None`), or all that are limited to a session; answers what was removed.
    ///
    /// # Errors
    /// `breakpoint_not_found`.
    pub fn remove(
        &mut self,
        id: Option<BreakpointId>,
        only: Option<&SessionId>,
    ) -> Result<Vec<BreakpointId>, SessionError> {
        if let Some(id) = id {
            self.get(id)?;
        }
        let gone = |known: &WantedBreakpoint| match id {
            Some(id) => known.id == id,
            None => only.is_none() || known.only.as_ref() == only,
        };
        let removed = self.breakpoints.iter().filter(|known| gone(known)).map(|known| known.id).collect();
        self.breakpoints.retain(|known| !gone(known));
        Ok(removed)
    }

    /// # Errors
    /// `breakpoint_not_found`.
    pub fn get(&self, id: BreakpointId) -> Result<&WantedBreakpoint, SessionError> {
        self.breakpoints.iter().find(|known| known.id == id).ok_or_else(|| {
            let known: Vec<String> = self.breakpoints.iter().map(|known| known.id.to_string()).collect();
            let hint = match known.is_empty() {
                true => "no breakpoints; breakpoint_set creates one".to_owned(),
                false => format!("known breakpoints: {}", known.join(", ")),
            };
            SessionError::new(Code::BreakpointNotFound, format!("no breakpoint {id}"), hint)
        })
    }

    /// In the order they were set.
    pub fn all(&self) -> &[WantedBreakpoint] {
        &self.breakpoints
    }

    /// Those that a session takes.
    pub fn of(&self, session: &SessionId) -> impl Iterator<Item = &WantedBreakpoint> {
        self.breakpoints.iter().filter(move |known| known.only.as_ref().is_none_or(|only| only == session))
    }

    pub fn set_exceptions(&mut self, rule: ExceptionRule, only: Option<SessionId>) {
        self.exceptions.set(rule, only);
    }

    /// `None`: never set. `session`: `None` = that of all.
    pub fn exceptions(&self, session: Option<&SessionId>) -> Option<&ExceptionRule> {
        self.exceptions.of(session)
    }

    pub fn set_watches(&mut self, expressions: Vec<String>, only: Option<SessionId>) {
        self.watches.set(expressions, only);
    }

    pub fn watches(&self, session: &SessionId) -> Vec<String> {
        self.watches.of(Some(session)).cloned().unwrap_or_default()
    }

    /// Nobody finds that session any more: what was limited to it goes too.
    pub fn forget(&mut self, session: &SessionId) {
        self.breakpoints.retain(|known| known.only.as_ref() != Some(session));
        self.exceptions.forget(session);
        self.watches.forget(session);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::breakpoints::{Role, Target};
    use crate::session::report::ExceptionMode;
    use crate::session::spec::{BreakpointSpec, Place};

    fn at(line: u32) -> Entry {
        let place = Place::Source { file: "A.cs".into(), line: Some(line), text: None };
        let spec = BreakpointSpec::at(place);
        let target = Target::Source { path: "/a/A.cs".into(), given: "A.cs".into(), line, code_line: None };
        Entry::new(BreakpointId(0), Role::User, spec, target).unwrap()
    }

    fn traced(line: u32) -> Entry {
        let entry = at(line);
        Entry { spec: BreakpointSpec { log: Some("x".into()), ..entry.spec.clone() }, ..entry }
    }

    fn ids<'a>(of: impl IntoIterator<Item = &'a WantedBreakpoint>) -> Vec<u32> {
        of.into_iter().map(|known| known.id.0).collect()
    }

    #[test]
    fn an_id_is_one_places_and_never_used_again() {
        let mut workspace = Workspace::default();
        let session = || Some(SessionId("s1".into()));
        for (placed, only, id, note) in [
            (at(1), None, 1, None),
            (at(2), None, 2, None),
            (at(1), None, 1, Some("already set")),
            (traced(1), None, 3, Some("breakpoint 1 also stops there")),
            (at(1), session(), 4, None),
            (traced(1), None, 3, Some("already set")),
            (traced(2), session(), 5, None),
            (at(2), session(), 6, Some("tracepoint 5 also logs there")),
        ] {
            let set = workspace.set(&placed, only);
            assert_eq!((set.id.0, set.note.as_deref()), (id, note), "{placed:?}");
        }
        assert_eq!(workspace.get(BreakpointId(1)).unwrap().version, 1, "set again is a change");
        assert_eq!(workspace.remove(Some(BreakpointId(4)), None).unwrap(), [BreakpointId(4)]);
        assert_eq!(workspace.remove(Some(BreakpointId(4)), None).unwrap_err().code, Code::BreakpointNotFound);
        assert_eq!(workspace.remove(None, None).unwrap().len(), 5);
        assert_eq!(workspace.set(&at(1), None).id.0, 7);
    }

    #[test]
    fn a_session_takes_what_is_not_limited_to_another() {
        let (one, two) = (SessionId("s1".into()), SessionId("s2".into()));
        let mut workspace = Workspace::default();
        workspace.set(&at(1), None);
        workspace.set(&at(2), Some(one.clone()));
        assert_eq!(ids(workspace.of(&one)), [1, 2]);
        assert_eq!(ids(workspace.of(&two)), [1]);
        assert_eq!(workspace.remove(None, Some(&two)).unwrap(), []);
        assert_eq!(workspace.remove(None, Some(&one)).unwrap(), [BreakpointId(2)]);
        workspace.set(&at(3), Some(one.clone()));
        workspace.forget(&one);
        assert_eq!(ids(workspace.all()), [1]);
    }

    #[test]
    fn a_rule_for_all_replaces_those_of_single_sessions() {
        let (one, two) = (SessionId("s1".into()), SessionId("s2".into()));
        let rule = |mode| ExceptionRule { types: vec!["*".into()], mode, include_subtypes: true };
        let mut workspace = Workspace::default();
        let of = |workspace: &Workspace, session: &SessionId| workspace.exceptions(Some(session)).map(|rule| rule.mode);
        assert_eq!(of(&workspace, &one), None);
        workspace.set_exceptions(rule(ExceptionMode::Thrown), None);
        workspace.set_exceptions(rule(ExceptionMode::Never), Some(one.clone()));
        assert_eq!(
            (of(&workspace, &one), of(&workspace, &two)),
            (Some(ExceptionMode::Never), Some(ExceptionMode::Thrown))
        );
        workspace.set_exceptions(rule(ExceptionMode::Unhandled), None);
        assert_eq!(of(&workspace, &one), Some(ExceptionMode::Unhandled));
    }

    #[test]
    fn a_place_that_a_session_found_is_where_the_next_one_begins() {
        let mut workspace = Workspace::default();
        let id = workspace.set(&at(1), None).id;
        workspace.moved(&Entry { id, text: Some("x();".into()), ..at(4) });
        let known = workspace.get(id).unwrap();
        assert!(at(4).is_where(known) && known.at_home && known.version == 0);
        let built = Target::Source { path: "/_/A.cs".into(), given: "A.cs".into(), line: 4, code_line: None };
        workspace.moved(&Entry { id, target: built, file: Some("/a/A.cs".into()), ..at(4) });
        let same = Entry { text: Some("x();".into()), ..at(4) };
        assert_eq!(workspace.set(&same, None).id, id, "the same file, whatever a build calls it");
        let edited = Entry { text: Some("y();".into()), ..at(4) };
        assert_ne!(workspace.set(&edited, None).id, id, "the line that had the number is another one now");
    }
}
