//! Breakpoints, rules and watches that outlive a session.

use clrbridge::answers::report::RemovedReport;
use clrbridge::dap::request::{Continue, SetBreakpoints, SetExceptionBreakpoints};
use clrbridge::session::{
    Breakpoint, BreakpointId, BreakpointList, BreakpointSpec, Code, ExceptionMode, ExceptionRule, Include, LaunchSpec,
    Registry, Report, StateName, Why,
};
use serde_json::json;

use crate::scripted::{Adapter, Stage, World, settle};
use crate::talk::*;

/// Another session of the same server.
async fn launched(registry: &Registry, stage: &mut Stage, spec: LaunchSpec) -> (Adapter, Report) {
    let launch = registry.launch(spec, Include::default(), now());
    let adapter = stage.adapter().await;
    let report = soon(launch).await.unwrap();
    (adapter, report)
}

async fn listed(registry: &Registry, session: Option<&str>) -> BreakpointList {
    soon(registry.list_breakpoints(session, None)).await.unwrap()
}

/// The lines of `Program.cs` that an adapter has.
fn lines(adapter: &Adapter) -> Vec<i64> {
    let last = adapter.asked::<SetBreakpoints>().pop();
    let list = last.map(|asked| asked["breakpoints"].as_array().unwrap().clone()).unwrap_or_default();
    list.iter().map(|one| one["line"].as_i64().unwrap()).collect()
}

fn ids(list: &[Breakpoint]) -> Vec<u32> {
    list.iter().map(|breakpoint| breakpoint.id).collect()
}

async fn set(registry: &Registry, session: Option<&str>, spec: BreakpointSpec) -> Breakpoint {
    soon(registry.set_breakpoint(session, spec)).await.unwrap()
}

fn thrown(mode: ExceptionMode) -> ExceptionRule {
    ExceptionRule { types: vec!["*".into()], mode, include_subtypes: true }
}

