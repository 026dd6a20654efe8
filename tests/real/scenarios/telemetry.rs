//! What is kept of a session: stops as they were.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, assert_has};

scenarios! {
    two_stops_differ_in_what_the_program_did_between_them;
    a_secret_is_redacted_and_conditions_see_it;
}

fn two_stops_differ_in_what_the_program_did_between_them(bench: &Bench) {
    let mut client = bench.client();
    let breakpoint = json!({"breakpoints": [{"file": "Program.cs", "text": "Total += line.Total"}]});
    let first = client.ok("debug_launch", bench.launch("Basics", &[], breakpoint));
    let second = client.ok("debug_continue", json!({}));
    client.ok("breakpoint_remove", json!({"all": true}));
    client.ok("debug_continue", json!({}));
    // the program has ended, and the stops are still there
    let differ = client.ok("debug_diff_snapshots", json!({"base_seq": first["seq"], "target_seq": second["seq"]}));
    assert_has(
        &differ,
        json!({
            "changed": [
                {"name": "hit_count", "value": "2", "was": "1"},
                {"name": "locals.this.Total", "value": "2.50m", "was": "0m"},
                {"name": "locals.this._edits", "value": "2", "was": "1"},
                {"name": "locals.this._lines", "value": "List<OrderLine>(2)", "was": "List<OrderLine>(1)"},
                {"name": "locals.line.Product", "value": "\"item 1\"", "was": "\"item 0\""},
                {"name": "locals.line.Quantity", "value": "2", "was": "1"},
            ],
            "added": null, "removed": null, "truncated": null,
        }),
    );
    let earlier = client.ok("debug_get_snapshot", json!({"seq": first["seq"], "scope": "locals"}));
    assert_has(&earlier, json!({"outcome": "stopped", "locals": first["locals"], "location": null}));
    let member = client.ok("debug_get_state_path", json!({"path": "locals.line.Product"}));
    assert_has(
        &member,
        json!({"value": "\"item 1\"", "note": "this is the latest stop; the program is no longer stopped (state: exited)"}),
    );
    client.error("path_not_found", "debug_get_state_path", json!({"path": "locals.line.Price"}));
    let streams = client.ok("debug_list_streams", json!({}));
    assert_has(&streams, json!({"snapshots": {"count": 2, "oldest_seq": first["seq"], "latest_seq": second["seq"]}}));
}

fn a_secret_is_redacted_and_conditions_see_it(bench: &Bench) {
    let mut client = bench.client();
    let secret = format!("ghp_{}", "a1".repeat(18));
    let condition = format!("args[1] == \"{secret}\"");
    let breakpoint = json!({"breakpoints": [{"file": "Program.cs", "text": "// BP:call", "condition": condition}]});
    let stop = client.ok("debug_launch", bench.launch("Basics", &["7", &secret], breakpoint));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint"}));
    let args = &stop["locals"][0];
    assert_has(args, json!({"name": "args", "count": 2}));
    assert!(
        args["value"].as_str().unwrap().starts_with("[\"7\", \"••• (redacted, 40 characters, fingerprint "),
        "{args}"
    );
    let evaluated = client.ok("evaluate", json!({"expressions": ["args[1]", "args[1].Length", "order.Customer"]}));
    assert_has(&evaluated, json!({"results": [{"name": "args[1]"}, {"value": "40"}, {"value": "\"Ada\""}]}));
    assert!(!format!("{stop}{evaluated}").contains("ghp_a"), "{stop}{evaluated}");
    client.ok("debug_continue", json!({}));
}
