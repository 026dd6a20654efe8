//! A debug adapter for .NET over libmscordbi, the debugging library shipped with every CoreCLR: only .NET needs to be installed.
//!
//! One process serves one client and one program (`serve`). It speaks the Debug Adapter Protocol and knows nothing of its client.
//!
//! From the bottom up:
//!
//! | module | owns |
//! |---|---|
//! | `com` | ICorDebug's interfaces, the object that the runtime calls back, and all that depends on the operating system: all `unsafe` code |
//! | `modules`, `types` | what is loaded, with metadata and symbols; types as C# writes them |
//! | `breakpoints`, `exception_filters` | what a client wants to stop at |
//! | `native_code` | which IL the native code of a method is of |
//! | `target` | the program as both threads know it |
//! | `stopped` | the stopped program: whatever is read of it borrows from it |
//! | `frames`, `values`, `exceptions` | threads, frames and values, read from memory; nothing runs |
//! | `awaiters` | which async methods wait for another, along its task |
//! | `waits` | what threads wait for, and who holds it |
//! | `calls` | calls into the program (func eval), with a time limit |
//! | `evaluate` | expressions: from memory where possible, by calls where allowed |
//! | `presentation` | values as people read them: what the attributes for debuggers ask for, elements of collections, computed properties |
//! | `heap` | the objects on the heap, what they hold and what keeps them alive, from memory |
//! | `numbered` | numbers for the objects that variables hold, to tell them apart across stops |
//! | `identities` | names for objects, `@1`, that hold across stops |
//! | `returned` | what the calls of a step returned, as expressions name it |
//! | `stepping` | a step, from its start to its end |
//! | `callbacks` | handles the runtime's callbacks, on its thread |
//! | `start` | launch, attach, detach and exit |
//! | `dap` | the server: requests in, events out |
//!
//! Two threads work on a program. The runtime's thread runs `callbacks`; it decides what it can (modules, conditions, hit counts,
//! tracepoints, the parts of a step) and sends notices to the other, which tells the client of counts only now and then. That one answers requests and owns the stop: a
//! `stopped::Stopped` is created at each stop and consumed on resume, and whatever was read borrows from it.

mod awaiters;
mod breakpoints;
mod callbacks;
mod call_sites;
mod calls;
mod com;
mod dap;
mod evaluate;
mod exception_filters;
mod exceptions;
mod frames;
mod heap;
mod identities;
mod modules;
mod native_code;
mod numbered;
mod pins;
mod presentation;
mod returned;
mod start;
mod stepping;
mod stopped;
mod target;
mod types;
mod values;
mod waits;

pub use dap::serve;
