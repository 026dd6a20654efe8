//! Whatever is called and whatever the adapter does: every call gets an answer that is a result or an error with a hint,
//! a stop is never lost, every wait ends. A few hundred cases; `CLRBRIDGE_CASES` says how many else,
//! and `CLRBRIDGE_SEED` which: CI plays the same ten thousand every time.

use std::sync::Arc;
use std::time::Duration;

use clrbridge::config::ServerOptions;
use clrbridge::dap::StopReason;
use clrbridge::mcp::Dispatch;
use clrbridge::session::ids::{EventSeq, ThreadId};
use clrbridge::session::state::{Effect, Ended, Input, Machine, Phase, State};
use clrbridge::session::stopped::Stopped;
use clrbridge::session::{Code, Registry};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::scripted::{Adapter, Stage};
use crate::talk::{MAIN, OTHER, path, world};

fn cases(usual: u32) -> ProptestConfig {
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let cases = number("CLRBRIDGE_CASES").and_then(|cases| cases.try_into().ok()).unwrap_or(usual);
    let rng_seed = number("CLRBRIDGE_SEED").map_or(RngSeed::Random, RngSeed::Fixed);
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

#[derive(Debug, Clone, Copy)]
enum Happens {
    Phase,
    Started,
    Stopped,
    Resumed,
    Refused,
    Ended,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        2 => Just(Happens::Phase),
        3 => Just(Happens::Started),
        6 => Just(Happens::Stopped),
        6 => Just(Happens::Resumed),
        2 => Just(Happens::Refused),
        1 => Just(Happens::Ended),
    ]
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn the_reducer_is_total_and_loses_no_stop(sequence in proptest::collection::vec(happens(), 0..40)) {
        let mut machine = Machine::new(Phase::Launching);
        let (mut completed, mut entered, mut ends) = (0, 0, 0);
        let mut last: Option<Stopped> = None;
        for (seq, what) in (1..).zip(sequence) {
            let input = match what {
                Happens::Phase => Input::Phase(Phase::Binding),
                Happens::Started => Input::Started,
                Happens::Stopped => Input::Stopped { seq: EventSeq(seq), thread: ThreadId(1), reason: StopReason::Step, hit: Default::default(), returned: Default::default(), text: None },
                Happens::Resumed => Input::Resumed { unheard: seq % 2 == 0 },
                Happens::Refused => match last.clone() {
                    Some(stop) => Input::ResumeRefused(stop),
                    None => continue,
                },
                Happens::Ended => Input::Ended(Box::<Ended>::default()),
            };
            let before = machine.state().clone();
            let effects = machine.apply(input, std::time::Instant::now());
            let after = machine.state();
            match (&before, what) {
                (State::Running { .. }, Happens::Stopped) => prop_assert!(matches!(after, State::Stopped(_))),
                (State::Starting { .. }, Happens::Stopped) => {
                    let kept = matches!(after, State::Starting { stop: Some(_), .. });
                    prop_assert!(kept);
                }
                (State::Starting { stop: Some(stop), .. }, Happens::Started) => {
                    let is_reported = matches!(after, State::Stopped(after) if after.seq == stop.seq);
                    prop_assert!(is_reported);
                }
                (State::Ended(_), _) => prop_assert!(matches!(after, State::Ended(_))),
                (_, Happens::Ended) => prop_assert!(matches!(after, State::Ended(_))),
                _ => {}
            }
            let newly = matches!(after, State::Stopped(_)) && !matches!(before, State::Stopped(_));
            entered += usize::from(newly && !matches!(what, Happens::Refused));
            completed += effects.iter().filter(|effect| matches!(effect, Effect::Complete(_))).count();
            ends += effects.iter().filter(|effect| **effect == Effect::Forget).count();
            if let State::Stopped(stop) = after {
                last = Some(stop.clone());
            }
        }
        prop_assert_eq!(completed, entered, "each stop is completed once");
        prop_assert_eq!(ends, usize::from(matches!(machine.state(), State::Ended(_))), "an end is reported once");
    }
}

/// What the adapter does when it is asked for something that a test usually answers.
#[derive(Debug, Clone, Copy)]
enum Move {
    Usual,
    Refuse,
    Silence,
    StopThenAnswer,
    AnswerThenStop,
    StopElsewhere,
    Garbage,
    Exit,
    Die,
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![
        6 => Just(Move::Usual),
        2 => Just(Move::Refuse),
        1 => Just(Move::Silence),
        6 => Just(Move::StopThenAnswer),
        8 => Just(Move::AnswerThenStop),
        3 => Just(Move::StopElsewhere),
        1 => Just(Move::Garbage),
        1 => Just(Move::Exit),
        1 => Just(Move::Die),
    ]
}

