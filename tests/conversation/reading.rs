//! What reading a stop asks an adapter for: as little as tells the same.

use clrbridge::dap::request::{Continue, StackTrace, Threads};
use serde_json::json;

use crate::talk::{MAIN, Talk, at, path, soon, stop, world};

#[tokio::test(start_paused = true)]
async fn a_stop_that_is_told_in_any_case_is_told_from_one_stack() {
    let talk = Talk::running().await;
    talk.set(at(46)).await;
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    assert_eq!(stop(soon(talk.wait()).await).hit_count, 1);
    assert_eq!(talk.adapter.asked::<StackTrace>().len(), 1);
    assert_eq!(talk.adapter.asked::<Threads>().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_hit_that_is_only_counted_costs_no_stack_where_the_adapter_names_it() {
    let talk = Talk::with("dncdbg", world(), |_| {}).await;
    let mut spec = at(46);
    spec.hit_condition = Some("2".into());
    talk.set(spec).await;
    let id = talk.adapter.breakpoint_id(&path(), 46).unwrap();
    let hit = json!({"reason": "breakpoint", "threadId": MAIN, "allThreadsStopped": true, "hitBreakpointIds": [id]});
    talk.adapter.emit("stopped", hit.clone());
    talk.adapter.expect::<Continue>().await.ok();
    assert_eq!(talk.adapter.asked::<StackTrace>().len(), 0);
    talk.adapter.emit("stopped", hit);
    assert_eq!(stop(soon(talk.wait()).await).hit_count, 2);
}
