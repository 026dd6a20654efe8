//! Notices that nobody reads an output any more while nothing is written to it: a client that is gone, though somebody else still
//! holds our input open.

use std::future::pending;
use std::os::fd::OwnedFd;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Ends when the other end of `output` is closed; never for what has no other end (a file).
pub async fn closed(output: OwnedFd) {
    let interest = Interest::WRITABLE.add(Interest::ERROR);
    // SAFETY: the descriptor is an owned one and stays open as long as the registration.
    let Ok(output) = (unsafe { AsyncFd::register_with_interest(output, interest) }) else { return pending().await };
    loop {
        let Ok(mut guard) = output.ready(interest).await else { return pending().await };
        if guard.ready().is_write_closed() || guard.ready().is_error() {
            return;
        }
        // Edge-triggered: the next change comes as a new event.
        guard.clear_ready();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use std::io::Write;

    #[tokio::test]
    async fn a_pipe_or_socket_without_a_reader_is_closed_and_a_busy_one_is_not() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut watched = Box::pin(closed(writer.try_clone().unwrap().into()));
        assert!(watched.as_mut().now_or_never().is_none());
        writer.write_all(b"x").unwrap();
        assert!(watched.as_mut().now_or_never().is_none());
        drop(reader);
        watched.await;
        let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
        let mut watched = Box::pin(closed(ours.into()));
        assert!(watched.as_mut().now_or_never().is_none());
        drop(theirs);
        watched.await;
    }

    #[tokio::test]
    async fn a_file_is_never_closed() {
        let file = tempfile::tempfile().unwrap();
        assert!(closed(file.into()).now_or_never().is_none());
    }
}
