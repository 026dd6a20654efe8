//! What `evaluate` answers to thousands of expressions, beside what the C# compiler and the runtime make of them at the same stop.
//!
//! `CLRBRIDGE_EXPRESSIONS=all cargo test --test real -- builtin expressions` prints a table and what is wrong, and names the file with
//! every outcome; a part of a heading instead of `all` asks only those sections, the path of an `expected.txt` what is in that. Without
//! the variable it is skipped: what is refused today is many, and none of it fails. Some hundred random ones are asked always.

pub mod alone;
pub mod compared;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use serde_json::{Value, json};

use self::compared::{Match, compare};
use super::scenarios;
use crate::bench::Bench;
use crate::client::Client;
use crate::harness::{self, skip};

scenarios! {
    expressions_give_what_the_compiler_and_the_runtime_make_of_them;
    random_expressions_are_what_the_compiler_makes_of_them, "builtin";
    spans_are_compared_by_what_is_in_them_where_nothing_may_change, "builtin";
    spans_are_compared_by_all_that_is_in_them;
    what_an_object_does_not_hold_is_not_made_up, "builtin";
    overrides_are_called_by_their_own_names_and_defaults, "builtin";
    methods_that_take_spans_are_chosen_as_the_compiler_does, "builtin";
}

harness::tests! {
    every_expression_has_its_answer;
}

/// A line of `expected.txt`.
struct Expected {
    expression: String,
    type_name: String,
    value: String,
}

/// What the program is stopped anew for.
struct Block {
    heading: String,
    lines: Vec<Expected>,
}

/// The order is that of the report.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Another value or type, or the session is gone.
    Wrong(String),
    /// A value of what does not compile.
    Lenient(String),
    /// The value, exception or refusal, but another type, message or code of the compiler.
    Near(String),
    /// The answer shows too little to say.
    Unclear(String),
    Refused(String),
    Equal,
}

const OUTCOMES: [&str; 6] = ["WRONG", "lenient", "near", "unclear", "refused", "equal"];

impl Outcome {
    fn index(&self) -> usize {
        match self {
            Self::Wrong(_) => 0,
            Self::Lenient(_) => 1,
            Self::Near(_) => 2,
            Self::Unclear(_) => 3,
            Self::Refused(_) => 4,
            Self::Equal => 5,
        }
    }

    fn words(&self) -> &str {
        match self {
            Self::Wrong(words)
            | Self::Lenient(words)
            | Self::Near(words)
            | Self::Unclear(words)
            | Self::Refused(words) => words,
            Self::Equal => "",
        }
    }
}

const EXPRESSIONS: &str = include_str!("../../fixtures/Expressions/expressions.txt");
const EXPECTED: &str = include_str!("../../fixtures/Expressions/expected.txt");
/// As `EXPECTED`, of random expressions.
const RANDOM: &str = include_str!("../../fixtures/Expressions/random.txt");

fn every_expression_has_its_answer() {
    let answered = EXPECTED.lines().map(|line| line.split('\t').next().unwrap_or(line));
    let missing: Vec<_> =
        EXPRESSIONS.lines().zip(answered).filter(|(asked, answered)| asked != answered).take(1).collect();
    assert!(
        missing.is_empty() && EXPRESSIONS.lines().count() == EXPECTED.lines().count(),
        "run scripts/oracle expressions: {missing:?}"
    );
}

fn blocks(expected: &str) -> Vec<Block> {
    let mut heading = String::new();
    let of_block = |block: &str| {
        let mut lines = Vec::new();
        for line in block.lines() {
            match line.split('\t').collect::<Vec<_>>().as_slice() {
                [expression, type_name, value] => lines.push(Expected {
                    expression: (*expression).to_owned(),
                    type_name: (*type_name).to_owned(),
                    value: (*value).to_owned(),
                }),
                _ => heading = line.trim_start_matches("# ").to_owned(),
            }
        }
        Block { heading: heading.clone(), lines }
    };
    expected.split("\n\n").map(of_block).collect()
}

/// A session at the stop, started again when it is gone.
struct Stopped<'a> {
    bench: &'a Bench<'a>,
    client: Option<Client>,
}

