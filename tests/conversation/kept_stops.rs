//! Stops as they were: snapshots, parts of them, and what differs between two; none of it asks the adapter.

use clrbridge::answers::render::Render;
use clrbridge::answers::report::{SnapshotDiffReport, SnapshotReport, StatePathReport};
use clrbridge::dap::request::Continue;
use clrbridge::session::{Code, EventSeq, FrameRef, Include, Outcome};
use serde_json::json;

use crate::scripted::settle;
use crate::talk::*;

/// The program goes on and stops with other locals; the number of that stop.
async fn next_stop(talk: &Talk, line: i64, locals: &[(&str, &str, &str)]) -> u64 {
    let go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    let locals = locals.iter().map(|(name, kind, value)| ((*name).into(), (*kind).into(), (*value).into()));
    talk.adapter.world(|world| world.locals = locals.collect());
    talk.adapter.stopped_at("pause", MAIN, line);
    stop(soon(go).await).seq.0
}

async fn snapshot(
    talk: &Talk,
    seq: Option<u64>,
    scope: Option<&str>,
) -> Result<SnapshotReport, clrbridge::session::SessionError> {
    let view = soon(talk.session.snapshots(vec![seq.map(EventSeq)])).await?;
    SnapshotReport::new(&view, scope, seq.is_none())
}

async fn state_path(talk: &Talk, path: &str) -> Result<StatePathReport, clrbridge::session::SessionError> {
    StatePathReport::new(&soon(talk.session.snapshots(vec![None])).await?, path)
}

async fn diff(talk: &Talk, base: u64, target: u64, most: usize) -> SnapshotDiffReport {
    let wanted = vec![Some(EventSeq(base)), Some(EventSeq(target))];
    SnapshotDiffReport::new(&soon(talk.session.snapshots(wanted)).await.unwrap(), 10, most).unwrap()
}

#[tokio::test(start_paused = true)]
async fn any_stop_is_read_and_any_two_are_compared_without_asking_the_adapter() {
    let talk = Talk::running().await;
    assert_eq!(code(snapshot(&talk, None, None).await), Code::SnapshotNotFound);
    let first = talk.stop_here(46).await.seq.0;
    let second = next_stop(&talk, 48, &[("i", "int", "4"), ("name", "string", "\"Ada\"")]).await;
    let third = next_stop(&talk, 49, &[("name", "string", "\"Ada\"")]).await;
    let asked = talk.adapter.commands().len();

    let latest = snapshot(&talk, None, None).await.unwrap();
    assert_eq!((latest.stop.seq, latest.stop.note.as_deref(), latest.oldest_seq), (Some(third), None, None));
    assert_eq!(latest.stop.location.as_ref().unwrap().line, 49);
    let earlier = snapshot(&talk, Some(second), Some("locals")).await.unwrap();
    assert_eq!(
        serde_json::to_value(&earlier).unwrap(),
        json!({"outcome": "stopped", "seq": second, "locals": [{"name": "i", "value": "4"}, {"name": "name", "value": "\"Ada\""}]})
    );
    assert_eq!(earlier.to_text(), format!("stopped, seq {second}\nlocals:\n  i: 4\n  name: \"Ada\""));
    let one = snapshot(&talk, Some(second), Some("locals.i")).await.unwrap();
    assert_eq!(one.stop.locals.len(), 1);

    let found = diff(&talk, first, second, 500).await;
    assert_eq!(
        serde_json::to_value(&found).unwrap(),
        json!({
            "base_seq": first, "target_seq": second, "total_changes": 3,
            "changed": [{"name": "location.line", "value": "48", "was": "46"}, {"name": "locals.i", "value": "4", "was": "3"}],
            "added": [{"name": "locals.name", "value": "\"Ada\""}],
        })
    );
    assert_eq!(
        found.to_text(),
        format!(
            "seq {first} to {second}: 3 changes\nchanged:\n  location.line: 48 (was 46)\n  locals.i: 4 (was 3)\nadded:\n  locals.name: \"Ada\""
        )
    );
    let back = diff(&talk, third, first, 2).await;
    assert_eq!(
        (back.total_changes, back.truncated, back.changed.len() + back.removed.len() + back.added.len()),
        (3, true, 2)
    );
    assert!(back.to_text().ends_with("truncated: +1 more"), "{}", back.to_text());
    assert_eq!(diff(&talk, second, second, 1).await.to_text(), format!("seq {second} to {second}: no changes"));

    let value = state_path(&talk, "locals.name").await.unwrap();
    assert_eq!((value.to_text(), value.seq), (format!("locals.name: \"Ada\"\nseq {third}"), third));
    let group = state_path(&talk, "location").await.unwrap();
    assert!(
        group.value.is_none() && group.members.iter().any(|it| it.name == "line" && it.value.as_deref() == Some("49"))
    );
    assert_eq!(talk.adapter.commands().len(), asked, "{:?}", talk.adapter.commands());
}

