//! What only the objects decide: whether code that fills a field changes anything, and which members a `dynamic` value has.

use serde_json::json;

use super::judged::at;
use super::scenarios;
use crate::bench::Bench;

scenarios! {
    what_is_filled_is_read_and_what_is_not_is_refused;
    what_is_dynamic_has_no_extensions;
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

fn what_is_dynamic_has_no_extensions(bench: &Bench) {
    let mut client = at(bench, "tested");
    assert_eq!(client.ok("evaluate", json!({"expression": "late.Count + late[0]"}))["value"], "8");
    let threw = client.error("evaluation_threw", "evaluate", json!({"expression": "late.First()"}));
    let words = "'System.Collections.Generic.List<int>' does not contain a definition for 'First'";
    assert!(threw["message"].as_str().unwrap().ends_with(words), "{threw}");
}