impl Stopped<'_> {
    fn client(&mut self) -> &mut Client {
        let bench = self.bench;
        self.client.get_or_insert_with(|| {
            let mut client = bench.client();
            let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Expressions", "STOP")}]);
            let stop = client.ok("debug_launch", bench.launch("Expressions", &[], json!({"breakpoints": breakpoints})));
            assert_eq!(stop["outcome"], "stopped", "{stop}");
            client
        })
    }

    fn evaluate(&mut self, expression: &str) -> Result<Value, Value> {
        let arguments = json!({"expression": expression, "allow_side_effects": true, "timeout_ms": 10_000});
        let client = self.client();
        match catch_unwind(AssertUnwindSafe(|| client.call("evaluate", arguments))) {
            Ok(reply) if reply.failed => Err(reply.value),
            Ok(reply) => Ok(reply.value),
            Err(_) => Err(json!({"code": "internal", "message": "the server ended or does not answer"})),
        }
    }

    fn outcome(&mut self, expected: &Expected, may_ask_again: bool) -> Outcome {
        match self.evaluate(&expected.expression) {
            Ok(answer) if expected.type_name.is_empty() => {
                Outcome::Lenient(format!("{} in C#; is {}", expected.value, shown(&answer)))
            }
            Ok(answer) if expected.value.starts_with('!') => Outcome::Wrong(format!(
                "should throw {}; is {}",
                expected.value.trim_start_matches('!'),
                shown(&answer)
            )),
            Ok(answer) => self.compared(expected, &answer, may_ask_again),
            Err(error) => self.failed(expected, &error),
        }
    }

    fn compared(&mut self, expected: &Expected, answer: &Value, may_ask_again: bool) -> Outcome {
        let wrong = format!("should be {} {}; is {}", expected.type_name, expected.value, shown(answer));
        match compare(&expected.type_name, &expected.value, answer) {
            Match::Equal => return Outcome::Equal,
            Match::Near => return Outcome::Near(wrong),
            Match::Differs => return Outcome::Wrong(wrong),
            Match::Unclear => {}
        }
        // The elements say more than the line that sums them up.
        let listed = self.client().call("variables_get", json!({"path": expected.expression, "depth": 1}));
        match compared::compare_listed(&expected.value, &listed.value) {
            Match::Equal => return Outcome::Equal,
            Match::Differs => return Outcome::Wrong(format!("{wrong}: {}", listed.value)),
            Match::Near | Match::Unclear => {}
        }
        if may_ask_again && expected.value.starts_with('[') {
            let array = self.evaluate(&format!("({}).ToArray()", expected.expression));
            match array.as_ref().map(|array| compare("", &expected.value, array)) {
                Ok(Match::Equal) => return Outcome::Equal,
                Ok(Match::Differs) => {
                    return Outcome::Wrong(format!("{wrong}; as an array {}", shown(&array.unwrap())));
                }
                _ => {}
            }
        }
        Outcome::Unclear(wrong)
    }

    fn failed(&mut self, expected: &Expected, error: &Value) -> Outcome {
        let (code, message) =
            (error["code"].as_str().unwrap_or_default(), error["message"].as_str().unwrap_or_default());
        let words = format!("{code}: {message}");
        match code {
            "evaluation_threw" => match expected.value.strip_prefix('!') {
                Some(thrown) if thrown.split("\\n").next() == message.lines().next() => Outcome::Equal,
                Some(thrown) if thrown.split(':').next() == message.split(':').next() => {
                    Outcome::Near(format!("should throw {thrown}; throws {message}"))
                }
                Some(thrown) => Outcome::Wrong(format!("should throw {thrown}; throws {message}")),
                None if expected.type_name.is_empty() => Outcome::Lenient(format!("{} in C#; {words}", expected.value)),
                None => Outcome::Wrong(format!("should be {} {}; {words}", expected.type_name, expected.value)),
            },
            "adapter_lost" | "not_running" | "internal" => {
                self.client = None;
                Outcome::Wrong(words)
            }
            // The call may still run, and nothing can be read then.
            "evaluation_timeout" => {
                self.client = None;
                Outcome::Refused(words)
            }
            // A code of the compiler's has to be the right one.
            _ if expected.type_name.is_empty() => match compared::code_of(message) {
                Some(code) if code != expected.value => Outcome::Near(format!("{} in C#; {words}", expected.value)),
                _ => Outcome::Equal,
            },
            _ => Outcome::Refused(words),
        }
    }
}

