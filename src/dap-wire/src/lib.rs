//! The message types of the Debug Adapter Protocol (schema 1.71), for clients and for adapters.
//!
//! Owns the bodies of requests, responses and events, and how a `hitCondition` is read; no names of commands, no framing, no state.
//! Ids are `i64` (a published crate with `u64` fails on `exitCode: -532462766`), enums are open, unknown fields are
//! ignored, absent ones have a default, and `None` is never written: netcoredbg answers "can't parse" to a `null` where it
//! expects a string.

mod breakpoints;
mod capabilities;
mod code;
mod execution;
mod heap;
mod hit_condition;
mod memory;
mod throws;
mod traces;
mod values;
mod waits;

pub use breakpoints::*;
pub use capabilities::*;
pub use code::*;
pub use execution::*;
pub use heap::*;
pub use hit_condition::HitCondition;
pub use memory::*;
pub use throws::*;
pub use traces::*;
pub use values::*;
pub use waits::*;

use serde::{Deserialize, Deserializer, de::IgnoredAny};

/// A body that nobody reads: any JSON, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Nothing;

impl<'de> Deserialize<'de> for Nothing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

/// An id that is a number in some adapters and text in others, kept as text.
fn number_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Id {
        Number(i64),
        Text(String),
    }
    Ok(match Id::deserialize(deserializer)? {
        Id::Number(number) => number.to_string(),
        Id::Text(text) => text,
    })
}

fn number_or_text_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Id(#[serde(deserialize_with = "number_or_text")] String);
    Ok(Option::<Id>::deserialize(deserializer)?.map(|id| id.0))
}
