//! ICorDebug in Rust: the interfaces that are used, the object that the runtime calls back, and what is asked of the operating system.
//!
//! Owns all `unsafe` code of the crate. What leaves it are counted pointers whose methods are safe to call at any time: mscordbi
//! checks its own state and answers an error where a call makes no sense. It knows nothing of sessions or of DAP.
//! The race to remember: callbacks come on a thread that mscordbi makes, with the target stopped, and each wants exactly one
//! `Continue`, from any thread.

mod arguments;
mod blocking;
mod buffers;
pub mod callback;
mod exceptions;
mod guid;
mod heap;
mod interfaces;
pub mod library;
pub mod memory;
mod pointer;
mod registers;
mod structures;
pub mod system;

pub use arguments::{Input, Output};
pub use blocking::BlockingReason;
pub use exceptions::ThrownFrame;
pub use interfaces::*;
pub use pointer::{HResult, Interface, Result};
pub use registers::{Registers, ReturnRegisters};
pub use structures::*;
