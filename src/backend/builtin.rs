//! The built-in engine: this executable, run as a debug adapter. Only .NET needs to be installed.

use super::error::BackendError;
use super::profile::{Command, Profile};
use super::quirks::{ArgQuirks, Constructs, Jmc, MembersOf, Quirks, VariablesRun};

/// As `--backend` and recordings spell it.
pub const NAME: &str = "builtin";

/// Whether the engine supports this system.
pub(super) const WORKS: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// One that runs from the file of this process.
///
/// # Errors
/// [`BackendError::Unusable`] where the system does not say which file that is.
pub(super) fn find() -> Result<Profile, BackendError> {
    let program = std::env::current_exe().map_err(|error| BackendError::Unusable {
        what: "backend builtin".into(),
        reason: format!("the file of this program is not known: {error}"),
    })?;
    let command = Command { program, args: vec!["adapter".into()], env: vec![] };
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    Ok(Profile { name: NAME.into(), command, version, quirks: quirks(), recording: None })
}

/// As of this version.
pub fn quirks() -> Quirks {
    Quirks {
        jmc_in_attach: Jmc::Argument,
        arguments: ArgQuirks::default(),
        variables_run_code: VariablesRun::Nothing,
        total_frames: true,
        passes_computed_enums: true,
        types_null_accesses: true,
        sets_enum_properties: true,
        sets_nullable_properties: true,
        assigns_only_what_is_stored: true,
        null_leaves_no_value: true,
        knows_captured: true,
        members_of: MembersOf::DeclaredType,
        constructs: Constructs::Some,
        conditions_are_csharp: true,
        paging: true,
        listing_is_cheap: true,
        variables_run_getters: false,
        tells_modules: true,
        attaches_while_held: true,
        launch_options_outlive_attach: true,
        stop_text_tells_exception: true,
        ..Quirks::conservative()
    }
}
