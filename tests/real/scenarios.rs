//! The list of scenarios, a file for each subject.

mod attaching;
mod breakpoints;
mod builds;
mod defence;
mod ends;
mod evaluation;
mod exceptions;
mod explain;
mod functions;
mod launching;
mod metadata;
mod output;
mod passes;
mod places;
mod reading;
mod stepping;
mod summaries;
mod values;

use super::Scenario;

pub fn all() -> impl Iterator<Item = &'static Scenario> {
    [
        stepping::LIST,
        passes::LIST,
        places::LIST,
        breakpoints::LIST,
        exceptions::LIST,
        explain::LIST,
        functions::LIST,
        values::LIST,
        reading::LIST,
        summaries::LIST,
        evaluation::LIST,
        launching::LIST,
        builds::LIST,
        output::LIST,
        metadata::LIST,
        ends::LIST,
        defence::LIST,
        attaching::LIST,
    ]
    .into_iter()
    .flatten()
}

/// A table of scenarios: `name;` for both adapters, `name, Netcoredbg;` for one.
macro_rules! scenarios {
    ($($name:ident $(, $only:ident)?;)*) => {
        pub const LIST: &[crate::real::Scenario] = &[$(crate::real::Scenario {
            name: stringify!($name),
            only: $crate::real::scenarios::only!($($only)?),
            run: $name,
        }),*];
    };
}
macro_rules! only {
    () => {
        crate::real::Only::Both
    };
    ($only:ident) => {
        crate::real::Only::$only
    };
}
use {only, scenarios};
