//! `clrbridge demo`, run as a newcomer runs it, without .NET.
#![cfg(unix)]

use std::process::{Command, Output};

/// The demo on a machine that has nothing; its folder shows as `TMP/demo`.
fn demo(arguments: &[&str]) -> (Output, String) {
    let temp = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_clrbridge"))
        .arg("demo")
        .args(arguments)
        .env_clear()
        .env("HOME", temp.path())
        .env("TMPDIR", temp.path())
        // Where a .NET is installed for all users it would be found.
        .env("DOTNET_ROOT", temp.path().join("no-dotnet"))
        .env("PATH", temp.path())
        .output()
        .unwrap();
    let left: Vec<_> = std::fs::read_dir(temp.path()).unwrap().collect();
    assert!(left.is_empty(), "the demo left {left:?}");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let prefix = format!("{}/clrbridge-demo-", temp.path().display());
    let text = text.split(&prefix).enumerate().map(|(at, part)| {
        // The six random characters of the folder's name.
        if at == 0 { part.to_owned() } else { format!("TMP/demo{}", &part[6..]) }
    });
    (output, text.collect())
}

#[test]
fn the_recorded_story_is_replayed_from_its_first_stop_to_the_exit() {
    let (output, text) = demo(&["--replay"]);
    assert!(output.status.success(), "{output:?}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_pipe_gets_no_colors() {
    let (output, _) = demo(&["--replay"]);
    assert!(!output.stdout.contains(&0x1b));
}

#[test]
fn without_an_adapter_the_recorded_talk_is_played_and_the_reason_reported() {
    let (output, text) = demo(&[]);
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("No real program can be debugged here: ") && text.contains("exited: code 0"), "{text}");
}

#[test]
fn live_without_an_adapter_is_an_error_that_says_what_to_do() {
    let (output, text) = demo(&["--live"]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("demo --live: ") && error.contains("clrbridge doctor"), "{error}");
    assert_eq!(text, "");
}

#[test]
fn live_and_replay_exclude_each_other() {
    assert_eq!(demo(&["--live", "--replay"]).0.status.code(), Some(2));
}
