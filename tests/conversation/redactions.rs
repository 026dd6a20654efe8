//! What looks like a secret leaves in no answer, page, export or history; within the session it is as it is.

use clrbridge::dap::request::{Continue, SetExpression};
use clrbridge::redaction::Redaction;
use clrbridge::session::{
    BreakpointSpec, Content, EvaluateQuery, EvaluateView, EventSeq, EventsQuery, FrameRef, LaunchSpec, LookQuery,
    OutputQuery, Registry, StopValues, Variable,
};
use serde_json::json;

use crate::scripted::{Stage, World, settle};
use crate::talk::*;

const SECRET: &str = "hunter2";

fn secret_world() -> World {
    let local = |name: &str, kind: &str, value: &str| (name.to_owned(), kind.to_owned(), value.to_owned());
    World {
        locals: vec![
            local("password", "string", "\"hunter2\""),
            local("dsn", "string", "\"Server=db;Password=hunter2;\""),
            local("SecretCount", "int", "3"),
            local("name", "string", "\"Ada\""),
        ],
        ..world()
    }
}

async fn talk(redaction: Redaction) -> Talk {
    let (mut stage, settings) = Stage::new("netcoredbg", secret_world());
    let registry = Registry::new(clrbridge::session::Settings { redaction, ..settings });
    let launch = registry.launch(
        LaunchSpec { program: "Basics.dll".into(), ..LaunchSpec::default() },
        Default::default(),
        now(),
    );
    let adapter = stage.adapter().await;
    soon(launch).await.unwrap();
    let session = registry.session(None).unwrap();
    Talk { registry, session, adapter, stage }
}

fn text(locals: &[Variable], name: &str) -> String {
    match &locals.iter().find(|local| local.name == name).unwrap().content {
        Content::Value(text) => text.clone(),
        other => panic!("{other:?}"),
    }
}

fn evaluated(expressions: &[&str]) -> EvaluateQuery {
    EvaluateQuery {
        at: FrameRef::default(),
        expressions: expressions.iter().map(|it| (*it).to_owned()).collect(),
        single: expressions.len() == 1,
        timeout: None,
        allow_side_effects: false,
    }
}

#[tokio::test(start_paused = true)]
async fn no_answer_of_a_session_shows_a_secret() {
    let talk = talk(Redaction::default()).await;
    soon(talk.registry.set_watches(None, vec!["password".into()])).await.unwrap();
    talk.set(BreakpointSpec { log: Some("signed in with {password} as {name}".into()), ..at(46) }).await;
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    talk.adapter.expect::<Continue>().await.ok();
    settle().await;
    talk.adapter.emit(
        "output",
        json!({"category": "stdout", "output": "connecting with Password=hunter2;\nSecretCount = 3\n"}),
    );
    talk.adapter.stopped_at("pause", MAIN, 48);
    let report = soon(talk.wait()).await.unwrap();
    assert!(
        report.output.stdout.contains("Password=••• (redacted, 7 characters")
            && report.output.stdout.contains("SecretCount = 3")
    );
    assert_eq!(report.tracepoints.len(), 1);
    assert!(report.tracepoints[0].text.starts_with("signed in with \"•••\" (redacted, 7 characters"), "{report:?}");
    assert!(report.tracepoints[0].text.ends_with(" as Ada"), "{report:?}");
    let printed = format!("{report:?}");
    assert!(!printed.contains(SECRET), "{printed}");
    let stop = stop(Ok(report));
    let StopValues::Locals(locals, _) = &stop.values else { panic!("{stop:?}") };
    assert!(text(locals, "password").starts_with("\"•••\" (redacted, 7 characters, fingerprint "));
    assert!(text(locals, "dsn").starts_with("\"Server=db;Password=••• (redacted, 7 characters"));
    assert_eq!((text(locals, "SecretCount"), text(locals, "name")), ("3".into(), "\"Ada\"".into()));
    assert_eq!(text(&stop.watches, "password"), text(locals, "password"), "equal values have equal fingerprints");

    let one = soon(talk.session.evaluate(evaluated(&["password"]))).await.unwrap();
    let EvaluateView::One(one) = one else { panic!("{one:?}") };
    assert_eq!(one.content, Content::Value(text(locals, "password")));
    let several = soon(talk.session.evaluate(evaluated(&["name", "password"]))).await.unwrap();
    let variables = soon(talk.session.variables(crate::odd::variables())).await.unwrap();
    let snapshots = soon(talk.session.snapshots(vec![None])).await.unwrap();
    let events = EventsQuery { stream: None, since: EventSeq(0), limit: 100, event_type: None };
    let events = soon(talk.session.events(events)).await.unwrap();
    let output = OutputQuery { stdout: true, ..OutputQuery::default() };
    let output = soon(talk.session.read_output(output)).await.unwrap();
    let look = LookQuery { at: None, frame: None, context: 2, output_lines: 10, search: None, events: 10 };
    let look = soon(talk.session.look(look)).await.unwrap();
    for printed in [
        format!("{one:?}"),
        format!("{several:?}"),
        format!("{variables:?}"),
        format!("{snapshots:?}"),
        format!("{events:?}"),
        format!("{output:?}"),
        format!("{look:?}"),
    ] {
        assert!(printed.contains("•••") && !printed.contains(SECRET), "{printed}");
    }
    // what the session keeps is not what it shows
    let again = soon(talk.session.snapshots(vec![None])).await.unwrap();
    assert_eq!(format!("{:?}", again.stops), format!("{:?}", snapshots.stops));
}

