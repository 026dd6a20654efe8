//! The `process` layer against real processes: `sh` where a shell can play the part, this test binary again where a process
//! of ours has to die, .NET programs when a `dotnet` is found.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr
)]

mod children;
mod death;
mod dotnet;
mod dotnet_layer;
mod foreign;
mod held;
mod witness;