#[tokio::test(start_paused = true)]
async fn a_snapshot_or_path_that_is_not_there_says_what_is() {
    let talk = Talk::stopped(46).await;
    let there = talk.session.peek().seq.unwrap();
    let error = snapshot(&talk, Some(there.0 + 100), None).await.unwrap_err();
    assert!(error.code == Code::SnapshotNotFound && error.hint.ends_with(&format!("are {there}")), "{error:?}");
    for scope in ["variables", "locals.j", "stack.7", "location.line", "watches"] {
        let error = snapshot(&talk, None, Some(scope)).await.unwrap_err();
        assert!(error.code == Code::ScopeNotFound && error.message.contains(scope), "{error:?}");
    }
    let error = state_path(&talk, "locals.j").await.unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str()),
        (Code::PathNotFound, &*format!("no j in locals at seq {there}; it has i"))
    );
    let error = state_path(&talk, "locals.i.Length").await.unwrap_err();
    assert_eq!(error.message, format!("no Length in locals.i at seq {there}: the snapshot of locals.i has only 3"));
}

#[tokio::test(start_paused = true)]
async fn snapshots_outlive_the_stop_and_the_run_and_say_that_it_is_past() {
    let mut talk = Talk::stopped(46).await;
    let first = snapshot(&talk, None, None).await.unwrap().stop.seq.unwrap();
    let go = talk.go(clrbridge::session::Resume::Continue, now());
    is_running(soon(go).await);
    talk.adapter.expect::<Continue>().await.ok();
    settle().await;
    let past = snapshot(&talk, None, None).await.unwrap();
    assert_eq!(
        past.stop.note.as_deref(),
        Some("this is the latest stop; the program is no longer stopped (state: running)")
    );
    assert!(state_path(&talk, "locals.i").await.unwrap().note.is_some());
    assert_eq!(snapshot(&talk, Some(first), None).await.unwrap().stop.note, None);
    let restart = talk.registry.restart(None, None, Include::default(), now());
    talk.adapter = talk.stage.adapter().await;
    soon(restart).await.unwrap();
    let second = talk.stop_here(48).await.seq.0;
    assert!(second > first, "numbers go on");
    assert_eq!(diff(&talk, first, second, 500).await.total_changes, 1);
}

/// An answer that was cut off by a cancelled wait is still owed.
#[tokio::test(start_paused = true)]
async fn a_snapshot_of_a_stop_does_not_count_as_its_report() {
    let talk = Talk::running().await;
    talk.adapter.stopped_at("pause", MAIN, 48);
    settle().await;
    assert_eq!(snapshot(&talk, None, None).await.unwrap().stop.location.unwrap().line, 48);
    assert_eq!(line(soon(talk.go_on()).await), 48);
}

#[tokio::test(start_paused = true)]
async fn what_a_client_set_is_current_and_not_what_was_reported() {
    let talk = Talk::stopped(46).await;
    let seq = talk.session.peek().seq.unwrap().0;
    let reported = snapshot(&talk, Some(seq), Some("locals.i")).await.unwrap().stop;
    talk.adapter.hold::<clrbridge::dap::request::SetExpression>();
    let set = talk.session.set_variable(setting(FrameRef::default(), "i", "5"));
    let asked = talk.adapter.expect::<clrbridge::dap::request::SetExpression>().await;
    talk.adapter.world(|world| world.locals = vec![("i".into(), "int".into(), "5".into())]);
    asked.reply(json!({"value": "5"}));
    soon(set).await.unwrap();
    settle().await;
    assert_eq!(state_path(&talk, "locals.i").await.unwrap().value.as_deref(), Some("5"));
    let kept = snapshot(&talk, Some(seq), Some("locals.i")).await.unwrap().stop;
    assert_ne!(reported.locals[0].value.as_deref(), Some("5"));
    assert_eq!(kept.locals, reported.locals);
    assert_eq!(kept.note.as_deref(), Some("after this stop was reported, a client changed i"));
    assert_eq!(diff(&talk, seq, seq, 500).await.total_changes, 0);
    // and a diff shows what the program did, not the client
    let next = next_stop(&talk, 48, &[("i", "int", "6")]).await;
    let changes = diff(&talk, seq, next, 500).await.changed;
    assert!(changes.iter().any(|it| it.name == "locals.i" && it.was.as_deref() == Some("5")), "{changes:?}");
}

#[tokio::test(start_paused = true)]
async fn streams_say_what_is_kept_of_them() {
    let talk = Talk::stopped(46).await;
    let view = soon(talk.session.streams()).await.unwrap();
    let of = |name: &str| view.streams.iter().find(|stream| stream.name == name).unwrap();
    assert!(of("execution").count >= 1 && of("execution").latest.0 > 0, "{view:?}");
    assert_eq!((of("tracepoints").count, of("tracepoints").latest.0), (0, 0));
    assert_eq!((view.snapshots.count, view.snapshots.oldest), (1, view.snapshots.latest));
    let wait = talk.wait_for(0);
    assert!(matches!(soon(wait).await.unwrap().outcome, Outcome::Stopped(_)));
}
