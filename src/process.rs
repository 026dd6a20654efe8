//! Child processes: started, watched, signaled and reaped; and every `unsafe` of the crate that this needs.
//!
//! Owns: the one thread that starts children, the threads that reap them, suspending a .NET program before its first
//! managed instruction, the keeper that briefly outlives the server, and what the operating system reports about processes that
//! are not ours.
//! Must not know: DAP, sessions, adapters, projects. It deals in bytes and pids only.
//! The race to remember: a pid (and a group id) is only ours until it is reaped. Every signal is sent under the lock
//! under which [`Child`] is reaped, or through a pidfd.

#[cfg(not(unix))]
compile_error!("the process layer supports unix only; Windows support (Job Object, named pipes) is missing");

mod child;
mod claim;
mod command;
mod error;
mod exit_status;
mod hangup;
mod hold;
pub mod keeper;
mod launch;
pub mod pidfd;
mod procfs;
mod reaper;
pub mod semaphores;
pub mod signals;
mod spawned;
mod spawner;
mod stderr_tail;
mod stdin;

pub use child::Child;
pub use claim::{Claim, Unclaimed};
pub use command::{Bound, CommandSpec, StdinMode};
pub use error::ProcessError;
pub use exit_status::{ExitStatus, signal_name};
pub use hangup::closed;
pub use hold::{Held, spawn_program_held};
pub use launch::{spawn_adapter, spawn_program_plain};
pub use pidfd::{alive, kill, kill_started_at};
pub use procfs::{Runaway, busy_time, is_suspended, reads_stdin, start_time};
pub use stderr_tail::StderrTail;
pub use stdin::ChildStdin;

/// Our end of a child's stdout or stderr. Its EOF says nothing about the child: a grandchild may hold the other end.
pub type ChildOutput = tokio::net::unix::pipe::Receiver;
