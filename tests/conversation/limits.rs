//! More of everything than anybody wants: what a session keeps of it is bounded.

use clrbridge::dap::request::Continue;
use clrbridge::session::{BreakpointSpec, EventSeq, EventsQuery, Outcome, OutputQuery};
use serde_json::json;

use crate::scripted::settle;
use crate::talk::*;

/// As many as a test may take, each with so many lines of tracepoints; a million differ from them in nothing that is kept.
const HITS: usize = 2_000;
const LINES: usize = 4;

/// A hit that nobody is to hear of is taken out of the event log again, which keeps 5,000 events of any kind (`event_log.rs`).
/// Tracepoint lines are events, of which 20 wait for the next report (`actor/stops.rs`); a condition_counts is three counts
/// (`breakpoints/condition_counts.rs`); values at earlier stops are remembered for 64 frames (`stopping/history.rs`), and 4 MiB of the
/// output in memory (`output_log.rs`). What went is counted.
#[tokio::test(start_paused = true)]
async fn hits_without_end_leave_what_a_session_keeps_as_it_is() {
    let mut start = world();
    start.moved = (47..50).map(|line| (line, 46)).collect();
    let talk = Talk::with("netcoredbg", start, |_| {}).await;
    let counted = BreakpointSpec { hit_condition: Some("1000000".into()), ..at(46) };
    let counted = talk.set(counted).await.id;
    for line in 46..46 + LINES as u32 {
        talk.set(BreakpointSpec { log: Some(format!("line {line}")), ..at(line) }).await;
    }
    let wait = talk.wait();
    let lines = format!("{}\n", "y".repeat(499)).repeat(9_000);
    for hit in 1..=HITS {
        talk.adapter.stopped_at("breakpoint", MAIN, 46);
        talk.adapter.expect::<Continue>().await.ok();
        if hit % (HITS / 2) == 0 {
            talk.adapter.emit("output", json!({"category": "stdout", "output": lines}));
            settle().await;
            let all = EventsQuery { stream: None, since: EventSeq(0), limit: 1_000_000, event_type: None };
            let events = soon(talk.session.events(all)).await.unwrap();
            assert!(events.events.len() <= 5_000, "{}", events.events.len());
            assert_eq!(events.oldest.0 > 1, hit == HITS, "what was dropped is reported");
            let list = soon(talk.registry.list_breakpoints(None, None)).await.unwrap().breakpoints;
            let found = list.iter().find(|breakpoint| breakpoint.id == counted).unwrap();
            assert_eq!(found.hits, hit as u64, "no hit is forgotten");
        }
    }
    let output = OutputQuery { stdout: true, stderr: true, since: Some(0), max_lines: None, search: None, tail: None };
    let output = soon(talk.session.read_output(output)).await.unwrap().0;
    assert_eq!((output.omitted_bytes, output.stdout.len() > 500), (0, true), "what memory does not hold is in a file");
    drop(wait);
    let report = soon(talk.wait_for(10)).await.unwrap();
    assert!(matches!(report.outcome, Outcome::StillRunning { .. }));
    assert_eq!((report.tracepoints.len(), report.more_tracepoints), (20, HITS * LINES - 20));
}