#[tokio::test(start_paused = true)]
async fn a_change_of_a_secret_is_seen_and_conditions_see_the_true_value() {
    let talk = talk(Redaction::default()).await;
    let set = |value: &str| {
        let value = value.to_owned();
        talk.adapter.world(|world| world.locals = vec![("password".into(), "string".into(), value)]);
    };
    set("\"hunter2\"");
    let first = talk.stop_here(46).await.seq;
    talk.set(BreakpointSpec { condition: Some("password == \"sesame1\"".into()), ..at(48) }).await;
    let go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    // the adapter decides no condition of strings: each is judged here
    talk.adapter.stopped_at("breakpoint", MAIN, 48);
    talk.adapter.expect::<Continue>().await.ok();
    set("\"sesame1\"");
    talk.adapter.stopped_at("breakpoint", MAIN, 48);
    let second = stop(soon(go).await).seq;
    let view = soon(talk.session.snapshots(vec![Some(first), Some(second)])).await.unwrap();
    let diff = clrbridge::answers::report::SnapshotDiffReport::new(&view, 10, 500).unwrap();
    let change = diff.changed.iter().find(|it| it.name == "locals.password").unwrap_or_else(|| panic!("{diff:?}"));
    assert!(change.value != change.was && change.value.as_ref().unwrap().contains("7 characters"), "{change:?}");
}

#[tokio::test(start_paused = true)]
async fn setting_a_secret_shows_neither_the_old_nor_the_new_one() {
    let talk = talk(Redaction::default()).await;
    talk.stop_here(46).await;
    talk.adapter.hold::<SetExpression>();
    let set = talk.session.set_variable(setting(FrameRef::default(), "password", "\"sesame\""));
    let asked = talk.adapter.expect::<SetExpression>().await;
    talk.adapter.world(|world| world.locals[0].2 = "\"sesame\"".into());
    asked.reply(json!({"value": "\"sesame\""}));
    let printed = format!("{:?}", soon(set).await.unwrap());
    assert!(!printed.contains("sesame") && !printed.contains(SECRET) && printed.contains("•••"), "{printed}");
    // nor do the words on one that was not set
    let set = talk.session.set_variable(setting(FrameRef::default(), "password", "\"other\""));
    talk.adapter.expect::<SetExpression>().await.reply(json!({"value": "\"other\""}));
    let printed = format!("{:?}", soon(set).await.unwrap_err());
    assert!(!printed.contains("sesame") && !printed.contains(SECRET) && printed.contains("•••"), "{printed}");
}

#[tokio::test(start_paused = true)]
async fn all_is_shown_where_that_is_wanted_and_more_is_redacted_where_that_is() {
    let shown = talk(Redaction::off()).await;
    let values = shown.stop_here(46).await.values;
    assert!(format!("{values:?}").matches(SECRET).count() == 2, "{values:?}");
    let more = talk(Redaction::with(["^name$"]).unwrap()).await;
    let printed = format!("{:?}", more.stop_here(46).await.values);
    assert!(!printed.contains("Ada") && !printed.contains(SECRET), "{printed}");
}
