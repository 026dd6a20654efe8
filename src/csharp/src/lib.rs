//! C# expressions, shared by the session (over any adapter) and the built-in engine: their syntax, and numbers as .NET computes them.
//!
//! Knows nothing of debuggers.

pub mod decimal;
pub mod syntax;

pub use decimal::{Decimal, DecimalError};
