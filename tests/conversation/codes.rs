//! Every error code has a test that produces it, here or where the table says.

use clrbridge::backend::AdapterSettings;
use clrbridge::session::{
    AttachSpec, AttachTarget, BreakpointId, BreakpointSpec, Code, EventSeq, EventsQuery, FrameRef, Include, LaunchSpec,
    OutputQuery, Place, Registry, Settings, SourceQuery, VariablesQuery, WaitFor,
};

use crate::odd::variables;
use crate::talk::*;

/// Produced in other tests: the file, and what in it names the code.
const ELSEWHERE: &[(Code, &str)] = &[
    (Code::SessionNotFound, "tests/conversation/sessions.rs"),
    (Code::AlreadyRunning, "tests/conversation/waits.rs"),
    (Code::NotStopped, "tests/conversation/order.rs"),
    (Code::NotRunning, "tests/conversation/deaths.rs"),
    (Code::LaunchFailed, "tests/conversation/odd.rs"),
    (Code::BackendUnusable, "tests/conversation/odd.rs"),
    (Code::AdapterLost, "tests/conversation/deaths.rs"),
    (Code::AdapterError, "tests/conversation/order.rs"),
    (Code::StartTimeout, "tests/conversation/odd.rs"),
    (Code::InvalidThread, "tests/conversation/sessions.rs"),
    (Code::InvalidFrame, "tests/conversation/sessions.rs"),
    (Code::EvaluationFailed, "tests/conversation/odd.rs"),
    (Code::EvaluationThrew, "tests/conversation/odd.rs"),
    (Code::SideEffects, "tests/conversation/odd.rs"),
    (Code::EvaluationTimeout, "tests/conversation/odd.rs"),
    (Code::NotConfirmed, "tests/conversation/confirming.rs"),
    (Code::SnapshotNotFound, "tests/conversation/kept_stops.rs"),
    (Code::ScopeNotFound, "tests/conversation/kept_stops.rs"),
    (Code::PathNotFound, "tests/conversation/kept_stops.rs"),
    (Code::NoException, "tests/conversation/sessions.rs"),
    (Code::InvalidArgument, "tests/conversation/mcp_server.rs"),
    (Code::SymbolNotFound, "tests/code/tools.rs"),
    (Code::PayloadTooLarge, "tests/conversation/mcp_server.rs"),
    (Code::ReadOnlyMode, "tests/conversation/mcp_server.rs"),
    (Code::TypeNotFound, "tests/metadata/tools/refusals.rs"),
    (Code::ModuleNotFound, "tests/metadata/tools/sessions.rs"),
    (Code::ProgramNotFound, "tests/real/scenarios/launching.rs"),
    (Code::NotDotnetProgram, "tests/real/scenarios/launching.rs"),
    (Code::RuntimeNotFound, "tests/real/scenarios/launching.rs"),
    (Code::StdinClosed, "tests/real/scenarios/launching.rs"),
    (Code::AlreadyAttached, "tests/real/scenarios/attaching.rs"),
    (Code::AttachFailed, "tests/real/scenarios/attaching.rs"),
    (Code::ProcessNotFound, "tests/real/scenarios/ends.rs"),
    (Code::NotManaged, "tests/real/scenarios/ends.rs"),
    (Code::BuildFailed, "tests/real/scenarios/builds.rs"),
    (Code::NoWorkspace, "tests/code/tools.rs"),
];

/// No test can produce them.
const NOT_HERE: &[(Code, &str)] = &[
    (Code::PermissionDenied, "another user's process"),
    (Code::InternalError, "a bug of ours: the random tests look for it"),
];

fn source(file: &str, line: Option<u32>) -> SourceQuery {
    SourceQuery { file: Some(file.into()), line, context: 2 }
}

fn text(text: &str) -> BreakpointSpec {
    BreakpointSpec { place: Place::Source { file: path(), line: None, text: Some(text.into()) }, ..at(1) }
}

