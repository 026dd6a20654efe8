//! The adapter dies: after each message of recorded talks, at every position; and in ways that no recording has.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clrbridge::session::{
    BreakpointSpec, Code, EvaluateQuery, FrameRef, Include, LaunchSpec, Outcome, Place, Player, Registry, Report,
    Resume, Scope, SessionError, Settings, StackQuery, StateName, StepMode, VariablesQuery, WaitFor,
};
use clrbridge::transport::replay::{Recording, ReplayEnd, serve};
use clrbridge::transport::{Connection, Incoming};

use crate::scripted::{Stage, settle};
use crate::talk::*;

/// Recordings, and the breakpoints that their clients set.
const RECORDINGS: [(&str, &str, &[u32]); 5] = [
    ("netcoredbg", "breakpoint-step-inspect", &[24]),
    ("dncdbg", "breakpoint-step-inspect", &[24]),
    ("netcoredbg", "exception-inner", &[]),
    ("dncdbg", "threads-at-once", &[36]),
    ("dncdbg", "exception-unhandled", &[]),
];

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn recording(adapter: &str, name: &str) -> Recording {
    let file = format!("{}/tests/data/recordings/{adapter}/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let workspace = workspace().display().to_string();
    Recording::load(file, &[("workspace", &workspace), ("dotnet", "/d"), ("home", "/h"), ("tmp", "/t")]).unwrap()
}

/// Plays a recording; the adapter dies of SIGSEGV behind so many messages. Counts what it said.
fn mortal(adapter: &str, name: &str, messages: usize, said: Arc<AtomicUsize>) -> Player {
    let whole = recording(adapter, name);
    let play = move |client: Connection| {
        let (whole, said) = (whole.clone(), Arc::clone(&said));
        let playing: futures::future::BoxFuture<'static, ReplayEnd> = Box::pin(async move {
            let (mut ours, theirs) = Connection::memory();
            let mut client = client;
            let serving = serve(whole, theirs);
            tokio::pin!(serving);
            let mut end = None;
            loop {
                if said.load(Ordering::Relaxed) == messages {
                    client.outgoing.close();
                    return ReplayEnd { exit_code: Some(-11) };
                }
                tokio::select! {
                    biased;
                    over = &mut serving, if end.is_none() => end = Some(over),
                    Some(incoming) = client.incoming.recv() => match incoming {
                        Incoming::Body(body) => drop(ours.outgoing.send(body)),
                        Incoming::Closed(_) => ours.outgoing.close(),
                    },
                    incoming = ours.incoming.recv() => match incoming {
                        Some(Incoming::Body(body)) => {
                            said.fetch_add(1, Ordering::Relaxed);
                            client.outgoing.send(body);
                        }
                        _ => return end.unwrap_or(ReplayEnd { exit_code: Some(0) }),
                    },
                }
            }
        });
        playing
    };
    Player { adapter: adapter.into(), play: Arc::new(play) }
}

fn spec(name: &str, lines: &[u32]) -> LaunchSpec {
    let fixture = if name.starts_with("exception") {
        "Exceptions"
    } else if name.starts_with("threads") {
        "Threads"
    } else {
        "Basics"
    };
    let file = workspace().join(fixture).join("Program.cs").display().to_string();
    let breakpoints = lines.iter().map(|line| BreakpointSpec {
        place: Place::Source { file: file.clone(), line: Some(*line), text: None },
        ..at(1)
    });
    LaunchSpec { program: format!("{fixture}.dll"), breakpoints: breakpoints.collect(), ..LaunchSpec::default() }
}

