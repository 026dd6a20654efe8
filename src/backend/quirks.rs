//! What adapters do differently, as data. A flag names a behaviour, never an adapter.
//!
//! Sources: `measured.md` (netcoredbg 3.1.2-1, dncdbg after 1.1.0; runtime 10.0.12, Linux x64) by section number,
//! `adapter-facts.md` (sources of netcoredbg 3.1.2 to 3.2.0 and dncdbg) by "facts" and section number.

/// Whether Just My Code can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jmc {
    /// On, whatever is asked for.
    FixedOn,
    /// The request's `justMyCode` is read.
    Argument,
}

/// How arguments reach a program that the adapter starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArgQuirks {
    /// A backslash arrives doubled or joins two arguments.
    pub backslashes: bool,
    /// A double quote is lost or joins two arguments.
    pub quotes: bool,
    /// An empty argument vanishes.
    pub empty: bool,
    /// A blank and a backslash at the end lose the argument.
    pub blank_and_last_backslash: bool,
}

/// What showing a variable may run in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariablesRun {
    /// The getters of the properties shown.
    Getters,
    /// `ToString`, debugger displays and proxies of every value shown.
    AllValues,
}

/// How frames without source are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExternalFrames {
    /// One by one, line 0.
    Each,
    /// One frame for each run of them.
    Folded,
}

/// Behaviour that no capability tells. The values of [`Quirks::conservative`] are right for an unknown adapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quirks {
    /// `hitCondition` is ignored: every hit stops (measured 3; netcoredbg).
    pub ignores_hit_condition: bool,
    /// `hitCondition` has the usual meaning, so ours need not count. False for both known adapters (measured 3).
    pub native_hit_conditions: bool,
    /// `logMessage` formats as C# interpolation would, so ours need not. False for both known adapters (measured 3).
    pub native_logpoints: bool,
    /// `launch` takes a dll only, no executable (measured 2; netcoredbg up to 3.1.2).
    pub launch_needs_dll: bool,
    /// What `justMyCode` does in `attach` (facts 2.5; measured 12).
    pub jmc_in_attach: Jmc,
    /// The adapter ends by itself after the `disconnect` response. False for both: 13 and 19 of 60 sessions stay (measured 0 no. 2).
    pub exits_after_disconnect: bool,
    /// How `launch` mangles arguments (measured 2).
    pub arguments: ArgQuirks,
    /// Output that is not UTF-8, or cut inside a character, kills the adapter (measured 0 no. 4; dncdbg).
    pub utf8_output_kills: bool,
    /// A string with a lone surrogate in `variables` kills the adapter (measured 0 no. 3; netcoredbg).
    pub lone_surrogate_kills: bool,
    /// What listing variables runs (measured 6).
    pub variables_run_code: VariablesRun,
    /// The `modules` request works (measured 13; dncdbg).
    pub modules_request: bool,
    /// How framework frames come (measured 5).
    pub external_frames: ExternalFrames,
    /// Frames told at most; more are one frame `[Truncated Stack Trace]` (measured 5; dncdbg 250).
    pub stack_cap: Option<usize>,
    /// `totalFrames` is the whole stack's, not this answer's (measured 5).
    pub total_frames: bool,
    /// `variables` honours `start` and `count` (measured 6).
    pub paging: bool,
    /// Children shown when `paging` is false; the rest hides behind a `[More]` child (measured 6; dncdbg 25).
    pub page: Option<usize>,
    /// Frame names carry parameters, `Run(int count)` (measured 5).
    pub frame_names_have_parameters: bool,
    /// Evaluating a division by zero kills the adapter (measured 0 no. 5; dncdbg).
    pub division_by_zero_kills: bool,
    /// The text of a string comes cut at a NUL character (measured 6).
    pub strings_end_at_nul: bool,
    /// IntPtr values show their low 32 bits only (measured 6; netcoredbg).
    pub native_int_is_cut: bool,
    /// It fails a request with these words when its worker did not come back from it in time, and answers nothing from then on, or
    /// not before that returns (15 s; measured 0 no. 7; both known adapters).
    pub deaf_after_words: Option<&'static str>,
    /// Function breakpoints take `Module.dll!Name` (measured 3; netcoredbg).
    pub function_breakpoint_module_prefix: bool,
    /// Stops name their breakpoints, `hitBreakpointIds` (facts 7.1; dncdbg). Several on one line are all named.
    pub names_hit_breakpoints: bool,
    /// A condition that cannot be evaluated is dropped: the breakpoint then stops always, told once (measured 3; dncdbg).
    pub drops_broken_conditions: bool,
    /// A relative source path binds at any suffix of characters, `ics/Program.cs` (measured 3; netcoredbg).
    pub binds_partial_folder_names: bool,
    /// Appended to an expression that may run code; without it the adapter, told not to make calls by itself, refuses
    /// (dncdbg: `allowImplicitFuncEval` false and the format specifier `ac`, read in its source and tried on 2026-11-21).
    pub force_evaluation_suffix: Option<&'static str>,
    /// Appended to an expression; the children of what it gives then include the compiler's fields, `<Name>k__BackingField`, down to
    /// any depth (dncdbg: format specifier `hidden`, read in its source and tried on 2026-11-22).
    pub hidden_fields_suffix: Option<&'static str>,
    /// Listing the children of an object takes less than one evaluation (dncdbg: 0.3 against 7 ms; netcoredbg: 1.5 against 0.5 ms;
    /// 2026-11-22).
    pub listing_is_cheap: bool,
    /// The fields of a `Nullable<T>` of a struct are read from the wrong place: `day._dateData` of a `DateTime?` is its `hasValue`
    /// (dncdbg, 2026-11-22).
    pub misreads_nullable_fields: bool,
    /// `launch` takes `expressionEvaluationOptions`: raw values, and no call that was not asked for (facts 7.1; dncdbg).
    pub takes_evaluation_options: bool,
    /// A breakpoint's condition may read properties and call methods.
    pub conditions_may_call: bool,
    /// Listing an object's children runs its getters (measured 6; netcoredbg).
    pub variables_run_getters: bool,
    /// A `module` event comes for each module, the first before any managed code runs (both known adapters).
    pub tells_modules: bool,
    /// `attach` works on a program that is held before its first managed instruction (dotnet-recipes 2.1; both known adapters).
    pub attaches_while_held: bool,
    /// Options that only `launch` reads stay in force when an `attach` follows it before `configurationDone`: the second
    /// request takes the first one's place (tried on both known adapters, 2026-11-21).
    pub launch_options_outlive_attach: bool,
    /// Source paths compare without regard to case (measured 3; dncdbg).
    pub paths_ignore_case: bool,
    /// `attach` is followed by a `process` event (measured 1; dncdbg).
    pub attach_process_event: bool,
    /// The end of the program's output may be lost when it ends by itself (measured 0 no. 21; netcoredbg).
    pub loses_output_tail: bool,
    /// `stopped.text` of an exception names its type and how it was noticed (measured 4; netcoredbg), and `exceptionInfo` runs
    /// getters, which may hang the program: they suspend all other threads, whatever locks those hold (read in the source of
    /// 3.1.2 and seen on 2026-11-21).
    pub stop_text_tells_exception: bool,
    /// An exception is reported again at each rethrow (dotnet-recipes 1.5; netcoredbg).
    pub reports_rethrows: bool,
    /// `configurationDone` before `launch` starts nothing (measured 2; dncdbg).
    pub launch_must_come_first: bool,
    /// `initialized` comes only after `launch` or `attach` was accepted (facts 2.3: vsdbg).
    pub initialized_after_launch: bool,
    /// Release code binds no breakpoints while Just My Code is on (dotnet-recipes 5.2).
    pub jmc_hides_release_code: bool,
    /// It hosts a CLR and so needs the `TMPDIR` and a runtime like a .NET program does (dotnet-recipes 0; netcoredbg).
    pub hosts_clr: bool,
}

