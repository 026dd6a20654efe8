//! The end and the pipes of a program that this server started.

use std::sync::Arc;

use tokio::io::AsyncReadExt;

use super::Actor;
use super::done::Done;
use super::program_stdin::ProgramStdin;
use crate::session::output_log::Stream;

impl Actor {
    /// A program that we started: its end and its pipes are ours to watch.
    pub(super) fn own_program(&mut self, held: Arc<crate::process::Held>) {
        self.program.pid = Some(held.child.pid);
        let exited = held.child.exited();
        self.job(async move { Done::ProgramExited(Some(exited.await)) });
        // the pipes can be taken only from an `Arc` that is still ours alone
        let mut held = held;
        if let Some(own) = Arc::get_mut(&mut held) {
            self.program.stdin = own.child.stdin.take().map_or(ProgramStdin::None, ProgramStdin::Open);
            let pipes = [(Stream::Stdout, own.child.stdout.take()), (Stream::Stderr, own.child.stderr.take())];
            for (stream, pipe) in pipes {
                if let Some(pipe) = pipe {
                    self.program.end.pipe_opened();
                    self.drain(stream, pipe);
                }
            }
        }
        self.program.held = Some(held);
    }

    fn drain(&self, stream: Stream, mut pipe: crate::process::ChildOutput) {
        let (run, pieces) = (self.start.number(), self.pieces.0.clone());
        tokio::spawn(async move {
            let mut buffer = bytes::BytesMut::with_capacity(64 * 1024);
            loop {
                let read = pipe.read_buf(&mut buffer).await;
                let end = !matches!(read, Ok(1..));
                let piece = (!end).then(|| buffer.split().freeze());
                if pieces.send((run, stream, piece)).await.is_err() || end {
                    break;
                }
                buffer.reserve(64 * 1024);
            }
        });
    }
}
