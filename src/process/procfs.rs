//! What the kernel reports about any process, ours or not.
//!
//! The race to remember: a pid alone may be reused; a pid with its start time is unique.

use std::time::Duration;

/// Start time in clock ticks since boot, field 22 of `/proc/<pid>/stat`: with the pid it names a process for good.
/// `None`: no such process, or no `/proc`.
pub fn start_time(pid: u32) -> Option<u64> {
    Stat::read(pid).map(|stat| stat.start_time)
}

/// Whether it stands, stopped by a signal (SIGSTOP) or in a tracer's hands, and so answers no debugger.
pub fn is_suspended(pid: u32) -> bool {
    Stat::read(pid).is_some_and(|stat| stat.is_suspended())
}

/// Whether a thread of the process waits for what comes in on its stdin, or on a duplicate of it. `false` where that is unknown.
pub fn reads_stdin(pid: u32) -> bool {
    // proc(5), syscall: the number of the call and its arguments; `running` for a thread in none
    let Ok(stdin) = std::fs::read_link(format!("/proc/{pid}/fd/0")) else { return false };
    let mut threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    threads.any(|thread| {
        let call = std::fs::read_to_string(thread.path().join("syscall")).unwrap_or_default();
        let mut fields = call.split_ascii_whitespace();
        let is_read = fields.next().and_then(|number| number.parse().ok()) == Some(libc::SYS_read);
        let file = fields.next().and_then(|file| u32::from_str_radix(file.trim_start_matches("0x"), 16).ok());
        let same = |file| std::fs::read_link(format!("/proc/{pid}/fd/{file}")).is_ok_and(|link| link == stdin);
        is_read && file.is_some_and(same)
    })
}

/// How long the process's threads have run, or waited for a processor to run on, until now. Zero where that is unknown.
pub fn busy_time(pid: u32) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let nanoseconds = threads.filter_map(|thread| {
        // proc(5), schedstat: time on a processor, time in a run queue, both in nanoseconds, and a count
        let line = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        line.split_ascii_whitespace().take(2).map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()
    });
    Duration::from_nanos(nanoseconds.sum())
}

/// The fields of `/proc/<pid>/stat` that we need.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stat {
    state: char,
    group: u32,
    start_time: u64,
}

impl Stat {
    pub(super) fn read(pid: u32) -> Option<Self> {
        Self::parse(&std::fs::read(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The command name is the process's own choice and may hold blanks, brackets and bytes that are no UTF-8: count
    /// from the last bracket.
    fn parse(line: &[u8]) -> Option<Self> {
        let after_name = line.rsplit(|byte| *byte == b')').next()?;
        let mut fields = std::str::from_utf8(after_name).ok()?.split_ascii_whitespace();
        let state = fields.next()?.chars().next()?;
        let group = fields.nth(1)?.parse().ok()?;
        let start_time = fields.nth(16)?.parse().ok()?;
        Some(Self { state, group, start_time })
    }

    pub(super) fn is_dead(&self) -> bool {
        matches!(self.state, 'Z' | 'X' | 'x')
    }

    fn is_suspended(&self) -> bool {
        matches!(self.state, 'T' | 't')
    }
}

/// A process seen in a process group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member {
    pid: u32,
    start_time: u64,
}

impl Member {
    /// Everyone alive in the group.
    pub(super) fn all_of(group: u32) -> Vec<Self> {
        let Ok(entries) = std::fs::read_dir("/proc") else {
            return Vec::new();
        };
        let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        pids.filter_map(|pid| {
            let stat = Stat::read(pid)?;
            (stat.group == group && !stat.is_dead()).then_some(Self { pid, start_time: stat.start_time })
        })
        .collect()
    }

    pub(super) fn is_still_in(self, group: u32) -> bool {
        Stat::read(self.pid)
            .is_some_and(|stat| stat.group == group && stat.start_time == self.start_time && !stat.is_dead())
    }
}

/// A live process of a program that is not in the program's process group: a signal to the group does not reach it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runaway {
    pub pid: u32,
    /// Its command, as the kernel has it (at most 15 bytes).
    pub name: String,
}

/// Those that were started with `entry` (`NAME=value`) in their environment and are not in the group. A process of somebody else
/// and one that was started with another environment are not seen.
pub(super) fn runaways(entry: &str, group: u32) -> Vec<Runaway> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter_map(|pid| {
        let stat = Stat::read(pid).filter(|stat| stat.group != group && !stat.is_dead())?;
        let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
        let is_marked = environment.split(|byte| *byte == 0).any(|of| of == entry.as_bytes());
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().trim().to_owned();
        // the same process still: its number may have gone to another meanwhile
        let is_same = Stat::read(pid).is_some_and(|again| again.start_time == stat.start_time);
        (is_marked && is_same).then_some(Runaway { pid, name })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_left_the_group_is_known_by_its_environment() {
        let mark = format!("CLRBRIDGE_TEST_{}", std::process::id());
        let mut child = std::process::Command::new("sleep").arg("60").env(&mark, "1").spawn().unwrap();
        let (pid, entry) = (child.id(), format!("{mark}=1"));
        let group = Stat::read(pid).unwrap().group;
        // the kernel sets the name of what is executed before its environment
        let environment = || std::fs::read(format!("/proc/{pid}/environ")).unwrap();
        while !environment().split(|byte| *byte == 0).any(|of| of == entry.as_bytes()) {
            std::thread::yield_now();
        }
        assert_eq!(runaways(&entry, 0), [Runaway { pid, name: "sleep".into() }]);
        assert_eq!(runaways(&entry, group), []);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(runaways(&entry, 0), []);
    }

    #[test]
    fn stat_is_counted_from_the_last_bracket() {
        let rest = "S 1 77 77 0 -1 4194304 100 0 0 0 1 2 0 0 20 0 1 0 4242 1000 50";
        for name in ["(sh)", "(a b)", "(a) S 1 9)", "(\u{e4})"] {
            let stat = Stat::parse(format!("12 {name} {rest}").as_bytes());
            assert_eq!(stat, Some(Stat { state: 'S', group: 77, start_time: 4242 }), "{name}");
        }
        assert!(Stat::parse([b"12 (\xff\xfe) ", rest.as_bytes()].concat().as_slice()).is_some());
    }

    #[test]
    fn a_cut_stat_is_no_process() {
        for line in ["", "12", "12 (sh", "12 (sh)", "12 (sh) S 1 77 77 0 -1", "12 (sh) S 1 x 77 0"] {
            assert_eq!(Stat::parse(line.as_bytes()), None, "{line}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn we_are_not_stopped_and_have_a_start_time() {
        let me = std::process::id();
        assert!(!is_suspended(me));
        assert!(start_time(me).is_some_and(|ticks| ticks > 0));
        assert!(start_time(u32::MAX).is_none());
        assert!(busy_time(me) > Duration::ZERO && busy_time(u32::MAX) == Duration::ZERO);
    }
}