/// What an agent does, whatever is answered. All answers, in words.
async fn story(registry: &Registry, spec: LaunchSpec) -> Vec<Result<Option<Report>, SessionError>> {
    let mut answers = Vec::new();
    let short = || within(1_000);
    answers.push(soon(registry.launch(spec, Include::default(), short())).await.map(Some));
    let Ok(session) = registry.session(None) else { return answers };
    let resumes = [
        Resume::Step { mode: StepMode::Over, count: 1, thread: None },
        Resume::Step { mode: StepMode::In, count: 2, thread: None },
        Resume::Continue,
        Resume::Step { mode: StepMode::Out, count: 1, thread: None },
        Resume::Continue,
        Resume::Continue,
    ];
    for resume in resumes {
        let stack = StackQuery { thread: None, start_frame: 0, max_frames: 20, include_external: false };
        let variables = VariablesQuery {
            at: FrameRef::default(),
            scope: Scope::All,
            path: None,
            depth: 1,
            start: 0,
            count: None,
            filter: None,
            timeout: None,
        };
        let evaluate = EvaluateQuery {
            at: FrameRef::default(),
            expressions: vec!["i".into(), "order.Total".into()],
            single: false,
            timeout: None,
            allow_side_effects: true,
        };
        // all on their way at once, as a client may do that does not wait for one call before the next
        let (threads, stack, variables, evaluated, list) = soon(async {
            let one = session.threads(Vec::new());
            let two = session.stack(stack);
            let three = session.variables(variables);
            let four = session.evaluate(evaluate);
            let five = registry.list_breakpoints(None, None);
            futures::join!(one, two, three, four, five)
        })
        .await;
        answers.push(threads.map(|_| None));
        answers.push(stack.map(|_| None));
        answers.push(variables.map(|_| None));
        answers.push(evaluated.map(|_| None));
        answers.push(list.map(|_| None));
        answers.push(soon(session.resume(resume, Include::default(), short())).await.map(Some));
    }
    answers.push(soon(session.wait(WaitFor::default(), Include::default(), short())).await.map(Some));
    answers
}

#[tokio::test(start_paused = true)]
async fn an_adapter_that_dies_behind_any_message_is_reported_of_and_leaves_nothing() {
    for (adapter, name, lines) in RECORDINGS {
        let counted = Arc::new(AtomicUsize::new(0));
        let player = mortal(adapter, name, usize::MAX, Arc::clone(&counted));
        let registry = Registry::new(Settings { player: Some(player), ..Settings::default() });
        let whole = story(&registry, spec(name, lines)).await;
        assert!(whole[0].is_ok(), "{adapter}/{name}: {:?}", whole[0]);
        registry.shutdown().await;
        drop(registry);
        settle().await;
        let total = counted.load(Ordering::Relaxed);
        assert!(total > 20, "{adapter}/{name}: only {total} messages");
        let tasks = tokio::runtime::Handle::current().metrics().num_alive_tasks();
        let mut lost = 0;
        for position in 0..total {
            let said = Arc::new(AtomicUsize::new(0));
            let player = mortal(adapter, name, position, Arc::clone(&said));
            let registry = Registry::new(Settings { player: Some(player), ..Settings::default() });
            let answers = story(&registry, spec(name, lines)).await;
            let place = format!("{adapter}/{name} dead after {position} of {total}");
            lost += check(&place, &answers);
            settle().await;
            assert_eq!(registry.live_count(), 0, "{place}");
            // what was reported before can be read still
            assert!(soon(registry.list_breakpoints(None, None)).await.is_ok(), "{place}");
            registry.shutdown().await;
            drop(registry);
            tokio::time::sleep(Duration::from_secs(30)).await;
            let left = tokio::runtime::Handle::current().metrics().num_alive_tasks();
            assert_eq!(left, tasks, "{place}: tasks are left");
        }
        assert!(lost * 2 > total, "{adapter}/{name}: {lost} of {total} deaths were reported");
    }
}

/// Answers whether the death was reported; it must be unless the program had ended before.
fn check(place: &str, answers: &[Result<Option<Report>, SessionError>]) -> usize {
    let mut over = None;
    for (at, answer) in answers.iter().enumerate() {
        match answer {
            Ok(Some(Report { outcome: Outcome::Exited(_), .. })) => over = Some(Code::NotStopped),
            Ok(Some(_)) => assert!(over.is_none(), "{place}: answer {at} is {answer:?} after the end"),
            Ok(None) => {}
            Err(error) => {
                assert!(!error.message.is_empty() && !error.hint.is_empty(), "{place}: {error:?}");
                let allowed = match over {
                    // it is reported once as such; later calls say what is so now
                    Some(_) => matches!(error.code, Code::AdapterLost | Code::NotStopped | Code::NotRunning),
                    None => {
                        matches!(error.code, Code::AdapterLost | Code::AdapterError)
                            || error.state == Some(StateName::Running) && error.code == Code::NotStopped
                            || error.state == Some(StateName::Running) && error.code == Code::AlreadyRunning
                            || error.state == Some(StateName::Stopped)
                    }
                };
                assert!(allowed, "{place}: answer {at} is {error:?}");
                if error.code == Code::AdapterLost {
                    over = Some(Code::AdapterLost);
                    assert!(error.message.contains("SIGSEGV"), "{place}: {error:?}");
                }
            }
        }
    }
    assert!(over.is_some(), "{place}: nobody was answered: {answers:?}");
    usize::from(over == Some(Code::AdapterLost))
}

