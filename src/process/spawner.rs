//! The one thread that starts children.
//!
//! A parent-death signal follows the parent *thread*, not the process: a child started from a tokio worker was killed when
//! that worker retired after 10 s (measured). So this thread starts every child and ends only with the process; not even
//! a panic in a job ends it.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{OnceLock, mpsc},
};

use tokio::sync::oneshot;

use super::ProcessError;

type Job = Box<dyn FnOnce() + Send>;

static SPAWNER: OnceLock<mpsc::Sender<Job>> = OnceLock::new();

/// Runs `job` on the spawner thread, after those before it. The job is sent by the call, not by the first poll; what it
/// returned is dropped there if nobody waits any more.
pub(super) fn run<T: Send + 'static>(
    job: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = Result<T, ProcessError>> + Send + 'static {
    let (done, result) = oneshot::channel();
    let job = Box::new(move || drop(done.send(job())));
    // Without the thread the job is dropped here, and `done` with it.
    drop(SPAWNER.get_or_init(start).send(job));
    async move {
        let lost = || io::Error::other("the thread that starts processes has ended");
        result.await.map_err(|_| ProcessError::System { what: "start a process", source: lost() })
    }
}

fn start() -> mpsc::Sender<Job> {
    let (jobs, queue) = mpsc::channel::<Job>();
    let work = move || {
        inherit_no_ignored_child_signal();
        for job in queue {
            drop(catch_unwind(AssertUnwindSafe(job)));
        }
    };
    // If the thread cannot be made, `queue` is dropped and every `send` fails.
    if let Err(error) = std::thread::Builder::new().name("spawner".into()).spawn(work) {
        tracing::error!(%error, "cannot create the thread that starts processes");
    }
    jobs
}

/// Whoever started us may have left SIGCHLD ignored; the kernel would then reap our children itself and forget how they ended.
fn inherit_no_ignored_child_signal() {
    // SAFETY: both structures are plain data, zero is a valid value of each, and SIG_DFL installs no code of ours.
    unsafe {
        let mut current: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGCHLD, std::ptr::null(), &mut current) == 0 && current.sa_sigaction == libc::SIG_IGN
        {
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_job_runs_on_one_thread_that_outlives_a_panic() {
        let first = run(|| std::thread::current().id()).await.unwrap();
        let panicked = run(|| -> () { panic!("on purpose") }).await;
        assert!(matches!(panicked, Err(ProcessError::System { .. })));
        let second = run(|| std::thread::current().id()).await.unwrap();
        assert_eq!(first, second);
    }
}
