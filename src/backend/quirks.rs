//! What adapters do differently, as data. A flag names a behavior, never an adapter.
//!
//! Each says which adapter behaves so. How that was found, with versions and dates, is in `vendor-notes.md`.

use std::time::Duration;

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
    /// Nothing: fields are read from memory.
    Nothing,
    /// The getters of the properties shown.
    Getters,
    /// `ToString`, debugger displays and proxies of every value shown.
    AllValues,
}

/// Of which type a member is read that a derived type hides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MembersOf {
    /// As in C#: the type that the receiver is declared as.
    DeclaredType,
    /// The same, but for methods, and members of `this`.
    DeclaredTypeOfVariables,
    /// The type that the object is of.
    RunTimeType,
}

/// What it evaluates beside names, members, indexers, calls, casts and operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constructs {
    /// Nothing.
    No,
    /// `new` of a class or a struct (dncdbg 1.1.0, tried on 2026-11-23); a generic struct kills it (2026-11-25).
    New,
    /// Not known.
    Some,
}

/// Behavior that no capability reports. The values of [`Quirks::conservative`] are right for an unknown adapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quirks {
    /// What `justMyCode` does in `attach`.
    pub jmc_in_attach: Jmc,
    /// How `launch` mangles arguments.
    pub arguments: ArgQuirks,
    /// What listing variables runs.
    pub variables_run_code: VariablesRun,
    /// `totalFrames` is the whole stack's, not this answer's.
    pub total_frames: bool,
    /// Where the first frame asked for is an exception's and has no line, `stackTrace` answers the frames of the exception's own trace
    /// instead, for which it runs getters (netcoredbg 3.1.2, `GetManagedStackTrace` in manageddebugger.cpp; tried, 2026-11-22).
    pub frames_of_exception_traces: bool,
    /// `variables` honors `start` and `count`.
    pub paging: bool,
    /// Children shown when `paging` is false; the rest hides behind a `[More]` child (dncdbg 25).
    pub page: Option<usize>,
    /// The text of a string comes cut at a NUL character.
    pub strings_end_at_nul: bool,
    /// To evaluate a member of pointer type it reads what the pointer refers to, and dies where that cannot be read (netcoredbg 3.1.2,
    /// dncdbg 1.1.0; tried with `m_utf8name` of a `RuntimePropertyInfo`, 2026-11-23).
    pub follows_pointers: bool,
    /// A `nint` or `nuint` comes with its lower 32 bits, and nothing else can be asked of it (netcoredbg 3.1.2; tried, 2026-11-23).
    pub native_integers_are_cut: bool,
    /// An enum of 64 bits comes as what its lower 32 bits are (netcoredbg 3.1.2; tried, 2026-11-22).
    pub wide_enums_are_cut: bool,
    /// A `double` comes with 16 digits, also where they are those of another number (both known adapters, 2026-11-22).
    pub doubles_are_rounded: bool,
    /// Escapes in texts of an expression are not read: `"a\nb"` has four characters (dncdbg; source and tried, 2026-11-22).
    pub texts_are_raw: bool,
    /// The message and the stack trace of `exceptionInfo` have C# escapes (dncdbg, 2026-11-22).
    pub exceptions_are_escaped: bool,
    /// Names that it takes for words of C# where they stand alone, and reads in parentheses, or with an `@` if it knows that.
    pub misread_names: &'static [&'static str],
    /// Names that it cannot parse in any form; it lists variables of that name.
    pub unreadable_names: &'static [&'static str],
    /// `@class` is the name `class` (dncdbg looks for `@class`).
    pub reads_at_names: bool,
    /// It fails a request with these words when its worker did not come back from it in time, and answers nothing from then on, or
    /// not before that returns (15 s; both known adapters).
    pub deaf_after_words: Option<&'static str>,
    /// Appended to an expression that may run code; without it the adapter, asked not to make calls by itself, refuses
    /// (dncdbg: `allowImplicitFuncEval` false and the format specifier `ac`, read in its source and tried on 2026-11-21).
    pub force_evaluation_suffix: Option<&'static str>,
    /// Appended to an expression; the children of what it gives then include the compiler's fields, `<Name>k__BackingField`, down to
    /// any depth (dncdbg: format specifier `hidden`, read in its source and tried on 2026-11-22).
    pub hidden_fields_suffix: Option<&'static str>,
    /// Listing the children of an object takes less than one evaluation (dncdbg: 0.3 against 7 ms; netcoredbg: 1.5 against 0.5 ms;
    /// 2026-11-22).
    pub listing_is_cheap: bool,
    /// A name that it does not find kills it where the frame's type is in no namespace (dncdbg, `FollowNestedFindValue` in its
    /// evaluator.cpp; source and tried, 2026-11-22).
    pub unknown_names_kill: bool,
    /// A division by zero that it computes ends it (dncdbg: SIGFPE, tried on 2026-11-22), so it is given no condition that may be one.
    pub dividing_by_zero_kills: bool,
    /// A property or call that does not return is aborted after this time, and then refused in words that do not say so: the name
    /// `does not exist` (both known adapters, measured 2026-11-22). To ask again hangs for good.
    pub aborts_evaluations_after: Option<Duration>,
    /// `launch` takes `expressionEvaluationOptions`: raw values, and no call that was not asked for (dncdbg).
    pub takes_evaluation_options: bool,
    /// An enum that a member's name or a call gives arrives as the number that it is where it is an argument. Elsewhere the address of
    /// the box that holds it is passed (netcoredbg 3.1.2 and dncdbg, tried on 2026-11-23; variables, fields and elements of arrays arrive).
    pub passes_computed_enums: bool,
    /// The setter of an enum's property gets the number that was meant (not netcoredbg 3.1.2, 2026-11-22; dncdbg knows no enum by name).
    pub sets_enum_properties: bool,
    /// The setter of a nullable's property gets the value that was meant; otherwise none, and the answer is success (netcoredbg 3.1.2,
    /// 2026-11-22).
    pub sets_nullable_properties: bool,
    /// An assignment to a path through an indexer or a part of a copy is refused, or goes where the value is stored. netcoredbg 3.1.2
    /// passes it to the setter of the whole, which ends the program or destroys the object (2026-11-22).
    pub assigns_only_what_is_stored: bool,
    /// `null` for a nullable clears its value, which `GetValueOrDefault()` reads, too (neither netcoredbg 3.1.2 nor dncdbg 1.1.0,
    /// 2026-11-22).
    pub null_leaves_no_value: bool,
    /// The variables of a frame include those that live in what the compiler passes along: the variables of the method around a local
    /// function, and the range variables of a query (neither netcoredbg 3.1.2 nor dncdbg 1.1.0, 2026-11-23).
    pub knows_captured: bool,
    /// Of a line where the constructors of a record begin, it binds the copying one (netcoredbg 3.1.2, 2026-11-23).
    pub lines_of_records_bind_copies: bool,
    /// Which of two members of one name it reads (netcoredbg 3.1.2 and dncdbg 1.1.0 go by the object; 2026-11-23).
    pub members_of: MembersOf,
    /// Beside what every adapter evaluates.
    pub constructs: Constructs,
    /// A breakpoint's condition may read properties and call methods.
    pub conditions_may_call: bool,
    /// A breakpoint's condition is any C# expression, and means what it means to the compiler.
    pub conditions_are_csharp: bool,
    /// Listing an object's children runs its getters (netcoredbg).
    pub variables_run_getters: bool,
    /// A `module` event comes for each module, the first before any managed code runs (both known adapters).
    pub reports_modules: bool,
    /// `attach` works on a program that is held before its first managed instruction (both known adapters).
    pub attaches_while_held: bool,
    /// Options that only `launch` reads stay in force when an `attach` follows it before `configurationDone`: the second
    /// request takes the first one's place (tried on both known adapters, 2026-11-21).
    pub launch_options_outlive_attach: bool,
    /// `stopped.text` of an exception names its type and how it was noticed (netcoredbg), and `exceptionInfo` runs
    /// getters, which may hang the program: they suspend all other threads, whatever locks those hold (read in the source of
    /// 3.1.2 and seen on 2026-11-21).
    pub stop_text_names_exception: bool,
    /// It hosts a CLR and so needs the `TMPDIR` and a runtime like a .NET program does (netcoredbg).
    pub hosts_clr: bool,
}

