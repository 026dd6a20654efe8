//! netcoredbg (Samsung): the default adapter. Facts from 3.1.2-1 as measured; 3.1.3 and 3.2.0 from their sources.

use super::discovery::{Archives, Known};
use super::quirks::{ArgQuirks, ExternalFrames, Jmc, Quirks, VariablesRun};

/// As `--backend` and recordings spell it.
pub const NAME: &str = "netcoredbg";

/// Without `--interpreter=vscode` it speaks MI on a pipe (facts 1).
pub(super) const KNOWN: Known = Known {
    name: NAME,
    variable: "NETCOREDBG_PATH",
    args: &["--interpreter=vscode"],
    quirks,
    adjust,
    archives: Some(Archives {
        latest: "https://github.com/Samsung/netcoredbg/releases/latest/download/netcoredbg-linux-{arch}.tar.gz",
        // 3.2.0 needs glibc 2.38, this one 2.36
        for_older_glibc: "https://github.com/Samsung/netcoredbg/releases/download/3.1.3-1062/netcoredbg-linux-{arch}.tar.gz",
    }),
};

/// As of 3.1.2.
pub fn quirks() -> Quirks {
    Quirks {
        launch_needs_dll: true,
        jmc_in_attach: Jmc::FixedOn,
        arguments: ArgQuirks { backslashes: true, ..ArgQuirks::default() },
        utf8_output_kills: false,
        variables_run_code: VariablesRun::Getters,
        external_frames: ExternalFrames::Each,
        total_frames: true,
        paging: true,
        division_by_zero_kills: false,
        strings_end_at_nul: true,
        native_int_is_cut: true,
        function_breakpoint_module_prefix: true,
        binds_partial_folder_names: true,
        loses_output_tail: true,
        deaf_after_words: Some("Command execution timed out"),
        stop_text_tells_exception: true,
        reports_rethrows: true,
        launch_must_come_first: false,
        hosts_clr: true,
        tells_modules: true,
        attaches_while_held: true,
        launch_options_outlive_attach: true,
        ..Quirks::conservative()
    }
}

/// What later versions do better; `version` as [`super::Profile`] has it.
fn adjust(quirks: &mut Quirks, version: &str) {
    let mut numbers = version.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    // 3.1.3 executes what does not end in .dll (facts 2.4).
    quirks.launch_needs_dll = version < (3, 1, 3);
    // 3.2.0 keeps backslashes, but quotes are not escaped, empty arguments vanish, and a blank with a last
    // backslash is not supported (facts 2.4: read in its source, not measured).
    if version >= (3, 2, 0) {
        quirks.arguments = ArgQuirks { backslashes: false, quotes: true, empty: true, blank_and_last_backslash: true };
    }
}
