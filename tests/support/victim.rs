//! A second process of the test binary, which starts things and is killed at a given point.

use std::{
    future::poll_fn,
    path::{Path, PathBuf},
    pin::pin,
    task::Poll,
};

use clrbridge::process::{
    Bound, Child, CommandSpec, ExitStatus, StdinMode, spawn_adapter, spawn_program_held, spawn_program_plain,
};

use crate::witness::{DEADLINE, Mark, read_line, until, within_deadline};

/// What the process that is to be killed does before.
const ROLE: &str = "CLRBRIDGE_TEST_ROLE";
/// The program that it starts.
const PROGRAM: &str = "CLRBRIDGE_TEST_PROGRAM";

/// What a test binary does that a test started again: the role's part, and then it never ends by itself. Nothing in any other.
pub fn play() {
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
                adapter.keep(Path::new(env!("CARGO_BIN_EXE_clrbridge")), 0, b"farewell\n").await.unwrap();
                tell_and_wait(adapter.pid).await;
            }
            "released" => {
                let mut adapter = spawn_adapter(&spec, Bound::Outlives, None).await.unwrap();
                adapter.keep(Path::new(env!("CARGO_BIN_EXE_clrbridge")), 0, b"farewell\n").await.unwrap();
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
            "held-kept" => {
                let mut held = spawn_program_held(&spec, StdinMode::Closed).await.unwrap();
                held.keep(Path::new(env!("CARGO_BIN_EXE_clrbridge"))).await.unwrap();
                read_line(&mut held.child.stdout).await;
                tell_and_wait(held.child.pid).await;
            }
            "held-ended" => {
                let mut held = spawn_program_held(&spec, StdinMode::Closed).await.unwrap();
                held.keep(Path::new(env!("CARGO_BIN_EXE_clrbridge"))).await.unwrap();
                let pid = held.child.pid;
                drop(held);
                tell_and_wait(pid).await;
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

pub fn command(role: &str, program: &CommandSpec) -> CommandSpec {
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
    let again = command(role, program);
    let mut victim = spawn_program_plain(&mark.on(again), StdinMode::Closed).await.unwrap();
    loop {
        let line = read_line(&mut victim.stdout).await;
        if let Some(pid) = line.strip_prefix("started ") {
            return (victim, pid.parse().unwrap());
        }
    }
}

/// As `kill -9` does it: the process alone, not its group.
pub async fn kill_victim(victim: &Child) {
    clrbridge::process::kill(victim.pid, libc::SIGKILL).unwrap();
    within_deadline("end of the victim", victim.exited()).await;
}
