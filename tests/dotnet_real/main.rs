//! The dotnet layer against a real .NET and real processes. Without .NET each test prints one line and passes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr)]

mod attach;
mod fixture;
mod program;
