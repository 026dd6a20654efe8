//! Code without a debugger: the projects of a solution or folder, what their builds made, and what the compiler says of them.

pub mod navigate;
