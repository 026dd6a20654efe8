//! Steps that end where none may: in a method that never was on the stack, called next behind a caller's last statement.

use clrbridge::dap::request::{Next, StackTrace, StepOut};
use clrbridge::session::{Outcome, Report, Resume, StepMode, StopReason};

use crate::scripted::Frame;
use crate::talk::*;

/// Stopped in `Inner`, called by `Twice`, called by `Main`; `between`: the framework's frames that call `Inner`.
async fn in_inner(between: &[&str]) -> Talk {
    let talk = Talk::running().await;
    stands(&talk, &[("Inner", 20)], between, true);
    talk.adapter.stopped("pause", MAIN);
    stop(soon(talk.wait()).await);
    talk
}

/// The frames of the main thread: `top`, then the framework's, then `Twice` if it is there, and `Main`.
fn stands(talk: &Talk, top: &[(&str, i64)], between: &[&str], in_twice: bool) {
    let own = |(name, line): &(&str, i64)| Frame::at(&format!("Basics.Program.{name}"), &path(), *line);
    let twice = in_twice.then_some(("Twice", 30));
    let mut stack: Vec<Frame> = top.iter().map(own).collect();
    stack.extend(between.iter().map(|name| Frame::external(name)));
    stack.extend(twice.iter().chain(&[("Main", 46)]).map(own));
    stack.push(Frame::external("System.Threading.Thread.StartCallback"));
    talk.adapter.world(|world| {
        world.stacks.insert(MAIN, stack);
    });
}

fn out(talk: &Talk) -> clrbridge::session::Reply<Report> {
    talk.go(Resume::Step { mode: StepMode::Out, count: 1, thread: None }, long())
}

/// The step ends there, as far as the adapter knows.
fn ends(talk: &Talk, top: &[(&str, i64)], in_twice: bool) {
    stands(talk, top, &[], in_twice);
    talk.adapter.stopped("step", MAIN);
}

fn function(report: Report) -> (String, Option<String>) {
    let note = report.note.clone();
    (stop(Ok(report)).location.unwrap().function.unwrap(), note)
}

#[tokio::test(start_paused = true)]
async fn a_step_that_ends_in_what_its_caller_calls_next_goes_on_to_a_caller() {
    for mode in [StepMode::Out, StepMode::Over] {
        let talk = in_inner(&[]).await;
        let mut step = talk.go(Resume::Step { mode, count: 1, thread: None }, long());
        match mode {
            StepMode::Out => talk.adapter.expect::<StepOut>().await.ok(),
            _ => talk.adapter.expect::<Next>().await.ok(),
        }
        ends(&talk, &[("Times", 25)], true);
        talk.adapter.expect::<StepOut>().await.ok();
        // `Twice` has no statement left: what `Main` calls next
        ends(&talk, &[("Check", 35)], false);
        talk.adapter.expect::<StepOut>().await.ok();
        assert!(is_open(&mut step).await);
        ends(&talk, &[], false);
        assert_eq!(function(soon(step).await.unwrap()), ("Program.Main".into(), None), "{mode:?}");
        assert!(talk.adapter.waiting().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_that_ends_in_a_caller_costs_no_more_than_its_report() {
    let talk = in_inner(&[]).await;
    let before = talk.adapter.asked::<StackTrace>().len();
    let step = out(&talk);
    talk.adapter.expect::<StepOut>().await.ok();
    ends(&talk, &[], true);
    assert_eq!(function(soon(step).await.unwrap()), ("Program.Twice".into(), None));
    assert_eq!(talk.adapter.asked::<StackTrace>().len(), before + 1);
}

#[tokio::test(start_paused = true)]
async fn a_breakpoint_on_the_way_back_is_a_stop() {
    let talk = in_inner(&[]).await;
    talk.set(at(25)).await;
    let step = out(&talk);
    talk.adapter.expect::<StepOut>().await.ok();
    ends(&talk, &[("Other", 22)], true);
    talk.adapter.expect::<StepOut>().await.ok();
    stands(&talk, &[("Times", 25)], &[], true);
    talk.adapter.stopped("breakpoint", MAIN);
    assert_eq!(stop(soon(step).await).reason, StopReason::Breakpoint);
}

#[tokio::test(start_paused = true)]
async fn a_step_that_comes_to_no_caller_says_so() {
    let talk = in_inner(&[]).await;
    let step = out(&talk);
    talk.adapter.expect::<StepOut>().await.ok();
    for _ in 0..8 {
        ends(&talk, &[("Times", 25)], true);
        talk.adapter.expect::<StepOut>().await.ok();
    }
    ends(&talk, &[("Times", 25)], true);
    let (function, note) = function(soon(step).await.unwrap());
    assert_eq!(function, "Program.Times");
    assert!(note.unwrap().starts_with("this is not a caller of the method that the step left"));
    assert!(talk.adapter.waiting().is_empty());

    // its callers have returned: no step leads back to them
    let talk = in_inner(&[]).await;
    let step = out(&talk);
    talk.adapter.expect::<StepOut>().await.ok();
    talk.adapter.world(|world| {
        let next = Frame::at("Basics.Program.Next", &path(), 50);
        world.stacks.insert(MAIN, vec![next, Frame::external("System.Threading.Thread.StartCallback")]);
    });
    talk.adapter.stopped("step", MAIN);
    let report = soon(step).await.unwrap();
    assert!(report.note.unwrap().starts_with("this is not a caller"));
    assert!(matches!(report.outcome, Outcome::Stopped(_)) && talk.adapter.waiting().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_way_back_that_the_adapter_refuses_is_reported() {
    let talk = in_inner(&[]).await;
    let step = out(&talk);
    talk.adapter.expect::<StepOut>().await.ok();
    ends(&talk, &[("Times", 25)], true);
    talk.adapter.expect::<StepOut>().await.refuse("Failed command 'stepOut' : 0x80004005");
    let (function, note) = function(soon(step).await.unwrap());
    assert_eq!(function, "Program.Times");
    assert!(note.unwrap().starts_with("this is not a caller"));
}

#[tokio::test(start_paused = true)]
async fn what_the_framework_calls_in_turn_is_where_a_step_ends() {
    let framework = ["System.Collections.Generic.List.ForEach"];
    let talk = in_inner(&framework).await;
    let step = out(&talk);
    talk.adapter.expect::<StepOut>().await.ok();
    stands(&talk, &[("Inner", 20)], &framework, true);
    talk.adapter.stopped("step", MAIN);
    let report = soon(step).await.unwrap();
    assert_eq!(report.note, None);
    assert!(matches!(report.outcome, Outcome::Stopped(_)) && talk.adapter.waiting().is_empty());
}
