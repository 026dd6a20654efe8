//! Extension methods, called as the compiler would call them.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, Client};

scenarios! {
    extension_methods_are_called, "builtin";
    extension_methods_that_cannot_be_called_say_why, "builtin";
}

fn at_extended(bench: &Bench) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Extended", "extended")}]);
    client.ok("debug_launch", bench.launch("Extended", &[], json!({"breakpoints": breakpoints})));
    client
}

fn extension_methods_are_called(bench: &Bench) {
    let mut client = at_extended(bench);
    for (expression, value) in [
        // of the framework, which loads the assembly
        ("tags.Any()", "true"),
        ("tags.First()", "\"a\""),
        ("numbers.Sum()", "6"),
        ("numbers.Max()", "3"),
        ("array.Count()", "2"),
        ("array.Skip(1).ToArray()[0]", "5"),
        ("keyed.First().Key", "\"k\""),
        ("numbers.Average()", "2.0"),
        ("tags.Last().Shout()", "\"b!\""),
        ("text.Shout(2)", "\"abc!!\""),
        // the nearest namespace wins, and the type's own method before any
        ("text.Origin()", "\"near abc\""),
        ("crate.Label()", "\"its own\""),
        ("text.Quoted()", "\"'abc'\""),
        ("numbers.Third()", "3"),
        ("5.Twice()", "10"),
        // on null, too
        ("nothing.OrElse()", "\"none\""),
        ("missing.IsNothing()", "true"),
        ("tags.IsNothing()", "false"),
        ("none.OrZero()", "0"),
        ("five.OrZero()", "5"),
    ] {
        let reply = client.ok("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        assert_eq!(reply["value"], value, "{expression}");
    }
}

fn extension_methods_that_cannot_be_called_say_why(bench: &Bench) {
    let mut client = at_extended(bench);
    for (expression, words) in [
        ("text.Hush()", "'Extended.Hidden.Unseen.Hush' is in a namespace that the file does not import"),
        ("text.Shout(tags)", "error CS1503: Argument 2: cannot convert from "),
        ("tags.Nope()", "error CS1061: 'List<string>' does not contain a definition for 'Nope'"),
        // C# converts no number for it, and opens no `int?`
        ("big.Twice()", "error CS1929: 'long' does not contain a definition for 'Twice'"),
        ("five.Twice()", "error CS1929: 'int?' does not contain a definition for 'Twice'"),
    ] {
        let call = json!({"expression": expression, "allow_side_effects": true});
        let error = client.error("evaluation_failed", "evaluate", call);
        assert!(error["message"].as_str().unwrap().contains(words), "{expression}: {error}");
    }
}