async fn produced_here() -> Vec<Code> {
    let mut talk = Talk::stopped(46).await;
    let set = |spec| talk.registry.set_breakpoint(None, spec);
    let named = |name: &str| VariablesQuery { path: Some(name.into()), ..variables() };
    let here = FrameRef::default();
    let mut codes = vec![
        code(soon(set(text("nothing like this"))).await),
        code(soon(set(text("order."))).await),
        code(soon(set(BreakpointSpec { condition: Some("i =".into()), ..at(46) })).await),
        code(
            soon(set(BreakpointSpec {
                place: Place::Source { file: "No.cs".into(), line: None, text: Some("x".into()) },
                ..at(1)
            }))
            .await,
        ),
        code(soon(talk.registry.remove_breakpoints(None, Some(BreakpointId(9)))).await),
        code(soon(talk.session.variables(named("a b"))).await),
        code(soon(talk.session.variables(named("nope"))).await),
        code(soon(talk.session.variables(VariablesQuery { filter: Some("(".into()), ..variables() })).await),
        code(soon(talk.session.source(source("/etc/passwd", None))).await),
        code(
            soon(talk.session.events(EventsQuery {
                stream: Some("x".into()),
                since: EventSeq(0),
                limit: 1,
                event_type: None,
            }))
            .await,
        ),
        code(soon(talk.session.write_input("x".into(), false, std::time::Duration::from_secs(1))).await),
        code(
            soon(talk.session.read_output(OutputQuery {
                search: Some("(".into()),
                stdout: true,
                ..OutputQuery::default()
            }))
            .await,
        ),
        code(
            soon(talk.session.wait(
                WaitFor { breakpoint: Some(BreakpointId(9)), since: None },
                Include::default(),
                now(),
            ))
            .await,
        ),
    ];
    talk.adapter.hold::<clrbridge::dap::request::SetExpression>();
    let assigned = talk.session.set_variable(setting(here, "i", "\"text\""));
    talk.adapter.expect::<clrbridge::dap::request::SetExpression>().await.refuse("error: 0x80070057");
    codes.push(code(soon(assigned).await));
    let spec = AttachSpec {
        target: AttachTarget::Pid(7),
        just_my_code: None,
        breakpoints: Vec::new(),
        exceptions: None,
        backend: None,
        max_stop: None,
    };
    let attach = talk.registry.attach(spec, Include::default(), now());
    talk.stage.adapter().await;
    soon(attach).await.unwrap();
    codes.push(code(soon(talk.registry.restart(Some("s2"), None, Include::default(), now())).await));
    let running = talk.registry.session(Some("s2")).unwrap();
    codes.push(code(soon(running.source(SourceQuery { file: None, line: None, context: 2 })).await));
    let nowhere = Registry::new(Settings::default());
    codes.push(code(nowhere.session(None)));
    let paths = [("netcoredbg".into(), "/no/such/adapter".into())].into();
    let wrong = Settings { adapter: AdapterSettings { paths, ..AdapterSettings::default() }, ..Settings::default() };
    let launch = Registry::new(wrong).launch(LaunchSpec::default(), Include::default(), now());
    codes.push(code(soon(launch).await));
    codes
}

#[tokio::test(start_paused = true)]
async fn every_code_has_a_test_that_produces_it() {
    let here = produced_here().await;
    for known in Code::ALL {
        let elsewhere = ELSEWHERE.iter().find(|(listed, _)| listed == known);
        let reason = NOT_HERE.iter().find(|(listed, _)| listed == known);
        let places =
            usize::from(here.contains(known)) + usize::from(elsewhere.is_some()) + usize::from(reason.is_some());
        assert_eq!(places, 1, "{} is produced here, listed elsewhere, or has a reason: one of them", known.as_str());
        if let Some((_, file)) = elsewhere {
            let text = std::fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
            let named = text.contains(&format!("Code::{known:?}")) || text.contains(&format!("\"{}\"", known.as_str()));
            assert!(named, "{file} does not name {}", known.as_str());
        }
    }
}