impl Quirks {
    /// Nothing is taken for granted: what may be missing is done by us, what may kill is avoided.
    pub const fn conservative() -> Self {
        Self {
            jmc_in_attach: Jmc::FixedOn,
            arguments: ArgQuirks { backslashes: true, quotes: true, empty: true, blank_and_last_backslash: true },
            variables_run_code: VariablesRun::AllValues,
            total_frames: false,
            frames_of_exception_traces: false,
            paging: false,
            page: None,
            strings_end_at_nul: false,
            follows_pointers: true,
            native_integers_are_cut: false,
            wide_enums_are_cut: true,
            doubles_are_rounded: false,
            texts_are_raw: false,
            exceptions_are_escaped: false,
            misread_names: &[],
            unreadable_names: &[],
            reads_at_names: true,
            deaf_after_words: None,
            force_evaluation_suffix: None,
            hidden_fields_suffix: None,
            listing_is_cheap: false,
            unknown_names_kill: false,
            dividing_by_zero_kills: true,
            aborts_evaluations_after: None,
            takes_evaluation_options: false,
            passes_computed_enums: false,
            sets_enum_properties: false,
            sets_nullable_properties: false,
            assigns_only_what_is_stored: false,
            null_leaves_no_value: false,
            knows_captured: false,
            lines_of_records_bind_copies: false,
            members_of: MembersOf::RunTimeType,
            constructs: Constructs::Some,
            conditions_may_call: true,
            conditions_are_csharp: false,
            variables_run_getters: true,
            reports_modules: false,
            attaches_while_held: false,
            launch_options_outlive_attach: false,
            stop_text_names_exception: false,
            hosts_clr: false,
        }
    }
}
