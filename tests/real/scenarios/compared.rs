//! What decides a refusal is read off the objects of the program: none of its code runs for that.

use serde_json::json;

use super::scenarios;
use crate::real::Bench;

scenarios! {
    what_is_refused_runs_nothing, "builtin";
}

/// To know whether a call could ask a culture of the program's own, none of the program's code runs.
fn what_is_refused_runs_nothing(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Basics", "main")}]);
    client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": breakpoints})));
    client.error("side_effects", "evaluate", json!({"expression": "new System.IO.MemoryStream(new byte[1])"}));
    let culture = json!({"expression": "System.Globalization.CultureInfo.s_userDefaultCulture"});
    assert_eq!(client.ok("evaluate", culture)["value"], "null");
}
