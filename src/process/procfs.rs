//! What the kernel tells about any process, ours or not.
//!
//! The race to remember: a pid alone names nobody for long; a pid with its start time does.

use std::time::Duration;

/// Start time in clock ticks since boot, field 22 of `/proc/<pid>/stat`: with the pid it names a process for good.
/// `None`: no such process, or no `/proc`.
pub fn start_time(pid: u32) -> Option<u64> {
    Stat::read(pid).map(|stat| stat.start_time)
}

/// Whether the process can still run; a zombie cannot.
pub fn alive(pid: u32) -> bool {
    match Stat::read(pid) {
        Some(stat) => !stat.is_dead(),
        None => cfg!(not(target_os = "linux")) && super::pidfd::kill(pid, 0).is_ok(),
    }
}

/// Whether an attach would wait in vain: SIGSTOPped, in a tracer's hands, or dead and not yet reaped.
pub fn is_stopped_or_zombie(pid: u32) -> bool {
    Stat::read(pid).is_some_and(|stat| stat.is_dead() || matches!(stat.state, 'T' | 't'))
}

/// How long the process's threads have run, or waited for a processor to run on, until now. Zero where nobody tells.
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

    fn is_dead(&self) -> bool {
        matches!(self.state, 'Z' | 'X' | 'x')
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn we_are_alive_and_have_a_start_time() {
        let me = std::process::id();
        assert!(alive(me) && !is_stopped_or_zombie(me));
        assert!(start_time(me).is_some_and(|ticks| ticks > 0));
        assert!(!alive(u32::MAX) && start_time(u32::MAX).is_none());
        assert!(busy_time(me) > Duration::ZERO && busy_time(u32::MAX) == Duration::ZERO);
    }
}
