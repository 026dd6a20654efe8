//! Code that changes something the first time and nothing afterwards is judged by what the objects hold.

use serde_json::json;

use super::judged::at;
use super::scenarios;
use crate::bench::Bench;

scenarios! {
    what_is_filled_is_read_and_what_is_not_is_refused;
}

fn what_is_filled_is_read_and_what_is_not_is_refused(bench: &Bench) {
    let mut client = at(bench, "tested");
    for (expression, value) in [
        ("Sections.Read.Title", "\"C\""),
        ("Sections.Read.ToString()", "\"§C\""),
        ("Sections.Read.Path", "\"a.c\""),
        ("Sections.Read.IsIn(\"a\")", "true"),
        ("Sections.Read.Names()", "\"ac\""),
        ("Sections.Unread.Path", "\"b\""),
    ] {
        let answer = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(answer["value"], value, "{expression}: {answer}");
    }
    for (expression, field) in [
        ("Sections.Unread.Title", "Section.title"),
        ("Sections.Unread.ToString()", "Section.title"),
        ("Sections.Read.Parts", "Section.parts"),
    ] {
        let refused = client.error("side_effects", "evaluate", json!({"expression": expression}));
        assert!(refused["message"].as_str().unwrap().ends_with(&format!("writes the field {field}")), "{refused}");
    }
    let filled = client.ok("evaluate", json!({"expression": "Sections.Unread.Title", "allow_side_effects": true}));
    assert_eq!(filled["value"], "\"B\"");
    assert_eq!(client.ok("evaluate", json!({"expression": "Sections.Unread.Title"}))["value"], "\"B\"");
}
