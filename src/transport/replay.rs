//! Plays the adapter's side of a recorded conversation.
//!
//! Requests match by command and arguments, not by order; events follow the response that they followed. A client
//! request that was not recorded is answered if the recording has the data, and refused otherwise.
//! Owns the recorded facts; must not know who asks. The only place outside `dap` that names commands: it speaks
//! for the other side. The race to remember: events recorded between a request and its response are played there,
//! since a `stopped` before its response is what some recordings are about.

mod breakpoints;
mod inspection;
mod matching;
mod player;
mod recording;
mod script;

pub use player::{ReplayEnd, serve};
pub use recording::{Recording, ReplayError};

/// What a request is refused with that the recording does not answer.
pub const UNKNOWN: &str = "not in the recording";
