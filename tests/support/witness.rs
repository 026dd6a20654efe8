//! What the tests look at: commands to start, processes and semaphores left behind, all with one deadline.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::{ffi::OsString, path::Path, time::Duration};

use clrbridge::process::{ChildOutput, CommandSpec};
use tokio::io::AsyncReadExt;

/// For everything that is bound to happen; reached only by a failing test.
pub const DEADLINE: Duration = Duration::from_secs(30);

pub fn sh(script: &str) -> CommandSpec {
    CommandSpec { program: "sh".into(), args: vec!["-c".into(), script.into()], ..CommandSpec::default() }
}

pub async fn within_deadline<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(DEADLINE, future).await.unwrap_or_else(|_| panic!("{what}: not within {DEADLINE:?}"))
}

pub async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    within_deadline(what, async {
        while !condition() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

pub async fn read_to_end(output: &mut Option<ChildOutput>) -> String {
    let mut bytes = Vec::new();
    within_deadline("end of a pipe", output.as_mut().unwrap().read_to_end(&mut bytes)).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

pub async fn read_line(output: &mut Option<ChildOutput>) -> String {
    let mut line = Vec::new();
    within_deadline("a line", async {
        while line.last() != Some(&b'\n') {
            line.push(output.as_mut().unwrap().read_u8().await.unwrap());
        }
    })
    .await;
    String::from_utf8(line).unwrap().trim_end().to_owned()
}

/// Marks a process and everything that it starts, so that what is left of them can be found.
pub struct Mark(String);

impl Mark {
    pub fn of(folder: &Path) -> Self {
        Self(format!("CLRBRIDGE_TEST_MARK={}", folder.display()))
    }

    pub fn on(&self, mut spec: CommandSpec) -> CommandSpec {
        let (name, value) = self.0.split_once('=').unwrap();
        spec.env.push((name.into(), Some(OsString::from(value))));
        spec
    }

    /// Pids of the living that bear it.
    pub fn bearers(&self) -> Vec<u32> {
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter(|pid| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == self.0.as_bytes())
        })
        .collect()
    }

    pub async fn all_gone(&self) {
        until("end of all that were started", || self.bearers().is_empty()).await;
    }
}

/// Start-up semaphores that bear this pid.
pub fn semaphores_of(pid: u32) -> Vec<String> {
    let names =
        std::fs::read_dir("/dev/shm").unwrap().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names
        .filter(|name| {
            let digits = name.strip_prefix("sem.clrst").or_else(|| name.strip_prefix("sem.clrco"));
            digits.is_some_and(|digits| digits.starts_with(&format!("{pid:08x}")))
        })
        .collect()
}
