//! Runs tests a few at a time, and tells how each ended: passed, failed, or skipped for what this machine lacks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub struct Test {
    /// Words joined by `::`, as libtest names tests.
    pub name: String,
    /// Fails by a panic; [`skip`] ends it otherwise.
    pub run: Box<dyn Fn() + Send + Sync>,
}

/// Tests at a time, where the command line does not say: two a processor, as they wait for adapters and for the clock half of their time.
fn usual_at_once() -> usize {
    std::thread::available_parallelism().map_or(2, |processors| processors.get() * 2).min(8)
}

/// How many that failed beside others are tried alone: programs share the processors, and a limit of time is reached that no user meets.
/// More failures than these are no coincidence.
const MOST_AGAIN: usize = 3;

enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

/// What the command line asks for, in libtest's words as far as they are here.
#[derive(Default)]
struct Asked {
    /// Each must be in a test's name.
    parts: Vec<String>,
    /// None may be in it.
    skip: Vec<String>,
    at_once: Option<usize>,
    list: bool,
}

impl Asked {
    fn read(arguments: impl Iterator<Item = String>) -> Self {
        let mut asked = Self::default();
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--list" => asked.list = true,
                "--skip" => asked.skip.extend(arguments.next()),
                "--test-threads" => asked.at_once = arguments.next().and_then(|count| count.parse().ok()),
                flag if flag.starts_with('-') => {}
                _ => asked.parts.push(argument),
            }
        }
        asked
    }

    fn wants(&self, name: &str) -> bool {
        let has = |part: &String| name.contains(part.as_str());
        self.parts.iter().all(has) && !self.skip.iter().any(has)
    }
}

/// Runs all, or those that the command line names. Fails when one failed, or when there is none of that name.
pub fn run(tests: Vec<Test>) -> ExitCode {
    let asked = Asked::read(std::env::args().skip(1));
    let chosen: Vec<&Test> = tests.iter().filter(|test| asked.wants(&test.name)).collect();
    if asked.list {
        chosen.iter().for_each(|test| println!("{}: test", test.name));
        return ExitCode::SUCCESS;
    }
    if chosen.is_empty() {
        println!("no test of this name: {}", asked.parts.join(" "));
        return ExitCode::FAILURE;
    }
    let next = AtomicUsize::new(0);
    let counts = Mutex::new((0, 0));
    let failed = Mutex::new(Vec::new());
    std::panic::set_hook(Box::new(remember_panic));
    std::thread::scope(|scope| {
        for _ in 0..asked.at_once.unwrap_or_else(usual_at_once) {
            scope.spawn(|| {
                while let Some(test) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let began = Instant::now();
                    let outcome = outcome_of(test);
                    // Held while printing: one line is one test's.
                    let mut counts = counts.lock().unwrap();
                    match outcome {
                        Outcome::Passed => counts.0 += 1,
                        Outcome::Failed(_) => failed.lock().unwrap().push(*test),
                        Outcome::Skipped(_) => counts.1 += 1,
                    }
                    tell(&test.name, &outcome, began.elapsed());
                }
            });
        }
    });
    let ((mut passed, skipped), failed) = (counts.into_inner().unwrap(), failed.into_inner().unwrap());
    let again = if failed.len() > MOST_AGAIN || chosen.len() == 1 { &[][..] } else { &failed[..] };
    let mut failed = failed.len();
    for test in again {
        let began = Instant::now();
        let outcome = outcome_of(test);
        if matches!(outcome, Outcome::Passed) {
            (passed, failed) = (passed + 1, failed - 1);
        }
        print!("alone: ");
        tell(&test.name, &outcome, began.elapsed());
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn outcome_of(test: &Test) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| (test.run)())) {
        Ok(()) => Outcome::Passed,
        Err(panic) => match panic.downcast::<Skip>() {
            Ok(skip) => Outcome::Skipped(skip.0),
            Err(_) => Outcome::Failed(LAST_PANIC.take()),
        },
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

/// Ends the test that runs on this thread: it needs what is not there.
pub fn skip(why: &str) -> ! {
    std::panic::panic_any(Skip(why.into()))
}

thread_local! {
    static LAST_PANIC: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

/// Printed with the test's line, not in the midst of another's.
fn remember_panic(info: &std::panic::PanicHookInfo<'_>) {
    LAST_PANIC.set(info.to_string());
}

/// What `#[tokio::test]` is for a test of [`tests`].
pub fn block_on(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
}

/// A module's table of tests: `name;`, `async name;`. One that is in no table is dead code, which the lints refuse.
macro_rules! tests {
    ($($($word:ident)+;)*) => {
        pub fn tests() -> Vec<$crate::harness::Test> {
            vec![$($crate::harness::test!($($word)+)),*]
        }
    };
}
macro_rules! test {
    (async $name:ident) => {
        $crate::harness::test!(@ $name, || $crate::harness::block_on($name()))
    };
    ($name:ident) => {
        $crate::harness::test!(@ $name, $name)
    };
    (@ $name:ident, $run:expr) => {
        $crate::harness::Test {
            name: concat!(module_path!(), "::", stringify!($name)).trim_start_matches("real::").to_owned(),
            run: Box::new($run),
        }
    };
}
pub(crate) use {test, tests};
