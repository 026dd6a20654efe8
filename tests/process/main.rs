//! The `process` layer against real processes: `sh` where a shell can play the part, this test binary again where a process
//! of ours has to die.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

#[path = "../support/victim.rs"]
mod victim;
#[path = "../support/witness.rs"]
mod witness;

mod attach;
mod children;
mod death;
mod foreign;
mod held;
