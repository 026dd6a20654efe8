//! dncdbg: the fork by netcoredbg's main author; native only, DAP only. Facts from the main branch after 1.1.0.

use super::discovery::Known;
use super::quirks::{ArgQuirks, ExternalFrames, Jmc, Quirks, VariablesRun};

/// As `--backend` and recordings spell it.
pub const NAME: &str = "dncdbg";

/// It rejects every option that it does not know (facts 7.1).
pub(super) const KNOWN: Known = Known {
    name: NAME,
    variable: "DNCDBG_PATH",
    args: &["--interpreter=vscode"],
    quirks,
    adjust: |_, _| {},
    archives: None,
};

/// As of 1.1.0.
pub fn quirks() -> Quirks {
    Quirks {
        ignores_hit_condition: false,
        launch_needs_dll: false,
        jmc_in_attach: Jmc::FixedOn,
        arguments: ArgQuirks { quotes: true, empty: true, blank_and_last_backslash: true, backslashes: false },
        utf8_output_kills: true,
        lone_surrogate_kills: false,
        variables_run_code: VariablesRun::AllValues,
        modules_request: true,
        external_frames: ExternalFrames::Folded,
        stack_cap: Some(250),
        page: Some(25),
        frame_names_have_parameters: true,
        strings_end_at_nul: true,
        deaf_after_words: Some("Command execution timed out"),
        names_hit_breakpoints: true,
        drops_broken_conditions: true,
        paths_ignore_case: true,
        force_evaluation_suffix: Some(",ac"),
        hidden_fields_suffix: Some(",hidden"),
        listing_is_cheap: true,
        misreads_nullable_fields: true,
        takes_evaluation_options: true,
        conditions_may_call: false,
        variables_run_getters: false,
        tells_modules: true,
        attaches_while_held: true,
        launch_options_outlive_attach: true,
        attach_process_event: true,
        jmc_hides_release_code: false,
        ..Quirks::conservative()
    }
}
