//! A stop is never lost, and every wait ends.

use std::time::Duration;

use clrbridge::dap::request::{Continue, Next, Pause};
use clrbridge::session::{Code, Include, Outcome, Resume, StateName, StopReason, WaitFor};
use serde_json::json;

use crate::scripted::settle;
use crate::talk::*;

/// What an adapter says to a resume, in every order.
const ORDERS: [[&str; 3]; 6] = [
    ["continued", "stopped", "response"],
    ["continued", "response", "stopped"],
    ["stopped", "continued", "response"],
    ["stopped", "response", "continued"],
    ["response", "continued", "stopped"],
    ["response", "stopped", "continued"],
];

#[tokio::test(start_paused = true)]
async fn a_resume_ends_at_its_stop_in_every_order_of_continued_stopped_and_response() {
    for order in ORDERS {
        for pieces in [true, false] {
            let talk = Talk::stopped(46).await;
            let step = talk.step();
            let mut asked = Some(talk.adapter.expect::<Next>().await);
            for message in order {
                match message {
                    "continued" => {
                        talk.adapter.emit("continued", json!({"threadId": MAIN, "allThreadsContinued": true}))
                    }
                    "stopped" => talk.adapter.stopped_at("step", MAIN, 48),
                    _ => asked.take().unwrap().ok(),
                }
                if pieces {
                    settle().await;
                }
            }
            let stop = stop(soon(step).await);
            assert_eq!((stop.reason, stop.location.unwrap().line), (StopReason::Step, 48), "{order:?}");
            assert_eq!(talk.session.state().state, StateName::Stopped, "{order:?}");
            // and the next one goes as well
            let step = talk.step();
            talk.adapter.expect::<Next>().await.ok();
            talk.adapter.stopped_at("step", MAIN, 49);
            assert_eq!(line(soon(step).await), 49, "{order:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_stop_between_two_calls_is_what_the_next_wait_returns() {
    let talk = Talk::running().await;
    talk.adapter.stopped_at("pause", MAIN, 48);
    settle().await;
    assert_eq!(line(soon(talk.wait()).await), 48);
}

#[tokio::test(start_paused = true)]
async fn a_stop_during_a_cancelled_wait_is_what_the_next_wait_returns() {
    let talk = Talk::stopped(46).await;
    let wait = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    settle().await;
    drop(wait);
    talk.adapter.stopped_at("pause", MAIN, 48);
    settle().await;
    let report = soon(talk.go_on()).await.unwrap();
    assert!(matches!(&report.outcome, Outcome::Stopped(stop) if stop.location.as_ref().unwrap().line == 48));
    assert_eq!(talk.adapter.waiting(), [""; 0], "nothing was resumed: the client had not seen this stop");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_wait_leaves_the_program_running_and_the_next_report_says_so() {
    let talk = Talk::stopped(46).await;
    let wait = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    settle().await;
    drop(wait);
    settle().await;
    assert_eq!(talk.session.state().state, StateName::Running);
    let report = soon(talk.session.wait(WaitFor::default(), Include::default(), within(10))).await.unwrap();
    assert_eq!(report.note.as_deref(), Some("an earlier wait was cancelled; the program kept running"));
    let report = soon(talk.session.wait(WaitFor::default(), Include::default(), within(10))).await.unwrap();
    assert_eq!(report.note, None, "said once");
}

#[tokio::test(start_paused = true)]
async fn two_waits_at_once_both_end_with_the_stop() {
    let talk = Talk::running().await;
    let (one, two) = (talk.wait(), talk.go_on());
    settle().await;
    talk.adapter.stopped_at("pause", MAIN, 48);
    assert_eq!(line(soon(one).await), 48);
    assert_eq!(line(soon(two).await), 48);
}

#[tokio::test(start_paused = true)]
async fn a_wait_of_zero_is_answered_at_once_stopped_or_not() {
    let talk = Talk::stopped(46).await;
    let began = tokio::time::Instant::now();
    let go = talk.go(Resume::Continue, now());
    is_running(soon(go).await);
    assert!(began.elapsed() < Duration::from_millis(5));
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("pause", MAIN, 48);
    settle().await;
    assert_eq!(line(soon(talk.session.wait(WaitFor::default(), Include::default(), now())).await), 48);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_says_still_running_and_the_next_wait_goes_on_from_there() {
    let talk = Talk::stopped(46).await;
    let go = talk.go(Resume::Continue, within(5_000));
    talk.adapter.expect::<Continue>().await.ok();
    let report = soon(go).await.unwrap();
    let Outcome::StillRunning { since, .. } = report.outcome else { panic!("{report:?}") };
    assert_eq!(report.elapsed, Duration::from_secs(5));
    talk.adapter.stopped_at("pause", MAIN, 48);
    settle().await;
    let what = WaitFor { breakpoint: None, since: Some(since) };
    assert_eq!(line(soon(talk.session.wait(what, Include::default(), long())).await), 48);
}

#[tokio::test(start_paused = true)]
async fn debug_pause_works_while_debug_continue_waits_and_both_hear_of_the_stop() {
    let talk = Talk::stopped(46).await;
    let go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    let pause = talk.pause();
    let asked = talk.adapter.expect::<Pause>().await;
    assert_eq!(asked.arguments["threadId"], MAIN, "the thread that was reported last");
    // both adapters stop first and answer then
    talk.adapter.stopped_at("pause", MAIN, 50);
    asked.ok();
    let stop = stop(soon(pause).await);
    assert_eq!((stop.reason, stop.location.unwrap().line), (StopReason::Pause, 50));
    assert_eq!(line(soon(go).await), 50);
}

#[tokio::test(start_paused = true)]
async fn a_report_that_was_not_delivered_is_reported_again() {
    let talk = Talk::running().await;
    talk.adapter.stopped_at("pause", MAIN, 48);
    let report = soon(talk.wait()).await.unwrap();
    talk.session.not_delivered(report.receipt);
    let again = soon(talk.go_on()).await;
    assert_eq!(line(again), 48);
    assert!(talk.adapter.waiting().is_empty(), "nothing was resumed");
}

#[tokio::test(start_paused = true)]
async fn a_wait_at_a_stop_that_is_known_is_answered_by_it_with_a_note() {
    let talk = Talk::stopped(46).await;
    let report = soon(talk.wait()).await.unwrap();
    assert_eq!(report.note.as_deref(), Some("the program was already stopped here"));
    assert_eq!(line(Ok(report)), 46);
}

#[tokio::test(start_paused = true)]
async fn a_step_of_a_running_program_is_refused_and_continue_just_waits() {
    let talk = Talk::running().await;
    assert_eq!(code(soon(talk.step()).await), Code::AlreadyRunning);
    is_running(soon(talk.go(Resume::Continue, within(10))).await);
    assert!(talk.adapter.waiting().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_edit_and_a_look_behind_it_are_answered_where_the_program_does_not_pause() {
    let talk = Talk::running().await;
    let mut conditional = at(46);
    conditional.condition = Some("i == 3".into());
    talk.set(conditional).await;
    // it judges the condition; what is asked of it now needs a pause, and it never stops
    talk.adapter.hold::<Pause>();
    let edit = talk.registry.set_breakpoint(None, at(47));
    let look = talk.session.threads(Vec::new());
    let (edit, look) = futures::join!(edit, look);
    // a replay is not paused for a look
    assert_eq!((code(edit), code(look)), (Code::AdapterError, Code::NotStopped));
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_the_adapter_does_not_answer_is_no_plain_still_running() {
    let talk = Talk::running().await;
    talk.adapter.hold::<Pause>();
    let report = soon(talk.pause()).await.unwrap();
    assert!(matches!(report.outcome, Outcome::StillRunning { .. }), "{report:?}");
    assert!(report.note.is_some_and(|note| note.starts_with("the adapter has not answered the pause")));
}
