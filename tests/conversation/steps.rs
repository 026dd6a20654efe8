//! Steps: what they tell, how many, and what happens to them on the way.

use clrbridge::dap::request::{Continue, Next, StepIn, StepOut};
use clrbridge::session::{BreakpointSpec, Content, Include, Resume, StepMode, StopReason, StopValues};

use crate::scripted::Frame;
use crate::talk::*;

fn set_local(talk: &Talk, value: &str) {
    talk.adapter.world(|world| world.locals[0].2 = value.into());
}

/// The main thread is one call deeper, in `Order.Add`.
fn enter_add(talk: &Talk, line: i64) {
    talk.adapter.world(|world| {
        let stack = world.stacks.get_mut(&MAIN).unwrap();
        stack.insert(0, Frame::at("Basics.Order.Add", &path(), line));
    });
}

fn leave_add(talk: &Talk) {
    talk.adapter.world(|world| {
        world.stacks.get_mut(&MAIN).unwrap().remove(0);
    });
}

fn several(mode: StepMode, count: u32) -> Resume {
    Resume::Step { mode, count, thread: None }
}

#[tokio::test(start_paused = true)]
async fn a_step_in_the_same_frame_shows_what_changed_and_one_into_another_shows_all() {
    let talk = Talk::stopped(46).await;
    let step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    set_local(&talk, "4");
    talk.adapter.stopped_at("step", MAIN, 48);
    let same = stop(soon(step).await);
    assert!(same.thread.is_none() && same.stack.is_empty());
    assert_eq!(same.location.unwrap().function, None);
    let StopValues::Changed(changed, unchanged, 0) = same.values else { panic!("{:?}", same.values) };
    assert_eq!((changed.len(), unchanged), (1, 0));
    assert_eq!((&changed[0].content, changed[0].was.as_deref()), (&Content::Value("4".into()), Some("3")));

    let step = talk.go(several(StepMode::In, 1), long());
    talk.adapter.expect::<StepIn>().await.ok();
    enter_add(&talk, 22);
    talk.adapter.stopped("step", MAIN);
    let other = stop(soon(step).await);
    assert_eq!(other.location.unwrap().function.as_deref(), Some("Order.Add"));
    assert!(other.thread.is_none(), "the thread is as before");
    assert!(matches!(other.values, StopValues::Locals(..)));
    assert_eq!(other.stack.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_step_says_how_many_locals_it_did_not_compare() {
    let mut wide = world();
    wide.locals.extend((0..300).map(|number| (format!("extra{number}"), "int".into(), "1".into())));
    let all = wide.locals.len();
    let talk = Talk::with("netcoredbg", wide, |_| {}).await;
    talk.stop_here(46).await;
    let step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    set_local(&talk, "4");
    talk.adapter.stopped_at("step", MAIN, 48);
    let StopValues::Changed(changed, unchanged, more) = stop(soon(step).await).values else { panic!("locals") };
    assert_eq!((changed.len(), unchanged, more), (1, 199, all - 200));
}

#[tokio::test(start_paused = true)]
async fn include_brings_back_what_a_step_leaves_out() {
    let talk = Talk::stopped(46).await;
    let include = Include { output: false, watches: false, explicit: true, ..Include::default() };
    let step = talk.session.resume(several(StepMode::Over, 1), include, long());
    talk.adapter.expect::<Next>().await.ok();
    talk.adapter.stopped_at("step", MAIN, 48);
    let stop = stop(soon(step).await);
    assert!(matches!(stop.values, StopValues::Locals(..)) && stop.thread.is_some());
}

#[tokio::test(start_paused = true)]
async fn several_steps_are_made_and_the_last_is_reported() {
    let talk = Talk::stopped(40).await;
    let step = talk.go(several(StepMode::Over, 4), long());
    for line in 41..=44 {
        talk.adapter.expect::<Next>().await.ok();
        talk.adapter.stopped_at("step", MAIN, line);
    }
    assert_eq!(line(soon(step).await), 44);
    assert!(talk.adapter.waiting().is_empty());
}

#[tokio::test(start_paused = true)]
async fn several_steps_end_early_at_any_other_stop() {
    for (reason, at_line) in [("pause", 42), ("breakpoint", 42), ("step", 42)] {
        let talk = Talk::stopped(40).await;
        talk.set(at(42)).await;
        let step = talk.go(several(StepMode::Over, 4), long());
        talk.adapter.expect::<Next>().await.ok();
        talk.adapter.stopped_at("step", MAIN, 41);
        talk.adapter.expect::<Next>().await.ok();
        // an adapter may call a step that lands on a breakpoint either
        talk.adapter.stopped_at(reason, MAIN, at_line);
        let stop = stop(soon(step).await);
        let expected = if reason == "pause" { StopReason::DebuggerBreak } else { StopReason::Breakpoint };
        assert_eq!((stop.reason, stop.location.unwrap().line), (expected, 42), "{reason}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_tracepoint_on_the_line_where_a_step_lands_logs_and_the_step_ends() {
    for reason in ["step", "breakpoint"] {
        let talk = Talk::stopped(46).await;
        talk.set(BreakpointSpec { log: Some("i={i}".into()), ..at(48) }).await;
        let step = talk.step();
        talk.adapter.expect::<Next>().await.ok();
        talk.adapter.stopped_at(reason, MAIN, 48);
        let report = soon(step).await.unwrap();
        assert_eq!(report.tracepoints.len(), 1, "{reason}");
        let stop = stop(Ok(report));
        assert_eq!((stop.reason, stop.location.unwrap().line), (StopReason::Step, 48), "{reason}");
        assert!(talk.adapter.waiting().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn tracepoints_on_the_way_of_several_steps_all_log() {
    for reason in ["step", "breakpoint"] {
        let talk = Talk::stopped(40).await;
        talk.set(BreakpointSpec { log: Some("i={i}".into()), ..at(41) }).await;
        let step = talk.go(several(StepMode::Over, 3), long());
        for (at_line, reason) in [(41, reason), (42, "step"), (43, "step")] {
            talk.adapter.expect::<Next>().await.ok();
            talk.adapter.stopped_at(reason, MAIN, at_line);
        }
        let report = soon(step).await.unwrap();
        assert_eq!(report.tracepoints.len(), 1, "{reason}");
        assert_eq!(line(Ok(report)), 43, "{reason}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_over_a_call_that_hits_a_tracepoint_still_ends_where_it_should() {
    let talk = Talk::stopped(46).await;
    talk.set(BreakpointSpec { log: Some("in add".into()), ..at(24) }).await;
    let mut step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    for _ in 0..2 {
        enter_add(&talk, 24);
        talk.adapter.stopped("breakpoint", MAIN);
        // the adapter has forgotten the step: out of the callee, and on
        talk.adapter.expect::<StepOut>().await.ok();
        leave_add(&talk);
        talk.adapter.stopped_at("step", MAIN, 46);
        talk.adapter.expect::<Next>().await.ok();
        assert!(is_open(&mut step).await);
    }
    talk.adapter.stopped_at("step", MAIN, 48);
    let report = soon(step).await.unwrap();
    assert_eq!(report.tracepoints.len(), 2);
    let stop = stop(Ok(report));
    assert_eq!((stop.reason, stop.location.unwrap().line), (StopReason::Step, 48));
}

#[tokio::test(start_paused = true)]
async fn a_step_out_of_a_method_whose_callee_hits_a_tracepoint_ends_in_the_caller() {
    let talk = Talk::running().await;
    enter_add(&talk, 22);
    talk.stop_here(22).await;
    talk.set(BreakpointSpec { log: Some("deeper".into()), ..at(30) }).await;
    let mut step = talk.go(several(StepMode::Out, 1), long());
    talk.adapter.expect::<StepOut>().await.ok();
    enter_add(&talk, 30);
    talk.adapter.stopped("breakpoint", MAIN);
    talk.adapter.expect::<StepOut>().await.ok();
    leave_add(&talk);
    talk.adapter.stopped_at("step", MAIN, 24);
    // back in the method that is to be left
    talk.adapter.expect::<StepOut>().await.ok();
    assert!(is_open(&mut step).await);
    leave_add(&talk);
    talk.adapter.stopped_at("step", MAIN, 46);
    assert_eq!(line(soon(step).await), 46);
}

#[tokio::test(start_paused = true)]
async fn a_tracepoint_of_another_thread_does_not_end_a_step() {
    let talk = Talk::stopped(46).await;
    talk.set(BreakpointSpec { log: Some("worker".into()), ..at(60) }).await;
    let mut step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    talk.adapter.stopped_at("breakpoint", OTHER, 60);
    talk.adapter.expect::<Next>().await.ok();
    assert!(is_open(&mut step).await);
    talk.adapter.stopped_at("step", MAIN, 48);
    assert_eq!(line(soon(step).await), 48);
}

#[tokio::test(start_paused = true)]
async fn a_step_that_another_thread_cuts_short_says_so() {
    let talk = Talk::stopped(46).await;
    talk.set(at(60)).await;
    let step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    talk.adapter.stopped_at("breakpoint", OTHER, 60);
    let report = soon(step).await.unwrap();
    assert_eq!(report.note.as_deref(), Some("the step on thread 100 was interrupted by this stop"));
    let stop = stop(Ok(report));
    assert_eq!(stop.thread.unwrap().0.0, OTHER);
    assert!(matches!(stop.values, StopValues::Locals(..)));
}

#[tokio::test(start_paused = true)]
async fn an_edit_during_a_step_under_a_hot_condition_does_not_end_the_step() {
    use clrbridge::dap::request::Pause;
    let talk = Talk::stopped(46).await;
    talk.set(BreakpointSpec { condition: Some("i == 7".into()), ..at(24) }).await;
    let mut step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    let set = talk.registry.set_breakpoint(None, at(61));
    let asked = talk.adapter.expect::<Pause>().await;
    enter_add(&talk, 23);
    talk.adapter.stopped("pause", MAIN);
    asked.ok();
    assert!(soon(set).await.unwrap().verified);
    talk.adapter.expect::<StepOut>().await.ok();
    leave_add(&talk);
    talk.adapter.stopped_at("step", MAIN, 46);
    talk.adapter.expect::<Next>().await.ok();
    assert!(is_open(&mut step).await);
    talk.adapter.stopped_at("step", MAIN, 48);
    assert_eq!(line(soon(step).await), 48);
}

#[tokio::test(start_paused = true)]
async fn a_step_of_another_thread_is_that_threads() {
    let talk = Talk::stopped(46).await;
    let step = talk
        .go(Resume::Step { mode: StepMode::Over, count: 1, thread: Some(clrbridge::session::ThreadId(OTHER)) }, long());
    let asked = talk.adapter.expect::<Next>().await;
    assert_eq!(asked.arguments["threadId"], OTHER);
    asked.ok();
    talk.adapter.stopped_at("step", OTHER, 61);
    let stop = stop(soon(step).await);
    assert_eq!(stop.thread.unwrap().0.0, OTHER);
}

#[tokio::test(start_paused = true)]
async fn a_breakpoint_inside_a_step_ends_it_and_the_next_continue_is_one() {
    let talk = Talk::stopped(46).await;
    talk.set(at(24)).await;
    let step = talk.step();
    talk.adapter.expect::<Next>().await.ok();
    enter_add(&talk, 24);
    talk.adapter.stopped("breakpoint", MAIN);
    assert_eq!(stop(soon(step).await).reason, StopReason::Breakpoint);
    let go = talk.go_on();
    talk.adapter.expect::<Continue>().await.ok();
    talk.adapter.stopped_at("pause", MAIN, 25);
    assert_eq!(line(soon(go).await), 25);
}
