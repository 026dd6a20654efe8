//! Navigation in C# code over real compiler output, below the tools and through them; and beside the C# compiler where there is one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr
)]

#[path = "../support/markers.rs"]
mod marked;
#[path = "../support/renderings.rs"]
mod renderings;
#[path = "../support/sdk.rs"]
mod sdk;

mod bindings;
mod features;
mod navigation;
mod oracle;
mod tools;
mod turns;
mod workspace;
