//! breakpoint_list: what the sessions have of the workspace's breakpoints, as one list.

use super::{Entry, WantedBreakpoint};
use crate::session::ids::{SessionId, StateName};
use crate::session::modules::is_suffix;
use crate::session::report::{Breakpoint, ExceptionRule, SessionHits};
use crate::session::sources::Sources;

/// What one session has, or had at its end.
#[derive(Debug)]
pub struct SessionBreakpoints {
    pub id: SessionId,
    pub state: StateName,
    /// Whether it is, or was, in the session; one that was set after its end was not.
    pub breakpoints: Vec<(Breakpoint, bool)>,
}

/// What one session has of a breakpoint: which, its state, the breakpoint, and whether it was there.
type View = (SessionId, StateName, Breakpoint, bool);

/// Other sessions whose hits are reported, the newest.
const OTHERS: usize = 8;

/// breakpoint_list.
#[derive(Debug, Default)]
pub struct BreakpointList {
    /// An ended session: verified and hits as of its end.
    pub ended: Option<(SessionId, StateName)>,
    pub breakpoints: Vec<Breakpoint>,
    pub exceptions: Option<ExceptionRule>,
}

/// The newest session comes first. Of those that live, the newest that has a breakpoint bound describes it, else the newest that takes
/// it; where none lives, the newest that had it. The hits in all others are reported beside that.
pub fn merge(
    wanted: &[WantedBreakpoint],
    mut sessions: Vec<SessionBreakpoints>,
    exceptions: Option<ExceptionRule>,
    file: Option<&str>,
) -> BreakpointList {
    let several = sessions.iter().filter(|session| session.state.is_live()).count() > 1;
    let ended = sessions.first().filter(|_| sessions.iter().all(|session| !session.state.is_live()));
    let ended = ended.map(|newest| (newest.id.clone(), newest.state));
    let mut breakpoints = Vec::new();
    for known in wanted {
        let mut views: Vec<View> = Vec::new();
        for session in &mut sessions {
            if let Some(at) = session.breakpoints.iter().position(|(view, _)| view.id == known.id.0) {
                let (view, was_there) = session.breakpoints.remove(at);
                views.push((session.id.clone(), session.state, view, was_there));
            }
        }
        let preferences: [&dyn Fn(&View) -> bool; 3] = [
            &|(_, state, view, _)| state.is_live() && view.verified,
            &|(_, state, ..)| state.is_live(),
            &|(_, _, _, was_there)| *was_there,
        ];
        let best = preferences.iter().find_map(|preferences| views.iter().position(preferences)).unwrap_or_default();
        let mut view = match (views.get(best), Entry::of(known)) {
            (Some((session, state, view, was_there)), _) => {
                let is_another = ended.as_ref().is_some_and(|(newest, _)| newest != session);
                Breakpoint {
                    session: (several || is_another && *was_there).then(|| session.clone()),
                    counted: !state.is_live() && *was_there,
                    ..view.clone()
                }
            }
            (None, Some(entry)) => entry.view(&Sources::default(), true),
            (None, None) => continue,
        };
        let others = views.iter().enumerate().filter(|(at, (_, _, view, _))| *at != best && view.hits > 0);
        let others = others.map(|(_, (session, state, view, _))| SessionHits {
            session: session.clone(),
            hits: view.hits,
            over: (!state.is_live()).then_some(*state),
        });
        view.also = others.take(OTHERS).collect();
        view.limited_to.clone_from(&known.only);
        breakpoints.push(view);
    }
    breakpoints.retain(|view| file.is_none_or(|file| is_of(view, file)));
    BreakpointList { ended, breakpoints, exceptions }
}

