//! Finds processes and semaphores that outlived the server which made them.

use std::fs;
use std::time::{Duration, Instant};

/// Environment variable by which processes are known, as children inherit it.
pub const MARK: &str = "CLRBRIDGE_TEST_MARK";

/// Processes with this mark, but for `except`, and semaphores of those.
pub fn of(mark: &str, except: &[u32]) -> Vec<String> {
    let needle = format!("{MARK}={mark}");
    let mut found = Vec::new();
    for pid in pids().filter(|pid| !except.contains(pid)) {
        if is_marked(pid, &needle) {
            let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            found.push(format!("process {pid} {}", String::from_utf8_lossy(&command).replace('\0', " ").trim_end()));
        }
    }
    found
}

/// Semaphores of the runtime's start-up handshake whose process is `pid`.
pub fn semaphores_of(pid: u32) -> Vec<String> {
    let hexadecimal = format!("{pid:08x}");
    let names =
        fs::read_dir("/dev/shm").into_iter().flatten().flatten().filter_map(|it| it.file_name().into_string().ok());
    names.filter(|name| name.starts_with("sem.clr") && name.contains(&hexadecimal)).collect()
}

/// The list once it is empty, or as it is after a while: ends take their time.
pub fn settled(mut list: impl FnMut() -> Vec<String>) -> Vec<String> {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let left = list();
        if left.is_empty() || Instant::now() > until {
            return left;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Ends what is left, so that a failed scenario does not weigh on the next.
pub fn kill(mark: &str) {
    let needle = format!("{MARK}={mark}");
    for pid in pids().filter(|&pid| is_marked(pid, &needle)) {
        signal(pid, libc::SIGKILL);
    }
}

#[track_caller]
pub fn signal(pid: u32, signal: i32) {
    let pid = i32::try_from(pid).unwrap();
    // SAFETY: kill takes two numbers and touches no memory of ours.
    unsafe { libc::kill(pid, signal) };
}

/// Suspends a process; what is asked of it afterwards finds it so.
pub fn suspend(pid: u32) {
    signal(pid, libc::SIGSTOP);
    let left = settled(|| if clrbridge::process::is_suspended(pid) { vec![] } else { vec![format!("{pid} runs")] });
    assert!(left.is_empty(), "{left:?}");
}

/// The time that a process has run by itself, in ticks of the system's clock.
pub fn ticks(pid: u32) -> u64 {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    state.rsplit(')').next().unwrap().split_ascii_whitespace().nth(11).unwrap().parse().unwrap()
}

fn pids() -> impl Iterator<Item = u32> {
    fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Zombies have no environment: they are their parent's matter.
fn is_marked(pid: u32, needle: &str) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|variable| variable == needle.as_bytes())
}

/// The process that `parent` started whose executable's name begins with `name`.
#[track_caller]
pub fn child_named(parent: u32, name: &str) -> u32 {
    let is_it = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let Some((command, rest)) = stat.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')')) else {
            return false;
        };
        command.starts_with(name) && rest.split_whitespace().nth(1) == Some(&parent.to_string())
    };
    pids().find(is_it).unwrap_or_else(|| panic!("{parent} has no child {name}"))
}
