//! The `dotnet` layer against a real .NET and real processes.

pub mod attach;
mod fixture;
pub mod program;
