//! HTTP as far as it knows nothing of debugging: connections and their limits, and who may ask.
//!
//! What is served is an axum router from above. The race to remember: at the end, connections are asked to finish while answers are
//! still being made; those that are made within the grace are written, and idle ones close at once.

mod access;
mod body;
mod connections;
mod host;
mod rate;

pub use access::{Access, TOKEN_VARIABLE, Token, TokenError};
pub use body::{ReadError, on_end, read, read_within};
pub use connections::{Connections, accept};
pub use host::Hosts;