#[tokio::test(start_paused = true)]
async fn breakpoints_hold_for_every_later_launch_until_they_are_removed() {
    let (mut stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    let before = set(&registry, None, at(46)).await;
    assert_eq!((before.id, before.pending, before.why), (1, true, Some(Why::NotLaunched)));

    let (first, report) = launched(&registry, &mut stage, LaunchSpec::default()).await;
    assert_eq!((ids(&report.breakpoints), lines(&first)), (vec![1], vec![46]), "taken, and reported");
    set(&registry, None, at(48)).await;
    for _ in 0..3 {
        first.stopped_at("breakpoint", MAIN, 46);
        let session = registry.session(None).unwrap();
        stop(soon(session.wait(Default::default(), Include::default(), long())).await);
        let go = session.resume(clrbridge::session::Resume::Continue, Include::default(), now());
        first.expect::<Continue>().await.ok();
        is_running(soon(go).await);
    }
    let end = registry.session(None).unwrap().wait(Default::default(), Include::default(), long());
    first.exits(0);
    soon(end).await.unwrap();

    // what was hit, and what was not, is evidence after the end
    let after = set(&registry, None, at(50)).await;
    assert_eq!((after.id, after.verified, after.why, after.message), (3, false, Some(Why::NotLaunched), None));
    let list = listed(&registry, None).await;
    assert_eq!(list.ended, Some((clrbridge::session::SessionId("s1".into()), StateName::Exited)));
    let views: Vec<_> = list.breakpoints.iter().map(|view| (view.id, view.verified, view.hits, view.counted)).collect();
    assert_eq!(views, [(1, true, 3, true), (2, true, 0, true), (3, false, 0, false)]);

    // a later launch has them all, and its own are added
    let more = LaunchSpec { breakpoints: vec![at(46), at(53)], ..LaunchSpec::default() };
    let (second, report) = launched(&registry, &mut stage, more).await;
    assert_eq!((ids(&report.breakpoints), lines(&second)), (vec![1, 2, 3, 4], vec![46, 48, 50, 53]));
    assert!(listed(&registry, None).await.breakpoints.iter().all(|view| view.hits == 0), "s2 has none");
    assert_eq!(listed(&registry, Some("s1")).await.breakpoints[0].hits, 3, "s1's stay readable");
    let also = listed(&registry, None).await.breakpoints.remove(0).also;
    let also: Vec<_> = also.iter().map(|other| (other.session.0.as_str(), other.hits, other.over)).collect();
    assert_eq!(also, [("s1", 3, Some(StateName::Exited))], "and are listed beside those of s2");

    assert_eq!(soon(registry.remove_breakpoints(None, None)).await.unwrap().len(), 4);
    assert_eq!(lines(&second), [0; 0]);
    assert!(listed(&registry, Some("s1")).await.breakpoints.is_empty());
    assert_eq!(set(&registry, None, at(46)).await.id, 5, "an id is never used again");
}

#[tokio::test(start_paused = true)]
async fn what_is_set_where_a_breakpoint_is_says_what_it_changed() {
    let (_stage, settings) = Stage::new("netcoredbg", world());
    let before = Registry::new(settings);
    assert_eq!(set(&before, None, at(46)).await.note, None);
    assert_eq!(set(&before, None, at(46)).await.note.as_deref(), Some("already set"), "without a session too");

    let talk = Talk::stopped(48).await;
    let only = |condition: &str| BreakpointSpec { condition: Some(condition.into()), ..at(46) };
    let log = |text: &str| BreakpointSpec { log: Some(text.into()), ..at(46) };
    for (spec, id, note) in [
        (at(46), 1, None),
        (at(46), 1, Some("already set")),
        (only("i == 1"), 1, Some("changed; was: no condition")),
        (only("i == 2"), 1, Some("changed; was: if i == 1")),
        (at(46), 1, Some("changed; was: if i == 2")),
        (log("i={i}"), 2, Some("breakpoint 1 also stops there")),
        (log("{i}"), 2, Some("changed; was: log i={i}")),
    ] {
        let view = talk.set(spec).await;
        assert_eq!((view.id, view.note.as_deref()), (id, note));
    }
}

/// One line is one breakpoint, as in an IDE.
#[tokio::test(start_paused = true)]
async fn launch_says_what_its_breakpoints_changed_of_each_other_and_of_earlier_ones() {
    let (mut stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    let only = |condition: &str| BreakpointSpec { condition: Some(condition.into()), ..at(46) };
    set(&registry, None, at(48)).await;
    let breakpoints = vec![only("i == 5"), at(48), only("i == 9"), at(50), only("i == 12")];
    let (_, report) = launched(&registry, &mut stage, LaunchSpec { breakpoints, ..LaunchSpec::default() }).await;
    let notes: Vec<_> = report.breakpoints.iter().map(|view| (view.line, view.note.as_deref())).collect();
    let lost = "changed; was: if i == 5\nchanged; was: if i == 9";
    assert_eq!(notes, [(Some(48), None), (Some(46), Some(lost)), (Some(50), None)]);
    assert_eq!(report.breakpoints[1].condition.as_deref(), Some("i == 12"));
    let later = LaunchSpec { breakpoints: vec![only("i == 12"), only("i == 3")], ..LaunchSpec::default() };
    let (_, report) = launched(&registry, &mut stage, later).await;
    assert_eq!(report.breakpoints[1].note.as_deref(), Some("changed; was: if i == 12"));
    let (_, report) = launched(&registry, &mut stage, LaunchSpec::default()).await;
    assert_eq!(report.breakpoints[1].note, None, "it changed nothing");
}

#[tokio::test(start_paused = true)]
async fn a_change_while_several_sessions_live_reaches_all_of_them() {
    let mut talk = Talk::running().await;
    let (second, _) = launched(&talk.registry, &mut talk.stage, LaunchSpec::default()).await;
    let view = talk.set(at(46)).await;
    assert_eq!(view.session.unwrap().0, "s2", "several live: it says of which it tells");
    settle().await;
    assert_eq!((lines(&talk.adapter), lines(&second)), (vec![46], vec![46]));
    let off = soon(talk.registry.enable_breakpoint(Some("s1"), BreakpointId(1), false)).await.unwrap();
    assert!(off.disabled);
    settle().await;
    assert_eq!((lines(&talk.adapter), lines(&second)), (vec![], vec![]));
    soon(talk.registry.enable_breakpoint(None, BreakpointId(1), true)).await.unwrap();
    // hits are each session's own
    for adapter in [&talk.adapter, &second, &second] {
        adapter.stopped_at("breakpoint", MAIN, 46);
        settle().await;
        let name = if std::ptr::eq(adapter, &second) { "s2" } else { "s1" };
        let session = talk.registry.session(Some(name)).unwrap();
        stop(soon(session.wait(Default::default(), Include::default(), long())).await);
        let go = session.resume(clrbridge::session::Resume::Continue, Include::default(), now());
        adapter.expect::<Continue>().await.ok();
        is_running(soon(go).await);
    }
    let one = listed(&talk.registry, None).await.breakpoints.remove(0);
    assert_eq!((one.session.unwrap().0.as_str(), one.hits), ("s2", 2));
    assert_eq!((one.also.len(), one.also[0].session.0.as_str(), one.also[0].hits), (1, "s1", 1));
    soon(talk.registry.remove_breakpoints(Some("s1"), Some(BreakpointId(1)))).await.unwrap();
    settle().await;
    assert_eq!((lines(&talk.adapter), lines(&second)), (vec![], vec![]));
}

#[tokio::test(start_paused = true)]
async fn a_named_session_has_a_breakpoint_a_rule_and_watches_alone() {
    let mut talk = Talk::running().await;
    let limited = set(&talk.registry, Some("s1"), at(46)).await;
    assert_eq!(limited.limited_to.unwrap().0, "s1");
    soon(talk.registry.set_exceptions(Some("s1"), thrown(ExceptionMode::Thrown))).await.unwrap();
    soon(talk.registry.set_watches(Some("s1"), vec!["i".into()])).await.unwrap();
    let (second, report) = launched(&talk.registry, &mut talk.stage, LaunchSpec::default()).await;
    assert!(report.breakpoints.is_empty() && second.asked::<SetBreakpoints>().is_empty());
    assert!(second.asked::<SetExceptionBreakpoints>().is_empty());
    assert_eq!(talk.stop_here(46).await.watches.len(), 1);
    // it is in the list all the same, and who alone has it is asked
    let all = listed(&talk.registry, None).await;
    assert_eq!(all.breakpoints[0].session.as_ref().unwrap().0, "s1");
    assert!(
        listed(&talk.registry, Some("s2")).await.breakpoints.is_empty(),
        "it is no breakpoint of the other session"
    );
    let own = set(&talk.registry, None, at(46)).await;
    assert_eq!((own.id, own.limited_to), (2, None), "for all it is another one");
    assert_eq!(soon(talk.registry.remove_breakpoints(Some("s1"), None)).await.unwrap(), [BreakpointId(1)]);
    assert_eq!(
        code(soon(talk.registry.remove_breakpoints(None, Some(BreakpointId(1)))).await),
        Code::BreakpointNotFound
    );
}

/// The rule for exceptions is none of the breakpoints that are removed, and what removes them can say so.
#[tokio::test(start_paused = true)]
async fn the_rule_for_exceptions_outlives_all_breakpoints() {
    let (_stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    assert_eq!(registry.exception_rule(None), None);
    soon(registry.set_exceptions(None, thrown(ExceptionMode::Thrown))).await.unwrap();
    let removed = soon(registry.remove_breakpoints(None, None)).await.unwrap();
    let report = RemovedReport::new(removed, registry.exception_rule(None));
    let note = report.note.clone().unwrap();
    assert!(
        note.starts_with("exception breakpoints stay (thrown: ") && note.contains("breakpoint_set_exception"),
        "{note}"
    );
    for mode in [ExceptionMode::Unhandled, ExceptionMode::Never] {
        soon(registry.set_exceptions(None, thrown(mode))).await.unwrap();
        assert_eq!(RemovedReport::new(Vec::new(), registry.exception_rule(None)).note, None, "{mode:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_rule_for_exceptions_and_watches_hold_for_later_sessions() {
    let (mut stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    soon(registry.set_watches(None, vec!["i".into()])).await.unwrap();
    let spec = LaunchSpec { exceptions: Some(thrown(ExceptionMode::Thrown)), ..LaunchSpec::default() };
    let (first, gave) = launched(&registry, &mut stage, spec).await;
    let (second, took) = launched(&registry, &mut stage, LaunchSpec::default()).await;
    assert_eq!((gave.exceptions, took.exceptions), (None, Some(thrown(ExceptionMode::Thrown))), "taken, and reported");
    for adapter in [&first, &second] {
        assert_eq!(adapter.asked::<SetExceptionBreakpoints>().pop().unwrap()["filters"], json!(["all"]));
    }
    // a change goes to both
    soon(registry.set_exceptions(None, thrown(ExceptionMode::Never))).await.unwrap();
    settle().await;
    for adapter in [&first, &second] {
        assert_eq!(adapter.asked::<SetExceptionBreakpoints>().pop().unwrap()["filters"], json!([]));
    }
    second.stopped_at("pause", MAIN, 46);
    let session = registry.session(None).unwrap();
    let stop = stop(soon(session.wait(Default::default(), Include::default(), long())).await);
    assert_eq!(stop.watches.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_rule_of_the_session_that_lives_is_listed() {
    let (mut stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    launched(&registry, &mut stage, LaunchSpec::default()).await;
    launched(&registry, &mut stage, LaunchSpec::default()).await;
    soon(registry.set_exceptions(Some("s1"), thrown(ExceptionMode::Thrown))).await.unwrap();
    assert_eq!(listed(&registry, None).await.exceptions, None, "that of the newest");
    soon(registry.disconnect(Some("s2"), None)).await.unwrap();
    assert_eq!(listed(&registry, None).await.exceptions, Some(thrown(ExceptionMode::Thrown)));
}

#[tokio::test(start_paused = true)]
async fn a_temporary_breakpoint_is_spent_for_all_sessions() {
    let mut talk = Talk::running().await;
    let (second, _) = launched(&talk.registry, &mut talk.stage, LaunchSpec::default()).await;
    talk.set(BreakpointSpec { temporary: true, ..at(46) }).await;
    settle().await;
    second.stopped_at("breakpoint", MAIN, 46);
    settle().await;
    assert_eq!((lines(&talk.adapter), lines(&second)), (vec![], vec![]));
    assert!(listed(&talk.registry, None).await.breakpoints.is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_a_launch_cannot_place_is_refused_and_nothing_is_set() {
    let (mut stage, settings) = Stage::new("netcoredbg", World { binds: false, ..world() });
    let registry = Registry::new(settings);
    let missing = clrbridge::session::Place::Source { file: path(), line: None, text: Some("no such line".into()) };
    let spec =
        LaunchSpec { breakpoints: vec![at(46), BreakpointSpec { place: missing, ..at(1) }], ..LaunchSpec::default() };
    let launch = registry.launch(spec, Include::default(), now());
    assert_eq!(code(soon(launch).await), Code::TextNotFound);
    assert!(listed(&registry, None).await.breakpoints.is_empty());
    assert!(stage.is_quiet());
}
