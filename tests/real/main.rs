//! What needs a .NET, its SDK or an adapter of this machine: the product over real adapters and real programs.
//!
//! `cargo test --test real` runs all; each argument is a part of a test's name that must be in it: `cargo test --test real -- netcoredbg
//! step_over`. What the machine lacks is said and counted as skipped, which libtest cannot do at run time: hence the own [`harness`].
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

#[path = "../support/il_names.rs"]
mod il_names;
#[path = "../support/markers.rs"]
mod marked;
#[path = "../support/renderings.rs"]
mod renderings;
#[path = "../support/replayed.rs"]
mod replayed;
#[path = "../support/served.rs"]
mod served;
#[path = "../support/stage.rs"]
mod stage;
#[path = "../support/victim.rs"]
mod victim;
#[path = "../support/witness.rs"]
mod witness;

mod adapter;
mod bench;
mod browser;
mod client;
mod compiler;
mod dotnet;
mod fixtures;
mod framework;
mod harness;
mod held;
mod layouts;
mod leftovers;
mod navigation;
mod needs;
mod oracle;
mod oracle_usages;
mod record_and_replay;
mod scenarios;
mod sdk;

use crate as real;

use bench::{Bench, Ground, assert_has};
use client::Client;

/// Each runs the scenarios of [`scenarios`].
const ADAPTERS: &[&str] = &["netcoredbg", "dncdbg", "builtin"];
/// So does the engine, which is ours, on the oldest runtime that is supported.
const ON_NET8: Ground = Ground { name: "builtin-net8", adapter: "builtin", framework: "net8.0" };

fn main() -> std::process::ExitCode {
    victim::play();
    let grounds = ADAPTERS.iter().map(|adapter| Ground::of(adapter)).chain([ON_NET8]);
    let mut tests: Vec<harness::Test> = grounds.flat_map(scenarios::over).collect();
    tests.extend(record_and_replay::over(&["netcoredbg", "dncdbg"]));
    for more in [
        compiler::tests,
        dotnet::attach::tests,
        dotnet::program::tests,
        framework::tests,
        held::tests,
        layouts::tests,
        navigation::tests,
        oracle::tests,
        oracle_usages::tests,
        scenarios::expressions::tests,
        scenarios::expressions::compared::tests,
    ] {
        tests.extend(more());
    }
    harness::run(tests)
}
