//! A session's actor in conversation with an adapter that does what the test says (`support/scripted.rs`), in paused time:
//! every order of events can be made, and nothing here waits for a clock.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

#[path = "support/renderings.rs"]
mod renderings;
#[path = "support/scripted.rs"]
mod scripted;

#[path = "conversation/codes.rs"]
mod codes;
#[path = "conversation/deaths.rs"]
mod deaths;
#[path = "conversation/emulation.rs"]
mod emulation;
#[path = "conversation/explanations.rs"]
mod explanations;
#[path = "conversation/functions.rs"]
mod functions;
#[path = "conversation/golden_explanations.rs"]
mod golden_explanations;
#[path = "conversation/lapses.rs"]
mod lapses;
#[path = "conversation/limits.rs"]
mod limits;
#[path = "conversation/odd.rs"]
mod odd;
#[path = "conversation/order.rs"]
mod order;
#[path = "conversation/random.rs"]
mod random;
#[path = "conversation/reading.rs"]
mod reading;
#[path = "conversation/sessions.rs"]
mod sessions;
#[path = "conversation/steps.rs"]
mod steps;
#[path = "conversation/stop_reports.rs"]
mod stop_reports;
#[path = "conversation/talk.rs"]
mod talk;
#[path = "conversation/waits.rs"]
mod waits;
#[path = "conversation/workspace.rs"]
mod workspace;
