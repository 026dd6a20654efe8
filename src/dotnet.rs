//! dotnet
