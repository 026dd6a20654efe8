//! Every recorded conversation, repeated with tools: the whole server over each recording, and what it answers.
//!
//! `replays/calls.rs` turns the requests of the recording client into calls. What comes back is kept as one line of facts a
//! call in `data/snapshots/replays`: one file where both adapters answer the same, else one for each.
//! `UPDATE_SNAPSHOTS=1 cargo test --test conversation` writes them anew: read what changed.

mod facts;
mod calls;

use std::collections::{BTreeMap, BTreeSet};

use crate::replayed::{Server, data};
use serde_json::json;

/// The story of one recording, a line a call.
async fn story(adapter: &str, scenario: &str) -> String {
    let path = data(&format!("data/recordings/{adapter}/{scenario}.jsonl"));
    let fixtures = data("fixtures");
    let server = Server::playing(&path, &fixtures);
    let mut lines = Vec::new();
    for (tool, arguments) in calls::calls(&path) {
        let answer = server.call(&tool, arguments.clone()).await;
        lines.push(format!("{} -> {}", calls::shown(&tool, &arguments), facts::of(&tool, &answer)));
    }
    let state = server.call("debug_state", json!({})).await;
    lines.push(format!("at last -> {}", facts::of("debug_state", &state)));
    server.end().await;
    let text = lines.join("\n") + "\n";
    text.replace(&format!("{}/", fixtures.display()), "")
}

fn scenarios() -> BTreeMap<String, BTreeSet<&'static str>> {
    let mut all: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for adapter in ["netcoredbg", "dncdbg"] {
        for file in std::fs::read_dir(data("data/recordings").join(adapter)).unwrap() {
            let name = file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
            all.entry(name).or_default().insert(adapter);
        }
    }
    assert_eq!(all.values().map(BTreeSet::len).sum::<usize>(), 81);
    all
}

#[tokio::test(start_paused = true)]
async fn every_recording_reported_with_tools_ends_as_it_is_known_to() {
    let folder = data("data/snapshots/replays");
    let update = std::env::var_os("UPDATE_SNAPSHOTS").is_some();
    if update {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
    }
    let mut wrong = Vec::new();
    for (scenario, adapters) in scenarios() {
        let mut stories = Vec::new();
        for adapter in adapters {
            stories.push((adapter, story(adapter, &scenario).await));
        }
        let same = stories.windows(2).all(|pair| pair[0].1 == pair[1].1);
        for (adapter, got) in &stories {
            let shared = folder.join(format!("{scenario}.txt"));
            let own = folder.join(format!("{scenario}.{adapter}.txt"));
            if update {
                std::fs::write(if same { &shared } else { &own }, got).unwrap();
                continue;
            }
            let expected =
                std::fs::read_to_string(own).or_else(|_| std::fs::read_to_string(shared)).unwrap_or_default();
            for (at, (expected, got)) in expected.lines().zip(got.lines()).enumerate() {
                if expected != got {
                    wrong.push(format!("{adapter}/{scenario}:{}\n  expected {expected}\n  got      {got}", at + 1));
                }
            }
            if expected.lines().count() != got.lines().count() {
                wrong.push(format!("{adapter}/{scenario}: {} calls", got.lines().count()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
