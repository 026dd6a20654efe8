//! Adapters that answer garbage, nothing, too late, twice, or to something else; and sizes that nobody expects.

use clrbridge::dap::Request;
use clrbridge::dap::request::{Continue, Evaluate, Initialize, Next, StackTrace, Threads};
use clrbridge::session::{
    Code, Content, EvaluateQuery, EvaluateView, FrameRef, Include, LaunchSpec, Registry, Resume, Scope, StackQuery,
    StateName, StopReason, VariablesQuery,
};
use serde_json::json;

use crate::scripted::{Frame, Stage, World, settle};
use crate::talk::*;

pub fn evaluate(expression: &str) -> EvaluateQuery {
    EvaluateQuery {
        at: FrameRef::default(),
        expressions: vec![expression.into()],
        single: true,
        timeout: None,
        allow_side_effects: true,
    }
}

pub fn variables() -> VariablesQuery {
    VariablesQuery {
        at: FrameRef::default(),
        scope: Scope::All,
        path: None,
        depth: 1,
        start: 0,
        count: None,
        filter: None,
        timeout: None,
    }
}

pub fn stack(max_frames: usize) -> StackQuery {
    StackQuery { thread: None, start_frame: 0, max_frames, include_external: false }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_no_message_costs_that_message_alone() {
    let talk = Talk::stopped(46).await;
    let step = talk.step();
    let asked = talk.adapter.expect::<Next>().await;
    let deep = "[".repeat(50_000);
    for body in ["", "{", "[]", "null", "\u{0}", "{\"type\":\"event\"}", "{\"type\":\"response\"}", deep.as_str()] {
        talk.adapter.body(body.to_owned());
    }
    talk.adapter.body(vec![0xff, 0xfe, b'{']);
    talk.adapter.emit("stopped", json!({"reason": 7}));
    talk.adapter.emit("unheardOf", json!({"a": [1]}));
    settle().await;
    asked.ok();
    talk.adapter.stopped_at("step", MAIN, 48);
    assert_eq!(line(soon(step).await), 48);
}

#[tokio::test(start_paused = true)]
async fn requests_of_the_adapter_are_refused_in_words_and_the_talk_goes_on() {
    let talk = Talk::stopped(46).await;
    for (seq, command) in [(501, "handshake"), (502, "runInTerminal"), (503, "startDebugging"), (504, "whatever")] {
        talk.adapter.body(json!({"seq": seq, "type": "request", "command": command, "arguments": {}}).to_string());
    }
    settle().await;
    let answers = talk.adapter.responses();
    assert_eq!(answers.len(), 4);
    for (answer, seq) in answers.iter().zip(501..) {
        assert_eq!((&answer["success"], &answer["request_seq"]), (&json!(false), &json!(seq)));
        assert!(answer["message"].as_str().unwrap().starts_with("clrbridge "), "{answer}");
    }
    assert!(soon(talk.session.stack(stack(5))).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn answers_that_come_twice_late_or_to_nobody_change_nothing() {
    let talk = Talk::stopped(46).await;
    let step = talk.step();
    let asked = talk.adapter.expect::<Next>().await;
    let seq = asked.seq;
    talk.adapter.stopped_at("step", MAIN, 48);
    assert_eq!(line(soon(step).await), 48);
    let step = talk.step();
    let second = talk.adapter.expect::<Next>().await;
    // the first answer comes now, as a refusal, twice; and one to a question that nobody asked
    talk.adapter.respond(seq, "next", Err("too late".into()));
    talk.adapter.respond(seq, "next", Err("too late".into()));
    talk.adapter.respond(99_999, "continue", Ok(json!({})));
    talk.adapter.respond(0, "next", Err("can't parse".into()));
    settle().await;
    assert_eq!(talk.session.state().state, StateName::Running, "the second step is under way");
    second.ok();
    talk.adapter.stopped_at("step", MAIN, 49);
    assert_eq!(line(soon(step).await), 49);
    drop(asked);
}

#[tokio::test(start_paused = true)]
async fn a_success_of_another_shape_shows_no_value_and_costs_nothing_else() {
    let talk = Talk::stopped(46).await;
    // Without a result: nothing is known of the value. What is no object at all is a refusal.
    for (body, shown) in [
        (json!(null), Some("{…}")),
        (json!([]), Some("{…}")),
        (json!({"stackFrames": 7}), Some("{…}")),
        (json!("x"), None),
    ] {
        talk.adapter.hold::<Evaluate>();
        let evaluated = talk.session.evaluate(evaluate("i"));
        talk.adapter.expect::<Evaluate>().await.reply(body.clone());
        talk.adapter.release::<Evaluate>();
        let content = match soon(evaluated).await {
            Ok(EvaluateView::One(content)) => Ok(content.content),
            Ok(_) => panic!("one was asked for"),
            Err(error) => Err(error.code),
        };
        let expected = shown.map(|shown| Content::Value(shown.into())).ok_or(Code::EvaluationFailed);
        assert_eq!(content, expected, "{body}");
        assert_eq!(talk.session.state().state, StateName::Stopped);
    }
    assert!(matches!(soon(talk.session.evaluate(evaluate("i"))).await.unwrap(), EvaluateView::One(_)));
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_reported_without_what_the_adapter_will_not_show() {
    let talk = Talk::running().await;
    let wait = talk.wait();
    talk.adapter.hold::<StackTrace>();
    talk.adapter.hold::<Threads>();
    talk.adapter.stopped("pause", MAIN);
    talk.adapter.expect::<StackTrace>().await.refuse("Failed command 'stackTrace' : 0x80131302");
    talk.adapter.expect::<Threads>().await.refuse("no");
    let report = soon(wait).await.unwrap();
    assert_eq!(
        report.note.as_deref(),
        Some("no frame of this thread has source; threads_list shows the other threads")
    );
    let stop = stop(Ok(report));
    assert_eq!((stop.reason, stop.location), (StopReason::DebuggerBreak, None));
}

#[tokio::test(start_paused = true)]
async fn stops_on_threads_that_do_not_exist_and_stops_while_stopped_are_survived() {
    let talk = Talk::running().await;
    let wait = talk.wait();
    talk.adapter.emit("stopped", json!({"reason": "pause"}));
    talk.adapter.emit("stopped", json!({"reason": "breakpoint", "threadId": MAIN}));
    talk.adapter.emit("stopped", json!({"reason": "brand new", "threadId": 77}));
    let first = stop(soon(wait).await);
    assert_eq!(
        (first.reason, first.thread.map(|thread| thread.0)),
        (StopReason::DebuggerBreak, Some(clrbridge::session::ids::ThreadId(0)))
    );
    let go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("pause", MAIN, 48);
    assert_eq!(line(soon(go).await), 48);
}

#[tokio::test(start_paused = true)]
async fn a_start_that_the_adapter_spoils_is_reported_and_ended() {
    let refused: [(&'static str, &str, Code); 3] = [
        ("launch", "can't parse: type must be array", Code::LaunchFailed),
        ("configurationDone", "Failed command 'configurationDone' : 0x80131c3c", Code::LaunchFailed),
        ("initialize", "no", Code::LaunchFailed),
    ];
    for (command, words, expected) in refused {
        let (mut stage, settings) = Stage::new("netcoredbg", World { held: vec![command], ..world() });
        let registry = Registry::new(settings);
        let launch = registry.launch(LaunchSpec::default(), Include::default(), long());
        let adapter = stage.adapter().await;
        refuse(&adapter, command, words).await;
        let error = soon(launch).await.unwrap_err();
        assert_eq!(error.code, expected, "{command}: {error}");
        settle().await;
        assert!(adapter.stdin_is_closed(), "{command}");
        assert_eq!(registry.live_count(), 0, "{command}");
    }
}

/// Both adapters give up 5 s after `configurationDone` when the runtime is not there, which happens on a busy machine.
#[tokio::test(start_paused = true)]
async fn a_runtime_that_comes_up_too_late_is_started_again_three_times_in_all() {
    for spoilt in [1, 2, 3] {
        let (mut stage, settings) = Stage::new("netcoredbg", World { held: vec!["configurationDone"], ..world() });
        let registry = Registry::new(settings);
        let spec = LaunchSpec { breakpoints: vec![at(46)], ..LaunchSpec::default() };
        let launch = registry.launch(spec, Include::default(), long());
        let mut spoilt_ones = Vec::new();
        for _ in 0..spoilt {
            let adapter = stage.adapter().await;
            refuse(&adapter, "configurationDone", "Failed command 'configurationDone' : 0x80004005").await;
            spoilt_ones.push(adapter);
        }
        if spoilt == 3 {
            let error = soon(launch).await.unwrap_err();
            assert_eq!(error.code, Code::LaunchFailed, "{error}");
            assert!(error.message.contains("the runtime did not start"), "{error}");
            settle().await;
            assert_eq!(registry.live_count(), 0);
        } else {
            let adapter = stage.adapter().await;
            adapter.expect::<clrbridge::dap::request::ConfigurationDone>().await.ok();
            assert_eq!(adapter.asked::<clrbridge::dap::request::SetBreakpoints>().len(), 1);
            adapter.stopped_at("breakpoint", MAIN, 46);
            assert_eq!(line(soon(launch).await), 46);
            assert_eq!(registry.live_count(), 1);
        }
        // the disconnect of one that is left behind has 2 s
        tokio::time::sleep(std::time::Duration::from_secs(3)).await;
        assert!(spoilt_ones.iter().all(crate::scripted::Adapter::stdin_is_closed));
        assert!(stage.is_quiet());
    }
}

async fn refuse(adapter: &crate::scripted::Adapter, command: &str, words: &str) {
    loop {
        settle().await;
        if let Some(asked) = adapter.take_waiting(command) {
            return asked.refuse(words);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_that_never_goes_on_ends_by_itself() {
    for (command, expected, seconds) in [
        (Initialize::COMMAND, Code::BackendUnusable, 10),
        ("configurationDone", Code::StartTimeout, 19),
        ("launch", Code::StartTimeout, 19),
        ("setBreakpoints", Code::AdapterLost, 20),
    ] {
        let (mut stage, settings) = Stage::new("netcoredbg", World { held: vec![command], ..world() });
        let registry = Registry::new(settings);
        let spec = LaunchSpec { breakpoints: vec![at(46)], ..LaunchSpec::default() };
        let began = tokio::time::Instant::now();
        let launch = registry.launch(spec, Include::default(), now());
        let adapter = stage.adapter().await;
        let error = soon(launch).await.unwrap_err();
        assert_eq!((error.code, began.elapsed().as_secs()), (expected, seconds), "{command}: {error}");
        tokio::time::sleep(std::time::Duration::from_secs(10)).await;
        assert!(adapter.stdin_is_closed(), "{command}");
    }
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_frames_are_paged() {
    let mut start = world();
    let deep = (0..10_000).map(|at| Frame::at("Recursion.Program.Down", &path(), 20 + at % 40)).collect();
    start.stacks.insert(MAIN, deep);
    let talk = Talk::with("netcoredbg", start, |_| {}).await;
    let stop = talk.stop_here(46).await;
    assert_eq!(stop.stack.len(), 5);
    assert_eq!(stop.more_frames, 9_994);
    assert!(talk.adapter.asked::<StackTrace>().iter().all(|asked| asked["levels"].as_u64().unwrap() <= 100));
    let page = soon(talk.session.stack(StackQuery { start_frame: 5_000, ..stack(50) })).await.unwrap();
    assert_eq!((page.frames.len(), page.frames[0].frame, page.more_frames), (50, Some(5_000), 4_950));
}

#[tokio::test(start_paused = true)]
async fn a_thousand_threads_are_grouped() {
    let mut start = world();
    for id in 1_000..2_000 {
        start.threads.push((id, format!("worker {id}")));
        start.stacks.insert(id, vec![Frame::at("Threads.Program.Work", &path(), 60)]);
    }
    let talk = Talk::with("netcoredbg", start, |_| {}).await;
    talk.stop_here(46).await;
    let groups = soon(talk.session.threads(Vec::new())).await.unwrap().groups;
    assert!(groups.len() <= 4, "{}", groups.len());
    assert_eq!(groups.iter().map(|group| group.threads.len()).sum::<usize>(), 1_002);
}

#[tokio::test(start_paused = true)]
async fn a_hundred_thousand_variables_and_megabytes_in_one_are_cut() {
    let mut start = world();
    start.locals = (0..100_000).map(|at| (format!("v{at}"), "int".into(), at.to_string())).collect();
    let talk = Talk::with("netcoredbg", start, |_| {}).await;
    let stop = talk.stop_here(46).await;
    let clrbridge::session::StopValues::Locals(shown, more) = stop.values else { panic!() };
    assert_eq!((shown.len(), more), (20, 99_980));
    let page = soon(talk.session.variables(variables())).await.unwrap();
    assert_eq!((page.variables.len(), page.next_start), (100, Some(100)));
    let page = soon(talk.session.variables(VariablesQuery { start: 99_990, ..variables() })).await.unwrap();
    assert_eq!((page.variables.len(), page.next_start), (10, None));

    let mut start = world();
    start.locals = vec![("text".into(), "string".into(), format!("\"{}\"", "x".repeat(2 << 20)))];
    let talk = Talk::with("netcoredbg", start, |_| {}).await;
    let stop = talk.stop_here(46).await;
    let clrbridge::session::StopValues::Locals(shown, _) = stop.values else { panic!() };
    assert_eq!(shown[0].length, Some(2 << 20));
    assert!(matches!(&shown[0].content, clrbridge::session::Content::Value(value) if value.len() < 200));
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_output_and_events_is_bounded_and_what_is_left_out_is_reported() {
    let talk = Talk::running().await;
    let wait = talk.wait();
    let line = format!("{}\n", "y".repeat(999));
    for _ in 0..3_000 {
        talk.adapter.emit("output", json!({"category": "stdout", "output": line}));
    }
    for id in 0..6_000 {
        talk.adapter.emit("thread", json!({"reason": "started", "threadId": id}));
    }
    talk.adapter.stopped_at("pause", MAIN, 48);
    let report = soon(wait).await.unwrap();
    let shown = report.output.stdout.len();
    assert!(shown <= 1_000, "{shown}");
    assert_eq!((shown as u64 + report.output.omitted_bytes, report.output.cursor.is_some()), (3_000 * 1_000, true));
    let all = clrbridge::session::EventsQuery {
        stream: None,
        since: clrbridge::session::EventSeq(0),
        limit: 100_000,
        event_type: None,
    };
    let events = soon(talk.session.events(all)).await.unwrap();
    assert!(events.events.len() <= 5_000 && events.oldest.0 > 1);
}

#[tokio::test(start_paused = true)]
async fn refusals_to_evaluate_keep_the_adapters_words() {
    let talk = Talk::stopped(46).await;
    for (expression, answer, expected, part) in [
        ("zzz", "error: The name 'zzz' does not exist in the current context", Code::EvaluationFailed, "zzz"),
        ("p.Slow", "Evaluation timed out.", Code::EvaluationTimeout, "did not return"),
        ("i ++ 3", "never asked", Code::EvaluationFailed, "CS1073"),
    ] {
        talk.adapter.world(|world| {
            world.values.insert(expression.into(), Err(answer.into()));
        });
        let error = soon(talk.session.evaluate(evaluate(expression))).await.unwrap_err();
        assert_eq!(error.code, expected, "{expression}: {error}");
        assert!(error.message.contains(part), "{expression}: {error}");
        assert_eq!(error.state, Some(StateName::Stopped));
    }
    for division in ["i / 0", "F(i / 0)"] {
        let error = soon(talk.session.evaluate(evaluate(division))).await.unwrap_err();
        assert_eq!(error.code, Code::EvaluationThrew);
    }
    let asked = talk.adapter.asked::<Evaluate>();
    let divides = |asked: &serde_json::Value| asked["expression"].as_str().is_some_and(|text| text.contains('/'));
    assert!(!asked.iter().any(divides), "it kills dncdbg and is never sent");
    let quiet = EvaluateQuery { allow_side_effects: false, ..evaluate("Call()") };
    assert_eq!(code(soon(talk.session.evaluate(quiet)).await), Code::SideEffects);
}

#[tokio::test(start_paused = true)]
async fn an_evaluation_that_could_not_be_aborted_is_named_until_the_program_goes_on() {
    for words in [
        "Evaluation timed out and the evaluation state is in an inconsistent state",
        "Evaluation timed out, and the code that it called cannot be aborted.",
    ] {
        let talk = Talk::stopped(46).await;
        assert_eq!(talk.session.state().note, None);
        talk.adapter.world(|world| {
            world.values.insert("p.Slow".into(), Err(words.into()));
        });
        let error = soon(talk.session.evaluate(evaluate("p.Slow"))).await.unwrap_err();
        assert!(error.message.contains("could not be aborted: it is still running"), "{error}");
        let why = "p.Slow is still running in the program and could not be aborted: values cannot be read before \
                   debug_continue";
        let asked = talk.adapter.asked::<Evaluate>().len();
        let error = soon(talk.session.evaluate(evaluate("p.Name"))).await.unwrap_err();
        assert!(error.message.contains(why), "{error}");
        assert_eq!(talk.adapter.asked::<Evaluate>().len(), asked);
        assert_eq!(talk.session.state().note.as_deref(), Some(why));
    }
}

#[tokio::test(start_paused = true)]
async fn an_expression_that_nests_without_end_is_refused_before_anybody_reads_it() {
    let talk = Talk::stopped(46).await;
    let before = talk.adapter.asked::<Evaluate>().len();
    for (piece, count) in
        [("1+", 100), ("true||", 300), ("(int)", 100), ("!", 2000), ("x=>", 900), ("f(", 500), ("x=>", 5000)]
    {
        for allow_side_effects in [true, false] {
            let query = EvaluateQuery { allow_side_effects, ..evaluate(&(piece.repeat(count) + "1")) };
            let error = soon(talk.session.evaluate(query)).await.unwrap_err();
            assert_eq!(error.code, Code::EvaluationFailed, "{piece}");
            assert!(["too deeply", "longer than"].iter().any(|part| error.message.contains(part)), "{piece}: {error}");
        }
    }
    assert_eq!(talk.adapter.asked::<Evaluate>().len(), before);
}

#[tokio::test(start_paused = true)]
async fn an_evaluation_past_its_time_is_answered_and_the_next_resume_waits_for_it() {
    let talk = Talk::stopped(46).await;
    talk.adapter.hold::<Evaluate>();
    let slow = EvaluateQuery { timeout: Some(std::time::Duration::from_millis(500)), ..evaluate("Slow()") };
    let evaluated = talk.session.evaluate(slow);
    assert_eq!(code(soon(evaluated).await), Code::EvaluationTimeout);
    let mut go = talk.go(Resume::Continue, long());
    assert!(is_open(&mut go).await);
    assert_eq!(talk.adapter.waiting(), ["evaluate"]);
    talk.adapter.expect::<Evaluate>().await.reply(json!({"result": "1", "type": "int", "variablesReference": 0}));
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("pause", MAIN, 48);
    assert_eq!(line(soon(go).await), 48);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_it_listens_ends_the_wait_also_when_it_says_so_in_pieces() {
    let talk = Talk::running().await;
    let wait = talk.wait();
    for piece in ["info: Now lis", "tening on: http://local", "host:5000\ninfo: more\n"] {
        talk.adapter.emit("output", json!({"category": "stdout", "output": piece}));
        settle().await;
    }
    let report = soon(wait).await.unwrap();
    let clrbridge::session::Outcome::StillRunning { ready, .. } = report.outcome else { panic!("{report:?}") };
    assert_eq!(ready.as_deref(), Some("http://localhost:5000"));
    assert_eq!(report.elapsed, std::time::Duration::from_millis(2));
    let mut next = talk.wait();
    assert!(is_open(&mut next).await, "said once");
}
