//! A session's actor in conversation with an adapter that does what the test says (`../support/scripted.rs`), in paused time:
//! every order of events can be made, and nothing here waits for a clock.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

#[path = "../support/renderings.rs"]
mod renderings;
#[path = "../support/replayed.rs"]
mod replayed;
#[path = "../support/scripted.rs"]
mod scripted;
#[path = "../support/served.rs"]
mod served;

mod awaits;
mod codes;
mod confirming;
mod counting;
mod dap_oracle;
mod deaths;
mod deliveries;
mod demo;
mod emulation;
mod explanations;
mod functions;
mod golden_answers;
mod golden_explanations;
mod golden_replays;
mod http;
mod http_process;
mod kept_stops;
mod lapses;
mod limits;
mod mcp_server;
mod namesakes;
mod odd;
mod page;
mod order;
mod prompts;
mod random;
mod reading;
mod recordings;
mod redactions;
mod replays;
mod resources;
mod sessions;
mod steps;
mod stdio;
mod stop_reports;
mod talk;
mod tasks;
mod traced;
mod waits;
mod ways;
mod workspace;
