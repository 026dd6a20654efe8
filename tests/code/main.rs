//! Navigation in C# code over real compiler output, below the tools and through them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

#[path = "../support/markers.rs"]
mod marked;
#[path = "../support/renderings.rs"]
mod renderings;
#[path = "../support/served.rs"]
mod served;
#[path = "../support/stage.rs"]
mod stage;

mod bindings;
mod features;
mod late;
mod loading;
mod navigation;
mod syntax;
mod targets;
mod tools;
mod turns;
