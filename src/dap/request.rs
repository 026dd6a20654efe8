//! Every request we send: its name, what goes out, what comes back.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::types as t;

/// One DAP request. Implemented by empty enums, so that a call reads `client.request::<Scopes>(..)`.
pub trait Request {
    /// The name on the wire.
    const COMMAND: &'static str;
    /// What goes out; `()` sends no arguments.
    type Arguments: Serialize;
    /// The body that comes back with success.
    type Response: DeserializeOwned;
}

macro_rules! requests {
    ($($(#[$doc:meta])* $name:ident = $command:literal: $arguments:ty => $response:ty;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub enum $name {}

            impl Request for $name {
                const COMMAND: &'static str = $command;
                type Arguments = $arguments;
                type Response = $response;
            }
        )*

        /// All of them, for tests that go through the wire names.
        pub const COMMANDS: &[&str] = &[$($command),*];
    };
}

requests! {
    /// First of all; netcoredbg sends a `capabilities` event before its answer and `initialized` after it.
    Initialize = "initialize": t::InitializeArguments => t::Capabilities;
    /// Arguments are the adapter's own. netcoredbg answers at once and starts in `configurationDone`.
    Launch = "launch": Value => t::Nothing;
    /// Arguments are the adapter's own.
    Attach = "attach": Value => t::Nothing;
    /// Where netcoredbg and dncdbg really start or attach, and say what went wrong with it.
    ConfigurationDone = "configurationDone": () => t::Nothing;
    /// Replaces all breakpoints of one file.
    SetBreakpoints = "setBreakpoints": t::SetBreakpointsArguments => t::SetBreakpointsResponse;
    /// Replaces all function breakpoints.
    SetFunctionBreakpoints = "setFunctionBreakpoints": t::SetFunctionBreakpointsArguments => t::SetBreakpointsResponse;
    /// Replaces all exception filters.
    SetExceptionBreakpoints = "setExceptionBreakpoints": t::SetExceptionBreakpointsArguments => t::SetExceptionBreakpointsResponse;
    /// All threads.
    Threads = "threads": () => t::ThreadsResponse;
    /// Frames of one thread.
    StackTrace = "stackTrace": t::StackTraceArguments => t::StackTraceResponse;
    /// Scopes of one frame.
    Scopes = "scopes": t::ScopesArguments => t::ScopesResponse;
    /// Children of a scope or value.
    Variables = "variables": t::VariablesArguments => t::VariablesResponse;
    /// The value of an expression.
    Evaluate = "evaluate": t::EvaluateArguments => t::EvaluateResponse;
    /// Bytes of the program's memory.
    ReadMemory = "readMemory": t::ReadMemoryArguments => t::ReadMemoryResponse;
    /// Assigns to a child of a scope or value.
    SetVariable = "setVariable": t::SetVariableArguments => t::SetValueResponse;
    /// Assigns to an expression.
    SetExpression = "setExpression": t::SetExpressionArguments => t::SetValueResponse;
    /// Lets the program run.
    Continue = "continue": t::ContinueArguments => t::ContinueResponse;
    /// Steps over.
    Next = "next": t::StepArguments => t::Nothing;
    /// Steps into.
    StepIn = "stepIn": t::StepArguments => t::Nothing;
    /// Steps out.
    StepOut = "stepOut": t::StepArguments => t::Nothing;
    /// Stops the program. netcoredbg and dncdbg want a thread id that exists.
    Pause = "pause": t::ThreadArguments => t::Nothing;
    /// The exception a thread stopped at.
    ExceptionInfo = "exceptionInfo": t::ThreadArguments => t::ExceptionInfoResponse;
    /// Ends the debugging. Some adapters stay until their stdin is closed as well (netcoredbg 3.1.2: 13 of 60).
    Disconnect = "disconnect": t::DisconnectArguments => t::Nothing;
    /// What was thrown so far; of adapters with `supportsClrExceptions`.
    Exceptions = "clrExceptions": () => t::ThrownExceptions;
    /// What threads wait for; of adapters with `supportsClrWaits`.
    Waits = "clrWaits": () => t::WaitsResponse;
    /// Objects of the heap by type; of adapters with `supportsClrHeap`.
    HeapStatistics = "clrHeapStatistics": t::HeapStatisticsArguments => t::HeapStatisticsResponse;
    /// Objects of a type, and those for which a condition holds.
    HeapFind = "clrHeapFind": t::HeapFindArguments => t::HeapFindResponse;
    /// Why objects are alive.
    HeapRoots = "clrHeapRoots": t::HeapRootsArguments => t::HeapRootsResponse;
    /// What refers to an object, or what it refers to.
    HeapReferences = "clrHeapReferences": t::HeapReferencesArguments => t::HeapReferencesResponse;
    /// Where an object lies.
    HeapObject = "clrHeapObject": t::HeapObjectArguments => t::HeapObject;
}
