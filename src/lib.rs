//! clrbridge: debug .NET programs from an AI agent.
//!
//! An MCP server, and a command line on the same core. It starts a debug adapter (netcoredbg, dncdbg), speaks the Debug Adapter
//! Protocol (DAP) to it over pipes, and turns the adapter's asynchronous events into blocking, complete answers. This page is the
//! architecture; `README.md` is for users, `vendor-notes.md` tells what adapters really do.
//!
//! # From above
//!
//! ```text
//! MCP client ── stdio ──> mcp ── commands ──> session actor ── DAP ──> adapter ──> .NET program
//!                          ^                      │   ^                   │             │
//!                          └─ reports, answers ───┘   └──── events ───────┘             │
//!                                                     └──── output, exit (held start) ──┘
//! ```
//!
//! An agent cannot subscribe: whatever it wants to know must be in the answer to a call. So every call that lets the program run
//! waits for what comes of it, and answers with all that is wanted at a stop. DAP is the opposite: a request is acknowledged at once, what
//! comes of it is an event, in an order that differs by adapter and by luck. Everything hard here is between those two, in one place: the
//! actor of [`session`].
//!
//! # Layers, in reading order
//!
//! Each knows only what stands below it (and `tests/repository/architecture.rs` holds the code to that):
//!
//! | module | owns | knows |
//! |---|---|---|
//! | [`transport`] | frames over byte streams, recording and replay of a talk | nothing of ours |
//! | [`process`] | children: the one thread that starts them, reaping, groups, the hold of a program before its first instruction, the keeper that says goodbye for us when we are killed, the claim that keeps two servers off one program | nothing of ours |
//! | [`clr_metadata`] | a crate of its own (`src/metadata`): assemblies (ECMA-335, IL) and Portable PDBs: types, getters, lines, async methods | nothing of ours |
//! | [`roots`] | the folders below which files may be shown | nothing of ours |
//! | [`clr_engine`] | a crate of its own (`src/engine`): our debug adapter over the runtime's own debugging library; `clrbridge adapter` serves it | `clr_metadata`, `dap_wire` |
//! | [`dap_wire`] | a crate of its own (`src/dap-wire`): the shapes of DAP's messages, for a client and for an adapter | nothing of ours |
//! | [`dap`] | the names on the wire, the typed client, the table of open requests | `transport`, `dap_wire` |
//! | [`backend`] | adapters as data: where one is, how it starts, what it does differently | `dap` types, `process::CommandSpec` |
//! | [`dotnet`] | .NET roots, projects, builds, launch profiles, checks before an attach | `process`, `metadata` |
//! | [`code`] | a workspace of projects: their builds and sources, what the compiler says of them, where symbols are declared and used | `metadata`, `dotnet`, `roots` |
//! | [`session`] | the debugger: actor, state, stops, breakpoints, values, output | all of the above, but `code` |
//! | [`config`] | settings: flag over environment over file, checked at once | `backend` |
//! | [`mcp`] | tools, their arguments and answers, both renderings, the server | `session`, `code`, `metadata`, `dotnet`, `config`, `roots` |
//! | [`cli`] | the command line: server, `call`, `demo`, `doctor` | `mcp`, `config`, and what `doctor` looks at |
//!
//! To read the code for the first time: [`session::state`] (what a session can be), `session/actor.rs` (its loop), `session/actor/resumes.rs` and
//! `waits.rs` (how an answer is awaited), [`mcp::dispatch`] (how a call gets there), `mcp/tools/execution.rs` (what a tool looks like).
//!
//! # Invariants
//!
//! - **I1** Only [`mcp`] derives `Serialize` or `JsonSchema` for what tools answer: a change of DAP cannot change a tool's schema.
//! - **I2** Only [`dap`] names a DAP command. A session asks `client.request::<Scopes>(..)`. (The replay in `transport` plays an adapter and
//!   names commands too.)
//! - **I3** Only the actor changes a session's state. All others hold a handle or a snapshot.
//! - **I4** [`transport`] never sees a child process. **I5** Nothing but the MCP transport writes to stdout while serving; logs go to stderr.
//! - **I6** No `if backend == ..` outside [`backend`]: ask a capability, then a quirk of the profile, then take a default.
//! - **I7** A tool's future that is dropped at any await loses nothing: no stop, no output, no breakpoint.
//! - **I8** rmcp is named only in [`mcp`] and `main.rs`.
//! - **I9** Every child is started by one thread of [`process`] that lives as long as we do: a parent-death signal follows the *thread*.
//!
//! The runtime is current-thread. Calls keep their order, no lock is held across an await, and what needs a CPU goes to `spawn_blocking`.
//!
//! # What outlives a session
//!
//! Breakpoints, tracepoints, the rule for exceptions and watches belong to the workspace ([`session::workspace`]), as in an IDE: set
//! once, they hold for every launch, attach and restart until removed, and their ids are never used again. A session makes a table of
//! its own from it at its start (places in *this* build, what its adapter says, hits), follows it while it lives, and keeps its table
//! as a record after its end. An edit goes through the session that is meant, whose program knows where a line is; the others follow
//! by the workspace's revision, in their own turn.
//!
//! # How a call flows
//!
//! `debug_step {"mode": "over"}`:
//!
//! 1. `mcp/stdin.rs` cuts the line, `mcp/order.rs` stamps it with its arrival (rmcp runs a task per request and keeps no order),
//!    `mcp/server.rs` finds the tool; [`mcp::dispatch`] checks the arguments against the tool's own list and takes out what all tools share.
//! 2. The tool's function makes a typed command and sends it to the session's actor. The reply is a ticket, not a lock.
//! 3. The actor, in one go without an await: is it stopped? then the baseline is the present event number, the waiter is entered, the
//!    request is entered in the table of open ones, its bytes are queued. So a `stopped` that overtakes its response finds the waiter.
//! 4. Events become inputs of the reducer ([`session::state`]: pure, total). At a stop the actor reads stack, scopes and values in one pipelined
//!    batch within a budget (a stop that is still *completing* is a state, not an await: a pause or a disconnect gets in between),
//!    decides emulated conditions and hit counts first, and publishes a snapshot.
//! 5. The waiter's predicate asks the present first, then each change: an outcome after its baseline, a deadline (`still_running`), a
//!    cancellation, the end. The answer is a typed report; [`mcp::report`] makes it the wire's, [`mcp::render`] makes the text from the same value.
//! 6. Only when the client has the bytes is the report counted as told; what was not told is in the next one.
//!
//! # How to add
//!
//! - **A tool**: one function and its row in one file of [`mcp::tools`], a typed report in [`mcp::report`] with its text in [`mcp::render`], a row in
//!   `tests/repository/tools.rs`; then `UPDATE=1 cargo test --test repository`.
//! - **An adapter**: one file in [`backend`] with its name, the variable that may hold its path, its arguments and [`backend::Quirks`], and one
//!   line in [`backend::adapters`]. Record a talk with `--record` and put it under `tests/data/recordings`: it is played from then on.
//! - **A quirk**: a field of [`backend::Quirks`] with the source and version of the fact, the careful value in `conservative()`.
//!
//! # Tests
//!
//! Pure parts by tables and properties beside the code; the actor against a scripted adapter in memory, with paused time; recorded talks through
//! the server (`tests/data/recordings`); tools through a real MCP client and the real binary; processes by re-executing the test binary; and real
//! programs under real adapters where a machine has them, else they are counted as skipped.
//!
//! Six binaries, because linking is what a change costs most: `repository` (what README, vendor notes and this map say), `metadata`, `code`,
//! `conversation` (sessions, tools and recordings, without a .NET), `process`, and `real` (everything that needs a .NET or an adapter, with a
//! harness of its own; a new backend is a word in its `ADAPTERS`): `cargo test --test real -- netcoredbg step_over`.

pub mod transport;
pub mod process;
pub mod dap;
pub mod backend;
pub mod dotnet;
pub mod code;
pub mod session;
pub mod config;
pub mod roots;
pub mod mcp;
pub mod cli;
