//! C# arithmetic, shared by the session (over any adapter) and the built-in engine.
//!
//! Numbers only, so far; knows nothing of debuggers.

pub mod decimal;

pub use decimal::{Decimal, DecimalError};
