//! The built-in engine: this executable, run as a debug adapter. Only .NET needs to be installed.

use super::known::{Known, Program};
use super::quirks::{ArgQuirks, Constructs, Jmc, MembersOf, Quirks, VariablesRun};

/// As `--backend` and recordings spell it.
pub const NAME: &str = "builtin";

/// The engine is for Linux on x86-64 so far.
pub(super) const KNOWN: Known = Known {
    name: NAME,
    quirks,
    program: Program::Ourselves { args: &["adapter"], works: cfg!(all(target_os = "linux", target_arch = "x86_64")) },
};

/// As of this version.
pub fn quirks() -> Quirks {
    Quirks {
        jmc_in_attach: Jmc::Argument,
        arguments: ArgQuirks::default(),
        variables_run_code: VariablesRun::Nothing,
        total_frames: true,
        follows_pointers: false,
        wide_enums_are_cut: false,
        passes_computed_enums: true,
        sets_enum_properties: true,
        sets_nullable_properties: true,
        assigns_only_what_is_stored: true,
        null_leaves_no_value: true,
        dividing_by_zero_kills: false,
        knows_captured: true,
        members_of: MembersOf::DeclaredType,
        constructs: Constructs::Some,
        conditions_are_csharp: true,
        paging: true,
        listing_is_cheap: true,
        variables_run_getters: false,
        reports_modules: true,
        attaches_while_held: true,
        launch_options_outlive_attach: true,
        stop_text_names_exception: true,
        ..Quirks::conservative()
    }
}
