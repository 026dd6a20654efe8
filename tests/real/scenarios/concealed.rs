//! What is not what its first look says: members that a derived class hides, fields of threads in shared code, boxed keys.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client};

scenarios! {
    many_texts_are_joined_in_no_time, "builtin";
    a_sequence_is_handed_to_the_program_within_the_time, "builtin";
}

fn stopped(bench: &Bench) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Concealed", "main")}]);
    let stop = client.ok("debug_launch", bench.launch("Concealed", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    client
}

fn evaluated(client: &mut Client, rows: &[(&str, &str)]) {
    for (expression, value) in rows {
        let answer = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(answer["value"], *value, "{expression}: {answer}");
    }
}

fn many_texts_are_joined_in_no_time(bench: &Bench) {
    let mut client = stopped(bench);
    evaluated(
        &mut client,
        &[
            ("string.Concat(Enumerable.Repeat(\"ab\", 500000)).Length", "1000000"),
            ("string.Join(\", \", Enumerable.Range(1, 3).Select(it => it * it))", "\"1, 4, 9\""),
        ],
    );
}

fn a_sequence_is_handed_to_the_program_within_the_time(bench: &Bench) {
    let mut client = stopped(bench);
    let texts = "Enumerable.Range(0, 500000).Select(it => \"n\" + it).ToArray()";
    let call = json!({
        "expression": format!("System.Array.LastIndexOf({texts}, \"no\")"),
        "allow_side_effects": true,
        "timeout_ms": 1000,
    });
    let reply = client.call("evaluate", call);
    assert!(reply.failed, "{}", reply.value);
    let error = reply.value.to_string();
    assert!(error.contains("timed out") || error.contains("took too long"), "{error}");
    evaluated(&mut client, &[("amount.Units", "6L"), ("hidden.Method()", "3")]);
}
