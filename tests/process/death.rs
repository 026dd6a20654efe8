//! Our own death by SIGKILL: a second process of this binary starts things and is killed at a given point.

#![cfg(target_os = "linux")]

use std::{
    future::poll_fn,
    path::{Path, PathBuf},
    pin::pin,
    task::Poll,
};

use clrbridge::process::{
    Bound, Child, CommandSpec, ExitStatus, KillOnDrop, StdinMode, semaphores, spawn_adapter, spawn_program_held,
    spawn_program_plain,
};

use crate::witness::{DEADLINE, Mark, read_line, semaphores_of, sh, until, within_deadline};

/// What the process that is to be killed does before.
const ROLE: &str = "CLRBRIDGE_TEST_ROLE";
/// The program that it starts.
const PROGRAM: &str = "CLRBRIDGE_TEST_PROGRAM";

/// Not a test, but what this binary does when a test starts it again; then it never ends by itself.
#[test]
fn victim() {
    let Some(role) = std::env::var_os(ROLE) else {
        return;
    };
    let program: Vec<_> = std::env::var(PROGRAM).unwrap().split('\n').map(Into::into).collect();
    let spec =
        CommandSpec { program: PathBuf::from(&program[0]), args: program[1..].to_vec(), ..CommandSpec::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        match role.to_str().unwrap() {
            "bound" => {
                let bound = spawn_adapter(&spec, Bound::DiesWithUs, None).await.unwrap();
                tell_and_wait(bound.pid).await;
            }
            "outlives" => {
                let adapter = spawn_adapter(&spec, Bound::Outlives, None).await.unwrap();
                tell_and_wait(adapter.pid).await;
            }
            "kept" => {
                let mut adapter = spawn_adapter(&spec, Bound::Outlives, None).await.unwrap();
                adapter.keep(Path::new(env!("CARGO_BIN_EXE_clrbridge")), b"farewell\n").await.unwrap();
                tell_and_wait(adapter.pid).await;
            }
            "released" => {
                let mut adapter = spawn_adapter(&spec, Bound::Outlives, None).await.unwrap();
                adapter.keep(Path::new(env!("CARGO_BIN_EXE_clrbridge")), b"farewell\n").await.unwrap();
                drop(adapter.stdin.take());
                adapter.exited().await;
                tell_and_wait(adapter.pid).await;
            }
            "gate" => {
                // One poll starts the child; without a second one nobody opens the gate.
                let mut start = pin!(spawn_program_held(&spec, StdinMode::Closed));
                let polled = poll_fn(|context| Poll::Ready(start.as_mut().poll(context).is_pending())).await;
                assert!(polled);
                let mut child = None;
                until("a child at the gate", || {
                    child = only_child();
                    child.is_some()
                })
                .await;
                tell_and_wait(child.unwrap()).await;
            }
            "unposted" => {
                let held = spawn_program_held(&spec, StdinMode::Closed).await.unwrap();
                tell_and_wait(held.child.pid).await;
            }
            "held" => {
                let held = spawn_program_held(&spec, StdinMode::Closed).await.unwrap();
                held.posted(DEADLINE).await.unwrap();
                tell_and_wait(held.child.pid).await;
            }
            "status" => {
                let child = spawn_adapter(&spec, Bound::Outlives, None).await.unwrap();
                match child.exited().await {
                    ExitStatus::Code(code) => std::process::exit(code),
                    ExitStatus::Signal(_) => panic!("it exits by itself"),
                }
            }
            other => panic!("no role {other}"),
        }
    });
}

async fn tell_and_wait(pid: u32) {
    println!("\nstarted {pid}");
    std::future::pending().await
}

/// The spawner thread's child, as the kernel lists it.
fn only_child() -> Option<u32> {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let children = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    children.collect::<String>().split_whitespace().next()?.parse().ok()
}

fn victim_command(role: &str, program: &CommandSpec) -> CommandSpec {
    let mut words = vec![program.program.to_str().unwrap()];
    words.extend(program.args.iter().map(|arg| arg.to_str().unwrap()));
    CommandSpec {
        program: std::env::current_exe().unwrap(),
        args: ["--exact", "death::victim", "--nocapture"].map(Into::into).to_vec(),
        env: vec![(ROLE.into(), Some(role.into())), (PROGRAM.into(), Some(words.join("\n").into()))],
        cwd: None,
    }
}

/// Starts a victim and gives it with the pid of what it started.
pub async fn victim_of(role: &str, program: &CommandSpec, mark: &Mark) -> (Child, u32) {
    let again = victim_command(role, program);
    let mut victim = spawn_program_plain(&mark.on(again), StdinMode::Closed, KillOnDrop::Yes).await.unwrap();
    loop {
        let line = read_line(&mut victim.stdout).await;
        if let Some(pid) = line.strip_prefix("started ") {
            return (victim, pid.parse().unwrap());
        }
    }
}

/// As `kill -9` does it: the process alone, not its group.
pub async fn kill_victim(victim: &Child) {
    victim.signal(libc::SIGKILL).unwrap();
    within_deadline("end of the victim", victim.exited()).await;
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
async fn our_death_before_the_runtime_came_up_leaves_two_names_for_the_next_sweep() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let (victim, pid) = victim_of("unposted", &sh("exec sleep 1000"), &mark).await;
    assert_eq!(semaphores_of(pid).len(), 2);
    semaphores::sweep();
    assert_eq!(semaphores_of(pid).len(), 2, "those of the living are not swept");
    kill_victim(&victim).await;
    mark.all_gone().await;
    // The name goes when the process is reaped, by whoever inherited it.
    until("sweep of the dead", || {
        semaphores::sweep();
        semaphores_of(pid).is_empty()
    })
    .await;
}

#[tokio::test]
async fn an_ignored_child_signal_of_our_starter_hides_no_exit_status() {
    let mut starter = victim_command("status", &sh("exit 5"));
    // No shell leaves this signal ignored; `env` does.
    let again = std::mem::replace(&mut starter.program, "env".into());
    starter.args.splice(..0, ["--ignore-signal=CHLD".into(), again.into_os_string()]);
    let child = spawn_program_plain(&starter, StdinMode::Closed, KillOnDrop::Yes).await.unwrap();
    assert_eq!(within_deadline("exit", child.exited()).await, ExitStatus::Code(5));
}
