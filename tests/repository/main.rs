//! What the repository says of itself holds: the layers, the README, the vendor notes and the table of tools.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

mod architecture;
mod capabilities;
mod circles;
mod readme;
mod reducer;
mod syntax;
mod tools;
mod vendor_notes;
