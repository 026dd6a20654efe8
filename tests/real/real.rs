//! Scenarios that both adapters run: what a client does over MCP stdio, on programs that were built for it.
//!
//! A scenario is a function of a [`Bench`]; it drives the real binary through [`Client`] and fails by a panic. Each has a
//! server of its own, so they run side by side, and after each the machine is searched for what it left behind.
#![allow(dead_code)]

mod bench;
mod client;
mod fixtures;
mod harness;
mod leftovers;
mod scenarios;

pub use bench::{Bench, assert_has};
pub use client::Client;
pub use harness::{Only, Scenario, run, skip};
