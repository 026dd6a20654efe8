//! Processes that are not our children, and signals to ourselves.

#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader};

use clrbridge::process::{
    StdinMode, alive, is_suspended, kill, kill_started_at, pidfd::wait_exit, signals, spawn_program_plain, start_time,
};

use crate::witness::{read_line, sh, until, within_deadline};

#[tokio::test]
async fn the_end_of_a_foreign_process_is_seen() {
    let mut parent = spawn_program_plain(&sh("sleep 1000 & echo $!; wait"), StdinMode::Closed).await.unwrap();
    let foreign: u32 = read_line(&mut parent.stdout).await.parse().unwrap();
    let ended = wait_exit(foreign).unwrap();
    let started = start_time(foreign).unwrap();

    let error = kill_started_at(foreign, started + 1, libc::SIGKILL).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(libc::ESRCH), "another start time is another process");
    assert!(alive(foreign));

    kill(foreign, libc::SIGSTOP).unwrap();
    until("stop", || is_suspended(foreign)).await;
    assert!(alive(foreign));

    kill_started_at(foreign, started, libc::SIGKILL).unwrap();
    within_deadline("end of the foreign process", ended).await;
    assert!(!alive(foreign));
}

#[tokio::test]
async fn a_zombie_has_ended() {
    // The test itself is the parent and does not reap at first, as a careless starter of an attached program would.
    let mut unreaped = std::process::Command::new("true").spawn().unwrap();
    within_deadline("end", wait_exit(unreaped.id()).unwrap()).await;
    assert!(!alive(unreaped.id()) && !is_suspended(unreaped.id()));
    unreaped.wait().unwrap();
    assert!(wait_exit(unreaped.id()).is_err());
}

#[tokio::test]
async fn a_pid_that_cannot_be_is_an_error_and_never_a_group() {
    for pid in [0, u32::MAX, i32::MIN.cast_unsigned()] {
        assert_eq!(kill(pid, 0).unwrap_err().raw_os_error(), Some(libc::ESRCH), "{pid}");
        assert_eq!(kill_started_at(pid, 1, 0).unwrap_err().raw_os_error(), Some(libc::ESRCH), "{pid}");
        assert!(wait_exit(pid).is_err() && !alive(pid), "{pid}");
    }
}

/// In a process of its own: listening takes the signal's default action away for good.
#[test]
fn a_termination_signal_asks_for_the_shutdown() {
    if std::env::var_os("CLRBRIDGE_TEST_LISTEN").is_some() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let got = runtime.block_on(async {
            let asked = signals::shutdown();
            println!("listening");
            asked.await
        });
        std::process::exit(got);
    }
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        // whoever runs the tests may ignore signals (nohup, a job in the background), which a child inherits
        let mut listener = std::process::Command::new("env")
            .arg("--default-signal=TERM,INT,HUP")
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "foreign::a_termination_signal_asks_for_the_shutdown", "--nocapture"])
            .env("CLRBRIDGE_TEST_LISTEN", "1")
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(listener.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("listening")));
        kill(listener.id(), signal).unwrap();
        assert_eq!(listener.wait().unwrap().code(), Some(signal));
    }
}
