//! A debug adapter for .NET over libmscordbi, the debugging library beside every CoreCLR: nothing but .NET need be installed.
//!
//! One process serves one client and one program (`serve`). It speaks the Debug Adapter Protocol and knows nothing of who asks.
//!
//! From the bottom up:
//!
//! | module | owns |
//! |---|---|
//! | [`com`] | ICorDebug's interfaces, the object that the runtime calls back, system calls: all `unsafe` code |
//! | [`modules`], [`types`] | what is loaded, with metadata and symbols; types as C# writes them |
//! | [`target`] | the program as both threads know it |
//! | [`stopped`] | the program while it stands still: the only way to threads, frames, values |
//! | [`frames`], [`values`] | read from memory; nothing runs |
//! | [`calls`] | code of the program, run for us, with a limit |
//! | [`evaluate`] | expressions: from memory where possible, by calls where allowed |
//! | [`breakpoints`], [`stepping`], [`exceptions`] | what stops the program |
//! | [`callbacks`] | what becomes of what the runtime tells, decided on its thread |
//! | [`start`] | the begin and the end |
//! | [`dap`] | the server: requests in, events out |
//!
//! Two threads work on a program. The runtime's calls [`callbacks`]; it decides what it can (modules, conditions, hit counts,
//! tracepoints, the parts of a step) and tells the other by notices. That one answers requests and owns the stop: a
//! [`stopped::Stopped`] is made when the program stands still and taken when it goes on, and whatever was read borrows from it.

pub mod breakpoints;
pub mod callbacks;
pub mod calls;
pub mod com;
pub mod dap;
pub mod evaluate;
pub mod exceptions;
pub mod frames;
pub mod modules;
pub mod start;
pub mod stepping;
pub mod stopped;
pub mod target;
pub mod types;
pub mod values;

pub use dap::serve;
