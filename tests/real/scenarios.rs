//! What a client does over MCP stdio on programs that were built for it, a file for each subject.
//!
//! A scenario is a function of a [`Bench`]; it drives the real binary through a client and fails by a panic. Each has a server of its
//! own, so they run side by side, and after each the machine is searched for what it left behind.

mod again;
mod amounts;
mod assigning;
mod attaching;
mod behind;
mod breakpoints;
mod builds;
mod calls;
mod captured;
mod compared;
mod concealed;
mod corners;
mod counted;
mod dangers;
mod dashboard;
mod defence;
mod derived;
mod editors;
mod ends;
mod evaluation;
mod exceptions;
mod explain;
pub mod expressions;
mod extending;
mod filled;
mod functions;
mod handed;
mod harmless;
mod heap;
mod hooked;
mod judged;
mod kept;
mod keyed;
mod launching;
mod loose;
mod meant;
mod metadata;
mod misread;
mod nested;
mod open;
mod optimized;
mod output;
mod passes;
mod passing;
mod places;
mod presented;
mod privacy;
mod reached;
mod reading;
mod referred;
mod returned;
mod sdks;
mod settled;
mod shown;
mod sizes;
mod spelled;
mod stepping;
mod streams;
mod summaries;
mod surface;
mod telemetry;
mod thrown;
mod traced;
mod values;
mod views;
mod waits;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, OnceLock};

use super::bench::{Bench, Equipment, Ground, Lack};
use super::harness::{Test, skip};

pub struct Scenario {
    /// A sentence.
    pub name: &'static str,
    /// The one adapter that it is about; none: it holds for every one.
    pub only: Option<&'static str>,
    pub run: fn(&Bench),
}

/// The scenarios that hold for an adapter, as `GROUND::SCENARIO`.
pub fn over(ground: Ground) -> impl Iterator<Item = Test> {
    let equipment: Arc<OnceLock<Result<Equipment, Lack>>> = Arc::default();
    let holds = move |it: &&Scenario| it.only.is_none_or(|only| only == ground.adapter);
    all().filter(holds).map(move |scenario| {
        let equipment = equipment.clone();
        let run = move || match equipment.get_or_init(|| Equipment::find(ground)) {
            Ok(equipment) => run_one(scenario, equipment),
            Err(Lack::Missing(missing)) => skip(missing),
            Err(Lack::Broken(broken)) => panic!("{broken}"),
        };
        Test { name: format!("{}::{}", ground.name, scenario.name), run: Box::new(run) }
    })
}

fn run_one(scenario: &Scenario, equipment: &Equipment) {
    let bench = Bench::new(equipment);
    let ran = catch_unwind(AssertUnwindSafe(|| (scenario.run)(&bench)));
    let left = bench.end();
    if let Err(panic) = ran {
        resume_unwind(panic);
    }
    assert!(left.is_empty(), "left behind: {}", left.join("; "));
}

fn all() -> impl Iterator<Item = &'static Scenario> {
    [
        stepping::LIST,
        streams::LIST,
        passes::LIST,
        passing::LIST,
        counted::LIST,
        places::LIST,
        breakpoints::LIST,
        exceptions::LIST,
        thrown::LIST,
        traced::LIST,
        harmless::LIST,
        heap::LIST,
        hooked::LIST,
        explain::LIST,
        expressions::LIST,
        expressions::alone::LIST,
        extending::LIST,
        functions::LIST,
        values::LIST,
        views::LIST,
        waits::LIST,
        reached::LIST,
        reading::LIST,
        referred::LIST,
        returned::LIST,
        settled::LIST,
        shown::LIST,
        sizes::LIST,
        spelled::LIST,
        summaries::LIST,
        surface::LIST,
        evaluation::LIST,
        handed::LIST,
        filled::LIST,
        judged::LIST,
        kept::LIST,
        keyed::LIST,
        again::LIST,
        amounts::LIST,
        assigning::LIST,
        behind::LIST,
        editors::LIST,
        launching::LIST,
        builds::LIST,
        calls::LIST,
        captured::LIST,
        concealed::LIST,
        output::LIST,
        optimized::LIST,
        meant::LIST,
        metadata::LIST,
        loose::LIST,
        misread::LIST,
        nested::LIST,
        open::LIST,
        ends::LIST,
        corners::LIST,
        dangers::LIST,
        defence::LIST,
        derived::LIST,
        attaching::LIST,
        compared::LIST,
        telemetry::LIST,
        dashboard::LIST,
        sdks::LIST,
        presented::LIST,
        privacy::LIST,
    ]
    .into_iter()
    .flatten()
}

/// A table of scenarios: `name;` for every adapter, `name, "netcoredbg";` for one.
macro_rules! scenarios {
    ($($name:ident $(, $only:literal)?;)*) => {
        pub const LIST: &[$crate::scenarios::Scenario] = &[$($crate::scenarios::Scenario {
            name: stringify!($name),
            only: $crate::scenarios::only!($($only)?),
            run: $name,
        }),*];
    };
}
macro_rules! only {
    () => {
        None
    };
    ($only:literal) => {
        Some($only)
    };
}
use {only, scenarios};
