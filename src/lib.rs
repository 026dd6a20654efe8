//! clrbridge: debug .NET programs from an AI agent.

pub mod transport;
pub mod process;
pub mod metadata;
pub mod dap;
pub mod backend;
pub mod dotnet;
pub mod session;
pub mod config;
pub mod mcp;
pub mod cli;
