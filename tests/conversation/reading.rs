//! What reading a stop asks an adapter for: as little as tells the same.

use clrbridge::dap::request::{StackTrace, Threads};

use crate::talk::{MAIN, Talk, at, soon, stop};

#[tokio::test(start_paused = true)]
async fn a_stop_that_is_told_in_any_case_is_told_from_one_stack() {
    let talk = Talk::running().await;
    talk.set(at(46)).await;
    talk.adapter.stopped_at("breakpoint", MAIN, 46);
    assert_eq!(stop(soon(talk.wait()).await).hit_count, 1);
    assert_eq!(talk.adapter.asked::<StackTrace>().len(), 1);
    assert_eq!(talk.adapter.asked::<Threads>().len(), 1);
}
