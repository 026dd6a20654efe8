//! The named semaphores by which a starting runtime and its debugger wait for each other.

use std::ffi::CString;
use std::io;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

/// A named semaphore of ours; the name goes with it.
#[derive(Debug)]
pub struct Semaphore {
    name: CString,
    open: NonNull<libc::sem_t>,
}

// SAFETY: POSIX semaphores are made to be used by several threads at once.
unsafe impl Send for Semaphore {}

impl Semaphore {
    pub fn create(name: String) -> io::Result<Self> {
        let name = CString::new(name).map_err(|_| io::ErrorKind::InvalidInput)?;
        let flags = libc::O_CREAT | libc::O_EXCL;
        // SAFETY: a terminated string, then mode and value as the variadic call wants them with O_CREAT.
        let open = unsafe { libc::sem_open(name.as_ptr(), flags, 0o700 as libc::c_uint, 0 as libc::c_uint) };
        let open = NonNull::new(open).ok_or_else(io::Error::last_os_error)?;
        Ok(Self { name, open })
    }

    /// Waits until it is posted, `limit` is over or `give_up` says so. A semaphore cannot be waited for beside anything else.
    pub fn wait(&self, limit: Duration, give_up: impl Fn() -> bool) -> bool {
        let began = Instant::now();
        // SAFETY: the semaphore is open as long as `self` lives. Never blocks.
        while unsafe { libc::sem_trywait(self.open.as_ptr()) } != 0 {
            if began.elapsed() > limit || give_up() {
                return false;
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        true
    }

    pub fn post(&self) {
        // SAFETY: the semaphore is open as long as `self` lives.
        unsafe { libc::sem_post(self.open.as_ptr()) };
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        // SAFETY: opened by `create`, closed and unlinked only here.
        unsafe {
            libc::sem_close(self.open.as_ptr());
            libc::sem_unlink(self.name.as_ptr());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_semaphore_that_nobody_posts_is_given_up() {
        let name = format!("/clrbridge-test-{}", std::process::id());
        let semaphore = Semaphore::create(name.clone()).unwrap();
        assert!(Semaphore::create(name).is_err());
        assert!(!semaphore.wait(Duration::from_secs(60), || true));
        semaphore.post();
        assert!(semaphore.wait(Duration::ZERO, || false));
    }
}
