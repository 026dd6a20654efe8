//! What is declared as `dynamic`, by itself or as a part of another type, as tests/fixtures/Judged/Loose.cs has it: each answer is what a
//! program compiled with the same expression prints.

use serde_json::json;

use super::scenarios;
use crate::bench::Bench;
use crate::client::Client;

scenarios! {
    members_of_what_is_dynamic_are_bound_by_the_object;
    what_a_dynamic_object_lacks_is_thrown_as_by_the_binder;
    machines_keep_what_is_dynamic;
    a_call_where_the_runtime_allows_none_is_refused_with_the_reason;
}

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Loose.cs", "line": bench.line_in("Judged", "Loose.cs", marker)}]);
    client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": breakpoints})));
    client
}

fn members_of_what_is_dynamic_are_bound_by_the_object(bench: &Bench) {
    let mut client = at(bench, "loose");
    client.gives(&[
        ("list[0].Name", "\"a\""),
        ("list[1] + 1", "8"),
        ("list[2].Length", "4"),
        ("list.First().Name", "\"a\""),
        ("list.Where(x => x is Ware).First().Price", "10"),
        ("list.Count(x => x is int)", "1"),
        ("list.ToArray()[0].Name", "\"a\""),
        ("list?[0].Name", "\"a\""),
        ("list[0]?.Name", "\"a\""),
        ("list[1] > 5 ? \"big\" : \"small\"", "\"big\""),
        ("$\"{list[0].Name}!\"", "\"a!\""),
        ("list is List<object>", "true"),
        ("list[0] is Ware { Price: 10 }", "true"),
        ("list[0] == null", "false"),
        ("(double)list[1]", "7.0"),
        ("many[0].Price == 6", "true"),
        ("given.Name", "\"given\""),
        ("named[\"a\"].Price * 2", "20"),
        ("named[\"n\"] - 1", "19"),
        ("named.Values.First().Name", "\"a\""),
        ("named.First().Value.Name", "\"a\""),
        ("array[1] + array[1]", "14"),
        ("array[0].Name", "\"a\""),
        ("pair.First.Name", "\"p\""),
        ("pair.First.Price + pair.Second", "23"),
        ("holder.Held.Name", "\"h\""),
        ("holder.Value.Price", "13"),
        ("wares[0].Price", "14"),
        ("nested[0][0].Name", "\"n\""),
        ("task.Result.Price", "16"),
        ("kept[0].Name", "\"kept\""),
        ("one.Name", "\"one\""),
        ("Any.Price", "4"),
        ("Find(\"x\").Name", "\"kept\""),
        ("All()[0].Name", "\"kept\""),
    ]);
}

fn what_a_dynamic_object_lacks_is_thrown_as_by_the_binder(bench: &Bench) {
    let mut client = at(bench, "loose");
    for (expression, words) in [
        ("list[0].Nope", "'Judged.Ware' does not contain a definition for 'Nope'"),
        ("list[1] - list[2]", "Operator '-' cannot be applied to operands of type 'int' and 'string'"),
        ("(string)list[0]", "Cannot convert type 'Judged.Ware' to 'string'"),
    ] {
        let threw = client.error("evaluation_threw", "evaluate", json!({"expression": expression}));
        assert!(threw["message"].as_str().unwrap().ends_with(words), "{expression}: {threw}");
    }
    let wrong = client.error("evaluation_failed", "evaluate", json!({"expression": "list.Nope"}));
    let message = wrong["message"].as_str().unwrap();
    assert!(message.contains("'List<dynamic>' does not contain a definition for 'Nope'"), "{wrong}");
}

/// The fields that the compiler moves variables into have the attribute as well.
fn machines_keep_what_is_dynamic(bench: &Bench) {
    for marker in ["loose-async", "loose-iterator"] {
        let mut client = at(bench, marker);
        client.gives(&[
            ("given.Name", "\"given\""),
            ("single.Price + 1", "18"),
            ("list[0].Name", "\"a\""),
            ("kept[0].Name + one.Name", "\"keptone\""),
        ]);
    }
}

/// .NET 8 stops at the copy of a large struct, which it does not interrupt: nothing can be called there, though the thread is in no
/// native code.
fn a_call_where_the_runtime_allows_none_is_refused_with_the_reason(bench: &Bench) {
    let mut client = at(bench, "large-tuple");
    if bench.framework() != "net8.0" {
        return client.gives(&[("Find(\"x\").Name", "\"kept\"")]);
    }
    let refused = client.error("evaluation_failed", "evaluate", json!({"expression": "Find(\"x\")"}));
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("or at an instruction that the runtime does not interrupt"), "{refused}");
    client.gives(&[("list[0].Name", "\"a\"")]);
}
