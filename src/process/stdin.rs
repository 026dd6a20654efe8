//! Our end of a child's stdin, and the one other copy that there may be of it.

use std::{
    io,
    os::fd::{AsFd, OwnedFd},
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{io::AsyncWrite, net::unix::pipe};

use super::keeper::Line;

/// Our end of a child's stdin. Dropping it is the child's end of input: a keeper ([`super::Child::keep`]), the only one with a
/// copy, is told first.
#[derive(Debug)]
pub struct ChildStdin {
    // dropped in this order
    line: Option<Line>,
    pipe: pipe::Sender,
}

impl ChildStdin {
    pub(super) fn from_owned_fd(fd: OwnedFd) -> io::Result<Self> {
        Ok(Self { line: None, pipe: pipe::Sender::from_owned_fd(fd)? })
    }

    pub(super) fn copy(&self) -> io::Result<OwnedFd> {
        self.pipe.as_fd().try_clone_to_owned()
    }

    pub(super) fn kept_by(&mut self, line: Line) {
        self.line = Some(line);
    }
}

impl AsyncWrite for ChildStdin {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.pipe).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.pipe).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.pipe).poll_shutdown(context)
    }
}
