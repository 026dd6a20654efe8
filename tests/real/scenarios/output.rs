//! The program's output, to the last byte.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    twenty_thousand_lines_are_all_there;
    ten_megabytes_in_one_line_are_bounded_and_reported;
    odd_bytes_are_shown_and_kill_nobody;
    both_streams_are_distinguished;
}

fn run(client: &mut Client, bench: &Bench, args: &[&str]) -> Value {
    let end = client.ok("debug_launch", bench.launch("Output", args, json!({"timeout_ms": 60_000})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    end
}

fn twenty_thousand_lines_are_all_there(bench: &Bench) {
    let mut client = bench.client();
    let end = run(&mut client, bench, &["lines", "20000"]);
    assert!(end["output"]["stdout"].as_str().unwrap().ends_with("line 19999\n"), "{end}");
    let (mut all, mut cursor) = (String::new(), json!(0));
    loop {
        let page = client.ok("process_read_output", json!({"since": cursor, "max_lines": 5000, "max_chars": 200_000}));
        let Some(text) = page["stdout"].as_str() else { break };
        all.push_str(text);
        assert_ne!(page["cursor"], cursor, "{page}");
        cursor = page["cursor"].clone();
    }
    let expected: String = (0..20_000).map(|n| format!("line {n}\n")).collect();
    assert_eq!(all.len(), expected.len());
    assert!(all == expected);
}

fn ten_megabytes_in_one_line_are_bounded_and_reported(bench: &Bench) {
    let mut client = bench.client();
    let end = run(&mut client, bench, &["long", "10000000"]);
    assert!(end.to_string().len() < 3000, "{}", end.to_string().len());
    let output = client.ok("process_read_output", json!({"tail": 1}));
    assert!(output.to_string().len() < 300_000);
}

fn odd_bytes_are_shown_and_kill_nobody(bench: &Bench) {
    let mut client = bench.client();
    for (mode, expected) in [
        ("unterminated", "the last line has no end"),
        ("invalid", "b\u{fffd}\u{fffd}\u{fffd}(\n"),
        ("split", "e=é 😀\n"),
    ] {
        let end = run(&mut client, bench, &[mode]);
        assert_eq!(end["output"]["stdout"], expected, "{mode}");
    }
}

fn both_streams_are_distinguished(bench: &Bench) {
    let mut client = bench.client();
    let end = run(&mut client, bench, &["mixed"]);
    assert_has(
        &end["output"],
        json!({"stdout": "to stdout\nno line end, then the end – é 日本 😀\n", "stderr": "to stderr\n"}),
    );
    let only = client.ok("process_read_output", json!({"since": 0, "stream": "stderr"}));
    assert_has(&only, json!({"stderr": "to stderr\n", "stdout": null}));
    let found = client.ok("process_read_output", json!({"since": 0, "search": "^no line"}));
    assert_has(&found, json!({"stdout": "no line end, then the end – é 日本 😀\n", "stderr": null}));
}
