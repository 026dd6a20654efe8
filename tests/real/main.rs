//! What needs a .NET, its SDK or an adapter of this machine: the product over real adapters and real programs.
//!
//! `cargo test --test real` runs all; each argument is a part of a test's name that must be in it: `cargo test --test real -- netcoredbg
//! step_over`. What the machine lacks is said and counted as skipped, which libtest cannot do at run time: hence the own [`harness`].
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

mod bench;
mod client;
mod fixtures;
mod harness;
mod leftovers;
mod scenarios;

use crate as real;

use bench::{Bench, assert_has};
use client::Client;

/// Each runs the scenarios of [`scenarios`].
const ADAPTERS: &[&str] = &["netcoredbg", "dncdbg", "builtin"];

fn main() -> std::process::ExitCode {
    harness::run(ADAPTERS.iter().flat_map(|adapter| scenarios::over(adapter)).collect())
}
