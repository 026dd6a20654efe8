//! The product over a real netcoredbg and real .NET programs. An argument runs the scenarios whose name has it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

#[path = "real/real.rs"]
mod real;

fn main() -> std::process::ExitCode {
    real::run("netcoredbg")
}
