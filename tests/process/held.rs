//! The hold, as far as it needs no .NET: the gate, the semaphores' names, errors and cancellation.

#![cfg(target_os = "linux")]

use std::{future::poll_fn, pin::pin, task::Poll, time::Duration};

use clrbridge::process::{CommandSpec, ExitStatus, ProcessError, StdinMode, spawn_program_held, spawn_program_plain};

use crate::witness::{Mark, semaphores_of, sh, within_deadline};

#[tokio::test]
async fn a_program_without_a_runtime_is_distinguished_and_leaves_no_names() {
    let spec = CommandSpec { program: "sleep".into(), args: vec!["1000".into()], ..CommandSpec::default() };
    let held = spawn_program_held(&spec, StdinMode::Closed).await.unwrap();
    let pid = held.child.pid;
    assert_eq!(semaphores_of(pid).len(), 2);
    let limit = Duration::from_millis(20);
    let error = held.posted(limit).await.unwrap_err();
    assert!(matches!(error, ProcessError::NotHeld { limit: l } if l == limit));
    assert!(error.to_string().contains("does not run on CoreCLR"));
    assert_eq!(semaphores_of(pid), [""; 0]);
    let exited = held.child.exited();
    drop(held);
    assert_eq!(within_deadline("exit", exited).await, ExitStatus::Signal(libc::SIGKILL));
}

#[tokio::test]
async fn an_end_before_the_runtime_came_up_is_reported_with_its_status() {
    let held = spawn_program_held(&sh("exit 5"), StdinMode::Pipe).await.unwrap();
    let error = within_deadline("posted", held.posted(Duration::from_secs(60))).await.unwrap_err();
    assert!(matches!(error, ProcessError::ExitedBeforeRuntime { status: ExitStatus::Code(5) }));
    assert_eq!(semaphores_of(held.child.pid), [""; 0]);
}

#[tokio::test]
async fn names_go_with_a_hold_that_is_dropped_unposted() {
    let held = spawn_program_held(&sh("sleep 1000"), StdinMode::Closed).await.unwrap();
    let (pid, exited) = (held.child.pid, held.child.exited());
    drop(held);
    assert_eq!(semaphores_of(pid), [""; 0]);
    within_deadline("exit", exited).await;
}

#[tokio::test]
async fn a_program_that_cannot_be_executed_is_named_although_it_was_held() {
    let missing = CommandSpec { program: "/no/such/program".into(), ..CommandSpec::default() };
    let error = within_deadline("start", spawn_program_held(&missing, StdinMode::Closed)).await.unwrap_err();
    assert!(matches!(error, ProcessError::Spawn { path, source }
        if path == missing.program && source.kind() == std::io::ErrorKind::NotFound));
    let nowhere = CommandSpec { cwd: Some("/no/such/folder".into()), ..sh("true") };
    let error = within_deadline("start", spawn_program_held(&nowhere, StdinMode::Closed)).await.unwrap_err();
    assert!(matches!(error, ProcessError::WorkingDirectory { .. }));
}

#[tokio::test]
async fn release_may_be_called_twice() {
    let held = spawn_program_held(&sh("sleep 1000"), StdinMode::Closed).await.unwrap();
    held.release().unwrap();
    held.release().unwrap();
}

#[tokio::test]
async fn a_start_given_up_at_any_point_leaves_nothing_and_blocks_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let spec = mark.on(sh("sleep 1000"));
    let mut was_completed = false;
    for polls in 1..=6 {
        let mut start = Box::pin(spawn_program_held(&spec, StdinMode::Pipe));
        let mut left = polls;
        let outcome = poll_fn(|context| {
            if left == 0 {
                return Poll::Ready(None);
            }
            left -= 1;
            start.as_mut().poll(context).map(Some)
        });
        was_completed |= within_deadline("polls", pin!(outcome)).await.is_some();
        drop(start);
        let quick = sh("exit 0");
        let next = spawn_program_plain(&quick, StdinMode::Closed);
        let next = within_deadline("the next start", next).await.unwrap();
        assert_eq!(within_deadline("exit", next.exited()).await, ExitStatus::Code(0));
        mark.all_gone().await;
    }
    assert!(was_completed, "the last rounds must have covered every await");
}
