//! Environment variables, read the same way everywhere.

use std::ffi::OsString;

/// How the environment is read; a value, so that tests need not change the process's own.
pub type Lookup<'a> = &'a (dyn Fn(&str) -> Option<OsString> + Sync);

/// The environment of this process; an empty variable counts as absent.
pub fn process_env(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}
