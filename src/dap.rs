//! dap