/// How the client treats a call.
#[derive(Debug, Clone, Copy)]
enum Patience {
    ToTheEnd,
    Cancelled,
    /// The call is answered, and the client is gone: its answer never arrives.
    Undelivered,
    /// Together with the next call.
    Beside,
}

type Call = (&'static str, Value, Patience);

fn argument() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        Just(json!(0)),
        Just(json!(-1)),
        Just(json!(4_294_967_296_i64)),
        Just(json!("")),
        Just(json!("x")),
        Just(json!([])),
        Just(json!({"a": 1})),
        Just(json!(true)),
        Just(json!(1.5)),
    ]
}

fn calls() -> impl Strategy<Value = Call> {
    let line = prop_oneof![Just(46), Just(48), Just(60), Just(1), Just(9_999)];
    let timeout = prop_oneof![Just(0), Just(50), Just(3_000)];
    let expression = prop_oneof![Just("i"), Just("nope"), Just("a.b[0]"), Just("f("), Just("i / 0")];
    let sensible =
        (line, timeout, expression, 0..34_usize).prop_map(|(line, timeout, expression, which)| match which {
            0..=2 => (
                "debug_launch",
                json!({"program": "x.dll", "timeout_ms": timeout, "breakpoints": [{"file": path(), "line": line}]}),
            ),
            3 => ("debug_attach", json!({"pid": 7, "timeout_ms": timeout})),
            4..=6 => ("debug_continue", json!({"timeout_ms": timeout})),
            7 | 8 => ("debug_step", json!({"mode": "over", "count": 1 + line % 3, "timeout_ms": timeout})),
            9 => ("debug_step", json!({"mode": "in", "timeout_ms": timeout, "thread_id": OTHER})),
            10 => ("debug_step", json!({"mode": "out", "timeout_ms": timeout})),
            11 => ("debug_pause", json!({"timeout_ms": timeout})),
            12 => ("debug_run_to", json!({"file": path(), "line": line, "timeout_ms": timeout})),
            13 => ("breakpoint_set", json!({"file": path(), "line": line})),
            14 => ("breakpoint_set", json!({"file": path(), "line": line, "condition": "i == 3"})),
            15 => (
                "breakpoint_set",
                json!({"file": path(), "line": line, "hit_condition": "%2", "temporary": timeout == 0}),
            ),
            16 => ("breakpoint_set", json!({"function": "Basics.Program.Main"})),
            17 => ("tracepoint_set", json!({"file": path(), "line": line, "message": "i={i} {nope}"})),
            18 => ("breakpoint_enable", json!({"id": 1, "enabled": timeout == 0})),
            19 => ("breakpoint_remove", json!({"all": true})),
            20 => ("breakpoint_remove", json!({"id": 1})),
            21 => ("breakpoint_wait", json!({"timeout_ms": timeout})),
            22 => (
                "breakpoint_set_exception",
                json!({"types": ["*"], "mode": if timeout == 0 { "never" } else { "thrown" }}),
            ),
            23 => ("variables_get", json!({"path": expression})),
            24 => ("stacktrace_get", json!({"start_frame": line % 3})),
            25 => ("evaluate", json!({"expression": expression, "timeout_ms": timeout + 1})),
            26 => ("threads_list", json!({"expressions": [expression]})),
            27 => ("debug_restart", json!({"timeout_ms": timeout})),
            28 => ("debug_disconnect", json!({"terminate": timeout != 0})),
            29 => ("frame_select", json!({"frame": line % 3})),
            30 => ("watch_set", json!({"expressions": [expression]})),
            31 => ("variable_set", json!({"path": "i", "value": "4"})),
            32 => ("exception_get_context", json!({})),
            _ => ("breakpoint_list", json!({})),
        });
    let names: Vec<&'static str> = clrbridge::mcp::tools::all().iter().map(|tool| tool.name).collect();
    let keys = prop_oneof![
        Just("program"),
        Just("line"),
        Just("file"),
        Just("id"),
        Just("timeout_ms"),
        Just("session_id"),
        Just("path"),
        Just("expression"),
        Just("mode"),
        Just("thread_id"),
        Just("frame"),
        Just("unheard_of"),
        Just("types"),
    ];
    let wild = (proptest::sample::select(names), proptest::collection::vec((keys, argument()), 0..4)).prop_map(
        |(name, arguments)| {
            let arguments = arguments.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
            (name, Value::Object(arguments))
        },
    );
    let patience = prop_oneof![4 => Just(Patience::ToTheEnd), 1 => Just(Patience::Cancelled), 1 => Just(Patience::Undelivered), 2 => Just(Patience::Beside)];
    (prop_oneof![5 => sensible, 1 => wild], patience)
        .prop_map(|((name, arguments), patience)| (name, arguments, patience))
}

