//! The golden answers: every pair in `data/answers` is one typed value in its two renderings, byte for byte.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::renderings::{empties, missing_in_text};
use clrbridge::answers::render::Render;
use clrbridge::answers::report::*;
use clrbridge::answers::tool_error::ToolError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

struct Golden {
    /// `a02-debug_continue`: the place in the page of answers, and the tool that was called.
    name: String,
    text: String,
    json: String,
}

impl Golden {
    fn tool(&self) -> &str {
        self.name.split_once('-').unwrap().1
    }
}

fn goldens() -> Vec<Golden> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/answers");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".json").map(String::from))
        .collect();
    names.sort();
    let read = |name: &str, kind: &str| std::fs::read_to_string(folder.join(format!("{name}.{kind}"))).unwrap();
    let all: Vec<_> =
        names.into_iter().map(|name| Golden { text: read(&name, "txt"), json: read(&name, "json"), name }).collect();
    assert_eq!(all.len(), 73, "56 examples and 17 answers of the stories");
    all
}

/// The JSON that the typed value of `json` gives, and its text.
fn both<T: DeserializeOwned + Serialize + Render>(json: &str) -> (String, String) {
    let typed: T = serde_json::from_str(json).unwrap();
    (serde_json::to_string(&typed).unwrap(), typed.to_text())
}

fn renderings(golden: &Golden) -> (String, String) {
    let json = golden.json.as_str();
    if json.starts_with("{\"code\":") {
        return both::<ToolError>(json);
    }
    match golden.tool() {
        "debug_launch" | "debug_continue" | "debug_step" | "debug_pause" | "debug_restart" | "debug_disconnect"
        | "breakpoint_wait" => both::<StopReport>(json),
        "breakpoint" | "breakpoint_set" | "tracepoint_set" => both::<Breakpoint>(json),
        "breakpoint_list" => both::<BreakpointListReport>(json),
        "variables_get" | "object_inspect" => both::<VariablesReport>(json),
        "evaluate" => both::<EvaluateReport>(json),
        "variable_set" => both::<SetReport>(json),
        "stacktrace_get" => both::<StackReport>(json),
        "threads_list" => both::<ThreadsReport>(json),
        "exception_get_context" => both::<ExceptionReport>(json),
        "process_read_output" => both::<OutputReport>(json),
        "debug_state" => both::<StateReport>(json),
        "debug_query_events" => both::<EventsReport>(json),
        "modules_list" => both::<ModulesReport>(json),
        "references_get" => both::<ReferencesReport>(json),
        "memory_read" => both::<MemoryReport>(json),
        other => panic!("no result type for {other}"),
    }
}

#[test]
fn every_golden_answer_is_one_typed_value_in_two_renderings() {
    for golden in goldens() {
        let (json, text) = renderings(&golden);
        assert_eq!(json, golden.json, "JSON of {}", golden.name);
        assert_eq!(text, golden.text, "text of {}", golden.name);
    }
}

#[test]
fn golden_answers_keep_within_their_bytes() {
    let limits = [
        ("a01", 900, 1260),
        ("a02", 900, 1260),
        ("a03", 350, 500),
        ("a06", 900, 1260),
        ("a07", 350, 500),
        ("a12", 900, 1260),
        ("d03", 700, 900),
        ("d04", 900, 1260),
    ];
    let all = goldens();
    for (name, text, json) in limits {
        let golden = all.iter().find(|golden| golden.name.starts_with(name)).unwrap();
        let (got_json, got_text) = renderings(golden);
        assert!(got_text.len() <= text, "{name}: {} bytes of text", got_text.len());
        assert!(got_json.len() <= json, "{name}: {} bytes of JSON", got_json.len());
    }
    let examples: Vec<_> = all.iter().filter(|golden| !golden.name.starts_with("story")).map(renderings).collect();
    let average = |bytes: usize| bytes / examples.len();
    let text = average(examples.iter().map(|(_, text)| text.len()).sum());
    let json = average(examples.iter().map(|(json, _)| json.len()).sum());
    assert!(text <= 200, "{text} bytes of text on average");
    assert!(json <= 320, "{json} bytes of JSON on average");
}

#[test]
fn every_string_and_number_of_the_json_is_in_the_text() {
    for golden in goldens() {
        let mut missing = Vec::new();
        let value: Value = serde_json::from_str(&golden.json).unwrap();
        missing_in_text("", &value, &renderings(&golden).1, &mut missing);
        assert!(missing.is_empty(), "{}: the text lacks {missing:?}", golden.name);
    }
}

#[test]
fn no_answer_holds_nulls_or_empty_things() {
    for golden in goldens() {
        let mut found = Vec::new();
        empties("", &serde_json::from_str(&renderings(&golden).0).unwrap(), &mut found);
        assert!(found.is_empty(), "{}: {found:?}", golden.name);
    }
}

/// `integer`, `string`, `array of Frame`, …: what a property is, whether it may be absent or not.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap().into();
    }
    if let Some(options) = schema["anyOf"].as_array() {
        return options.iter().map(kind).filter(|kind| kind != "null").collect::<Vec<_>>().join("|");
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect(),
        one => one.as_str().unwrap_or("?").to_owned(),
    };
    if kinds == "array" { format!("array of {}", kind(&schema["items"])) } else { kinds }
}

fn collect_kinds(schema: &Value, kinds: &mut BTreeMap<String, BTreeMap<String, String>>, owner: &str) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        kinds.entry(name.clone()).or_default().insert(kind(property), owner.into());
    }
    for option in schema["anyOf"].as_array().into_iter().flatten() {
        collect_kinds(option, kinds, owner);
    }
    for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
        collect_kinds(definition, kinds, name);
    }
}

#[test]
fn no_field_has_two_types_over_all_tools() {
    let mut kinds = BTreeMap::new();
    for listed in clrbridge::mcp::listing_text(clrbridge::mcp::tools::all()).lines() {
        let [tool, _, answer] = listed.split('\t').collect::<Vec<_>>().try_into().unwrap();
        collect_kinds(&serde_json::from_str(answer).unwrap(), &mut kinds, tool);
    }
    // ids of breakpoint_remove, values of debug_diff_snapshots
    kinds.remove("removed");
    let double: Vec<_> = kinds.iter().filter(|(_, kinds)| kinds.len() > 1).collect();
    assert!(double.is_empty(), "{double:#?}");
    assert!(kinds.len() > 200, "only {} fields seen", kinds.len());
}
