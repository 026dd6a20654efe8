//! Calls that only the objects show to change nothing: what they are given, hold or look through.

use serde_json::json;

use super::scenarios;
use crate::bench::Bench;
use crate::client::Client;

scenarios! {
    what_code_is_given_decides_what_it_runs, "builtin";
    what_a_collection_is_over_decides_what_it_runs, "builtin";
    what_is_compared_is_asked_for_no_text, "builtin";
    what_only_looks_at_others_changes_nothing, "builtin";
}

fn reached(bench: &Bench) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Reached", "reached")}]);
    client.ok("debug_launch", bench.launch("Reached", &[], json!({"breakpoints": breakpoints})));
    client
}

fn refused(client: &mut Client, expressions: &[&str]) {
    for expression in expressions {
        client.error("side_effects", "evaluate", json!({"expression": expression}));
    }
}

fn what_code_is_given_decides_what_it_runs(bench: &Bench) {
    let mut client = reached(bench);
    client.gives(&[
        ("Token.Text(\"x\")", "\"x\""),
        ("Token.Text(five)", "\"5\""),
        ("Token.Text(text)", "\"t\""),
        ("Token.Same(1, 1)", "true"),
        ("Token.Same(five, 0)", "false"),
        ("Token.Format(5)", "\"5!\""),
        ("token[\"x\"] != null", "true"),
        ("token[\"y\"] == null", "true"),
    ]);
    refused(&mut client, &["Token.Text(said)", "Token.Format(said)", "tokens[said]"]);
    client.gives(&[("Said.Times", "0")]);
}

fn what_a_collection_is_over_decides_what_it_runs(bench: &Bench) {
    let mut client = reached(bench);
    client.gives(&[
        ("numbers.Count", "3"),
        ("numbers[1]", "5"),
        ("numbers.Sum()", "15"),
        ("numbers.Contains(6)", "true"),
        ("fields.Count", "1"),
        ("fields[\"_id\"]", "7"),
        ("fields.Names.Count", "1"),
        ("parts[\"b\"].Name", "\"b\""),
        ("parts.Contains(\"c\")", "false"),
        ("list[0]", "\"b\""),
        ("three.ToList().Count", "3"),
        ("three.Sum()", "6"),
    ]);
    refused(
        &mut client,
        &["counting.Count", "watched[0]", "steps.MoveNext()", "tallied[\"a\"]", "tallied.Contains(\"a\")"],
    );
    client.gives(&[("Counting.Asked + Watched.Asked + Steps.Taken", "0")]);
}

fn what_is_compared_is_asked_for_no_text(bench: &Bench) {
    let mut client = reached(bench);
    client.gives(&[
        ("branch.Equals(five)", "false"),
        ("branches.Contains(branch)", "true"),
        ("branches.IndexOf(branch)", "0"),
        ("said.Equals(said)", "true"),
        ("bare.Equals(bare)", "true"),
        ("bare.ToString()", "\"System.Object\""),
        ("objects.Contains(\"a\")", "true"),
        ("objects.IndexOf(1)", "0"),
        ("list.Contains(\"b\")", "true"),
        ("table[\"k\"]", "1"),
        ("table.ContainsKey(2)", "true"),
        ("table.Keys.Count", "2"),
    ]);
    refused(
        &mut client,
        &["said.ToString()", "compared.Contains(\"a\")", "equals.IndexOf(1)", "compared.IndexOf(bare)"],
    );
    client.gives(&[("Said.Times + Equal.Compared", "0")]);
}

fn what_only_looks_at_others_changes_nothing(bench: &Bench) {
    let mut client = reached(bench);
    client.gives(&[
        ("Turned.Upper(\"abc\")", "\"Abc\""),
        ("Turned.Sorted(unsorted)[0]", "1"),
        ("weak.IsAlive", "true"),
        ("local.Value", "\"here\""),
        ("gate.CurrentReadCount", "0"),
        ("gate.IsWriteLockHeld", "false"),
        ("Monitor.IsEntered(bare)", "false"),
    ]);
    refused(&mut client, &["Turned.Sort(unsorted)"]);
    client.gives(&[("unsorted[0]", "3")]);
}
