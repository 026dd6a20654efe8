//! The dotnet layer against a real .NET and real processes. Without .NET each test prints one line and passes.

mod attach;
mod fixture;
mod program;