/// Plays until its moves are used up; then it answers as usual.
async fn play(adapter: Adapter, moves: Vec<Move>) {
    let mut moves = moves.into_iter().cycle().take(200);
    loop {
        let asked = adapter.next_waiting().await;
        let reason = match asked.command.as_str() {
            "next" | "stepIn" | "stepOut" => "step",
            "pause" => "pause",
            _ => "breakpoint",
        };
        let stops = matches!(asked.command.as_str(), "continue" | "next" | "stepIn" | "stepOut" | "pause");
        match moves.next().unwrap_or(Move::Usual) {
            Move::Refuse => asked.refuse("Failed command : 0x80004005"),
            Move::Silence => {}
            Move::StopThenAnswer if stops => {
                adapter.stopped_at(reason, MAIN, 46);
                asked.usual();
            }
            Move::AnswerThenStop if stops => {
                asked.usual();
                adapter.stopped_at(reason, MAIN, 48);
            }
            Move::StopElsewhere if stops => {
                asked.usual();
                adapter.stopped_at("breakpoint", OTHER, 60);
            }
            Move::Garbage => {
                adapter.body("{]");
                asked.reply(json!([7]));
            }
            Move::Exit => {
                asked.usual();
                adapter.exits(3);
            }
            Move::Die => adapter.dies(-11),
            _ => asked.usual(),
        }
    }
}

async fn run(calls: Vec<Call>, moves: Vec<Move>) -> Result<(), TestCaseError> {
    let mut start = world();
    start.held = vec!["evaluate", "stackTrace", "setBreakpoints"];
    let (mut stage, settings) = Stage::new("netcoredbg", start);
    let registry = Registry::new(settings);
    let options = ServerOptions { toolsets: "all".parse().unwrap(), ..ServerOptions::default() };
    let dispatch = Dispatch::new(registry.clone(), options, Arc::new(|| Box::pin(async { Vec::new() })));
    let players = tokio::spawn(async move {
        let mut playing = tokio::task::JoinSet::new();
        while let Some(adapter) = stage.next().await {
            playing.spawn(play(adapter, moves.clone()));
        }
    });
    let mut beside = Vec::new();
    for (name, arguments, patience) in calls {
        let dispatch = dispatch.clone();
        let words = format!("{name} {arguments}");
        let Value::Object(arguments) = arguments else { unreachable!() };
        let work = async move {
            let tool = dispatch.find(name).unwrap();
            let (phase, _) = watch::channel(String::new());
            let mut answer = dispatch.call(tool, arguments, phase).await;
            if !matches!(patience, Patience::Undelivered) {
                answer.delivered();
            }
            (words, answer.failed, answer.structured.clone())
        };
        match patience {
            Patience::Beside => beside.push(tokio::spawn(work)),
            Patience::Cancelled => drop(tokio::time::timeout(Duration::from_millis(20), work).await),
            Patience::ToTheEnd | Patience::Undelivered => {
                let answer = tokio::time::timeout(LIMIT, work).await;
                check(answer.map_err(|_| TestCaseError::fail(format!("{name} was never answered")))?)?;
            }
        }
    }
    for work in beside {
        let answer = tokio::time::timeout(LIMIT, work).await;
        let answer = answer.map_err(|_| TestCaseError::fail("a call beside others was never answered"))?;
        check(answer.map_err(|error| TestCaseError::fail(error.to_string()))?)?;
    }
    let ended = tokio::time::timeout(LIMIT, registry.shutdown()).await;
    players.abort();
    prop_assert!(ended.is_ok(), "the end hangs");
    prop_assert_eq!(registry.live_count(), 0);
    Ok(())
}

/// Above everything that has a limit of its own: a start is 40 s, a hung adapter 20 s, and calls may stand in line.
const LIMIT: Duration = Duration::from_secs(900);

fn check((call, failed, answer): (String, bool, Value)) -> Result<(), TestCaseError> {
    prop_assert!(answer.is_object(), "{}: {}", call, answer);
    if failed {
        let code = answer["code"].as_str().unwrap_or_default();
        prop_assert!(Code::ALL.iter().any(|known| known.as_str() == code), "{}: {}", call, answer);
        prop_assert_ne!(code, "internal_error", "{}: {}", call, answer);
        for part in ["message", "hint"] {
            prop_assert!(
                answer[part].as_str().is_some_and(|text| !text.is_empty()),
                "{}: no {} in {}",
                call,
                part,
                answer
            );
        }
    }
    Ok(())
}

/// The cases are played in as many parts at a time: a case waits for nothing but the processor.
const PARTS: u32 = 4;

