//! netcoredbg (Samsung): the default adapter. Facts from 3.1.2-1 as measured; 3.1.3 and 3.2.0 from their sources.

use std::time::Duration;

use super::known::{Archives, Installed, Known, Program};
use super::quirks::{ArgQuirks, Constructs, Jmc, Quirks, VariablesRun};

/// As `--backend` and recordings spell it.
pub const NAME: &str = "netcoredbg";

/// Without `--interpreter=vscode` it speaks MI on a pipe.
pub(super) const KNOWN: Known = Known {
    name: NAME,
    quirks,
    program: Program::Installed(Installed {
        variable: "NETCOREDBG_PATH",
        args: &["--interpreter=vscode"],
        adjust,
        archives: Some(Archives {
            latest: "https://github.com/Samsung/netcoredbg/releases/latest/download/netcoredbg-linux-{arch}.tar.gz",
            // 3.2.0 needs glibc 2.38, this one 2.36
            for_older_glibc: "https://github.com/Samsung/netcoredbg/releases/download/3.1.3-1062/netcoredbg-linux-{arch}.tar.gz",
        }),
    }),
};

/// As of 3.1.2.
pub fn quirks() -> Quirks {
    Quirks {
        jmc_in_attach: Jmc::FixedOn,
        arguments: ArgQuirks { backslashes: true, ..ArgQuirks::default() },
        variables_run_code: VariablesRun::Getters,
        total_frames: true,
        frames_of_exception_traces: true,
        paging: true,
        strings_end_at_nul: true,
        native_integers_are_cut: true,
        doubles_are_rounded: true,
        misread_names: &["record", "extension"],
        deaf_after_words: Some("Command execution timed out"),
        aborts_evaluations_after: Some(Duration::from_secs(5)),
        stop_text_names_exception: true,
        hosts_clr: true,
        lines_of_records_bind_copies: true,
        constructs: Constructs::No,
        reports_modules: true,
        attaches_while_held: true,
        launch_options_outlive_attach: true,
        dividing_by_zero_kills: false,
        ..Quirks::conservative()
    }
}

/// What later versions do better; `version` as [`super::Profile`] has it.
fn adjust(quirks: &mut Quirks, version: &str) {
    let mut numbers = version.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    // 3.2.0 keeps backslashes, but quotes are not escaped, empty arguments vanish, and a blank with a last
    // backslash is not supported (read in its source, not measured).
    if version >= (3, 2, 0) {
        quirks.arguments = ArgQuirks { backslashes: false, quotes: true, empty: true, blank_and_last_backslash: true };
    }
}
