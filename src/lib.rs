//! clrbridge: debug .NET programs from an AI agent.

pub mod backend;
pub mod cli;
pub mod config;
pub mod dap;
pub mod dotnet;
pub mod mcp;
pub mod metadata;
pub mod process;
pub mod session;
pub mod transport;
