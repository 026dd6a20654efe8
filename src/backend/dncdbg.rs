//! dncdbg: the fork by netcoredbg's main author; native only, DAP only. Facts from the main branch after 1.1.0.

use std::time::Duration;

use super::known::{Installed, Known, Program};
use super::quirks::{ArgQuirks, Constructs, Jmc, Quirks, VariablesRun};

/// As `--backend` and recordings spell it.
pub const NAME: &str = "dncdbg";

/// It rejects every option that it does not know.
pub(super) const KNOWN: Known = Known {
    name: NAME,
    quirks,
    program: Program::Installed(Installed {
        variable: "DNCDBG_PATH",
        args: &["--interpreter=vscode"],
        adjust: |_, _| {},
        archives: None,
    }),
};

/// Contextual keywords that its grammar (tree-sitter-c-sharp) takes for such where they are a whole expression (tried one by one,
/// 2026-11-22).
const MISREAD: [&str; 23] = [
    "when",
    "where",
    "from",
    "yield",
    "select",
    "file",
    "scoped",
    "global",
    "var",
    "group",
    "into",
    "orderby",
    "join",
    "let",
    "on",
    "equals",
    "by",
    "ascending",
    "descending",
    "unmanaged",
    "notnull",
    "alias",
    "unscoped",
];

/// Those that it can read in no form (tried on 2026-11-22).
const UNREADABLE: [&str; 4] = ["async", "await", "nint", "nuint"];

/// As of 1.1.0.
pub fn quirks() -> Quirks {
    Quirks {
        jmc_in_attach: Jmc::FixedOn,
        arguments: ArgQuirks { quotes: true, empty: true, blank_and_last_backslash: true, backslashes: false },
        variables_run_code: VariablesRun::AllValues,
        page: Some(25),
        strings_end_at_nul: true,
        wide_enums_are_cut: false,
        doubles_are_rounded: true,
        texts_are_raw: true,
        exceptions_are_escaped: true,
        misread_names: &MISREAD,
        unreadable_names: &UNREADABLE,
        reads_at_names: false,
        deaf_after_words: Some("Command execution timed out"),
        force_evaluation_suffix: Some(",ac"),
        hidden_fields_suffix: Some(",hidden"),
        listing_is_cheap: true,
        unknown_names_kill: true,
        aborts_evaluations_after: Some(Duration::from_secs(5)),
        takes_evaluation_options: true,
        sets_nullable_properties: true,
        constructs: Constructs::New,
        conditions_may_call: false,
        variables_run_getters: false,
        reports_modules: true,
        attaches_while_held: true,
        launch_options_outlive_attach: true,
        ..Quirks::conservative()
    }
}
