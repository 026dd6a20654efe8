//! clrbridge: debug .NET programs from an AI agent.
//!
//! An MCP server, and a command line on the same core. It starts a debug adapter (netcoredbg, dncdbg), speaks the Debug Adapter
//! Protocol (DAP) to it over pipes, and turns the adapter's asynchronous events into blocking, complete answers. This page is the
//! architecture; `README.md` is for users; `vendor-notes.md` records what adapters actually do.
//!
//! # Overview
//!
//! ```text
//! MCP client ── stdio ──> mcp ── commands ──> session actor ── DAP ──> adapter ──> .NET program
//!                          ^                      │   ^                   │             │
//!                          └─ reports, answers ───┘   └──── events ───────┘             │
//!                                                     └──── output, exit (held start) ──┘
//! ```
//!
//! An agent cannot subscribe: whatever it wants to know must be in the answer to a call. So every call that resumes the program
//! waits for the outcome and returns everything needed at a stop. DAP is the opposite: a request is acknowledged at once, and its
//! outcome arrives as an event, in an order that varies by adapter and timing. The hard part, bridging the two, is in one place: the
//! actor of [`session`].
//!
//! # Layers, in reading order
//!
//! Each layer knows only those below it (`tests/repository/architecture.rs` enforces that). Within a layer, a file and those of its
//! folder are one module and may refer to each other; where other files do so in a cycle, one of them says why (`tests/repository/circles.rs` lists
//! these cycles, and fails for any other).
//!
//! | module | owns | knows |
//! |---|---|---|
//! | [`transport`] | frames over byte streams, recording and replay of traffic | nothing of ours |
//! | [`process`] | child processes: the one thread that starts them, reaping, process groups, suspending a program before its first instruction, the keeper that disconnects if the server is killed, the claim that keeps two servers off one program | nothing of ours |
//! | [`clr_metadata`] | a crate of its own (`src/metadata`): assemblies (ECMA-335, IL) and Portable PDBs: types, getters, lines, async methods | nothing of ours |
//! | [`environment`] | environment variables | nothing of ours |
//! | [`redaction`] | what looks like a secret, and what is shown in its place | nothing of ours |
//! | [`roots`] | the folders below which files may be shown | `environment` |
//! | [`http`] | HTTP connections and their limits, and who may ask: token, `Host`, `Origin` | nothing of ours |
//! | [`history`] | the latest tool calls, bounded | nothing of ours |
//! | [`clr_engine`] | a crate of its own (`src/engine`): our debug adapter over the runtime's own debugging library; `clrbridge adapter` serves it | `clr_csharp`, `clr_metadata`, `dap_wire` |
//! | [`clr_csharp`] | a crate of its own (`src/csharp`): C# expressions as a debugger evaluates them, over whatever implements its one trait (`world::World`), and numbers as .NET computes them; the engine evaluates by it, the session reads its syntax | `clr_metadata` |
//! | [`dap_wire`] | a crate of its own (`src/dap-wire`): the shapes of DAP's messages, for a client and for an adapter | nothing of ours |
//! | [`dap`] | command names, the typed client, the table of pending requests | `transport`, `dap_wire` |
//! | [`backend`] | adapters described as data: how to find and start one, and its quirks | `dap` types, `process::CommandSpec`, `environment` |
//! | [`dotnet`] | .NET roots, projects, builds, launch profiles, checks before an attach | `process`, `metadata`, `environment` |
//! | [`code`] | a workspace of projects: their builds and sources, compiler diagnostics, where symbols are declared and used | `metadata`, `dotnet`, `roots` |
//! | [`session`] | the debugger: actor, state, stops, breakpoints, values, output | all of the above except `code` and `clr_engine` |
//! | [`config`] | settings: flag over environment over file, checked at once | `backend`, `redaction` |
//! | [`mcp`] | tools, their arguments and answers, both renderings, the server over stdio and HTTP | `session`, `code`, `metadata`, `dotnet`, `config`, `roots`, `http` |
//! | [`page`] | the dashboard: what a person sees of sessions and calls in a browser | `session`, `answers`, `history`, `http` |
//! | [`cli`] | the command line: server, `serve`, `call`, `demo`, `doctor` | `mcp`, `config`, and what `doctor` checks |
//!
//! Where to start reading: [`session::state`] (what a session can be), `session/actor.rs` (its loop), `session/actor/resumes.rs` and
//! `waits.rs` (how an answer is awaited), [`mcp::call::Dispatch`] (how a call gets there), `mcp/tools/execution.rs` (what a tool looks like).
//!
//! # Invariants
//!
//! - **I1** Only [`mcp`] derives `Serialize` or `JsonSchema` for tool results: a change of DAP cannot change a tool's schema.
//! - **I2** Only [`dap`] names a DAP command. A session asks `client.request::<Scopes>(..)`. (The replay in `transport` plays an adapter and
//!   names commands too.)
//! - **I3** Only the actor changes a session's state, by one pure function that is given the time. All others hold a handle or a snapshot.
//! - **I4** [`transport`] never sees a child process. **I5** Nothing but the MCP transport writes to stdout while serving; logs go to stderr.
//! - **I6** No `if backend == ..` outside [`backend`]: check a capability, then a quirk of the profile, then use a default.
//! - **I7** Dropping a tool's future at any await loses nothing: no stop, no output, no breakpoint.
//! - **I8** rmcp is named only in [`mcp`] and `main.rs`.
//! - **I9** Every child is started by one thread of [`process`] that lives as long as we do: a parent-death signal follows the *thread*.
//! - **I10** Values leave a session only as a [`session::reply::Reply`], which redacts what looks like a secret: an answer's type is a `Redact`.
//!   Within a session nothing is redacted. Arguments are redacted when the history records them, logs when they are written.
//!
//! The tokio runtime is current-thread. Calls keep their order, no lock is held across an await, and CPU-bound work goes to `spawn_blocking`.
//!
//! # What outlives a session
//!
//! Breakpoints, tracepoints, the exception rule and watches belong to the workspace ([`session::workspace`]), as in an IDE: set
//! once, they apply to every launch, attach and restart until removed, and their ids are never reused. A session builds its own table
//! from it at startup (locations in *this* build, the adapter's replies, hits), follows changes while it lives, and keeps the table
//! as a record after it ends. An edit goes through the target session, whose program knows where a line is; the others follow
//! the workspace's revision in their own turn.
//!
//! # How a call flows
//!
//! `debug_step {"mode": "over"}`:
//!
//! 1. `mcp/stdio/stdin.rs` reads the line, `mcp/server/order.rs` numbers it by arrival (rmcp runs a task per request and keeps no order),
//!    `mcp/server.rs` finds the tool; [`mcp::call::Dispatch`] checks the arguments against the tool's schema and removes those shared by all tools.
//! 2. The tool's function sends a typed command to the session's actor and gets a future for the reply; no lock is held.
//! 3. Without an await in between, the actor checks that the program is stopped, takes the current event number as the baseline,
//!    registers the waiter and the pending request, and queues the request. So a `stopped` that overtakes its response finds the waiter.
//! 4. Events become inputs of the reducer ([`session::state`]: pure, total). At a stop the actor reads stack, scopes and values in one pipelined
//!    batch within a time budget (a stop that is still *completing* is a state, not an await, so a pause or a disconnect can interrupt it),
//!    decides first which hits count, as far as the adapter has not, and publishes a snapshot.
//! 5. The waiter's predicate checks the current state first, then each change: an outcome after its baseline, a deadline (`still_running`), a
//!    cancellation, the end. The answer is a typed report; [`answers::report`] converts it to the wire type, and [`answers::render`] renders text from the same value.
//! 6. A report counts as delivered only when the client has the bytes; anything undelivered is in the next one.
//!
//! On this path a stop passes through six types; each knows more than the one before, or shows less: `dap::StoppedEvent` (what the adapter says),
//! `Stopped` of `session/stopped.rs` (its number, and how long the program ran), `Completed` (what was decided and read), `Published` (what changed since
//! the stop before), [`session::report::Stop`] (what this client asked for and has not had) and the wire type.
//!
//! Over HTTP (`clrbridge serve`) the first step differs: `http/connections.rs` and `http/access.rs` let a request in, `mcp/http.rs` reads it whole
//! and hands it to rmcp, `mcp/http/manager.rs` stamps it with its client's sessions; `mcp/receipt.rs` sees whether the answer was written.
//!
//! # How to add
//!
//! - **A tool**: one function and its row in one file of [`mcp::tools`]; a typed report in a file of [`answers::report`], exported there, with its
//!   text in the file of the same name of [`answers::render`]; a row and the new counts in `tests/repository/tools.rs`: five files. Then
//!   `UPDATE=1 cargo test --test repository`, twice, writes the README's table and the listed schemas. If it requires one of two arguments,
//!   `tests/conversation/mcp_server.rs` must list it. A new set is a word in `config/toolsets.rs` and a line in `mcp/tools.rs`.
//! - **A prompt**: an entry of `mcp/prompts.rs`; the names of its arguments determine how `mcp/completion.rs` completes them.
//! - **A resource**: a row of `mcp/resources.rs`, how it is read, and what its fingerprint is made of: subscribers are notified when that changes.
//! - **What a tool asks of a stopped program**: its query in `session/spec.rs`, its answer in `session/view.rs`, a variant of `Inspect` in
//!   `session/command.rs` with a method of [`session::SessionHandle`], and the function that answers it in `session/queries`.
//! - **A request outside DAP**: its types in [`dap_wire`], its name, which begins with `clr`, in [`dap::request`], and a capability that
//!   announces it in `dap_wire::Capabilities`. Without the capability the tool answers `unsupported_by_adapter`.
//! - **An adapter**: one file beside `backend/dncdbg.rs`, with a `KNOWN` as there: its name, the variable for its path, its arguments and
//!   [`backend::Quirks`]; a `mod` line for it in `backend.rs`, and its `KNOWN` in the list of [`backend::adapters`]. Its flag and its place in
//!   `--help`, `--backend`, `doctor` and messages follow from that; the flag needs a row in the README's table of settings. Then its name in `ADAPTERS` of `tests/real/main.rs` runs every scenario over it
//!   where it is installed; those of `builtin` run a second time, as `builtin-net8`, with the programs built for .NET 8, where that name is on the command line or `CLRBRIDGE_NET8` is set, as in CI. A session recorded with `--record` and put under `tests/data/recordings` is replayed by the tests everywhere.
//! - **A field of a report**: the field, with its doc comment, in the type in [`answers::report`] and in the `From` below it that makes it from the
//!   session's type (`session/report.rs` for what waiting tools and debug_state return, else `session/view.rs`; a field that the session has not yet goes
//!   there first, and the compiler then names the function that fills it; `publish_snapshot` of `session/actor/reports.rs` fills debug_state's); its words in [`answers::render`]. Then
//!   `UPDATE=1 cargo test --test repository`, twice, for the schemas, and `UPDATE_SNAPSHOTS=1 cargo test --test conversation`: read what changed.
//! - **A quirk**: a field of [`backend::Quirks`] with the source and version of the fact, and the safe value in `conservative()`. One that no code
//!   reads fails `tests/repository/capabilities.rs`: such a fact belongs in `vendor-notes.md`.
//!
//! # Tests
//!
//! Pure code has table and property tests beside it. The actor runs against a scripted in-memory adapter with paused time; recorded sessions are
//! replayed through the server (`tests/data/recordings`); tools are called through a real MCP client and the real binary; process tests re-execute
//! the test binary; and real programs run under real adapters if installed, else these tests are skipped.
//!
//! Six binaries, because linking dominates build time: `repository` (what README, vendor notes and this map say), `metadata`, `code`,
//! `conversation` (sessions, tools and recordings, without a .NET), `process`, and `real` (everything that needs a .NET or an adapter, with a
//! harness of its own; a new backend is a word in its `ADAPTERS`): `cargo test --test real -- netcoredbg step_over`.

pub mod transport;
pub mod process;
pub mod dap;
pub mod backend;
pub mod dotnet;
pub mod environment;
pub mod code;
pub mod session;
pub mod config;
pub mod redaction;
pub mod roots;
pub mod http;
pub mod history;
pub mod page;
pub mod answers;
pub mod mcp;
pub mod cli;
