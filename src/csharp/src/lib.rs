//! C# expressions as a debugger evaluates them: syntax, binding, and evaluation over any program that it can read.
//!
//! From the text to the value: [`syntax`] gives a tree, `bind` resolves its names by the metadata of the program's modules
//! ([`types`]) and gives another (`bound`), [`run`] computes that one's [`value`]. What is in the program is behind [`world`],
//! the one trait that a debugger implements; in [`pure`] nothing of it changes. [`arithmetic`] and `decimal` compute numbers as .NET
//! does, [`floating`] prints them. `memory` counts what the process allocates. [`specifiers`] and [`template`] take apart what debuggers write around expressions.
//!
//! Knows nothing of debuggers.

pub mod arithmetic;
mod bind;
mod bound;
pub mod constant;
mod culture;
mod decimal;
pub mod floating;
mod memory;
pub mod pure;
pub mod run;
mod scope;
pub mod specifiers;
pub mod suggest;
pub mod syntax;
pub mod template;
pub mod types;
pub mod value;
pub mod world;

#[cfg(test)]
mod tests;

pub use decimal::{Decimal, DecimalError};
