//! Detects that a file has changed.

use std::path::Path;
use std::time::{Duration, SystemTime};

/// Size, time and identity; of a file that is not there, nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    identity: Identity,
}

/// Device, inode, and when the inode changed (seconds, nanoseconds), which no program sets: a copy may carry the time of what it was
/// copied from.
#[cfg(unix)]
type Identity = (u64, u64, i64, i64);
#[cfg(not(unix))]
type Identity = ();

impl Stamp {
    pub(super) fn of(path: &Path) -> Self {
        match std::fs::metadata(path) {
            Ok(facts) => Self { modified: facts.modified().ok(), length: facts.len(), identity: identity(&facts) },
            Err(_) => Self { modified: None, length: 0, identity: Identity::default() },
        }
    }

    /// Whether it was last written longer than `age` before `now`, whatever time it was given.
    pub(super) fn is_older_than(&self, age: Duration, now: SystemTime) -> bool {
        let written = self.modified.max(changed(&self.identity));
        written.and_then(|written| now.duration_since(written).ok()).is_some_and(|it| it > age)
    }
}

#[cfg(unix)]
fn identity(facts: &std::fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (facts.dev(), facts.ino(), facts.ctime(), facts.ctime_nsec())
}

#[cfg(unix)]
fn changed((_, _, seconds, nanoseconds): &Identity) -> Option<SystemTime> {
    let since = Duration::new(u64::try_from(*seconds).ok()?, u32::try_from(*nanoseconds).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(since)
}

#[cfg(not(unix))]
fn changed(_: &Identity) -> Option<SystemTime> {
    None
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> Identity {}