impl Quirks {
    /// Nothing is taken for granted: what may be missing is done by us, what may kill is avoided.
    pub const fn conservative() -> Self {
        Self {
            ignores_hit_condition: true,
            native_hit_conditions: false,
            native_logpoints: false,
            launch_needs_dll: true,
            jmc_in_attach: Jmc::FixedOn,
            exits_after_disconnect: false,
            arguments: ArgQuirks { backslashes: true, quotes: true, empty: true, blank_and_last_backslash: true },
            utf8_output_kills: true,
            lone_surrogate_kills: true,
            variables_run_code: VariablesRun::AllValues,
            modules_request: false,
            external_frames: ExternalFrames::Each,
            stack_cap: None,
            total_frames: false,
            paging: false,
            page: None,
            frame_names_have_parameters: false,
            division_by_zero_kills: true,
            strings_end_at_nul: false,
            native_int_is_cut: false,
            deaf_after_words: None,
            function_breakpoint_module_prefix: false,
            names_hit_breakpoints: false,
            drops_broken_conditions: false,
            binds_partial_folder_names: false,
            force_evaluation_suffix: None,
            hidden_fields_suffix: None,
            listing_is_cheap: false,
            misreads_nullable_fields: false,
            takes_evaluation_options: false,
            conditions_may_call: true,
            variables_run_getters: true,
            tells_modules: false,
            attaches_while_held: false,
            launch_options_outlive_attach: false,
            paths_ignore_case: false,
            attach_process_event: false,
            loses_output_tail: false,
            stop_text_tells_exception: false,
            reports_rethrows: false,
            launch_must_come_first: true,
            initialized_after_launch: false,
            jmc_hides_release_code: true,
            hosts_clr: false,
        }
    }

    /// The quirks of an adapter by the name that it or a recording has; an unknown name gets the conservative ones.
    pub fn for_adapter(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            super::netcoredbg::NAME => super::netcoredbg::quirks(),
            super::dncdbg::NAME => super::dncdbg::quirks(),
            _ => Self::conservative(),
        }
    }
}