#[test]
fn any_calls_against_any_adapter_are_all_answered() {
    let config = cases(100);
    let strategy = || (proptest::collection::vec(calls(), 1..14), proptest::collection::vec(moves(), 1..12));
    let play = &|part: u32| {
        let rng_seed = match config.rng_seed {
            RngSeed::Fixed(seed) => RngSeed::Fixed(seed.wrapping_mul(u64::from(PARTS)).wrapping_add(u64::from(part))),
            RngSeed::Random => RngSeed::Random,
        };
        let config = ProptestConfig { cases: config.cases.div_ceil(PARTS), rng_seed, ..config.clone() };
        TestRunner::new(config).run(&strategy(), |(calls, moves)| {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
            let launch = ("debug_launch", json!({"program": "x.dll", "timeout_ms": 10}), Patience::ToTheEnd);
            runtime.block_on(run(std::iter::once(launch).chain(calls).collect(), moves))
        })
    };
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..PARTS).map(|part| scope.spawn(move || play(part))).collect();
        for part in parts {
            part.join().unwrap().unwrap_or_else(|error| panic!("{error}"));
        }
    });
}

#[tokio::test(start_paused = true)]
async fn a_disconnect_beside_a_restart_is_answered() {
    let breakpoints = json!([{"file": path(), "line": 46}]);
    let calls = vec![
        ("debug_launch", json!({"program": "x.dll", "timeout_ms": 10}), Patience::ToTheEnd),
        ("debug_pause", json!({"timeout_ms": 0}), Patience::ToTheEnd),
        ("debug_continue", json!({"timeout_ms": 0}), Patience::ToTheEnd),
        ("debug_continue", json!({"timeout_ms": 0}), Patience::ToTheEnd),
        (
            "debug_launch",
            json!({"program": "x.dll", "timeout_ms": 3000, "breakpoints": breakpoints}),
            Patience::ToTheEnd,
        ),
        ("debug_restart", json!({"timeout_ms": 0}), Patience::Beside),
        ("debug_disconnect", json!({"terminate": false}), Patience::ToTheEnd),
    ];
    run(calls, vec![Move::StopThenAnswer, Move::Exit]).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_restart_behind_a_start_that_fails_is_answered() {
    let breakpoints = json!([{"file": path(), "line": 46}]);
    let calls = vec![
        ("debug_launch", json!({"program": "x.dll", "timeout_ms": 10}), Patience::ToTheEnd),
        ("breakpoint_set", json!({"file": path(), "line": 46}), Patience::ToTheEnd),
        ("debug_launch", json!({"program": "x.dll", "timeout_ms": 0, "breakpoints": breakpoints}), Patience::Beside),
        ("debug_continue", json!({"timeout_ms": 0}), Patience::ToTheEnd),
        ("debug_restart", json!({"timeout_ms": 0}), Patience::ToTheEnd),
    ];
    run(calls, vec![Move::Silence]).await.unwrap();
}

/// The session is forgotten with the launch that nobody waits for any more, while the restart stands in line.
#[tokio::test(start_paused = true)]
async fn a_restart_behind_a_start_that_is_called_off_is_answered() {
    let breakpoints = json!([{"file": path(), "line": 46}]);
    let launch = json!({"program": "x.dll", "timeout_ms": 0, "breakpoints": breakpoints});
    for _ in 0..200 {
        let calls = vec![
            ("debug_launch", launch.clone(), Patience::Cancelled),
            ("debug_restart", json!({"timeout_ms": 0}), Patience::ToTheEnd),
        ];
        run(calls, vec![Move::Silence]).await.unwrap();
    }
}

/// The evaluation was asked after the actor had begun to listen, so its deadline was not in what it waited for.
#[tokio::test(start_paused = true)]
async fn an_evaluation_that_is_asked_late_and_never_answered_ends_with_the_adapter() {
    let calls = vec![
        ("debug_launch", json!({"program": "x.dll", "timeout_ms": 10}), Patience::ToTheEnd),
        ("debug_pause", json!({"timeout_ms": 0}), Patience::ToTheEnd),
        ("variables_get", json!({"path": "i"}), Patience::ToTheEnd),
    ];
    run(calls, vec![Move::StopThenAnswer, Move::StopThenAnswer, Move::Silence]).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_look_between_edits_is_answered() {
    let calls = vec![
        ("debug_launch", json!({"program": "x.dll", "timeout_ms": 10}), Patience::ToTheEnd),
        ("breakpoint_set", json!({"file": path(), "line": 46}), Patience::Beside),
        ("threads_list", json!({"expressions": ["i"]}), Patience::Beside),
        ("breakpoint_set", json!({"file": path(), "line": 46, "condition": "i == 3"}), Patience::ToTheEnd),
    ];
    run(calls, vec![Move::StopThenAnswer; 3]).await.unwrap();
}
