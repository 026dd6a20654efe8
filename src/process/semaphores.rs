//! The two named semaphores by which CoreCLR on Linux waits for its debugger at start-up.
//!
//! When debugging is set up and before any managed instruction, the runtime looks for `/clrst<pid><start time>`; if it is
//! there, it posts it and waits on `/clrco..`. Names as in dotnet/runtime, `src/coreclr/pal/src/thread/process.cpp`.
//! Two races to remember: `co` must exist before `st` is looked for, so it is made first and unlinked last; and as soon
//! as `st` is posted the runtime has both open, so the names can go and nobody's death leaves them behind.

#[cfg(target_os = "linux")]
pub(super) use named::StartUp;

/// Removes what dead debuggers left in `/dev/shm`: start-up semaphores of our user whose process is gone. Gives the number of
/// files removed; 0 where that folder does not exist.
pub fn sweep() -> usize {
    if !cfg!(target_os = "linux") {
        return 0;
    }
    sweep_folder(std::path::Path::new("/dev/shm"))
}

fn sweep_folder(folder: &std::path::Path) -> usize {
    use std::os::unix::fs::MetadataExt;

    // SAFETY: always succeeds and touches no memory.
    let us = unsafe { libc::geteuid() };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let stale = entries.flatten().filter(|entry| {
        let name = entry.file_name();
        let Some((pid, start_time)) = name.to_str().and_then(owner_of) else {
            return false;
        };
        // `DirEntry::metadata` does not follow links.
        let is_our_file = entry.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.uid() == us);
        is_our_file && super::start_time(pid) != Some(start_time)
    });
    stale.filter(|entry| std::fs::remove_file(entry.path()).is_ok()).count()
}

/// Pid and start time in the name of a semaphore's file.
fn owner_of(file_name: &str) -> Option<(u32, u64)> {
    let digits = file_name.strip_prefix("sem.clrst").or_else(|| file_name.strip_prefix("sem.clrco"))?;
    let is_hex = digits.len() == 24 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let (pid, start_time) = digits.split_at_checked(8).filter(|_| is_hex)?;
    Some((u32::from_str_radix(pid, 16).ok()?, u64::from_str_radix(start_time, 16).ok()?))
}

#[cfg(target_os = "linux")]
mod named {
    use std::{
        ffi::CString,
        io,
        ptr::NonNull,
        sync::atomic::{AtomicBool, Ordering},
    };

    use crate::process::ProcessError;

    /// Both semaphores of one starting process. Names that are still there go when it is dropped.
    #[derive(Debug)]
    pub(in crate::process) struct StartUp {
        started: Semaphore,
        go_on: Semaphore,
        released: AtomicBool,
    }

    impl StartUp {
        /// Before the process `pid`, started at `start_time`, executes its program.
        pub(in crate::process) fn create(pid: u32, start_time: u64) -> Result<Self, ProcessError> {
            let go_on = Semaphore::create(format!("/clrco{pid:08x}{start_time:016x}"))?;
            let started = Semaphore::create(format!("/clrst{pid:08x}{start_time:016x}"))?;
            Ok(Self { started, go_on, released: AtomicBool::new(false) })
        }

        /// Whether the runtime has come up and waits. True once only: asking takes the post.
        pub(in crate::process) fn take_started(&self) -> bool {
            // SAFETY: the semaphore is open as long as `self` lives. Never blocks.
            unsafe { libc::sem_trywait(self.started.open.as_ptr()) == 0 }
        }

        pub(in crate::process) fn unlink(&self) {
            self.started.unlink();
            self.go_on.unlink();
        }

        /// Lets the runtime go on; a second call does nothing.
        pub(in crate::process) fn release(&self) -> io::Result<()> {
            if self.released.swap(true, Ordering::Relaxed) {
                return Ok(());
            }
            // SAFETY: the semaphore is open as long as `self` lives.
            if unsafe { libc::sem_post(self.go_on.open.as_ptr()) } == 0 {
                return Ok(());
            }
            self.released.store(false, Ordering::Relaxed);
            Err(io::Error::last_os_error())
        }
    }

    #[derive(Debug)]
    struct Semaphore {
        name: CString,
        open: NonNull<libc::sem_t>,
        is_linked: AtomicBool,
    }

    // SAFETY: POSIX semaphores are made to be used by several threads at once; the pointer is only read.
    unsafe impl Send for Semaphore {}
    // SAFETY: as above.
    unsafe impl Sync for Semaphore {}

    impl Semaphore {
        fn create(name: String) -> Result<Self, ProcessError> {
            let failed = |name, source| ProcessError::Semaphore { name, source };
            let Ok(c_name) = CString::new(name.as_str()) else {
                return Err(failed(name, io::ErrorKind::InvalidInput.into()));
            };
            let flags = libc::O_CREAT | libc::O_EXCL;
            // SAFETY: a terminated string, and mode and value as the variadic call wants them with O_CREAT. glibc's
            // SEM_FAILED is the null pointer.
            let open = unsafe { libc::sem_open(c_name.as_ptr(), flags, 0o700 as libc::c_uint, 0 as libc::c_uint) };
            match NonNull::new(open) {
                Some(open) => Ok(Self { name: c_name, open, is_linked: AtomicBool::new(true) }),
                None => Err(failed(name, io::Error::last_os_error())),
            }
        }

        fn unlink(&self) {
            if self.is_linked.swap(false, Ordering::Relaxed) {
                // SAFETY: a terminated string. That the name is gone already is no harm.
                unsafe { libc::sem_unlink(self.name.as_ptr()) };
            }
        }
    }

    impl Drop for Semaphore {
        fn drop(&mut self) {
            self.unlink();
            // SAFETY: opened by `create`, closed only here.
            unsafe { libc::sem_close(self.open.as_ptr()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_start_up_semaphores_have_an_owner() {
        for (name, expected) in [
            ("sem.clrst0000001000000000000000ff", Some((16, 255))),
            ("sem.clrco0000001000000000000000ff", Some((16, 255))),
            ("sem.clrxx0000001000000000000000ff", None),
            ("sem.clrst0000001000000000000000f", None),
            ("sem.clrst0000001000000000000000ff0", None),
            ("sem.clrst0000001000000000000000FF", None),
            ("sem.clrst+000001000000000000000ff", None),
            ("clrst0000001000000000000000ff", None),
            ("sem.clrst\u{e4}000001000000000000000f", None),
        ] {
            assert_eq!(owner_of(name), expected, "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn sweep_takes_the_stale_and_leaves_the_living_and_the_foreign() {
        let folder = tempfile::tempdir().unwrap();
        let me = std::process::id();
        let started = crate::process::start_time(me).unwrap();
        let living = [format!("sem.clrst{me:08x}{started:016x}"), "sem.other".into(), "clrst".into()];
        let stale =
            [format!("sem.clrst{me:08x}{:016x}", started + 1), format!("sem.clrco{:08x}{started:016x}", u32::MAX)];
        for name in living.iter().chain(&stale) {
            std::fs::write(folder.path().join(name), b"").unwrap();
        }
        assert_eq!(sweep_folder(folder.path()), stale.len());
        let left: Vec<_> = living.iter().map(|name| folder.path().join(name).exists()).collect();
        assert_eq!(left, [true; 3]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), living.len());
    }
}