fn is_of(view: &Breakpoint, file: &str) -> bool {
    view.file.as_deref().is_some_and(|of| is_suffix(file, of) || is_suffix(of, file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::breakpoints::{Role, Target};
    use crate::session::ids::BreakpointId;
    use crate::session::spec::{BreakpointSpec, Place};
    use crate::session::workspace::Workspace;

    fn workspace(lines: &[u32]) -> Workspace {
        let mut workspace = Workspace::default();
        for &line in lines {
            let spec = BreakpointSpec::at(Place::Source { file: "A.cs".into(), line: Some(line), text: None });
            let target = Target::Source { path: "/a/A.cs".into(), given: "A.cs".into(), line, code_line: None };
            workspace.set(&Entry::new(BreakpointId(0), Role::User, spec, target).unwrap(), None);
        }
        workspace
    }

    fn session(id: &str, state: StateName, list: &[(u32, bool, u64)]) -> SessionBreakpoints {
        let view = |&(id, verified, hits): &(u32, bool, u64)| {
            let file = Some("A.cs".to_owned());
            (Breakpoint { id, verified, hits, file, ..Breakpoint::default() }, true)
        };
        SessionBreakpoints { id: SessionId(id.into()), state, breakpoints: list.iter().map(view).collect() }
    }

    #[test]
    fn of_two_sessions_the_one_that_has_it_bound_shows() {
        let newest = session("s2", StateName::Running, &[(1, false, 0), (2, true, 5)]);
        let older = session("s1", StateName::Stopped, &[(1, true, 3), (2, true, 4)]);
        let list = merge(workspace(&[1, 2, 3]).all(), vec![newest, older], None, None);
        let listed: Vec<_> = list
            .breakpoints
            .iter()
            .map(|view| (view.id, view.session.as_ref().map(|id| id.0.as_str()), view.hits, view.also.len()))
            .collect();
        assert_eq!(listed, [(1, Some("s1"), 3, 0), (2, Some("s2"), 5, 1), (3, None, 0, 0)]);
        assert!(list.ended.is_none());
    }

    #[test]
    fn of_a_session_that_is_over_every_count_is_reported() {
        let mut over = session("s1", StateName::Exited, &[(1, true, 0), (2, false, 0)]);
        over.breakpoints[1].1 = false;
        let list = merge(workspace(&[1, 2]).all(), vec![over], None, Some("A.cs"));
        assert_eq!(list.ended.unwrap().0.0, "s1");
        let listed: Vec<_> = list.breakpoints.iter().map(|view| (view.id, view.counted)).collect();
        assert_eq!(listed, [(1, true), (2, false)], "the second was set after the end");
        assert!(list.breakpoints.iter().all(|view| view.session.is_none()), "it is reported once");
        assert!(merge(workspace(&[1]).all(), Vec::new(), None, Some("B.cs")).breakpoints.is_empty());
    }

    #[test]
    fn hits_of_every_session_that_is_over_are_reported() {
        let newest = session("s2", StateName::Exited, &[(1, true, 0)]);
        let older = session("s1", StateName::NotAttached, &[(1, true, 3), (2, true, 4)]);
        let list = merge(workspace(&[1, 2]).all(), vec![newest, older], None, None);
        assert_eq!(list.ended.unwrap().0.0, "s2");
        let [one, two] = list.breakpoints.as_slice() else { panic!("{:?}", list.breakpoints) };
        assert_eq!((one.hits, one.counted, &one.session), (0, true, &None), "the newest reports that it was never hit");
        let also: Vec<_> = one.also.iter().map(|other| (other.session.0.as_str(), other.hits, other.over)).collect();
        assert_eq!(also, [("s1", 3, Some(StateName::NotAttached))]);
        assert_eq!((two.hits, two.session.as_ref().unwrap().0.as_str()), (4, "s1"), "only the older one had it");
        let live = session("s3", StateName::Running, &[(1, true, 0)]);
        let older = session("s1", StateName::Exited, &[(1, true, 3)]);
        let list = merge(workspace(&[1]).all(), vec![live, older], None, None);
        let one = &list.breakpoints[0];
        assert!(list.ended.is_none() && one.session.is_none() && !one.counted);
        assert_eq!((one.hits, one.also.len()), (0, 1));
    }
}
