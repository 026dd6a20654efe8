//! The golden answers, made by the whole server: stories that clrbridge recorded with real adapters, replayed over the
//! recordings, in both renderings, byte for byte. `UPDATE_SNAPSHOTS=1 cargo test --test conversation` writes them anew.

use crate::renderings::{empties, missing_in_text};
use crate::replayed::{Answer, Server, data, laid_out, story};
use serde_json::Value;

/// Adapter and story.
const STORIES: &[(&str, &str)] = &[
    ("dncdbg", "basics"),
    ("dncdbg", "exceptions"),
    ("dncdbg", "inspect"),
    ("netcoredbg", "async"),
    ("netcoredbg", "basics"),
    ("netcoredbg", "collections"),
    ("netcoredbg", "exceptions"),
    ("netcoredbg", "inspect"),
    ("netcoredbg", "threads"),
];

struct Answered {
    tool: String,
    arguments: Value,
    answer: Answer,
}

async fn answered(adapter: &str, name: &str) -> Vec<Answered> {
    let (fixture, calls) = story(name);
    let workspace = laid_out(&fixture);
    let recording = data(&format!("data/recordings/clrbridge/{adapter}-{name}.jsonl"));
    let server = Server::playing(&recording, workspace.path());
    let mut all = Vec::new();
    for (tool, arguments) in calls {
        let mut answer = server.call(&tool, arguments.clone()).await;
        let here = workspace.path().display().to_string();
        answer.text = answer.text.replace(&here, "${workspace}");
        answer.json = serde_json::from_str(&answer.json.to_string().replace(&here, "${workspace}")).unwrap();
        all.push(Answered { tool, arguments, answer });
    }
    server.end().await;
    all
}

#[tokio::test(start_paused = true)]
async fn stories_are_reported_byte_for_byte() {
    let update = std::env::var_os("UPDATE_SNAPSHOTS").is_some();
    for (adapter, name) in STORIES {
        let mut got = String::new();
        for Answered { tool, arguments, answer } in answered(adapter, name).await {
            got.push_str(&format!("=== {tool} {arguments}\n{}\n--- {}\n", answer.text.trim_end(), answer.json));
        }
        let file = data(&format!("data/snapshots/{adapter}-{name}.txt"));
        if update {
            std::fs::write(file, got).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&file).unwrap();
        for (at, (expected, got)) in expected.lines().zip(got.lines()).enumerate() {
            assert_eq!(got, expected, "{}:{}", file.display(), at + 1);
        }
        assert_eq!(got.lines().count(), expected.lines().count(), "{}", file.display());
    }
}

#[tokio::test(start_paused = true)]
async fn both_renderings_say_the_same_within_their_bytes() {
    let (mut text, mut json, mut count) = (0, 0, 0);
    for (adapter, name) in STORIES {
        for Answered { tool, arguments, answer } in answered(adapter, name).await {
            let what = format!("{adapter}-{name}: {tool} {arguments}");
            let (mut missing, mut empty) = (Vec::new(), Vec::new());
            missing_in_text("", &answer.json, &answer.text, &mut missing);
            empties("", &answer.json, &mut empty);
            assert!(
                missing.is_empty() && empty.is_empty(),
                "{what}: the text lacks {missing:?}, nothing is in {empty:?}"
            );
            let bytes = (answer.text.len(), answer.json.to_string().len());
            (text, json, count) = (text + bytes.0, json + bytes.1, count + 1);
            let most = match (answer.json["outcome"].as_str(), answer.json["reason"].as_str()) {
                (Some("stopped"), Some("step")) if answer.json["stack"].is_null() => (350, 500),
                (Some("stopped"), _) => (900, 1260),
                (Some(_), _) => (350, 500),
                // lists that were asked for: as long as asked
                (None, _) => continue,
            };
            // the one stop with more locals than the golden one has 36 of them
            if *name != "collections" {
                assert!(bytes.0 <= most.0 && bytes.1 <= most.1, "{what}: {bytes:?} bytes, at most {most:?}");
            }
        }
    }
    assert!(count > 60, "only {count} answers");
    assert!(text / count <= 300 && json / count <= 450, "on average {} and {} bytes", text / count, json / count);
}

/// Story, number of its call, and the page's answer that it gives but for ids and numbers of this run.
/// (c08 needs to know what an InvalidOperationException is: no .NET is looked into here.)
const GOLDEN: &[(&str, usize, &str)] = &[
    ("basics", 1, "a01-debug_launch"),
    ("inspect", 10, "a03-debug_step"),
    ("exceptions", 4, "b05-breakpoint_set"),
    ("inspect", 11, "b03-breakpoint_set"),
    ("inspect", 12, "b04-breakpoint_set"),
    ("collections", 3, "c02-variables_get"),
    ("collections", 4, "c03-variables_get"),
    ("collections", 5, "c04-variables_get"),
    ("inspect", 2, "c06-evaluate"),
    ("inspect", 3, "c07-evaluate"),
    ("inspect", 5, "c09-object_inspect"),
    ("inspect", 6, "c12-variable_set"),
    ("async", 2, "d02-stacktrace_get"),
    ("inspect", 19, "e02-process_read_output"),
];

/// Less what differs from run to run.
fn lasting(json: &mut Value) {
    match json {
        Value::Object(fields) => {
            for name in ["seq", "pid", "thread_id", "ids", "id", "cursor", "breakpoint_ids"] {
                fields.shift_remove(name);
            }
            fields.values_mut().for_each(lasting);
        }
        Value::Array(items) => items.iter_mut().for_each(lasting),
        _ => {}
    }
}

#[tokio::test(start_paused = true)]
async fn the_server_gives_the_golden_answers() {
    for (name, number, golden) in GOLDEN {
        let Answered { tool, answer, .. } = answered("netcoredbg", name).await.remove(number - 1);
        let text = std::fs::read_to_string(data(&format!("data/answers/{golden}.json"))).unwrap();
        let (mut expected, mut got): (Value, Value) = (serde_json::from_str(&text).unwrap(), answer.json);
        lasting(&mut expected);
        lasting(&mut got);
        assert_eq!(got.to_string(), expected.to_string(), "{name}, call {number}: {tool} should answer as {golden}");
    }
}