#[tokio::test(start_paused = true)]
async fn a_launch_after_a_lost_adapter_works_in_the_same_server() {
    let mut talk = Talk::stopped(46).await;
    talk.adapter.dies(-6);
    let error = soon(talk.go_on()).await.unwrap_err();
    assert_eq!(error.code, Code::AdapterLost);
    assert!(error.message.contains("SIGABRT"), "{error}");
    let launch = talk.registry.launch(LaunchSpec::default(), Include::default(), now());
    talk.stage.adapter().await;
    is_running(soon(launch).await);
    let again = talk.session.clone();
    assert_eq!(again.state().state, StateName::NotAttached);
    assert_eq!(talk.registry.live_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_adapter_that_is_lost_during_a_call_shows_what_it_was_asked() {
    use clrbridge::dap::request::Evaluate;
    let talk = Talk::stopped(46).await;
    talk.adapter.hold::<Evaluate>();
    let evaluate = EvaluateQuery {
        at: FrameRef::default(),
        expressions: vec!["Endless()".into()],
        single: true,
        timeout: None,
        allow_side_effects: true,
    };
    let evaluated = talk.session.evaluate(evaluate);
    talk.adapter.expect::<Evaluate>().await;
    talk.adapter.dies(-11);
    let error = soon(evaluated).await.unwrap_err();
    assert_eq!(error.code, Code::AdapterLost);
    assert!(error.message.contains("was killed by SIGSEGV while evaluating Endless()"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn an_adapter_that_answers_nothing_is_lost_after_20_seconds() {
    let talk = Talk::stopped(46).await;
    let step = talk.step();
    talk.adapter.stays();
    let began = tokio::time::Instant::now();
    let error = soon(step).await.unwrap_err();
    assert_eq!(error.code, Code::AdapterLost);
    assert!(error.message.contains("no response to `next` for 20 s"), "{error}");
    assert_eq!(began.elapsed().as_secs(), 20);
    assert_eq!(talk.session.state().state, StateName::NotAttached);
}

/// An adapter that evaluates C# keeps to the caller's time itself.
#[tokio::test(start_paused = true)]
async fn an_adapter_may_evaluate_for_as_long_as_the_caller_allows() {
    use clrbridge::dap::request::Evaluate;
    let mut world = world();
    world.capabilities["supportsCSharpExpressions"] = true.into();
    let talk = Talk::with("netcoredbg", world, |_| {}).await;
    talk.stop_here(46).await;
    let evaluate = EvaluateQuery {
        at: FrameRef::default(),
        expressions: vec!["list.Count(it => it.IsSlow())".into()],
        single: true,
        timeout: Some(Duration::from_secs(60)),
        allow_side_effects: true,
    };
    talk.adapter.hold::<Evaluate>();
    let evaluated = talk.session.evaluate(evaluate.clone());
    let asked = talk.adapter.expect::<Evaluate>().await;
    tokio::time::sleep(Duration::from_secs(55)).await;
    asked.reply(serde_json::json!({"result": "3", "type": "int", "variablesReference": 0}));
    assert!(soon(evaluated).await.is_ok());
    let began = tokio::time::Instant::now();
    assert_eq!(code(soon(talk.session.evaluate(evaluate)).await), Code::EvaluationTimeout);
    assert_eq!(began.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn a_running_program_may_be_silent_for_as_long_as_it_likes() {
    for sign in [("module", CORELIB), ("output", r#"{"category": "stdout", "output": "x"}"#)] {
        let mut talk = Talk::running().await;
        talk.adapter.emit(sign.0, serde_json::from_str(sign.1).unwrap());
        tokio::time::sleep(Duration::from_secs(3000)).await;
        assert_eq!(talk.session.state().state, StateName::Running);
        assert!(talk.stage.is_quiet(), "started again after {sign:?}");
    }
}

/// netcoredbg 3.1.2 on a busy machine, one start of 500: `configurationDone` is answered, and no module ever comes.
#[tokio::test(start_paused = true)]
async fn a_program_that_hangs_at_its_start_is_started_again() {
    let (mut stage, settings) = Stage::new("netcoredbg", world());
    let registry = Registry::new(settings);
    let spec = LaunchSpec { breakpoints: vec![at(46)], ..LaunchSpec::default() };
    let reply = registry.launch(spec, Include::default(), long());
    let hung = stage.adapter().await;
    let second = stage.adapter().await;
    second.emit("module", serde_json::from_str(CORELIB).unwrap());
    second.stopped_at("breakpoint", MAIN, 46);
    assert_eq!(line(soon(reply).await), 46);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(hung.stdin_is_closed() && stage.is_quiet());
    assert_eq!(registry.live_count(), 1);
}

const CORELIB: &str = r#"{"reason": "new", "module": {"id": "corelib", "name": "System.Private.CoreLib.dll"}}"#;

#[tokio::test(start_paused = true)]
async fn a_closed_stdout_of_an_adapter_that_lives_is_reported_as_such() {
    let talk = Talk::running().await;
    talk.adapter.stays();
    let wait = talk.wait();
    talk.adapter.closes_stdout();
    let error = soon(wait).await.unwrap_err();
    assert_eq!(error.code, Code::AdapterLost);
}

/// `exited`, `terminated` and the end of the stream, in every order; the exit code is known where it was reported.
#[tokio::test(start_paused = true)]
async fn an_end_is_reported_once_in_every_order_of_exited_terminated_and_end_of_file() {
    let orders = [
        ["exited", "terminated", "eof"],
        ["terminated", "exited", "eof"],
        ["exited", "eof", "-"],
        ["terminated", "eof", "-"],
        ["exited", "-", "-"],
        ["terminated", "-", "-"],
    ];
    for order in orders {
        for pieces in [true, false] {
            let talk = Talk::running().await;
            let (one, two) = (talk.wait(), talk.go_on());
            for message in order {
                match message {
                    "exited" => talk.adapter.emit("exited", serde_json::json!({"exitCode": 7})),
                    "terminated" => talk.adapter.emit("terminated", serde_json::json!({})),
                    "eof" => talk.adapter.dies(0),
                    _ => {}
                }
                if pieces {
                    settle().await;
                }
            }
            for wait in [one, two] {
                let report = soon(wait).await.unwrap();
                let Outcome::Exited(exit) = report.outcome else { panic!("{order:?}: {report:?}") };
                let known = order.contains(&"exited");
                assert_eq!(exit.exit_code, known.then_some(7), "{order:?}");
            }
            assert_eq!(code(soon(talk.wait()).await), Code::NotRunning, "{order:?}");
            assert_eq!(code(soon(talk.pause()).await), Code::NotRunning, "{order:?}");
            assert_eq!(code(soon(talk.go_on()).await), Code::NotStopped, "{order:?}");
        }
    }
}

/// Both adapters give up on a property that never returns after 15 s, with these words, and answer nothing from then on.
#[tokio::test(start_paused = true)]
async fn an_adapter_that_gave_up_on_an_evaluation_and_is_deaf_is_lost_two_seconds_later() {
    use clrbridge::dap::request::{Evaluate, Threads};
    let talk = Talk::stopped(46).await;
    let evaluate = EvaluateQuery {
        at: FrameRef::default(),
        expressions: vec!["order.Endless()".into()],
        single: true,
        timeout: None,
        allow_side_effects: true,
    };
    talk.adapter.hold::<Evaluate>();
    let evaluated = talk.session.evaluate(evaluate);
    let asked = talk.adapter.expect::<Evaluate>().await;
    talk.adapter.hold::<Threads>();
    let began = tokio::time::Instant::now();
    asked.refuse("Command execution timed out.");
    let error = soon(evaluated).await.unwrap_err();
    assert_eq!(error.code, Code::AdapterLost, "{error}");
    assert!(
        error.message.contains("stopped responding after an evaluation timed out")
            && error.message.contains("order.Endless()"),
        "{error}"
    );
    assert_eq!(began.elapsed().as_secs(), 2);
    let state = talk.session.state();
    assert_eq!((state.state, state.why.as_deref()), (StateName::NotAttached, Some(error.message.as_str())));
    let error = soon(talk.go_on()).await.unwrap_err();
    assert!(error.message.contains("stopped responding after an evaluation timed out"), "{error}");
}
