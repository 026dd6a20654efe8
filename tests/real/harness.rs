//! Runs the scenarios of one adapter, a few at a time, and tells how each ended.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::bench::{Bench, Equipment};
use super::scenarios;

/// Whom a scenario is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Only {
    Both,
    Netcoredbg,
    Dncdbg,
}

pub struct Scenario {
    /// A sentence.
    pub name: &'static str,
    pub only: Only,
    pub run: fn(&Bench),
}

/// Scenarios at a time: they mostly wait, for adapters and for the clock.
const AT_ONCE: usize = 2;

enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

/// Runs all, or those whose name has the argument. Fails when one failed, or when none has the argument.
pub fn run(adapter: &'static str) -> ExitCode {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let runs_here = |only| match only {
        Only::Both => true,
        Only::Netcoredbg => adapter == "netcoredbg",
        Only::Dncdbg => adapter == "dncdbg",
    };
    let chosen: Vec<&Scenario> =
        scenarios::all().filter(|scenario| runs_here(scenario.only) && scenario.name.contains(&filter)).collect();
    if chosen.is_empty() {
        println!("no scenario has `{filter}` in its name");
        return ExitCode::FAILURE;
    }
    let equipment = Equipment::find(adapter);
    let next = AtomicUsize::new(0);
    let counts = Mutex::new((0, 0, 0));
    std::panic::set_hook(Box::new(remember_panic));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(scenario) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let began = Instant::now();
                    let outcome = run_one(scenario, &equipment);
                    // Held while printing: one line is one scenario's.
                    let mut counts = counts.lock().unwrap();
                    match outcome {
                        Outcome::Passed => counts.0 += 1,
                        Outcome::Failed(_) => counts.1 += 1,
                        Outcome::Skipped(_) => counts.2 += 1,
                    }
                    tell(scenario.name, &outcome, began.elapsed());
                }
            });
        }
    });
    let (passed, failed, skipped) = counts.into_inner().unwrap();
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_one(scenario: &Scenario, equipment: &Result<Equipment, String>) -> Outcome {
    let equipment = match equipment {
        Ok(equipment) => equipment,
        Err(missing) => return Outcome::Skipped(missing.clone()),
    };
    let bench = Bench::new(equipment, scenario.name);
    let ran = catch_unwind(AssertUnwindSafe(|| (scenario.run)(&bench)));
    let left = bench.end();
    match (ran, left) {
        (Err(panic), _) if panic.downcast_ref::<Skip>().is_some() => {
            Outcome::Skipped(panic.downcast::<Skip>().unwrap().0)
        }
        (Err(_), _) => Outcome::Failed(LAST_PANIC.take()),
        (Ok(()), left) if !left.is_empty() => Outcome::Failed(format!("left behind: {}", left.join("; "))),
        (Ok(()), _) => Outcome::Passed,
    }
}

fn tell(name: &str, outcome: &Outcome, took: Duration) {
    match outcome {
        Outcome::Passed => println!("ok {name} ({} ms)", took.as_millis()),
        Outcome::Failed(why) => {
            println!("FAILED {name} ({} ms)\n    {}", took.as_millis(), why.replace('\n', "\n    "))
        }
        Outcome::Skipped(why) => println!("skipped: {why} ({name})"),
    }
}

struct Skip(String);

/// Ends the scenario that runs on this thread: it needs what is not there.
pub fn skip(why: &str) -> ! {
    std::panic::panic_any(Skip(why.into()))
}

thread_local! {
    static LAST_PANIC: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

/// Printed with the scenario's line, not in the midst of another's.
fn remember_panic(info: &std::panic::PanicHookInfo<'_>) {
    LAST_PANIC.set(info.to_string());
}
