//! C# arithmetic, shared by the session (over any adapter) and the built-in engine.
//!
//! Knows nothing of debuggers: the syntax of expressions, and numbers.

pub mod decimal;
pub mod syntax;

pub use decimal::{Decimal, DecimalError};
