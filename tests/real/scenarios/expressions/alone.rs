//! What an adapter by itself answers to the expressions of `expected.txt`, beside what clrbridge answers over it.
//!
//! `scripts/oracle adapters` asks every adapter and writes `tests/data/adapters-alone.txt`. Without the variable that it sets this is
//! skipped: it takes minutes, and what an adapter cannot do fails no test.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use super::compared::{self, Match, compare};
use super::{EXPECTED, Expected, Outcome, Stopped, blocks, outcomes, scenarios};
use crate::adapter::Adapter;
use crate::bench::Bench;
use crate::harness::skip;

scenarios! {
    an_adapter_alone_is_compared_with_what_clrbridge_makes_of_it;
}

/// The words of the file.
const RIGHT: &str = "right";
const WRONG: &str = "wrong";
const REFUSED: &str = "refused";
const ENDED: &str = "ended";

/// The adapter at the stop, started again when it is gone.
struct Alone<'a> {
    bench: &'a Bench<'a>,
    stopped: Option<(Adapter, Value)>,
}

impl Alone<'_> {
    /// What became of an expression, and what the adapter said.
    fn outcome(&mut self, expected: &Expected) -> (&'static str, String) {
        let (adapter, frame) = self.stopped.get_or_insert_with(|| stopped(self.bench));
        let arguments = json!({"expression": expected.expression, "frameId": frame});
        let answered = catch_unwind(AssertUnwindSafe(|| {
            let request = adapter.send("evaluate", arguments);
            adapter.response(request)
        }));
        let Ok(response) = answered else {
            self.stopped = None;
            return (ENDED, String::new());
        };
        let fails = expected.type_name.is_empty() || expected.value.starts_with('!');
        if response["success"] != true {
            let words = response["message"].as_str().unwrap_or_default().to_owned();
            return (if fails { RIGHT } else { REFUSED }, words);
        }
        let text = |key: &str| response["body"][key].as_str().unwrap_or_default().to_owned();
        let (type_name, value) = (text("type"), text("result"));
        let is_right = match fails {
            // an exception comes as a value
            true => expected.value.starts_with('!') && type_name.ends_with("Exception"),
            false => is_value(expected, &type_name, &value),
        };
        (if is_right { RIGHT } else { WRONG }, format!("{value} : {type_name}"))
    }
}

/// Whether it is the value, or an object by its type alone.
fn is_value(expected: &Expected, type_name: &str, value: &str) -> bool {
    if expected.type_name == "void" || value.starts_with('{') || compared::is_text(&expected.value, value) {
        return true;
    }
    // `97 'a'`
    let shown = value.split_once(' ').filter(|_| type_name == "char").map_or(value, |(_, character)| character);
    compare(&expected.type_name, &expected.value, &json!({"type": type_name, "value": shown})) != Match::Differs
}

/// An adapter without anything between it and its client, and the frame of the stop.
fn stopped(bench: &Bench) -> (Adapter, Value) {
    let mut adapter = Adapter::connect(bench.adapter_command());
    let program = bench.built("Expressions", "Expressions.dll");
    let launched = adapter.send("launch", json!({"program": program, "cwd": program.parent(), "justMyCode": true}));
    adapter.event("initialized");
    let source = json!({"path": bench.fixture("Expressions").join("Program.cs")});
    let lines = json!([{"line": bench.line("Expressions", "STOP")}]);
    adapter.ok("setBreakpoints", json!({"source": source, "breakpoints": lines}));
    adapter.ok("configurationDone", json!({}));
    adapter.response(launched);
    let stop = adapter.event("stopped");
    let frame = adapter.top(&stop)["id"].clone();
    (adapter, frame)
}

fn an_adapter_alone_is_compared_with_what_clrbridge_makes_of_it(bench: &Bench) {
    let Some(folder) = std::env::var_os("CLRBRIDGE_ALONE") else { skip("no CLRBRIDGE_ALONE") };
    if bench.adapter() == "builtin" {
        skip("it evaluates C# itself");
    }
    let blocks = blocks(EXPECTED);
    let mut ours = Stopped { bench, client: None };
    let ours = outcomes(&mut ours, blocks.iter());
    let mut alone = Alone { bench, stopped: None };
    let (mut text, mut heading) = (String::new(), "");
    for (of, expected, with) in ours {
        if of != heading {
            // what the expressions before did is undone
            (alone.stopped, heading) = (None, of);
        }
        let (own, words) = alone.outcome(expected);
        let with = match with {
            Outcome::Equal | Outcome::Near(_) | Outcome::Unclear(_) => RIGHT,
            // as of the adapter alone, of which nobody can tell whether it refuses or throws
            Outcome::Refused(_) if expected.value.starts_with('!') => RIGHT,
            Outcome::Wrong(_) | Outcome::Lenient(_) => WRONG,
            Outcome::Refused(_) => REFUSED,
        };
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(text, "{heading}\t{}\t{own}\t{words}\t{with}", expected.expression).unwrap();
    }
    drop(alone);
    bench.clear();
    std::fs::write(std::path::Path::new(&folder).join(format!("{}.txt", bench.adapter())), text).unwrap();
}
