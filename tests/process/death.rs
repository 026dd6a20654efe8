//! Our own death by SIGKILL: a second process of this binary starts things and is killed at a given point.

#![cfg(target_os = "linux")]

use clrbridge::process::{ExitStatus, StdinMode, semaphores, spawn_program_held, spawn_program_plain};

use crate::victim::{self, kill_victim, victim_of};
use crate::witness::{Mark, semaphores_of, sh, until, within_deadline};

/// Not a test, but what this binary does when a test starts it again; then it never ends by itself.
#[test]
fn victim() {
    victim::play();
}

#[tokio::test]
async fn our_death_takes_a_bound_adapter_along() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let (victim, _) = victim_of("bound", &sh("trap '' TERM HUP; exec sleep 1000"), &mark).await;
    kill_victim(&victim).await;
    mark.all_gone().await;
}

#[tokio::test]
async fn our_death_reaches_an_attached_adapter_as_end_of_input_only() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let detached = folder.path().join("detached");
    let adapter = sh(&format!("cat; echo detached > '{}'", detached.display()));
    let (victim, _) = victim_of("outlives", &adapter, &mark).await;
    kill_victim(&victim).await;
    mark.all_gone().await;
    assert_eq!(std::fs::read_to_string(detached).unwrap(), "detached\n", "it was given the time to clean up");
}

#[tokio::test]
async fn our_death_reaches_a_kept_adapter_as_a_farewell_and_the_end_of_input() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let heard = folder.path().join("heard");
    let adapter = sh(&format!("cat > '{0}'; echo detached >> '{0}'", heard.display()));
    let (victim, _) = victim_of("kept", &adapter, &mark).await;
    kill_victim(&victim).await;
    mark.all_gone().await;
    assert_eq!(std::fs::read_to_string(heard).unwrap(), "farewell\ndetached\n", "and the keeper is gone too");
}

#[tokio::test]
async fn a_kept_adapter_that_does_not_end_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let (victim, _) = victim_of("kept", &sh("exec sleep 1000"), &mark).await;
    kill_victim(&victim).await;
    mark.all_gone().await;
}

#[tokio::test]
async fn a_stdin_that_is_dropped_sends_the_keeper_away_and_is_the_end_of_input() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let heard = folder.path().join("heard");
    let (victim, _) = victim_of("released", &sh(&format!("cat > '{}'", heard.display())), &mark).await;
    assert_eq!(std::fs::read_to_string(heard).unwrap(), "", "no farewell");
    kill_victim(&victim).await;
    mark.all_gone().await;
}

#[tokio::test]
async fn our_death_at_the_gate_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let ran = folder.path().join("ran");
    let program = sh(&format!("echo > '{}'; sleep 1000", ran.display()));
    let (victim, pid) = victim_of("gate", &program, &mark).await;
    kill_victim(&victim).await;
    mark.all_gone().await;
    until("end of the child at the gate", || !clrbridge::process::alive(pid)).await;
    assert!(!ran.exists(), "it never passed the gate");
    assert_eq!(semaphores_of(pid), [""; 0]);
}

#[tokio::test]
async fn our_death_takes_along_what_a_kept_program_started() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let (victim, program) = victim_of("held-kept", &sh("sleep 1000 & echo up; exec sleep 1000"), &mark).await;
    kill_victim(&victim).await;
    mark.all_gone().await;
    until("end of the program", || !clrbridge::process::alive(program)).await;
}

#[tokio::test]
async fn the_end_of_a_kept_program_sends_its_keeper_away() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let (victim, _) = victim_of("held-ended", &sh("exec sleep 1000"), &mark).await;
    until("end of the keeper", || mark.bearers() == [victim.pid]).await;
}

#[tokio::test]
async fn our_death_before_the_runtime_came_up_leaves_two_names_for_the_next_held_start() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let (victim, pid) = victim_of("unposted", &sh("exec sleep 1000"), &mark).await;
    assert_eq!(semaphores_of(pid).len(), 2);
    semaphores::sweep();
    assert_eq!(semaphores_of(pid).len(), 2, "those of the living are not swept");
    kill_victim(&victim).await;
    mark.all_gone().await;
    // The name goes when the process is reaped, by whoever inherited it.
    within_deadline("sweep of the dead", async {
        while !semaphores_of(pid).is_empty() {
            drop(spawn_program_held(&sh("exit 0"), StdinMode::Closed).await);
        }
    })
    .await;
}

#[tokio::test]
async fn an_ignored_child_signal_of_our_starter_hides_no_exit_status() {
    let mut starter = victim::command("status", &sh("exit 5"));
    // No shell leaves this signal ignored; `env` does.
    let again = std::mem::replace(&mut starter.program, "env".into());
    starter.args.splice(..0, ["--ignore-signal=CHLD".into(), again.into_os_string()]);
    let child = spawn_program_plain(&starter, StdinMode::Closed).await.unwrap();
    assert_eq!(within_deadline("exit", child.exited()).await, ExitStatus::Code(5));
}
