//! Parts of what a property holds, which adapters give to its setter.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    a_part_of_what_a_property_holds_is_set_alone;
}

fn at_behind(bench: &Bench) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Behind", "behind")}]);
    client.ok("debug_launch", bench.launch("Behind", &[], json!({"breakpoints": breakpoints})));
    client
}

/// Either it is set, or nothing is changed.
fn a_part_of_what_a_property_holds_is_set_alone(bench: &Bench) {
    let mut client = at_behind(bench);
    let mut refused = Vec::new();
    for (path, value, owner) in [
        ("branch.Tags[0]", "\"zz\"", "branch.Tags"),
        ("branch.Tags[1]", "tag", "branch.Tags"),
        ("branch.Tags[9]", "\"zz\"", "branch.Tags"),
        ("branch.Own[0]", "\"zz\"", "branch.Own"),
        ("branch.Got[0]", "\"zz\"", "branch.Got"),
        ("branch.Plain[0]", "\"zz\"", "branch.Plain"),
        ("branch.Fixed[0]", "\"zz\"", "branch.Fixed"),
        ("branch.Open[0]", "\"zz\"", "branch.Open"),
        ("branch.Names[0]", "\"zz\"", "branch.Names"),
        ("branch.Names[9]", "\"zz\"", "branch.Names"),
        ("branch.Counts[1]", "9", "branch.Counts"),
        ("branch.Grid[1,1]", "9", "branch.Grid"),
        ("branch.Spots[0].X", "9", "branch.Spots"),
        ("branch.Spots[1].Y", "9", "branch.Spots"),
        ("branch.Places[0].X", "9", "branch.Places"),
        ("branch.Leaves[0].Id", "9", "branch.Leaves"),
        ("branch.Leaves[1].Rank", "9", "branch.Leaves"),
        ("branch.Leaves[1].Marks[0]", "9", "branch.Leaves[1].Marks"),
        ("branch.Leaves[1].Kept[0]", "9", "branch.Leaves[1].Kept"),
        ("branch.Row[0].Id", "9", "branch.Row"),
        ("branch.One.Id", "9", "branch.One"),
        ("branch.One.Rank", "9", "branch.One"),
        ("branch.One.Kept[0]", "9", "branch.One.Kept"),
        ("branch.One.Cells[1]", "9", "branch.One.Cells"),
        ("branch.One.Marks[0]", "9", "branch.One.Marks"),
        ("branch.Ages[\"a\"]", "9", "branch.Ages"),
        ("branch.Words[7]", "\"zz\"", "branch.Words"),
        ("branch.Any[0]", "9", "branch.Any"),
        ("all[0].Names[0]", "\"yy\"", "all[0].Names"),
        ("many[0].Names[1]", "\"yy\"", "many[0].Names"),
        ("Branch.Shared[0]", "\"zz\"", "Branch.Shared"),
        ("Behind.Branch.Shared[1]", "\"zz\"", "Behind.Branch.Shared"),
    ] {
        let read = |client: &mut Client, path: &str| {
            client.call("evaluate", json!({"expression": path, "allow_side_effects": true})).value
        };
        let (was, owner_was) = (read(&mut client, path), read(&mut client, owner));
        let arguments = json!({"path": path, "value": value, "allow_side_effects": true});
        let set = client.call("variable_set", arguments);
        let (now, owner_now) = (read(&mut client, path), read(&mut client, owner));
        assert_eq!(owner_now["type"], owner_was["type"], "{path}: {set:?}");
        if set.failed {
            assert_eq!((&now, &owner_now), (&was, &owner_was), "{path}: {set:?}");
            refused.push(path);
        } else {
            let meant = if value == "tag" { "\"q\"" } else { value };
            assert_eq!(now["value"], meant, "{path}: {set:?}");
        }
    }
    assert_eq!(refused, ["branch.Tags[9]", "branch.Fixed[0]", "branch.Names[9]"]);
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}