fn shown(answer: &Value) -> String {
    format!("{} {}", answer["type"].as_str().unwrap_or("-"), answer["value"].as_str().unwrap_or("-"))
}

fn expressions_give_what_the_compiler_and_the_runtime_make_of_them(bench: &Bench) {
    let wanted = std::env::var("CLRBRIDGE_EXPRESSIONS").unwrap_or_else(|_| skip("no CLRBRIDGE_EXPRESSIONS"));
    let is_file = wanted.ends_with(".txt");
    let blocks = match is_file {
        true => blocks(&std::fs::read_to_string(&wanted).unwrap()),
        false => blocks(EXPECTED),
    };
    let mut stopped = Stopped { bench, client: None };
    let asked = blocks.iter().filter(|block| is_file || wanted == "all" || block.heading.contains(&wanted));
    let outcomes = outcomes(&mut stopped, asked);
    assert!(!outcomes.is_empty(), "no heading has {wanted:?}");
    report(bench.adapter(), outcomes);
}

/// What is answered to the expressions of some blocks, with their headings.
fn outcomes<'b>(
    stopped: &mut Stopped,
    blocks: impl Iterator<Item = &'b Block>,
) -> Vec<(&'b str, &'b Expected, Outcome)> {
    let mut outcomes: Vec<(&str, &Expected, Outcome)> = Vec::new();
    for block in blocks {
        let assigns = block.heading == "Assignment";
        if assigns {
            stopped.client = None;
        }
        let mut refused = false;
        for expected in &block.lines {
            let outcome = match refused {
                // It would see what was not assigned.
                true => Outcome::Refused("after one that was refused".into()),
                false => stopped.outcome(expected, !assigns),
            };
            refused |= assigns && !matches!(outcome, Outcome::Equal | Outcome::Near(_) | Outcome::Unclear(_));
            outcomes.push((&block.heading, expected, outcome));
        }
    }
    outcomes
}

