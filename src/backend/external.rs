//! Any other DAP adapter by its command line, with nothing taken for granted.
//!
//! vsdbg would be one, where its license allows it (Visual Studio and VS Code only). It asks its client to sign a
//! challenge (reverse request `handshake`), which we cannot; so only this seam is here: its quirks would be
//! `initialized_after_launch`, native hit conditions and logpoints, and JMC by argument.

use std::ffi::OsString;
use std::path::Path;

use super::adapters::quirks_of;
use super::error::BackendError;
use super::profile::{Command, Profile};

/// As `--backend` spells it.
pub const NAME: &str = "external";

/// The adapter that `command` starts: a program (absolute, or looked for on `path`) and its arguments.
pub(super) fn find(command: &[String], path: Option<OsString>) -> Result<Profile, BackendError> {
    let (program, args) = command.split_first().filter(|(program, _)| !program.is_empty()).ok_or_else(|| {
        BackendError::Unusable { what: "backend external".into(), reason: "no command is configured for it".into() }
    })?;
    let found =
        which::which_in(program, path, std::env::current_dir().unwrap_or_else(|_| "/".into())).map_err(|_| {
            BackendError::WrongPath {
                setting: "backend external".into(),
                path: program.into(),
                reason: "is not an executable file, and PATH has no program of that name".into(),
            }
        })?;
    let name = Path::new(program).file_stem().map_or_else(|| NAME.into(), |stem| stem.to_string_lossy().into_owned());
    // Somebody's own build of a known adapter behaves like it.
    let quirks = quirks_of(&name);
    let command = Command { program: found, args: args.iter().map(Into::into).collect(), env: vec![] };
    Ok(Profile { name, command, version: None, quirks, recording: None })
}