fn random_expressions_are_what_the_compiler_makes_of_them(bench: &Bench) {
    let mut stopped = Stopped { bench, client: None };
    let blocks = blocks(RANDOM);
    let lines = blocks.iter().flat_map(|block| &block.lines);
    let wrong: Vec<String> = lines
        .filter_map(|expected| match stopped.outcome(expected, true) {
            // what is refused is refused in words of our own
            Outcome::Equal | Outcome::Near(_) | Outcome::Unclear(_) => None,
            other => Some(format!("{}: {} {}", expected.expression, OUTCOMES[other.index()], other.words())),
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong comes first.
fn report(adapter: &str, mut outcomes: Vec<(&str, &Expected, Outcome)>) {
    let mut counts: BTreeMap<&str, [usize; 6]> = BTreeMap::new();
    let mut headings: Vec<&str> = Vec::new();
    for (heading, _, outcome) in &outcomes {
        if !headings.contains(heading) {
            headings.push(heading);
        }
        counts.entry(heading).or_default()[outcome.index()] += 1;
    }
    outcomes.sort_by_key(|(.., outcome)| outcome.index());
    let mut all = String::new();
    for (heading, expected, outcome) in &outcomes {
        let line =
            format!("{} [{heading}] {}: {}", OUTCOMES[outcome.index()], expected.expression.trim(), outcome.words());
        if matches!(outcome, Outcome::Wrong(_)) {
            println!("{line}");
        }
        writeln!(all, "{line}").unwrap();
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("expressions-{adapter}.txt"));
    std::fs::write(&path, all).unwrap();
    let mut sums = [0; 6];
    let row = |name: &str, counts: &[usize; 6]| {
        let cells: Vec<String> = counts.iter().rev().map(|count| format!("{count:>8}")).collect();
        println!("{name:<64}{}", cells.concat());
    };
    println!("{adapter:<64}{}", OUTCOMES.iter().rev().map(|name| format!("{name:>8}")).collect::<String>());
    for heading in headings {
        let of_heading = counts[heading];
        sums.iter_mut().zip(of_heading).for_each(|(sum, count)| *sum += count);
        row(heading, &of_heading);
    }
    row("all", &sums);
    println!("every outcome: {}", path.display());
}

fn spans_are_compared_by_what_is_in_them_where_nothing_may_change(bench: &Bench) {
    let mut client = bench.client();
    let mut launched = |condition: &str| {
        let line = bench.line("Expressions", "STOP");
        let breakpoints = json!([{"file": "Program.cs", "line": line, "condition": condition}]);
        let launch = bench.launch("Expressions", &[], json!({"breakpoints": breakpoints}));
        client.ok("debug_launch", launch)["outcome"].clone()
    };
    assert_eq!(launched("letters is \"letter\""), "exited");
    assert_eq!(launched("letters is \"letters\""), "stopped");
    for (expression, value) in [
        ("letters is \"lettuce\" or \"letters\"", "true"),
        ("letters.SequenceEqual(\"letters\")", "true"),
        ("letters.EndsWith(\"x\")", "false"),
        ("spanned.SequenceEqual(arr)", "true"),
        ("object.ReferenceEquals(\"xyz\", \"xyz\")", "true"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

/// Some adapters read no more of a span than its first element.
fn spans_are_compared_by_all_that_is_in_them(bench: &Bench) {
    let mut stopped = Stopped { bench, client: None };
    for expression in ["letters is \"letters\"", "letters.SequenceEqual(\"letters\")", "spanned.SequenceEqual(arr)"] {
        let answer = stopped.evaluate(expression).unwrap();
        assert_eq!(answer["value"], "true", "{expression}: {answer}");
    }
}

fn methods_that_take_spans_are_chosen_as_the_compiler_does(bench: &Bench) {
    const STARTS: [&str; 9] = [
        "calls.Span(",
        "calls.Reads(",
        "calls.Lists(",
        "calls.Broader(",
        "calls.Elements(",
        "calls.Items(",
        "\"a\"u8",
        "\"ab\"u8",
        "anonymous ==",
    ];
    let mut stopped = Stopped { bench, client: None };
    let blocks = blocks(EXPECTED);
    let asked = blocks.iter().flat_map(|block| &block.lines);
    let asked = asked.filter(|it| STARTS.iter().any(|start| it.expression.starts_with(start)));
    // what does not compile is refused in words of our own
    let asked = asked.filter(|it| !it.type_name.is_empty());
    let outcomes: Vec<(&str, Outcome)> =
        asked.map(|expected| (expected.expression.as_str(), stopped.outcome(expected, true))).collect();
    assert!(outcomes.len() > 25, "{outcomes:?}");
    let wrong: Vec<_> = outcomes.iter().filter(|(_, outcome)| *outcome != Outcome::Equal).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// And inline arrays, by whatever index.
fn overrides_are_called_by_their_own_names_and_defaults(bench: &Bench) {
    let mut stopped = Stopped { bench, client: None };
    let blocks = blocks(EXPECTED);
    let asked = blocks.iter().filter(|block| block.heading == "Overrides and inline arrays");
    let outcomes: Vec<(&Expected, Outcome)> =
        asked.flat_map(|block| &block.lines).map(|expected| (expected, stopped.outcome(expected, true))).collect();
    assert!(outcomes.len() > 70);
    // an index that is out of range is named
    let is_right = |expected: &Expected, outcome: &Outcome| match outcome {
        Outcome::Near(_) => expected.value.starts_with('!'),
        outcome => *outcome == Outcome::Equal,
    };
    let wrong = outcomes.iter().filter(|(expected, outcome)| !is_right(expected, outcome));
    let wrong: Vec<_> = wrong.map(|(expected, outcome)| (&expected.expression, outcome)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn what_an_object_does_not_hold_is_not_made_up(bench: &Bench) {
    let mut stopped = Stopped { bench, client: None };
    // the compiler writes the text of the argument into the call
    let refused = stopped.evaluate("calls.Cond(i > 3)").unwrap_err();
    assert!(refused["message"].as_str().unwrap().contains("the parameter 'text'"), "{refused}");
    assert_eq!(stopped.evaluate("calls.Cond(i > 3, \"given\")").unwrap()["value"], "\"given\"");
    // the view finds its nodes when it is asked
    let view = stopped.evaluate("sortedSet.GetViewBetween(2, 3)").unwrap();
    assert!(view["count"].is_null() && view["value"] != "[]", "{view}");
    assert_eq!(stopped.evaluate("sortedSet.GetViewBetween(2, 3).ToList()").unwrap()["value"], "[2, 3]");
}
